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

	// followed are the names of services that can answer from the cache.
	followed map[string]bool
	// streams says that Text prints what it did not print before.
	streams bool
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

	headed, compared bool // what is printed
}

// ServiceFacts is what one service says. Answer is complete, missing, partial,
// unreachable or unasked. A retraction that the service has is without a lifecycle,
// as it has none of its own (7.1).
type ServiceFacts struct {
	Service   string `json:"service"`
	Answer    string `json:"answer"`
	Lifecycle string `json:"lifecycle,omitempty"`
	// Scope is absent where the service answered nothing that has one: Reasons says why.
	Scope   *Scope   `json:"scope,omitempty"`
	Reasons []string `json:"reasons,omitempty"`
	// Facts are absent where the service was not asked for what points at the event, or
	// did not answer.
	Facts      *Facts `json:"facts,omitempty"`
	Seq        uint64 `json:"seq,omitempty"`
	AcceptedAt int64  `json:"accepted_at_epoch_ms,omitempty"`
	Cached     bool   `json:"cached"`
	// Earlier is what the service gave up to the checkpoint that it was followed to, and
	// does not show now.
	Earlier []Earlier `json:"earlier,omitempty"`
	Error   *Failure  `json:"error,omitempty"`

	seen, now int64 // ms: what an age is told from, and to
	told      bool  // it is printed
}

// The answers of a service to a check.
const (
	answerComplete    = "complete"
	answerMissing     = "missing"
	answerPartial     = "partial"
	answerUnreachable = "unreachable"
	answerUnasked     = "unasked"
)

// Follows takes the names of the services that are followed.
func (r *Checks) Follows(names []string) {
	r.followed = make(map[string]bool)
	for _, name := range names {
		r.followed[name] = true
	}
}

// Begin starts an event, of which nothing but its ID need be known; what is known
// later is given to Subject.
func (r *Checks) Begin(id identity.ID) { r.Checks = append(r.Checks, EventCheck{ID: id.String()}) }

// Subject takes what is known of the event that was begun last.
func (r *Checks) Subject(subject view.Entry) {
	c := &r.Checks[len(r.Checks)-1]
	c.Title, c.TitleCut = subject.Title, subject.Cut
	if !subject.Actor.IsZero() {
		c.Actor = subject.Actor.String()
	}
}

// Answer takes one answer about the event that was begun last, of a type, which is zero
// where it is not known; failure describes an error.
func (r *Checks) Answer(of capsule.Type, a explore.Checked, failure func(error) *Failure, now int64) {
	f := factsAt(a, failure, now)
	if had := a.Facts.Lifecycle; of == capsule.Retract && (had == view.Active || had == view.Partial && a.Record.Seq > 0) {
		f.Lifecycle = ""
	}
	c := &r.Checks[len(r.Checks)-1]
	c.Services = append(c.Services, f)
}

// End takes all the answers about the event that was begun last: it puts them in their
// order and compares them.
func (r *Checks) End(answers []explore.Checked) {
	c := &r.Checks[len(r.Checks)-1]
	names := make(map[string]string)
	at := make(map[string]int)
	for i, a := range answers {
		names[string(a.Service.Origin)], at[a.Service.Name] = a.Service.Name, i
	}
	slices.SortStableFunc(c.Services, func(a, b ServiceFacts) int { return cmp.Compare(at[a.Service], at[b.Service]) })
	told, _ := explore.Differences(answers)
	c.Differences = differencesOf(told)
	for i := range c.Differences {
		c.Differences[i].names = names
	}
}

// factsAt describes one answer.
func factsAt(a explore.Checked, failure func(error) *Failure, now int64) ServiceFacts {
	f := ServiceFacts{Service: a.Service.Name, Answer: answerOf(a), Lifecycle: a.Facts.Lifecycle.String(),
		Seq: a.Record.Seq, AcceptedAt: a.Record.AcceptedAt,
		Cached: a.Followed, Earlier: earlierOf(a), Error: failure(a.Err), seen: a.Seen, now: now}
	if answeredIn(a.Facts.Scope) {
		scope := ScopeOf(a.Facts.Scope)
		facts := FactsOf(a.Facts)
		f.Scope, f.Facts = &scope, &facts
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

// Stream makes Text print only what it did not print before, so that each answer can be
// told as it comes.
func (r *Checks) Stream() { r.streams = true }

// Text prints each event with a row a service, and where they differ.
func (r *Checks) Text(p *Printer) {
	for i := range r.Checks {
		c := &r.Checks[i]
		if !c.headed {
			head := []Cell{words(Paste(c.ID))}
			if c.Title != "" {
				head = append(head, gap, p.title(Entry{Title: c.Title, TitleCut: c.TitleCut}))
			}
			p.Wrapped(clean.Text{}, append(head, named(c.LocalName)...)...)
		}
		c.headed = r.streams
		for k := range c.Services {
			if s := &c.Services[k]; !s.told {
				s.text(p)
				s.told = r.streams
			}
		}
		if c.compared {
			continue
		}
		for _, d := range c.Differences {
			for _, line := range d.lines() {
				p.Wrapped(p.label("  ", "differs", 11), line...)
			}
			c.compared = r.streams
		}
	}
}

func (s ServiceFacts) text(p *Printer) {
	lead := p.label("  ", s.Service, 11)
	defer s.earlier(p)
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
	if s.Facts == nil {
		return
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
	told := s.Scope.after(s.Lifecycle)
	if !s.Cached {
		return told
	}
	return clean.Join(told, own(", from the cache, "+AgeOf(s.Scope.AsOf, s.seen, s.now)), s.Scope.stale(s.now))
}

func (s ServiceFacts) reason() string {
	if s.Error == nil {
		return ""
	}
	if s.Error.Hint == "" {
		return s.Error.Message
	}
	return s.Error.Message + "; " + s.Error.Hint
}

// Short says why not every check was completed; nil where all were.
func (r *Checks) Short() error {
	failed, all := 0, 0
	var cached []string
	for _, c := range r.Checks {
		for _, s := range c.Services {
			all++
			if s.Answer == answerComplete || s.Answer == answerMissing {
				continue
			}
			failed++
			if r.followed[s.Service] && !s.Cached && s.Error != nil && !slices.Contains(cached, s.Service) {
				cached = append(cached, s.Service)
			}
		}
	}
	if failed == 0 {
		return nil
	}
	short := &fault.Unavailable{Code: fault.Partial, Retry: true,
		Detail: number(failed) + " of " + number(all) + " " + plural(all, "check", "checks") + " did not come to an end"}
	if len(cached) > 0 {
		short.Hint = "akx check --cached answers for " + strings.Join(cached, ", ") + " from what was followed"
	}
	return short
}
