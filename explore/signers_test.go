package explore_test

import (
	"slices"
	"testing"

	"akx/cache/storetest"
	"akx/explore"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// Only its signer supersedes or retracts an event: said at the start and at the check,
// where the keys are known (6.1, 7.1).
func TestOnlyOneOfOnesKeysSigns_6_1(t *testing.T) {
	w := newWriting(t, change{})
	theirs := storetest.Publish(t, stamp(2, 1))
	w.hold(theirs)
	mine := w.publish().Event.ID()
	own := []identity.Actor{w.key.Actor()}
	id := []identity.ID{theirs.ID()}
	for name, start := range map[string]explore.Start{"correct": {Correct: id}, "retract": {Retract: id[0]}} {
		for _, keys := range [][]identity.Actor{own, {}} {
			start.Own = keys
			if _, err := w.w.NewDraft(t.Context(), start); err == nil {
				t.Errorf("%s begins with the keys %v", name, keys)
			} else {
				wantCode(t, err, fault.UsageCode)
			}
		}
		start.Own = nil
		d := w.draft(start)
		if check, err := w.w.CheckDraft(t.Context(), d, own); err != nil || blocking(check) != 1 {
			t.Errorf("%s: %+v, %v", name, check.Problems, err)
		}
		d.Actor = own[0]
		if check, err := w.w.CheckDraft(t.Context(), d, own); err != nil || blocking(check) != 1 {
			t.Errorf("%s by an own key: %+v, %v", name, check.Problems, err)
		}
	}
	for name, start := range map[string]explore.Start{"correct": {Correct: []identity.ID{mine}, Own: own}, "retract": {Retract: mine, Own: own}, "assess": {Assess: id[0], Own: own}} {
		if check, err := w.w.CheckDraft(t.Context(), w.draft(start), own); err != nil || !check.Ready() {
			t.Errorf("%s: %+v, %v", name, check.Problems, err)
		}
	}
	d := w.draft(explore.Start{Kind: capsule.Question, Actor: authorKey(2).Actor(), Own: own})
	if check, err := w.w.CheckDraft(t.Context(), d, own); err != nil || check.Ready() {
		t.Errorf("a draft for another's key is ready, %v", err)
	}
}

// The problem stands at the link that it is about, also behind one that is no ID.
func TestOthersTargetIsNamedAtItsLink_6_1(t *testing.T) {
	w := newWriting(t, change{})
	theirs := storetest.Publish(t, stamp(2, 1))
	w.hold(theirs)
	d := w.draft(explore.Start{Kind: capsule.Question})
	d.Payload.Relations = []desk.Relation{{Relation: "extends", Target: "short"}, {Relation: "supersedes", Target: theirs.ID().String()}}
	check, err := w.w.CheckDraft(t.Context(), d, []identity.Actor{w.key.Actor()})
	if err != nil || !slices.ContainsFunc(check.Problems, func(p desk.Problem) bool { return p.Path == "/relations/1/target" && p.Severity == desk.Blocks }) {
		t.Errorf("%+v, %v", check.Problems, err)
	}
}

// Newer words that wait unread keep the older ones from being signed.
func TestUnreadWordsAreNotPassedOver(t *testing.T) {
	w := newWriting(t, change{})
	waits := ""
	w.w = explore.NewWriter(w.s, w.desk, explore.WriterOptions{Defaults: clean, Unread: func(desk.Draft) (string, error) { return waits, nil }})
	r := w.request(w.draft(explore.Start{Kind: capsule.Question}))
	waits = "edit/draft-1.yaml"
	check, err := w.w.CheckDraft(t.Context(), r.Shown.Draft, nil)
	if err != nil || check.Ready() || check.Unread != waits {
		t.Errorf("%+v, %v", check, err)
	}
	_, err = w.w.Sign(t.Context(), r)
	wantCode(t, err, fault.InvalidEvent)
	waits = ""
	if _, err := w.w.Sign(t.Context(), r); err != nil {
		t.Error(err)
	}
}

// What another akx has just signed is held here as soon as it is told, although that akx
// has not put it into the library yet.
func TestSignedElsewhereIsHeldHere(t *testing.T) {
	signed := newWriting(t, change{}).publish()
	both(t, func(t *testing.T, w *writing) {
		if _, ok, err := w.w.SignedBefore(t.Context(), signed.Entry.DraftID); ok || err != nil {
			t.Fatal(ok, err)
		}
		if _, err := w.desk.PutEntry(t.Context(), signed.Entry); err != nil {
			t.Fatal(err)
		}
		got, ok, err := w.w.SignedBefore(t.Context(), signed.Entry.DraftID)
		if err != nil || !ok || !got.Again || got.Event.ID() != signed.Event.ID() {
			t.Fatalf("%+v, %v, %v", got, ok, err)
		}
		if _, err := w.s.Event(t.Context(), signed.Event.ID()); err != nil {
			t.Error(err)
		}
	})
}

// hold puts an event of somebody else into the library.
func (w *writing) hold(e capsule.Event) {
	w.t.Helper()
	outcomes, err := w.lib.Accept(w.t.Context(), wire.Source{Kind: wire.FromFile, Name: "file"}, []wire.Item{{Offer: capsule.OfferOf(e)}})
	if err != nil || outcomes[0].Refusal != nil {
		w.t.Fatal(outcomes, err)
	}
}

// blocking counts what keeps a draft from being signed.
func blocking(c explore.DraftCheck) int {
	n := 0
	for _, p := range c.Problems {
		if p.Severity == desk.Blocks {
			n++
		}
	}
	return n
}
