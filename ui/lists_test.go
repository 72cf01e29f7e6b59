package ui_test

import (
	"slices"
	"testing"

	"akx/ui/term"
)

// What is typed or pasted on a list of texts begins an item of it; on a list of objects
// it is said what adds one. Nothing vanishes.
func TestTypingOnAList(t *testing.T) {
	for _, label := range []string{"conditions", "limitations", "steps", "tags"} {
		w := newWriting(t)
		w.do("c enter").field(label)
		w.Type("colder")
		w.shows(">  1 ", "colder")
		w.do("ctrl+_ ctrl+_").field(label)
		w.Send(term.Paste{Text: "pasted"})
		p := w.drafts()[0].Payload
		var got []string
		for _, step := range p.Reproduction.Steps {
			got = append(got, step.Text)
		}
		got = slices.Concat(got, p.Context.Conditions, p.Context.Limitations, p.Tags)
		if !slices.Equal(got, []string{"pasted"}) {
			t.Errorf("%s: the draft has %q:\n%s", label, got, w.Screen())
		}
	}
	for _, label := range []string{"evidence", "relations", "profiles"} {
		w := newWriting(t)
		w.do("c enter").field(label)
		before := w.drafts()[0].Payload
		w.do("'x")
		w.shows("⏎ adds an item")
		w.do("tab shift+tab")
		w.hides("⏎ adds an item")
		w.Send(term.Paste{Text: "pasted"})
		w.shows("⏎ adds an item")
		if !w.drafts()[0].Payload.Equal(before) {
			t.Errorf("%s: typing changed the draft", label)
		}
	}
}
