package draw

import (
	"strconv"
	"strings"

	"akx/view/clean"
)

// Rect is a place in a frame, in columns and rows from its top left corner.
type Rect struct{ X, Y, W, H int }

// Inset takes columns off both sides and rows off top and bottom.
func (r Rect) Inset(columns, rows int) Rect {
	return Rect{r.X + columns, r.Y + rows, max(r.W-2*columns, 0), max(r.H-2*rows, 0)}
}

// Contains reports whether the point is in r.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// cell is one column of a row; text is empty for the second column of a wide cluster.
type cell struct {
	text  string
	style Style
	wide  bool
	tail  bool // the second column of a wide cluster
}

// Frame is a grid that screens draw on. Later drawings cover earlier ones, so an
// overlay needs nothing from what lies beneath it.
type Frame struct {
	W, H   int
	Glyphs Glyphs
	cells  []cell
	caretX int
	caretY int
	caret  bool
}

// NewFrame makes a blank frame; negative sizes count as zero.
func NewFrame(w, h int, g Glyphs) *Frame {
	w, h = max(w, 0), max(h, 0)
	return &Frame{W: w, H: h, Glyphs: g, cells: make([]cell, w*h)}
}

// Area is the whole frame.
func (f *Frame) Area() Rect { return Rect{0, 0, f.W, f.H} }

// Caret says where the real cursor stands; the last call of a frame counts.
func (f *Frame) Caret(x, y int) {
	f.caretX, f.caretY, f.caret = x, y, x >= 0 && y >= 0 && x < f.W && y < f.H
}

// CaretAt gives the caret; ok is false when no text field is drawn.
func (f *Frame) CaretAt() (x, y int, ok bool) { return f.caretX, f.caretY, f.caret }

// Put draws line in row (from the top of area), starting at column (from its left
// edge, may be negative to scroll sideways), cut to the area. It gives the column
// after the last one that was drawn.
func (f *Frame) Put(area Rect, column, row int, line Line) int {
	area = f.clip(area)
	y := area.Y + row
	if row < 0 || row >= area.H {
		return column
	}
	for _, span := range line {
		s := span.Text.String()
		for len(s) > 0 {
			text, w, n := cluster(s)
			s = s[n:]
			if w == 0 {
				f.mark(area.X+column-1, y, area, text)
				continue
			}
			if column >= 0 && column+w <= area.W {
				f.set(area.X+column, y, text, w, span.Style)
			}
			column += w
			if column >= area.W {
				return area.W
			}
		}
	}
	return column
}

// mark adds combining marks to the character before them, if that was drawn.
func (f *Frame) mark(x, y int, area Rect, text string) {
	if x < area.X || x >= area.X+area.W {
		return
	}
	c := &f.cells[y*f.W+x]
	if c.tail {
		c = &f.cells[y*f.W+x-1]
	}
	if c.text != "" {
		c.text += text
	}
}

// Fill sets the style of every column of a row that nothing was drawn on or that
// was, keeping the text: the selection bar.
func (f *Frame) Fill(area Rect, row int, mark func(Style) Style) {
	area = f.clip(area)
	if row < 0 || row >= area.H {
		return
	}
	for x := area.X; x < area.X+area.W; x++ {
		c := &f.cells[(area.Y+row)*f.W+x]
		c.style = mark(c.style)
	}
}

// Clear blanks an area.
func (f *Frame) Clear(area Rect) {
	area = f.clip(area)
	for y := area.Y; y < area.Y+area.H; y++ {
		for x := area.X; x < area.X+area.W; x++ {
			f.set(x, y, "", 1, Style{})
		}
	}
}

// set writes one cluster and blanks what it tears in two.
func (f *Frame) set(x, y int, text string, w int, style Style) {
	row := f.cells[y*f.W : (y+1)*f.W]
	if row[x].tail && x > 0 {
		row[x-1].text, row[x-1].wide = "", false
	}
	last := x + w - 1
	if row[last].wide && last+1 < f.W {
		row[last+1] = cell{style: row[last+1].style}
	}
	row[x] = cell{text: text, style: style, wide: w == 2}
	if w == 2 {
		row[x+1] = cell{style: style, tail: true}
	}
}

func (f *Frame) clip(r Rect) Rect {
	x0, y0 := max(r.X, 0), max(r.Y, 0)
	x1, y1 := min(r.X+r.W, f.W), min(r.Y+r.H, f.H)
	return Rect{x0, y0, max(x1-x0, 0), max(y1-y0, 0)}
}

// Render gives the frame as terminal output: exactly H rows of exactly W columns.
// After a cluster whose width terminals disagree on, the column is set outright,
// so that a border never moves.
func (f *Frame) Render(t *Theme) string {
	var b strings.Builder
	b.Grow(f.W*f.H + f.H*24)
	for y := range f.H {
		if y > 0 {
			b.WriteByte('\n')
		}
		f.renderRow(&b, f.cells[y*f.W:(y+1)*f.W], t)
	}
	return b.String()
}

func (f *Frame) renderRow(b *strings.Builder, row []cell, t *Theme) {
	var current Style
	open, doubtful := false, false
	for x := range row {
		c := &row[x]
		if c.tail {
			continue
		}
		if doubtful && !c.wide {
			b.WriteString("\x1b[")
			b.WriteString(strconv.Itoa(x + 1))
			b.WriteByte('G')
			doubtful = false
		}
		if !open || c.style != current {
			if open {
				b.WriteString(t.close(current))
			}
			b.WriteString(t.open(c.style))
			current, open = c.style, true
		}
		if c.text == "" {
			b.WriteByte(' ')
			continue
		}
		b.WriteString(c.text)
		doubtful = doubtful || len(c.text) > 1 && uncertain(c.text)
	}
	if open {
		b.WriteString(t.close(current))
	}
}

// uncertain reports whether terminals may disagree about the width of a cluster:
// anything beyond the box drawing that akx itself uses and Latin letters.
func uncertain(s string) bool {
	for _, r := range s {
		if r >= 0x300 && (r < 0x2500 || r > 0x259F) && r != '…' && r != '▸' {
			return true
		}
	}
	return false
}

// Plain gives the text of the frame without styles, rows without trailing blanks:
// what tests and golden files compare.
func (f *Frame) Plain() string {
	var b strings.Builder
	for y := range f.H {
		var row strings.Builder
		for x := range f.W {
			c := f.cells[y*f.W+x]
			switch {
			case c.tail:
			case c.text == "":
				row.WriteByte(' ')
			default:
				row.WriteString(c.text)
			}
		}
		b.WriteString(strings.TrimRight(row.String(), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// Pane draws a border with a title on its top edge and a note on its bottom edge,
// and gives the area inside. Focused panes have a stronger border.
func (f *Frame) Pane(r Rect, title, note Line, focused bool) Rect {
	if r.W < 2 || r.H < 2 {
		return Rect{r.X, r.Y, 0, 0}
	}
	g := f.Glyphs
	role := Border
	if focused {
		role = BorderFocused
	}
	f.edge(r, 0, g.TopLeft, g.Horizontal, g.TopRight, role)
	for y := 1; y < r.H-1; y++ {
		f.Put(r, 0, y, Line{Own(role, g.Vertical)})
		f.Put(r, r.W-1, y, Line{Own(role, g.Vertical)})
	}
	f.edge(r, r.H-1, g.BottomLeft, g.Horizontal, g.BottomRight, role)
	top := Rect{r.X + 1, r.Y, max(r.W-2, 0), 1}
	if len(title) > 0 {
		padded := append(append(Line{Gap(1)}, title.Cut(top.W-2, g.Ellipsis)...), Gap(1))
		f.Put(top, 0, 0, padded)
	}
	if len(note) > 0 {
		padded := append(append(Line{Gap(1)}, note...), Gap(1))
		if w := padded.Width(); w <= top.W {
			f.Put(Rect{top.X, r.Y + r.H - 1, top.W, 1}, top.W-w, 0, padded)
		}
	}
	return r.Inset(1, 1)
}

// Paragraph draws a line from a row on, wrapped to the area with a column free on
// each side. It gives the row after it.
func (f *Frame) Paragraph(area Rect, row int, line Line) int {
	for _, part := range WrapLine(line, max(area.W-2, 1)) {
		f.Put(area, 1, row, part)
		row++
	}
	return row
}

func (f *Frame) edge(r Rect, row int, left, middle, right clean.Words, role Role) {
	line := Line{Own(role, left)}
	for range r.W - 2 {
		line = append(line, Own(role, middle))
	}
	f.Put(r, 0, row, append(line, Own(role, right)))
}
