package explore_test

import (
	"testing"

	"akx/cache/storetest"
	"akx/explore"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/identity"
	"akx/view/wire"
)

// Drafts and past signed work that point at withdrawn events are told, once those
// are known to be withdrawn; a correction and a retraction do not rely on their target.
func TestReliance(t *testing.T) {
	both(t, func(t *testing.T, w *writing) {
		theirs := storetest.Publish(t, stamp(2, 1), storetest.OfKind(capsule.Question))
		other := storetest.Publish(t, stamp(2, 2))
		accept(t, w.lib, theirs, other)
		mine := w.publish().Event.ID()
		extending := w.draft(explore.Start{Relation: capsule.Extends, Target: theirs.ID()})
		sound := w.draft(explore.Start{Relation: capsule.Extends, Target: other.ID()})
		correction := w.draft(explore.Start{Correct: []identity.ID{mine}})
		answer := w.sign(w.draft(explore.Start{Relation: capsule.Addresses, Target: theirs.ID()}))
		retracting := w.draft(explore.Start{Retract: mine})

		reliance := func() explore.Reliance {
			t.Helper()
			drafts, err := w.w.Drafts(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			entries, err := w.w.Outbox(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			r, err := w.w.Reliance(t.Context(), drafts, entries)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		if r := reliance(); len(r.Drafts)+len(r.Entries) != 0 {
			t.Errorf("nothing is withdrawn yet: %+v", r)
		}
		accept(t, w.lib, storetest.Retract(t, stamp(2, 3), theirs.ID()))
		w.sign(retracting)
		r := reliance()
		if len(r.Drafts) != 1 || len(r.Drafts[extending.ID]) != 1 || r.Drafts[extending.ID][0].ID != theirs.ID() || !r.Drafts[extending.ID][0].Retracted() {
			t.Errorf("drafts (%d, not %d, %d): %+v", extending.ID, sound.ID, correction.ID, r.Drafts)
		}
		if len(r.Entries) != 1 || len(r.Entries[answer.Event.ID()]) != 1 || r.Entries[answer.Event.ID()][0].Relation != capsule.Addresses {
			t.Errorf("entries: %+v", r.Entries)
		}
	})
}

// What is kept of an entry gives its links back.
func TestEntryKnowsItsLinks(t *testing.T) {
	event := storetest.Assess(t, stamp(1, 2), identity.ID{7}, capsule.VerdictSupports)
	text, err := desk.NewEntry(event, 1, nil).Encode()
	if err != nil {
		t.Fatal(err)
	}
	e, err := desk.DecodeEntry(text)
	if err != nil || len(e.Links) != 1 || e.Links[0].Target != (identity.ID{7}) {
		t.Errorf("%+v, %v", e.Links, err)
	}
}

// accept puts events into a library.
func accept(t *testing.T, lib explore.Library, events ...capsule.Event) {
	t.Helper()
	for _, e := range events {
		outcomes, err := lib.Accept(t.Context(), wire.Source{Kind: wire.FromFile, Name: "a.jsonl"}, []wire.Item{{Offer: capsule.OfferOf(e)}})
		if err != nil || outcomes[0].Status != wire.Added {
			t.Fatal(outcomes, err)
		}
	}
}
