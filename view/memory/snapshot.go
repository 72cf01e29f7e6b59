package memory

import (
	"cmp"
	"context"
	"slices"

	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// batch is how many rows or facts a snapshot yields at a time.
const batch = 1024

// Read runs f over the store as it is now. f must not call the store's own methods.
func (s *Store) Read(ctx context.Context, f func(view.Snapshot) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return f(snapshot{s})
}

// snapshot is the store while its lock is held for reading. Withholding concerns
// what a service tells others, so a snapshot shows withheld events too.
type snapshot struct{ s *Store }

// Scope is the whole of the store.
func (n snapshot) Scope() view.Scope { return n.s.scope(n.s.clock()) }

func (s *Store) scope(now int64) view.Scope {
	return view.Scope{Origin: s.origin, Checkpoint: uint64(len(s.records)), AsOf: now, Complete: true}
}

// Event gives a held event.
func (n snapshot) Event(id identity.ID) (capsule.Event, error) {
	r := n.s.find(id)
	if r == nil {
		return nil, &fault.NotHeld{ID: id.String(), Where: n.s.origin}
	}
	return r.event, nil
}

// Find gives local numbers, 0 for what is not held.
func (n snapshot) Find(ids []identity.ID) ([]uint64, error) {
	numbers := make([]uint64, len(ids))
	for i, id := range ids {
		numbers[i] = n.s.numbers[id]
	}
	return numbers, nil
}

// Entries gives rows in the order of numbers.
func (n snapshot) Entries(numbers []uint64) ([]view.Entry, error) {
	rows := make([]view.Entry, len(numbers))
	for i, number := range numbers {
		r := n.s.record(number)
		if r == nil {
			return nil, &fault.Usage{Detail: "a row was asked for that was never there"}
		}
		rows[i] = view.EntryOf(r.event)
		rows[i].Number = number
		rows[i].Lifecycle = r.lifecycle()
		if in := n.s.links[r.event.ID()]; in != nil {
			rows[i].Successors = len(in[capsule.Supersedes])
		}
	}
	return rows, nil
}

func (r *record) lifecycle() view.Lifecycle {
	if r.retracted {
		return view.Retracted
	}
	return view.Active
}

// Incoming yields what points at target, by relation, then by number.
func (n snapshot) Incoming(ctx context.Context, target identity.ID, yield func([]view.Incoming) bool) error {
	in := n.s.links[target]
	if in == nil {
		return ctx.Err()
	}
	facts := make([]view.Incoming, 0, batch)
	for relation, numbers := range in {
		for _, number := range numbers {
			facts = append(facts, n.fact(number, capsule.Relation(relation)))
			if len(facts) < batch {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if !yield(facts) {
				return nil
			}
			facts = facts[:0]
		}
	}
	if len(facts) > 0 && ctx.Err() == nil {
		yield(facts)
	}
	return ctx.Err()
}

// Retractions gives the held retractions of events.
func (n snapshot) Retractions(numbers []uint64) ([]view.Retraction, error) {
	var found []view.Retraction
	for _, target := range numbers {
		r := n.s.record(target)
		if r == nil {
			continue
		}
		if in := n.s.links[r.event.ID()]; in != nil {
			for _, number := range in[0] {
				if n.s.record(number).fact.Type == capsule.Retract {
					found = append(found, view.Retraction{Number: number, Target: target})
				}
			}
		}
	}
	slices.SortFunc(found, func(a, b view.Retraction) int { return cmp.Compare(a.Number, b.Number) })
	return found, nil
}

func (n snapshot) fact(number uint64, relation capsule.Relation) view.Incoming {
	r := n.s.record(number)
	fact := r.fact
	fact.Relation, fact.Retracted = relation, r.retracted
	return fact
}

// Scan yields the numbers of matching events in the query's order.
func (n snapshot) Scan(ctx context.Context, q view.Query, yield func([]uint64) bool) error {
	if q.Sort != view.Newest {
		all, err := n.sorted(ctx, q)
		if err != nil {
			return err
		}
		for chunk := range slices.Chunk(all, batch) {
			if err := ctx.Err(); err != nil {
				return err
			}
			if !yield(chunk) {
				return nil
			}
		}
		return nil
	}
	return n.matching(ctx, q, yield)
}

// matching yields the numbers of matching events by arrival, newest first.
func (n snapshot) matching(ctx context.Context, q view.Query, yield func([]uint64) bool) error {
	found := make([]uint64, 0, batch)
	for i := len(n.s.records) - 1; i >= 0; i-- {
		if i%batch == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !n.s.records[i].matches(q) {
			continue
		}
		found = append(found, uint64(i+1))
		if len(found) == batch {
			if !yield(found) {
				return nil
			}
			found = make([]uint64, 0, batch)
		}
	}
	if len(found) > 0 && ctx.Err() == nil {
		yield(found)
	}
	return ctx.Err()
}

func (r *record) matches(q view.Query) bool {
	if q.Lifecycle != view.Unchecked && r.lifecycle() != q.Lifecycle {
		return false
	}
	return q.Filter.Match(r.event) && (len(q.Terms) == 0 || capsule.Lexical(r.event, q.Terms))
}

// sorted gives all matching numbers in an order other than that of arrival.
func (n snapshot) sorted(ctx context.Context, q view.Query) ([]uint64, error) {
	var all []uint64
	err := n.matching(ctx, q, func(numbers []uint64) bool {
		all = append(all, numbers...)
		return true
	})
	if err != nil {
		return nil, err
	}
	titles := make(map[uint64]string)
	if q.Sort == view.Title {
		for _, number := range all {
			titles[number] = capsule.FoldASCII(n.s.record(number).event.Title())
		}
	}
	slices.SortFunc(all, func(a, b uint64) int {
		x, y := n.s.record(a).event, n.s.record(b).event
		if q.Sort == view.Title {
			return cmp.Or(cmp.Compare(titles[a], titles[b]), x.ID().Compare(y.ID()))
		}
		return cmp.Or(cmp.Compare(y.CreatedAt(), x.CreatedAt()), x.ID().Compare(y.ID()))
	})
	return all, nil
}

// Tally begins a count of rows.
func (n snapshot) Tally() view.Tally { return &tally{s: n.s} }

type tally struct {
	s     *Store
	count view.FacetCount
}

// Add counts rows by their numbers.
func (t *tally) Add(numbers []uint64) error {
	for _, number := range numbers {
		t.count.Add(t.s.record(number).event)
	}
	return nil
}

// Facets gives the counts so far.
func (t *tally) Facets() view.Facets { return t.count.Facets() }
