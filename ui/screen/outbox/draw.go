package outbox

import (
	"strconv"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view/clean"
	"akx/view/desk"
)

// Draw draws the list, and below it what is known of the row under the cursor.
func (s *Screen) Draw(f *draw.Frame, area draw.Rect) {
	h := min(s.listHeight(), area.H)
	inner := f.Pane(draw.Rect{X: area.X, Y: area.Y, W: area.W, H: h}, s.title(), nil, true)
	rows := s.rows()
	if len(rows) == 0 {
		f.Paragraph(inner, 0, s.empty())
	}
	for i := 0; i < inner.H && s.cursor.Scroll+i < len(rows); i++ {
		at := s.cursor.Scroll + i
		f.Put(inner, 1, i, s.line(rows, at).Cut(inner.W-2, f.Glyphs.Ellipsis))
		if at == s.cursor.Row {
			f.Fill(inner, i, draw.Reversed)
		}
	}
	s.drawDetail(f, draw.Rect{X: area.X, Y: area.Y + h, W: area.W, H: area.H - h})
}

func (s *Screen) title() draw.Line {
	if s.trash {
		return append(draw.Line{draw.Own(draw.Strong, "Trash "), draw.Say(draw.Strong, draw.Int(len(s.list.drafts)))}, s.damage()...)
	}
	line := draw.Line{
		draw.Own(draw.Strong, "Drafts "), draw.Say(draw.Strong, draw.Int(len(s.list.drafts))), draw.Own(draw.Quiet, " "+s.options.Glyphs.Dot+" "),
		draw.Own(draw.Strong, "Outbox "), draw.Say(draw.Strong, draw.Int(len(s.list.entries))),
	}
	if n := s.unsettled(); n > 0 {
		line = append(line, draw.Own(draw.Quiet, ", "), draw.Say(draw.Normal, draw.Int(n)), draw.Own(draw.Normal, kit.LeftToSend))
	}
	line = append(line, s.damage()...)
	if s.options.Sample {
		line = append(line, draw.Own(draw.Warn, "  sample"), draw.Own(draw.Normal, ": in memory, gone at exit"))
	}
	return line
}

// damage counts what cannot be read.
func (s *Screen) damage() draw.Line {
	n := len(s.list.damaged)
	if n == 0 {
		return nil
	}
	return draw.Line{draw.Own(draw.Quiet, " "+s.options.Glyphs.Dot+" "), draw.Say(draw.Bad, draw.Int(n)), draw.Own(draw.Bad, " DAMAGED")}
}

// unsettled counts the entries that some service has not accepted, as the top row does.
func (s *Screen) unsettled() int {
	n := 0
	for _, e := range s.list.entries {
		if !e.Settled() {
			n++
		}
	}
	return n
}

func (s *Screen) empty() draw.Line {
	switch {
	case !s.list.read:
		return draw.Line{draw.Own(draw.Normal, "reading...")}
	case s.trash:
		return draw.Line{draw.Own(draw.Normal, "the trash is empty; t shows the drafts")}
	}
	return draw.Line{draw.Own(draw.Normal, "no draft, and nothing signed; c begins a capsule, A on a page an assessment")}
}

// line is one row of the list. The first row of an entry names it.
func (s *Screen) line(rows []row, at int) draw.Line {
	r := rows[at]
	switch {
	case r.damaged != nil:
		return draw.Line{draw.Own(draw.Bad, "DAMAGED "), draw.Say(draw.Normal, clean.Line(r.damaged.Detail)), draw.Own(draw.Normal, ": it cannot be read, the others can")}
	case r.draft != nil:
		return s.draftLine(*r.draft, s.relies(s.list.relying.Drafts[r.draft.ID]))
	}
	d, ok := r.at()
	head := draw.Line{draw.Own(draw.Quiet, "out  "), draw.Say(draw.Normal, kit.ShortID(r.entry.ID, s.options.Glyphs)), draw.Gap(1)}
	if r.delivery > 0 {
		head = draw.Line{draw.Gap(head.Width())}
	}
	if !ok {
		return append(append(head, draw.Own(draw.Normal, "queued for no service")), s.entryTitle(*r.entry)...)
	}
	line := append(head, deliveryLine(d, s.name(d.Service))...)
	if r.delivery == 0 {
		line = append(line, s.entryTitle(*r.entry)...)
	}
	return line
}

// narrowBelow is the width below which rows leave out what stands below the list too.
const narrowBelow = 100

// relies says that something rests on withdrawn work; empty where it does not.
func (s *Screen) relies(on []explore.TargetFacts) draw.Line {
	if len(on) == 0 {
		return nil
	}
	words := clean.Words("relies on RETRACTED ")
	if s.size.W < narrowBelow {
		words = "RETRACTED "
	}
	return draw.Line{draw.Own(draw.Bad, words), draw.Say(draw.Bad, draw.Int(len(on))), draw.Gap(1)}
}

func (s *Screen) entryTitle(e desk.Entry) draw.Line {
	line := append(draw.Line{draw.Gap(2)}, s.relies(s.list.relying.Entries[e.ID])...)
	return append(line, draw.Own(draw.Gutter, s.options.Glyphs.Gutter), draw.Say(draw.Author, clean.Line(e.Title)))
}

// deliveryLine is how an envelope stands with one service, by the user's name of it.
func deliveryLine(d desk.Delivery, name clean.Text) draw.Line {
	return draw.Line{draw.Say(draw.Strong, name), draw.Own(draw.Quiet, ": "), kit.DeliveryWords(d)}
}

// Columns of a draft's row: what it is, and what it is about.
const (
	whatColumns   = 22
	targetColumns = 10
)

// stateLine says how far a draft is from its signature.
func (d draft) stateLine() draw.Line {
	if d.errors == 0 {
		return kit.ReadyLine(d.toAnswer)
	}
	return draw.Line{draw.Say(draw.Warn, draw.Int(d.errors)), draw.Own(draw.Warn, plural(d.errors, " error", " errors"))}
}

// columns gives the width of the widest number of a draft, and of the widest state.
func (s *Screen) columns() (number, state int) {
	for _, d := range s.list.drafts {
		number = max(number, len(strconv.FormatUint(d.ID, 10)))
		state = max(state, d.stateLine().Width())
	}
	return number, state
}

// draftLine is one draft: what it is and of what, how far it is, when it was stored, and
// whether it relies on withdrawn work.
func (s *Screen) draftLine(d draft, relies draw.Line) draw.Line {
	b, g := d.Brief(), s.options.Glyphs
	digits, states := s.columns()
	pad := func(line draw.Line, to int) draw.Line { return append(line, draw.Gap(to-line.Width())) }
	line := draw.Line{draw.Own(draw.Quiet, "draft "), draw.Say(draw.Strong, clean.Line(strconv.FormatUint(d.ID, 10)))}
	line = pad(line, len("draft ")+digits+1)
	what := draw.Line{draw.Say(draw.Normal, clean.Line(b.What))}
	if b.Link != "" {
		what = append(what, draw.Gap(1), draw.Say(draw.Strong, clean.Line(b.Link)))
	}
	line = append(line, pad(what.Cut(whatColumns, g.Ellipsis), whatColumns+1)...)
	target := draw.Line{draw.Say(draw.Normal, draw.Cut(clean.Line(b.Target), targetColumns-1, g.Ellipsis))}
	line = append(line, pad(target, targetColumns)...)
	line = append(line, pad(d.stateLine(), states+2)...)
	if s.size.W >= narrowBelow {
		line = append(line, draw.Say(draw.Normal, kit.ClockTime(d.Edited, s.options.Clock())), draw.Gap(1))
	}
	line = append(line, relies...)
	if b.Title == "" {
		return append(line, draw.Say(draw.Quiet, clean.Line(b.None)))
	}
	return append(line, draw.Own(draw.Gutter, g.Gutter), draw.Say(draw.Author, clean.Line(b.Title)))
}

// until says when a time to come is: in seconds or minutes where it is near.
func until(at, now int64) clean.Text {
	switch ms := at - now; {
	case ms <= 0:
		return clean.Own("now")
	case ms < 120_000:
		return clean.Line("in " + strconv.FormatInt((ms+999)/1000, 10) + " s")
	case ms < 7_200_000:
		return clean.Line("in " + strconv.FormatInt((ms+59_999)/60_000, 10) + " min")
	}
	return kit.DateTime(at)
}

func plural(n int, one, more clean.Words) clean.Words {
	if n == 1 {
		return one
	}
	return more
}

func (s *Screen) drawDetail(f *draw.Frame, r draw.Rect) {
	lines := s.about(max(r.W-4, 1))
	s.scroll = max(min(s.scroll, len(lines)-max(r.H-2, 1)), 0)
	inner := f.Pane(r, draw.Line{draw.Own(draw.Strong, "What comes next")}, nil, false)
	for i := 0; i < inner.H && s.scroll+i < len(lines); i++ {
		f.Put(inner, 1, i, lines[s.scroll+i])
	}
}

// about says what is known of the row under the cursor, and the next step.
func (s *Screen) about(w int) []draw.Line {
	var out []draw.Line
	add := func(l draw.Line) { out = append(out, draw.WrapLine(l, w)...) }
	if s.options.ReadOnly {
		add(draw.Line{draw.Own(draw.Warn, kit.ReadOnlyWords)})
	}
	r, ok := s.under()
	switch {
	case !ok:
		return out
	case r.damaged != nil:
		add(draw.ErrorLine(r.damaged))
	case r.draft != nil:
		aboutDraft(*r.draft, s.trash, add)
		s.aboutReliance(s.list.relying.Drafts[r.draft.ID], add)
	default:
		s.aboutEntry(r, add)
		s.aboutReliance(s.list.relying.Entries[r.entry.ID], add)
	}
	return out
}

// aboutReliance names the withdrawn events that something points at, and in which set
// they are withdrawn.
func (s *Screen) aboutReliance(on []explore.TargetFacts, add func(draw.Line)) {
	for _, t := range on {
		line := draw.Line{draw.Own(draw.Bad, "RETRACTED"), draw.Own(draw.Normal, " in "), draw.Say(draw.Normal, kit.ScopeName(t.Scope)), draw.Own(draw.Normal, ": ")}
		if t.Relation != 0 {
			line = append(line, draw.Say(draw.Normal, clean.Line(t.Relation.String())), draw.Gap(1))
		}
		add(append(line, draw.Say(draw.Normal, clean.Line(t.ID.String())), draw.Gap(1), draw.Own(draw.Gutter, s.options.Glyphs.Gutter), draw.Say(draw.Author, clean.Line(t.Entry.Title))))
	}
}

func aboutDraft(d draft, trash bool, add func(draw.Line)) {
	add(draw.Line{draw.Own(draw.Quiet, "begun "), draw.Say(draw.Normal, kit.DateTime(d.Created)), draw.Own(draw.Quiet, ", saved "), draw.Say(draw.Normal, kit.DateTime(d.Edited))})
	if d.Payload.Target != "" {
		add(draw.Line{draw.Own(draw.Quiet, "target "), draw.Say(draw.Normal, clean.Line(d.Payload.Target))})
	}
	if trash {
		add(draw.Line{draw.Own(draw.Normal, "Discarded; it stays here until it is forgotten.")})
		return
	}
	if d.errors == 0 && d.toAnswer > 0 {
		add(draw.Line{draw.Say(draw.Warn, draw.Int(d.toAnswer)), draw.Own(draw.Warn, plural(d.toAnswer, " place", " places")), draw.Own(draw.Normal, " may not be meant for the public; each is asked about before the signature.")})
	}
	add(draw.Line{draw.Own(draw.Normal, "Nothing of it is signed or sent.")})
}

func (s *Screen) aboutEntry(r row, add func(draw.Line)) {
	add(draw.Line{draw.Own(draw.Quiet, "id "), draw.Say(draw.Normal, clean.Line(r.entry.ID.String()))})
	add(draw.Line{draw.Own(draw.Quiet, "signed "), draw.Say(draw.Normal, kit.DateTime(r.entry.SignedAt)), draw.Own(draw.Normal, ", held here; the same bytes are sent each time")})
	d, ok := r.at()
	if !ok {
		if r.entry.Sample {
			add(draw.Line{draw.Own(draw.Normal, "Signed in the sample with a public test key: it is never sent.")})
			return
		}
		add(draw.Line{draw.Own(draw.Key, "+"), draw.Own(draw.Normal, " queues it for a service.")})
		return
	}
	a := d.Advice()
	add(append(deliveryLine(d, s.name(d.Service)), draw.Own(draw.Normal, ". "), draw.Say(draw.Normal, clean.Line(a.Sentence))))
	add(draw.Line{draw.Own(draw.Quiet, "at "), draw.Say(draw.Normal, clean.Line(d.Service))})
	if most := s.list.limits[d.Service]; most > 0 && len(r.entry.Envelope) > most && d.State != desk.Accepted {
		add(draw.Line{
			draw.Own(draw.Warn, "too large for it"), draw.Own(draw.Normal, ": the envelope has "), draw.Say(draw.Normal, draw.Int(len(r.entry.Envelope))),
			draw.Own(draw.Normal, " bytes, and the service says that it takes "), draw.Say(draw.Normal, draw.Int(most)), draw.Own(draw.Normal, " at most"),
		})
	}
	if a.Action != "" {
		add(draw.Line{draw.Say(draw.Normal, clean.Line(a.Action))})
	}
	switch {
	case d.Reason == "":
	case d.State != desk.Refused: // nobody answered: these are words of this machine
		add(draw.Line{draw.Own(draw.Quiet, "why: "), draw.Say(draw.Normal, clean.Line(d.Reason))})
	default:
		add(draw.Line{draw.Own(draw.Quiet, "the service's words "), draw.Own(draw.Gutter, s.options.Glyphs.Gutter), draw.Say(draw.Author, clean.Line(d.Reason))})
	}
	for _, id := range d.Missing {
		add(draw.Line{draw.Own(draw.Warn, "missing there "), draw.Say(draw.Normal, clean.Line(id))})
	}
	if d.AcceptedAt > 0 {
		add(draw.Line{draw.Own(draw.Quiet, "accepted at "), draw.Say(draw.Normal, kit.DateTime(d.AcceptedAt)), draw.Own(draw.Quiet, " by its clock")})
	}
	if d.NextTry > 0 {
		add(draw.Line{draw.Own(draw.Quiet, "next try "), draw.Say(draw.Normal, until(d.NextTry, s.options.Clock().UnixMilli())), draw.Own(draw.Quiet, ", tries so far "), draw.Say(draw.Normal, draw.Int(d.Tries))})
	}
}
