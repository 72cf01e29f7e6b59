package storetest

import (
	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
	"akx/view/wire"
)

func testIncoming(s *suite) {
	o := s.world(4, short(100, 300))
	s.read(func(snap view.Snapshot) {
		for _, e := range o.events {
			s.equal("incoming of "+e.ID().String(), s.gather(snap, e), o.incoming(e.ID()))
		}
		scope := snap.Scope()
		if scope.Origin != view.ThisCache || !scope.Complete || len(scope.Reasons) > 0 {
			s.Errorf("scope %+v", scope)
		}
		s.equal("checkpoint of the scope", scope.Checkpoint, uint64(len(o.events)))
		s.equal("time of the scope", scope.AsOf, s.now)
	})
}

// compareFacts compares the views of every event with the oracle's.
func (s *suite) compareFacts(snap view.Snapshot, o *oracle) {
	s.Helper()
	for _, e := range o.events {
		page, err := view.LoadPage(s.ctx, snap, e.ID())
		s.must(err)
		retractions, successors, assessments, active := o.facts(e.ID())
		s.equal("lifecycle", page.Facts.Lifecycle, o.lifecycle(e.ID()))
		s.equal("lifecycle of the row", page.Entry.Lifecycle, page.Facts.Lifecycle)
		s.equal("retractions", page.Facts.Retractions, retractions)
		s.equal("successors", page.Facts.Successors, successors)
		s.equal("assessments", page.Facts.Assessments, assessments)
		s.equal("active assessments", page.Facts.ActiveAssessments, active)
		s.equal("the event", page.Event.Envelope().Text(), e.Envelope().Text())
		var withdrawn []identity.ID
		for i, link := range capsule.Links(e) {
			s.equal("out link", page.Out[i].Link, link)
			if !page.Out[i].Held {
				s.Error("a dependency is not held")
			}
			if o.retracted(link.Target) {
				withdrawn = append(withdrawn, link.Target)
			}
		}
		s.equal("withdrawn targets", page.Withdrawn, identity.SortIDs(withdrawn))
	}
}

func testFacts(s *suite) {
	o := s.world(5, 200)
	s.read(func(snap view.Snapshot) { s.compareFacts(snap, o) })
}

// testArrivalOrder feeds one set in random orders, through the pending area, and
// compares the facts with those of the ordered set.
func testArrivalOrder(s *suite) {
	events := World(s, 6, 80)
	o := newOracle(events)
	r := s.rand()
	for range short(2, 6) {
		s.store = s.open(s.T, func() int64 { return s.now }, view.ThisCache)
		order := r.Perm(len(events))
		released := make(map[identity.ID]bool)
		waiting := make(map[identity.ID]bool)
		for len(order) > 0 {
			n := min(len(order), 1+r.IntN(20))
			var batch []capsule.Event
			for _, i := range order[:n] {
				batch = append(batch, events[i])
			}
			order = order[n:]
			for _, out := range s.accept(items(batch)...) {
				switch out.Status {
				case wire.Pending:
					waiting[out.ID] = true
				case wire.Added:
				default:
					s.Fatalf("status %d: %v", out.Status, out.Refusal)
				}
				for _, id := range out.Released {
					if !waiting[id] || released[id] {
						s.Error("released what did not wait, or twice")
					}
					released[id] = true
				}
			}
		}
		s.equal("released", len(released), len(waiting))
		s.read(func(snap view.Snapshot) { s.compareFacts(snap, o) })
		stats, err := s.store.Stats(s.ctx)
		s.must(err)
		s.equal("events", int(stats.Events), len(events))
		s.equal("still pending", stats.Pending, 0)
		s.equal("bytes still pending", stats.PendingBytes, int64(0))
	}
}
