package links

import (
	"strconv"

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
					s.filter = s.kept
				}
				s.typing = nil
				s.arrange()
				return s.titles()
			}
		}
		return []kit.Row{k.Row("accept", end(true)).Called("keep"), k.Row("cancel", end(false)).Called("as before")}
	}
	rows := []kit.Row{
		k.Row("open", s.openRow), k.Row("fold", s.fold), k.Row("filter", s.startFilter), k.Row("regroup", s.regroup),
		k.Row("versions", s.visit(kit.Versions)), k.Row("assessments", s.visit(kit.Review)), k.Quiet("refresh", s.ask),
		k.Quiet("copy", s.copy), s.options.SeenByRow(string(s.set.Service())),
	}
	if s.filter != "" {
		rows = append(rows, k.Row("close", func() tea.Cmd {
			s.filter = ""
			s.arrange()
			return s.titles()
		}).Called("all"))
	}
	rows = append(rows, s.options.WriteRows(s.about())...)
	return append(rows, s.cursor.MoveRows(k, func() int { return len(s.rows) }, s.height, s.titles)...)
}

// about is the link under the cursor, of which a draft can be. On the heading of a
// group by actor, that actor can be named.
func (s *Screen) about() kit.About {
	r, ok := s.under()
	switch {
	case !ok:
		return kit.About{Why: "there is no link under the cursor"}
	case r.link == nil:
		return kit.About{Why: "this is the heading of a group; stand on one of its links", Actor: r.group.actor}
	}
	if e, ok := s.entries[r.link.Source]; ok {
		return kit.About{Entry: e}
	}
	return kit.About{Entry: view.Entry{ID: r.link.Source, Type: r.link.Type, Kind: r.link.Kind, Actor: r.link.Actor}}
}

func (s *Screen) startFilter() tea.Cmd {
	s.typing, s.kept = draw.NewField(200, s.filter), s.filter
	return s.titles()
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
		title = s.options.ScopeTitle(area.W-4, s.links.Facts.Scope, title, draw.Line{draw.Own(draw.Strong, "Links")})
		note = s.note()
	}
	inner := f.Pane(area, title, note, true)
	if s.links == nil {
		line := draw.Line{draw.Own(draw.Normal, "reading...")}
		if s.failed != nil {
			line = kit.Unread(s.failed)
		}
		f.Paragraph(inner, 1, line)
		return
	}
	f.Put(inner, 0, 0, s.subject(inner.W))
	list := draw.Rect{X: inner.X, Y: inner.Y + 1, W: inner.W, H: max(inner.H-1, 0)}
	if len(s.rows) == 0 {
		f.Paragraph(list, 1, s.emptyLine())
	}
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

// note says what a zero means, and what self does.
func (s *Screen) note() draw.Line {
	zero := draw.Line{draw.Own(draw.Quiet, "0: none in this set ")}
	if scope := s.links.Facts.Scope; scope.Seen != 0 {
		zero = draw.Line{draw.Own(draw.Quiet, "0: none at this service up to #"), draw.Say(draw.Quiet, clean.Line(strconv.FormatUint(scope.Checkpoint, 10))), draw.Gap(1)}
	}
	return append(zero, draw.Own(draw.Quiet, s.options.Glyphs.Dot+" self: by the target's author"))
}

// emptyLine says why there is no row, and what to do.
func (s *Screen) emptyLine() draw.Line {
	switch {
	case s.filter == "":
		return draw.Line{draw.Own(draw.Normal, "nothing in this set points at it")}
	case s.typing != nil:
		return draw.Line{draw.Own(draw.Normal, "no link has all these words")}
	}
	return draw.Line{draw.Own(draw.Normal, "no link has all these words; esc shows all")}
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
		f.Put(list, 0, i, s.headLine(*r.group, mark))
		return
	}
	f.Put(list, 0, i, s.linkLine(*r.link, list.W))
}

// headLine is a group with its counts. They stand before an Agent ID, whose width
// would push them out.
func (s *Screen) headLine(g group, mark clean.Words) draw.Line {
	count := draw.Line{draw.Gap(1), draw.Say(draw.Normal, draw.Int(len(g.links)))}
	if g.gone > 0 {
		count = append(count, draw.Own(draw.Normal, " ("), draw.Say(draw.Bad, draw.Int(g.gone)), draw.Own(draw.Bad, " RETRACTED"), draw.Own(draw.Normal, ")"))
	}
	line, name := draw.Line{draw.Own(draw.Border, mark)}, draw.Line{draw.Gap(1), draw.Say(draw.Strong, g.name)}
	if s.byActor {
		if called := s.options.Called(g.actor, false); len(called) > 0 {
			name = append(append(name, draw.Gap(1)), called...)
		}
		return append(append(line, count...), name...)
	}
	return append(append(line, name...), count...)
}

// linkLine is one source: its letter, sig, state, relation or verdict, actor, title.
func (s *Screen) linkLine(l view.Incoming, w int) draw.Line {
	g := s.options.Glyphs
	state := view.Active
	switch {
	case l.Retracted:
		state = view.Retracted
	case !s.links.Facts.Scope.Complete:
		state = view.Partial
	}
	life := kit.Life(l.Type, state)
	line := draw.Line{draw.Gap(4), draw.Say(draw.Strong, kit.TypeLetter(l.Type, l.Kind)), draw.Own(draw.Good, " ok "), life, draw.Gap(10 - draw.Width(life.Text))}
	if s.byActor {
		word := l.Relation.String() + l.Verdict.String()
		line = append(line, draw.Say(draw.Normal, clean.Line(word)), draw.Gap(15-len(word)))
	} else {
		line = append(append(line, s.options.Who(l.Actor, w)...), draw.Gap(1))
	}
	if w >= 70 {
		date := kit.Date(l.CreatedAt, s.options.Clock())
		line = append(line, draw.Say(draw.Normal, date), draw.Gap(8-draw.Width(date)))
	}
	if l.Actor == s.links.Subject.Actor && l.Type != capsule.Retract {
		line = append(line, draw.Own(draw.Warn, "self "))
	} else {
		line = append(line, draw.Gap(5))
	}
	line = append(line, draw.Own(draw.Gutter, g.Gutter))
	title := clean.Line(s.entries[l.Source].Title)
	return append(line, draw.Say(draw.Author, draw.Cut(title, max(w-line.Width(), 0), g.Ellipsis)))
}
