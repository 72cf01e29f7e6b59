package storetest

import (
	"akx/view/capsule"
	"akx/view/identity"
	"akx/view/wire"
)

func testGiven(s *followSuite) {
	a, b := Publish(s, Stamp{Signer: 1, Nonce: 1}), Publish(s, Stamp{Signer: 1, Nonce: 2})
	s.page(hub, complete(10, s.now), Record(a, 5))
	// The service dropped a and took it again: within the next enumeration the set
	// up to the last checkpoint still has it.
	next := complete(10, s.now)
	next.Reached = 15
	s.page(hub, next, Record(b, 12), Record(a, 15))
	s.equal("given", s.given(hub, a, b), []bool{true, false})
	claims, err := s.store.Claims(s.ctx, a.ID())
	s.must(err)
	s.equal("the last word", claims[0].Seq, uint64(15))
	s.page(hub, complete(15, s.now))
	s.equal("given", s.given(hub, a, b), []bool{true, true})
	s.equal("given by another", s.given(lab, a, b), []bool{false, false})
}

func testGivenPending(s *followSuite) {
	root := Publish(s, Stamp{Signer: 1, Nonce: 1})
	child := Publish(s, Stamp{Signer: 1, Nonce: 2}, Relate(capsule.Extends, root.ID()))
	s.page(hub, complete(5, s.now), Record(child, 3))
	s.page(lab, reached(4), Record(child, 4))
	outcomes, err := s.store.Accept(s.ctx, fileSource, []wire.Item{{Offer: capsule.OfferOf(root)}})
	s.must(err)
	s.equal("released", outcomes[0].Released, []identity.ID{child.ID()})
	s.equal("given", s.given(hub, root, child), []bool{false, true})
	s.page(lab, complete(4, s.now))
	s.equal("given by another", s.given(lab, root, child), []bool{false, true})
	s.equal("exceptions end with the arrival", [][]uint64{s.seqs(hub), s.seqs(lab)}, [][]uint64{nil, nil})
	s.equal("and are counted so", []int{s.follow(hub).Exceptions, s.follow(lab).Exceptions}, []int{0, 0})
}

func testLastSeqs(s *followSuite) {
	last := func(n int) []uint64 {
		s.Helper()
		seqs, err := s.store.LastSeqs(s.ctx, hub, n)
		s.must(err)
		return append([]uint64{}, seqs...)
	}
	s.equal("of nobody", last(5), []uint64{})
	s.page(hub, reached(9), bad(1, 5)...)
	s.equal("of no event", last(5), []uint64{})
	a, b, c := Publish(s, Stamp{Signer: 1, Nonce: 1}), Publish(s, Stamp{Signer: 1, Nonce: 2}), Publish(s, Stamp{Signer: 1, Nonce: 3})
	s.page(hub, reached(5000), Record(a, 7), Record(b, 2000), Record(c, 5000))
	s.equal("the last two", last(2), []uint64{2000, 5000})
	s.equal("all", last(5), []uint64{7, 2000, 5000})
	s.page(lab, reached(9000), Record(a, 8000), Record(b, 9000))
	s.equal("beside another", last(5), []uint64{7, 2000, 5000})
	s.must(s.store.Forget(s.ctx, lab))
	s.equal("none", last(0), []uint64{})
}

func testTwoSets(s *followSuite) {
	events := World(s, 21, 60)
	at := make(map[identity.Origin]map[identity.ID]bool)
	for i, origin := range []identity.Origin{hub, lab} {
		at[origin] = make(map[identity.ID]bool)
		var items []wire.Item
		for j, e := range events {
			if origin == hub || j%5 != 0 {
				items = append(items, Record(e, uint64(1+2*j+i)))
			}
		}
		checkpoint := uint64(50 + 30*i)
		s.page(origin, complete(checkpoint, s.now+int64(i)), items...)
		for _, item := range items {
			at[origin][item.Offer.Envelope().ID()] = item.Seq <= checkpoint
		}
	}
	s.equal("followed", []string{string(s.followed()[0].Origin), string(s.followed()[1].Origin)}, []string{string(hub), string(lab)})
	for _, origin := range []identity.Origin{hub, lab} {
		var want []bool
		for _, e := range events {
			want = append(want, at[origin][e.ID()])
		}
		s.equal("set of "+string(origin), s.given(origin, events...), want)
	}
}
