package report

import (
	"akx/view"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/identity"
	"akx/view/wire"
)

// Page is one event with what its scope says of it.
type Page struct {
	Entry
	Payload     identity.Value `json:"payload"`
	Facts       Facts          `json:"facts"`
	Out         []OutLink      `json:"outgoing"`
	Withdrawn   []string       `json:"withdrawn_dependencies"`
	Retractions []Retraction   `json:"retractions"`
	// Beyond are retractions that are held, but not in the set that the page is of.
	Beyond []Retraction `json:"retractions_beyond_set,omitempty"`
	Claims []Claim      `json:"claims"`
	// Sent is how the event stands in the user's own outbox; absent where it is not in it.
	Sent *PageSent `json:"outbox,omitempty"`
	// Shown is what each followed service shows of the event, and Differences are
	// those between them.
	Shown           []ServiceState `json:"services"`
	Differences     []Difference   `json:"differences"`
	MoreDifferences int            `json:"more_difference_count,omitempty"`
	// Envelope is the exact text, where it was asked for.
	Envelope string `json:"envelope_text,omitempty"`
	// TestSeed names the public test seed behind the actor's key.
	TestSeed string `json:"public_test_seed,omitempty"`

	event capsule.Event
	names map[string]string // the user's names of services, by origin
}

// Facts are the lifecycle facts of one event within its page's scope (7.2).
type Facts struct {
	Retractions []string `json:"retractions"`
	Successors  []string `json:"successors"`
	Assessments []string `json:"assessments"`
	// ActiveAssessments is absent where it is not known which of them are.
	ActiveAssessments *[]string    `json:"active_assessments,omitempty"`
	Verdicts          []NamedCount `json:"verdicts"`
	Relations         []NamedCount `json:"incoming_relations"`
}

// NamedCount counts links of one verdict or relation; those whose source is
// retracted, or not known to be active in the scope, are apart, and Self counts
// active ones by the subject's own actor. Where the sources of none were checked, only
// how many there are is known.
type NamedCount struct {
	Name string `json:"name"`
	*Standing
	Unchecked int `json:"unchecked_count,omitempty"`
}

// Standing counts links by what their sources are in the scope.
type Standing struct {
	Active    int `json:"active_count"`
	Retracted int `json:"retracted_count"`
	Self      int `json:"self_count"`
}

// OutLink is one signed link and what the scope knows of its target.
type OutLink struct {
	Relation string `json:"relation,omitempty"`
	ID       string `json:"event_id"`
	Held     bool   `json:"held"`
	Target   *Entry `json:"target,omitempty"`
}

// Retraction is one event that withdraws another.
type Retraction struct {
	ID        string `json:"event_id"`
	CreatedAt int64  `json:"created_at_epoch_ms"`
	Reason    string `json:"reason"`
}

// Claim is what one source said about an event, unsigned.
type Claim struct {
	Source     string `json:"source"`
	Seq        uint64 `json:"seq,omitempty"`
	AcceptedAt int64  `json:"accepted_at_epoch_ms,omitempty"`
}

// FactsOf describes lifecycle facts.
func FactsOf(f view.Facts) Facts {
	out := Facts{Retractions: idStrings(f.Retractions), Successors: idStrings(f.Successors), Assessments: idStrings(f.Assessments)}
	known := true
	for _, v := range f.Verdicts {
		count := countOf(v.Verdict.String(), Standing{v.Active, v.Retracted, v.Self}, v.Unchecked)
		known = known && count.Standing != nil
		out.Verdicts = append(out.Verdicts, count)
	}
	for _, r := range f.Relations {
		out.Relations = append(out.Relations, countOf(r.Relation.String(), Standing{r.Active, r.Retracted, r.Self}, r.Unchecked))
	}
	if known {
		active := idStrings(f.ActiveAssessments)
		out.ActiveAssessments = &active
	}
	return out
}

// countOf leaves out what is not known: the standing of links of which none was checked.
func countOf(name string, s Standing, unchecked int) NamedCount {
	if unchecked > 0 && s == (Standing{}) {
		return NamedCount{Name: name, Unchecked: unchecked}
	}
	return NamedCount{name, &s, unchecked}
}

// PageOf describes the page of one event.
func PageOf(v view.Page) *Page {
	scope := ScopeOf(v.Facts.Scope)
	out := &Page{Entry: EntryOf(v.Entry, &scope), Payload: v.Event.Envelope().Payload(),
		Facts: FactsOf(v.Facts), Withdrawn: idStrings(v.Withdrawn), event: v.Event,
		Shown: statesOf(v.Shown, v.Event.Type()), Differences: differencesOf(v.Shown.Differences), MoreDifferences: v.Shown.More}
	out.Title, out.TitleCut, out.Scope = v.Event.Title(), false, &scope
	if v.Event.Type() != capsule.Retract {
		out.Lifecycle = v.Facts.Lifecycle.String()
	}
	out.TestSeed, _ = identity.TestSeedName(v.Event.Actor())
	for _, o := range v.Out {
		link := OutLink{Relation: o.Link.Relation.String(), ID: o.Link.Target.String(), Held: o.Held}
		if o.Held {
			target := EntryOf(o.Entry, &scope)
			link.Target = &target
		}
		out.Out = append(out.Out, link)
	}
	out.Retractions, out.Beyond = retractionsOf(v.Retractions), retractionsOf(v.Beyond)
	for _, c := range v.Claims {
		out.Claims = append(out.Claims, Claim{Source: sourceLabel(c.Source), Seq: c.Seq, AcceptedAt: c.AcceptedAt})
	}
	return out
}

func retractionsOf(list []*capsule.Retraction) []Retraction {
	var out []Retraction
	for _, r := range list {
		out = append(out, Retraction{ID: r.ID().String(), CreatedAt: r.CreatedAt(), Reason: r.Payload().Reason})
	}
	return out
}

// Text prints what was checked, then what the author signed, then the links.
func (g *Page) Text(p *Printer) {
	p.Heading(words(g.role()), gap, words(Paste(g.ID)))
	g.checks(p)
	p.Blank()
	author(p, g.event)
	if len(g.Out) > 0 {
		p.Blank()
		for i, o := range g.Out {
			o.text(p, i+1, g.Scope.Origin)
		}
	}
}

func (g *Page) checks(p *Printer) {
	p.Field("proof", words("hash recomputed ok, signature ok: the key and the bytes, not that the claim is true"))
	state := g.Entry.state()
	p.Field("lifecycle", state, words(" in "), plainCell(g.Scope.after(state.Text.String())))
	for _, r := range g.Retractions {
		p.Field("retracted by", words(Paste(r.ID)), gap, words(Moment(r.CreatedAt)), gap, p.Signed(r.Reason))
	}
	for _, r := range g.Beyond {
		p.Field("beyond it", p.tone(Bad, own("RETRACTED ")), words(Paste(r.ID)), gap, words(Moment(r.CreatedAt)+", held here, not in this set"), gap, p.Signed(r.Reason))
	}
	for _, id := range g.Facts.Successors {
		p.Field("successor", words(Paste(id)))
	}
	g.services(p)
	for _, id := range g.Withdrawn {
		p.Field("relies on", p.tone(Bad, own("RETRACTED ")), words(Paste(id)))
	}
	if counts := countWords(g.Facts.Verdicts); counts != "" {
		p.Field("assessed", words(counts))
	}
	if counts := countWords(g.Facts.Relations); counts != "" {
		p.Field("linked by", words(counts))
	}
	p.Field("actor", words(g.Actor))
	if g.LocalName != "" {
		p.Field("your name", plainCell(clean.Line(g.LocalName)), words(" (kept here, signed by nobody)"))
	}
	if g.TestSeed != "" {
		p.Field("key", p.tone(Bad, own("PUBLIC, anybody can sign with it: ")), plainCell(clean.Line(g.TestSeed)))
	}
	p.Field("created", words(Moment(g.CreatedAt)+" (the signer's claim), nonce "+ints(g.Nonce)))
	for _, c := range g.Claims {
		p.Field("source", c.cells()...)
	}
	if g.Sent != nil {
		g.Sent.text(p, g.ID)
	}
}

// PageSent is where an event of the outbox goes, and how it stands there.
type PageSent struct {
	SignedAt   int64      `json:"signed_at_epoch_ms"`
	Deliveries []Delivery `json:"deliveries"`
}

// PageSentOf describes an entry on the page of its event.
func PageSentOf(e desk.Entry, names map[string]string) *PageSent {
	return &PageSent{SignedAt: e.SignedAt, Deliveries: SentOf(e, names).Deliveries}
}

// text prints a row a service: who accepted the event, and where it still is to go.
func (s *PageSent) text(p *Printer, id string) {
	if len(s.Deliveries) == 0 {
		p.Field("sent to", words("no service yet: akx submit "+Paste(id)+" --to NAME sends it"))
	}
	for _, d := range s.Deliveries {
		if d.State == desk.Accepted.String() {
			p.Field("accepted by", plainCell(d.label()), Cell{Text: own(" as #" + uints(d.Seq) + ", " + Moment(d.AcceptedAt)), Tone: Good})
			continue
		}
		p.Field("sent to", append([]Cell{plainCell(d.label()), words(": ")}, d.stands(p)...)...)
	}
}

// sourceLabel names a source; a file's name never stands alone, so that it cannot
// pass for a service.
func sourceLabel(s wire.Source) string {
	switch s.Kind {
	case wire.FromFile:
		return "file " + s.Name
	case wire.FromService:
		return s.Name
	case wire.FromSample:
		return view.SampleSet
	default:
		return "own"
	}
}

func (c Claim) cells() []Cell {
	cells := []Cell{plainCell(clean.Line(c.Source))}
	if c.Seq > 0 {
		cells = append(cells, words(" seq "+uints(c.Seq)))
	}
	if c.AcceptedAt > 0 {
		cells = append(cells, words(", accepted "+Moment(c.AcceptedAt)))
	}
	return cells
}

func (o OutLink) text(p *Printer, n int, origin string) {
	name := o.Relation
	if name == "" {
		name = "target"
	}
	lead := p.label("["+number(n)+"] ", name, 13)
	if !o.Held {
		p.Wrapped(lead, words(Paste(o.ID)), gap, words("not held"))
		return
	}
	cells := []Cell{words(Paste(o.ID)), gap, words(o.Target.role()), gap, o.Target.state(), words(" in "), plainCell(clean.Line(origin)), gap, p.title(*o.Target)}
	p.Wrapped(lead, append(cells, named(o.Target.LocalName)...)...)
}

// countWords says counts in a row, those of zero left out: supports 2 (1 RETRACTED, 1 self).
func countWords(list []NamedCount) string {
	out := ""
	for _, c := range list {
		s := c.Standing
		if s == nil {
			s = &Standing{}
		}
		if s.Active+s.Retracted+c.Unchecked == 0 {
			continue
		}
		if out != "" {
			out += ", "
		}
		if c.Unchecked > 0 {
			out += c.Name + " " + number(c.Unchecked) + ", unchecked"
			continue
		}
		out += c.Name + " " + number(s.Active)
		switch {
		case s.Retracted > 0 && s.Self > 0:
			out += " (" + number(s.Self) + " self) and " + number(s.Retracted) + " RETRACTED"
		case s.Retracted > 0:
			out += " and " + number(s.Retracted) + " RETRACTED"
		case s.Self > 0:
			out += " (" + number(s.Self) + " self)"
		}
	}
	return out
}
