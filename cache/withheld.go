package cache

import (
	"bytes"
	"context"
	"encoding/binary"

	"akx/view/fault"
	"akx/view/identity"
)

// When an event was withheld stands in the bucket follow, under 'w' and its number:
// ms, sealed. That it is withheld is said by its state alone.

func withheldKey(n uint64) []byte { return append([]byte{'w'}, number(n)...) }

// Withheld is one event that a service hides from its reads.
type Withheld struct {
	Number uint64 // its seq
	ID     identity.ID
	At     int64 // ms; 0 where that is not known
}

// Withhold hides an event from record reads, or shows it again. One that is hidden
// already stays hidden since then.
func (c *Cache) Withhold(ctx context.Context, id identity.ID, hide bool) error {
	there, err := c.events.exists()
	if err != nil {
		return err
	}
	if !there {
		return &fault.NotHeld{ID: id.String(), Where: c.origin}
	}
	return c.update(ctx, func(b *batch) error {
		n := b.number(id)
		if n == 0 {
			return &fault.NotHeld{ID: id.String(), Where: c.origin}
		}
		st, err := b.state(n)
		if err != nil || st.withheld == hide {
			return err
		}
		st.withheld = hide
		b.changed[n] = st
		b.dirty = true
		if !hide {
			return b.bucket("follow").Delete(withheldKey(n))
		}
		return b.bucket("follow").Put(withheldKey(n), seal(binary.BigEndian.AppendUint64(nil, uint64(b.now))))
	})
}

// Withheld lists the events that are hidden from record reads, by their seq.
func (c *Cache) Withheld(ctx context.Context) ([]Withheld, error) {
	var all []Withheld
	err := c.view(ctx, func(s *snapshot) (err error) {
		all, err = s.withheld(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

func (s *snapshot) withheld(ctx context.Context) (all []Withheld, err error) {
	defer s.guard(&err)
	if s.tx == nil {
		return nil, nil
	}
	follow := s.bucket("follow")
	cursor := s.bucket("state").Cursor()
	for key, value := cursor.First(); key != nil && ctx.Err() == nil; key, value = cursor.Next() {
		places, ok := parseBlock(value, stateBytes)
		if !ok || len(key) != 8 {
			return nil, damaged(s.path, "its states are damaged", nil)
		}
		for ; len(places) > 0; places = places[2+stateBytes:] {
			if !parseState(places[2:]).withheld {
				continue
			}
			n := parseNumber(key)<<blockShift | uint64(binary.BigEndian.Uint16(places))
			r := row(s.rows.record(n))
			if !r.intact() {
				return nil, damaged(s.path, "an acceptance record is damaged", nil)
			}
			at, _ := parseWithheld(follow.Get(withheldKey(n)))
			all = append(all, Withheld{Number: n, ID: r.id(), At: at})
		}
	}
	return all, ctx.Err()
}

func parseWithheld(value []byte) (at int64, ok bool) {
	b, ok := unseal(value)
	if !ok || len(b) != 8 {
		return 0, false
	}
	return int64(binary.BigEndian.Uint64(b)), true
}

// checkWithheld looks at one entry of follow; ours is false for those of services.
func (c *checker) checkWithheld(key, value []byte) (ours bool) {
	if !bytes.HasPrefix(key, []byte{'w'}) || len(key) != 9 {
		return false
	}
	n := parseNumber(key[1:])
	if st, ok := c.s.states.get(n); !ok || !st.withheld {
		c.bad(badService, c.idOf(n)...)
	} else if _, ok := parseWithheld(value); !ok {
		c.bad(badService, c.idOf(n)...)
	}
	return true
}
