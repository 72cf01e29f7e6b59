package draw

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"akx/view/clean"
)

// Field is one line of text that the user types, with readline keys. It is drawn
// by the frame, so it has no smallest width, and the real cursor stands at its caret.
type Field struct{ input textinput.Model }

// NewField makes a field that holds at most limit characters.
func NewField(limit int, value string) *Field {
	m := textinput.New()
	m.Prompt = ""
	m.CharLimit = limit
	m.KeyMap.Paste = key.NewBinding() // pastes come bracketed, through the input wrapper
	m.SetValue(value)
	m.Focus()
	return &Field{input: m}
}

// Key gives a key to the field and reports whether its text changed.
func (f *Field) Key(msg tea.KeyMsg) bool {
	before := f.input.Value()
	f.input, _ = f.input.Update(msg)
	return f.input.Value() != before
}

// Paste puts text at the caret; line breaks become blanks.
func (f *Field) Paste(text string) bool {
	text = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ").Replace(text)
	return f.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)})
}

// Value is the text as typed.
func (f *Field) Value() string { return f.input.Value() }

// SetValue replaces the text and puts the caret at its end.
func (f *Field) SetValue(s string) {
	f.input.SetValue(s)
	f.input.CursorEnd()
}

// Draw draws the field into row of area from column on, scrolled so that the caret
// is seen, and sets the frame's caret.
func (f *Field) Draw(frame *Frame, area Rect, column, row int, role Role) {
	room := Rect{area.X + column, area.Y + row, max(area.W-column, 0), 1}
	if room.W == 0 || row < 0 || row >= area.H {
		return
	}
	before := string([]rune(f.input.Value())[:f.input.Position()])
	caret := Width(clean.Line(before))
	shift := max(caret-room.W+1, 0)
	frame.Put(room, -shift, 0, Line{Say(role, clean.Line(f.input.Value()))})
	frame.Caret(room.X+caret-shift, room.Y)
}
