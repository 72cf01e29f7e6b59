package report

import (
	"slices"
	"strings"

	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// Draft is one draft in a list.
type Draft struct {
	ID      uint64 `json:"draft_id"`
	Type    string `json:"type"`
	Kind    string `json:"kind,omitempty"`
	Verdict string `json:"verdict,omitempty"`
	Target  string `json:"target,omitempty"`
	// Relations are those of a capsule, in their order, as typed.
	Relations []desk.Relation `json:"relations,omitempty"`
	Title     string          `json:"title"`
	Actor     string          `json:"actor,omitempty"`
	Created   int64           `json:"created_epoch_ms"`
	Edited    int64           `json:"edited_epoch_ms"`
	Trashed   int64           `json:"trashed_epoch_ms,omitempty"`
	// Blocking counts what keeps it from being signed, its targets not looked at.
	Blocking int `json:"blocking_count"`
	// Private counts places that may not be meant for the public; each is to be answered.
	Private int `json:"finding_count"`
}

// DraftOf describes d.
func DraftOf(d desk.Draft) Draft {
	out := Draft{ID: d.ID, Type: d.Type.String(), Kind: d.Payload.Kind, Verdict: d.Payload.Verdict, Target: d.Payload.Target,
		Relations: d.Payload.Relations, Title: d.Payload.Title, Created: d.Created, Edited: d.Edited, Trashed: d.Trashed}
	if !d.Actor.IsZero() {
		out.Actor = d.Actor.String()
	}
	for _, problem := range d.Check(desk.DefaultLimits) {
		if problem.Severity == desk.Blocks {
			out.Blocking++
		}
	}
	findings, _ := d.Scan(nil)
	out.Private = len(findings)
	return out
}

// role names what the draft is to become; kinds, verdicts and relations are as typed.
func (d Draft) role() Cell {
	b := d.brief()
	if b.Link != "" {
		b.What += " " + b.Link
	}
	return plainCell(clean.Line(b.What))
}

// brief is what the explorer's list shows of the same draft.
func (d Draft) brief() desk.Brief {
	typ, _ := capsule.ParseType(d.Type)
	return desk.Draft{Type: typ, Payload: desk.Payload{Kind: d.Kind, Verdict: d.Verdict, Target: d.Target, Title: d.Title, Relations: d.Relations}}.Brief()
}

// aboutColumns is how much of a target a list shows: enough for commands that read.
const aboutColumns = 12

// about is the start of the draft's target, and how many more it has.
func (d Draft) about() Cell {
	b := d.brief()
	text := b.Target[:min(len(b.Target), aboutColumns)]
	if b.More > 0 {
		text += " +" + number(b.More)
	}
	return plainCell(clean.Line(text))
}

func (d Draft) title(p *Printer) Cell {
	if d.Title == "" {
		return quiet(d.brief().None)
	}
	return p.Signed(d.Title)
}

func (d Draft) state() Cell {
	if d.Blocking > 0 {
		return Cell{Text: own(number(d.Blocking) + " " + plural(d.Blocking, "error", "errors")), Tone: Bad}
	}
	if d.Private > 0 {
		return words("ready, " + number(d.Private) + " to answer")
	}
	return Cell{Text: own("ready"), Tone: Good}
}

// Drafts lists drafts, last edited first.
type Drafts struct {
	Drafts []Draft `json:"drafts"`
	// Trash says that these are the discarded ones.
	Trash bool `json:"trash"`
	// Damaged says what is damaged and therefore not in the list, drafts of either kind.
	Damaged []string `json:"damaged,omitempty"`

	Now int64 `json:"-"`
}

// Text prints a row a draft.
func (r *Drafts) Text(p *Printer) {
	defer unread(p, r.Damaged)
	switch {
	case len(r.Drafts) == 0 && r.Trash:
		p.Line(own("the trash is empty"))
		return
	case len(r.Drafts) == 0:
		p.Line(own("no drafts: akx draft new KIND begins one"))
		return
	}
	var table [][]Cell
	for _, d := range r.Drafts {
		table = append(table, []Cell{words(uints(d.ID)), d.role(), d.about(), d.state(), day(d.Edited, r.Now), d.title(p)})
	}
	p.Table([]Cell{quiet("draft"), quiet("what"), quiet("about"), quiet("state"), quiet("edited"), quiet("title, as typed")}, table)
}

// DamagedOf names what is damaged, by an error that joins all of it.
func DamagedOf(err error) []string {
	var out []string
	for _, d := range fault.AllDamaged(err) {
		out = append(out, d.Detail)
	}
	return out
}

// unread counts what is damaged and names it.
func unread(p *Printer, list []string) {
	for _, detail := range list {
		p.Wrapped(clean.Text{}, p.tone(Bad, own("not shown: ")), plainCell(clean.Line(detail)))
	}
	if n := len(list); n > 0 {
		p.Line(own(number(n) + " " + plural(n, "entry is", "entries are") + " damaged: akx doctor looks at all of the home"))
	}
}

// DraftTarget is what the cache knows of an event that a draft points at.
type DraftTarget struct {
	ID         string   `json:"event_id"`
	Relation   string   `json:"relation,omitempty"`
	Held       bool     `json:"held"`
	Lifecycle  string   `json:"lifecycle,omitempty"`
	Title      string   `json:"title,omitempty"`
	TitleCut   bool     `json:"title_cut,omitempty"`
	Successors []string `json:"successors,omitempty"`
	// Withdrawn are those of Successors that are retracted, as far as is known here.
	Withdrawn []string `json:"retracted_successors,omitempty"`
	Scope     Scope    `json:"scope"`
	// Stale says that it was corrected or retracted, as far as is known here.
	Stale bool `json:"superseded_or_retracted"`
	// Self says that an assessment of it is one of an own capsule.
	Self bool `json:"self_assessment,omitempty"`
}

// DraftTargetsOf describes targets in their order.
func DraftTargetsOf(list []explore.TargetFacts) []DraftTarget {
	var out []DraftTarget
	for _, t := range list {
		x := DraftTarget{ID: t.ID.String(), Relation: t.Relation.String(), Held: t.Held, Scope: ScopeOf(t.Scope),
			Successors: idStrings(t.Successors), Withdrawn: idStrings(t.Withdrawn), Stale: t.Retracted() || len(t.Successors) > 0}
		if t.Held {
			x.Title, x.TitleCut = t.Entry.Title, t.Entry.Cut
			x.Lifecycle = EntryOf(t.Entry, nil).Lifecycle
		}
		out = append(out, x)
	}
	return out
}

// text prints a target in full, and what speaks against pointing at it; draft is the
// number of the draft that may be pointed elsewhere, 0 for none.
func (t DraftTarget) text(p *Printer, draft uint64) {
	label := clean.Words("target")
	if t.Relation != "" {
		label = clean.Words(t.Relation) // of the protocol's own names
	}
	if !t.Held {
		p.Field(label, words(Paste(t.ID)), gap, p.tone(Bad, own("not held here")))
		return
	}
	p.Field(label, words(Paste(t.ID)), gap, p.title(Entry{Title: t.Title, TitleCut: t.TitleCut}))
	if t.Self {
		p.Field("", words("a capsule of your own: assessing it is allowed, and readers are told so"))
	}
	if t.Lifecycle != "" && t.Stale {
		p.Field("", Cell{Text: own(t.Lifecycle), Tone: lifecycleTone(t.Lifecycle)}, words(" in "), plainCell(t.Scope.words()))
	}
	for _, id := range t.Successors {
		cells := []Cell{words("superseded by " + Paste(id))}
		if slices.Contains(t.Withdrawn, id) {
			cells = append(cells, words(", "), p.tone(Bad, own(view.Retracted.String())), words(" itself"))
		}
		p.Field("", cells...)
	}
	if draft != 0 && t.Stale {
		p.Field("", words("the draft stays with this exact version, unless you say otherwise: "+t.RetargetCommand(draft)))
	}
}

// RetargetCommand is the command that points a draft at a correction of the target.
func (t DraftTarget) RetargetCommand(draft uint64) string {
	to := "NEW"
	for _, id := range t.Successors {
		if !slices.Contains(t.Withdrawn, id) {
			to = Paste(id)
			break
		}
	}
	return "akx draft retarget " + uints(draft) + " " + Paste(t.ID) + " " + to
}

// DraftChanged is one change of a draft.
type DraftChanged struct {
	Done string `json:"done"` // created, saved, unchanged, trashed, restored or deleted
	Draft
	Targets []DraftTarget `json:"targets,omitempty"`
	// Digest is that of a file, as it was put into the draft.
	Digest string `json:"digest,omitempty"`
	// Former is the copy, in the trash, of what an edit has replaced; 0 where it lost nothing.
	Former uint64 `json:"former_draft_id,omitempty"`
	// Dropped is the file with words of an earlier edit that was removed.
	Dropped string `json:"dropped_file,omitempty"`
}

// Text says what was done, what the draft points at, and what comes next.
func (r *DraftChanged) Text(p *Printer) {
	id := uints(r.ID)
	p.Wrapped(clean.Text{}, words("draft "+id+" "+r.Done+": "), r.role(), gap, r.title(p))
	if r.Digest != "" {
		p.Field("digest", words(r.Digest))
	}
	if r.Dropped != "" {
		p.Field("dropped", plainCell(clean.Line(r.Dropped)))
	}
	if r.Former != 0 {
		former := uints(r.Former)
		p.Line(own("it lacks text that was there before: that is draft " + former + " in the trash; akx draft restore " + former + " takes it out"))
	}
	for _, t := range r.Targets {
		t.text(p, r.ID)
	}
	switch r.Done {
	case "trashed":
		p.Line(own("akx draft restore " + id + " takes it back"))
	case "created", "saved", "restored":
		if r.Blocking > 0 {
			p.Line(own(number(r.Blocking) + " " + plural(r.Blocking, "thing keeps", "things keep") + " it from being signed: akx draft check " + id + " lists them, akx draft edit " + id + " changes it"))
			return
		}
		p.Line(own("akx draft check " + id + " checks its targets too, akx sign " + id + " shows what signing means"))
	}
}

// DraftShown is one draft in full.
type DraftShown struct {
	Draft
	Content identity.Value `json:"draft"` // type, actor and payload

	YAML string `json:"-"`
}

// Text prints the draft as an editor shows it.
func (r *DraftShown) Text(p *Printer) {
	for _, line := range clean.Block(strings.TrimSuffix(r.YAML, "\n")) {
		if line.Empty() {
			p.Blank()
			continue
		}
		p.exact(plainCell(line))
	}
}

// Complaint is one thing that is wrong with the text of a draft.
type Complaint struct {
	Line    int    `json:"line,omitempty"`
	Path    string `json:"path,omitempty"`
	Message string `json:"message"`
}

// Complaints are all that is wrong with a text; nothing of it was taken.
type Complaints struct {
	File       string      `json:"file"`
	Complaints []Complaint `json:"complaints"`
}

// ComplaintsOf describes what is wrong with the text of a file.
func ComplaintsOf(file string, list []desk.Complaint) *Complaints {
	out := &Complaints{File: file}
	for _, c := range list {
		out.Complaints = append(out.Complaints, Complaint{c.Line, c.Path, c.Words})
	}
	return out
}

// Text prints a line a complaint.
func (r *Complaints) Text(p *Printer) {
	for _, c := range r.Complaints {
		text := clean.Line(desk.Complaint{Line: c.Line, Path: c.Path, Words: c.Message}.String())
		p.Wrapped(clean.Join(clean.Line(r.File), own(": ")), plainCell(text))
	}
}

// DraftsChanged is what was done to several drafts.
type DraftsChanged struct {
	Drafts []DraftChanged `json:"drafts"`
}

// Text prints one after the other.
func (r *DraftsChanged) Text(p *Printer) {
	for _, d := range r.Drafts {
		d.Text(p)
	}
}
