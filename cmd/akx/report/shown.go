package report

import (
	"cmp"

	"akx/view"
	"akx/view/capsule"
	"akx/view/clean"
)

// ServiceState is what one followed service shows of an event, from the cache.
type ServiceState struct {
	Held      bool   `json:"held"`
	Lifecycle string `json:"lifecycle"`
	Scope     Scope  `json:"scope"`
	seen      int64  // what its age is told from, in ms
}

// Difference is an event about this one that some services show and others, whose
// scope is complete, do not.
type Difference struct {
	ID    string   `json:"event_id"`
	What  string   `json:"what"` // retraction, correction or assessment
	Shown []string `json:"shown_by"`
	Not   []Scope  `json:"not_shown_by"`
}

func statesOf(shown view.Shown) []ServiceState {
	var out []ServiceState
	for _, at := range shown.At {
		out = append(out, ServiceState{Held: at.Held, Lifecycle: at.Facts.Lifecycle.String(), Scope: ScopeOf(at.Facts.Scope), seen: at.Followed.Seen()})
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
		out = append(out, []Cell{words(d.What + " " + Paste(d.ID) + " shown by "), plainCell(joined(d.Shown)), words("; not shown by "),
			plainCell(clean.Line(scope.Origin)), words(" up to #" + uints(scope.Checkpoint) + ", as of " + Moment(scope.AsOf))})
	}
	return out
}

// services prints what followed services show of the page's event.
func (g *Page) services(p *Printer) {
	for _, s := range g.Shown {
		age := ", " + Age(s.seen, cmp.Or(g.Scope.now, g.Scope.AsOf))
		if !s.Held && s.Lifecycle == view.Unchecked.String() {
			p.Field("service", words("not among what "), plainCell(clean.Line(s.Scope.Origin)), words(" showed up to #"+uints(s.Scope.Checkpoint)+", as of "+Moment(s.Scope.AsOf)+age))
			continue
		}
		p.Field("service", Cell{Text: own(s.Lifecycle), Tone: lifecycleTone(s.Lifecycle)}, words(" in "), plainCell(s.Scope.words()), words(age))
	}
	for _, d := range g.Differences {
		for _, line := range d.lines() {
			p.Field("differs", line...)
		}
	}
	more(p, g.MoreDifferences, "difference between services", "differences between services")
}
