package termtest

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Screen is what stood on the terminal at one moment.
type Screen struct {
	Rows          []string // one string a row, trailing blanks removed
	Width, Height int
	CursorX       int // column from 0
	CursorY       int // row from 0
	CursorShown   bool
	Alternate     bool // the alternate screen is shown
}

// Has tells whether text stands within one row.
func (sc Screen) Has(text string) bool {
	for _, row := range sc.Rows {
		if strings.Contains(row, text) {
			return true
		}
	}
	return false
}

// Find gives the column and the row, counted from 0 in cells as [Click] takes
// them, where text first stands, or -1, -1.
func (sc Screen) Find(text string) (x, y int) {
	for y, row := range sc.Rows {
		if before, _, found := strings.Cut(row, text); found {
			return ansi.StringWidth(before), y
		}
	}
	return -1, -1
}

// String draws the screen inside a frame, for test failures and goldens.
func (sc Screen) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%dx%d cursor %d,%d shown=%t alternate=%t\n", sc.Width, sc.Height, sc.CursorX, sc.CursorY, sc.CursorShown, sc.Alternate)
	for _, row := range sc.Rows {
		b.WriteString("|" + row + "\n")
	}
	return b.String()
}

// snapshot is called with the lock held.
func (s *Session) snapshot() Screen {
	at := s.emu.CursorPosition()
	sc := Screen{
		Width: s.emu.Width(), Height: s.emu.Height(),
		CursorX: at.X, CursorY: at.Y,
		CursorShown: !s.emu.CursorHidden(),
		Alternate:   s.emu.IsAltScreen(),
		Rows:        make([]string, s.emu.Height()),
	}
	var row strings.Builder
	for y := range sc.Rows {
		row.Reset()
		for x := 0; x < sc.Width; x++ {
			switch cell := s.emu.CellAt(x, y); {
			case cell == nil || cell.Width == 0:
			case cell.Content == "":
				row.WriteByte(' ')
			default:
				row.WriteString(cell.Content)
			}
		}
		sc.Rows[y] = strings.TrimRight(row.String(), " ")
	}
	return sc
}
