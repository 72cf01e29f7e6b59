package cache

import (
	"bytes"
	"context"

	"akx/view/identity"
)

// LargestNonce gives the largest nonce of an actor's events, held or waiting; see
// explore.Library. It reads the facts of all rows as they stand on disk, which takes
// some milliseconds for 100,000 events, and needs no index that every import would pay
// for. A row that is damaged is left out where its text proves nothing either.
func (c *Cache) LargestNonce(ctx context.Context, a identity.Actor) (int64, error) {
	var largest int64
	err := c.view(ctx, func(s *snapshot) (err error) {
		defer s.guard(&err)
		if s.tx == nil {
			return nil
		}
		if largest, err = s.heldNonce(ctx, a); err == nil && s.counts.pending > 0 {
			largest, err = s.waitingNonce(ctx, a, largest)
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	return largest, nil
}

// heldNonce reads the rows, the last first: most of the others then need no check sum.
func (s *snapshot) heldNonce(ctx context.Context, a identity.Actor) (int64, error) {
	var largest int64
	cursor := s.bucket("row").Cursor()
	for key, value := cursor.Last(); key != nil; key, value = cursor.Prev() {
		p, ok := parsePack(key, value, false)
		if !ok {
			return 0, damaged(s.path, "a part of its index is damaged", nil)
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		for n := p.last; n >= p.first; n-- {
			r := row(p.record(n))
			switch {
			case !r.whole() || r.actor() != a || r.nonce() <= largest:
			case r.intact():
				largest = r.nonce()
			default:
				if e, err := reopen(s.texts.record(n), r.id()); err == nil && e.Actor() == a {
					largest = max(largest, e.Nonce())
				}
			}
		}
	}
	return largest, nil
}

// waitingNonce reads the texts of events that wait. Only those are proven again that
// can be the actor's: a text names its actor in full, or escapes a part of the name.
func (s *snapshot) waitingNonce(ctx context.Context, a identity.Actor, largest int64) (int64, error) {
	name, escape := []byte(a.String()), []byte(`\u00`)
	cursor := s.bucket("pend").Cursor()
	for key, value := cursor.First(); key != nil; key, value = cursor.Next() {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		id, err := identity.ParseID(string(key))
		w, ok := parseWaiter(value)
		if err != nil || !ok || !bytes.Contains(w.text, name) && !bytes.Contains(w.text, escape) {
			continue
		}
		if e, err := reopen(w.text, id); err == nil && e.Actor() == a {
			largest = max(largest, e.Nonce())
		}
	}
	return largest, nil
}
