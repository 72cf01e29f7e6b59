package storetest

import (
	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

func testExceptions(s *followSuite) {
	root := Publish(s, Stamp{Signer: 1, Nonce: 1})
	child := Publish(s, Stamp{Signer: 1, Nonce: 2}, Relate(capsule.Extends, root.ID()))
	later := Publish(s, Stamp{Signer: 1, Nonce: 3, CreatedAt: s.now + capsule.DefaultSkew + 1})
	unproven := wire.Item{Refusal: fault.Refuse(fault.StepSignature, "/signature", "does not verify"), Claimed: identity.ID{7}, Seq: 4, AcceptedAt: Epoch}
	outcomes, stored := s.page(hub, complete(9, s.now), Record(child, 2), unproven, Record(later, 6))
	s.equal("status", []wire.Status{outcomes[0].Status, outcomes[1].Status, outcomes[2].Status}, []wire.Status{wire.Pending, wire.Refused, wire.Refused})
	s.equal("counted", stored.Exceptions, 3)
	s.equal("counted for views", s.followed(), []view.Followed{{Origin: hub, Checkpoint: 9, AsOf: s.now, Exceptions: 3}})
	first := s.now
	want := []desk.Exception{
		{ID: child.ID(), Seq: 2, Code: fault.MissingDependency, Since: first, Tries: 1},
		{Claimed: identity.ID{7}, Seq: 4, Code: fault.InvalidSignature, Since: first, Tries: 1},
		{ID: later.ID(), Seq: 6, Code: fault.TimestampOutside, Since: first, Tries: 1},
	}
	s.sameExceptions(want)

	// A second try, when the clock has come nearer and the dependency is there.
	s.now += 10
	s.page(hub, stored, Record(root, 1), Record(child, 2), unproven, Record(later, 6))
	want[1].Tries = 2
	s.sameExceptions(want[1:2])
	some, err := s.store.Exceptions(s.ctx, hub, 4, 10)
	s.must(err)
	s.equal("after the last", some, []desk.Exception(nil))
	s.equal("given", s.given(hub, root, child, later), []bool{true, true, true})
}

// sameExceptions compares all but the words.
func (s *followSuite) sameExceptions(want []desk.Exception) {
	s.Helper()
	got := s.exceptions(hub)
	for i := range got {
		got[i].Detail = ""
	}
	s.equal("exceptions", got, want)
	s.equal("their count", s.follow(hub).Exceptions, len(want))
}

// bad makes items that are refused, with seqs from on.
func bad(from uint64, n int) []wire.Item {
	items := make([]wire.Item, n)
	for i := range items {
		items[i] = wire.Item{Refusal: fault.Refuse(fault.StepHash, "/hash", "is another"), Seq: from + uint64(i)}
	}
	return items
}

func testSettle(s *followSuite) {
	s.page(hub, reached(5), bad(1, 5)...)
	s.page(lab, reached(5), bad(1, 5)...)
	stored, err := s.store.Settle(s.ctx, hub, []uint64{2, 4, 99})
	s.must(err)
	s.equal("left", stored.Exceptions, 3)
	s.sameFollow(hub, stored)
	s.equal("left of it", s.seqs(hub), []uint64{1, 3, 5})
	s.equal("left of another", s.seqs(lab), []uint64{1, 2, 3, 4, 5})
	some, err := s.store.Exceptions(s.ctx, lab, 2, 2)
	s.must(err)
	s.equal("a page of them", []uint64{some[0].Seq, some[len(some)-1].Seq}, []uint64{3, 4})
	_, err = s.store.Settle(s.ctx, none, []uint64{1})
	s.must(err)
}

func testTooManyExceptions(s *followSuite) {
	const half = desk.MaxExceptions / 2
	s.page(hub, reached(half), bad(1, half)...)
	s.page(hub, reached(2*half), bad(half+1, half)...)
	before := s.follow(hub)
	s.equal("kept", before.Exceptions, desk.MaxExceptions)
	e := Publish(s, Stamp{Signer: 1, Nonce: 1})
	_, _, err := s.store.AcceptPage(s.ctx, hub, []wire.Item{Record(e, 2*half+1)}, reached(2*half+1))
	s.equal("code", code(err), fault.Partial)
	s.sameFollow(hub, before)
	stats, err := s.store.Stats(s.ctx)
	s.must(err)
	s.equal("events", stats.Events, uint64(0))
	// What is tried again goes no further, and makes room.
	s.page(hub, before, Record(e, 1))
	s.page(hub, reached(2*half+1), Record(e, 2*half+1))
}
