package wire

import (
	"slices"
	"strconv"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// RankedSearch is the one feature that this version defines (9.2).
const RankedSearch = "ranked-search"

// Default paths below the origin (9.1).
const (
	DiscoveryPath = "/.well-known/agent-knowledge"
	EventsPath    = "/v1/knowledge/events"
	QueryPath     = "/v1/knowledge/query"
	BatchPath     = "/v1/knowledge/batch"
	SearchPath    = "/v1/knowledge/search"
)

// Endpoints are absolute HTTPS URLs on the service's origin. Search is empty
// where ranked search is not offered.
type Endpoints struct{ Events, Query, Batch, Search string }

// Discovery is a service's discovery document (9.2): hints, not proof.
type Discovery struct {
	Service   identity.Origin
	Endpoints Endpoints
	// Advertised tells which endpoints the document itself names; the others are
	// the defaults.
	Advertised Endpoints
	Features   []string // foreign text, unknown ones included
	Modes      []string // search modes, unknown ones included
	Peers      []identity.Origin
	Limits     []Limit
	// Licenses is what the service says of the licences that it takes (Agent Knowledge
	// 3.3), in a member that is akx's own: AnyLicense alone, or URLs; nil where it says
	// nothing. Foreign text.
	Licenses []string
}

// AnyLicense says that a service takes every licence.
const AnyLicense = "any"

// maxLicenses bounds what is read of a licence policy.
const maxLicenses = 100

// Limit is one published limit, a positive safe integer.
type Limit struct {
	Name  string
	Value int64
}

// The names of limits that akx publishes and respects (9.7). What a service calls
// otherwise is shown, and binds nobody here.
const (
	LimitEnvelope    = "max_envelope_bytes"
	LimitPage        = "max_page_records"
	LimitReadBody    = "max_read_request_bytes"
	LimitPerMinute   = "max_requests_per_minute"
	LimitAtOnce      = "max_requests_at_once"
	LimitConnections = "max_connections"
	LimitPerAddress  = "max_connections_per_address"
)

// Limit gives a published limit; 0 where the document has none of that name.
func (d Discovery) Limit(name string) int64 {
	for _, l := range d.Limits {
		if l.Name == name {
			return l.Value
		}
	}
	return 0
}

// DefaultEndpoints are the endpoints at the default paths; with search where
// ranked search is offered.
func DefaultEndpoints(o identity.Origin, search bool) Endpoints {
	e := Endpoints{Events: string(o) + EventsPath, Query: string(o) + QueryPath, Batch: string(o) + BatchPath}
	if search {
		e.Search = string(o) + SearchPath
	}
	return e
}

var modesShape = capsule.All(
	capsule.ArrayOf(textShape, 1, capsule.NoMax, true),
	func(v identity.Value) *fault.Refusal {
		if slices.ContainsFunc(v.Items(), func(m identity.Value) bool { return m.Text() == Lexical.String() }) {
			return nil
		}
		return capsule.Misshapen("must include lexical")
	})

var discoveryShape = capsule.All(capsule.OpenObject(
	capsule.Required("protocol", capsule.Enum(capsule.Protocol)),
	capsule.Required("service", originShape),
	capsule.Optional("endpoints", capsule.OpenObject(
		capsule.Optional("events", events["endpointUrl"]),
		capsule.Optional("query", events["endpointUrl"]),
		capsule.Optional("batch", events["endpointUrl"]),
		capsule.Optional("search", events["endpointUrl"]))),
	capsule.Optional("features", capsule.ArrayOf(textShape, 0, capsule.NoMax, true)),
	capsule.Optional("limits", capsule.MapOf(events["nonce"])),
	capsule.Optional("search_modes", modesShape),
	capsule.Optional("peers", capsule.ArrayOf(originShape, 0, MaxPeers, true))), rankedRule)

// rankedRule ties the search endpoint and the modes to the feature (9.2).
func rankedRule(v identity.Value) *fault.Refusal {
	ranked := slices.ContainsFunc(member(v, "features").Items(),
		func(f identity.Value) bool { return f.Text() == RankedSearch })
	_, modes := v.Get("search_modes")
	_, search := member(v, "endpoints").Get("search")
	switch {
	case modes != ranked:
		return capsule.Within(capsule.Misshapen("goes with the feature ranked-search"), "search_modes")
	case search != ranked:
		return capsule.Within(capsule.Within(capsule.Misshapen("goes with the feature ranked-search"), "search"), "endpoints")
	}
	return nil
}

// ParseDiscovery reads the document that origin served; unknown members are
// ignored. Errors carry invalid_discovery.
func ParseDiscovery(text []byte, origin identity.Origin) (Discovery, error) {
	v, err := parseAs(text, discoveryShape, fault.InvalidDiscovery)
	if err != nil {
		return Discovery{}, err
	}
	service, err := identity.ParseOrigin(member(v, "service").Text())
	switch {
	case err != nil:
		return Discovery{}, badDiscovery("/service", "is not the origin that served the document")
	case service != origin:
		return Discovery{}, badDiscovery("/service", "is not the origin that served the document: add "+string(service)+" in its place, if you trust that one")
	}
	d := Discovery{Service: service, Features: texts(member(v, "features")), Modes: texts(member(v, "search_modes"))}
	d.Endpoints = DefaultEndpoints(service, d.Ranked())
	for _, e := range []struct {
		name            string
		used, published *string
	}{
		{"events", &d.Endpoints.Events, &d.Advertised.Events},
		{"query", &d.Endpoints.Query, &d.Advertised.Query},
		{"batch", &d.Endpoints.Batch, &d.Advertised.Batch},
		{"search", &d.Endpoints.Search, &d.Advertised.Search},
	} {
		url, ok := member(v, "endpoints").Get(e.name)
		if !ok {
			continue
		}
		if on, err := identity.OriginOf(url.Text()); err != nil || on != service {
			return Discovery{}, badDiscovery("/endpoints/"+e.name, "is not a URL on the service's origin")
		}
		*e.used, *e.published = url.Text(), url.Text()
	}
	for i, peer := range member(v, "peers").Items() {
		o, err := identity.ParseOrigin(peer.Text())
		if err != nil || o == service {
			return Discovery{}, badDiscovery("/peers/"+strconv.Itoa(i), "is not the canonical origin of another service")
		}
		d.Peers = append(d.Peers, o)
	}
	for _, m := range member(v, "limits").Members() {
		n, _ := m.Value.Integer()
		d.Limits = append(d.Limits, Limit{Name: m.Name, Value: n})
	}
	d.Licenses = licenses(v)
	return d, nil
}

// licenses reads the licence policy. The protocol does not define it, so that one of
// another form says nothing, and is no fault.
func licenses(v identity.Value) []string {
	policy := member(v, "license_policy")
	if policy.Text() == AnyLicense {
		return []string{AnyLicense}
	}
	var only []string
	for _, l := range policy.Items() {
		if l.Kind() != identity.String || len(only) == maxLicenses {
			return nil
		}
		only = append(only, l.Text())
	}
	return only
}

func badDiscovery(path, detail string) error {
	return &fault.Refusal{Step: fault.StepShape, Code: fault.InvalidDiscovery, Path: path, Detail: detail}
}

func texts(v identity.Value) []string {
	var list []string
	for _, item := range v.Items() {
		list = append(list, item.Text())
	}
	return list
}

// Ranked reports whether the service offers ranked search.
func (d Discovery) Ranked() bool { return slices.Contains(d.Features, RankedSearch) }

// Append appends the document, with the advertised endpoints.
func (d Discovery) Append(dst []byte) []byte {
	w := newWriter(dst)
	w.text("protocol", capsule.Protocol)
	w.text("service", string(d.Service))
	if d.Advertised != (Endpoints{}) {
		w.name("endpoints")
		e := newWriter(w.dst)
		for _, p := range [][2]string{{"events", d.Advertised.Events}, {"query", d.Advertised.Query},
			{"batch", d.Advertised.Batch}, {"search", d.Advertised.Search}} {
			if p[1] != "" {
				e.text(p[0], p[1])
			}
		}
		w.dst = e.end()
	}
	if len(d.Features) > 0 {
		w.texts("features", d.Features)
	}
	if len(d.Modes) > 0 {
		w.texts("search_modes", d.Modes)
	}
	if len(d.Peers) > 0 {
		w.list("peers", len(d.Peers), func(dst []byte, i int) []byte { return appendString(dst, string(d.Peers[i])) })
	}
	if slices.Equal(d.Licenses, []string{AnyLicense}) {
		w.text("license_policy", AnyLicense)
	} else if len(d.Licenses) > 0 {
		w.texts("license_policy", d.Licenses)
	}
	if len(d.Limits) > 0 {
		w.name("limits")
		l := newWriter(w.dst)
		for _, limit := range d.Limits {
			l.number(limit.Name, limit.Value)
		}
		w.dst = l.end()
	}
	return w.end()
}
