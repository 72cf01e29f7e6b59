package compose

import (
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view/clean"
)

// listBox is a list in the middle of the screen, with a head above it.
type listBox struct {
	options kit.Options
	cursor  kit.Cursor
	height  int // rows of the list when it was last drawn
}

func (l *listBox) move(by, total int) {
	l.cursor.Row += by
	l.cursor.Clamp(total, max(l.height, 1))
}

// boxWidth is the width of a listBox in an area.
func boxWidth(area draw.Rect) int { return min(area.W-4, 110) }

// draw draws title, head, rows and foot; it gives where the head stands.
func (l *listBox) draw(f *draw.Frame, area draw.Rect, title clean.Words, head int, rows []draw.Line, foot []draw.Line) draw.Rect {
	w := boxWidth(area)
	h := min(max(len(rows), 3)+head+len(foot)+2, area.H-2)
	box := draw.Rect{X: (area.W - w) / 2, Y: max((area.H-h)/3, 1), W: w, H: h}
	f.Clear(box)
	inner := f.Pane(box, draw.Line{draw.Own(draw.Strong, title)}, nil, true)
	l.height = max(inner.H-head-len(foot), 1)
	l.cursor.Clamp(len(rows), l.height)
	list := draw.Rect{X: inner.X, Y: inner.Y + head, W: inner.W, H: min(l.height, inner.H)}
	for i := 0; i < list.H && l.cursor.Scroll+i < len(rows); i++ {
		f.Put(list, 1, i, rows[l.cursor.Scroll+i].Cut(list.W-2, f.Glyphs.Ellipsis))
		if l.cursor.Scroll+i == l.cursor.Row {
			f.Fill(list, i, draw.Reversed)
		}
	}
	for i, line := range foot {
		f.Put(inner, 1, inner.H-len(foot)+i, line.Cut(inner.W-2, f.Glyphs.Ellipsis))
	}
	return draw.Rect{X: inner.X, Y: inner.Y, W: inner.W, H: min(head, inner.H)}
}
