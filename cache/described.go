package cache

import (
	"bytes"
	"context"
	"encoding/binary"

	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// How a service described itself stands in the bucket follow, under 'd' and the number
// of its source: ms, then the text of the document, sealed.

// maxDescription bounds the text of a description, in bytes.
const maxDescription = 256 << 10

func describedKey(source []byte) []byte { return append([]byte{'d'}, source...) }

func parseDescription(value []byte) (text []byte, at int64, ok bool) {
	b, ok := unseal(value)
	if !ok || len(b) < 8 {
		return nil, 0, false
	}
	return b[8:], int64(binary.BigEndian.Uint64(b)), true
}

// Described gives the description of a service that was kept last; see
// explore.Describer. One that is damaged is as good as none: it can be had again.
func (c *Cache) Described(ctx context.Context, origin identity.Origin) (text []byte, at int64, err error) {
	err = c.view(ctx, func(s *snapshot) (err error) {
		defer s.guard(&err)
		if s.tx == nil {
			return nil
		}
		source := serviceKey(s.bucket("source"), origin)
		if source == nil {
			return nil
		}
		kept, when, _ := parseDescription(s.bucket("follow").Get(describedKey(source)))
		text, at = bytes.Clone(kept), when
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	return text, at, nil
}

// Describe keeps the description of a service; see explore.Describer.
func (c *Cache) Describe(ctx context.Context, origin identity.Origin, text []byte, at int64) error {
	if len(text) > maxDescription {
		return &fault.Usage{Detail: "the description of a service is too large to keep"}
	}
	return c.update(ctx, func(b *batch) error {
		n, err := b.source(wire.Source{Kind: wire.FromService, Name: string(origin)})
		if err != nil {
			return err
		}
		b.dirty = true
		value := append(binary.BigEndian.AppendUint64(nil, uint64(at)), text...)
		return b.bucket("follow").Put(describedKey(sourceKey(n)), seal(value))
	})
}

// checkDescription looks at one entry of follow; ours is false for those of states.
func (c *checker) checkDescription(key, value []byte) (ours bool) {
	if !bytes.HasPrefix(key, []byte{'d'}) || len(key) != 5 {
		return false
	}
	_, named := sourceOf(c.s.bucket("source"), key[1:])
	if _, _, ok := parseDescription(value); !ok || !named {
		c.bad(badService)
	}
	return true
}
