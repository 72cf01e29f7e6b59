package storetest

import (
	"cmp"
	"slices"

	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

func textOrder(ids ...identity.ID) []identity.ID {
	slices.SortFunc(ids, func(a, b identity.ID) int { return cmp.Compare(a.String(), b.String()) })
	return ids
}

func testPending(s *suite) {
	root := Publish(s, Stamp{Signer: 1, Nonce: 1}, OfKind(capsule.Question))
	other := Publish(s, Stamp{Signer: 2, Nonce: 1})
	child := Publish(s, Stamp{Signer: 1, Nonce: 2}, Relate(capsule.Supersedes, root.ID()), Relate(capsule.Extends, other.ID()))
	report := Assess(s, Stamp{Signer: 3, Nonce: 1}, child.ID(), capsule.VerdictSupports)
	gone := Retract(s, Stamp{Signer: 1, Nonce: 3}, root.ID())

	out := s.accept(items([]capsule.Event{report, child, gone, report})...)
	for i, want := range [][]identity.ID{{child.ID()}, textOrder(root.ID(), other.ID()), {root.ID()}, {child.ID()}} {
		s.equal("status", out[i].Status, wire.Pending)
		s.equal("missing", out[i].Missing, want)
	}
	s.read(func(snap view.Snapshot) {
		s.equal("rows while all wait", len(s.scan(snap, view.Query{})), 0)
		s.equal("incoming while all wait", len(s.gather(snap, root)), 0)
	})
	stats, err := s.store.Stats(s.ctx)
	s.must(err)
	s.equal("pending", stats.Pending, 3)
	bytes := len(report.Envelope().Text()) + len(child.Envelope().Text()) + len(gone.Envelope().Text())
	s.equal("pending bytes", stats.PendingBytes, int64(bytes))

	out = s.accept(items([]capsule.Event{root})...)
	s.equal("status of the root", out[0].Status, wire.Added)
	s.equal("released by the root", out[0].Released, []identity.ID{gone.ID()})
	listed, err := s.store.Pending(s.ctx, identity.ID{}, 10)
	s.must(err)
	s.equal("waiting", len(listed), 2)
	for _, p := range listed {
		if p.ID == child.ID() {
			s.equal("what the child still misses", p.Missing, []identity.ID{other.ID()})
		}
	}
	out = s.accept(items([]capsule.Event{other})...)
	s.equal("released by cascade", out[0].Released, []identity.ID{child.ID(), report.ID()})
	s.read(func(snap view.Snapshot) {
		s.compareFacts(snap, newOracle([]capsule.Event{root, gone, other, child, report}))
	})
}

func testDropped(s *suite) {
	mine := Publish(s, Stamp{Signer: 1, Nonce: 5})
	foreign := Retract(s, Stamp{Signer: 2, Nonce: 9}, mine.ID())
	early := Publish(s, Stamp{Signer: 1, Nonce: 4}, Relate(capsule.Supersedes, mine.ID()))
	reader := Assess(s, Stamp{Signer: 3, Nonce: 1}, early.ID(), capsule.VerdictApplied)
	out := s.accept(items([]capsule.Event{foreign, early, reader, mine})...)
	last := out[3]
	s.equal("status", last.Status, wire.Added)
	s.equal("released", len(last.Released), 0)
	dropped := make(map[identity.ID]fault.Code)
	for _, d := range last.Dropped {
		s.equal("status of a dropped event", d.Status, wire.Refused)
		dropped[d.ID] = d.Refusal.Code
	}
	s.equal("dropped", dropped, map[identity.ID]fault.Code{
		foreign.ID(): fault.InvalidTarget, early.ID(): fault.InvalidTarget,
	})
	s.read(func(snap view.Snapshot) { s.equal("rows", s.scan(snap, view.Query{}), []uint64{1}) })
	stats, err := s.store.Stats(s.ctx)
	s.must(err)
	s.equal("pending: what waits for a dropped event goes on waiting", stats.Pending, 1)
}

func testPendingList(s *suite) {
	var waiting []capsule.Event
	var ids []identity.ID
	for i := range 7 {
		absent := Publish(s, Stamp{Signer: 8, Nonce: int64(i + 1)})
		e := Assess(s, Stamp{Signer: 1, Nonce: int64(i + 1)}, absent.ID(), capsule.VerdictSupports)
		waiting, ids = append(waiting, e), append(ids, e.ID())
	}
	s.accept(items(waiting)...)
	ids = textOrder(ids...)
	var listed []identity.ID
	var after identity.ID
	for {
		page, err := s.store.Pending(s.ctx, after, 3)
		s.must(err)
		if len(page) == 0 {
			break
		}
		for _, p := range page {
			listed = append(listed, p.ID)
			after = p.ID
			if p.Since != s.now || p.Type != capsule.Assess || p.Title == "" || p.Bytes == 0 || len(p.Missing) != 1 {
				s.Errorf("pending event %+v", p)
			}
		}
	}
	s.equal("pages of pending", listed, ids)

	n, err := s.store.DropPending(s.ctx, []identity.ID{ids[0], ids[1], waiting[0].ID(), {5}})
	s.must(err)
	want := 3
	if waiting[0].ID() == ids[0] || waiting[0].ID() == ids[1] {
		want = 2
	}
	s.equal("dropped", n, want)
	n, err = s.store.DropPending(s.ctx, nil)
	s.must(err)
	s.equal("dropped at last", n, 7-want)
	stats, err := s.store.Stats(s.ctx)
	s.must(err)
	s.equal("pending", stats.Pending, 0)
	s.equal("pending bytes", stats.PendingBytes, int64(0))
	out := s.accept(items(waiting[:1])...)
	s.equal("a dropped event can come again", out[0].Status, wire.Pending)
}

func testLargestNonce(s *suite) {
	actor := func(n byte) identity.Actor { return Key(n).Actor() }
	largest := func(a identity.Actor) int64 {
		n, err := s.store.LargestNonce(s.ctx, a)
		s.must(err)
		return n
	}
	s.equal("of an empty store", largest(actor(1)), int64(0))
	root := Publish(s, Stamp{Signer: 1, Nonce: 40})
	foreign := Publish(s, Stamp{Signer: 2, Nonce: 900})
	s.accept(items([]capsule.Event{root, Publish(s, Stamp{Signer: 1, Nonce: 7}), foreign})...)
	s.equal("held", largest(actor(1)), int64(40))
	s.equal("another's", largest(actor(2)), int64(900))
	s.equal("nobody's", largest(actor(3)), int64(0))

	absent := Publish(s, Stamp{Signer: 3, Nonce: 1})
	out := s.accept(items([]capsule.Event{
		Publish(s, Stamp{Signer: 1, Nonce: 55}, Relate(capsule.Extends, absent.ID())),
		Publish(s, Stamp{Signer: 2, Nonce: 950}, Relate(capsule.Extends, absent.ID())),
	})...)
	s.equal("status", out[0].Status, wire.Pending)
	s.equal("waiting", largest(actor(1)), int64(55))
	_, err := s.store.DropPending(s.ctx, nil)
	s.must(err)
	s.equal("dropped", largest(actor(1)), int64(40))
	s.must(s.store.Withhold(s.ctx, root.ID(), true))
	s.equal("withheld", largest(actor(1)), int64(40))
}
