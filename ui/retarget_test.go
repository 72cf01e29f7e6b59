package ui_test

import (
	"testing"

	"akx/view/capsule"
)

// correct signs a correction of ann's capsule with a statement.
func (w *writing) correct(old capsule.Event, statement string) capsule.Event {
	w.t.Helper()
	w.open(old.ID()).do("S enter").field("statement").do("ctrl+u")
	w.Type(statement)
	w.sign(old.ID().String()[:4])
	for _, e := range w.own(capsule.Publish) {
		if e.(*capsule.Publication).Payload().Statement == statement {
			return e
		}
	}
	w.t.Fatalf("no correction %q:\n%s", statement, w.Screen())
	return nil
}

// A correction of what is corrected already, pointed at the successor, takes its text or
// keeps its own and says so.
func TestRetargetedCorrectionAsksForItsText_6_1(t *testing.T) {
	w := newWriting(t)
	first := w.publish("Mine", "It is so.")
	second := w.correct(first, "It is otherwise.")
	w.open(first.ID()).do("S enter")
	w.shows("The target has changed since", "keep it:")
	w.do("down enter")
	w.shows("whose text is it to have?", "take the text of", "keep the text that stands here")
	w.do("enter")
	w.shows("begun anew from its text")
	p := w.drafts()[0].Payload
	if p.Statement != "It is otherwise." || len(p.Relations) != 1 || p.Relations[0].Target != second.ID().String() {
		t.Fatalf("the draft is %+v", p)
	}
	if n := len(w.drafts()); n != 1 {
		t.Errorf("%d drafts: nothing of one's own was lost", n)
	}
	w.shows("note: same text as what it supersedes")
	w.do("ctrl+_")
	if p := w.drafts()[0].Payload; p.Statement != "It is so." || p.Relations[0].Target != first.ID().String() {
		t.Errorf("undo brings %+v", p)
	}
	w.fill("conditions", "cold").do("alt+t down enter down enter")
	w.shows("the text stays as it was")
	p = w.drafts()[0].Payload
	if p.Statement != "It is so." || p.Relations[0].Target != second.ID().String() || len(p.Context.Conditions) != 1 {
		t.Errorf("the draft is %+v", p)
	}
	w.hides("same text as what it supersedes")
	w.do("ctrl+_ alt+t down enter enter")
	w.shows("a copy is draft 4 in the trash")
}
