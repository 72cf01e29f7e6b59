package cache

import (
	"context"
	"errors"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// Accept takes proven items in one transaction, in their order; see
// explore.Library. An event whose dependencies are not held waits for them,
// within the bound. A stored copy that is damaged is replaced by the item's.
func (c *Cache) Accept(ctx context.Context, source wire.Source, items []wire.Item) ([]wire.Outcome, error) {
	if outcomes, ok, err := c.refuseAll(ctx, items); ok || err != nil {
		return outcomes, err
	}
	var outcomes []wire.Outcome
	err := c.update(ctx, func(b *batch) (err error) {
		outcomes, err = b.acceptAll(ctx, source, items)
		return err
	})
	if err != nil {
		return nil, err
	}
	return outcomes, nil
}

// refuseAll answers for items of which none can be kept, so that refused input
// makes no home; ok is false where there is something to keep or to compare with.
func (c *Cache) refuseAll(ctx context.Context, items []wire.Item) (outcomes []wire.Outcome, ok bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	there, err := c.events.exists()
	if err != nil || there {
		return nil, false, err
	}
	outcomes = make([]wire.Outcome, len(items))
	for i, item := range items {
		refusal := item.Refusal
		if refusal == nil {
			_, _, err := capsule.Accept(empty{}, item.Offer, capsule.Terms{Now: c.clock(), Skew: c.limits.Skew})
			if !errors.As(err, &refusal) || refusal.Step == fault.StepDependencies {
				return nil, false, nil
			}
		}
		outcomes[i] = wire.Outcome{Status: wire.Refused, ID: item.Offer.Envelope().ID(), Refusal: refusal}
	}
	return outcomes, true, nil
}

// empty is the transaction of a store that holds nothing.
type empty struct{}

func (empty) Held(identity.ID) (bool, error) { return false, nil }
func (empty) Resolve(identity.ID) (capsule.Target, bool, error) {
	return capsule.Target{}, false, nil
}
func (empty) Keep(capsule.Event) (uint64, error) { return 0, nil }

func (b *batch) terms() capsule.Terms {
	return capsule.Terms{Now: b.now, Skew: b.limits.Skew}
}

func (b *batch) accept(item wire.Item, claim wire.Claim) (wire.Outcome, error) {
	id := item.Offer.Envelope().ID()
	out := wire.Outcome{ID: id}
	if item.Refusal != nil {
		out.Status, out.Refusal = wire.Refused, item.Refusal
		return out, nil
	}
	if missing, waits, err := b.waiting(id); err != nil || waits {
		out.Status, out.Missing, out.Waited = wire.Pending, missing, true
		return out, errors.Join(err, b.claimPending(id, claim))
	}
	n, held, err := capsule.Accept(b, item.Offer, b.terms())
	var refusal *fault.Refusal
	switch {
	case errors.As(err, &refusal) && refusal.Step == fault.StepDependencies:
		return b.wait(item.Offer.Event(), refusal, claim)
	case isDamaged(err) && !b.torn:
		// A target that cannot be read: this item fails, the others live on.
		out.Status, out.Refusal = wire.Refused, &fault.Refusal{Step: fault.StepDependencies, Code: fault.DamagedCode, Detail: "a target is damaged in this cache"}
		return out, nil
	case err != nil && refusal == nil:
		return out, err
	case refusal != nil:
		out.Status, out.Refusal = wire.Refused, refusal
		return out, nil
	case held:
		out.Status, out.Number = wire.Held, b.number(id)
		err = b.heal(out.Number, item.Offer)
	default:
		out.Status, out.Number = wire.Added, n
		out.Released, out.Dropped, err = b.release(id, b.terms())
	}
	return out, errors.Join(err, b.claim(out.Number, claim))
}

// heal stores an event again whose stored text or row is damaged. An offer with a
// refused payload cannot heal: the stored event passed.
func (b *batch) heal(n uint64, o capsule.Offer) error {
	event := o.Event()
	if event == nil {
		return nil
	}
	if _, ok := b.fresh[event.ID()]; ok {
		return nil
	}
	stored, r := b.texts.record(n), row(b.rows.record(n))
	if textIntact(stored) && r.intact() {
		return nil
	}
	arrived := b.now
	if r.intact() {
		arrived = r.arrived()
	}
	if err := b.settle(); err != nil {
		return err
	}
	text, err := replacePack(b.bucket("text"), false, n, appendText(nil, event.Envelope()))
	if err != nil {
		return err
	}
	facts, err := replacePack(b.bucket("row"), false, n, appendRow(nil, event, arrived))
	if err != nil {
		return err
	}
	find, err := replacePack(b.bucket("find"), true, n, capsule.AppendSearchText(nil, event))
	if err != nil {
		return err
	}
	if !text || !facts || !find {
		return damagedEvent(event.ID(), nil)
	}
	b.dirty = true
	return nil
}

// Submit accepts one offer under terms (8.1). A submission that does not resolve
// changes nothing: it does not wait. What waited for it is released.
func (c *Cache) Submit(ctx context.Context, o capsule.Offer, terms capsule.Terms) (record wire.Record, held bool, err error) {
	if _, ok, err := c.refuseAll(ctx, []wire.Item{{Offer: o}}); err != nil {
		return wire.Record{}, false, err
	} else if ok {
		_, _, err := capsule.Accept(empty{}, o, terms)
		if err != nil {
			return wire.Record{}, false, err
		}
	}
	err = c.update(ctx, func(b *batch) error {
		b.now = terms.Now
		id := o.Envelope().ID()
		var err error
		if _, held, err = capsule.Accept(b, o, terms); err != nil {
			return err
		}
		if held {
			record, err = b.heldRecord(id)
			return err
		}
		record = wire.Record{Event: o.Event(), Seq: b.number(id), AcceptedAt: b.now}
		if err := b.adopt(id); err != nil {
			return err
		}
		_, _, err = b.release(id, terms)
		return err
	})
	if err != nil {
		return wire.Record{}, false, err
	}
	return record, held, nil
}

// heldRecord gives the first acceptance of an event.
func (b *batch) heldRecord(id identity.ID) (wire.Record, error) {
	n := b.number(id)
	r := row(b.rows.record(n))
	event, err := reopen(b.texts.record(n), id)
	if err != nil {
		return wire.Record{}, err
	}
	if !r.intact() {
		return wire.Record{}, damagedEvent(id, nil)
	}
	return wire.Record{Event: event, Seq: n, AcceptedAt: r.arrived()}, nil
}
