package cache

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"hash/crc32"
	"slices"

	bolt "go.etcd.io/bbolt"

	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// Claims are kept by the number of their source, which the source bucket gives:
// 'n', kind, name -> number; 'i', number -> kind, name.

// maxSourceName bounds the name of a source, in bytes.
const maxSourceName = 4096

// claimBytes is one claim behind the key: seq, accepted_at, and a CRC-32C of these
// and the source.
const claimBytes = 8 + 8 + 4

// pendingClaim is one claim within a record of pend: source, then as behind a key.
const pendingClaim = 4 + claimBytes

// said reports whether a source asserted anything; what says nothing is not kept.
func said(c wire.Claim) bool { return c.Seq != 0 || c.AcceptedAt != 0 }

// source gives the number of a source, a new one where it is new.
func (b *batch) source(s wire.Source) (uint32, error) {
	if len(s.Name) > maxSourceName {
		return 0, &fault.Usage{Detail: "the name of a source is too long"}
	}
	name := string(rune(s.Kind)) + s.Name
	if n, ok := b.sources[name]; ok {
		return n, nil
	}
	bucket := b.bucket("source")
	if value := bucket.Get([]byte("n" + name)); len(value) == 4 {
		b.sources[name] = binary.BigEndian.Uint32(value)
		return b.sources[name], nil
	}
	next, err := bucket.NextSequence()
	if err != nil {
		return 0, err
	}
	key := binary.BigEndian.AppendUint32(nil, uint32(next))
	if err := bucket.Put([]byte("n"+name), key); err != nil {
		return 0, err
	}
	b.sources[name] = uint32(next)
	return uint32(next), bucket.Put(append([]byte("i"), key...), []byte(name))
}

func sourceOf(bucket *bolt.Bucket, n []byte) (wire.Source, bool) {
	name := bucket.Get(append([]byte("i"), n...))
	if len(name) == 0 {
		return wire.Source{}, false
	}
	return wire.Source{Kind: wire.SourceKind(name[0]), Name: string(name[1:])}, true
}

func encodeClaim(source uint32, c wire.Claim) []byte {
	value := binary.BigEndian.AppendUint64(make([]byte, 0, claimBytes), c.Seq)
	value = binary.BigEndian.AppendUint64(value, uint64(c.AcceptedAt))
	return binary.BigEndian.AppendUint32(value, claimSum(sourceKey(source), value))
}

func claimSum(source, value []byte) uint32 {
	return crc32.Update(crc32.Checksum(source, castagnoli), castagnoli, value)
}

// parseClaim reads a claim; ok is false for one that is damaged: it is left out, and
// the next word of its source replaces it.
func parseClaim(source, value []byte) (c wire.Claim, ok bool) {
	if len(value) != claimBytes || binary.BigEndian.Uint32(value[16:]) != claimSum(source, value[:16]) {
		return c, false
	}
	return wire.Claim{Seq: binary.BigEndian.Uint64(value), AcceptedAt: int64(binary.BigEndian.Uint64(value[8:]))}, true
}

// claim keeps what a source says about a held event; the last word counts.
func (b *batch) claim(n uint64, c wire.Claim) error {
	if n == 0 || !said(c) {
		return nil
	}
	source, err := b.source(c.Source)
	if err != nil {
		return err
	}
	return b.putClaim(n, source, encodeClaim(source, c))
}

func (b *batch) putClaim(n uint64, source uint32, value []byte) error {
	bucket := b.bucket("claim")
	key := binary.BigEndian.AppendUint32(number(n), source)
	stored := bucket.Get(key)
	if bytes.Equal(stored, value) {
		return nil
	}
	if stored == nil {
		count := 0
		cursor := bucket.Cursor()
		for k, _ := cursor.Seek(key[:8]); bytes.HasPrefix(k, key[:8]); k, _ = cursor.Next() {
			count++
		}
		if count >= maxClaims {
			return nil
		}
	}
	b.dirty = true
	return bucket.Put(key, value)
}

// claimPending keeps what a source says about a waiting event.
func (b *batch) claimPending(id identity.ID, c wire.Claim) error {
	if !said(c) {
		return nil
	}
	pend := b.bucket("pend")
	w, ok := parseWaiter(pend.Get(pendKey(id)))
	if !ok {
		return nil
	}
	claims, err := b.addPendingClaim(w.claims, c)
	if err != nil || bytes.Equal(claims, w.claims) {
		return err
	}
	w.claims = claims
	b.dirty = true
	return pend.Put(pendKey(id), w.encode())
}

// addPendingClaim gives the claims with one more; it does not write into stored.
func (b *batch) addPendingClaim(stored []byte, c wire.Claim) ([]byte, error) {
	if !said(c) {
		return stored, nil
	}
	source, err := b.source(c.Source)
	if err != nil {
		return nil, err
	}
	claims := bytes.Clone(stored)
	place := append(sourceKey(source), encodeClaim(source, c)...)
	for i := 0; i+pendingClaim <= len(claims); i += pendingClaim {
		if bytes.Equal(claims[i:i+4], place[:4]) {
			copy(claims[i:], place)
			return claims, nil
		}
	}
	if len(claims) >= maxClaims*pendingClaim {
		return claims, nil
	}
	return append(claims, place...), nil
}

// keepClaims files the claims of an event that waited.
func (b *batch) keepClaims(n uint64, claims []byte) error {
	for ; len(claims) >= pendingClaim; claims = claims[pendingClaim:] {
		if err := b.putClaim(n, binary.BigEndian.Uint32(claims), bytes.Clone(claims[4:pendingClaim])); err != nil {
			return err
		}
	}
	return nil
}

// Claims lists what sources said about an event, by kind and name of the source.
func (c *Cache) Claims(ctx context.Context, id identity.ID) ([]wire.Claim, error) {
	var claims []wire.Claim
	err := c.view(ctx, func(s *snapshot) (err error) {
		claims, err = s.claims(id)
		return err
	})
	if err != nil {
		return nil, err
	}
	return claims, nil
}

func (s *snapshot) claims(id identity.ID) (claims []wire.Claim, err error) {
	defer s.guard(&err)
	if s.tx == nil {
		return nil, nil
	}
	add := func(source, value []byte) {
		from, known := sourceOf(s.bucket("source"), source)
		if claim, ok := parseClaim(source, value); ok && known {
			claim.Source = from
			claims = append(claims, claim)
		}
	}
	if n := s.number(id); n != 0 {
		cursor := s.bucket("claim").Cursor()
		for key, value := cursor.Seek(number(n)); len(key) == 12 && bytes.HasPrefix(key, number(n)); key, value = cursor.Next() {
			add(key[8:], value)
		}
	} else if w, ok := parseWaiter(s.bucket("pend").Get(pendKey(id))); ok {
		for rest := w.claims; len(rest) >= pendingClaim; rest = rest[pendingClaim:] {
			add(rest[:4], rest[4:pendingClaim])
		}
	}
	slices.SortFunc(claims, func(a, b wire.Claim) int {
		return cmp.Or(cmp.Compare(a.Source.Kind, b.Source.Kind), cmp.Compare(a.Source.Name, b.Source.Name))
	})
	return claims, nil
}
