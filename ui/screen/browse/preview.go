package browse

import (
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view"
	"akx/view/capsule"
	"akx/view/clean"
)

// drawPreview draws what matters of the page under the cursor.
func (s *Screen) drawPreview(f *draw.Frame, r draw.Rect) {
	inner := f.Pane(r, draw.Line{draw.Own(draw.Strong, "Preview"), draw.Own(draw.Quiet, " (proven envelope, untrusted text)")}, nil, s.preview.full)
	page := s.preview.page
	if page == nil {
		return
	}
	lines := s.previewLines(*page, inner.W)
	s.preview.scroll = min(s.preview.scroll, max(len(lines)-inner.H, 0))
	for i := 0; i < inner.H && s.preview.scroll+i < len(lines); i++ {
		f.Put(inner, 0, i, lines[s.preview.scroll+i])
	}
}

func (s *Screen) previewLines(p view.Page, w int) []draw.Line {
	g := s.options.Glyphs
	lines := []draw.Line{
		{draw.Say(draw.Strong, kit.What(p.Entry)), draw.Own(draw.Normal, " "+s.options.Glyphs.Dot+" "), draw.Say(draw.Normal, clean.Line(p.Entry.Language)),
			draw.Gap(1), draw.Say(draw.Normal, kit.DateTime(p.Entry.CreatedAt))},
		s.options.By(p.Entry.Actor, s.options.Mine(p.Entry), w-1),
		s.options.ScopeTitle(w, p.Facts.Scope, kit.LifeLine(p.Entry), kit.LifeLine(p.Entry)),
		append(draw.Line{}, s.tally(p.Facts)...),
	}
	lines = append(append(lines, s.sent(p.Entry, w)...), s.shown(p, w)...)
	lines = append(lines, draw.Line{})
	lines = append(lines, author(p.Event.Title(), draw.Strong, w, g)...)
	lines = append(lines, draw.Line{draw.Own(draw.Gutter, g.Gutter)})
	switch e := p.Event.(type) {
	case *capsule.Publication:
		lines = append(lines, author(e.Payload().Statement, draw.Author, w, g)...)
		lines = append(lines, draw.Line{}, draw.Line{draw.Own(draw.Quiet, "scope")})
		lines = append(lines, author(e.Payload().Context.Scope, draw.Author, w, g)...)
	case *capsule.Assessment:
		lines = append(lines, author(e.Payload().Basis, draw.Author, w, g)...)
	case *capsule.Retraction:
	}
	return lines
}

// maxShown is how many services the preview names; the page names all.
const maxShown = 3

// sent says how an event of the user's own stands at the services that it goes to.
func (s *Screen) sent(e view.Entry, w int) []draw.Line {
	if !s.options.Mine(e) {
		return nil
	}
	list, _ := s.options.Sent(e.ID)
	accepted, all := kit.AcceptedBy(list)
	line := draw.Line{draw.Own(draw.Key, "your own"), draw.Own(draw.Normal, ", queued for no service")}
	if all > 0 {
		line = draw.Line{draw.Own(draw.Key, "your own"), draw.Own(draw.Normal, ", accepted by "), draw.Say(draw.Strong, draw.Int(accepted)), draw.Own(draw.Normal, " of "), draw.Say(draw.Strong, draw.Int(all))}
	}
	lines := []draw.Line{line}
	for _, d := range list[:min(len(list), maxShown)] {
		state := kit.DeliveryWords(d)
		host := draw.Cut(kit.Host(d.Service), max(w-draw.Width(state.Text)-5, 8), s.options.Glyphs.Ellipsis)
		lines = append(lines, draw.Line{draw.Own(draw.Quiet, "to "), draw.Say(draw.Normal, host), draw.Gap(1), state}.Cut(w, s.options.Glyphs.Ellipsis))
	}
	return lines
}

// shown says what followed services show of the event, each in its own scope.
func (s *Screen) shown(p view.Page, w int) []draw.Line {
	var lines []draw.Line
	for _, at := range p.Shown.At[:min(len(p.Shown.At), maxShown)] {
		name := s.options.Services.Name(string(at.Followed.Origin))
		line := draw.Line{draw.Own(draw.Quiet, "at "), draw.Say(draw.Normal, draw.Cut(name, max(w-24, 1), s.options.Glyphs.Ellipsis)), draw.Gap(1)}
		switch {
		case !at.Held && at.Facts.Lifecycle != view.Retracted:
			line = append(line, draw.Own(draw.Warn, "not shown"))
		default:
			line = append(line, kit.Life(p.Entry.Type, at.Facts.Lifecycle))
		}
		if kit.Aged(at.Followed.Seen(), s.options.Clock()) {
			line = append(line, draw.Own(draw.Warn, " STALE "), draw.Say(draw.Warn, kit.Age(at.Followed.Seen(), s.options.Clock())))
		}
		lines = append(lines, line)
	}
	return lines
}

// tally counts what points at the event; it is never summed into a score.
func (s *Screen) tally(facts view.Facts) draw.Line {
	links, withdrawn := 0, 0
	for _, r := range facts.Relations {
		links, withdrawn = links+r.Active+r.Retracted, withdrawn+r.Retracted
	}
	line := draw.Line{draw.Own(draw.Quiet, "linked from "), draw.Say(draw.Normal, draw.Int(links))}
	if withdrawn > 0 {
		line = append(line, draw.Own(draw.Normal, " ("), draw.Say(draw.Bad, draw.Int(withdrawn)), draw.Own(draw.Bad, " RETRACTED"), draw.Own(draw.Normal, ")"))
	}
	line = append(line, draw.Own(draw.Quiet, " "+s.options.Glyphs.Dot+" assessments "), draw.Say(draw.Normal, draw.Int(len(facts.ActiveAssessments))), draw.Own(draw.Normal, " active"))
	if gone := len(facts.Assessments) - len(facts.ActiveAssessments); gone > 0 {
		line = append(line, draw.Own(draw.Normal, ", "), draw.Say(draw.Bad, draw.Int(gone)), draw.Own(draw.Bad, " RETRACTED"))
	}
	return line
}

// author puts author text behind its gutter, wrapped by columns.
func author(text string, role draw.Role, w int, g draw.Glyphs) []draw.Line {
	var lines []draw.Line
	for _, block := range clean.Block(text) {
		for _, row := range draw.Wrap(block, w-2) {
			lines = append(lines, draw.Line{draw.Own(draw.Gutter, g.Gutter), draw.Gap(1), draw.Say(role, row)})
		}
	}
	return lines
}
