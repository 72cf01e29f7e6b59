package report

import (
	"cmp"

	"akx/view"
	"akx/view/capsule"
	"akx/view/clean"
)

// ServiceState is what one followed service shows of an event, from the cache.
type ServiceState struct {
	Held bool `json:"held"`
	// Lifecycle is absent for a retraction that the service shows, which has none of its
	// own (7.1).
	Lifecycle string `json:"lifecycle,omitempty"`
	Scope     Scope  `json:"scope"`
}

// Difference is an event about this one that some services show and others, whose
// scope is complete, do not.
type Difference struct {
	ID    string   `json:"event_id"`
	What  string   `json:"what"` // retraction, correction or assessment
	Shown []string `json:"shown_by"`
	Not   []Scope  `json:"not_shown_by"`

	names map[string]string // the user's names of services, by origin
}

func statesOf(shown view.Shown, of capsule.Type) []ServiceState {
	var out []ServiceState
	for _, at := range shown.At {
		s := ServiceState{Held: at.Held, Lifecycle: at.Facts.Lifecycle.String(), Scope: ScopeOf(at.Facts.Scope)}
		if of == capsule.Retract && at.Held {
			s.Lifecycle = ""
		}
		out = append(out, s)
	}
	return out
}

func differencesOf(list []view.Difference) []Difference {
	var out []Difference
	for _, d := range list {
		x := Difference{ID: d.Event.String(), What: whatOf(d)}
		for _, origin := range d.Shown {
			x.Shown = append(x.Shown, string(origin))
		}
		for _, scope := range d.Not {
			x.Not = append(x.Not, ScopeOf(scope))
		}
		out = append(out, x)
	}
	return out
}

func whatOf(d view.Difference) string {
	switch d.Type {
	case capsule.Retract:
		return "retraction"
	case capsule.Publish:
		return "correction"
	default:
		return "assessment"
	}
}

// lines say what is shown where, a line a service that does not show it. They
// state, and accuse nobody.
func (d Difference) lines() [][]Cell {
	var out [][]Cell
	for _, scope := range d.Not {
		shown := make([]string, len(d.Shown))
		for i, origin := range d.Shown {
			shown[i] = called(d.names, origin)
		}
		out = append(out, []Cell{words(d.What + " " + Paste(d.ID) + " shown by "), plainCell(joined(shown)), words("; not shown by "),
			plainCell(clean.Line(called(d.names, scope.Origin))), words(" up to #" + uints(scope.Checkpoint) + ", as of " + Moment(scope.AsOf))})
	}
	return out
}

// called is the user's name of a service, or its origin where it has none.
func called(names map[string]string, origin string) string { return cmp.Or(names[origin], origin) }

// NameServices names services by origin.
func (g *Page) NameServices(names map[string]string) {
	g.names = names
	for i := range g.Differences {
		g.Differences[i].names = names
	}
}

// services prints what followed services show of the page's event.
func (g *Page) services(p *Printer) {
	for _, s := range g.Shown {
		name := plainCell(clean.Line(called(g.names, s.Scope.Origin)))
		at := g.Scope.clock()
		age := plainCell(clean.Join(own(", "+AgeOf(s.Scope.AsOf, s.Scope.set.Seen, at)), s.Scope.stale(at)))
		if !s.Held && s.Lifecycle == view.Unchecked.String() {
			p.Field("service", name, words(": not among what "), plainCell(clean.Line(s.Scope.Origin)), words(" showed up to #"+uints(s.Scope.Checkpoint)+", as of "+Moment(s.Scope.AsOf)), age)
			continue
		}
		state := cmp.Or(s.Lifecycle, finalState)
		p.Field("service", name, words(": "), Cell{Text: own(state), Tone: lifecycleTone(state)}, words(" in "), plainCell(s.Scope.after(state)), age)
	}
	for _, d := range g.Differences {
		for _, line := range d.lines() {
			p.Field("differs", line...)
		}
	}
	more(p, g.MoreDifferences, "difference between services", "differences between services")
}
