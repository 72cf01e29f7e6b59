package ui_test

import (
	"testing"

	"akx/view/capsule"
	"akx/view/identity"
)

// The key that signs is a field: it is seen with its Agent ID and its state, and changed.
func TestKeyIsAField(t *testing.T) {
	w := newWriting(t, func(s *setup) { s.config.Keys = newLocked("ann", "bob") })
	w.keys = newLocked("ann", "bob")
	w.do("c enter shift+tab shift+tab")
	w.shows("key", "[ann ▾] locked, default", w.keys["ann"].Actor().String()[len(identity.AgentPrefix):])
	w.do("right")
	w.shows("[bob ▾] locked", w.keys["bob"].Actor().String()[len(identity.AgentPrefix):])
	if d := w.drafts()[0]; d.Actor != w.keys["bob"].Actor() {
		t.Errorf("the draft is for %s", d.Actor)
	}
	w.fill("title", "Mine", "statement", "It is so.", "scope", "s", "basis", "b").do("ctrl+x")
	w.shows("Sign: public and permanent", "bob", w.keys["bob"].Actor().String())
	w.do("esc alt+k")
	w.shows("Which key signs this draft?", "ann", "bob", "a new key")
}

// A name of one's own for a key's Agent ID stands beside the ID in the last step.
func TestPetnameInTheLastStep(t *testing.T) {
	w := newWriting(t)
	me := w.keys["ann"].Actor()
	if err := w.desk.SetPetname(t.Context(), me, "work"); err != nil {
		t.Fatal(err)
	}
	mine := w.publish("Mine", "It is so.")
	w.open(mine.ID()).do("X 'Wrong. ctrl+x")
	w.shows("Sign: public and permanent", me.String(), "~work (local name)")
}

// Only the key that signed the target may withdraw or supersede it.
func TestKeyOfARetractionIsBound(t *testing.T) {
	w := newWriting(t, func(s *setup) { s.config.Keys = newLocked("ann", "bob") })
	w.keys = newLocked("ann", "bob")
	w.do("B c enter").fill("title", "Mine", "statement", "It is so.", "scope", "s", "basis", "b").do("ctrl+x enter tab enter")
	w.Type(passphrase)
	w.do("enter")
	w.open(w.own(capsule.Publish)[0].ID()).do("X alt+k")
	w.shows("not the author of the target")
	w.do("down enter")
	w.shows("only the key that signed the target")
}

// Where there is no key at all, one is made on the way, under a passphrase typed twice.
func TestFirstKeyIsMade(t *testing.T) {
	w := newWriting(t)
	clear(w.keys)
	w.do("B c enter").fill("title", "Mine", "statement", "It is so.", "scope", "s", "basis", "b")
	w.shows("[no key yet ▾]")
	w.do("alt+i").shows("there is no key yet")
	w.do("alt+i ctrl+x")
	w.shows("A new signing key", "main", "passphrase", "once more")
	w.do("enter 'short enter 'other enter")
	w.shows("the two passphrases differ")
	w.Type(passphrase)
	w.do("enter")
	w.Type(passphrase)
	w.hides(passphrase)
	w.do("enter")
	w.shows("the key main is made", "[main ▾]")
	w.sign()
	if own := w.held(capsule.Publish); len(own) != 2 {
		t.Errorf("%d capsules are held:\n%s", len(own), w.Screen())
	}
}

// Leaving the form of a key makes none.
func TestNoKeyIsMadeByLeaving(t *testing.T) {
	w := newWriting(t)
	clear(w.keys)
	w.do("B c enter alt+k enter enter 'secret esc")
	if len(w.keys) != 0 {
		t.Error("a key was made")
	}
	w.shows("[no key yet ▾]")
}

// An assessment of one's own capsule is allowed, and said from the start.
func TestOwnCapsuleIsAssessedOpenly(t *testing.T) {
	w := newWriting(t)
	mine := w.publish("Mine", "It is so.")
	w.open(mine.ID()).do("A")
	w.shows("your own capsule: allowed, and readers see")
	w.do("esc")
	w.open(w.target.ID()).do("A")
	w.hides("your own capsule")
	w.field("steps")
	w.shows("alt+c copies the steps of the target")
}
