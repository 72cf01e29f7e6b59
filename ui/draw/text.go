// Package draw turns clean texts into frames. It is the only importer of lipgloss,
// x/ansi, bubbles and glamour. Foreign text comes in as clean.Text only; akx's own
// words are constants. One width table, that of x/ansi, measures and draws.
package draw

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"akx/view/clean"
)

// Span is a stretch of text in one style.
type Span struct {
	Text  clean.Text
	Style Style
}

// Line is a row of spans, not yet cut to a width.
type Line []Span

// Own makes a span of akx's own words.
func Own(r Role, w clean.Words) Span { return Span{clean.Own(w), Style{Role: r}} }

// Say makes a span of clean text.
func Say(r Role, t clean.Text) Span { return Span{t, Style{Role: r}} }

// Int makes clean text of a number, with commas between thousands.
func Int[N ~int | ~int64 | ~uint64](n N) clean.Text {
	digits := strconv.FormatInt(int64(n), 10)
	var out []byte
	for i := 0; i < len(digits); i++ {
		if i > 0 && (len(digits)-i)%3 == 0 && digits[i-1] != '-' {
			out = append(out, ',')
		}
		out = append(out, digits[i])
	}
	return clean.Line(string(out))
}

// maxGap bounds a gap: wider than any terminal.
const maxGap = 1000

// Gap is n blank columns.
func Gap(n int) Span {
	return Span{Text: clean.Line(strings.Repeat(" ", min(max(n, 0), maxGap)))}
}

// Width counts the columns of t.
func Width(t clean.Text) int { return width(t.String()) }

// Width counts the columns of a line.
func (l Line) Width() int {
	n := 0
	for _, s := range l {
		n += Width(s.Text)
	}
	return n
}

func width(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return ansi.StringWidth(s)
		}
	}
	return len(s)
}

// cluster cuts the first grapheme cluster off s.
func cluster(s string) (text string, columns, size int) {
	if s[0] < 0x80 && (len(s) == 1 || s[1] < 0x80) {
		return s[:1], 1, 1
	}
	text, columns, size, _ = ansi.DecodeSequence(s, 0, nil)
	return text, columns, size
}

// Cut keeps the first columns of t; tail stands at the end when something was cut.
func Cut(t clean.Text, columns int, tail clean.Words) clean.Text {
	s := t.String()
	if width(s) <= columns {
		return t
	}
	end := clean.Own(tail)
	room := columns - Width(end)
	if room < 0 {
		room, end = max(columns, 0), clean.Text{}
	}
	return clean.Join(t.Slice(0, prefix(s, room)), end)
}

// Cut keeps the first columns of a line; tail stands at the end when something was cut.
func (l Line) Cut(columns int, tail clean.Words) Line {
	if l.Width() <= columns {
		return l
	}
	end := clean.Own(tail)
	room := max(columns-Width(end), 0)
	out := make(Line, 0, len(l)+1)
	for _, s := range l {
		kept := s.Text.Slice(0, prefix(s.Text.String(), room))
		out, room = append(out, Span{kept, s.Style}), room-Width(kept)
		if kept.String() != s.Text.String() {
			return append(out, Span{end, s.Style})
		}
	}
	return append(out, Say(Normal, end))
}

// prefix is the number of bytes whose columns fit into room.
func prefix(s string, room int) int {
	at, used := 0, 0
	for at < len(s) {
		_, w, n := cluster(s[at:])
		if used+w > room {
			break
		}
		at, used = at+n, used+w
	}
	return at
}

// Wrap breaks t into rows of at most columns: after a blank where there is one,
// beside wide characters (which need no blank), and inside a word only when it is
// longer than a row. Nothing but the blank at a break is lost.
func Wrap(t clean.Text, columns int) []clean.Text {
	cuts := breaks(t.String(), columns)
	rows := make([]clean.Text, len(cuts))
	for i, c := range cuts {
		rows[i] = t.Slice(c.from, c.to)
	}
	return rows
}

// Fold breaks t into full rows, blanks or not, and loses nothing: for text whose
// every character counts.
func Fold(t clean.Text, columns int) []clean.Text {
	s := t.String()
	var rows []clean.Text
	for start := 0; ; {
		end := start + prefix(s[start:], max(columns, 1))
		if end == start && start < len(s) { // a wide character in one column
			_, _, n := cluster(s[start:])
			end += n
		}
		rows = append(rows, t.Slice(start, end))
		if start = end; start == len(s) {
			return rows
		}
	}
}

// WrapLine breaks a line of spans like Wrap and keeps the styles.
func WrapLine(l Line, columns int) []Line {
	all := make([]clean.Text, len(l))
	for i, s := range l {
		all[i] = s.Text
	}
	cuts := breaks(clean.Join(all...).String(), columns)
	rows := make([]Line, len(cuts))
	for i, c := range cuts {
		start := 0
		for _, s := range l {
			end := start + len(s.Text.String())
			if from, to := max(c.from, start), min(c.to, end); from < to {
				rows[i] = append(rows[i], Span{s.Text.Slice(from-start, to-start), s.Style})
			}
			start = end
		}
	}
	return rows
}

// stretch is the bytes of one row.
type stretch struct{ from, to int }

func breaks(s string, columns int) []stretch {
	columns = max(columns, 1)
	if width(s) <= columns {
		return []stretch{{0, len(s)}}
	}
	var rows []stretch
	for start := 0; start < len(s); {
		end, next := rowEnd(s, start, columns)
		rows = append(rows, stretch{start, end})
		start = next
	}
	return rows
}

// rowEnd gives where the row that begins at start ends, and where the next begins.
func rowEnd(s string, start, columns int) (end, next int) {
	breakAt, resume, used := -1, -1, 0
	for at := start; at < len(s); {
		_, w, n := cluster(s[at:])
		switch {
		case s[at] == ' ':
			breakAt, resume = at, at+1
			if used+w > columns {
				return breakAt, resume
			}
		case w == 2 && at > start && s[at-1] != ' ':
			breakAt, resume = at, at
		}
		if used+w > columns && at > start {
			if breakAt > start {
				return breakAt, resume
			}
			return at, at
		}
		used, at = used+w, at+n
		if w == 2 {
			breakAt, resume = at, at
		}
	}
	return len(s), len(s)
}
