package ui_test

import (
	"strings"
	"testing"

	"akx/view/capsule"
)

// Where the text did not stand on the screen to its end, it is read before a signature:
// no key signs before its last line was shown.
func TestSignLeadsThroughTheText(t *testing.T) {
	w := newWriting(t, at(80, 24))
	w.do("c enter").fill("title", "Mine", "statement", strings.Repeat("long ", 400)+"its end", "scope", "s", "basis", "the last words").do("ctrl+x")
	w.shows("[ ] text read:", "[ Cancel ]")
	w.do("tab tab enter")
	w.shows("the whole text comes first")
	w.hides("The passphrase of")
	w.do("enter")
	w.shows("What you sign, as its readers will see it", "Mine", "more below")
	w.do("esc tab enter")
	w.shows("the whole text comes first", "[ ] text read:")
	w.do("enter end")
	w.shows("This is the end.", "licence")
	w.do("enter")
	w.shows("[x] text read:")
	w.do("enter")
	w.shows("The passphrase of")
	w.Type(passphrase)
	w.do("enter")
	if n := len(w.own(capsule.Publish)); n != 1 {
		t.Errorf("%d capsules are signed:\n%s", n, w.Screen())
	}
}

// A target that was corrected or retracted wants a yes of its own in the last step, and
// another can be chosen from there.
func TestSignAsksAboutATargetThatChanged_6_1(t *testing.T) {
	w := newWriting(t)
	first := w.publish("Mine", "It is so.")
	second := w.correct(first, "It is otherwise.")
	w.open(first.ID()).do("c enter enter").fill("title", "More", "statement", "s", "scope", "s", "basis", "b").do("ctrl+x")
	w.shows("[ ] I mean this version: "+first.ID().String()[:8], "is superseded")
	signed := len(w.own(0))
	w.do("shift+tab enter")
	w.shows("this target has changed since: space says that you mean it")
	w.hides("The passphrase of")
	w.do("alt+t")
	w.shows("The target has changed since: which one do you mean?")
	w.do("down enter")
	w.do("ctrl+x")
	w.hides("I mean this version")
	w.shows(second.ID().String())
	w.do("esc ctrl+_")
	w.sign()
	if n := len(w.own(0)); n != signed+1 {
		t.Errorf("%d events are signed, want %d:\n%s", n, signed+1, w.Screen())
	}
}
