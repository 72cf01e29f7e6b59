package report

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"akx/view/clean"
)

// Style is how text is printed.
type Style struct {
	Color bool
	ASCII bool
	Plain bool // spoken order, one thing a line, no columns
	Width int  // columns of the terminal; 0 is no bound
}

// Tone is what a colour says; each tone also stands in the words.
type Tone uint8

// The tones.
const (
	Ordinary Tone = iota
	Strong
	Quiet
	Good
	Bad
)

var sgr = [...]string{Ordinary: "", Strong: "\x1b[1m", Quiet: "\x1b[2m", Good: "\x1b[32m", Bad: "\x1b[1;31m"}

// Cell is a piece of text with its tone. Spoken stands in its place in plain style,
// where the text is an abbreviation.
type Cell struct {
	Text   clean.Text
	Tone   Tone
	Spoken clean.Text
	parts  bool
}

// gap parts two things of a row: by two columns, in plain style by a new line.
var gap = Cell{Text: own("  "), parts: true}

// Printer prints text that is harmless to a terminal. Foreign text never starts
// a row of the terminal, so that it cannot pass for akx's own words: rows that
// would be too wide are broken here and indented.
type Printer struct {
	w     *bufio.Writer
	style Style
}

// NewPrinter prints to w.
func NewPrinter(w io.Writer, s Style) *Printer {
	return &Printer{w: bufio.NewWriterSize(w, 32<<10), style: s}
}

// Style gives the printer's style.
func (p *Printer) Style() Style { return p.style }

// Flush writes what is buffered and gives the first error of writing.
func (p *Printer) Flush() error { return p.w.Flush() }

// Line prints one line of akx's own words.
func (p *Printer) Line(parts ...clean.Text) {
	text := clean.Join(parts...)
	if p.style.Plain {
		text = own(strings.TrimLeft(text.String(), " "))
	}
	p.Wrapped(clean.Text{}, plainCell(text))
}

// Blank prints an empty line; plain style has none.
func (p *Printer) Blank() {
	if !p.style.Plain {
		p.newline()
	}
}

// Heading prints a line that stands out.
func (p *Printer) Heading(cells ...Cell) {
	for i := range cells {
		cells[i].Tone = Strong
	}
	p.Wrapped(clean.Text{}, cells...)
}

const labelWidth = 14

// Field prints a label and its value, which may be several cells.
func (p *Printer) Field(label clean.Words, cells ...Cell) {
	p.Wrapped(p.label("", string(label), labelWidth), cells...)
}

// label is a lead in a column of its own, behind an indent; spoken, it has neither.
func (p *Printer) label(indent, name string, width int) clean.Text {
	switch {
	case !p.style.Plain:
		return own(indent + pad(name, width-1) + " ")
	case name == "":
		return clean.Text{}
	default:
		return own(strings.TrimSpace(name) + ": ")
	}
}

// Author prints text of the author behind a gutter, each line of it.
func (p *Printer) Author(label clean.Words, foreign string) {
	if p.style.Plain {
		p.Line(own(strings.TrimSpace(string(label)) + ", as the author wrote it:"))
	} else {
		p.Line(clean.Own(label))
	}
	for _, line := range clean.Block(foreign) {
		p.authored("  "+p.gutter(), line)
	}
}

// authored prints one line of the author behind a lead, which ends in no blank where
// the line is empty.
func (p *Printer) authored(lead string, line clean.Text) {
	if line.Empty() {
		lead = strings.TrimRight(lead, " ")
	}
	p.Wrapped(own(lead), plainCell(line))
}

// Signed gives one line of foreign text behind a gutter.
func (p *Printer) Signed(foreign string) Cell {
	return plainCell(clean.Join(own(p.gutter()), clean.Line(foreign)))
}

func (p *Printer) gutter() string {
	if p.style.ASCII || p.style.Plain {
		return "| "
	}
	return "▌ "
}

// Wrapped prints lead and cells on one row, or, where the terminal is narrower,
// on several that begin under the first cell behind the same lead's width. Plain
// style has no indent, and a line for each thing between gaps.
func (p *Printer) Wrapped(lead clean.Text, cells ...Cell) {
	if p.style.Plain {
		lead = own(strings.TrimLeft(lead.String(), " "))
	}
	p.w.WriteString(lead.String())
	indent := columns(lead.String())
	if p.style.Width > 0 && indent > p.style.Width/2 {
		indent = 4
	}
	hang := strings.Repeat(" ", indent)
	if g := p.gutter(); strings.HasSuffix(lead.String(), g) && indent >= 2 {
		hang = strings.Repeat(" ", indent-2) + g
	}
	at := columns(lead.String())
	for i, c := range cells {
		switch {
		case !c.parts || !p.style.Plain:
			at = p.cell(c, at, hang)
		case at > 0 && i+1 < len(cells):
			p.newline()
			at = 0
		}
	}
	p.newline()
}

// exact prints one cell whose spaces have a meaning, on a line of its own.
func (p *Printer) exact(c Cell) {
	p.cell(c, 0, "")
	p.newline()
}

// text is what a cell says in the printer's style.
func (p *Printer) text(c Cell) clean.Text {
	if p.style.Plain && !c.Spoken.Empty() {
		return c.Spoken
	}
	return c.Text
}

// cell prints one cell from column at and gives the column after it.
func (p *Printer) cell(c Cell, at int, hang string) int {
	color := p.style.Color && sgr[c.Tone] != ""
	if color {
		p.w.WriteString(sgr[c.Tone])
	}
	text := p.text(c).String()
	for i, r := range text {
		w := runeColumns(r)
		if p.style.Width > 0 && w > 0 && (at+w > p.style.Width || p.breaks(text, i, at, hang)) {
			p.newline()
			p.w.WriteString(hang)
			at = columns(hang)
		}
		p.w.WriteRune(r)
		at += w
	}
	if color {
		p.w.WriteString("\x1b[0m")
	}
	return at
}

// breaks reports whether the word that begins at i goes to the next row: it has no room
// on this one and has it there, so that IDs and flags can be copied whole.
func (p *Printer) breaks(text string, i, at int, hang string) bool {
	if text[i] == ' ' || i > 0 && text[i-1] != ' ' || at <= columns(hang) {
		return false
	}
	word, _, _ := strings.Cut(text[i:], " ")
	n := columns(word)
	return at+n > p.style.Width && columns(hang)+n <= p.style.Width
}

// Table prints rows in aligned columns, cut where the terminal ends, below heads
// where there are any. Plain style prints a line for each cell, behind its head.
func (p *Printer) Table(heads []Cell, rows [][]Cell) {
	if p.style.Plain {
		for i, row := range rows {
			p.spoken(i+1, heads, row)
		}
		return
	}
	if len(heads) > 0 {
		rows = append([][]Cell{heads}, rows...)
	}
	widths := columnWidths(rows)
	for _, row := range rows {
		at := 0
		for i, c := range row {
			c.Text = p.cut(c.Text, at)
			at = p.cell(c, at, "")
			if i == len(row)-1 {
				break
			}
			pad := widths[i] - columns(c.Text.String()) + 2
			if p.style.Width > 0 && at+pad >= p.style.Width {
				break
			}
			p.w.WriteString(strings.Repeat(" ", pad))
			at += pad
		}
		p.newline()
	}
}

// spoken prints row n; its first cell has the number in place of its head.
func (p *Printer) spoken(n int, heads, row []Cell) {
	for i, c := range row {
		lead := clean.Text{}
		switch {
		case i == 0:
			lead = own(number(n) + ": ")
		case i < len(heads):
			lead = clean.Join(heads[i].Text, own(": "))
		}
		if !p.text(c).Empty() {
			p.Wrapped(lead, c)
		}
	}
}

func columnWidths(rows [][]Cell) []int {
	var widths []int
	for _, row := range rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columns(c.Text.String()))
		}
	}
	return widths
}

// cut shortens a text so that its row does not run over the terminal's edge.
func (p *Printer) cut(t clean.Text, at int) clean.Text {
	room := p.style.Width - at
	if p.style.Width == 0 || columns(t.String()) <= room {
		return t
	}
	mark := p.ellipsis()
	if room -= len(mark); room < 0 {
		return clean.Text{}
	}
	end := 0
	for i, r := range t.String() {
		if room -= runeColumns(r); room < 0 {
			break
		}
		end = i + utf8.RuneLen(r)
	}
	return own(t.String()[:end] + mark)
}

// ellipsis marks a text that goes on.
func (p *Printer) ellipsis() string {
	if p.style.ASCII {
		return "..."
	}
	return "…"
}

func (p *Printer) newline() { p.w.WriteByte('\n') }

func (p *Printer) tone(t Tone, text clean.Text) Cell { return Cell{Text: text, Tone: t} }

// columns bounds the columns of clean text from above: no terminal draws a
// character beyond ASCII wider than two columns.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	switch {
	case r < 0x80, r >= 0x2500 && r < 0x2600: // ASCII, box drawing and its neighbours
		return 1
	case unicode.Is(unicode.Mn, r):
		return 0
	default:
		return 2
	}
}

// own takes text that is akx's own or cleaned already.
func own(s string) clean.Text { return clean.Own(clean.Words(s)) }

func plainCell(t clean.Text) Cell { return Cell{Text: t} }

func words(s string) Cell { return Cell{Text: own(s)} }

func number(n int) string { return strconv.Itoa(n) }
