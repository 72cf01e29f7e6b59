package explore_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"akx/cache/storetest"
	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

func code(err error) fault.Code {
	var coded fault.Coded
	if errors.As(err, &coded) {
		return coded.FaultCode()
	}
	return ""
}

// leftover is what a sync leaves behind, apart from when and how often it was tried.
type leftover struct {
	follow     desk.Follow
	exceptions string
	held       string
	given      string
}

func (n *net) left(t testing.TB, origin identity.Origin) leftover {
	t.Helper()
	var s leftover
	var err error
	if s.follow, err = n.store.Follow(t.Context(), origin); err != nil {
		t.Fatal(err)
	}
	s.follow.Tried = 0
	all, err := n.store.Exceptions(t.Context(), origin, 0, desk.MaxExceptions)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		s.exceptions += fmt.Sprintf("#%d %s %s\n", e.Seq, e.Code, e.ID)
	}
	err = n.store.Read(t.Context(), func(snap view.Snapshot) error {
		records, _ := view.RecordsOf(snap)
		var numbers []uint64
		err := snap.Scan(t.Context(), view.Query{}, func(batch []uint64) bool {
			numbers = append(numbers, batch...)
			return true
		})
		if err != nil {
			return err
		}
		rows, err := snap.Entries(numbers)
		if err != nil {
			return err
		}
		given, err := records.Given(origin, numbers)
		if err != nil {
			return err
		}
		var held, gave []string
		for i, row := range rows {
			held = append(held, row.ID.String()+row.Lifecycle.String())
			if given[i] {
				gave = append(gave, row.ID.String())
			}
		}
		slices.Sort(held)
		slices.Sort(gave)
		s.held, s.given = fmt.Sprint(held), fmt.Sprint(gave)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func sameState(t *testing.T, what string, got, want leftover) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %+v\nwant %+v", what, got.follow, want.follow)
		if got.exceptions != want.exceptions {
			t.Errorf("exceptions:\n got %s\nwant %s", got.exceptions, want.exceptions)
		}
		if got.held != want.held || got.given != want.given {
			t.Error("other events")
		}
	}
}

// records makes a service's records: a world with gaps between seqs, records that
// cannot be proven and a future event among them.
func records(t testing.TB, n int) []wire.Item {
	t.Helper()
	items := numbered(3, 2, storetest.World(t, 5, n)...)
	items = append(items, unproven(items[n/2].Seq+1), unproven(items[n-1].Seq+1))
	later := storetest.Publish(t, storetest.Stamp{Signer: 8, Nonce: 1, CreatedAt: storetest.Now * 2})
	items = append(items, storetest.Record(later, items[n/3].Seq+1))
	slices.SortFunc(items, func(a, b wire.Item) int { return cmp.Compare(a.Seq, b.Seq) })
	return items
}

func TestSyncFollows_9_3_1(t *testing.T) {
	items := records(t, 40)
	r := newRemote(hub, items...)
	n := connect(t, r)
	var seen []explore.SyncProgress
	synced, err := n.Sync(t.Context(), "hub", func(p explore.SyncProgress) { seen = append(seen, p) })
	if err != nil || synced.Err != nil {
		t.Fatal(err, synced.Err)
	}
	p := synced.Progress
	if p.Records != 43 || p.Added != 40 || p.Refused != 3 || p.Pages != 7 || p.Pending != 0 || p.Bytes == 0 {
		t.Errorf("progress %+v", p)
	}
	if len(synced.Refusals) != 3 || synced.Refusals[0].Where == "" {
		t.Errorf("refusals %+v", synced.Refusals)
	}
	last := items[len(items)-1].Seq
	want := desk.Follow{Checkpoint: last, AsOf: r.asOf, Complete: true, Reached: last, Exceptions: 3, Tried: n.now}
	if !reflect.DeepEqual(synced.After, want) || !reflect.DeepEqual(synced.Before, desk.Follow{}) {
		t.Errorf("after %+v\nwant %+v", synced.After, want)
	}
	for i := 1; i < len(seen); i++ {
		if seen[i].Reached < seen[i-1].Reached || seen[i].Records < seen[i-1].Records {
			t.Errorf("progress went back: %+v", seen)
		}
	}

	// What is new is all that the next sync takes.
	r.add(numbered(last+5, 1, storetest.Publish(t, stamp(9, 1)))...)
	synced = n.mustSync(t, "hub")
	if synced.Progress.Records != 1 || synced.Progress.Added != 1 || synced.After.Checkpoint != last+5 {
		t.Errorf("second sync %+v", synced.Progress)
	}
	for seq, times := range r.served {
		if times != 1 {
			t.Errorf("record %d was followed %d times", seq, times)
		}
	}
	// Nothing new: the checkpoint's time moves on.
	r.add()
	if synced = n.mustSync(t, "hub"); synced.After.AsOf != r.asOf || synced.Progress.Records != 0 {
		t.Errorf("third sync %+v", synced.After)
	}
}

// Any interruption at any point: the next sync ends in the same state as one that
// was not interrupted, and takes nothing again that was stored.
func TestSyncGoesOnAfterAnyInterruption_9_3_1(t *testing.T) {
	items := records(t, 40)
	whole := connect(t, newRemote(hub, items...))
	whole.mustSync(t, "hub")
	want := whole.left(t, hub)
	pages := whole.remotes[hub].called("follow")
	cut := &fault.Unavailable{Code: fault.UnavailableCode, What: "hub", Detail: "the line was cut"}

	for at := 1; at <= pages; at++ {
		t.Run(fmt.Sprintf("the service fails at page %d", at), func(t *testing.T) {
			r := newRemote(hub, items...)
			n := connect(t, r)
			r.before = func(_ context.Context, call string, k int) error {
				if call == "follow" && k == at {
					return cut
				}
				return nil
			}
			first := n.sync(t, "hub")
			if code(first.Err) != fault.UnavailableCode || first.After.Trouble.Code != fault.UnavailableCode || first.After.Complete {
				t.Errorf("interrupted: %v, %+v", first.Err, first.After)
			}
			n.mustSync(t, "hub")
			sameState(t, "after the second", n.left(t, hub), want)
			onlyOnce(t, r)
		})
		t.Run(fmt.Sprintf("the reader cancels at page %d", at), func(t *testing.T) {
			r := newRemote(hub, items...)
			n := connect(t, r)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			first, err := n.Sync(ctx, "hub", func(p explore.SyncProgress) {
				if p.Pages == at {
					cancel()
				}
			})
			if err != nil || !errors.Is(first.Err, context.Canceled) {
				t.Errorf("cancelled: %v, %v", err, first.Err)
			}
			if follow := n.left(t, hub).follow; follow.Complete || follow.Trouble.Code != fault.Cancelled {
				t.Errorf("state of the cancelled: %+v", follow)
			}
			n.mustSync(t, "hub")
			sameState(t, "after the second", n.left(t, hub), want)
			onlyOnce(t, r)
		})
	}
	for at := 1; at <= pages+2; at++ {
		t.Run(fmt.Sprintf("the store fails at transaction %d", at), func(t *testing.T) {
			r := newRemote(hub, items...)
			store := &failing{from: at}
			n := connectWith(t, explore.Bounds{}, func(f explore.Follower) explore.Follower {
				store.Follower = f
				return store
			}, r)
			if first := n.sync(t, "hub"); code(first.Err) != fault.Locked {
				t.Errorf("interrupted: %v", first.Err)
			}
			store.from = 0
			n.mustSync(t, "hub")
			sameState(t, "after the second", n.left(t, hub), want)
		})
	}
	t.Run("again and again, while the service grows", func(t *testing.T) {
		r := newRemote(hub, items[:10]...)
		n := connect(t, r)
		rest := items[10:]
		for round := 0; ; round++ {
			r.before = func(_ context.Context, call string, k int) error {
				if call == "follow" && k%3 == 2 {
					return cut
				}
				return nil
			}
			if synced := n.sync(t, "hub"); synced.Err == nil && len(rest) == 0 {
				break
			}
			if round > 50 {
				t.Fatal("it never ends")
			}
			more := min(len(rest), 4)
			r.add(rest[:more]...)
			rest = rest[more:]
		}
		r.before = nil
		n.mustSync(t, "hub")
		got := n.left(t, hub)
		got.follow.AsOf = want.follow.AsOf
		sameState(t, "in the end", got, want)
		onlyOnce(t, r)
	})
}

func onlyOnce(t *testing.T, r *remote) {
	t.Helper()
	for seq, times := range r.served {
		if times != 1 {
			t.Errorf("record %d was followed %d times", seq, times)
		}
	}
}

func TestSyncGoesOnBehindAnExpiredCursor_9_3_1(t *testing.T) {
	items := records(t, 40)
	whole := connect(t, newRemote(hub, items...))
	whole.mustSync(t, "hub")
	r := newRemote(hub, items...)
	n := connect(t, r)
	expired := &fault.Refusal{Code: fault.InvalidCursor}
	r.before = func(_ context.Context, call string, k int) error {
		if call == "follow" && k%3 == 0 {
			return expired
		}
		return nil
	}
	n.mustSync(t, "hub")
	sameState(t, "with cursors that expire", n.left(t, hub), whole.left(t, hub))
	onlyOnce(t, r)
	// A cursor that never works ends it.
	r.add(numbered(200, 1, storetest.Publish(t, stamp(9, 1)))...)
	r.before = func(_ context.Context, call string, _ int) error { return expired }
	if s := n.sync(t, "hub"); code(s.Err) != fault.InvalidCursor {
		t.Errorf("%v", s.Err)
	}
}

// A service that gives records before what they point at, and two services that
// share events: the order changes no fact.
func TestSyncOrderChangesNothing_7_2(t *testing.T) {
	events := storetest.World(t, 6, 60)
	var want []view.At
	target := hubOf(events)
	for round := range 6 {
		rnd := rand.New(rand.NewPCG(uint64(round), 1))
		mixed := slices.Clone(events)
		rnd.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		h := newRemote(hub, numbered(1, 1, mixed...)...)
		l := newRemote(lab, numbered(100, 3, events[:50]...)...)
		n := connect(t, h, l)
		names := []string{"hub", "lab"}
		if round%2 == 1 {
			slices.Reverse(names)
		}
		for _, name := range names {
			if s := n.mustSync(t, name); s.After.Exceptions != 0 {
				t.Fatalf("%s has %d exceptions", name, s.After.Exceptions)
			}
		}
		page, err := n.Page(t.Context(), target)
		if err != nil || page.Facts.Lifecycle == view.Unchecked {
			t.Fatal(err)
		}
		if want == nil {
			want = page.Shown.At
		}
		if len(want) != 2 || !reflect.DeepEqual(page.Shown.At, want) {
			t.Fatalf("round %d:\n got %+v\nwant %+v", round, page.Shown.At, want)
		}
	}
}

// hubOf gives the event that most others point at.
func hubOf(events []capsule.Event) identity.ID {
	count := make(map[identity.ID]int)
	best := events[0].ID()
	for _, e := range events {
		for _, id := range capsule.Dependencies(e) {
			if count[id]++; count[id] > count[best] {
				best = id
			}
		}
	}
	return best
}
