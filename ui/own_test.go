package ui_test

import (
	"strings"
	"testing"

	"akx/cache/storetest"
	"akx/ui/kit"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// What one has signed is told as one's own everywhere at once, with who accepted it.
func TestOwnEventsSayWhoAcceptedThem(t *testing.T) {
	refused := error(&fault.Refusal{Step: fault.StepPolicy, Code: fault.PermissionDenied, Detail: "members only"})
	w, _ := newSending(t, func(string) error { return refused })
	w.queue("Mine")
	w.shows("Your own event, accepted by 0 of 1", "hub not sent", "you")
	w.do("B")
	w.shows("own, accepted 0/1 ▌Mine", "your own, accepted by 0 of 1", "to hub.example not sent")
	w.do("d > [ enter")
	w.shows("hub refused: permission_denied", "its own policy; that does not make it")
	w.hides("members only") // the pane of checks holds no words of a service
	refused = nil
	w.do("d > B")
	w.shows("own, accepted 1/1 ▌Mine", "accepted #2")
	w.do("enter")
	w.shows("accepted by 1 of 1", "hub accepted #2", "at 2026-11-30 00:00Z by its clock")
	w.open(w.target.ID()).hides("Your own event")
}

// A name of one's own stands beside the Agent ID and never instead of it, and is
// forgotten when it is left empty.
func TestPetnames(t *testing.T) {
	w := newWriting(t)
	theirs := w.target.Actor()
	accept(t, w.lib, wire.Added, storetest.Assess(t, storetest.Stamp{Signer: 1, Nonce: 2}, w.target.ID(), capsule.VerdictSupports))
	w.open(w.target.ID()).do("= 'bob enter")
	w.shows("~bob (local name)", "by did:agent:", theirs.String()[len(identity.AgentPrefix):])
	if names, err := w.desk.Petnames(t.Context()); err != nil || names[theirs] != "bob" {
		t.Fatal(names, err)
	}
	short := theirs.String()[len(identity.AgentPrefix):][:8]
	w.do("r")
	w.shows("~bob       " + short)
	w.do("O")
	w.shows("~bob (local name)", theirs.String())
	w.do("[ a")
	w.shows("~bob       " + short)
	w.do("[ v")
	w.shows("~bob (local name)", short)
	w.do("B")
	w.shows("~bob (local name)", "by did:agent:")
	w.do("f G")
	for !strings.Contains(w.Screen(), "~bob did:agent:") {
		w.Press("k")
	}
	w.do("esc enter = ctrl+u enter")
	w.hides("~bob")
	if names, err := w.desk.Petnames(t.Context()); err != nil || len(names) != 0 {
		t.Error(names, err)
	}
}

// Two Agent IDs never have one name; what is wrong stands in the form.
func TestPetnamesAreUnique(t *testing.T) {
	w := newWriting(t)
	mine := w.publish("Mine", "It is so.")
	w.open(mine.ID()).do("= 'bob enter")
	w.open(w.target.ID()).do("= 'bob enter")
	w.shows("Your own name of an Agent ID", "you call "+mine.Actor().String()+" so")
}

// Names cannot be kept where nothing may be changed.
func TestPetnamesInReadOnly(t *testing.T) {
	w := newWriting(t, func(s *setup) { s.config.Options.ReadOnly = true })
	w.open(w.target.ID()).do("=")
	w.shows("read-only")
}

// Drafts begin on every row that is an event, where that is legal, and say why not.
func TestDraftsBeginOnRows(t *testing.T) {
	w := newWriting(t)
	mine := w.publish("Mine", "It is so.")
	other := storetest.Publish(t, storetest.Stamp{Signer: 2, Nonce: 9}, storetest.Titled("Points at it"), func(p *capsule.PublishPayload) {
		p.Relations = []capsule.Link{{Relation: capsule.Supports, Target: mine.ID()}}
	})
	report := storetest.Assess(t, storetest.Stamp{Signer: 2, Nonce: 10}, mine.ID(), capsule.VerdictSupports)
	accept(t, w.lib, wire.Added, other, report)
	for _, step := range []struct{ keys, want string }{
		{"r A", "this is the heading of a group"},
		{"r / 'points enter j A", "about " + other.ID().String()[:8]},
		{"r / 'points enter j X", "this is not your own"},
		{"r / 'assessment enter j A", "only capsules are assessed"},
		{"r / 'assessment enter j c", "addresses must point at a publication"},
		{"a A", "about " + mine.ID().String()[:8]},
		{"a S", "only capsules are corrected"},
		{"a X", "this is not your own"},
		{"v S", "Correct which of your own capsules?"},
		{"v X", "about " + mine.ID().String()[:8]},
	} {
		w.open(mine.ID()).do(step.keys)
		if !strings.Contains(w.Screen(), step.want) {
			t.Errorf("%s does not show %q:\n%s", step.keys, step.want, w.Screen())
		}
		w.Press("esc", "esc", ":")
		w.Type("browse")
		w.Press("enter")
	}
}

// A preview that fills the screen is scrolled by keys.
func TestFullPreviewScrollsByKeys(t *testing.T) {
	lib := emptyLibrary()
	long := strings.Repeat("word ", 400) + "the end"
	accept(t, lib, wire.Added, storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 1}, storetest.Titled("Short"), func(p *capsule.PublishPayload) { p.Statement = "s" }))
	accept(t, lib, wire.Added, storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 2}, storetest.Titled("Long"), func(p *capsule.PublishPayload) { p.Statement = long }))
	x := newExplorer(t, over(lib), at(80, 24), from(kit.Route{Screen: kit.Browse})).do("p")
	x.hides("the end")
	for _, there := range []string{"end", "pgdown pgdown pgdown pgdown", "down " + strings.Repeat("j ", 40)} {
		x.do(there).shows("the end")
		x.do("home").hides("the end")
	}
	x.do("tab").shows("Short")
	x.do("shift+tab esc").shows("2 capsules")
}
