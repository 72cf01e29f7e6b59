package ui_test

import (
	"testing"

	"akx/view/desk"
)

// What an editor replaces as a whole is one step of undo, and a copy of it is in the
// trash where text of it is gone.
func TestEditorThatWipesADraft(t *testing.T) {
	const empty = "type: knowledge.assess\npayload: {}\n"
	w := newWriting(t, func(s *setup) { s.edit = func([]byte) ([]byte, error) { return []byte(empty), nil } })
	w.open(w.target.ID()).do("A").fill("summary", "It worked.").do("alt+c")
	before := w.drafts()[0].Payload
	w.field("scope").do("'my_bench alt+e")
	w.shows("a copy is draft 2 in the trash")
	all := w.drafts()
	if len(all) != 2 || !all[0].Payload.Equal(desk.Payload{}) {
		t.Fatalf("the editor's text was not taken: %+v", all)
	}
	if all[1].Trashed == 0 || all[1].Payload.Title != "It worked." || len(all[1].Payload.Reproduction.Steps) != 2 {
		t.Errorf("the copy is %+v", all[1])
	}
	w.do("'new ctrl+_")
	if got := w.drafts()[0].Payload; got.Context.Scope != "" {
		t.Fatalf("the first undo takes back what was typed, and leaves %q", got.Context.Scope)
	}
	w.do("ctrl+_")
	got := w.drafts()[0].Payload
	if got.Context.Scope != "my bench" || got.Target != before.Target || len(got.Reproduction.Steps) != 2 || !got.Reproduction.Steps[0].Unconfirmed {
		t.Fatalf("undo brings back %+v", got)
	}
	w.do("ctrl+_")
	if got := w.drafts()[0].Payload.Context.Scope; got == "my bench" {
		t.Error("what was typed before the editor cannot be undone")
	}
	w.do("alt+_ alt+_ ")
	if got := w.drafts()[0].Payload; !got.Equal(desk.Payload{}) {
		t.Errorf("redo brings %+v", got)
	}
}

// An edit that loses nothing leaves no copy.
func TestEditorThatChangesAWord(t *testing.T) {
	w := newWriting(t, func(s *setup) {
		s.edit = func([]byte) ([]byte, error) {
			return []byte("kind: question\ntitle: Yours\nlicense: l\nlanguage: en\n"), nil
		}
	})
	w.do("c enter").fill("title", "Mine").do("alt+e")
	if all := w.drafts(); len(all) != 1 || all[0].Payload.Title != "Yours" {
		t.Errorf("drafts %+v", all)
	}
}

// A removed item comes back, with all of it; what was typed in other items of the list
// stays with them and can still be undone.
func TestUndoOfLists(t *testing.T) {
	w := newWriting(t)
	w.do("c enter").field("conditions").do("enter 'one_two alt+a 'three_four alt+a 'five_six")
	items := func(want ...string) {
		t.Helper()
		got := w.drafts()[0].Payload.Context.Conditions
		if len(got) != len(want) {
			t.Fatalf("conditions %q, want %q", got, want)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("conditions %q, want %q", got, want)
			}
		}
	}
	w.field("title").do("'Kept")
	w.field(" 2 ").do("alt+d")
	items("one two", "five six")
	w.field(" 2 ").do("'!")
	items("one two", "five six!")
	w.do("ctrl+_")
	items("one two", "five six")
	w.do("ctrl+_")
	items("one two", "three four", "five six")
	w.shows(">  2 ")
	w.do("'! ctrl+_ ctrl+_") // the item that was added after it goes first
	items("one two", "three four")
	w.shows("the list is as it was, with all its items")
	w.do("ctrl+_")
	items("one two", "three ")
	w.do("alt+_ alt+_")
	items("one two", "three four", "five six")
	w.field(" 1 ").do("alt+down")
	items("three four", "one two", "five six")
	w.do("ctrl+_")
	items("one two", "three four", "five six")
	if title := w.drafts()[0].Payload.Title; title != "Kept" {
		t.Errorf("undo in a list changed the title to %q", title)
	}
}
