package storetest

import (
	"context"
	"slices"
	"strconv"
	"testing"

	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// FollowStore is what RunFollower tests. Its snapshots are view.Recorded.
type FollowStore interface {
	explore.Library
	explore.Follower
}

// Two services, and one that is never followed.
const (
	hub  identity.Origin = "https://hub.example.org"
	lab  identity.Origin = "https://lab.example.org"
	none identity.Origin = "https://none.example.org"
)

// RunFollower puts stores of what services gave through their suite. open makes an
// empty store with a clock in ms, closed by a cleanup of t.
func RunFollower(t *testing.T, open func(t *testing.T, clock func() int64) FollowStore) {
	tests := []struct {
		name string
		run  func(*followSuite)
	}{
		{"a page keeps events, records and state together (8.3, 9.3.1)", testPage},
		{"a checkpoint and what is reached never move back", testNeverBack},
		{"what is no event is an exception until it is (8.2, 9.6)", testExceptions},
		{"exceptions are settled by seq, and apart for each service", testSettle},
		{"a service with too many exceptions is followed no further", testTooManyExceptions},
		{"an event that arrives is given, and no exception any more (8.2)", testArrivalGives},
		{"the last seqs that stood for an event", testLastSeqs},
		{"what is released within a page is no exception", testReleasedWithinAPage},
		{"contradictions and a wrong clock are told to views (8.3, 9.3.1)", testDoubted},
		{"a mended clock is believed", testMendedClock},
		{"an answer moves no state (9.3.1)", testAnswer},
		{"contradictions of a service are kept, once and bounded (8.3)", testFaults},
		{"what was given counts from the smallest seq (8.3)", testGiven},
		{"what waits counts as given once it is released (8.2)", testGivenPending},
		{"each service has its own set (9.6)", testTwoSets},
		{"a followed service's set answers like a store that has nothing else (9.6)", testSetOracle},
		{"a partial set calls nothing active (9.6)", testPartialSet},
		{"forgetting a service keeps its events", testForget},
		{"an ended context ends every call of a follower", testFollowContext},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := &followSuite{T: t, ctx: t.Context(), now: Now}
			s.store = open(t, func() int64 { return s.now })
			test.run(s)
		})
	}
}

type followSuite struct {
	*testing.T
	ctx   context.Context
	store FollowStore
	now   int64
}

func (s *followSuite) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// Record offers an event as a service gives it: accepted a second for each seq
// after Epoch.
func Record(e capsule.Event, seq uint64) wire.Item {
	return wire.Item{Offer: capsule.OfferOf(e), Seq: seq, AcceptedAt: Epoch + int64(seq)*1000}
}

// page accepts a page and gives the state as stored, which must be what Follow gives.
func (s *followSuite) page(origin identity.Origin, next desk.Follow, items ...wire.Item) ([]wire.Outcome, desk.Follow) {
	s.Helper()
	outcomes, stored, err := s.store.AcceptPage(s.ctx, origin, items, next)
	s.must(err)
	if len(outcomes) != len(items) {
		s.Fatalf("%d outcomes for %d items", len(outcomes), len(items))
	}
	s.sameFollow(origin, stored)
	return outcomes, stored
}

func (s *followSuite) follow(origin identity.Origin) desk.Follow {
	s.Helper()
	f, err := s.store.Follow(s.ctx, origin)
	s.must(err)
	return f
}

func (s *followSuite) sameFollow(origin identity.Origin, want desk.Follow) {
	s.Helper()
	if got := s.follow(origin); !sameFollow(got, want) {
		s.Errorf("%s:\n got %+v\nwant %+v", origin, got, want)
	}
}

func sameFollow(a, b desk.Follow) bool {
	same := slices.Equal(a.Faults, b.Faults)
	return same && a.Checkpoint == b.Checkpoint && a.AsOf == b.AsOf && a.Complete == b.Complete && a.Reached == b.Reached &&
		a.ClockBack == b.ClockBack && a.Exceptions == b.Exceptions && a.Tried == b.Tried && a.Trouble == b.Trouble
}

// reached is a state within an enumeration, complete one behind it.
func reached(seq uint64) desk.Follow { return desk.Follow{Reached: seq} }

func complete(checkpoint uint64, asOf int64) desk.Follow {
	return desk.Follow{Checkpoint: checkpoint, AsOf: asOf, Complete: true, Reached: checkpoint}
}

// given lists which of events the set of a service holds.
func (s *followSuite) given(origin identity.Origin, events ...capsule.Event) []bool {
	s.Helper()
	var out []bool
	s.must(s.store.Read(s.ctx, func(snap view.Snapshot) error {
		records, ok := view.RecordsOf(snap)
		if !ok {
			s.Fatal("the snapshot has no records")
		}
		ids := make([]identity.ID, len(events))
		for i, e := range events {
			ids[i] = e.ID()
		}
		numbers, err := snap.Find(ids)
		s.must(err)
		out, err = records.Given(origin, numbers)
		return err
	}))
	return out
}

func (s *followSuite) followed() []view.Followed {
	s.Helper()
	var out []view.Followed
	s.must(s.store.Read(s.ctx, func(snap view.Snapshot) (err error) {
		records, ok := view.RecordsOf(snap)
		if !ok {
			s.Fatal("the snapshot has no records")
		}
		out, err = records.Followed()
		return err
	}))
	return out
}

func (s *followSuite) exceptions(origin identity.Origin) []desk.Exception {
	s.Helper()
	all, err := s.store.Exceptions(s.ctx, origin, 0, desk.MaxExceptions)
	s.must(err)
	return all
}

func (s *followSuite) seqs(origin identity.Origin) []uint64 {
	s.Helper()
	var out []uint64
	for _, e := range s.exceptions(origin) {
		out = append(out, e.Seq)
	}
	return out
}

func (s *followSuite) equal(what string, got, want any) {
	s.Helper()
	(&suite{T: s.T}).equal(what, got, want)
}

func testPage(s *followSuite) {
	s.sameFollow(hub, desk.Follow{})
	a, b := Publish(s, Stamp{Signer: 1, Nonce: 1}), Publish(s, Stamp{Signer: 1, Nonce: 2})
	next := desk.Follow{Reached: 7, Tried: s.now, Trouble: desk.Trouble{Code: fault.Cancelled, Detail: "not yet \x1b"}}
	outcomes, stored := s.page(hub, next, Record(a, 3), Record(b, 7))
	s.equal("status", []wire.Status{outcomes[0].Status, outcomes[1].Status}, []wire.Status{wire.Added, wire.Added})
	if !sameFollow(stored, next) {
		s.Errorf("stored %+v, want %+v", stored, next)
	}
	s.equal("followed within an enumeration", s.followed(), []view.Followed(nil))
	s.equal("given within an enumeration", s.given(hub, a, b), []bool{false, false})

	next = complete(9, s.now-5)
	_, stored = s.page(hub, next)
	if !sameFollow(stored, next) {
		s.Errorf("stored %+v, want %+v", stored, next)
	}
	s.equal("followed", s.followed(), []view.Followed{{Origin: hub, Checkpoint: 9, AsOf: s.now - 5}})
	s.equal("given", s.given(hub, a, b), []bool{true, true})
	claims, err := s.store.Claims(s.ctx, b.ID())
	s.must(err)
	s.equal("claims", claims, []wire.Claim{{Source: wire.Source{Kind: wire.FromService, Name: string(hub)}, Seq: 7, AcceptedAt: Epoch + 7000}})
	outcomes, _ = s.page(hub, next, Record(b, 7))
	s.equal("status of a repeat", outcomes[0].Status, wire.Held)
	s.sameFollow(hub, next)
}

func testNeverBack(s *followSuite) {
	s.page(hub, complete(20, 100))
	for _, test := range []struct {
		name       string
		next, want desk.Follow
	}{
		{"an older page", reached(10), complete(20, 100)},
		{"an older checkpoint", complete(15, 200), complete(20, 100)},
		{"the same checkpoint, read before", complete(20, 90), complete(20, 100)},
		{"the same checkpoint, read later", complete(20, 110), complete(20, 110)},
		{"further into the next", desk.Follow{Checkpoint: 20, AsOf: 110, Complete: true, Reached: 25}, desk.Follow{Checkpoint: 20, AsOf: 110, Complete: true, Reached: 25}},
		{"another writer of the checkpoint", complete(22, 120), desk.Follow{Checkpoint: 22, AsOf: 120, Complete: true, Reached: 25}},
		{"the next", complete(30, 130), complete(30, 130)},
	} {
		if _, stored := s.page(hub, test.next); !sameFollow(stored, test.want) {
			s.Errorf("%s:\n got %+v\nwant %+v", test.name, stored, test.want)
		}
	}
}

func testAnswer(s *followSuite) {
	s.page(hub, complete(5, s.now))
	before := s.follow(hub)
	root := Publish(s, Stamp{Signer: 1, Nonce: 1})
	waits := Assess(s, Stamp{Signer: 2, Nonce: 1}, identity.ID{9}, capsule.VerdictSupports)
	outcomes, err := s.store.AcceptAnswer(s.ctx, hub, append(bad(2, 1), Record(root, 8), Record(waits, 9)), nil)
	s.must(err)
	s.equal("status", []wire.Status{outcomes[0].Status, outcomes[1].Status, outcomes[2].Status}, []wire.Status{wire.Refused, wire.Added, wire.Pending})
	s.sameFollow(hub, before)
	s.equal("exceptions", s.exceptions(hub), []desk.Exception(nil))
	s.equal("given past the checkpoint", s.given(hub, root), []bool{false})
	claims, err := s.store.Claims(s.ctx, root.ID())
	s.must(err)
	s.equal("claims", len(claims), 1)

	_, err = s.store.AcceptAnswer(s.ctx, none, []wire.Item{Record(root, 1)}, nil)
	s.must(err)
	s.equal("given by one that is not followed", s.given(none, root), []bool{false})
	s.equal("followed", len(s.followed()), 1)
	// Within the checkpoint the service had it.
	child := Publish(s, Stamp{Signer: 1, Nonce: 2})
	_, err = s.store.AcceptAnswer(s.ctx, hub, []wire.Item{Record(child, 4)}, nil)
	s.must(err)
	s.equal("given within the checkpoint", s.given(hub, child), []bool{true})
}

func testFaults(s *followSuite) {
	a, b := Publish(s, Stamp{Signer: 1, Nonce: 1}), Publish(s, Stamp{Signer: 1, Nonce: 2})
	s.page(hub, complete(20, s.now), Record(a, 10), Record(b, 20))
	// Another service numbers on its own; a larger seq is a new acceptance.
	s.page(lab, complete(20, s.now), Record(b, 10), Record(a, 20))
	s.page(hub, complete(30, s.now), Record(a, 25))
	s.equal("faults", append(s.follow(hub).Faults, s.follow(lab).Faults...), []desk.ServiceFault(nil))

	s.now += 3
	back := desk.ServiceFault{Kind: desk.SeqBack, At: s.now, ID: a.ID(), Before: 25, Now: 15}
	_, err := s.store.AcceptAnswer(s.ctx, hub, []wire.Item{Record(a, 15)}, nil)
	s.must(err)
	s.equal("a smaller seq", s.follow(hub).Faults, []desk.ServiceFault{back})
	shared := desk.ServiceFault{Kind: desk.SeqShared, At: s.now, ID: b.ID(), Before: 25, Now: 25}
	_, stored := s.page(hub, complete(30, s.now), Record(b, 25))
	s.equal("a shared seq", stored.Faults, []desk.ServiceFault{back, shared})

	told := desk.ServiceFault{Kind: desk.CheckpointBack, At: s.now, Before: 30, Now: 2}
	_, err = s.store.AcceptAnswer(s.ctx, hub, nil, []desk.ServiceFault{told})
	s.must(err)
	again := told
	again.At += 100
	next := s.follow(hub)
	next.Faults = append(next.Faults, again)
	_, stored = s.page(hub, next)
	s.equal("told twice", stored.Faults, []desk.ServiceFault{back, shared, told})
	stored.Faults = nil
	_, stored = s.page(hub, stored)
	s.equal("not told any more", stored.Faults, []desk.ServiceFault{back, shared, told})
	s.equal("those of another", s.follow(lab).Faults, []desk.ServiceFault(nil))
	s.equal("given before all this", s.given(hub, a, b), []bool{true, true})

	var many []desk.ServiceFault
	for i := range desk.MaxFaults + 10 {
		many = append(many, desk.ServiceFault{Kind: desk.CheckpointBack, At: s.now, Before: 1000, Now: uint64(i)})
	}
	_, err = s.store.AcceptAnswer(s.ctx, hub, nil, many)
	s.must(err)
	s.equal("the newest", s.follow(hub).Faults, many[10:])
}

func testForget(s *followSuite) {
	a, b := Publish(s, Stamp{Signer: 1, Nonce: 1}), Publish(s, Stamp{Signer: 1, Nonce: 2})
	s.page(hub, complete(9, s.now), append(bad(3, 2), Record(a, 5), Record(b, 6))...)
	s.page(lab, complete(9, s.now), Record(a, 5))
	s.must(s.store.Forget(s.ctx, hub))
	s.must(s.store.Forget(s.ctx, none))
	s.sameFollow(hub, desk.Follow{})
	s.equal("exceptions", s.exceptions(hub), []desk.Exception(nil))
	s.equal("followed", len(s.followed()), 1)
	s.equal("given", s.given(lab, a, b), []bool{true, false})
	stats, err := s.store.Stats(s.ctx)
	s.must(err)
	s.equal("events", stats.Events, uint64(2))
	claims, err := s.store.Claims(s.ctx, b.ID())
	s.must(err)
	s.equal("claims", len(claims), 1)
	// Followed again from the start, under new numbers: that is no contradiction.
	_, stored := s.page(hub, complete(4, s.now), Record(b, 2))
	s.equal("faults", stored.Faults, []desk.ServiceFault(nil))
	s.equal("given", s.given(hub, a, b), []bool{false, true})
}

func testFollowContext(s *followSuite) {
	ctx, cancel := context.WithCancel(s.ctx)
	cancel()
	e := Publish(s, Stamp{Signer: 1, Nonce: 1})
	calls := []func() error{
		func() error { _, err := s.store.Follow(ctx, hub); return err },
		func() error {
			_, _, err := s.store.AcceptPage(ctx, hub, []wire.Item{Record(e, 1)}, reached(1))
			return err
		},
		func() error {
			_, err := s.store.AcceptAnswer(ctx, hub, []wire.Item{Record(e, 1)}, nil)
			return err
		},
		func() error { _, err := s.store.Exceptions(ctx, hub, 0, 1); return err },
		func() error { _, err := s.store.Settle(ctx, hub, []uint64{1}); return err },
		func() error { return s.store.Forget(ctx, hub) },
	}
	for i, call := range calls {
		if err := call(); err != context.Canceled {
			s.Errorf("call %s: %v", strconv.Itoa(i), err)
		}
	}
	s.sameFollow(hub, desk.Follow{})
}
