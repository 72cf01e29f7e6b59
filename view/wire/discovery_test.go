package wire

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"akx/view/fault"
	"akx/view/identity"
)

func TestDiscovery92(t *testing.T) {
	full := Discovery{Service: origin, Features: []string{RankedSearch}, Modes: []string{"lexical"},
		Peers: []identity.Origin{"https://p.example"}, Limits: []Limit{{"max_envelope_bytes", 262144}}}
	full.Advertised = DefaultEndpoints(origin, true)
	full.Endpoints = full.Advertised
	got, err := ParseDiscovery(full.Append(nil), origin)
	if err != nil || !reflect.DeepEqual(got, full) {
		t.Fatalf("%+v, %v", got, err)
	}
	minimal, err := ParseDiscovery([]byte(`{"protocol":"agent-knowledge/1.0","service":"https://k.example","endpoints":{"query":"https://k.example:443/q"}}`), origin)
	if err != nil {
		t.Fatal(err)
	}
	if minimal.Endpoints != (Endpoints{Events: "https://k.example" + EventsPath, Query: "https://k.example:443/q", Batch: "https://k.example" + BatchPath}) ||
		minimal.Advertised != (Endpoints{Query: "https://k.example:443/q"}) || minimal.Ranked() {
		t.Errorf("got %+v", minimal)
	}
	endpoints := func(d map[string]any) map[string]any { return d["endpoints"].(map[string]any) }
	for _, e := range []edit{
		{"another protocol", func(d map[string]any) { d["protocol"] = "agent-knowledge/1.1" }, fault.InvalidDiscovery},
		{"another service", func(d map[string]any) { d["service"] = "https://other.example" }, fault.InvalidDiscovery},
		{"service with a path", func(d map[string]any) { d["service"] = "https://k.example/" }, fault.InvalidDiscovery},
		{"endpoint elsewhere", func(d map[string]any) { endpoints(d)["batch"] = "https://other.example/b" }, fault.InvalidDiscovery},
		{"endpoint on another port", func(d map[string]any) { endpoints(d)["batch"] = "https://k.example:444/b" }, fault.InvalidDiscovery},
		{"endpoint with a fragment", func(d map[string]any) { endpoints(d)["batch"] = "https://k.example/b#x" }, fault.InvalidDiscovery},
		{"endpoint with a bad host", func(d map[string]any) { endpoints(d)["batch"] = "https://k.exa mple/b" }, fault.InvalidDiscovery},
		{"search without the feature", func(d map[string]any) { d["features"] = []any{} }, fault.InvalidDiscovery},
		{"feature without modes", func(d map[string]any) { delete(d, "search_modes") }, fault.InvalidDiscovery},
		{"feature without endpoint", func(d map[string]any) { delete(endpoints(d), "search") }, fault.InvalidDiscovery},
		{"modes without lexical", func(d map[string]any) { d["search_modes"] = []any{"semantic"} }, fault.InvalidDiscovery},
		{"modes twice", func(d map[string]any) { d["search_modes"] = []any{"lexical", "lexical"} }, fault.InvalidDiscovery},
		{"unknown modes and features", func(d map[string]any) {
			d["search_modes"], d["features"] = []any{"psychic", "lexical"}, []any{"magic", RankedSearch}
		}, ""},
		{"unknown members", func(d map[string]any) { d["x"], endpoints(d)["x"] = 1, 2 }, ""},
		{"itself as a peer", func(d map[string]any) { d["peers"] = []any{"https://k.example"} }, fault.InvalidDiscovery},
		{"a peer twice", func(d map[string]any) { d["peers"] = []any{"https://p.example", "https://p.example"} }, fault.InvalidDiscovery},
		{"a peer that is not canonical", func(d map[string]any) { d["peers"] = []any{"https://P.example"} }, fault.InvalidDiscovery},
		{"a limit of 0", func(d map[string]any) { d["limits"] = map[string]any{"x": 0} }, fault.InvalidDiscovery},
		{"a limit that is text", func(d map[string]any) { d["limits"] = map[string]any{"x": "1"} }, fault.InvalidDiscovery},
	} {
		t.Run(e.name, func(t *testing.T) {
			d := doc(t, full.Append(nil))
			e.from(d)
			if _, err := ParseDiscovery(marshal(t, d), origin); code(t, err) != e.code {
				t.Errorf("got %v", err)
			}
		})
	}
}

// A licence policy is an extra member: what it says is read, and one of another form is
// ignored like every member that the protocol does not define (3.3, 9.2).
func TestLicensePolicy_3_3(t *testing.T) {
	for policy, want := range map[string][]string{
		``: nil, `,"license_policy":"any"`: {AnyLicense}, `,"license_policy":["https://a.example/","https://b.example/"]`: {"https://a.example/", "https://b.example/"},
		`,"license_policy":"none"`: nil, `,"license_policy":["https://a.example/",1]`: nil, `,"license_policy":{"a":1}`: nil, `,"license_policy":[]`: nil,
		`,"license_policy":["x"` + strings.Repeat(`,"x"`, maxLicenses) + `]`: nil,
	} {
		d, err := ParseDiscovery([]byte(`{"protocol":"agent-knowledge/1.0","service":"https://k.example"`+policy+`}`), origin)
		if err != nil || !slices.Equal(d.Licenses, want) {
			t.Errorf("%s: %q, %v", policy, d.Licenses, err)
			continue
		}
		if again, err := ParseDiscovery(d.Append(nil), origin); err != nil || !slices.Equal(again.Licenses, want) {
			t.Errorf("%s, written and read: %q, %v", policy, again.Licenses, err)
		}
	}
}
