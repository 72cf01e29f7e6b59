package view_test

import (
	"context"
	"errors"
	"testing"

	"akx/cache/storetest"
	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// torn is a snapshot in which the text of some events is damaged or gone, while
// the index still speaks of them.
type torn struct {
	view.Snapshot
	errs map[identity.ID]error
}

func (s torn) Event(id identity.ID) (capsule.Event, error) {
	if err := s.errs[id]; err != nil {
		return nil, err
	}
	return s.Snapshot.Event(id)
}

func TestViewsBearDamagedTexts(t *testing.T) {
	base := storetest.Publish(t, stamp(1, 1))
	next := storetest.Publish(t, stamp(1, 2), storetest.Relate(capsule.Supersedes, base.ID()))
	last := storetest.Publish(t, stamp(1, 3), storetest.Relate(capsule.Supersedes, next.ID()))
	report := storetest.Assess(t, stamp(2, 1), base.ID(), capsule.VerdictSupports)
	gone := storetest.Retract(t, stamp(1, 4), base.ID())
	store := held(t, base, next, last, report, gone)
	damaged := &fault.Damaged{What: "an event"}
	err := store.Read(t.Context(), func(snap view.Snapshot) error {
		s := torn{snap, map[identity.ID]error{next.ID(): damaged, report.ID(): damaged, gone.ID(): damaged}}
		ctx := context.Background()

		p, err := view.LoadPage(ctx, s, base.ID())
		if err != nil || p.Facts.Lifecycle != view.Retracted || len(p.Facts.Retractions) != 1 || len(p.Retractions) != 0 {
			t.Errorf("a page with a damaged retraction: %+v, %v", p.Facts, err)
		}
		var is *fault.Damaged
		if p, err := view.LoadPage(ctx, s, next.ID()); !errors.As(err, &is) || p.Event != nil {
			t.Errorf("a damaged page: %v", err)
		}
		r, err := view.LoadReview(ctx, s, base.ID(), 5)
		if err != nil || len(r.Reports) != 1 || r.Reports[0].Event != nil || !r.Reports[0].Entry.Damaged {
			t.Errorf("a damaged report: %+v, %v", r.Reports, err)
		}
		// From the newest the walk ends at the damaged one, and says so.
		v, err := view.LoadVersions(ctx, s, last.ID())
		if err != nil || len(v.Nodes) != 2 || v.Scope.Complete || len(v.Scope.Reasons) != 1 {
			t.Errorf("versions around a damaged one: %d nodes, %+v, %v", len(v.Nodes), v.Scope, err)
		}
		s.errs[next.ID()] = &fault.NotHeld{ID: next.ID().String()}
		if _, err := view.LoadVersions(ctx, s, last.ID()); err != nil {
			t.Errorf("versions around one that is not held: %v", err)
		}
		s.errs[next.ID()] = context.Canceled
		if _, err := view.LoadVersions(ctx, s, last.ID()); !errors.Is(err, context.Canceled) {
			t.Errorf("another error: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
