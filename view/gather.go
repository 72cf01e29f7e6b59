package view

import (
	"context"
	"fmt"
	"slices"

	"akx/view/fault"
	"akx/view/identity"
)

// MaxIncoming bounds the incoming facts that one view reads of one event. Beyond
// it the scope of the facts is incomplete and says so.
const MaxIncoming = 200_000

// gather reads what points at id, and the scope that this much supports.
func gather(ctx context.Context, s Snapshot, id identity.ID, limit int) ([]Incoming, Scope, error) {
	var all []Incoming
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
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, Scope{}, err
	}
	scope := s.Scope()
	if full {
		scope = scope.partial(fmt.Sprintf("only %d of the incoming links were read", limit))
	}
	return all, scope, nil
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
