package kit

import tea "github.com/charmbracelet/bubbletea"

// Cursor is a place in a list of rows: the row under it and the first row shown.
type Cursor struct{ Row, Scroll int }

// Clamp keeps the cursor inside total rows and the view around it.
func (c *Cursor) Clamp(total, height int) {
	height = max(height, 1)
	c.Row = min(max(c.Row, 0), max(total-1, 0))
	c.Scroll = min(max(c.Scroll, c.Row-height+1), c.Row)
	c.Scroll = max(min(c.Scroll, total-height), 0)
}

// Wheel moves the view by lines and the cursor only as far as it must.
func (c *Cursor) Wheel(lines, total, height int) {
	c.Scroll = max(min(c.Scroll+lines, total-height), 0)
	c.Row = min(max(c.Row, c.Scroll), c.Scroll+max(height, 1)-1)
	c.Clamp(total, height)
}

// MoveRows are the rows by which a cursor moves; moved runs after each.
func (c *Cursor) MoveRows(k Keymap, total, height func() int, moved func() tea.Cmd) []Row {
	by := func(n func() int) func() tea.Cmd {
		return func() tea.Cmd {
			c.Row += n()
			c.Clamp(total(), height())
			return moved()
		}
	}
	fixed := func(n int) func() int { return func() int { return n } }
	return []Row{
		k.Quiet("down", by(fixed(1))), k.Quiet("up", by(fixed(-1))),
		k.Quiet("half-down", by(func() int { return max(height()/2, 1) })),
		k.Quiet("half-up", by(func() int { return -max(height()/2, 1) })),
		k.Quiet("top", by(func() int { return -c.Row })),
		k.Quiet("bottom", by(func() int { return total() })),
	}
}
