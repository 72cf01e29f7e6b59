package report

import (
	"akx/explore"
	"akx/view/clean"
	"akx/view/fault"
	"akx/view/wire"
)

// ServiceChecks is what services say about themselves.
type ServiceChecks struct {
	Services []ServiceCheck `json:"services"`
}

// ServiceCheck is the discovery document of one service, or why there is none.
type ServiceCheck struct {
	Name     string         `json:"name"`
	Origin   string         `json:"origin"`
	Features []string       `json:"features"`
	Modes    []string       `json:"search_modes"`
	Limits   []ServiceLimit `json:"limits"`
	Peers    []string       `json:"peers"`
	// Licenses is any, or the licences that the service says it takes; absent where it
	// says nothing.
	Licenses []string `json:"license_policy,omitempty"`
	Error    *Failure `json:"error,omitempty"`

	told bool // the error ends the command, which tells it
}

// ServiceLimit is one limit that a service publishes.
type ServiceLimit struct {
	Name  string `json:"name"`
	Value int64  `json:"value"`
}

// Add takes one service.
func (r *ServiceChecks) Add(s explore.ServiceState, failure *Failure) {
	c := ServiceCheck{Name: s.Service.Name, Origin: string(s.Service.Origin), Error: failure}
	if d := s.Discovery; failure == nil && d != nil {
		c.Features, c.Modes, c.Licenses = d.Features, d.Modes, d.Licenses
		for _, l := range d.Limits {
			c.Limits = append(c.Limits, ServiceLimit{l.Name, l.Value})
		}
		for _, peer := range d.Peers {
			c.Peers = append(c.Peers, string(peer))
		}
	}
	r.Services = append(r.Services, c)
}

// Told leaves the errors to the end of the command, which tells them.
func (r *ServiceChecks) Told() {
	for i := range r.Services {
		r.Services[i].told = true
	}
}

// Text prints each service with what it offers.
func (r *ServiceChecks) Text(p *Printer) {
	for _, s := range r.Services {
		if s.Error != nil {
			if !s.told {
				p.unanswered(s.Name, s.Error)
			}
			continue
		}
		p.Wrapped(own(s.Name+": "), p.tone(Good, own("ok")), gap, plainCell(clean.Line(s.Origin)))
		modes := own("none")
		if len(s.Modes) > 0 {
			modes = joined(s.Modes)
		}
		p.Wrapped(own("  ranked search: "), plainCell(modes))
		switch {
		case len(s.Licenses) == 1 && s.Licenses[0] == wire.AnyLicense:
			p.Line(own("  takes any licence"))
		case len(s.Licenses) > 0:
			p.Wrapped(own("  takes only the licences "), plainCell(joined(s.Licenses)))
		}
		for _, l := range s.Limits {
			p.Wrapped(own("  limit "), plainCell(clean.Line(l.Name)), words(" "+ints(l.Value)))
		}
		for _, peer := range s.Peers {
			p.Wrapped(own("  names a peer, a hint: "), plainCell(clean.Line(peer)))
		}
	}
}

// unanswered prints why a service gave no answer.
func (p *Printer) unanswered(name string, f *Failure) {
	p.Wrapped(own(name+": "), f.coded(p)...)
	if f.Hint != "" {
		p.Wrapped(own("  "), plainCell(clean.Line(f.Hint)))
	}
}

func joined(foreign []string) clean.Text {
	var parts []clean.Text
	for i, s := range foreign {
		if i > 0 {
			parts = append(parts, own(", "))
		}
		parts = append(parts, clean.Line(s))
	}
	return clean.Join(parts...)
}

// Short says why not all was fulfilled; nil where it was.
func (r *ServiceChecks) Short() error {
	failed := 0
	for _, s := range r.Services {
		if s.Error != nil {
			failed++
		}
	}
	return unanswered(failed, len(r.Services))
}

// unanswered is the end of a command that some services did not answer.
func unanswered(failed, all int) error {
	if failed == 0 {
		return nil
	}
	return &fault.Unavailable{Code: fault.Partial, Retry: true,
		Detail: number(failed) + " of " + number(all) + " " + plural(all, "service", "services") + " gave no complete answer"}
}

// Peers are the hints that services give to other services.
type Peers struct {
	Peers []Peer `json:"peers"`
	// Asked are the services whose discovery document was read, or why not.
	Asked []Asked `json:"asked"`

	known map[string]string // names by origin
}

// Peer is one origin that services name. Known is the user's name for it, where it
// is a service of the user already.
type Peer struct {
	Origin string   `json:"origin"`
	By     []string `json:"named_by"`
	Known  string   `json:"known_as,omitempty"`
}

// Asked is one service that was asked.
type Asked struct {
	Name  string   `json:"name"`
	Error *Failure `json:"error,omitempty"`
}

// NewPeers makes an empty report; known are the user's services.
func NewPeers(known []explore.ServiceState) *Peers {
	r := &Peers{known: make(map[string]string, len(known))}
	for _, s := range known {
		r.known[string(s.Service.Origin)] = s.Service.Name
	}
	return r
}

// Add takes the peers that one service names.
func (r *Peers) Add(s explore.ServiceState, failure *Failure) {
	r.Asked = append(r.Asked, Asked{Name: s.Service.Name, Error: failure})
	if failure != nil || s.Discovery == nil {
		return
	}
	for _, origin := range s.Discovery.Peers {
		r.name(string(origin), s.Service.Name)
	}
}

func (r *Peers) name(origin, by string) {
	for i := range r.Peers {
		if r.Peers[i].Origin == origin {
			r.Peers[i].By = append(r.Peers[i].By, by)
			return
		}
	}
	r.Peers = append(r.Peers, Peer{Origin: origin, By: []string{by}, Known: r.known[origin]})
}

// Text prints each hint with who gave it.
func (r *Peers) Text(p *Printer) {
	for _, peer := range r.Peers {
		cells := []Cell{gap, words("named by "), plainCell(joined(peer.By))}
		if peer.Known != "" {
			cells = append(cells, words(", yours as "+peer.Known))
		}
		p.Wrapped(clean.Line(peer.Origin), cells...)
	}
	for _, a := range r.Asked {
		if a.Error != nil {
			p.unanswered(a.Name, a.Error)
		}
	}
	if len(r.Peers) == 0 {
		p.Line(own("no hints: none of the services that were asked names another"))
		return
	}
	p.Line(own(number(len(r.Peers)) + " " + plural(len(r.Peers), "hint, not contacted", "hints, none of them contacted") + "; akx service add ORIGIN adds one"))
}

// Short says why not all was fulfilled; nil where it was.
func (r *Peers) Short() error {
	failed := 0
	for _, a := range r.Asked {
		if a.Error != nil {
			failed++
		}
	}
	return unanswered(failed, len(r.Asked))
}
