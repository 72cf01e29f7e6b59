package memory

import (
	"context"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// Submit accepts one offer under terms (8.1). A submission that does not resolve
// changes nothing: it does not wait. What waited for it is released.
func (s *Store) Submit(ctx context.Context, o capsule.Offer, terms capsule.Terms) (wire.Record, bool, error) {
	if err := ctx.Err(); err != nil {
		return wire.Record{}, false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, held, err := capsule.Accept(tx{s, terms.Now}, o, terms)
	if err != nil {
		return wire.Record{}, false, err
	}
	id := o.Envelope().ID()
	if !held {
		if _, _, err := s.release(id, terms.Now); err != nil {
			return wire.Record{}, false, err
		}
	}
	return s.wireRecord(s.numbers[id]), held, nil
}

func (s *Store) wireRecord(number uint64) wire.Record {
	r := s.record(number)
	return wire.Record{Event: r.event, Seq: number, AcceptedAt: r.acceptedAt}
}

// Record gives one visible record.
func (s *Store) Record(ctx context.Context, id identity.ID) (wire.Record, error) {
	if err := ctx.Err(); err != nil {
		return wire.Record{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	r := s.find(id)
	if r == nil || r.withheld {
		return wire.Record{}, &fault.NotHeld{ID: id.String(), Where: s.origin}
	}
	return s.wireRecord(s.numbers[id]), nil
}

// Records gives visible records of a range in ascending seq.
func (s *Store) Records(ctx context.Context, r wire.Range) (records []wire.Record, more bool, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	through := min(r.Through, uint64(len(s.records)))
	for i := r.After; i < through; i++ {
		if i%batch == 0 && ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		rec := &s.records[i]
		if rec.withheld || !r.Filter.Match(rec.event) {
			continue
		}
		if len(r.Terms) > 0 && !capsule.Lexical(rec.event, r.Terms) {
			continue
		}
		if len(records) >= r.Limit {
			return records, true, nil
		}
		records = append(records, s.wireRecord(i+1))
	}
	return records, false, ctx.Err()
}

// Checkpoint is the last number that was given.
func (s *Store) Checkpoint(ctx context.Context) (uint64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return uint64(len(s.records)), nil
}

// Withhold hides an event from record reads, or shows it again.
func (s *Store) Withhold(ctx context.Context, id identity.ID, hide bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.find(id)
	if r == nil {
		return &fault.NotHeld{ID: id.String(), Where: s.origin}
	}
	r.withheld = hide
	return nil
}
