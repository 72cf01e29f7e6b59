// Package clean makes foreign text harmless. Text is the only kind of string that
// drawings and printed lines take; nothing outside this package can make one but
// through a cleaner. It is pure and imports nothing of akx.
package clean

// Text is harmless to a terminal: no control, no bidi control, no hidden
// character. Hidden ones stand in it in words, such as <U+202E>.
type Text struct {
	s      string
	hidden int
}

// Words are akx's own words. Untyped constants convert by themselves; a variable
// of type string does not, so that foreign text cannot pass for akx's words.
type Words string

// Own takes akx's own words as they are.
func Own(w Words) Text { panic("skeleton") }

// Line makes foreign text harmless on one line: newlines and tabs become visible marks.
func Line(foreign string) Text { panic("skeleton") }

// Block makes foreign text harmless and keeps its line breaks: one Text a line;
// tabs become spaces up to the next multiple of 8 columns.
func Block(foreign string) []Text { panic("skeleton") }

// Join puts texts side by side.
func Join(parts ...Text) Text { panic("skeleton") }

func (t Text) String() string { return t.s }

// Hidden counts characters that stand in words in t.
func (t Text) Hidden() int { return t.hidden }

// Alert is one kind of hidden character in a text.
type Alert struct {
	Rune  rune
	Name  string // such as "U+202E"
	Count int
}

// Alerts counts the hidden characters of foreign texts, by rune.
func Alerts(foreign ...string) []Alert { panic("skeleton") }

// AppendJSON appends s as a JSON string in which C0, DEL, C1, bidi, zero-width and
// tag characters are written as \uXXXX: exact as a value, harmless as bytes.
func AppendJSON(dst []byte, s string) []byte { panic("skeleton") }
