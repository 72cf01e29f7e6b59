package cache

import (
	"bytes"
	"context"
	"encoding/binary"

	bolt "go.etcd.io/bbolt"

	"akx/view/identity"
)

// own looks at own.db: at every page, at the services of the user, and at what the
// user wrote.
func (c *checker) own(ctx context.Context, tx *bolt.Tx) error {
	err := tx.ForEach(func(_ []byte, b *bolt.Bucket) error {
		return b.ForEach(func(_, _ []byte) error { return ctx.Err() })
	})
	if _, damaged := services(tx.Bucket([]byte("service"))); damaged > 0 {
		c.list = append(c.list, Finding{
			What: "your services", Count: damaged, Detail: "the settings of a service are damaged, so that it is disabled",
			Hint: "remove it by its origin, and add it again",
		})
	}
	c.list = append(c.list, deskFindings(tx)...)
	return err
}

// checkServices looks at what services gave: every value by its check sum, the
// counts of exceptions, and that each seq of an event is known as that event's or
// as another's.
func (c *checker) checkServices(ctx context.Context) error {
	exceptions, err := c.checkExceptions(ctx)
	if err != nil {
		return err
	}
	follow := c.s.bucket("follow").Cursor()
	for key, value := follow.First(); key != nil; key, value = follow.Next() {
		if c.checkWithheld(key, value) || c.checkDescription(key, value) {
			continue
		}
		if len(key) != 5 || c.s.bucket("follow").Get(stateKey(key[1:])) == nil {
			c.bad(badService)
			continue
		}
		if key[0] != 's' {
			continue
		}
		source := [4]byte(key[1:])
		f, ok := loadFollow(c.s.bucket("follow"), source[:])
		if _, named := sourceOf(c.s.bucket("source"), source[:]); !ok || !named || f.Exceptions != exceptions[source] {
			c.bad(badService)
		}
		delete(exceptions, source)
	}
	if len(exceptions) > 0 {
		c.bad(badService)
	}
	if err := c.checkSpans(ctx); err != nil {
		return err
	}
	early := c.s.bucket("early").Cursor()
	for key, value := early.First(); key != nil; key, value = early.Next() {
		rest, ok := unseal(value)
		at, known := parseSpan(rest)
		if !ok || !known || len(key) != 36 || !c.owned(key[32:], at) {
			c.bad(badService)
		} else if id := identity.ID(key[:32]); c.s.number(id) != 0 {
			c.bad(badService, id)
		}
	}
	return ctx.Err()
}

// checkClaims looks at what sources said of events.
func (c *checker) checkClaims(ctx context.Context) error {
	return c.s.bucket("claim").ForEach(func(key, value []byte) error {
		if len(key) != 12 {
			c.bad(badClaim)
			return ctx.Err()
		}
		n := parseNumber(key[:8])
		_, known := sourceOf(c.s.bucket("source"), key[8:])
		if _, ok := parseClaim(key[8:], value); !ok || !known || n == 0 || n > c.s.counts.last {
			c.bad(badClaim, c.idOf(n)...)
		}
		return ctx.Err()
	})
}

// checkExceptions counts the exceptions of each source.
func (c *checker) checkExceptions(ctx context.Context) (map[[4]byte]int, error) {
	counts := make(map[[4]byte]int)
	err := c.s.bucket("except").ForEach(func(key, value []byte) error {
		if _, ok := parseException(value, 0); !ok || len(key) != 12 {
			c.bad(badService)
			return ctx.Err()
		}
		counts[[4]byte(key)]++
		return ctx.Err()
	})
	return counts, err
}

// checkSpans looks at the blocks of given and of seq.
func (c *checker) checkSpans(ctx context.Context) error {
	for _, name := range []string{"seq", "given"} {
		err := c.s.bucket(name).ForEach(func(key, value []byte) error {
			places, ok := parseBlock(value, spanBytes)
			if !ok || len(key) != 12 {
				c.bad(badService)
				return ctx.Err()
			}
			for ; name == "given" && len(places) > 0; places = places[2+spanBytes:] {
				n := binary.BigEndian.Uint64(key[4:])<<blockShift | uint64(binary.BigEndian.Uint16(places))
				at, _ := parseSpan(places[2 : 2+spanBytes])
				if n == 0 || n > c.s.counts.last || !c.owned(key[:4], at) {
					c.bad(badService, c.idOf(n)...)
				}
			}
			return ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// owned reports whether the seqs of a span are known.
func (c *checker) owned(source []byte, at span) bool {
	if !bytes.Equal(c.owners.prefix, source) {
		c.owners = blockReader{bucket: c.s.bucket("seq"), prefix: bytes.Clone(source), width: spanBytes}
	}
	for _, seq := range []uint64{at.first, at.last} {
		if owner, ok := c.owners.get(seq); !ok || owner == nil {
			return false
		}
	}
	return true
}
