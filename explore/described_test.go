package explore_test

import (
	"path/filepath"
	"testing"
	"time"

	"akx/cache"
	"akx/cache/storetest"
	"akx/explore"
	"akx/view/desk"
)

// sessionOn begins a session at a time on a store that others read too.
func sessionOn(t *testing.T, store *cache.Cache, r *remote, now int64) *explore.Session {
	t.Helper()
	s := explore.New(store, explore.Options{Clock: func() time.Time { return time.UnixMilli(now) },
		Network: explore.Network{Book: store, Store: store, Describer: store,
			Reach: func(desk.Service) (explore.Remote, error) { return r, nil }}})
	t.Cleanup(s.Close)
	return s
}

// How a service described itself outlives the session, with its time, and is asked for
// again by none but the user; it goes with the service (9.2).
func TestDescriptionsOutliveASession_9_2(t *testing.T) {
	store, err := cache.Open(t.Context(), filepath.Join(t.TempDir(), "home"), cache.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	r := newRemote(hub)
	begin := func(now int64) *explore.Session { return sessionOn(t, store, r, now) }
	described := func(s *explore.Session) (peers int, at int64) {
		t.Helper()
		states, err := s.ListServices(t.Context())
		if err != nil || len(states) != 1 {
			t.Fatalf("%v, %v", states, err)
		}
		if d := states[0].Discovery; d != nil {
			return len(d.Peers), states[0].DescribedAt
		}
		return -1, states[0].DescribedAt
	}
	first := begin(storetest.Now)
	if _, err := first.AddService(t.Context(), desk.Service{Name: "hub", Origin: hub}); err != nil {
		t.Fatal(err)
	}
	if peers, at := described(first); peers != -1 || at != 0 {
		t.Errorf("never read: %d peers at %d", peers, at)
	}
	if _, err := first.CheckService(t.Context(), "hub"); err != nil {
		t.Fatal(err)
	}
	second := begin(storetest.Now + 5000)
	if peers, at := described(second); peers != 1 || at != storetest.Now || r.questions() != 1 {
		t.Errorf("the next session: %d peers at %d, %d questions", peers, at, r.questions())
	}
	// A sync of the next session reads it anew: nothing is done by a hint.
	if _, err := second.Sync(t.Context(), "hub", nil); err != nil {
		t.Fatal(err)
	}
	if peers, at := described(begin(storetest.Now + 9000)); peers != 1 || at != storetest.Now+5000 || r.called("discover") != 2 {
		t.Errorf("after a sync: %d peers at %d, read %d times", peers, at, r.called("discover"))
	}
	if _, err := second.RemoveService(t.Context(), "hub"); err != nil {
		t.Fatal(err)
	}
	if text, _, err := store.Described(t.Context(), hub); err != nil || text != nil {
		t.Errorf("a removed service: %q, %v", text, err)
	}
}

// What a session saw of a service goes with the service that another process removes:
// one that is added anew is another one, however it counts.
func TestAServiceThatIsAddedAnewByAnotherProcess(t *testing.T) {
	store, err := cache.Open(t.Context(), filepath.Join(t.TempDir(), "home"), cache.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	r := newRemote(hub, storetest.Record(storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 1}), 90))
	screen, command := sessionOn(t, store, r, storetest.Now), sessionOn(t, store, r, storetest.Now+5000)
	add := func(s *explore.Session) {
		t.Helper()
		if _, err := s.AddService(t.Context(), desk.Service{Name: "hub", Origin: hub}); err != nil {
			t.Fatal(err)
		}
	}
	add(screen)
	if _, err := screen.Sync(t.Context(), "hub", nil); err != nil {
		t.Fatal(err)
	}
	seen := func() explore.SyncProgress {
		t.Helper()
		states, err := screen.ListServices(t.Context())
		if err != nil || len(states) != 1 {
			t.Fatalf("%v, %v", states, err)
		}
		return states[0].Progress
	}
	if p := seen(); p.Checkpoint != 90 {
		t.Fatalf("synced: %+v", p)
	}
	if err := store.Forget(t.Context(), hub); err != nil { // as a command that follows it anew does
		t.Fatal(err)
	}
	if p := seen(); p != (explore.SyncProgress{}) {
		t.Errorf("followed anew: %+v", p)
	}
	if _, err := screen.Sync(t.Context(), "hub", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := command.RemoveService(t.Context(), "hub"); err != nil {
		t.Fatal(err)
	}
	add(command)
	r.records = nil
	r.add(storetest.Record(storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 2}), 3))
	if _, err := command.Sync(t.Context(), "hub", nil); err != nil {
		t.Fatal(err)
	}
	if p := seen(); p != (explore.SyncProgress{}) {
		t.Errorf("added anew: %+v", p)
	}
}
