// Package draw turns clean texts into frames. It is the only importer of lipgloss,
// x/ansi, bubbles and glamour. Foreign text comes in as clean.Text only; akx's own
// words are constants. One width table, that of x/ansi, measures and draws.
package draw

import (
	"strconv"

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

// Gap is n blank columns.
func Gap(n int) Span {
	const blanks = "                                                                "
	n = max(n, 0)
	if n > len(blanks) {
		n = len(blanks)
	}
	return Span{Text: clean.Own(blanks).Slice(0, n)}
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
	s := t.String()
	columns = max(columns, 1)
	if width(s) <= columns {
		return []clean.Text{t}
	}
	var rows []clean.Text
	start, used, brk, resume := 0, 0, -1, -1
	usedAtBreak := 0
	for at := 0; at < len(s); {
		_, w, n := cluster(s[at:])
		if s[at] == ' ' {
			brk, resume, usedAtBreak = at, at+1, used+1
		} else if w == 2 && at > start {
			brk, resume, usedAtBreak = at, at, used
		}
		if used+w > columns && at > start && s[at] != ' ' {
			if brk > start {
				rows = append(rows, t.Slice(start, brk))
				start, used = resume, used-usedAtBreak
			} else {
				rows = append(rows, t.Slice(start, at))
				start, used = at, 0
			}
			brk = -1
		}
		used += w
		at += n
		if w == 2 && at < len(s) {
			brk, resume, usedAtBreak = at, at, used
		}
	}
	return append(rows, t.Slice(start, len(s)))
}

// WrapLine breaks a line of spans into rows of at most columns, keeping styles.
func WrapLine(l Line, columns int) []Line {
	var all []clean.Text
	for _, s := range l {
		all = append(all, s.Text)
	}
	var rows []Line
	at, inside := 0, 0 // the span and the byte in it where the next row starts
	for _, row := range Wrap(clean.Join(all...), columns) {
		var line Line
		left := len(row.String())
		for left > 0 && at < len(l) {
			text := l[at].Text
			take := min(left, len(text.String())-inside)
			line = append(line, Span{text.Slice(inside, inside+take), l[at].Style})
			left, inside = left-take, inside+take
			if inside == len(text.String()) {
				at, inside = at+1, 0
			}
		}
		rows = append(rows, line)
		for at < len(l) && inside == len(l[at].Text.String()) {
			at, inside = at+1, 0
		}
		if at < len(l) && len(rows) > 0 && l[at].Text.String()[inside] == ' ' && Width(row) < columns {
			inside++
		}
	}
	return rows
}
