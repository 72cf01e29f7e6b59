package ui_test

import (
	"context"
	"strings"
	"testing"

	"akx/ui/screen/compose"
	"akx/view/capsule"
	"akx/view/fault"
)

// applied asks whether the target was actually used, when it is chosen and until
// somebody said so; what was said does not outlive another verdict (6.2).
func TestAppliedIsAskedInTheForm_6_2(t *testing.T) {
	w := newWriting(t)
	w.open(w.target.ID()).do("A").fill("summary", "It cut the time by half.", "scope", "my bench", "basis", "I used it",
		"environment", "glass", "expected", "gas", "observed", "gas").field("steps").do("enter 'poured")
	w.field("verdict").do("enter 'appl enter")
	w.shows("Did you actually use it?", "not yet", "yes, it was used")
	w.do("enter")
	w.shows("did you actually use it? alt+y says so", "1 error")
	w.do("ctrl+x")
	w.shows("Cannot be signed yet", "/verdict")
	w.do("esc").field("verdict").do("alt+y")
	w.hides("did you actually use it?")
	w.shows("ready to be signed")
	w.do("left right")
	w.shows("did you actually use it?", "1 error")
	w.do("enter 'appl enter down enter")
	w.shows("ready to be signed")
	w.sign()
	own := w.own(capsule.Assess)
	if len(own) != 1 || own[0].(*capsule.Assessment).Payload().Verdict != capsule.VerdictApplied {
		t.Fatalf("signed %d:\n%s", len(own), w.Screen())
	}
}

// brokenKeys are keys of which some cannot be read.
type brokenKeys struct {
	locked
	names []string
}

func (k brokenKeys) Signers(ctx context.Context) ([]compose.Signer, error) {
	all, err := k.locked.Signers(ctx)
	for _, name := range k.names {
		all = append(all, compose.Signer{Name: name, Err: &fault.Damaged{What: "key " + name, Detail: "its file is cut short", Hint: "take it from a copy"}})
	}
	return all, err
}

// A key that cannot be read is listed with the reason, and nobody is led to make a new
// identity in its place.
func TestBrokenKeysAreListed(t *testing.T) {
	w := newWriting(t, func(s *setup) { s.config.Keys = brokenKeys{newLocked(), []string{"k1"}} })
	w.do("c enter").fill("title", "t", "statement", "s", "scope", "s", "basis", "b")
	w.field("key")
	w.shows("none can be read", "its file is broken")
	w.do("alt+i")
	w.shows("your key cannot be read")
	w.do("ctrl+x")
	w.shows("Which key signs this draft?", "k1 cannot be read: ", "its file is cut short")
	w.hides("main")
	w.do("enter")
	w.shows("its file is cut short")
	w = newWriting(t, func(s *setup) { s.config.Keys = brokenKeys{newLocked("ann"), []string{"k1"}} })
	w.do("c enter").field("key").do("enter")
	w.shows("k1 cannot be read", "ann")
	w.do("esc").fill("title", "t", "statement", "s", "scope", "s", "basis", "b").do("ctrl+x")
	w.shows("Sign: public and permanent")
	if strings.Contains(w.Screen(), "k1") {
		t.Error("the last step names a key that cannot sign")
	}
}
