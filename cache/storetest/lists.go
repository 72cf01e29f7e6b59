package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// randomFilter sets a few members, most with values that the world has.
func randomFilter(r *rand.Rand, o *oracle) capsule.Filter {
	var f capsule.Filter
	pick := func(n int) bool { return r.IntN(n) == 0 }
	any := o.events[r.IntN(len(o.events))]
	if pick(4) {
		f.Actor = any.Actor()
	}
	if pick(5) {
		f.Type = capsule.Types()[r.IntN(3)]
	}
	if pick(5) {
		f.Kind = capsule.Kinds()[r.IntN(10)]
	}
	if pick(8) {
		if links := capsule.Links(any); len(links) > 0 {
			f.Target = links[0].Target
		}
	}
	if pick(6) {
		f.Relation = capsule.Relations()[r.IntN(8)]
	}
	if pick(6) {
		f.Tag = worldTags[r.IntN(len(worldTags))]
	}
	if pick(8) {
		f.Profile = worldProfiles[r.IntN(len(worldProfiles))]
	}
	if pick(6) {
		f.Language = []string{"en", "EN", "zh-cn", "en-US", "fr"}[r.IntN(5)]
	}
	if pick(8) {
		f.Verdict = capsule.Verdicts()[r.IntN(6)]
	}
	if pick(5) {
		f.CreatedFrom = capsule.Bound{Set: true, MS: any.CreatedAt()}
	}
	if pick(5) {
		f.CreatedBefore = capsule.Bound{Set: true, MS: any.CreatedAt() + r.Int64N(1<<34)}
	}
	return f
}

func randomQuery(r *rand.Rand, o *oracle) view.Query {
	q := view.Query{Filter: randomFilter(r, o), Sort: view.Sort(r.IntN(3))}
	if r.IntN(4) == 0 {
		q.Lifecycle = []view.Lifecycle{view.Active, view.Retracted, view.Partial}[r.IntN(3)]
	}
	for range r.IntN(3) * r.IntN(2) {
		q.Terms = append(q.Terms, []string{"cache", "key", "语言", "a*b", "och", "Ärger", "absent"}[r.IntN(7)])
	}
	for i, term := range q.Terms {
		q.Terms[i] = capsule.FoldASCII(term)
	}
	return q
}

func testLists(s *suite) {
	o := s.world(1, 300)
	r := s.rand()
	s.read(func(snap view.Snapshot) {
		for i := range short(80, 400) {
			q := randomQuery(r, o)
			if i < 3 {
				q = view.Query{Sort: view.Sort(i)}
			}
			what := fmt.Sprintf("query %d %+v", i, q)
			want := o.rows(q)
			s.equal(what, s.scan(snap, q), want)
			facets, err := view.LoadFacets(s.ctx, snap, q)
			s.must(err)
			s.equal("facets of "+what, facets, o.facets(q))
			if i%20 == 0 {
				s.compareEntries(snap, o, want)
			}
		}
	})
}

// compareEntries compares rows; a title may be cut.
func (s *suite) compareEntries(snap view.Snapshot, o *oracle, numbers []uint64) {
	s.Helper()
	rows, err := snap.Entries(numbers)
	s.must(err)
	if len(rows) != len(numbers) {
		s.Fatalf("%d rows for %d numbers", len(rows), len(numbers))
	}
	for i, row := range rows {
		want := o.entry(numbers[i])
		if row.Title == "" || !strings.HasPrefix(want.Title, row.Title) {
			s.Errorf("title %q of %q", row.Title, want.Title)
		}
		row.Title = want.Title
		if len(row.Tags) == 0 {
			row.Tags = want.Tags
		}
		s.equal("row", row, want)
	}
}

func testScanStops(s *suite) {
	s.world(2, 50)
	s.read(func(snap view.Snapshot) {
		calls := 0
		s.must(snap.Scan(s.ctx, view.Query{}, func(numbers []uint64) bool {
			calls++
			if len(numbers) == 0 {
				s.Error("an empty batch")
			}
			return false
		}))
		s.equal("calls of yield", calls, 1)
	})
}

func testNotHeld(s *suite) {
	o := s.world(3, 5)
	absent := Publish(s, Stamp{Signer: 9, Nonce: 1}).ID()
	s.read(func(snap view.Snapshot) {
		_, err := snap.Event(absent)
		var notHeld *fault.NotHeld
		if !errors.As(err, &notHeld) {
			s.Errorf("Event of an absent ID: %v", err)
		}
		numbers, err := snap.Find([]identity.ID{absent, o.event(2).ID(), {}})
		s.must(err)
		s.equal("Find", numbers, []uint64{0, 2, 0})
		calls := 0
		s.must(snap.Incoming(s.ctx, absent, func([]view.Incoming) bool { calls++; return true }))
		s.equal("yields of an absent ID", calls, 0)
		if _, err := view.LoadPage(s.ctx, snap, absent); !errors.As(err, &notHeld) {
			s.Errorf("LoadPage of an absent ID: %v", err)
		}
	})
	known, err := s.store.Lookup(s.ctx, absent.String(), 5)
	s.must(err)
	s.equal("Lookup", len(known), 0)
	if err := s.store.Withhold(s.ctx, absent, true); !errors.As(err, new(*fault.NotHeld)) {
		s.Errorf("Withhold of an absent ID: %v", err)
	}
	if _, err := s.store.Record(s.ctx, absent); !errors.As(err, new(*fault.NotHeld)) {
		s.Errorf("Record of an absent ID: %v", err)
	}
}
