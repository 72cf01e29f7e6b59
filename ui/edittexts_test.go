package ui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"akx/ui"
	"akx/ui/kit"
	"akx/ui/screen/compose"
	"akx/view/desk"
)

const broken = "kind: question\ntitle: Yours\nnonsense: 1\n"

// A text that is no draft yet outlives the explorer, comes again with its errors by
// line when the draft is opened, and goes only when the user says so.
func TestRejectedTextOutlivesTheExplorer(t *testing.T) {
	texts := compose.NewMemory()
	saved := broken
	use := func(s *setup) {
		s.config.Texts = texts
		s.edit = func([]byte) ([]byte, error) { return []byte(saved), nil }
	}
	w := newWriting(t, use)
	w.do("c enter").fill("title", "Mine")
	w.do("alt+e")
	w.shows("The text is no draft yet, and was not taken; it is kept", "line 3")
	w.do("esc esc")

	again := func() *writing {
		t.Helper()
		next := &writing{lib: w.lib, desk: w.desk, keys: w.keys}
		next.explorer = newExplorer(t, over(w.lib), next.use, use)
		next.do("d enter")
		return next
	}
	next := again()
	next.shows("The text is no draft yet", "line 3", "open the text again", "drop the text")
	next.do("esc ctrl+x")
	next.shows("The text is no draft yet") // it is asked about before a signature too
	next.do("esc esc")
	next = again()
	saved = "kind: question\ntitle: Yours\n"
	next.do("enter")
	if left, err := texts.Left(1); left != nil || err != nil || next.drafts()[0].Payload.Title != "Yours" {
		t.Errorf("%q is left, %v, of %+v", left, err, next.drafts()[0].Payload)
	}

	saved = broken
	next.do("alt+e esc esc")
	next = again()
	next.do("down enter")
	next.shows("dropped; the draft is as it was")
	if left, err := texts.Left(1); left != nil || err != nil {
		t.Errorf("%q is left, %v", left, err)
	}
	next.do("esc")
	next = again()
	next.hides("The text is no draft yet")
}

// A text that an edit left whole, because akx ended before it was taken, is offered.
func TestWholeTextIsOffered(t *testing.T) {
	texts := compose.NewMemory()
	w := newWriting(t, func(s *setup) { s.config.Texts = texts })
	w.do("c enter").fill("title", "Mine").do("esc")
	if err := texts.Keep(1, []byte("kind: question\ntitle: Yours\n")); err != nil {
		t.Fatal(err)
	}
	w.do("d enter")
	w.shows("the draft has not taken it", "take it")
	w.do("enter")
	w.shows("Yours")
	if left, err := texts.Left(1); left != nil || err != nil || w.drafts()[0].Payload.Title != "Yours" {
		t.Errorf("%q is left, %v", left, err)
	}
}

// An editor that saves nothing, or fails, does not cost what an edit before left.
func TestEmptySaveKeepsWhatWasLeft(t *testing.T) {
	texts := compose.NewMemory()
	saved := broken
	w := newWriting(t, func(s *setup) {
		s.config.Texts = texts
		s.edit = func([]byte) ([]byte, error) { return []byte(saved), nil }
	})
	w.do("c enter alt+e esc")
	saved = ""
	w.do("alt+e")
	if left, err := texts.Left(1); string(left) != broken || err != nil {
		t.Errorf("left is %q, %v", left, err)
	}
}

// Forgetting a draft for good forgets the text of its editor, and not before.
func TestForgettingADraftForgetsItsText(t *testing.T) {
	texts := compose.NewMemory()
	w := newWriting(t, func(s *setup) {
		s.config.Texts = texts
		s.edit = func([]byte) ([]byte, error) { return []byte(broken), nil }
	})
	w.do("c enter alt+e esc esc d x t")
	if left, _ := texts.Left(1); string(left) != broken {
		t.Errorf("the trash costs the text: %q", left)
	}
	w.do("x tab enter")
	if left, err := texts.Left(1); left != nil || err != nil {
		t.Errorf("%q is left, %v", left, err)
	}
}

// The files of a home are the user's alone, and are written as a whole.
func TestEditFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "edit")
	texts := ui.EditTexts(dir)
	if left, err := texts.Left(7); left != nil || err != nil {
		t.Errorf("an empty folder has %q, %v", left, err)
	}
	path, err := texts.Prepare(kit.Edit{Draft: 7, Text: []byte("a: 1\n")})
	if err != nil || path != filepath.Join(dir, "draft-7.yaml") {
		t.Fatal(path, err)
	}
	for name, mode := range map[string]os.FileMode{dir: 0o700, path: 0o600} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	long := "a: " + strings.Repeat("x", desk.MaxText) + "the end\n"
	if err := os.WriteFile(path, []byte(long), 0o600); err != nil {
		t.Fatal(err)
	}
	left, err := ui.EditTexts(dir).Left(7)
	if err != nil || len(left) != desk.MaxText+1 {
		t.Fatal(len(left), err)
	}
	if _, err := texts.Prepare(kit.Edit{Draft: 7, Text: left, Again: true}); err != nil {
		t.Fatal(err)
	}
	if whole, err := os.ReadFile(path); err != nil || string(whole) != long {
		t.Errorf("opening again cut the text to %d bytes, %v", len(whole), err)
	}
	if err := texts.Keep(7, []byte("b: 2\n")); err != nil {
		t.Fatal(err)
	}
	if err := texts.Drop(7); err != nil {
		t.Fatal(err)
	}
	if err := texts.Drop(7); err != nil {
		t.Errorf("dropping twice: %v", err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
		t.Errorf("%v, %v", files, err)
	}
}
