package storetest

import (
	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/identity"
	"akx/view/wire"
)

func testArrivalGives(s *followSuite) {
	later := Publish(s, Stamp{Signer: 1, Nonce: 1, CreatedAt: s.now + capsule.DefaultSkew + 1})
	other := Publish(s, Stamp{Signer: 1, Nonce: 2})
	s.page(hub, complete(9, s.now), append(bad(5, 1), Record(later, 6))...)
	s.page(lab, complete(9, s.now), bad(6, 1)...)
	s.equal("exceptions", s.seqs(hub), []uint64{5, 6})
	s.now += 10
	_, err := s.store.Accept(s.ctx, fileSource, []wire.Item{{Offer: capsule.OfferOf(later)}, {Offer: capsule.OfferOf(other)}})
	s.must(err)
	s.equal("exceptions left", [][]uint64{s.seqs(hub), s.seqs(lab)}, [][]uint64{{5}, {6}})
	s.equal("and counted", []int{s.follow(hub).Exceptions, s.follow(lab).Exceptions}, []int{1, 1})
	s.equal("given under the seq of the exception", s.given(hub, later, other), []bool{true, false})
	s.equal("given by another", s.given(lab, later), []bool{false})
	// The seq is known from then on.
	_, stored := s.page(hub, complete(9, s.now), Record(other, 6))
	s.equal("a seq for two events", []int{len(stored.Faults), int(stored.Faults[0].Kind)}, []int{1, int(desk.SeqShared)})
}

// What waits and is released by the same page is no exception.
func testReleasedWithinAPage(s *followSuite) {
	root := Publish(s, Stamp{Signer: 1, Nonce: 1})
	child := Publish(s, Stamp{Signer: 1, Nonce: 2}, Relate(capsule.Extends, root.ID()))
	_, stored := s.page(hub, complete(9, s.now), Record(child, 2), Record(root, 3))
	s.equal("exceptions", stored.Exceptions, 0)
	s.equal("given", s.given(hub, root, child), []bool{true, true})
	// Within a page of another service, too.
	next := Publish(s, Stamp{Signer: 1, Nonce: 4})
	waits := Publish(s, Stamp{Signer: 1, Nonce: 5}, Relate(capsule.Extends, next.ID()))
	_, stored = s.page(hub, complete(10, s.now), Record(waits, 10))
	s.equal("it waits", stored.Exceptions, 1)
	s.page(lab, complete(9, s.now), append(bad(4, 1), Record(next, 5))...)
	s.equal("exceptions of both", []int{s.follow(hub).Exceptions, s.follow(lab).Exceptions}, []int{0, 1})
}

func testDoubted(s *followSuite) {
	next := complete(9, s.now+2*capsule.DefaultSkew)
	next.Tried, next.ClockBack = s.now, true
	next.Faults = []desk.ServiceFault{{Kind: desk.CheckpointBack, At: s.now, Before: 9, Now: 2}, {Kind: desk.SeqBack, At: s.now, ID: identity.ID{4}, Before: 8, Now: 2}}
	s.page(hub, next)
	s.page(lab, complete(3, s.now))
	s.equal("followed", s.followed(), []view.Followed{
		{Origin: hub, Checkpoint: 9, AsOf: next.AsOf, Faults: 1, Tried: s.now, ClockBack: true},
		{Origin: lab, Checkpoint: 3, AsOf: s.now},
	})
	s.must(s.store.Forget(s.ctx, hub))
	s.page(hub, complete(2, s.now))
	s.equal("followed anew", s.followed()[0], view.Followed{Origin: hub, Checkpoint: 2, AsOf: s.now})
}

func testMendedClock(s *followSuite) {
	const year = 365 * 24 * 3_600_000
	s.page(hub, complete(20, s.now+year))
	_, stored := s.page(hub, complete(20, s.now))
	s.equal("as of", stored.AsOf, s.now)
	// Said once more within what clocks may differ, it is another writer.
	_, stored = s.page(hub, complete(20, s.now-1))
	s.equal("as of, from another writer", stored.AsOf, s.now)
	// An earlier time that the syncer saw stays said until the next enumeration.
	back := complete(20, s.now-year)
	back.ClockBack = true
	_, stored = s.page(hub, back)
	s.equal("went back", []any{stored.AsOf, stored.ClockBack}, []any{s.now, true})
	_, stored = s.page(hub, complete(21, s.now+1))
	s.equal("went on", []any{stored.AsOf, stored.ClockBack}, []any{s.now + 1, false})
}
