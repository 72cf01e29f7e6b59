package view

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"akx/view/fault"
	"akx/view/identity"
)

// MaxIncoming bounds the incoming facts that one view reads of one event. Beyond
// it the scope of the facts is incomplete and says so.
const MaxIncoming = 200_000

// buffers holds the facts of events that were looked at before: a hub's are some
// megabytes, which every look would otherwise take anew.
var buffers = sync.Pool{New: func() any { return new([]Incoming) }}

// gather reads what points at id, and hands it to use with the scope that this
// much supports. The facts are valid only inside use, which may reorder them.
func gather(ctx context.Context, s Snapshot, id identity.ID, limit int, use func([]Incoming, Scope) error) error {
	buffer := buffers.Get().(*[]Incoming)
	defer buffers.Put(buffer)
	all := (*buffer)[:0]
	full := false
	err := s.Incoming(ctx, id, func(batch []Incoming) bool {
		if room := limit - len(all); len(batch) > room {
			batch, full = batch[:room], true
		}
		if len(all)+len(batch) > cap(all) {
			all = slices.Grow(all, max(len(all), len(batch)))
		}
		all = append(all, batch...)
		return !full
	})
	*buffer = all
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	scope := s.Scope()
	if full {
		scope = scope.partial(fmt.Sprintf("only %d of the incoming links were read", limit))
	}
	return use(all, scope)
}

// factsOf derives the facts of one row's event.
func factsOf(ctx context.Context, s Snapshot, row Entry) (facts Facts, err error) {
	err = gather(ctx, s, row.ID, MaxIncoming, func(incoming []Incoming, scope Scope) error {
		facts = Derive(SubjectOf(row), incoming, scope)
		return nil
	})
	return facts, err
}

// partial is the scope with one more reason why it is not complete.
func (s Scope) partial(reason string) Scope {
	reasons := make([]string, 0, len(s.Reasons)+1)
	s.Reasons = append(append(reasons, s.Reasons...), reason)
	s.Complete = false
	return s
}

// entryOf reads the row of one event: *fault.NotHeld where there is none.
func entryOf(s Snapshot, id identity.ID) (Entry, error) {
	rows, held, err := Rows(s, []identity.ID{id})
	if err != nil {
		return Entry{}, err
	}
	if t, ok := s.(set); ok && !held[0] {
		return Entry{}, t.missing(id)
	}
	if !held[0] {
		return Entry{}, &fault.NotHeld{ID: id.String(), Where: s.Scope().Origin}
	}
	return rows[0], nil
}

// Rows gives rows for ids in their order; held[i] is false, and the row zero,
// for what the snapshot does not hold.
func Rows(s Snapshot, ids []identity.ID) (rows []Entry, held []bool, err error) {
	rows, held = make([]Entry, len(ids)), make([]bool, len(ids))
	numbers, err := s.Find(ids)
	if err != nil {
		return nil, nil, err
	}
	var found []uint64
	for i, n := range numbers {
		if n != 0 {
			held[i] = true
			found = append(found, n)
		}
	}
	entries, err := s.Entries(found)
	if err != nil {
		return nil, nil, err
	}
	next := 0
	for i := range ids {
		if held[i] {
			rows[i] = entries[next]
			next++
		}
	}
	return rows, held, nil
}
