package page

import (
	"slices"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view"
	"akx/view/clean"
)

// title heads the text in a number of columns: in a service's set always with whose it
// is, and where the checks are hidden with how the event stands.
func (s *Screen) title(columns int) draw.Line {
	text := draw.Line{draw.Own(draw.Strong, "Text")}
	whole := append(slices.Clone(text), draw.Own(draw.Quiet, " (the author's, behind "), draw.Own(draw.Gutter, s.options.Glyphs.Gutter), draw.Own(draw.Quiet, ")"))
	switch {
	case s.page == nil, s.wide() && s.set.Service() == "":
		return whole
	case s.wide():
		return s.options.ScopeTitle(columns, s.page.Facts.Scope, whole, text)
	}
	life := kit.LifeLine(s.page.Entry)
	proof := draw.Line{draw.Own(draw.Good, "sig ok"), draw.Own(draw.Normal, " "+s.options.Glyphs.Dot+" ")}
	state := append(slices.Clone(proof), life...)
	tail := draw.Line{draw.Own(draw.Quiet, " "+s.options.Glyphs.Dot+" tab: checks")}
	if s.around.waiting() {
		tail = append(draw.Line{draw.Own(draw.Warn, " asking...")}, tail...)
	}
	if s.set.Service() == "" {
		state = append(state, draw.Own(draw.Normal, " in "), draw.Say(draw.Normal, kit.ScopeName(s.page.Facts.Scope)))
		return append(append(state, s.elsewhere(columns-state.Width()-tail.Width())...), tail...)
	}
	warning := s.warning()
	room := columns - warning.Width()
	state = s.options.ScopeTitle(room, s.page.Facts.Scope, state, append(proof, life[0]))
	if state.Width() > room {
		state = s.options.ScopeTitle(room, s.page.Facts.Scope, life[:1], life[:1])
	}
	if state = append(state, warning...); len(warning) == 0 {
		state = append(state, s.elsewhere(columns-state.Width()-tail.Width())...)
	}
	if state.Width()+tail.Width() > columns { // the footer says the key too
		return state
	}
	return append(state, tail...)
}

// warning says briefly that the event is retracted beyond the set that is read: by the
// first service that shows it, if any does.
func (s *Screen) warning() draw.Line {
	if len(s.page.Beyond) == 0 {
		return nil
	}
	line := draw.Line{draw.Own(draw.Normal, " "+s.options.Glyphs.Dot+" ")}
	for _, at := range s.page.Shown.At {
		if at.Facts.Lifecycle == view.Retracted {
			return append(line, draw.Say(draw.Normal, s.nameOf(at.Followed.Origin)), draw.Own(draw.Bad, " RETRACTED"))
		}
	}
	return append(line, draw.Own(draw.Bad, "RETRACTED elsewhere"))
}

// beyond warns, beside the state in the set that is read, of a retraction by the same
// actor that is held all the same, with the services that show it.
func (s *Screen) beyond(p view.Page) []draw.Line {
	var lines []draw.Line
	for _, r := range p.Beyond {
		line := draw.Line{draw.Gap(2), draw.Own(draw.Bad, "RETRACTED"), draw.Own(draw.Normal, " beyond this set: by its author "), draw.Say(draw.Normal, kit.DateTime(r.CreatedAt())),
			draw.Own(draw.Normal, ", in "), draw.Say(draw.Normal, clean.Line(r.ID().String())), draw.Own(draw.Normal, ", held here")}
		sep := clean.Words(", shown by ")
		for _, at := range p.Shown.At {
			if slices.Contains(at.Facts.Retractions, r.ID()) {
				line = append(line, draw.Own(draw.Normal, sep), draw.Say(draw.Strong, s.nameOf(at.Followed.Origin)))
				sep = ", "
			}
		}
		lines = append(lines, line)
	}
	return lines
}
