package sample

import (
	"context"
	"errors"
	"slices"
	"testing"

	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// What was followed is what each service answers: the same seq and time for the
// same event, up to the same checkpoint.
func TestServicesHoldWhatWasFollowed(t *testing.T) {
	s, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	checkpoints := make(map[identity.Origin]uint64)
	for _, m := range mirrors {
		store, err := s.Serve(m.origin)
		if err != nil {
			t.Fatal(err)
		}
		checkpoint, err := store.Checkpoint(ctx)
		if err != nil {
			t.Fatal(err)
		}
		follow, err := s.Library.Follow(ctx, m.origin)
		if err != nil || follow.Checkpoint != checkpoint || !follow.Complete || follow.Exceptions != 0 || len(follow.Faults) != 0 {
			t.Errorf("%s: %+v of %d, %v", m.name, follow, checkpoint, err)
		}
		checkpoints[m.origin] = checkpoint
		records, _, err := store.Records(ctx, wire.Range{Through: checkpoint, Limit: int(checkpoint)})
		if err != nil || uint64(len(records)) != checkpoint {
			t.Fatalf("%s: %d records, %v", m.name, len(records), err)
		}
		for _, r := range records {
			want := wire.Claim{Source: wire.Source{Kind: wire.FromService, Name: string(m.origin)}, Seq: r.Seq, AcceptedAt: r.AcceptedAt}
			claims, err := s.Library.Claims(ctx, r.Event.ID())
			if err != nil || !slices.Contains(claims, want) {
				t.Fatalf("%s: %+v is not among %+v, %v", m.name, want, claims, err)
			}
			if r.AcceptedAt < r.Event.CreatedAt() || r.AcceptedAt > m.asOf {
				t.Errorf("%s #%d: accepted at %d", m.name, r.Seq, r.AcceptedAt)
			}
		}
	}
	if all := uint64(len(s.items)); checkpoints[Hub] != all || checkpoints[Lab] >= all {
		t.Errorf("checkpoints %v of %d events", checkpoints, all)
	}
	var unavailable *fault.Unavailable
	if _, err := s.Serve("https://hub.example"); !errors.As(err, &unavailable) {
		t.Errorf("another origin: %v", err)
	}
}

// The capsule behind Withdrawn is retracted at one service and not shown as such by
// the other, though others rely on it.
func TestOneRetractionIsNotEverywhere(t *testing.T) {
	library, err := Library()
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	retraction, err := identity.ParseID(Withdrawn)
	if err != nil {
		t.Fatal(err)
	}
	err = library.Read(ctx, func(snap view.Snapshot) error {
		event, err := snap.Event(retraction)
		if err != nil {
			return err
		}
		capsuleID := capsule.Links(event)[0].Target
		page, err := view.LoadPage(ctx, snap, capsuleID)
		if err != nil {
			return err
		}
		if page.Facts.Lifecycle != view.Retracted || len(page.Shown.At) != 2 {
			t.Fatalf("%s: %v, shown %+v", capsuleID, page.Facts.Lifecycle, page.Shown)
		}
		hub, lab := page.Shown.At[0].Facts, page.Shown.At[1].Facts
		if hub.Lifecycle != view.Retracted || lab.Lifecycle != view.Active || !lab.Scope.Complete {
			t.Errorf("hub %v, lab %v in %+v", hub.Lifecycle, lab.Lifecycle, lab.Scope)
		}
		links, err := view.LoadLinks(ctx, snap, capsuleID)
		if err != nil {
			return err
		}
		relied := 0
		for _, r := range links.Facts.Relations {
			relied += r.Active
		}
		if relied == 0 {
			t.Error("nothing relies on the capsule")
		}
		want := []identity.Origin{Hub}
		if d := page.Shown.Differences; len(d) != 1 || d[0].Event != retraction || !slices.Equal(d[0].Shown, want) ||
			len(d[0].Not) != 1 || d[0].Not[0].Origin != string(Lab) {
			t.Errorf("differences %+v", d)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
