package explore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"akx/cache/storetest"
	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

func TestListWindows(t *testing.T) {
	store := newStore()
	put(t, store, many(t, 30)...)
	s := explore.New(store, explore.Options{})
	q := view.Query{Sort: view.Title}
	for _, test := range []struct {
		from, to, first, rows int
	}{
		{0, 5, 0, 5}, {10, 12, 10, 2}, {28, 40, 28, 2}, {30, 35, 30, 0}, {99, 120, 30, 0},
		{-5, 3, 0, 3}, {7, 2, 7, 0}, {0, 1 << 40, 0, 30},
	} {
		w, err := s.Await(t.Context(), q, test.from, test.to)
		if err != nil {
			t.Fatal(err)
		}
		if w.First != test.first || len(w.Rows) != test.rows || w.Total != 30 || !w.Complete {
			t.Errorf("[%d, %d): first %d, %d rows of %d, complete %v", test.from, test.to, w.First, len(w.Rows), w.Total, w.Complete)
		}
		for i, title := range titles(w) {
			if want := fmt.Sprintf("title %04d", test.first+i); title != want {
				t.Errorf("row %d is %q", test.first+i, title)
			}
		}
		if w.Scope.Origin != view.ThisCache || w.Scope.Checkpoint != 30 {
			t.Errorf("scope %+v", w.Scope)
		}
	}
}

func TestEqualQueriesShareAScan(t *testing.T) {
	lib := &watched{Library: newStore()}
	put(t, lib, many(t, 50)...)
	s := explore.New(lib, explore.Options{})
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			terms := []string{"title", "00"}
			if i%2 == 0 {
				terms = []string{"00", "title", "00"}
			}
			w, err := s.Await(t.Context(), view.Query{Terms: terms}, 0, 10)
			if err != nil || w.Total != 50 {
				t.Errorf("%d rows, %v", w.Total, err)
			}
		})
	}
	group.Wait()
	if n := lib.count(); n != 1 {
		t.Errorf("%d scans for one query", n)
	}
}

// slow makes scans give their first batch at once and the rest when told.
func slow(lib *watched) (release func()) {
	gate := make(chan struct{})
	lib.hook = func(ctx context.Context, _ view.Query, yield func([]uint64) bool, scan func() error) error {
		if !yield([]uint64{3, 2}) {
			return nil
		}
		select {
		case <-gate:
		case <-ctx.Done():
			return ctx.Err()
		}
		yield([]uint64{1})
		return nil
	}
	return sync.OnceFunc(func() { close(gate) })
}

func TestListGivesWhatIsKnown(t *testing.T) {
	lib := &watched{Library: newStore()}
	put(t, lib, many(t, 3)...)
	release := slow(lib)
	defer release()
	s := explore.New(lib, explore.Options{})
	w, err := s.List(t.Context(), view.Query{}, 0, 2)
	if err != nil || len(w.Rows) != 2 || w.Complete || w.Total != 2 {
		t.Fatalf("the first rows: %d of %d, complete %v, %v", len(w.Rows), w.Total, w.Complete, err)
	}
	// More than is known: patience ends, and what is there is given.
	w, err = s.List(t.Context(), view.Query{}, 0, 3)
	if err != nil || len(w.Rows) != 2 || w.Complete {
		t.Fatalf("a window that is not filled: %d rows, complete %v, %v", len(w.Rows), w.Complete, err)
	}
	release()
	w, err = s.Await(t.Context(), view.Query{}, 0, 3)
	if err != nil || len(w.Rows) != 3 || !w.Complete {
		t.Fatalf("at last: %d rows, complete %v, %v", len(w.Rows), w.Complete, err)
	}
	if n := lib.count(); n != 1 {
		t.Errorf("%d scans", n)
	}
}

func TestSupersededScansAreStopped(t *testing.T) {
	lib := &watched{Library: newStore()}
	put(t, lib, many(t, 3)...)
	ended := make(chan string, 10)
	lib.hook = func(ctx context.Context, q view.Query, yield func([]uint64) bool, _ func() error) error {
		yield([]uint64{3})
		<-ctx.Done()
		ended <- q.Terms[0]
		return ctx.Err()
	}
	s := explore.New(lib, explore.Options{})
	for _, text := range []string{"c", "ca", "cac"} {
		if _, err := s.List(t.Context(), view.Query{Terms: []string{text}}, 0, 1); err != nil {
			t.Fatal(err)
		}
	}
	if text := <-ended; text != "c" {
		t.Errorf("the scan for %q ended first", text)
	}
	s.Close()
	rest := []string{<-ended, <-ended}
	slices.Sort(rest)
	if !slices.Equal(rest, []string{"ca", "cac"}) {
		t.Errorf("ended at last: %q", rest)
	}
}

func TestAskEndsWithItsContext(t *testing.T) {
	lib := &watched{Library: newStore()}
	put(t, lib, many(t, 3)...)
	release := slow(lib)
	begun := make(chan struct{})
	walk := lib.hook
	lib.hook = func(ctx context.Context, q view.Query, yield func([]uint64) bool, scan func() error) error {
		close(begun)
		return walk(ctx, q, yield, scan)
	}
	s := explore.New(lib, explore.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	answer := make(chan error)
	go func() {
		_, err := s.Await(ctx, view.Query{}, 0, 3)
		answer <- err
	}()
	<-begun
	cancel()
	if err := <-answer; !errors.Is(err, context.Canceled) {
		t.Errorf("Await: %v", err)
	}
	// The scan was not lost with the one who asked: another finds it.
	release()
	if w, err := s.Await(t.Context(), view.Query{}, 0, 3); err != nil || w.Total != 3 || lib.count() != 1 {
		t.Errorf("%d rows after %d scans, %v", w.Total, lib.count(), err)
	}
	if _, err := s.List(ctx, view.Query{}, 0, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("List: %v", err)
	}
}

func TestAFailedScanIsTriedAgain(t *testing.T) {
	lib := &watched{Library: newStore()}
	put(t, lib, many(t, 3)...)
	lib.hook = func(context.Context, view.Query, func([]uint64) bool, func() error) error {
		return &fault.Damaged{What: "cache.db"}
	}
	s := explore.New(lib, explore.Options{})
	var damaged *fault.Damaged
	if _, err := s.Await(t.Context(), view.Query{}, 0, 3); !errors.As(err, &damaged) {
		t.Errorf("Await: %v", err)
	}
	if _, err := s.List(t.Context(), view.Query{}, 0, 3); !errors.As(err, &damaged) {
		t.Errorf("List: %v", err)
	}
	lib.mu.Lock()
	lib.hook = nil
	lib.mu.Unlock()
	if w, err := s.Await(t.Context(), view.Query{}, 0, 3); err != nil || w.Total != 3 {
		t.Errorf("%d rows, %v", w.Total, err)
	}
}

func TestListsFollowTheLibrary(t *testing.T) {
	store := newStore()
	events := many(t, 40)
	put(t, store, events[:20]...)
	s := explore.New(store, explore.Options{})
	queries := []view.Query{
		{}, {Sort: view.Title}, {Sort: view.Created}, {Lifecycle: view.Active}, {Filter: capsule.Filter{Kind: capsule.Question}},
		{Terms: []string{"title"}}, {Lifecycle: view.Retracted},
	}
	totals := func() (out []int) {
		for _, q := range queries {
			w, err := s.Await(t.Context(), q, 0, 100)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, w.Total)
			want := explore.New(store, explore.Options{})
			fresh, err := want.Await(t.Context(), q, 0, 100)
			if err != nil || !slices.Equal(titles(w), titles(fresh)) {
				t.Errorf("%+v: %q, want %q (%v)", q, titles(w), titles(fresh), err)
			}
		}
		return out
	}
	if got := totals(); !slices.Equal(got, []int{20, 20, 20, 20, 7, 20, 0}) {
		t.Errorf("totals %v", got)
	}
	put(t, store, events[20:]...)
	put(t, store, storetest.Retract(t, stamp(1, 99), events[4].ID()))
	if got := totals(); !slices.Equal(got, []int{41, 41, 41, 40, 14, 40, 1}) {
		t.Errorf("totals after a change %v", got)
	}
}

// TestRefreshWalksOnlyWhatIsNew counts the rows that a refresh takes from the store.
func TestRefreshWalksOnlyWhatIsNew(t *testing.T) {
	lib := &watched{Library: newStore()}
	events := many(t, 300)
	put(t, lib, events[:290]...)
	s := explore.New(lib, explore.Options{})
	if _, err := s.Await(t.Context(), view.Query{}, 0, 0); err != nil {
		t.Fatal(err)
	}
	put(t, lib, events[290:]...)
	batches := 0
	lib.hook = func(_ context.Context, q view.Query, yield func([]uint64) bool, _ func() error) error {
		for n := uint64(300); n > 0; n -= 10 {
			batches++
			batch := make([]uint64, 10)
			for i := range batch {
				batch[i] = n - uint64(i)
			}
			if !yield(batch) {
				return nil
			}
		}
		return nil
	}
	w, err := s.Await(t.Context(), view.Query{}, 0, 300)
	if err != nil || w.Total != 300 || batches != 2 {
		t.Errorf("%d rows from %d batches, %v", w.Total, batches, err)
	}
	for i, row := range w.Rows {
		if row.Number != uint64(300-i) {
			t.Fatalf("row %d has number %d", i, row.Number)
		}
	}
}

// TestALongScanIsNotRepeatedAtEachGlance has a clock in which each scan takes a second.
func TestALongScanIsNotRepeatedAtEachGlance(t *testing.T) {
	lib := &watched{Library: newStore()}
	events := many(t, 10)
	put(t, lib, events[:3]...)
	var mu sync.Mutex
	now := time.UnixMilli(storetest.Now)
	pass := func(d time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(d)
	}
	clock := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}
	lib.hook = func(_ context.Context, _ view.Query, _ func([]uint64) bool, scan func() error) error {
		pass(time.Second)
		return scan()
	}
	s := explore.New(lib, explore.Options{Clock: clock})
	glance := func() explore.Window {
		t.Helper()
		w, err := s.List(t.Context(), view.Query{}, 0, 10)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	glance()
	put(t, lib, events[3:]...)
	if w := glance(); w.Total != 3 || w.Scope.Checkpoint != 3 || lib.count() != 1 {
		t.Errorf("%d rows at checkpoint %d after %d scans", w.Total, w.Scope.Checkpoint, lib.count())
	}
	pass(20 * time.Second)
	if w := glance(); w.Total != 10 || lib.count() != 2 {
		t.Errorf("%d rows after %d scans", w.Total, lib.count())
	}
	put(t, lib, storetest.Retract(t, stamp(1, 99), events[0].ID()))
	if w, err := s.Await(t.Context(), view.Query{}, 0, 20); err != nil || w.Total != 11 {
		t.Errorf("Await gave %d rows of the former state, %v", w.Total, err)
	}
}

func TestRememberedListsAreBounded(t *testing.T) {
	lib := &watched{Library: newStore()}
	put(t, lib, many(t, 40)...)
	s := explore.New(lib, explore.Options{})
	ask := func(i int) {
		t.Helper()
		if _, err := s.Await(t.Context(), view.Query{Terms: []string{fmt.Sprintf("%04d", i)}}, 0, 5); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 40 {
		ask(i)
	}
	for i := 39; i > 30; i-- {
		ask(i)
	}
	if n := lib.count(); n != 40 {
		t.Errorf("lists asked lately were walked again: %d scans", n)
	}
	ask(0)
	if n := lib.count(); n != 41 {
		t.Errorf("a list asked long ago is still remembered: %d scans", n)
	}
}

func TestPosition(t *testing.T) {
	store := newStore()
	events := many(t, 20)
	put(t, store, events...)
	s := explore.New(store, explore.Options{})
	questions := view.Query{Filter: capsule.Filter{Kind: capsule.Question}}
	for _, test := range []struct {
		q   view.Query
		id  identity.ID
		row int
		ok  bool
	}{
		{view.Query{}, events[0].ID(), 19, true},
		{view.Query{}, events[19].ID(), 0, true},
		{view.Query{Sort: view.Title}, events[7].ID(), 7, true},
		{questions, events[3].ID(), 5, true},
		{questions, events[4].ID(), 0, false},
		{view.Query{}, identity.ID{1}, 0, false},
	} {
		row, ok, err := s.Position(t.Context(), test.q, test.id)
		if err != nil || row != test.row || ok != test.ok {
			t.Errorf("%+v: row %d, %v, %v; want %d, %v", test.q, row, ok, err, test.row, test.ok)
		}
	}
}
