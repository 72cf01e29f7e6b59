package cache

import (
	"context"

	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// Record gives one visible record; *fault.NotHeld when absent or withheld.
func (c *Cache) Record(ctx context.Context, id identity.ID) (wire.Record, error) {
	var record wire.Record
	err := c.view(ctx, func(s *snapshot) (err error) {
		record, err = s.recordOf(id)
		return err
	})
	if err != nil {
		return wire.Record{}, err
	}
	return record, nil
}

func (s *snapshot) recordOf(id identity.ID) (record wire.Record, err error) {
	defer s.guard(&err)
	n := s.number(id)
	record, visible, err := s.record(n)
	if err == nil && !visible {
		err = &fault.NotHeld{ID: id.String(), Where: s.scope.Origin}
	}
	if err == nil && record.Event.ID() != id {
		err = damagedEvent(id, nil)
	}
	return record, err
}

// record reads the record of a number; visible is false for one that is withheld
// or was never given.
func (s *snapshot) record(n uint64) (record wire.Record, visible bool, err error) {
	if n == 0 || n > s.counts.last {
		return wire.Record{}, false, nil
	}
	st, ok := s.states.get(n)
	if !ok {
		return wire.Record{}, false, damaged(s.path, "its states are damaged", nil)
	}
	if st.withheld {
		return wire.Record{}, false, nil
	}
	r := row(s.rows.record(n))
	if !r.intact() {
		return wire.Record{}, false, damaged(s.path, "an acceptance record is damaged", nil)
	}
	event, err := reopen(s.texts.record(n), r.id())
	if err != nil {
		return wire.Record{}, false, err
	}
	return wire.Record{Event: event, Seq: n, AcceptedAt: r.arrived()}, true, nil
}

// Records gives visible records of a range in ascending seq. A damaged record
// within the range is an error: an enumeration leaves nothing out (9.3.1).
func (c *Cache) Records(ctx context.Context, r wire.Range) (records []wire.Record, more bool, err error) {
	err = c.view(ctx, func(s *snapshot) (err error) {
		records, more, err = s.records(ctx, r)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	return records, more, nil
}

func (s *snapshot) records(ctx context.Context, r wire.Range) (records []wire.Record, more bool, err error) {
	defer s.guard(&err)
	w := s.newWalk(r.Filter, r.Terms, view.Unchecked)
	w.ascends, w.after, w.through = true, r.After, min(r.Through, w.through)
	var failed error
	w.visit = func(n uint64) bool {
		record, visible, err := s.record(n)
		if err != nil {
			failed = err
			return false
		}
		if !visible || !r.Filter.Match(record.Event) || len(r.Terms) > 0 && !capsule.Lexical(record.Event, r.Terms) {
			return true
		}
		if len(records) >= r.Limit {
			more = true
			return false
		}
		records = append(records, record)
		return true
	}
	if err := w.run(ctx); err != nil {
		return nil, false, err
	}
	return records, more, failed
}

// Checkpoint is the last number that was given or given up for good. It is
// *fault.Damaged where a service's database is older than the numbers it gave.
func (c *Cache) Checkpoint(ctx context.Context) (uint64, error) {
	return c.checkSequence(ctx)
}
