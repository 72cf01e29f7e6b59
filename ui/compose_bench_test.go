package ui_test

import (
	"strings"
	"testing"

	"akx/ui/term"
)

// A key in a statement as long as services take: stored, checked and drawn.
func BenchmarkTypeInALongStatement(b *testing.B) {
	w := newWriting(b)
	w.do("c enter").field("statement")
	w.Send(term.Paste{Text: strings.Repeat("a few words of prose ", 700)})
	for b.Loop() {
		w.Press("x")
		w.Output()
		w.Press("backspace")
		w.Output()
	}
}
