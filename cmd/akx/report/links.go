package report

import (
	"akx/view"
	"akx/view/clean"
)

// Links are the reverse links of one event.
type Links struct {
	ID        string      `json:"event_id"`
	Lifecycle string      `json:"lifecycle,omitempty"`
	Scope     Scope       `json:"scope"`
	Groups    []LinkGroup `json:"groups"`

	subject Entry
}

// LinkGroup is what points at the event by one relation or one verdict, or the
// retractions; groups without a link are in the list.
type LinkGroup struct {
	Type      string  `json:"type"`
	Relation  string  `json:"relation,omitempty"`
	Verdict   string  `json:"verdict,omitempty"`
	Active    int     `json:"active_count"`
	Retracted int     `json:"retracted_count"`
	Events    []Entry `json:"events"`
	More      int     `json:"more_count,omitempty"`
}

// LinksOf describes reverse links. rows are those of the first links of each group.
func LinksOf(l view.Links, rows [][]view.Entry) *Links {
	scope := ScopeOf(l.Facts.Scope)
	subject := EntryOf(l.Subject, &scope)
	out := &Links{ID: subject.ID, Lifecycle: subject.Lifecycle, Scope: scope, subject: subject}
	for i, g := range l.Groups {
		shown := EntriesOf(rows[i], &scope)
		out.Groups = append(out.Groups, LinkGroup{Type: g.Type.String(), Relation: g.Relation.String(), Verdict: g.Verdict.String(),
			Active: g.Active, Retracted: g.Retracted, Events: shown, More: len(g.Links) - len(shown)})
	}
	return out
}

// Text prints each group with its counts, then its rows.
func (l *Links) Text(p *Printer) {
	p.Heading(words("reverse links of " + Paste(l.ID)))
	p.Wrapped(clean.Text{}, l.subject.state(), words(" in "), plainCell(l.Scope.words()), gap, p.title(l.subject))
	for _, g := range l.Groups {
		p.Line(own(g.head()))
		if len(g.Events) > 0 {
			p.entries(g.Events, l.Scope)
		}
		more(p, g.More, "of these; --limit 0 lists all", "of these; --limit 0 lists all")
	}
	if l.Scope.set.Seen != 0 {
		p.Line(own("zero means: none at this service up to #" + uints(l.Scope.Checkpoint)))
	}
}

func (g LinkGroup) head() string {
	name := "retractions"
	switch {
	case g.Relation != "":
		name = g.Relation
	case g.Verdict != "":
		name = "assessments " + g.Verdict
	}
	head := name + " " + number(g.Active+g.Retracted)
	if g.Retracted > 0 {
		head += " (" + number(g.Retracted) + " RETRACTED)"
	}
	return head
}

// Review is the assessments of exactly one version.
type Review struct {
	ID        string       `json:"event_id"`
	Lifecycle string       `json:"lifecycle,omitempty"`
	Scope     Scope        `json:"scope"`
	Verdicts  []NamedCount `json:"verdicts"`
	Reports   []Assessment `json:"assessments"`
	More      int          `json:"more_count,omitempty"`

	subject Entry
}

// Assessment is one report about a version.
type Assessment struct {
	Entry
	Summary      string       `json:"summary"`
	ContextScope string       `json:"context_scope"`
	Environment  string       `json:"environment,omitempty"`
	Observed     string       `json:"observed,omitempty"`
	Evidence     int          `json:"evidence_count"`
	Self         bool         `json:"self"`
	Retractions  []Retraction `json:"retractions"`
}

// ReviewOf describes a review.
func ReviewOf(v view.Review) *Review {
	scope := ScopeOf(v.Facts.Scope)
	subject := EntryOf(v.Subject, &scope)
	out := &Review{ID: subject.ID, Lifecycle: subject.Lifecycle, Scope: scope,
		Verdicts: FactsOf(v.Facts).Verdicts, More: v.More, subject: subject}
	for _, r := range v.Reports {
		y := r.Event.Payload()
		a := Assessment{Entry: EntryOf(r.Entry, &scope), Summary: y.Summary, ContextScope: y.Context.Scope,
			Evidence: len(y.Evidence), Self: r.Self, Retractions: retractionsOf(r.Retractions)}
		if y.Reproduction != nil {
			a.Environment, a.Observed = y.Reproduction.Environment, y.Reproduction.Observed
		}
		out.Reports = append(out.Reports, a)
	}
	return out
}

// Text prints each report with its own conditions, then the counts. No score is made.
func (v *Review) Text(p *Printer) {
	p.Heading(words("assessments of exactly " + Paste(v.ID)))
	p.Wrapped(clean.Text{}, v.subject.state(), words(" in "), plainCell(v.Scope.words()), gap, p.title(v.subject))
	for _, r := range v.Reports {
		r.text(p, v.Scope)
	}
	more(p, v.More, "beyond the bound", "beyond the bound")
	counts := countWords(v.Verdicts)
	if counts == "" {
		counts = "none held"
	}
	p.Line(own("by verdict, active: " + counts + ". No score is computed."))
}

func (r Assessment) text(p *Printer, scope Scope) {
	who := r.Actor
	if r.Self {
		who += ", SELF: the signer is the author"
	}
	p.Wrapped(p.label("", r.Verdict, 15), r.state(), words(" in "), plainCell(clean.Line(scope.Origin)), gap, words(Paste(r.ID)))
	p.Wrapped(own("  by "), append([]Cell{words(who + ", " + Moment(r.CreatedAt))}, named(r.LocalName)...)...)
	p.Wrapped(own("  "), p.Signed(r.Summary))
	p.Wrapped(own("  scope "), p.Signed(r.ContextScope))
	if r.Environment != "" {
		p.Wrapped(own("  environment "), p.Signed(r.Environment))
	}
	if r.Observed != "" {
		p.Wrapped(own("  observed "), p.Signed(r.Observed))
	}
	p.Line(own("  evidence " + number(r.Evidence) + ", unchecked"))
	for _, x := range r.Retractions {
		p.Wrapped(p.label("  ", "withdrawn", 10), words(Paste(x.ID)), gap, words(Moment(x.CreatedAt)), gap, p.Signed(x.Reason))
	}
}
