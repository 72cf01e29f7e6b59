package clean

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// What stands for a line break and for a tab on one line.
const (
	BreakMark = "⏎"
	TabMark   = "⇥"
)

const (
	// maxMarks is how many combining marks a character may carry; what is more is
	// counted in words. Living scripts stay below it.
	maxMarks = 6
	// maxJoins is how many joiners one emoji may hold; the longest in use have three.
	maxJoins = 4
	tabWidth = 8
)

// Line makes foreign text harmless on one line: a newline, with or without its
// carriage return, becomes ⏎ and a tab ⇥.
func Line(foreign string) Text {
	if plain(foreign) {
		return Text{s: foreign}
	}
	c := cleaner{oneLine: true}
	c.write(foreign)
	return c.text()
}

// Block makes foreign text harmless and keeps its line breaks: one Text a line,
// as many as there are newlines (alone or behind a carriage return) and one more,
// none for the empty string. Tabs become spaces up to the next multiple of 8
// columns. A carriage return elsewhere is shown in words.
func Block(foreign string) []Text {
	if foreign == "" {
		return nil
	}
	lines := make([]Text, 0, 1+strings.Count(foreign, "\n"))
	for more := true; more; {
		var line string
		line, foreign, more = strings.Cut(foreign, "\n")
		if more {
			line = strings.TrimSuffix(line, "\r")
		}
		if plain(line) {
			lines = append(lines, Text{s: line})
			continue
		}
		var c cleaner
		c.write(line)
		lines = append(lines, c.text())
	}
	return lines
}

// plain reports whether s is printable ASCII.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// cleaner builds one Text from left to right.
type cleaner struct {
	out     strings.Builder
	hidden  int
	alerts  map[rune]int // counts by rune where somebody asked for them
	oneLine bool

	based  bool // something stands before that a mark may combine with
	marks  int  // combining marks on it
	excess int  // marks left out behind it
	joins  int  // joiners in the emoji so far
	emoji  emojiState
	leads  bool // the character before is a leading letter of Hangul

	column   int // columns up to measured
	measured int // bytes of out that column counts
}

func (c *cleaner) text() Text {
	c.flush()
	return Text{s: c.out.String(), hidden: c.hidden}
}

func (c *cleaner) write(s string) {
	c.out.Grow(len(s) + len(s)/8)
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		rest := s[i+size:]
		switch {
		case r == utf8.RuneError && size == 1:
			c.words(r, byteName(s[i]))
		case r == '\t':
			c.tab()
		case c.oneLine && r == '\n':
			c.keep(BreakMark)
		case c.oneLine && r == '\r' && strings.HasPrefix(rest, "\n"):
			// the newline behind it says it all
		case hides(r) && !c.belongs(r, rest):
			c.words(r, runeName(r))
		case c.combines(r) && !c.carries(r):
			// counted, or in words
		default:
			c.show(r, s[i:i+size])
		}
		i += size
	}
}

// belongs reports whether r, a hidden character, may stay as part of an emoji.
func (c *cleaner) belongs(r rune, rest string) bool {
	return (r != zwj || c.joins < maxJoins) && c.emoji.belongs(r, rest)
}

// combines reports whether r counts as a mark on the character before it.
func (c *cleaner) combines(r rune) bool { return combines(r) || c.leads && leads(r) }

// show keeps a character as it is.
func (c *cleaner) show(r rune, as string) {
	switch {
	case r == zwj:
		c.joins++
	case !c.combines(r):
		c.flush()
		c.based = true
		if c.emoji != joined {
			c.joins = 0
		}
	}
	c.out.WriteString(as)
	c.emoji = c.emoji.then(r)
	c.leads = leads(r)
}

// carries reports whether the combining mark r may be drawn where it stands. It
// goes in words where it has nothing of the text to stand on, and is only counted
// where the character before it is full.
func (c *cleaner) carries(r rune) bool {
	if r == emojiVS || r == textVS {
		return true
	}
	if !c.based {
		c.words(r, runeName(r))
		return false
	}
	if c.marks == maxMarks {
		c.excess++
		return false
	}
	c.marks++
	return true
}

// keep writes a visible mark of akx's own, which nothing combines with.
func (c *cleaner) keep(mark string) {
	c.flush()
	c.out.WriteString(mark)
	c.based, c.leads, c.emoji = false, false, noEmoji
}

// words writes the name of r in angle brackets and counts it.
func (c *cleaner) words(r rune, name string) {
	c.keep("<" + name + ">")
	c.count(r, 1)
}

func (c *cleaner) count(r rune, n int) {
	c.hidden += n
	if c.alerts != nil {
		c.alerts[r] += n
	}
}

// flush ends a character: marks that it could not carry are told.
func (c *cleaner) flush() {
	if c.excess > 0 {
		c.out.WriteString("<" + strconv.Itoa(c.excess) + " marks>")
		c.count(ManyMarks, c.excess)
	}
	c.marks, c.excess = 0, 0
}

func (c *cleaner) tab() {
	if c.oneLine {
		c.keep(TabMark)
		return
	}
	c.flush()
	c.column += columns(c.out.String()[c.measured:])
	n := tabWidth - c.column%tabWidth
	c.keep("        "[:n])
	c.column += n
	c.measured = c.out.Len()
}

// columns estimates how many columns s takes, well enough for tabs.
func columns(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
			n++
		case combines(r) || r == zwj:
		default:
			n++
			if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
				n++
			}
		}
	}
	return n
}

// runeName names a code point, such as U+202E.
func runeName(r rune) string {
	const digits = "0123456789ABCDEF"
	name := []byte("U+0000")
	if r > 0xffff {
		name = []byte("U+00000")
	}
	if r > 0xfffff {
		name = []byte("U+000000")
	}
	for i := len(name) - 1; r > 0; i-- {
		name[i] = digits[r&15]
		r >>= 4
	}
	return string(name)
}

// byteName names a byte that is no UTF-8, such as 0x9B.
func byteName(b byte) string {
	const digits = "0123456789ABCDEF"
	return string([]byte{'0', 'x', digits[b>>4], digits[b&15]})
}
