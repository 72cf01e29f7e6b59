// Package clean makes foreign text harmless. Text is the only kind of string that
// drawings and printed lines take; nothing outside this package can make one but
// through a cleaner. It is pure and imports nothing of akx.
//
// A character that acts or hides is shown in words, such as <U+202E>, and counted;
// a byte that is no UTF-8 likewise, such as <0x9B>. Accents, right-to-left letters,
// Chinese, flags and emoji stay as they are.
package clean

import (
	"strconv"
	"strings"
)

// Text is harmless to a terminal: no control, no bidi control, no hidden
// character. Hidden ones stand in it in words, such as <U+202E>. It never starts
// with a mark that would combine with what is drawn before it.
type Text struct {
	s      string
	hidden int
}

// Words are akx's own words. Untyped constants convert by themselves; a variable
// of type string does not, so that foreign text cannot pass for akx's words.
type Words string

// Own takes akx's own words as they are.
func Own(w Words) Text { return Text{s: string(w)} }

// Number writes n in decimal.
func Number(n int) Text { return Text{s: strconv.Itoa(n)} }

// Join puts texts side by side.
func Join(parts ...Text) Text {
	size, hidden := 0, 0
	for _, p := range parts {
		size += len(p.s)
		hidden += p.hidden
	}
	var b strings.Builder
	b.Grow(size)
	for _, p := range parts {
		b.WriteString(p.s)
	}
	return Text{s: b.String(), hidden: hidden}
}

func (t Text) String() string { return t.s }

// Hidden counts characters that stand in words in t.
func (t Text) Hidden() int { return t.hidden }

// Empty reports whether there is nothing to see.
func (t Text) Empty() bool { return t.s == "" }
