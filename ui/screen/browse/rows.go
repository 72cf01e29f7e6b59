package browse

import (
	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view"
	"akx/view/capsule"
)

// Rows are the keys of the list.
func (s *Screen) Rows() []kit.Row {
	k := s.options.Keys
	if s.typing != nil {
		return []kit.Row{
			k.Row("accept", s.endFilter(true)).Called("keep"), k.Row("cancel", s.endFilter(false)).Called("as before"),
			k.Row("next-choice", s.by(1)), k.Row("previous-choice", s.by(-1)),
		}
	}
	if s.preview.full {
		return s.fullRows()
	}
	rows := []kit.Row{
		s.needsRow(k.Row("open", s.open)),
		k.Row("filter", s.startFilter), k.Row("facets", s.openFacets), k.Row("sort", s.nextSort),
		k.Row("type", s.nextType), s.options.SeenByRow(string(s.set.Service())),
		s.needsRow(k.Row("reverse-links", s.visit(kit.Links))),
		s.needsRow(k.Row("versions", s.visit(kit.Versions))),
		s.needsRow(k.Row("assessments", s.visit(kit.Review))),
		s.needsRow(k.Quiet("raw", s.visit(kit.Raw))),
		s.needsRow(k.Quiet("copy", s.copyID)),
		k.Quiet("preview", s.togglePreview), k.Quiet("clear", s.clear), k.Quiet("refresh", s.refresh),
	}
	rows = append(rows, s.options.WriteRows(s.about())...)
	if s.narrowed() {
		rows = append(rows, k.Row("close", s.clear).Called("all"))
	}
	total := func() int { return s.window.Total }
	return append(rows, s.cursor.MoveRows(k, total, s.height, s.moved)...)
}

// about is the event under the cursor, of which a draft can be.
func (s *Screen) about() kit.About {
	e, ok := s.under()
	if !ok {
		return kit.About{Why: "there is no event under the cursor"}
	}
	return kit.About{Entry: e}
}

// fullRows are the keys of a preview that fills the screen: those that move scroll it,
// and tab goes to its neighbours in the list.
func (s *Screen) fullRows() []kit.Row {
	k := s.options.Keys
	by := func(n func() int) func() tea.Cmd {
		return func() tea.Cmd {
			s.preview.scroll = max(s.preview.scroll+n(), 0)
			return nil
		}
	}
	lines := func(n int) func() int { return func() int { return n } }
	half := func(sign int) func() int { return func() int { return sign * max(s.size.H/2, 1) } }
	rows := []kit.Row{
		k.Row("close", s.closePreview).Called("close preview"), s.needsRow(k.Row("open", s.open)),
		k.Row("down", by(lines(1))).Called("scroll"), k.Row("next-pane", s.by(1)).Called("next"), k.Row("previous-pane", s.by(-1)).Called("previous"),
		s.needsRow(k.Quiet("reverse-links", s.visit(kit.Links))), s.needsRow(k.Quiet("versions", s.visit(kit.Versions))),
		s.needsRow(k.Quiet("assessments", s.visit(kit.Review))), s.needsRow(k.Quiet("raw", s.visit(kit.Raw))),
		s.needsRow(k.Quiet("copy", s.copyID)), k.Quiet("preview", s.togglePreview), k.Quiet("refresh", s.refresh),
		k.Quiet("up", by(lines(-1))), k.Quiet("half-down", by(half(1))), k.Quiet("half-up", by(half(-1))),
		k.Quiet("top", by(func() int { return -s.preview.scroll })), k.Quiet("bottom", by(lines(maxScroll))),
	}
	return append(rows, s.options.WriteRows(s.about())...)
}

// maxScroll is more rows than a preview has; drawing stops at the last one.
const maxScroll = 1 << 20

func (s *Screen) needsRow(r kit.Row) kit.Row {
	if _, ok := s.under(); !ok {
		if s.loading.Waiting() {
			return r.Unless(kit.ReadingList)
		}
		return r.Unless("the list is empty here")
	}
	return r
}

func (s *Screen) by(n int) func() tea.Cmd {
	return func() tea.Cmd {
		s.cursor.Row += n
		return s.moved()
	}
}

func (s *Screen) visit(screen string) func() tea.Cmd {
	return func() tea.Cmd {
		e, ok := s.under()
		if !ok {
			return nil
		}
		return s.options.Now(kit.Go{Route: kit.Route{Screen: screen, ID: e.ID.String()}})
	}
}

func (s *Screen) copyID() tea.Cmd {
	e, ok := s.under()
	if !ok {
		return nil
	}
	return kit.Send(kit.Copy{Text: e.ID.String(), What: "the event ID"})
}

func (s *Screen) startFilter() tea.Cmd {
	s.typing, s.kept = draw.NewField(capsule.MaxTextScalars, s.list.Text), s.list.Text
	return nil
}

// endFilter leaves the field; the text stays a filter, or becomes what it was
// before it was typed.
func (s *Screen) endFilter(keep bool) func() tea.Cmd {
	return func() tea.Cmd {
		s.typing = nil
		if keep {
			return nil
		}
		l := s.list
		l.Text = s.kept
		return s.change(l)
	}
}

func (s *Screen) nextSort() tea.Cmd {
	l := s.list
	l.Sort = (l.Sort + 1) % view.Sort(len(kit.SortNames()))
	return s.change(l)
}

// nextType goes round: capsules, assessments, retractions, all.
func (s *Screen) nextType() tea.Cmd {
	l := s.list
	l.Filter.Type = (l.Filter.Type + 1) % capsule.Type(len(capsule.Types())+1)
	if l.Filter.Type != capsule.Publish { // what only capsules have would leave nothing
		l.Filter.Kind, l.Filter.Tag, l.Filter.Language, l.Filter.Relation = 0, "", "", 0
	}
	if l.Filter.Type != capsule.Assess {
		l.Filter.Verdict = 0
	}
	return s.change(l)
}

// narrowed reports whether more than the type keeps rows out.
func (s *Screen) narrowed() bool {
	l := s.list
	l.Filter.Type, l.Sort = 0, 0
	return l != kit.List{}
}

func (s *Screen) clear() tea.Cmd {
	l := kit.List{Sort: s.list.Sort}
	l.Filter.Type = capsule.Publish
	return s.change(l)
}

func (s *Screen) togglePreview() tea.Cmd {
	if s.size.W < s.options.PreviewFrom {
		s.preview.full = !s.preview.full
	} else {
		s.preview.wanted = !s.preview.wanted
	}
	return s.read()
}

func (s *Screen) closePreview() tea.Cmd {
	s.preview.full = false
	return nil
}
