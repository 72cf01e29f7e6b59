package browse

import (
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view"
	"akx/view/capsule"
	"akx/view/clean"
)

// previewed reports whether the preview is on the screen.
func (s *Screen) previewed() bool {
	return s.preview.full || s.preview.wanted && s.size.W >= s.options.PreviewFrom
}

// listWidth is how many columns the list has.
func (s *Screen) listWidth() int {
	if s.preview.full {
		return 0
	}
	if s.previewed() {
		return s.size.W * 52 / 100
	}
	return s.size.W
}

// Draw draws the list and, where there is room, the preview.
func (s *Screen) Draw(f *draw.Frame, area draw.Rect) {
	w := s.listWidth()
	if w > 0 {
		s.drawList(f, draw.Rect{X: area.X, Y: area.Y, W: w, H: area.H})
	}
	if s.previewed() {
		s.drawPreview(f, draw.Rect{X: area.X + w, Y: area.Y, W: area.W - w, H: area.H})
	}
}

func (s *Screen) drawList(f *draw.Frame, r draw.Rect) {
	inner := f.Pane(r, s.title(), s.note(), true)
	columns, head := s.columns(inner.W), s.head()
	if head > 1 {
		f.Put(inner, 0, 0, s.setLine(inner.W))
	}
	f.Put(inner, 0, head-1, columns.header())
	rows := draw.Rect{X: inner.X, Y: inner.Y + head, W: inner.W, H: max(inner.H-head, 0)}
	for i := 0; i < rows.H; i++ {
		e, ok := s.row(s.cursor.Scroll + i)
		if !ok {
			break
		}
		selected := s.cursor.Scroll+i == s.cursor.Row
		columns.draw(f, rows, i, e, selected)
	}
	if s.window.Total == 0 {
		f.Paragraph(rows, 1, s.emptyLine())
	}
	if s.typing != nil {
		edge := draw.Rect{X: r.X + 1, Y: r.Y, W: max(r.W-2, 0), H: 1}
		at := f.Put(edge, 0, 0, draw.Line{draw.Own(draw.Key, " / ")})
		f.Put(edge, at, 0, draw.Line{draw.Gap(edge.W - at)})
		s.typing.Draw(f, draw.Rect{X: edge.X, Y: edge.Y, W: max(edge.W-12, 0), H: 1}, at, 0, draw.Strong)
		count := append(s.count(), draw.Gap(1))
		f.Put(edge, edge.W-count.Width(), 0, count)
	}
}

// emptyLine says why there is nothing, and what to do.
func (s *Screen) emptyLine() draw.Line {
	switch {
	case s.failed != nil:
		return kit.Unread(s.failed)
	case s.loading.Waiting() || !s.window.Complete:
		return draw.Line{draw.Own(draw.Normal, "reading...")}
	case s.typing != nil:
		return draw.Line{draw.Own(draw.Normal, "nothing held has all these terms")}
	case s.list.Lifecycle == view.Active && !s.window.Scope.Complete:
		return draw.Line{draw.Own(draw.Normal, "nothing is called active in a set that is PARTIAL; x drops every filter")}
	case s.narrowed() && s.set.Service() != "":
		return draw.Line{draw.Own(draw.Normal, "nothing in this set matches; x drops every filter, V chooses another set")}
	case s.narrowed():
		return draw.Line{draw.Own(draw.Normal, "nothing held matches; x drops every filter")}
	}
	if s.set.Service() != "" {
		return draw.Line{draw.Own(draw.Normal, "nothing of this type is in this set; t shows other types, V another set")}
	}
	return draw.Line{draw.Own(draw.Normal, "nothing of this type is held; t shows other types")}
}

// head is how many rows stand above the list: the names of the columns, and before
// them whose set it is, where it is that of one service.
func (s *Screen) head() int {
	if s.set.Service() != "" {
		return 2
	}
	return 1
}

// setLine says whose set is listed, up to what and when, and whether it is complete.
func (s *Screen) setLine(columns int) draw.Line {
	if s.window.Scope.Seen == 0 {
		return draw.Line{draw.Own(draw.Quiet, " seen by "), draw.Say(draw.Strong, s.options.Services.Name(string(s.set.Service())))}
	}
	return s.options.ScopeTitle(columns, s.window.Scope, nil, nil)
}

// title says what is listed and what narrows it.
func (s *Screen) title() draw.Line {
	words := map[capsule.Type]clean.Words{
		0: " event", capsule.Publish: " capsule", capsule.Assess: " assessment", capsule.Retract: " retraction",
	}
	line := append(s.count(), draw.Own(draw.Strong, words[s.list.Filter.Type]))
	if s.window.Total != 1 || !s.window.Complete {
		line = append(line, draw.Own(draw.Strong, "s"))
	}
	if kit.NotFollowed(s.failed) { // nothing is counted
		line = draw.Line{draw.Own(draw.Strong, "No set")}
	}
	if s.waits > 0 {
		waits := clean.Words(" wait (W)")
		if s.waits == 1 {
			waits = " waits (W)"
		}
		line = append(line, draw.Own(draw.Quiet, " "+s.options.Glyphs.Dot+" "), draw.Say(draw.Warn, draw.Int(s.waits)), draw.Own(draw.Warn, waits))
	}
	if s.narrowed() {
		line = append(append(line, draw.Own(draw.Quiet, " "+s.options.Glyphs.Dot)), s.filterWords()...)
	}
	return line
}

// count is how many rows there are; a plus says that the scan goes on.
func (s *Screen) count() draw.Line {
	line := draw.Line{draw.Say(draw.Strong, draw.Int(s.window.Total))}
	if !s.window.Complete {
		line = append(line, draw.Own(draw.Strong, "+"))
	}
	return line
}

// note says where in the list the cursor is and how it is sorted.
func (s *Screen) note() draw.Line {
	row := s.cursor.Row + 1
	if s.window.Total == 0 {
		row = 0
	}
	return append(draw.Line{draw.Say(draw.Normal, draw.Int(row)), draw.Own(draw.Normal, "/")}, append(s.count(),
		draw.Own(draw.Normal, " sort: "), draw.Own(draw.Normal, sortWords[s.list.Sort]))...)
}

// columns says which columns fit. They go in a set order: the date first, then the
// sig word becomes shorter; the lifecycle stays.
type columns struct {
	screen          *Screen
	date, wide      bool
	life, datewidth int
}

func (s *Screen) columns(w int) columns {
	return columns{screen: s, date: w >= 50, wide: w >= 42, life: 18, datewidth: 8}
}

func (c columns) header() draw.Line {
	scope := c.screen.options.ScopeName(c.screen.window.Scope)
	life := draw.Cut(clean.Join(clean.Own("in "), scope), c.life-1, c.screen.options.Glyphs.Ellipsis)
	line := draw.Line{draw.Own(draw.Quiet, "   k ")}
	if c.wide {
		line = append(line, draw.Own(draw.Quiet, "sig "))
	}
	line = append(line, draw.Say(draw.Quiet, life), draw.Gap(c.life-draw.Width(life)))
	if c.date {
		line = append(line, draw.Own(draw.Quiet, "date    "))
	}
	return append(line, draw.Own(draw.Quiet, "title"))
}

// draw draws one row: status words first, author text last and in its own column.
func (c columns) draw(f *draw.Frame, rows draw.Rect, i int, e view.Entry, selected bool) {
	line := draw.Line{draw.Own(draw.Key, "   ")}
	if selected {
		line = draw.Line{draw.Own(draw.Key, " > ")}
	}
	if e.Damaged {
		line = append(line, draw.Own(draw.Bad, "? DAMAGED here: nothing else is shown; import it again"))
		f.Put(rows, 0, i, line)
	} else {
		line = append(line, draw.Say(draw.Strong, kit.TypeLetter(e.Type, e.Kind)), draw.Gap(1))
		if c.wide {
			line = append(line, draw.Own(draw.Good, "ok  "))
		}
		life := kit.LifeLine(e)
		line = append(append(line, life...), draw.Gap(max(c.life-life.Width(), 1)))
		if c.date {
			date := kit.Date(e.CreatedAt, c.screen.options.Clock())
			line = append(line, draw.Say(draw.Normal, date), draw.Gap(c.datewidth-draw.Width(date)))
		}
		if e.Type == capsule.Assess {
			verdict := clean.Line(e.Verdict.String())
			line = append(line, draw.Say(draw.Strong, verdict), draw.Gap(15-draw.Width(verdict)))
		}
		if own := c.screen.options.OwnMark(e); own != nil { // its words are no part of the title
			line = append(append(line, own...), draw.Own(draw.Gutter, c.screen.options.Glyphs.Gutter))
		}
		at := f.Put(rows, 0, i, line)
		title := draw.Rect{X: rows.X + at, Y: rows.Y, W: max(rows.W-at, 0), H: rows.H}
		f.Put(title, 0, i, draw.Line{draw.Say(draw.Author, draw.Cut(clean.Line(e.Title), title.W, c.screen.options.Glyphs.Ellipsis))})
	}
	if selected {
		f.Fill(rows, i, draw.Reversed)
	}
}

// sortWords say what a sort goes by: arrival here, the signer's claim, or the title.
var sortWords = map[view.Sort]clean.Words{
	view.Newest: "newest arrival", view.Created: "created", view.Title: "title",
}
