package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// testSetOracle follows a service that gave about two thirds of a random world, in no
// closed way, and compares its set with the plain list of what it gave.
func testSetOracle(s *followSuite) {
	s.checkSet(desk.Follow{}, short(60, 300))
}

// testPartialSet does so with a service whose clock runs ahead.
func testPartialSet(s *followSuite) {
	s.checkSet(desk.Follow{AsOf: s.now + 2*capsule.DefaultSkew, Tried: s.now}, short(40, 150))
}

func (s *followSuite) checkSet(next desk.Follow, queries int) {
	t := &suite{T: s.T, ctx: s.ctx, now: s.now}
	events := World(s, 21, 240)
	if _, err := s.store.Accept(s.ctx, fileSource, items(events)); err != nil {
		s.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	o := newOracle(events)
	o.lacks = make(map[uint64]bool)
	next.Complete, next.Checkpoint = true, uint64(len(events))
	o.partial = !next.Followed(hub).Scope().Complete
	next.Reached = next.Checkpoint
	for i, e := range events {
		if r.IntN(3) == 0 {
			o.lacks[uint64(i+1)] = true
			continue
		}
		s.page(hub, desk.Follow{Reached: uint64(i + 1)}, Record(e, uint64(i+1)))
	}
	s.page(hub, next)
	s.must(s.store.Read(s.ctx, func(snap view.Snapshot) error {
		if _, _, err := view.SetOf(s.ctx, snap, none); code(err) != fault.NotFollowed {
			s.Errorf("the set of a service that is not followed: %v", err)
		}
		set, followed, err := view.SetOf(s.ctx, snap, hub)
		s.must(err)
		t.equal("scope", set.Scope(), followed.Scope())
		if scope := set.Scope(); scope.Origin != string(hub) || scope.Checkpoint != next.Checkpoint || scope.Complete == o.partial {
			s.Errorf("scope %+v", scope)
		}
		for i := range queries {
			q := randomQuery(r, o)
			if i < 3 {
				q = view.Query{Sort: view.Sort(i)}
			}
			what := fmt.Sprintf("query %d %+v", i, q)
			want := o.rows(q)
			t.equal(what, t.scan(set, q), want)
			facets, err := view.LoadFacets(s.ctx, set, q)
			s.must(err)
			t.equal("facets of "+what, facets, o.facets(q))
			if i%20 == 0 {
				t.compareEntries(set, o, want)
			}
		}
		for i, e := range events {
			s.compareLinks(t, set, o, uint64(i+1), e)
		}
		return nil
	}))
}

// compareLinks compares what points at one event, and what is said of one that the
// service did not give.
func (s *followSuite) compareLinks(t *suite, set view.Snapshot, o *oracle, number uint64, e capsule.Event) {
	want := o.incoming(e.ID())
	t.equal("incoming", t.gather(set, e), want)
	var retractions []view.Retraction
	for _, in := range want {
		if in.Type == capsule.Retract {
			retractions = append(retractions, view.Retraction{Number: in.Number, Target: number})
		}
	}
	if got, err := set.Retractions([]uint64{number}); err != nil || !slices.Equal(got, retractions) {
		s.Errorf("retractions of %v: %v, want %v, %v", e.ID(), got, retractions, err)
	}
	found, err := set.Find([]identity.ID{e.ID()})
	s.must(err)
	links, err := view.LoadLinks(s.ctx, set, e.ID())
	if o.lacks[number] {
		if _, missing := set.Event(e.ID()); found[0] != 0 || code(err) != fault.NotHeldCode || code(missing) != fault.NotHeldCode {
			s.Errorf("what it did not give: %d, %v, %v", found[0], err, missing)
		}
		return
	}
	s.must(err)
	t.equal("Find", found[0], number)
	count, gone := 0, 0
	for _, g := range links.Groups {
		count, gone = count+len(g.Links), gone+g.Retracted
	}
	for _, in := range want {
		if in.Retracted {
			gone--
		}
	}
	if count != len(want) || gone != 0 || links.Subject.Lifecycle != o.lifecycle(e.ID()) {
		s.Errorf("%d links of %d, %d retracted too many, %v", count, len(want), gone, links.Subject.Lifecycle)
	}
	review, err := view.LoadReview(s.ctx, set, e.ID(), len(o.events))
	s.must(err)
	_, _, assessments, active := o.facts(e.ID())
	t.equal("assessments", review.Facts.Assessments, assessments)
	t.equal("active assessments", review.Facts.ActiveAssessments, active)
	for _, report := range review.Reports {
		t.equal("state of a report", report.Entry.Lifecycle, o.lifecycle(report.Entry.ID))
	}
	tree, err := view.LoadVersions(s.ctx, set, e.ID())
	s.must(err)
	for _, n := range tree.Nodes {
		if o.lacks[o.number[n.Entry.ID]] || n.Entry.Lifecycle != o.lifecycle(n.Entry.ID) {
			s.Errorf("a version that is not of the set, or %v in it", n.Entry.Lifecycle)
		}
	}
}
