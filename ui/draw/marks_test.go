package draw

import (
	"testing"

	"akx/view/clean"
)

// Marks belong to the character before them and are drawn with it.
func TestMarksAreDrawn(t *testing.T) {
	for _, text := range []string{"ae\u0301b", "e\u0301\u0323", "क्षि", "ガ", "x\u0301 y"} {
		f := NewFrame(12, 1, Unicode())
		f.Put(f.Area(), 0, 0, Line{Say(Author, clean.Line(text))})
		if got := f.Plain(); got != clean.Line(text).String()+"\n" {
			t.Errorf("%q is drawn as %q", text, got)
		}
	}
}
