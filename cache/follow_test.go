package cache

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"akx/cache/storetest"
	"akx/view"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/memory"
	"akx/view/wire"
)

func acceptPage(t testing.TB, c *Cache, origin identity.Origin, next desk.Follow, items ...wire.Item) desk.Follow {
	t.Helper()
	_, stored, err := c.AcceptPage(t.Context(), origin, items, next)
	if err != nil {
		t.Fatal(err)
	}
	return stored
}

// givenOf counts what the set of each followed service holds of all events.
func givenOf(t testing.TB, s view.Snapshot) map[identity.Origin]uint64 {
	t.Helper()
	records, ok := view.RecordsOf(s)
	if !ok {
		t.Fatal("the snapshot has no records")
	}
	followed, err := records.Followed()
	if err != nil {
		t.Fatal(err)
	}
	numbers := make([]uint64, s.Scope().Checkpoint)
	for i := range numbers {
		numbers[i] = uint64(i + 1)
	}
	counts := make(map[identity.Origin]uint64)
	for _, f := range followed {
		given, err := records.Given(f.Origin, numbers)
		if err != nil {
			t.Fatal(err)
		}
		held := uint64(0)
		for _, g := range given {
			if g {
				held++
			}
		}
		if held != f.Checkpoint {
			t.Errorf("%s gave %d events up to #%d", f.Origin, held, f.Checkpoint)
		}
		counts[f.Origin] = held
	}
	return counts
}

func readGiven(t testing.TB, c *Cache) (counts map[identity.Origin]uint64) {
	t.Helper()
	err := c.Read(t.Context(), func(s view.Snapshot) error {
		counts = givenOf(t, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return counts
}

// Kill -9 at any moment of a sync leaves events and state that agree (9.3.1).
func TestKilledSyncAgreesWithItsState(t *testing.T) {
	rounds, events := 10, 1500
	if testing.Short() {
		rounds = 5
	}
	const size = 9
	file, home := corpusOfSeed(t, events, 5), filepath.Join(t.TempDir(), "home")
	var reached uint64
	for round := range rounds {
		child := startChild(t, "follow", home, file, fmt.Sprint(size), string(hub))
		told := reached
		for range 2 + round*7%23 {
			if _, err := fmt.Sscanf(child.line(), "reached %d", &told); err != nil && told != reached {
				break
			}
		}
		child.kill()
		c := mustOpen(t, home, Options{})
		state, err := c.Follow(t.Context(), hub)
		if err != nil {
			t.Fatal(err)
		}
		stats, err := c.Stats(t.Context())
		if err != nil || stats.Events != state.Reached || state.Reached < told || state.Checkpoint != state.Reached {
			t.Fatalf("round %d: told %d, %d events, %+v, %v", round, told, stats.Events, state, err)
		}
		if got := readGiven(t, c)[hub]; got != state.Reached {
			t.Fatalf("round %d: given %d of %d", round, got, state.Reached)
		}
		c.Close()
		reached = state.Reached
		if reached == uint64(events) {
			break
		}
	}
	if reached == 0 {
		t.Fatal("no round kept anything")
	}
	sound(t, home)
}

// Two processes follow two services that have the same events, and a third reads.
func TestTwoSyncsAndAReader(t *testing.T) {
	const events = 1200
	file, home := corpusOfSeed(t, events, 6), filepath.Join(t.TempDir(), "home")
	a := startChild(t, "follow", home, file, "40", string(hub))
	b := startChild(t, "follow", home, file, "25", string(lab))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for line := a.line(); line != ""; line = a.line() {
		}
		for line := b.line(); line != ""; line = b.line() {
		}
	}()
	c := mustOpen(t, home, Options{Command: "akx list"})
	reads := 0
	for running := true; running; reads++ {
		select {
		case <-ended:
			running = false
		default:
		}
		readGiven(t, c)
	}
	if err := errors.Join(a.cmd.Wait(), b.cmd.Wait()); err != nil {
		t.Fatal(err)
	}
	if got, want := readGiven(t, c), map[identity.Origin]uint64{hub: events, lab: events}; !reflect.DeepEqual(got, want) || reads < 5 {
		t.Errorf("%v after %d reads", got, reads)
	}
	if stats := statsOf(t, home); stats.Events != events {
		t.Errorf("%d events", stats.Events)
	}
	c.Close()
	sound(t, home)
}

// Random pages, answers and imports leave on disk what they leave in memory.
func TestFollowerLikeInMemory(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 1))
		now := int64(storetest.Now)
		clock := func() int64 { return now }
		home := filepath.Join(t.TempDir(), "home")
		c, m := mustOpen(t, home, Options{Clock: clock}), memory.New(view.ThisCache, clock)
		events := storetest.World(t, seed, 120)
		ids := make([]identity.ID, len(events))
		for i, e := range events {
			ids[i] = e.ID()
		}
		item := func() wire.Item {
			seq := 1 + r.Uint64N(300)
			if r.IntN(8) == 0 {
				return wire.Item{Refusal: fault.Refuse(fault.StepHash, "/hash", "is another"), Seq: seq}
			}
			return storetest.Record(events[r.IntN(len(events))], seq)
		}
		for range 60 {
			now += 1000
			origin := []identity.Origin{hub, lab}[r.IntN(2)]
			items := make([]wire.Item, r.IntN(8))
			for i := range items {
				items[i] = item()
			}
			next := desk.Follow{Checkpoint: r.Uint64N(300), AsOf: now, Complete: r.IntN(2) == 0, Reached: r.Uint64N(300), Tried: now}
			apply := func(s storetest.FollowStore) (out []any) {
				keep := func(got any, err error) { out = append(out, got, err) }
				switch {
				case seed%2 == 0 && len(items) == 7:
					keep(nil, s.Forget(t.Context(), origin))
				case len(items)%3 == 0:
					keep(s.AcceptAnswer(t.Context(), origin, items, nil))
				case len(items) == 5:
					keep(s.Accept(t.Context(), fromFile, items))
				default:
					outcomes, stored, err := s.AcceptPage(t.Context(), origin, items, next)
					keep(outcomes, err)
					keep(stored, nil)
				}
				for _, origin := range []identity.Origin{hub, lab} {
					keep(s.Follow(t.Context(), origin))
					keep(s.Exceptions(t.Context(), origin, 0, 1000))
					err := s.Read(t.Context(), func(snap view.Snapshot) error {
						numbers, err := snap.Find(ids)
						keep(numbers, err)
						records, _ := view.RecordsOf(snap)
						keep(records.Followed())
						keep(records.Given(origin, numbers))
						return nil
					})
					keep(nil, err)
				}
				return out
			}
			if got, want := apply(c), apply(m); !reflect.DeepEqual(got, want) {
				for i := range got {
					if !reflect.DeepEqual(got[i], want[i]) {
						t.Fatalf("seed %d, answer %d:\n got %+v\nwant %+v", seed, i, got[i], want[i])
					}
				}
			}
		}
		c.Close()
		sound(t, home)
		if _, _, err := Compact(t.Context(), home, Options{}); err != nil {
			t.Fatal(err)
		}
		sound(t, home)
	}
}

// An exception that is settled because its event came from elsewhere counts as
// given: the service was seen to have it, so nobody says that it lacks it.
func TestASettledEventWasGiven(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	c := mustOpen(t, home, Options{Limits: Limits{Pending: 1}})
	root, other := few(t, 60), orphan(t)
	accept(t, c, []wire.Item{other}, wire.Pending)
	var waits wire.Item
	for _, item := range root {
		if item.Offer.Event() != nil && len(dependenciesOf(item)) == 1 {
			waits = item
			break
		}
	}
	stored := acceptPage(t, c, hub, completed(4), recorded([]wire.Item{waits}, 3)...)
	if stored.Exceptions != 1 {
		t.Fatalf("%+v", stored)
	}
	if _, err := c.Accept(t.Context(), fromFile, root); err != nil {
		t.Fatal(err)
	}
	given := func() bool {
		var out []bool
		err := c.Read(t.Context(), func(s view.Snapshot) error {
			numbers, err := s.Find([]identity.ID{waits.Offer.Envelope().ID()})
			if err != nil {
				return err
			}
			out, err = s.(view.Recorded).Records().Given(hub, numbers)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return out[0]
	}
	stored, err := c.Follow(t.Context(), hub)
	if err != nil || stored.Exceptions != 0 || !given() {
		t.Errorf("%+v, %v, given %v", stored, err, given())
	}
	c.Close()
	sound(t, home)
}

// What is kept of a service can be damaged in each part: it is told with a way out
// that works, and the events live on.
func TestDamagedServiceCanBeForgotten(t *testing.T) {
	good, items := goodFile(t)
	for _, part := range []string{"follow", "except", "given", "seq", "early"} {
		t.Run(part, func(t *testing.T) {
			home := homeWith(t, good)
			c := mustOpen(t, home, Options{})
			err := c.events.write(t.Context(), func(tx *bolt.Tx) (bool, error) {
				b := tx.Bucket([]byte(part))
				key, value := b.Cursor().Last()
				value = append([]byte(nil), value...)
				value[len(value)/2] ^= 1
				return true, b.Put(key, value)
			})
			if err != nil {
				t.Fatal(err)
			}
			found, err := Check(t.Context(), home)
			if err != nil || len(found) != 1 || found[0].Hint != hintService {
				t.Errorf("Check found %+v, %v", found, err)
			}
			_, _, err = c.AcceptPage(t.Context(), hub, append(recorded(items, 1), recorded([]wire.Item{orphan(t)}, 22)...), completed(40))
			if part != "except" && !isDamaged(err) {
				t.Errorf("a page gave %v", err)
			}
			if _, err := c.Exceptions(t.Context(), hub, 0, 10); part == "except" && !isDamaged(err) {
				t.Errorf("exceptions gave %v", err)
			}
			if err := c.Forget(t.Context(), hub); err != nil {
				t.Fatal(err)
			}
			if stored := acceptPage(t, c, hub, completed(30), recorded(items, 1)...); stored.Checkpoint != 30 || stored.Exceptions != 0 || len(stored.Faults) != 0 {
				t.Errorf("%+v", stored)
			}
			c.Close()
			sound(t, home)
		})
	}
}

// Foreign words are kept within a bound.
func TestForeignWordsOfServicesAreBounded(t *testing.T) {
	c := mustOpen(t, t.TempDir(), Options{})
	long := strings.Repeat("é", 100_000)
	next := desk.Follow{Reached: 5, Trouble: desk.Trouble{Code: fault.UnavailableCode, Detail: long}}
	stored := acceptPage(t, c, hub, next, wire.Item{Refusal: fault.Refuse(fault.StepHash, "/hash", long), Seq: 4})
	again, err := c.Follow(t.Context(), hub)
	if err != nil || !reflect.DeepEqual(again, stored) || stored.Trouble.Detail != long[:maxDetail] {
		t.Errorf("%d bytes of trouble, %v", len(stored.Trouble.Detail), err)
	}
	all, err := c.Exceptions(t.Context(), hub, 0, 1)
	if err != nil || all[0].Detail != long[:maxDetail] {
		t.Errorf("%d bytes of an exception, %v", len(all[0].Detail), err)
	}
}

// Reading about services makes no home.
func TestFollowingNothingMakesNoHome(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	c := mustOpen(t, home, Options{})
	_, err := c.AcceptAnswer(t.Context(), hub, []wire.Item{{Refusal: fault.Refuse(fault.StepHash, "/hash", "is another"), Seq: 4}}, nil)
	_, settled := c.Settle(t.Context(), hub, []uint64{4})
	if err := errors.Join(err, settled, c.Forget(t.Context(), hub), c.RemoveService(t.Context(), hub)); err != nil {
		t.Error(err)
	}
	if there, err := c.events.exists(); there || err != nil {
		t.Errorf("there is a database, %v", err)
	}
	if there, err := c.own.exists(); there || err != nil {
		t.Errorf("there is a database of one's own, %v", err)
	}
}
