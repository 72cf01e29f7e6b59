package explore_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"testing"

	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

func TestSyncRefusesToStart(t *testing.T) {
	r := newRemote(hub, records(t, 5)...)
	n := connect(t, r)
	if _, err := n.Sync(t.Context(), "nobody", nil); code(err) != fault.UsageCode {
		t.Errorf("an unknown service: %v", err)
	}
	if _, err := n.EnableService(t.Context(), "hub", false); err != nil {
		t.Fatal(err)
	}
	if _, err := n.Sync(t.Context(), "hub", nil); code(err) != fault.UsageCode {
		t.Errorf("a disabled service: %v", err)
	}
	if _, err := n.EnableService(t.Context(), string(hub), true); err != nil {
		t.Fatal(err)
	}
	if r.questions() != 0 {
		t.Errorf("%d questions to a disabled service", r.questions())
	}
	// One sync of a service at a time.
	within, release := make(chan struct{}), make(chan struct{})
	r.before = func(_ context.Context, call string, k int) error {
		if call == "follow" && k == 1 {
			close(within)
			<-release
		}
		return nil
	}
	first := make(chan error, 1)
	go func() {
		synced, err := n.Sync(t.Context(), "hub", nil)
		first <- errors.Join(err, synced.Err)
	}()
	<-within
	if _, err := n.Sync(t.Context(), "hub", nil); code(err) != fault.Locked {
		t.Errorf("a second sync: %v", err)
	}
	if _, err := n.RemoveService(t.Context(), "hub"); code(err) != fault.Locked {
		t.Errorf("removing it: %v", err)
	}
	states, err := n.ListServices(t.Context())
	if err != nil || !states[0].Busy || !states[0].Syncing {
		t.Errorf("state while it runs: %+v, %v", states, err)
	}
	close(release)
	if err := <-first; err != nil {
		t.Fatal(err)
	}
	if states, _ = n.ListServices(t.Context()); states[0].Busy || states[0].Syncing || states[0].Progress.Records != 8 {
		t.Errorf("state afterwards: %+v", states[0])
	}
}

// mute gives no page and no error: that is not a complete enumeration.
type mute struct{ *remote }

func (mute) Follow(context.Context, uint64) iter.Seq2[wire.QueryPage, error] {
	return func(func(wire.QueryPage, error) bool) {}
}

func (mute) Query(context.Context, wire.Query) iter.Seq2[wire.QueryPage, error] {
	return func(func(wire.QueryPage, error) bool) {}
}

func TestAnAnswerWithoutAPageIsNotComplete(t *testing.T) {
	x := newThread(t)
	store := newStore()
	r := mute{newRemote(hub, numbered(1, 1, x.base)...)}
	s := explore.New(store, explore.Options{Network: explore.Network{Book: store, Store: store,
		Reach: func(desk.Service) (explore.Remote, error) { return r, nil }}})
	defer s.Close()
	if _, err := s.AddService(t.Context(), desk.Service{Name: "hub", Origin: hub}); err != nil {
		t.Fatal(err)
	}
	synced, err := s.Sync(t.Context(), "hub", nil)
	if err != nil || code(synced.Err) != fault.Partial || synced.After.Complete {
		t.Errorf("sync: %+v, %v", synced, err)
	}
	out, err := s.Check(t.Context(), x.base.ID())
	if err != nil || out[0].Facts.Lifecycle != view.Partial || code(out[0].Err) != fault.Partial {
		t.Errorf("check: %+v, %v", out, err)
	}
	q, err := s.Query(t.Context(), "hub", capsule.Filter{}, 0, nil)
	if err != nil || code(q.Err) != fault.Partial || q.Scope.Complete {
		t.Errorf("query: %+v, %v", q, err)
	}
}

func TestSyncAllInParallelWithinABound(t *testing.T) {
	var remotes []*remote
	for i := range 5 {
		remotes = append(remotes, newRemote(identity.Origin(fmt.Sprintf("https://s%02d.example.org", i)), records(t, 10)...))
	}
	n := connectWith(t, explore.Bounds{Syncs: 2}, nil, remotes...)
	entered := make(chan struct{}, 10)
	release := make(chan struct{})
	for _, r := range remotes {
		r.before = func(_ context.Context, call string, k int) error {
			if call == "discover" {
				entered <- struct{}{}
				<-release
			}
			return nil
		}
	}
	done := make(chan []explore.Synced, 1)
	go func() {
		out, err := n.SyncAll(t.Context(), nil, nil)
		if err != nil {
			t.Error(err)
		}
		done <- out
	}()
	<-entered
	<-entered
	select {
	case <-entered:
		t.Error("more syncs than the bound")
	default:
	}
	close(release)
	out := <-done
	for i, synced := range out {
		if synced.Err != nil || synced.Service.Origin != remotes[i].origin || !synced.After.Complete {
			t.Errorf("%s: %v", synced.Service.Name, synced.Err)
		}
	}
	out, err := n.SyncAll(t.Context(), []string{"s03", "s03"}, func(string, explore.SyncProgress) {})
	if err != nil || len(out) != 1 || out[0].Service.Name != "s03" {
		t.Errorf("by name: %+v, %v", out, err)
	}
	if _, err := n.SyncAll(t.Context(), []string{"s03", "nobody"}, nil); code(err) != fault.UsageCode {
		t.Errorf("an unknown name: %v", err)
	}
}
