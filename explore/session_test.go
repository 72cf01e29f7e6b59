package explore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"akx/cache/storetest"
	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/memory"
	"akx/view/wire"
)

var fromFile = wire.Source{Kind: wire.FromFile, Name: "a.jsonl"}

func stamp(signer byte, nonce int64) storetest.Stamp {
	return storetest.Stamp{Signer: signer, Nonce: nonce}
}

func newStore() *memory.Store {
	return memory.New(view.ThisCache, func() int64 { return storetest.Now })
}

// put stores events that must all be taken.
func put(t testing.TB, lib explore.Library, events ...capsule.Event) {
	t.Helper()
	items := make([]wire.Item, len(events))
	for i, e := range events {
		items[i].Offer = capsule.OfferOf(e)
	}
	outcomes, err := lib.Accept(t.Context(), fromFile, items)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outcomes {
		if o.Status == wire.Refused {
			t.Fatal(o.Refusal)
		}
	}
}

// many makes n publications that differ in their titles.
func many(t testing.TB, n int) []capsule.Event {
	t.Helper()
	events := make([]capsule.Event, n)
	for i := range events {
		kind := capsule.Observation
		if i%3 == 0 {
			kind = capsule.Question
		}
		events[i] = storetest.Publish(t, stamp(1, int64(i+1)), storetest.OfKind(kind), storetest.Titled(fmt.Sprintf("title %04d", i)))
	}
	return events
}

// watched is a library whose scans go through a hook.
type watched struct {
	explore.Library
	mu    sync.Mutex
	scans int
	hook  func(ctx context.Context, q view.Query, yield func([]uint64) bool, scan func() error) error
}

func (w *watched) Read(ctx context.Context, f func(view.Snapshot) error) error {
	return w.Library.Read(ctx, func(s view.Snapshot) error { return f(&watchedSnapshot{s, w}) })
}

type watchedSnapshot struct {
	view.Snapshot
	w *watched
}

func (s *watchedSnapshot) Scan(ctx context.Context, q view.Query, yield func([]uint64) bool) error {
	s.w.mu.Lock()
	s.w.scans++
	hook := s.w.hook
	s.w.mu.Unlock()
	if hook == nil {
		return s.Snapshot.Scan(ctx, q, yield)
	}
	return hook(ctx, q, yield, func() error { return s.Snapshot.Scan(ctx, q, yield) })
}

func (w *watched) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.scans
}

func titles(w explore.Window) []string {
	var out []string
	for _, r := range w.Rows {
		out = append(out, r.Title)
	}
	return out
}

func TestSessionReads(t *testing.T) {
	store := newStore()
	base := storetest.Publish(t, stamp(1, 1))
	report := storetest.Assess(t, stamp(2, 1), base.ID(), capsule.VerdictSupports)
	next := storetest.Publish(t, stamp(1, 2), storetest.Relate(capsule.Supersedes, base.ID()))
	item := wire.Item{Offer: capsule.OfferOf(base), Seq: 7, AcceptedAt: 700}
	if _, err := store.Accept(t.Context(), fromFile, []wire.Item{item}); err != nil {
		t.Fatal(err)
	}
	put(t, store, report, next)
	ctx := t.Context()
	s := explore.New(store, explore.Options{Sample: true})

	page, err := s.Page(ctx, base.ID())
	if err != nil || len(page.Claims) != 1 || page.Claims[0].Seq != 7 || len(page.Facts.Successors) != 1 {
		t.Errorf("page: claims %v, %v", page.Claims, err)
	}
	links, err := s.Links(ctx, base.ID())
	if err != nil || len(links.Facts.Assessments) != 1 {
		t.Errorf("links: %v", err)
	}
	versions, err := s.Versions(ctx, base.ID())
	if err != nil || len(versions.Nodes) != 2 || versions.Here != 1 {
		t.Errorf("versions: %v", err)
	}
	review, err := s.Review(ctx, base.ID())
	if err != nil || len(review.Reports) != 1 {
		t.Errorf("review: %v", err)
	}
	facets, err := s.Facets(ctx, view.Query{})
	if err != nil || facets.Total != 3 {
		t.Errorf("facets: %v", err)
	}
	rows, ok, err := s.Entries(ctx, []identity.ID{next.ID(), {9}, base.ID()})
	if err != nil || !slices.Equal(ok, []bool{true, false, true}) || rows[0].ID != next.ID() || rows[2].ID != base.ID() {
		t.Errorf("entries: %v, %v", ok, err)
	}
	event, err := s.Event(ctx, report.ID())
	if err != nil || event.ID() != report.ID() {
		t.Errorf("event: %v", err)
	}
	for since, want := range map[uint64]bool{3: false, 2: true, 0: true} {
		if changed, err := s.Changed(ctx, since); err != nil || changed != want {
			t.Errorf("changed since %d: %v, %v", since, changed, err)
		}
	}
	var notHeld *fault.NotHeld
	if _, err := s.Page(ctx, identity.ID{9}); !errors.As(err, &notHeld) {
		t.Errorf("a page that is not held: %v", err)
	}
	if !s.Sample() {
		t.Error("the sample is not called so")
	}
}

// TestSessionBesideAWriter reads windows while batches arrive: a window is never
// torn, and totals never fall.
func TestSessionBesideAWriter(t *testing.T) {
	store := newStore()
	events := many(t, 300)
	put(t, store, events[:10]...)
	s := explore.New(store, explore.Options{})
	stop := make(chan struct{})
	var group sync.WaitGroup
	for _, q := range []view.Query{{}, {Sort: view.Title}, {Terms: []string{"title"}}} {
		group.Go(func() {
			last := 0
			for {
				w, err := s.List(t.Context(), q, 0, 1000)
				if err != nil || w.Complete && (w.Total < last || len(w.Rows) != w.Total || uint64(w.Total) != w.Scope.Checkpoint) {
					t.Errorf("%d rows of %d after %d, checkpoint %d, %v", len(w.Rows), w.Total, last, w.Scope.Checkpoint, err)
					return
				}
				if w.Complete {
					last = w.Total
				}
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	for i := 10; i < len(events); i += 10 {
		put(t, store, events[i:i+10]...)
	}
	close(stop)
	group.Wait()
}
