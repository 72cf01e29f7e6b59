package report

import (
	"cmp"
	"slices"
	"strconv"

	"akx/view"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/fault"
	"akx/view/identity"
)

// Scope is the set for which lifecycle states hold (Agent Knowledge 7.2).
type Scope struct {
	Origin     string   `json:"origin"`
	Checkpoint uint64   `json:"checkpoint"`
	AsOf       int64    `json:"as_of_epoch_ms"`
	Complete   bool     `json:"complete"`
	Reasons    []string `json:"reasons"`
	// Stale says of a followed service's set that it is old, or that the last sync of it
	// failed.
	Stale bool `json:"stale,omitempty"`

	set view.Scope // what it describes
	now int64      // what the age of a followed service's set is told at, in ms; 0 tells none
}

// ScopeOf describes s.
func ScopeOf(s view.Scope) Scope {
	return Scope{Origin: s.Origin, Checkpoint: s.Checkpoint, AsOf: s.AsOf, Complete: s.Complete, Reasons: s.Reasons, set: s}
}

// Aged is the scope with its age at a time, in ms, where it is that of a followed
// service's set.
func (s Scope) Aged(now int64) Scope {
	s.now, s.Stale = now, s.set.Stale(now)
	return s
}

// clock is the time, in ms, that the ages beside the scope are told at: that of the
// library is its own time, and a followed service's set is as old as it is.
func (s Scope) clock() int64 { return cmp.Or(s.now, s.AsOf) }

// words says the scope in one clause: this cache #12, 2026-03-14 09:41Z, complete.
func (s Scope) words() clean.Text {
	parts := []clean.Text{clean.Line(s.Origin), own(" #" + uints(s.Checkpoint) + ", " + Moment(s.AsOf))}
	if s.Complete {
		parts = append(parts, own(", complete"))
	} else {
		parts = append(parts, own(", PARTIAL"))
		for _, r := range s.Reasons {
			parts = append(parts, own("; "), clean.Line(r))
		}
	}
	if s.set.Seen != 0 && s.now != 0 {
		parts = append(parts, own(", "+Age(s.set.Seen, s.now)), s.stale(s.now))
	}
	return clean.Join(parts...)
}

// stale says that the set is STALE at a time, and whether a failure is why.
func (s Scope) stale(now int64) clean.Text {
	switch {
	case !s.set.Stale(now):
		return clean.Text{}
	case s.set.Failed:
		return own(", STALE: the last sync failed")
	}
	return own(", STALE")
}

// after says the scope behind a state, which says PARTIAL by itself where that is it.
func (s Scope) after(state string) clean.Text {
	if s.Complete || state != view.Partial.String() {
		return s.words()
	}
	parts := []clean.Text{clean.Line(s.Origin), own(" #" + uints(s.Checkpoint) + ", " + Moment(s.AsOf))}
	for i, r := range s.Reasons {
		sep := "; "
		if i == 0 {
			sep = ": "
		}
		parts = append(parts, own(sep), clean.Line(r))
	}
	return clean.Join(parts...)
}

// Entry is one event in a list.
type Entry struct {
	ID        string   `json:"event_id"`
	Type      string   `json:"type"`
	Kind      string   `json:"kind,omitempty"`
	Verdict   string   `json:"verdict,omitempty"`
	Target    string   `json:"target,omitempty"`
	Actor     string   `json:"actor"`
	LocalName string   `json:"local_name,omitempty"` // the user's own of the actor
	CreatedAt int64    `json:"created_at_epoch_ms"`
	Nonce     int64    `json:"nonce"`
	Title     string   `json:"title"`
	TitleCut  bool     `json:"title_cut,omitempty"` // title is only the start of the signed one
	Language  string   `json:"language,omitempty"`
	Tags      []string `json:"tags,omitempty"`
	// Lifecycle, with its scope, is absent for a retraction, which has none of its own (7.1).
	Lifecycle  string `json:"lifecycle,omitempty"`
	Scope      *Scope `json:"scope,omitempty"`
	Successors int    `json:"successor_count,omitempty"`
	Damaged    bool   `json:"damaged,omitempty"`
}

// EntryOf describes a row of a store, whose lifecycle holds for scope.
func EntryOf(e view.Entry, scope *Scope) Entry {
	out := Entry{
		ID: e.ID.String(), Type: e.Type.String(), Kind: e.Kind.String(), Verdict: e.Verdict.String(),
		Actor: e.Actor.String(), CreatedAt: e.CreatedAt, Nonce: e.Nonce, Title: e.Title, TitleCut: e.Cut,
		Language: e.Language, Tags: e.Tags, Lifecycle: e.Lifecycle.String(), Successors: e.Successors,
		Scope: scope, Damaged: e.Damaged,
	}
	if e.Type == capsule.Retract {
		out.Lifecycle, out.Scope = "", nil
	}
	if !e.Target.IsZero() {
		out.Target = e.Target.String()
	}
	return out
}

// EntriesOf describes rows in their order.
func EntriesOf(rows []view.Entry, scope *Scope) []Entry {
	out := make([]Entry, 0, len(rows))
	for _, r := range rows {
		out = append(out, EntryOf(r, scope))
	}
	return out
}

// role names what the event is in one or two words.
func (e Entry) role() string {
	switch {
	case e.Kind != "":
		return e.Kind
	case e.Verdict != "":
		return "assessment: " + e.Verdict
	default:
		return "retraction"
	}
}

// finalState is said of a retraction, which has no lifecycle of its own (7.1).
const finalState = "final"

// state says the lifecycle for a column whose head is the scope.
func (e Entry) state() Cell {
	if e.Damaged {
		return Cell{Text: own("DAMAGED"), Tone: Bad}
	}
	state := e.Lifecycle
	if e.Type == capsule.Retract.String() {
		state = finalState
	}
	c := Cell{Text: own(state), Tone: lifecycleTone(e.Lifecycle)}
	if n := e.Successors; n > 0 {
		c.Text = own(state + ", " + number(n) + " succ")
		c.Spoken = own(state + ", " + number(n) + " " + plural(n, "successor", "successors"))
	}
	return c
}

func lifecycleTone(state string) Tone {
	if state == view.Retracted.String() || state == view.Partial.String() {
		return Bad
	}
	return Ordinary
}

// shortID is how many characters of an ID a list shows on a terminal.
const shortID = 12

// id gives an ID for a list: in full where nothing bounds the row.
func (p *Printer) id(id string) Cell {
	if p.style.Width > 0 && !p.style.Plain && len(id) > shortID {
		id = id[:shortID]
	}
	return words(Paste(id))
}

// day gives a time for a list: short, spoken in full.
func day(ms, now int64) Cell { return Cell{Text: own(Day(ms, now)), Spoken: own(Moment(ms))} }

// entries prints rows under a head that names the scope of their lifecycle.
func (p *Printer) entries(rows []Entry, scope Scope) {
	heads := []Cell{quiet("ID"), quiet("what"), {Text: clean.Join(own("in "), clean.Line(scope.Origin)), Tone: Quiet}, quiet("date"), quiet("title, as signed")}
	named := slices.ContainsFunc(rows, func(e Entry) bool { return e.LocalName != "" })
	if named {
		heads = slices.Insert(heads, 4, quiet("your name"))
	}
	var table [][]Cell
	for _, e := range rows {
		row := []Cell{p.id(e.ID), words(e.role()), e.state(), day(e.CreatedAt, scope.AsOf), p.title(e)}
		if named {
			row = slices.Insert(row, 4, plainCell(clean.Line(e.LocalName)))
		}
		table = append(table, row)
	}
	p.Table(heads, table)
}

// title gives the title as signed; an ellipsis says that it goes on.
func (p *Printer) title(e Entry) Cell {
	cell := p.Signed(e.Title)
	if e.TitleCut {
		cell.Text = clean.Join(cell.Text, own(p.ellipsis()))
	}
	return cell
}

func quiet(s string) Cell { return Cell{Text: own(s), Tone: Quiet} }

// Refusal is why an object was refused.
type Refusal struct {
	Step   string `json:"step"`
	Code   string `json:"code"`
	Path   string `json:"path,omitempty"`
	Detail string `json:"detail,omitempty"`
}

// RefusalOf describes r; nil for nil.
func RefusalOf(r *fault.Refusal) *Refusal {
	if r == nil {
		return nil
	}
	return &Refusal{Step: r.Step.String(), Code: string(r.Code), Path: r.Path, Detail: r.Detail}
}

func (r Refusal) words() clean.Text {
	parts := []clean.Text{own(r.Code + " (" + r.Step + ")")}
	if r.Path != "" {
		parts = append(parts, own(" at "), clean.Line(r.Path))
	}
	if r.Detail != "" {
		parts = append(parts, own(": "), clean.Line(r.Detail))
	}
	return clean.Join(parts...)
}

func idStrings(ids []identity.ID) []string {
	out := make([]string, 0, len(ids))
	for _, id := range ids {
		out = append(out, id.String())
	}
	return out
}

func uints(n uint64) string { return strconv.FormatUint(n, 10) }
