package ui_test

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"akx/cache/storetest"
	"akx/ui/kit"
	"akx/ui/term"
	"akx/view/capsule"
	"akx/view/wire"
)

// relate begins an observation with one relation, and goes to its target.
func (w *writing) relate(relation string) {
	w.t.Helper()
	w.do("c down down down enter").field("relations").do("enter")
	w.field(" 1 relation").do("enter '" + relation + " enter")
	w.shows("[" + relation)
	w.field(" 1 target").do("enter")
	w.shows("Which event is the target?")
}

// Three relations may lead to assessments, and to retractions none (6.1).
func TestTargetPickerOffersAssessments_6_1(t *testing.T) {
	for _, relation := range []string{"derived_from", "supports", "contradicts"} {
		w := newWriting(t)
		report := storetest.Assess(t, storetest.Stamp{Signer: 1, Nonce: 2}, w.target.ID(), capsule.VerdictSupports)
		gone := storetest.Retract(t, storetest.Stamp{Signer: 1, Nonce: 3}, w.target.ID())
		accept(t, w.lib, wire.Added, report, gone)
		w.relate(relation)
		w.shows("2 may be the target of "+relation+"; 1 other may not", "not this: "+relation+" must point at a publication or an assessment")
		w.do("enter")
		if links := w.drafts()[0].Payload.Relations; links[0].Target != report.ID().String() {
			t.Errorf("%s leads to %s, not to the newest event", relation, links[0].Target)
		}
	}
}

// However many events there are that may not be the target, those that may come
// first; what is not listed is counted, and found by its ID or the start of it.
func TestTargetPickerAmongMany_6_1(t *testing.T) {
	w := newWriting(t)
	stamp := func(nonce int64) storetest.Stamp { return storetest.Stamp{Signer: 1, Nonce: nonce} }
	first := storetest.Publish(t, stamp(2), storetest.OfKind(capsule.Hypothesis), storetest.Titled("The first guess"))
	accept(t, w.lib, wire.Added, first)
	for i := range 205 {
		accept(t, w.lib, wire.Added, storetest.Publish(t, stamp(int64(10+i)), storetest.OfKind(capsule.Hypothesis)))
	}
	for i := range 205 {
		accept(t, w.lib, wire.Added, storetest.Publish(t, stamp(int64(300+i)), storetest.OfKind(capsule.Question)))
	}
	w.relate("tests")
	w.shows("206 may be the target of tests, 6 of them not listed: type words or an event ID; 206 others may not")
	if row := strings.Split(w.Screen(), "\n"); strings.Contains(row[5], "not this") {
		t.Errorf("what may not be the target comes first: %s", row[5])
	}
	w.do("'first_guess")
	w.shows("The first guess", "1 may be the target of tests")
	w.do("ctrl+u").Type(first.ID().String()[:5])
	w.shows("found from its first 6 characters on")
	w.do("ctrl+u").Type(first.ID().String()[:8])
	w.shows("The first guess", "1 may be the target of tests")
	w.hides("others may not")
	w.do("ctrl+u").Type(w.target.ID().String())
	w.do("enter")
	w.shows("Somebody's finding", "this cannot be the target", "0 may be the target of tests; 1 other may not")
	w.do("ctrl+u")
	w.Send(term.Paste{Text: "id:" + first.ID().String()})
	w.do("enter")
	if links := w.drafts()[0].Payload.Relations; links[0].Target != first.ID().String() {
		t.Errorf("the relation leads to %q", links[0].Target)
	}
}

// supersedes leads to one's own capsules, whoever signed the newest ones (6.1).
func TestTargetPickerOfSupersedes_6_1(t *testing.T) {
	w := newWriting(t)
	own := w.publish("Mine", "It is so.")
	for i := range 205 {
		accept(t, w.lib, wire.Added, storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: int64(10 + i)}))
	}
	w.do("esc")
	w.relate("supersedes")
	w.shows("1 may be the target of supersedes; 206 others may not", "same actor")
	w.do("enter")
	if links := w.drafts()[0].Payload.Relations; links[0].Target != own.ID().String() {
		t.Errorf("the relation leads to %q", links[0].Target)
	}
}

// The list of a correction says how many capsules it leaves out, and always has the one
// on whose page one stands.
func TestCorrectAmongMany_6_1(t *testing.T) {
	w := newWriting(t, func(s *setup) { s.config.Keys.(locked)["ann"] = storetest.Key(9) })
	oldest := storetest.Publish(t, storetest.Stamp{Signer: 9, Nonce: 1}, storetest.Titled("The oldest"))
	accept(t, w.lib, wire.Added, oldest)
	for i := range 1001 {
		accept(t, w.lib, wire.Added, storetest.Publish(t, storetest.Stamp{Signer: 9, Nonce: int64(2 + i)}))
	}
	w.open(oldest.ID()).do("S")
	w.shows("[x] "+oldest.ID().String()[:8], "the newest 1,000 are listed; 1 older not")
	w.do("enter")
	w.shows("Compose: ", "[supersedes", oldest.ID().String()[:20])
}

// A list of choices keeps what has the typed letters, each relation with its meaning.
func TestChoicesFilterAsTyped(t *testing.T) {
	w := newWriting(t)
	w.do("c down down down enter").field("relations").do("enter")
	w.field(" 1 relation").do("enter")
	w.shows("You plan or report a test of the hypothesis", "Your own correction or replacement")
	w.do("'tests enter")
	if links := w.drafts()[0].Payload.Relations; links[0].Relation != "tests" {
		t.Errorf("the relation is %q", links[0].Relation)
	}
}

// What is typed on a field of choices by mistake changes nothing: it looks for a value.
func TestTypingOnAChoiceChangesNothing(t *testing.T) {
	w := newWriting(t)
	w.do("c down down down enter").field("kind").do("'_corrected")
	w.shows("nothing matches")
	w.do("enter esc")
	if kind := w.drafts()[0].Payload.Kind; kind != "observation" {
		t.Errorf("the kind is %q", kind)
	}
	w.do("'infer enter")
	if kind := w.drafts()[0].Payload.Kind; kind != "inference" {
		t.Errorf("the kind is %q", kind)
	}
}

// A step back to a draft that was signed meanwhile leads to what it became.
func TestBackToASignedDraft(t *testing.T) {
	w := newWriting(t)
	own := w.publish("Mine", "It is so.")
	w.do("esc")
	w.hides("was signed as", "Compose")
	x := newExplorer(t, over(w.lib), w.use, from(kit.Route{Screen: kit.Compose, Query: "1"}))
	x.shows("that draft was signed: this is the event it became", own.ID().String())
	x.do("esc")
	x.hides("Compose")
}

// The preview makes up no digest for what has none yet.
func TestPreviewWithoutADigest_5_3(t *testing.T) {
	w := newWriting(t)
	w.do("c enter").field("profiles").do("enter")
	w.do("alt+p alt+p").Resize(120, 60)
	w.shows("digest no digest yet")
	w.hides("AAAAAAAA")
}

// No two fields of an item have one label.
func TestLabelsOfItemsDiffer(t *testing.T) {
	w := newWriting(t)
	w.do("c enter").field("profiles").do("enter")
	w.field("evidence").do("enter").Resize(120, 60)
	w.shows(" 1 profile url ", " 1 its digest ", " 1 description ", " 1 media type ")
}

// f1 lists the keys of the form with what they do here.
func TestHelpInTheForm(t *testing.T) {
	w := newWriting(t)
	w.do("c enter").field("conditions").do("f1")
	w.shows("Help: type to filter", "add an item to this list", "ctrl+x")
	w.do("esc f2")
	w.shows("add an item to this list")
	w.hides("take what is typed")
	w.do("esc").field("title").do("'a")
	w.shows("1 of 256 characters")
	w.field("scope").do("'a")
	w.shows("1 character")
	w.hides("1 characters")
}

// The last step names what is signed and what it is about.
func TestSignShowsTitles(t *testing.T) {
	w := newWriting(t)
	w.open(w.target.ID()).do("A").field("verdict").do("right")
	w.fill("summary", "It held on my bench.", "scope", "s", "basis", "b").do("ctrl+x")
	w.shows("summary   ▌It held on my bench.", "active ▌Somebody's finding")
}

// Characters that come all at once are no typed confirmation, marked as a paste or not.
func TestSignTakesNoUnmarkedPaste(t *testing.T) {
	w := newWriting(t)
	own := w.publish("Mine", "It is so.")
	w.open(own.ID()).do("X").fill("reason", "It was wrong.").do("ctrl+x tab")
	w.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(own.ID().String()[:4])})
	w.shows("came all at once")
	w.do("tab enter")
	w.shows("type the first characters")
}

// A click on the last step moves the keys, chooses a service, and signs nothing.
func TestClicksSignNothing(t *testing.T) {
	w, _ := newSending(t, nil)
	w.do("c enter").fill("title", "t", "statement", "s", "scope", "s", "basis", "b").do("ctrl+x")
	w.click("[ ] hub")
	w.shows("[x] hub")
	w.click("[ Sign only ]")
	w.shows("no click signs: enter does what has the keys now")
	w.click("[ Sign and queue ]")
	w.hides("The passphrase of")
	w.do("enter")
	w.shows("The passphrase of")
	if n := len(w.own(0)); n != 0 {
		t.Errorf("%d events are signed", n)
	}
}
