package cache

import (
	"bytes"
	"context"
	"encoding/binary"
	"runtime"
	"slices"

	bolt "go.etcd.io/bbolt"

	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// Follow gives how far a service was followed; see explore.Follower.
func (c *Cache) Follow(ctx context.Context, origin identity.Origin) (desk.Follow, error) {
	var f desk.Follow
	err := c.view(ctx, func(s *snapshot) (err error) {
		f, err = s.follow(origin)
		return err
	})
	if err != nil {
		return desk.Follow{}, err
	}
	return f, nil
}

func (s *snapshot) follow(origin identity.Origin) (f desk.Follow, err error) {
	defer s.guard(&err)
	if s.tx == nil {
		return f, nil
	}
	key := serviceKey(s.bucket("source"), origin)
	if key == nil {
		return f, nil
	}
	f, ok := loadFollow(s.bucket("follow"), key)
	if !ok {
		return desk.Follow{}, damagedService(s.path)
	}
	return f, nil
}

// AcceptPage takes one page and the state that goes with it in one transaction; see
// explore.Follower.
func (c *Cache) AcceptPage(ctx context.Context, origin identity.Origin, items []wire.Item, next desk.Follow) ([]wire.Outcome, desk.Follow, error) {
	var outcomes []wire.Outcome
	var stored desk.Follow
	err := c.update(ctx, func(b *batch) error {
		s, err := b.service(origin)
		if err != nil {
			return err
		}
		if s.follow.Exceptions >= desk.MaxExceptions && next.Reached > s.follow.Reached {
			return &fault.Unavailable{Code: fault.Partial, What: string(origin), Detail: "too many of its records are not events here"}
		}
		if outcomes, err = s.take(ctx, origin, items); err != nil {
			return err
		}
		for i, o := range outcomes {
			if err := s.except(items[i], o); err != nil {
				return err
			}
		}
		s.advance(next)
		stored = s.follow
		return s.store()
	})
	if err != nil {
		return nil, desk.Follow{}, err
	}
	return outcomes, stored, nil
}

// AcceptAnswer takes any other answer of a service in one transaction; see
// explore.Follower.
func (c *Cache) AcceptAnswer(ctx context.Context, origin identity.Origin, items []wire.Item, faults []desk.ServiceFault) ([]wire.Outcome, error) {
	if len(faults) == 0 {
		if outcomes, ok, err := c.refuseAll(ctx, items); ok || err != nil {
			return outcomes, err
		}
	}
	var outcomes []wire.Outcome
	err := c.update(ctx, func(b *batch) error {
		s, err := b.service(origin)
		if err != nil {
			return err
		}
		if outcomes, err = s.take(ctx, origin, items); err != nil {
			return err
		}
		s.blame(faults...)
		return s.store()
	})
	if err != nil {
		return nil, err
	}
	return outcomes, nil
}

// take accepts items of the service and notes the seq of what is an event here, or
// will be one.
func (s *service) take(ctx context.Context, origin identity.Origin, items []wire.Item) ([]wire.Outcome, error) {
	from := wire.Source{Kind: wire.FromService, Name: string(origin)}
	outcomes, err := s.b.acceptAll(ctx, from, items)
	if err != nil {
		return nil, err
	}
	for i, o := range outcomes {
		if o.Status == wire.Refused || items[i].Seq == 0 {
			continue
		}
		// What waited may be held by now.
		if err := s.note(o.ID, s.b.number(o.ID), items[i].Seq); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// acceptAll takes items in their order.
func (b *batch) acceptAll(ctx context.Context, from wire.Source, items []wire.Item) ([]wire.Outcome, error) {
	outcomes := make([]wire.Outcome, len(items))
	for i := range items {
		// An import shares its cores with a screen.
		runtime.Gosched()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		claim := wire.Claim{Source: from, Seq: items[i].Seq, AcceptedAt: items[i].AcceptedAt}
		outcome, err := b.accept(items[i], claim)
		if err != nil {
			return nil, err
		}
		outcomes[i] = outcome
	}
	return outcomes, nil
}

// LastSeqs gives the largest seq values of events; see explore.Follower.
func (c *Cache) LastSeqs(ctx context.Context, origin identity.Origin, n int) ([]uint64, error) {
	var seqs []uint64
	err := c.view(ctx, func(s *snapshot) (err error) {
		seqs, err = s.lastSeqs(origin, n)
		return err
	})
	if err != nil {
		return nil, err
	}
	return seqs, nil
}

func (s *snapshot) lastSeqs(origin identity.Origin, n int) (seqs []uint64, err error) {
	defer s.guard(&err)
	if s.tx == nil {
		return nil, nil
	}
	source := serviceKey(s.bucket("source"), origin)
	if source == nil {
		return nil, nil
	}
	cursor := s.bucket("seq").Cursor()
	// A seq is a safe integer, so that no source has this block: the last one of the
	// source is before it, or the last of all where nothing is behind.
	behind, _ := cursor.Seek(blockKey(source, 1<<64-1))
	key, value := cursor.Prev()
	if behind == nil {
		key, value = cursor.Last()
	}
	for ; len(key) == 12 && bytes.HasPrefix(key, source) && len(seqs) < n; key, value = cursor.Prev() {
		places, ok := parseBlock(value, spanBytes)
		if !ok {
			return nil, damagedService(s.path)
		}
		for at := len(places) - 2 - spanBytes; at >= 0 && len(seqs) < n; at -= 2 + spanBytes {
			seqs = append(seqs, binary.BigEndian.Uint64(key[4:])<<blockShift|uint64(binary.BigEndian.Uint16(places[at:])))
		}
	}
	slices.Reverse(seqs)
	return seqs, nil
}

// Exceptions lists records that are not events here; see explore.Follower.
func (c *Cache) Exceptions(ctx context.Context, origin identity.Origin, after uint64, limit int) ([]desk.Exception, error) {
	var found []desk.Exception
	err := c.view(ctx, func(s *snapshot) (err error) {
		found, err = s.exceptions(origin, after, limit)
		return err
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

func (s *snapshot) exceptions(origin identity.Origin, after uint64, limit int) (found []desk.Exception, err error) {
	defer s.guard(&err)
	if s.tx == nil {
		return nil, nil
	}
	source := serviceKey(s.bucket("source"), origin)
	if source == nil {
		return nil, nil
	}
	cursor := s.bucket("except").Cursor()
	for key, value := cursor.Seek(exceptKey(source, after)); len(key) == 12 && bytes.HasPrefix(key, source) && len(found) < limit; key, value = cursor.Next() {
		seq := binary.BigEndian.Uint64(key[4:])
		if seq == after {
			continue
		}
		e, ok := parseException(value, seq)
		if !ok {
			return nil, damagedService(s.path)
		}
		found = append(found, e)
	}
	return found, nil
}

// Settle ends exceptions; see explore.Follower. An event that is held by now, from
// wherever it came, counts as given under the seq of its exception: what the service
// was seen to have is not said to be lacking there.
func (c *Cache) Settle(ctx context.Context, origin identity.Origin, seqs []uint64) (desk.Follow, error) {
	if there, err := c.keeps(ctx); err != nil || !there {
		return desk.Follow{}, err
	}
	var stored desk.Follow
	err := c.update(ctx, func(b *batch) error {
		s, err := b.service(origin)
		if err != nil {
			return err
		}
		for _, seq := range seqs {
			e, err := s.end(seq)
			if err != nil {
				return err
			}
			if n := b.number(e.ID); n != 0 {
				if err := s.remember(e.ID, n, seq); err != nil {
					return err
				}
			}
		}
		stored = s.follow
		return s.store()
	})
	if err != nil {
		return desk.Follow{}, err
	}
	return stored, nil
}

// keeps reports whether there is a database.
func (c *Cache) keeps(ctx context.Context) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	return c.events.exists()
}

// Forget drops what is kept of a service, damaged or not; see explore.Follower.
func (c *Cache) Forget(ctx context.Context, origin identity.Origin) error {
	if there, err := c.keeps(ctx); err != nil || !there {
		return err
	}
	return c.update(ctx, func(b *batch) error {
		source := bytes.Clone(serviceKey(b.bucket("source"), origin))
		if source == nil {
			return nil
		}
		of := func(prefix []byte) func([]byte) bool {
			return func(key []byte) bool { return bytes.HasPrefix(key, prefix) }
		}
		for _, part := range []struct {
			bucket string
			seek   []byte
			ours   func(key []byte) bool
		}{
			{"follow", stateKey(source), of(stateKey(source))},
			{"follow", faultsKey(source), of(faultsKey(source))},
			{"follow", describedKey(source), of(describedKey(source))},
			{"except", source, of(source)},
			{"given", source, of(source)},
			{"seq", source, of(source)},
		} {
			if err := b.drop(b.bucket(part.bucket), part.seek, part.ours); err != nil {
				return err
			}
		}
		return b.dropEarly(source)
	})
}

// drop deletes the keys from seek on as long as they are ours.
func (b *batch) drop(bucket *bolt.Bucket, seek []byte, ours func(key []byte) bool) error {
	var keys [][]byte
	cursor := bucket.Cursor()
	for key, _ := cursor.Seek(seek); key != nil && ours(key); key, _ = cursor.Next() {
		keys = append(keys, bytes.Clone(key))
	}
	return b.deleteKeys(bucket, keys)
}

func (b *batch) dropEarly(source []byte) error {
	var keys [][]byte
	cursor := b.bucket("early").Cursor()
	for key, _ := cursor.First(); key != nil; key, _ = cursor.Next() {
		if bytes.HasSuffix(key, source) {
			keys = append(keys, bytes.Clone(key))
		}
	}
	return b.deleteKeys(b.bucket("early"), keys)
}

func (b *batch) deleteKeys(bucket *bolt.Bucket, keys [][]byte) error {
	for _, key := range keys {
		if err := bucket.Delete(key); err != nil {
			return err
		}
		b.dirty = true
	}
	return nil
}
