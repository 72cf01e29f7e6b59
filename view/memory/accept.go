package memory

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// Accept takes items in their order; see explore.Library. An event whose
// dependencies are not held waits for them, within the bound.
func (s *Store) Accept(ctx context.Context, source wire.Source, items []wire.Item) ([]wire.Outcome, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.acceptAll(source, items, s.clock())
}

func (s *Store) acceptAll(source wire.Source, items []wire.Item, now int64) ([]wire.Outcome, error) {
	outcomes := make([]wire.Outcome, len(items))
	for i, item := range items {
		claim := wire.Claim{Source: source, Seq: item.Seq, AcceptedAt: item.AcceptedAt}
		outcome, err := s.acceptItem(item, claim, now)
		if err != nil {
			return nil, err
		}
		if outcome.Status == wire.Added {
			s.arrived(outcome.ID)
		}
		for _, id := range outcome.Released {
			s.arrived(id)
		}
		outcomes[i] = outcome
	}
	return outcomes, nil
}

func (s *Store) acceptItem(item wire.Item, claim wire.Claim, now int64) (wire.Outcome, error) {
	if item.Refusal != nil {
		return wire.Outcome{Status: wire.Refused, ID: item.Offer.Envelope().ID(), Refusal: item.Refusal}, nil
	}
	id := item.Offer.Envelope().ID()
	out := wire.Outcome{ID: id}
	if w := s.wait.events[id]; w != nil {
		w.claims = addClaim(w.claims, claim)
		out.Status, out.Missing, out.Waited = wire.Pending, w.missingIDs(), true
		return out, nil
	}
	number, held, err := capsule.Accept(tx{s, now}, item.Offer, s.terms(now))
	var refusal *fault.Refusal
	switch {
	case errors.As(err, &refusal) && refusal.Step == fault.StepDependencies:
		return s.keepWaiting(item.Offer.Event(), refusal, claim, now)
	case refusal != nil:
		out.Status, out.Refusal = wire.Refused, refusal
		return out, nil
	case err != nil:
		return wire.Outcome{}, err
	case held:
		out.Status, out.Number = wire.Held, s.numbers[id]
	default:
		out.Status, out.Number = wire.Added, number
		if out.Released, out.Dropped, err = s.release(id, now); err != nil {
			return wire.Outcome{}, err
		}
	}
	r := s.find(id)
	r.claims = addClaim(r.claims, claim)
	return out, nil
}

func (s *Store) terms(now int64) capsule.Terms {
	return capsule.Terms{Now: now, Skew: s.limits.Skew}
}

// Claims lists what sources said about an event, by kind and name of the source.
func (s *Store) Claims(ctx context.Context, id identity.ID) ([]wire.Claim, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if r := s.find(id); r != nil {
		return slices.Clone(r.claims), nil
	}
	if w := s.wait.events[id]; w != nil {
		return slices.Clone(w.claims), nil
	}
	return nil, nil
}

// addClaim keeps the last claim of each source, in order. A source that said
// nothing leaves none.
func addClaim(claims []wire.Claim, c wire.Claim) []wire.Claim {
	if c.Seq == 0 && c.AcceptedAt == 0 {
		return claims
	}
	at, known := slices.BinarySearchFunc(claims, c.Source, func(a wire.Claim, b wire.Source) int {
		return cmp.Or(cmp.Compare(a.Source.Kind, b.Kind), cmp.Compare(a.Source.Name, b.Name))
	})
	switch {
	case known:
		claims[at] = c
	case len(claims) < maxClaims:
		claims = slices.Insert(claims, at, c)
	}
	return claims
}
