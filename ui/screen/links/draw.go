package links

import (
	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view"
	"akx/view/capsule"
	"akx/view/clean"
)

// Rows are the keys of the screen.
func (s *Screen) Rows() []kit.Row {
	k := s.options.Keys
	if s.typing != nil {
		end := func(keep bool) func() tea.Cmd {
			return func() tea.Cmd {
				if !keep {
					s.filter = ""
					s.arrange()
				}
				s.typing = nil
				return s.titles()
			}
		}
		return []kit.Row{k.Row("accept", end(true)), k.Row("cancel", end(false))}
	}
	rows := []kit.Row{
		k.Row("open", s.openRow), k.Row("fold", s.fold), k.Row("filter", s.startFilter), k.Row("regroup", s.regroup),
		k.Row("versions", s.visit(kit.Versions)), k.Row("assessments", s.visit(kit.Review)), k.Quiet("refresh", s.ask),
		k.Quiet("copy", s.copy),
	}
	if s.filter != "" {
		rows = append(rows, k.Row("close", func() tea.Cmd {
			s.filter = ""
			s.arrange()
			return s.titles()
		}))
	}
	return append(rows, s.cursor.MoveRows(k, func() int { return len(s.rows) }, s.height, s.titles)...)
}

func (s *Screen) startFilter() tea.Cmd {
	s.typing = draw.NewField(200, s.filter)
	return nil
}

func (s *Screen) regroup() tea.Cmd {
	s.byActor = !s.byActor
	s.cursor = kit.Cursor{}
	s.unfoldSmall()
	s.arrange()
	return s.titles()
}

func (s *Screen) visit(screen string) func() tea.Cmd {
	return func() tea.Cmd { return s.options.Now(kit.Go{Route: kit.Route{Screen: screen, ID: s.id.String()}}) }
}

func (s *Screen) copy() tea.Cmd {
	r, ok := s.under()
	if !ok || r.link == nil {
		return kit.Say("stand on a link to copy its ID")
	}
	return kit.Send(kit.Copy{Text: r.link.Source.String(), What: "the event ID"})
}

// Draw draws the groups.
func (s *Screen) Draw(f *draw.Frame, area draw.Rect) {
	title := draw.Line{draw.Own(draw.Strong, "Links to it")}
	note := draw.Line{}
	if s.links != nil {
		title = append(append(title, draw.Own(draw.Quiet, " in ")), kit.ScopeLine(s.links.Facts.Scope)...)
		note = draw.Line{draw.Own(draw.Quiet, "zero means: none in this set. Author of the target: self")}
	}
	inner := f.Pane(area, title, note, true)
	if s.links == nil {
		line := draw.Line{draw.Own(draw.Normal, "reading…")}
		if s.failed != nil {
			line = draw.ErrorLine(s.failed)
		}
		f.Put(inner, 1, 1, line)
		return
	}
	f.Put(inner, 0, 0, s.subject(inner.W))
	list := draw.Rect{X: inner.X, Y: inner.Y + 1, W: inner.W, H: max(inner.H-1, 0)}
	for i := 0; i < list.H && s.cursor.Scroll+i < len(s.rows); i++ {
		s.drawRow(f, list, i, s.rows[s.cursor.Scroll+i])
		if s.cursor.Scroll+i == s.cursor.Row {
			f.Fill(list, i, draw.Reversed)
		}
	}
	if s.typing != nil {
		edge := draw.Rect{X: area.X + 1, Y: area.Y + area.H - 1, W: max(area.W-2, 0), H: 1}
		f.Clear(edge)
		f.Put(edge, 1, 0, draw.Line{draw.Own(draw.Key, "/ ")})
		s.typing.Draw(f, edge, 3, 0, draw.Strong)
	}
}

// subject is the event that the links point at.
func (s *Screen) subject(w int) draw.Line {
	e := s.links.Subject
	line := draw.Line{draw.Say(draw.Strong, kit.TypeLetter(e.Type, e.Kind)), draw.Gap(1)}
	line = append(append(line, kit.LifeLine(e)...), draw.Gap(1), draw.Own(draw.Gutter, s.options.Glyphs.Gutter))
	return append(line, draw.Say(draw.Author, draw.Cut(clean.Line(e.Title), max(w-line.Width(), 0), s.options.Glyphs.Ellipsis)))
}

func (s *Screen) drawRow(f *draw.Frame, list draw.Rect, i int, r row) {
	g := s.options.Glyphs
	if r.link == nil {
		mark := g.Closed
		if s.open[r.group.key] || s.filter != "" {
			mark = g.Open
		}
		line := draw.Line{draw.Own(draw.Border, mark), draw.Gap(1), draw.Say(draw.Strong, r.group.name), draw.Gap(1), draw.Say(draw.Normal, draw.Int(len(r.group.links)))}
		if r.group.gone > 0 {
			line = append(line, draw.Own(draw.Normal, " ("), draw.Say(draw.Bad, draw.Int(r.group.gone)), draw.Own(draw.Bad, " RETRACTED"), draw.Own(draw.Normal, ")"))
		}
		f.Put(list, 0, i, line)
		return
	}
	f.Put(list, 0, i, s.linkLine(*r.link, list.W))
}

// linkLine is one source: its letter, sig, state, relation or verdict, actor, title.
func (s *Screen) linkLine(l view.Incoming, w int) draw.Line {
	g := s.options.Glyphs
	state := view.Active
	if l.Retracted {
		state = view.Retracted
	}
	life := kit.Life(l.Type, state)
	line := draw.Line{draw.Gap(4), draw.Say(draw.Strong, kit.TypeLetter(l.Type, l.Kind)), draw.Own(draw.Good, " ok "), life, draw.Gap(10 - draw.Width(life.Text))}
	if s.byActor {
		word := l.Relation.String() + l.Verdict.String()
		line = append(line, draw.Say(draw.Normal, clean.Line(word)), draw.Gap(15-len(word)))
	} else {
		line = append(line, draw.Say(draw.Normal, kit.ShortActor(l.Actor, g)), draw.Gap(1))
	}
	if l.Actor == s.links.Subject.Actor && l.Type != capsule.Retract {
		line = append(line, draw.Own(draw.Warn, "self "))
	}
	line = append(line, draw.Say(draw.Normal, kit.Date(l.CreatedAt, s.options.Clock())), draw.Gap(1), draw.Own(draw.Gutter, g.Gutter))
	title := clean.Line(s.entries[l.Source].Title)
	return append(line, draw.Say(draw.Author, draw.Cut(title, max(w-line.Width(), 0), g.Ellipsis)))
}
