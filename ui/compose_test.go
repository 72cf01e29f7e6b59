package ui_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"akx/cache/storetest"
	"akx/ui/term"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/wire"
)

// A capsule of every kind is written in the form, and shown as held once it is signed.
func TestComposeEveryKind(t *testing.T) {
	for i, kind := range capsule.Kinds() {
		w := newWriting(t)
		w.do("c" + strings.Repeat(" down", i) + " enter")
		w.shows("Compose: "+kind.String(), "empty: cannot sign")
		w.fill("title", "About "+kind.String(), "statement", "One claim.", "scope", "here", "basis", "we looked")
		switch kind {
		case capsule.Resource:
			w.fill(" 1 url", "https://example.com/data.csv", " 1 descr", "the data", " 1 digest", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
		case capsule.Collection:
			w.fill(" 1 target", w.target.ID().String())
		}
		w.shows("ready")
		w.sign()
		own := w.own(capsule.Publish)
		if len(own) != 1 || own[0].(*capsule.Publication).Payload().Kind != kind {
			t.Fatalf("%s: %d signed:\n%s", kind, len(own), w.Screen())
		}
		w.shows("signed and held here", "About "+kind.String(), "signature (key and bytes only) ok")
		if n := len(w.drafts()); n != 0 {
			t.Errorf("%s: %d drafts are left", kind, n)
		}
	}
}

// An assessment starts with nothing of what the target did; copied steps wait until
// each is said to be done (6.2).
func TestAssess_6_2(t *testing.T) {
	w := newWriting(t)
	w.open(w.target.ID()).do("A")
	w.shows("Compose: assessment", w.target.ID().String())
	w.hides("their bench", "their gas")
	w.field("verdict").do("enter down down enter")
	w.shows("reproduced", "observed is required for reproduced", "You carried a procedure out")
	w.fill("summary", "It worked.", "scope", "my bench", "basis", "I did it", "environment", "glass", "expected", "gas", "observed", "gas").do("alt+c")
	w.shows("copied from the target: alt+y says that you", "mix", "[not done yet] wait")
	w.hides("their bench", "their gas")
	w.do("ctrl+x")
	w.shows("Cannot be signed yet", "/reproduction/steps/0", "say that you did this")
	w.do("esc")
	for _, step := range []string{" 1 ", " 2 "} {
		w.field("steps")
		for !strings.Contains(w.Screen(), "│> "+step) {
			w.Press("tab")
		}
		w.do("alt+y")
	}
	w.shows("ready")
	w.sign()
	own := w.own(capsule.Assess)
	if len(own) != 1 {
		t.Fatalf("%d assessments:\n%s", len(own), w.Screen())
	}
	p := own[0].(*capsule.Assessment).Payload()
	if p.Verdict != capsule.VerdictReproduced || p.Target != w.target.ID() || len(p.Reproduction.Steps) != 2 || p.Reproduction.Environment != "glass" {
		t.Errorf("signed %+v", p)
	}
}

// One's own capsules can be corrected together: the text of the first, and what
// differs in the others below it. The first characters of each target are typed.
func TestCorrectWithMerge_6_1(t *testing.T) {
	w := newWriting(t)
	first, second := w.publish("First", "It is so."), w.publish("Second", "It is otherwise.")
	w.open(first.ID()).do("S")
	w.shows("Correct which of your own capsules?", "[x] "+first.ID().String()[:8], "[ ] "+second.ID().String()[:8])
	w.do("down space enter")
	w.shows("It is so.", "It is otherwise.", "supersedes")
	w.do("ctrl+x")
	w.shows(first.ID().String(), second.ID().String())
	w.answerStops()
	w.do("tab 'zzzz tab 'zzzz tab enter")
	w.shows("type the first characters of this target's ID")
	w.do("esc")
	w.sign(first.ID().String()[:4], second.ID().String()[:4])
	for _, e := range w.own(capsule.Publish) {
		if links := e.(*capsule.Publication).Payload().Relations; len(links) == 2 {
			return
		}
	}
	t.Fatalf("no correction of both:\n%s", w.Screen())
}

// Only one's own events are retracted; of others the row says why not.
func TestRetract_7_1(t *testing.T) {
	w := newWriting(t)
	w.open(w.target.ID()).do("X")
	w.shows("this is not your own")
	own := w.publish("Mine", "It is so.")
	w.open(own.ID()).do("X").fill("reason", "It was wrong.")
	w.sign(own.ID().String()[:4])
	if n := len(w.own(capsule.Retract)); n != 1 {
		t.Fatalf("%d retractions:\n%s", n, w.Screen())
	}
	w.open(own.ID()).shows("RETRACTED")
}

// Extension, answer and restatement begin on a page, with their relation.
func TestBeginFromAPage(t *testing.T) {
	for i, relation := range []string{"extends", "addresses", "derived_from"} {
		w := newWriting(t)
		if relation == "addresses" {
			w.target = storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 2}, storetest.OfKind(capsule.Question))
			accept(t, w.lib, wire.Added, w.target)
		}
		w.open(w.target.ID()).do("c" + strings.Repeat(" down", i) + " enter")
		w.shows("Compose: ", "["+relation, w.target.ID().String())
	}
}

// Nothing is signed by leaving the way to a signature at any place of it, and nothing
// that was typed is lost.
func TestCancelAtEveryStep(t *testing.T) {
	for _, keys := range []string{
		"esc", "enter", "tab tab tab esc", "tab enter esc", "tab enter 'wrong esc", "tab enter 'wrong enter esc", "ctrl+x esc", "alt+p esc", "f2 esc",
	} {
		w := newWriting(t)
		w.do("c enter").fill("title", "Kept", "statement", "s", "scope", "s", "basis", "b")
		w.do("ctrl+x")
		w.shows("Sign: public and permanent")
		w.do(keys)
		if n := len(w.own(0)); n != 0 || len(w.entries()) != 0 {
			t.Fatalf("%q signed something", keys)
		}
		if all := w.drafts(); len(all) != 1 || all[0].Payload.Title != "Kept" || all[0].Payload.Basis != "b" {
			t.Errorf("%q lost what was typed: %+v", keys, all)
		}
	}
}

// A MiB of pasted text takes no time to speak of, goes in up to what the field can
// hold with the count said, signs nothing, and is undone in one step (ux.md, bug 6).
func TestHugePaste(t *testing.T) {
	w := newWriting(t)
	w.do("c enter").fill("title", "t").field("statement")
	began := time.Now()
	w.Send(term.Paste{Text: strings.Repeat("many lines\n", term.MaxPaste/11)})
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("the paste took %v", took)
	}
	w.shows("pasted the first 65,536 of 1,048,575 characters", "Compose: question")
	if n := len(w.drafts()[0].Payload.Statement); n != 65536 {
		t.Errorf("%d bytes were stored", n)
	}
	w.do("ctrl+_")
	if text := w.drafts()[0].Payload.Statement; text != "" || len(w.own(0)) != 0 {
		t.Errorf("one undo leaves %d bytes", len(text))
	}
	w.do("alt+_")
	if n := len(w.drafts()[0].Payload.Statement); n != 65536 {
		t.Errorf("one redo brings %d bytes", n)
	}
}

// What services recommend is no wall: a paste goes beyond it as typing does, and says so.
func TestPasteOverARecommendedLimit_9_7(t *testing.T) {
	w := newWriting(t)
	w.do("c enter").field("title")
	w.Send(term.Paste{Text: strings.Repeat("x", 300)})
	w.shows("more than the 256 characters that services recommend")
	if n := len(w.drafts()[0].Payload.Title); n != 300 {
		t.Errorf("%d bytes were stored", n)
	}
}

// Undo goes back by words, within its field.
func TestUndoWithinAField(t *testing.T) {
	w := newWriting(t)
	w.do("c enter").fill("title", "one two", "statement", "other")
	w.field("title").do("ctrl+_")
	if p := w.drafts()[0].Payload; p.Title != "one " || p.Statement != "other" {
		t.Errorf("undone: %q, %q", p.Title, p.Statement)
	}
}

// What the editor saves becomes the draft; whatever goes wrong with it, nothing is
// lost, and complaints name their lines.
func TestEditor(t *testing.T) {
	type saved struct {
		text string
		err  error
	}
	var sent string
	var next saved
	w := newWriting(t, func(s *setup) {
		s.edit = func(text []byte) ([]byte, error) {
			sent = string(text)
			if next.text == "as it was" {
				return text, next.err
			}
			return []byte(next.text), next.err
		}
	})
	w.do("c enter").fill("title", "Mine")
	title := func(want string) {
		t.Helper()
		if got := w.drafts()[0].Payload.Title; got != want {
			t.Fatalf("the title is %q, want %q:\n%s", got, want, w.Screen())
		}
	}
	for name, c := range map[string]saved{
		"nothing changed": {"as it was", nil}, "empty": {"", nil}, "killed": {"as it was", context.DeadlineExceeded},
		"gone": {"", &fault.Unavailable{Code: fault.UnavailableCode, What: "the editor", Detail: "exit status 1"}},
	} {
		t.Run(name, func(*testing.T) {
			next = c
			w.do("alt+e")
			title("Mine")
		})
	}
	next = saved{"kind: question\ntitle: Yours\nnonsense: 1\n", nil}
	w.do("alt+e")
	w.shows("The text is no draft yet", "line 3")
	title("Mine")
	next = saved{"kind: question\ntitle: Yours\n", nil}
	w.do("enter")
	if !strings.Contains(sent, "nonsense: 1") {
		t.Errorf("the editor got %q", sent)
	}
	title("Yours")
	w.shows("Yours")
}
