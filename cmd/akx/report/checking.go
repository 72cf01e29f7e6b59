package report

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/fault"
	"akx/view/identity"
)

// Checks is what services say of events now.
type Checks struct {
	Checks []EventCheck `json:"checks"`
}

// EventCheck is one event at every service that was chosen.
type EventCheck struct {
	ID        string         `json:"event_id"`
	Actor     string         `json:"actor,omitempty"`      // of one that is held
	LocalName string         `json:"local_name,omitempty"` // the user's own of the actor
	Title     string         `json:"title,omitempty"`
	TitleCut  bool           `json:"title_cut,omitempty"`
	Services  []ServiceFacts `json:"services"`
	// Differences are links that one service shows and another, which has the event
	// and answered completely, does not.
	Differences []Difference `json:"differences"`
}

// ServiceFacts is what one service says. Answer is complete, missing, partial,
// unreachable or unasked. A retraction that the service has is without a lifecycle,
// as it has none of its own (7.1).
type ServiceFacts struct {
	Service   string `json:"service"`
	Answer    string `json:"answer"`
	Lifecycle string `json:"lifecycle,omitempty"`
	// Scope is absent where the service answered nothing that has one: Reasons says why.
	Scope      *Scope   `json:"scope,omitempty"`
	Reasons    []string `json:"reasons,omitempty"`
	Facts      Facts    `json:"facts"`
	Seq        uint64   `json:"seq,omitempty"`
	AcceptedAt int64    `json:"accepted_at_epoch_ms,omitempty"`
	Cached     bool     `json:"cached"`
	Error      *Failure `json:"error,omitempty"`

	seen, now int64 // ms: what an age is told from, and to
}

// The answers of a service to a check.
const (
	answerComplete    = "complete"
	answerMissing     = "missing"
	answerPartial     = "partial"
	answerUnreachable = "unreachable"
	answerUnasked     = "unasked"
)

// Add takes the answers about one event, of which subject has at least the ID; failure
// describes an error.
func (r *Checks) Add(subject view.Entry, answers []explore.Checked, failure func(error) *Failure, now int64) {
	c := EventCheck{ID: subject.ID.String(), Title: subject.Title, TitleCut: subject.Cut}
	if !subject.Actor.IsZero() {
		c.Actor = subject.Actor.String()
	}
	for _, a := range answers {
		lifecycle := a.Facts.Lifecycle.String()
		if had := a.Facts.Lifecycle; subject.Type == capsule.Retract && (had == view.Active || had == view.Partial && a.Record.Seq > 0) {
			lifecycle = ""
		}
		f := factsAt(a, failure, now)
		f.Lifecycle = lifecycle
		c.Services = append(c.Services, f)
	}
	c.Differences = differencesAmong(answers)
	r.Checks = append(r.Checks, c)
}

// factsAt describes one answer.
func factsAt(a explore.Checked, failure func(error) *Failure, now int64) ServiceFacts {
	f := ServiceFacts{Service: a.Service.Name, Answer: answerOf(a), Lifecycle: a.Facts.Lifecycle.String(),
		Facts: FactsOf(a.Facts), Seq: a.Record.Seq, AcceptedAt: a.Record.AcceptedAt,
		Cached: a.Followed, Error: failure(a.Err), seen: a.Seen, now: now}
	if answeredIn(a.Facts.Scope) {
		scope := ScopeOf(a.Facts.Scope)
		f.Scope = &scope
	} else {
		f.Reasons = a.Facts.Scope.Reasons
	}
	return f
}

// answeredIn reports whether a service answered up to a checkpoint of its own; that
// of one without records is 0.
func answeredIn(s view.Scope) bool { return s.Checkpoint > 0 || s.AsOf > 0 }

func answerOf(a explore.Checked) string {
	var unavailable *fault.Unavailable
	switch {
	case a.Err != nil && a.Facts.Lifecycle == view.Unchecked && !a.Missing && a.Record.Seq == 0:
		return answerUnasked
	case a.Missing && a.Err == nil && (a.Facts.Scope.Complete || !answeredIn(a.Facts.Scope)):
		return answerMissing
	case a.Err == nil && a.Facts.Scope.Complete:
		return answerComplete
	case errors.As(a.Err, &unavailable) && a.Record.Seq == 0 && a.Facts.Scope.Checkpoint == 0 && !a.Missing:
		return answerUnreachable
	default:
		return answerPartial
	}
}

// differencesAmong compares complete answers: what one shows and another does not.
// A live answer has a scope of its own moment, so that this accuses nobody.
func differencesAmong(answers []explore.Checked) []Difference {
	var out []Difference
	for _, kind := range []struct {
		what string
		ids  func(view.Facts) []identity.ID
	}{
		{"retraction", func(f view.Facts) []identity.ID { return f.Retractions }},
		{"correction", func(f view.Facts) []identity.ID { return f.Successors }},
		{"assessment", func(f view.Facts) []identity.ID { return f.Assessments }},
	} {
		seen := make(map[identity.ID]bool)
		for _, a := range answers {
			for _, id := range kind.ids(a.Facts) {
				if seen[id] {
					continue
				}
				seen[id] = true
				d := Difference{ID: id.String(), What: kind.what}
				for _, b := range answers {
					switch {
					case slices.Contains(kind.ids(b.Facts), id):
						d.Shown = append(d.Shown, string(b.Service.Origin))
					case answerOf(b) == answerComplete:
						d.Not = append(d.Not, ScopeOf(b.Facts.Scope))
					}
				}
				if len(d.Not) > 0 {
					out = append(out, d)
				}
			}
		}
	}
	return out
}

// Text prints each event with a row a service.
func (r *Checks) Text(p *Printer) {
	for _, c := range r.Checks {
		p.Wrapped(clean.Text{}, append([]Cell{words(Paste(c.ID)), gap, p.title(Entry{Title: c.Title, TitleCut: c.TitleCut})}, named(c.LocalName)...)...)
		for _, s := range c.Services {
			s.text(p)
		}
		for _, d := range c.Differences {
			for _, line := range d.lines() {
				p.Wrapped(p.label("  ", "differs", 11), line...)
			}
		}
	}
}

func (s ServiceFacts) text(p *Printer) {
	lead := p.label("  ", s.Service, 11)
	switch s.Answer {
	case answerMissing:
		p.Wrapped(lead, p.tone(Bad, own("missing")), words(": the service does not have the event, or withholds it; "), plainCell(s.scope()))
	case answerUnasked:
		p.Wrapped(lead, words("unchecked: it was not asked: "), plainCell(clean.Line(s.reason())))
		return
	case answerUnreachable:
		p.Wrapped(lead, p.tone(Bad, own(s.Lifecycle)), words(": unreachable: "), plainCell(clean.Line(s.reason())))
		return
	default:
		p.Wrapped(lead, Cell{Text: own(cmp.Or(s.Lifecycle, finalState)), Tone: lifecycleTone(s.Lifecycle)}, plainCell(s.in()))
		if s.Error != nil {
			p.Wrapped(own("             "), p.tone(Bad, clean.Line(s.reason())))
		}
	}
	for _, id := range s.Facts.Retractions {
		p.Line(own("             retracted by " + Paste(id)))
	}
	for _, id := range s.Facts.Successors {
		p.Line(own("             successor " + Paste(id)))
	}
	if counts := countWords(s.Facts.Verdicts); counts != "" {
		p.Line(own("             assessed: " + counts))
	}
	if counts := countWords(s.Facts.Relations); counts != "" {
		p.Line(own("             linked by: " + counts))
	}
}

// in is the scope of a state, or why there is none.
func (s ServiceFacts) in() clean.Text {
	if s.Scope == nil {
		return clean.Join(own(": "), s.scope())
	}
	return clean.Join(own(" in "), s.scope())
}

func (s ServiceFacts) scope() clean.Text {
	if s.Scope == nil {
		return clean.Line(strings.Join(s.Reasons, "; "))
	}
	if !s.Cached {
		return s.Scope.words()
	}
	return clean.Join(s.Scope.words(), own(", from the cache, "+Age(s.seen, s.now)))
}

func (s ServiceFacts) reason() string {
	if s.Error == nil {
		return ""
	}
	return s.Error.Message
}

// Short says why not every check was completed; nil where all were.
func (r *Checks) Short() error {
	failed, all := 0, 0
	for _, c := range r.Checks {
		for _, s := range c.Services {
			all++
			if s.Answer != answerComplete && s.Answer != answerMissing {
				failed++
			}
		}
	}
	if failed == 0 {
		return nil
	}
	return &fault.Unavailable{Code: fault.Partial, Retry: true,
		Detail: number(failed) + " of " + number(all) + " " + plural(all, "check", "checks") + " did not come to an end"}
}
