package page

import (
	"errors"
	"strings"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/fault"
	"akx/view/identity"
)

// Draw draws both panes, or the one that has the keys where there is no room.
func (s *Screen) Draw(f *draw.Frame, area draw.Rect) {
	if s.wide() {
		w := s.bodyWidth()
		s.drawBody(f, draw.Rect{X: area.X, Y: area.Y, W: w, H: area.H})
		s.drawChecks(f, draw.Rect{X: area.X + w, Y: area.Y, W: area.W - w, H: area.H})
	} else if s.pane == checksPane {
		s.drawChecks(f, area)
	} else {
		s.drawBody(f, area)
	}
}

func (s *Screen) drawBody(f *draw.Frame, r draw.Rect) {
	inner := f.Pane(r, s.title(r.W-4), s.position(bodyPane, len(s.body.Lines)), s.pane == bodyPane)
	if s.page == nil {
		f.Paragraph(inner, 1, s.nothing())
		return
	}
	for i := 0; i < inner.H && s.scroll[bodyPane]+i < len(s.body.Lines); i++ {
		row := s.scroll[bodyPane] + i
		f.Put(inner, 0, i, s.body.Lines[row])
		if s.find.text != "" && row == s.find.at {
			f.Fill(inner, i, draw.Reversed)
		}
	}
	if s.find.field != nil {
		edge := draw.Rect{X: r.X + 1, Y: r.Y + r.H - 1, W: max(r.W-2, 0), H: 1}
		f.Clear(edge)
		f.Put(edge, 1, 0, draw.Line{draw.Own(draw.Key, "/ ")})
		s.find.field.Draw(f, edge, 3, 0, draw.Strong)
		if s.find.text != "" && s.find.at < 0 {
			note := draw.Line{draw.Own(draw.Warn, " not found ")}
			f.Put(edge, edge.W-note.Width(), 0, note)
		}
	}
}

// nothing says why there is no page.
func (s *Screen) nothing() draw.Line {
	var absent *fault.NotHeld
	switch {
	case kit.NotFollowed(s.failed):
		return kit.SetGone()
	case s.set.Service() != "" && errors.As(s.failed, &absent):
		return draw.Line{draw.Own(draw.Normal, "what "), draw.Say(draw.Strong, s.nameOf(s.set.Service())),
			draw.Own(draw.Normal, " showed does not hold this event: V reads everything held, or another service's set")}
	case s.failed != nil:
		line := draw.ErrorLine(s.failed)
		if errors.As(s.failed, &absent) && s.noRecheck() == "" {
			line = append(line, draw.Own(draw.Normal, " "+s.options.Glyphs.Dot+" L asks the enabled services for it"))
		}
		return line
	}
	return draw.Line{draw.Own(draw.Normal, "reading...")}
}

// position says how far a pane is scrolled.
func (s *Screen) position(pane, total int) draw.Line {
	if total == 0 {
		return nil
	}
	last := min(s.scroll[pane]+s.height(), total)
	return draw.Line{
		draw.Say(draw.Normal, draw.Int(min(s.scroll[pane]+1, total))), draw.Own(draw.Normal, "-"),
		draw.Say(draw.Normal, draw.Int(last)), draw.Own(draw.Normal, "/"), draw.Say(draw.Normal, draw.Int(total)),
	}
}

func (s *Screen) drawChecks(f *draw.Frame, r draw.Rect) {
	var lines []draw.Line
	if s.page != nil {
		lines = s.checks(r.W - 3)
	} else if len(s.around.kept) > 0 || s.around.waiting() {
		for _, l := range s.services(view.Page{}) { // what was answered about an event that is not here
			lines = append(lines, hanging(l, r.W-3)...)
		}
	}
	title := draw.Line{draw.Own(draw.Strong, "What was checked"), draw.Own(draw.Quiet, " (never author text)")}
	inner := f.Pane(r, title, s.position(checksPane, len(lines)), s.pane == checksPane)
	if s.page == nil && !s.wide() && len(lines) == 0 {
		f.Paragraph(inner, 1, s.nothing())
	}
	for i := 0; i < inner.H && s.scroll[checksPane]+i < len(lines); i++ {
		f.Put(inner, 1, i, lines[s.scroll[checksPane]+i])
	}
}

// checks are the rows of the checks pane. Nothing in them is author text: IDs,
// counts, closed sets and akx's own words only.
func (s *Screen) checks(width int) []draw.Line {
	p := *s.page
	var rows []draw.Line
	add := func(lines ...draw.Line) {
		for _, l := range lines {
			rows = append(rows, hanging(l, width)...)
		}
	}
	add(s.envelope(p, width)...)
	rows = append(rows, nil)
	add(s.lifecycle(p)...)
	if sent := s.accepted(p); len(sent) > 0 {
		rows = append(rows, nil)
		add(sent...)
	}
	if shown := s.services(p); len(shown) > 0 {
		rows = append(rows, nil)
		add(shown...)
	}
	if p.Entry.Type == capsule.Publish {
		rows = append(rows, nil)
		add(s.assessments(p)...)
	}
	rows = append(rows, nil)
	add(s.links(p)...)
	if len(p.Withdrawn) > 0 {
		rows = append(rows, nil)
		add(draw.Line{draw.Own(draw.Bad, "Relies on withdrawn work: "), draw.Say(draw.Bad, draw.Int(len(p.Withdrawn))), draw.Own(draw.Normal, " of what it refers to is RETRACTED")})
	}
	rows = append(rows, nil)
	add(s.sources(p)...)
	return rows
}

// hanging wraps a line; what is continued stands as far in as its first row.
func hanging(l draw.Line, width int) []draw.Line {
	indent := 0
	if len(l) > 0 && strings.TrimSpace(l[0].Text.String()) == "" {
		indent, l = draw.Width(l[0].Text), l[1:]
	}
	rows := draw.WrapLine(l, width-indent)
	for i := range rows {
		rows[i] = append(draw.Line{draw.Gap(indent)}, rows[i]...)
	}
	return rows
}

func (s *Screen) envelope(p view.Page, width int) []draw.Line {
	ok := func(w clean.Words) draw.Line {
		return draw.Line{draw.Gap(2), draw.Own(draw.Normal, w), draw.Own(draw.Good, " ok")}
	}
	by := []draw.Line{{draw.Gap(2), draw.Own(draw.Quiet, "by "), draw.Say(draw.Normal, clean.Line(p.Entry.Actor.String()))}}
	if by[0].Width() > width { // breaking at the key's own dashes would hide where it ends
		by = []draw.Line{
			{draw.Gap(2), draw.Own(draw.Quiet, "by "), draw.Say(draw.Normal, clean.Line(identity.AgentPrefix))},
			{draw.Gap(2), draw.Say(draw.Normal, clean.Line(strings.TrimPrefix(p.Entry.Actor.String(), identity.AgentPrefix)))},
		}
	}
	lines := []draw.Line{
		{draw.Own(draw.Strong, "Envelope")},
		{draw.Gap(2), draw.Own(draw.Quiet, "id "), draw.Say(draw.Normal, clean.Line(p.Entry.ID.String()))},
		ok("strict JSON, shape, canonical form"), ok("hash recomputed"), ok("signature (key and bytes only)"), ok("payload rules"),
		own("this does not say that the claim is true"),
	}
	if called := s.options.Called(p.Entry.Actor, s.options.Mine(p.Entry)); len(called) > 0 {
		by = append(by, append(draw.Line{draw.Gap(5)}, called...))
	}
	if name, known := identity.TestSeedName(p.Entry.Actor); known && !s.options.Sample {
		by = append(by, draw.Line{draw.Gap(5), draw.Own(draw.Bad, "PUBLIC"), draw.Own(draw.Normal, ", anybody can sign with it: "), draw.Say(draw.Normal, clean.Line(name))})
	}
	return append(append(lines, by...), []draw.Line{
		{draw.Gap(2), draw.Own(draw.Quiet, "signed "), draw.Say(draw.Normal, kit.DateTime(p.Entry.CreatedAt)), draw.Own(draw.Quiet, " (the signer's claim)")},
		{draw.Gap(2), draw.Own(draw.Quiet, "nonce "), draw.Say(draw.Normal, clean.Line(decimal(p.Entry.Nonce))),
			draw.Own(draw.Quiet, " "+s.options.Glyphs.Dot+" "), draw.Say(draw.Normal, draw.Int(p.Entry.Bytes)), draw.Own(draw.Quiet, " bytes")},
	}...)
}

func (s *Screen) lifecycle(p view.Page) []draw.Line {
	if p.Entry.Type == capsule.Retract {
		return []draw.Line{{draw.Own(draw.Strong, "Lifecycle")}, {draw.Gap(2), draw.Own(draw.Normal, "a retraction is final; it cannot be retracted")}}
	}
	lines := []draw.Line{
		{draw.Own(draw.Strong, "Lifecycle "), kit.Life(p.Entry.Type, p.Facts.Lifecycle), draw.Own(draw.Normal, " in")},
		append(draw.Line{draw.Gap(2)}, kit.ScopeLine(p.Facts.Scope)...),
	}
	if s.set.Service() != "" {
		lines[0][2] = draw.Own(draw.Normal, " as")
		lines[1] = append(draw.Line{draw.Gap(1)}, s.options.ScopeTitle(1<<10, p.Facts.Scope, nil, nil)...)
	}
	for _, r := range p.Retractions {
		lines = append(lines, draw.Line{draw.Gap(2), draw.Own(draw.Bad, "RETRACTED"), draw.Own(draw.Normal, " by its author "), draw.Say(draw.Normal, kit.DateTime(r.CreatedAt())),
			draw.Own(draw.Normal, ", in "), draw.Say(draw.Normal, clean.Line(r.ID().String()))})
	}
	if p.Facts.Lifecycle == view.Active {
		lines = append(lines, draw.Line{draw.Gap(2), draw.Own(draw.Normal, "no retraction in this set; not a global fact")})
	}
	lines = append(lines, s.beyond(p)...)
	if p.Entry.Type == capsule.Publish {
		successors := draw.Line{draw.Gap(2), draw.Own(draw.Quiet, "successors "), draw.Say(draw.Normal, draw.Int(len(p.Facts.Successors)))}
		if len(p.Facts.Successors) > 0 {
			successors = append(successors, draw.Own(draw.Normal, " (no winner)  v: version tree"))
		}
		lines = append(lines, successors)
	}
	return lines
}

func (s *Screen) assessments(p view.Page) []draw.Line {
	active := len(p.Facts.ActiveAssessments)
	gone := len(p.Facts.Assessments) - active
	head := draw.Line{draw.Own(draw.Strong, "Assessments "), draw.Say(draw.Normal, draw.Int(active)), draw.Own(draw.Normal, " active")}
	if gone > 0 {
		head = append(head, draw.Own(draw.Normal, ", "), draw.Say(draw.Bad, draw.Int(gone)), draw.Own(draw.Bad, " RETRACTED"))
	}
	lines := []draw.Line{head}
	for _, v := range p.Facts.Verdicts {
		if v.Active+v.Retracted == 0 {
			continue
		}
		lines = append(lines, countLine(clean.Line(v.Verdict.String()), v.Active, v.Retracted, v.Self))
	}
	return append(lines, draw.Line{draw.Gap(2), draw.Own(draw.Normal, "no score is computed")})
}

func (s *Screen) links(p view.Page) []draw.Line {
	lines := []draw.Line{{draw.Own(draw.Strong, "Linked from"), draw.Own(draw.Quiet, "  r: who and why")}}
	for _, r := range p.Facts.Relations {
		if r.Active+r.Retracted > 0 {
			lines = append(lines, countLine(clean.Line(r.Relation.String()), r.Active, r.Retracted, r.Self))
		}
	}
	if len(lines) == 1 {
		lines = append(lines, draw.Line{draw.Gap(2), draw.Own(draw.Normal, "no capsule in this set")})
	}
	return lines
}

// countLine is a word with its counts, withdrawn ones apart and self marked.
func countLine(name clean.Text, active, retracted, self int) draw.Line {
	line := draw.Line{draw.Gap(2), draw.Say(draw.Normal, name), draw.Gap(1), draw.Say(draw.Strong, draw.Int(active))}
	if self > 0 {
		line = append(line, draw.Own(draw.Normal, " ("), draw.Say(draw.Normal, draw.Int(self)), draw.Own(draw.Warn, " self"), draw.Own(draw.Normal, ")"))
	}
	if retracted > 0 {
		line = append(line, draw.Own(draw.Normal, ", "), draw.Say(draw.Bad, draw.Int(retracted)), draw.Own(draw.Bad, " RETRACTED"))
	}
	return line
}
