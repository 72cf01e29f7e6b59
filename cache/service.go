package cache

import (
	"bytes"
	"encoding/binary"
	"slices"

	bolt "go.etcd.io/bbolt"

	"akx/view"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// What one service gave stands under the number of its source, 4 bytes:
//
//	follow   's', source -> state; 'f', source -> faults (servicecode.go)
//	except   source | seq -> a record that is not an event here
//	given    source | blocks of local numbers: smallest seq, last seq
//	seq      source | blocks of seq values: the first half of the first ID
//	early    ID | source -> as in given, sealed: of an event that is not held yet
//
// given and seq grow with the events of the service, 18 bytes in each.

// spanBytes is the width of the values of given and of seq.
const spanBytes = 16

// span is the smallest seq under which a service gave an event, and the last.
type span struct{ first, last uint64 }

func (s span) encode() []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(make([]byte, 0, spanBytes), s.first), s.last)
}

func parseSpan(value []byte) (s span, known bool) {
	if len(value) != spanBytes {
		return span{}, false
	}
	return span{binary.BigEndian.Uint64(value), binary.BigEndian.Uint64(value[8:])}, true
}

func sourceKey(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }

// serviceKey gives the number of a service's source; nil for one that is not known.
func serviceKey(sources *bolt.Bucket, origin identity.Origin) []byte {
	key := sources.Get([]byte("n" + string(rune(wire.FromService)) + string(origin)))
	if len(key) != 4 {
		return nil
	}
	return key
}

// table is a bucket of blocks by source, as a batch reads and changes it.
type table struct {
	bucket  *bolt.Bucket
	readers map[uint32]*blockReader
	changed map[uint32]map[uint64][]byte
}

func newTable(b *bolt.Bucket) table {
	return table{bucket: b, readers: make(map[uint32]*blockReader), changed: make(map[uint32]map[uint64][]byte)}
}

func (t *table) get(source uint32, n uint64) (value []byte, ok bool) {
	if value := t.changed[source][n]; value != nil {
		return value, true
	}
	r := t.readers[source]
	if r == nil {
		r = &blockReader{bucket: t.bucket, prefix: sourceKey(source), width: spanBytes}
		t.readers[source] = r
	}
	return r.get(n)
}

func (t *table) put(source uint32, n uint64, value []byte) {
	if t.changed[source] == nil {
		t.changed[source] = make(map[uint64][]byte)
	}
	t.changed[source][n] = value
}

// flush stores what was changed; ok is false where what is stored is damaged.
func (t *table) flush() (ok bool, err error) {
	for source, changed := range t.changed {
		if ok, err := storeBlocks(t.bucket, sourceKey(source), spanBytes, changed); err != nil || !ok {
			return ok, err
		}
	}
	return true, nil
}

// service is one service as a batch changes what it gave.
type service struct {
	b      *batch
	source uint32
	key    []byte
	follow desk.Follow
	stored []byte // its state as it is stored
	blamed bool   // there are new faults
}

func (b *batch) service(origin identity.Origin) (*service, error) {
	n, err := b.source(wire.Source{Kind: wire.FromService, Name: string(origin)})
	if err != nil {
		return nil, err
	}
	s := b.serviceOf(n)
	if s == nil {
		return nil, damagedService(b.path)
	}
	return s, nil
}

// serviceOf gives the service of a source; nil where its state is damaged.
func (b *batch) serviceOf(source uint32) *service {
	if s := b.services[source]; s != nil {
		return s
	}
	s := &service{b: b, source: source, key: sourceKey(source)}
	bucket := b.bucket("follow")
	s.stored = bytes.Clone(bucket.Get(stateKey(s.key)))
	var ok bool
	if s.follow, ok = loadFollow(bucket, s.key); !ok {
		return nil
	}
	b.services[source] = s
	return s
}

// note keeps under which seq the service gave a proven event, and blames it where
// that contradicts what it said before (8.3). n is 0 for an event that waits.
func (s *service) note(id identity.ID, n, seq uint64) error {
	owner, err := s.own(id, seq)
	if err != nil {
		return err
	}
	if !owner {
		s.blame(desk.ServiceFault{Kind: desk.SeqShared, At: s.b.now, ID: id, Before: seq, Now: seq})
	}
	at, known, err := s.span(id, n)
	if err != nil {
		return err
	}
	if !known {
		at.first = seq
	} else if seq < at.last {
		s.blame(desk.ServiceFault{Kind: desk.SeqBack, At: s.b.now, ID: id, Before: at.last, Now: seq})
	}
	if next := (span{first: min(at.first, seq), last: seq}); !known || next != at {
		return s.putSpan(id, n, next)
	}
	return nil
}

// remember keeps that the service gave a held event under seq, as far as that is not
// known, without a judgement.
func (s *service) remember(id identity.ID, n, seq uint64) error {
	if _, err := s.own(id, seq); err != nil {
		return err
	}
	at, known, err := s.span(id, n)
	if err != nil || known && at.first <= seq {
		return err
	}
	if !known {
		at.last = seq
	}
	at.first = seq
	return s.putSpan(id, n, at)
}

// own reports whether seq stands for id, and for nothing before it.
func (s *service) own(id identity.ID, seq uint64) (bool, error) {
	tag := id[:spanBytes]
	owner, ok := s.b.owners.get(s.source, seq)
	if !ok {
		return false, damagedService(s.b.path)
	}
	if owner != nil {
		return bytes.Equal(owner, tag), nil
	}
	s.b.owners.put(s.source, seq, bytes.Clone(tag))
	s.b.dirty = true
	return true, nil
}

func (s *service) span(id identity.ID, n uint64) (at span, known bool, err error) {
	var value []byte
	ok := true
	if n != 0 {
		value, ok = s.b.spans.get(s.source, n)
	} else if value = s.b.bucket("early").Get(earlyKey(id, s.key)); value != nil {
		value, ok = unseal(value)
	}
	at, known = parseSpan(value)
	if !ok || value != nil && !known {
		return span{}, false, damagedService(s.b.path)
	}
	return at, known, nil
}

func (s *service) putSpan(id identity.ID, n uint64, at span) error {
	s.b.dirty = true
	if n == 0 {
		return s.b.bucket("early").Put(earlyKey(id, s.key), seal(at.encode()))
	}
	s.b.spans.put(s.source, n, at.encode())
	return nil
}

func earlyKey(id identity.ID, source []byte) []byte {
	return append(append(make([]byte, 0, len(id)+len(source)), id[:]...), source...)
}

// eachEarly visits the services that gave an event before it was held.
func eachEarly(b *bolt.Bucket, id identity.ID, visit func(source, value []byte)) {
	cursor := b.Cursor()
	for key, value := cursor.Seek(id[:]); len(key) == len(id)+4 && bytes.HasPrefix(key, id[:]); key, value = cursor.Next() {
		visit(key[len(id):], value)
	}
}

// arrived moves what services said of an event to its number, or forgets it where
// the number is 0: an event that breaks a rule is never held. One that is held from
// now on is an exception of none of them any more.
func (b *batch) arrived(id identity.ID, n uint64) error {
	early := b.bucket("early")
	type word struct {
		source uint32
		at     span
	}
	var words []word
	var keys [][]byte
	intact := true
	eachEarly(early, id, func(source, value []byte) {
		rest, ok := unseal(value)
		at, known := parseSpan(rest)
		intact = intact && ok && known
		words = append(words, word{binary.BigEndian.Uint32(source), at})
		keys = append(keys, earlyKey(id, source))
	})
	if !intact {
		return damagedService(b.path)
	}
	for _, w := range words {
		if n == 0 {
			break
		}
		b.spans.put(w.source, n, w.at.encode())
		// A damaged state of a service is told where it is read: it stops no event.
		if s := b.serviceOf(w.source); s != nil {
			if err := s.endAll(id, w.at); err != nil {
				return err
			}
		}
	}
	return b.deleteKeys(early, keys)
}

// blame keeps the faults that are new, the newest of them when there are many.
func (s *service) blame(faults ...desk.ServiceFault) {
	all := s.follow.Faults
	for _, f := range faults {
		known := slices.ContainsFunc(all, func(k desk.ServiceFault) bool {
			return k.Kind == f.Kind && k.ID == f.ID && k.Before == f.Before && k.Now == f.Now
		})
		if !known {
			all = append(all, f)
			s.blamed = true
		}
	}
	s.follow.Faults = slices.Clone(all[max(0, len(all)-desk.MaxFaults):])
}

// except makes or ends the exception of a seq by what became of its record.
func (s *service) except(item wire.Item, o wire.Outcome) error {
	seq, n := item.Seq, s.b.number(o.ID)
	if seq == 0 {
		return nil
	}
	// What waited may be held by now.
	if o.Status == wire.Added || o.Status == wire.Held || n != 0 {
		_, err := s.end(seq)
		return err
	}
	bucket, key := s.b.bucket("except"), exceptKey(s.key, seq)
	stored := bucket.Get(key)
	e, ok := parseException(stored, seq)
	switch {
	case stored == nil:
		e = desk.Exception{Since: s.b.now}
		s.follow.Exceptions++
	case !ok:
		return damagedService(s.b.path)
	}
	e.Seq, e.ID, e.Claimed, e.Tries = seq, o.ID, item.Claimed, e.Tries+1
	e.Code, e.Detail = fault.MissingDependency, ""
	if o.Status == wire.Refused && o.Refusal != nil {
		e.Code, e.Detail = o.Refusal.Code, o.Refusal.Detail
	}
	s.b.dirty = true
	if err := bucket.Put(key, encodeException(e)); err != nil || e.ID.IsZero() || o.Status != wire.Refused {
		return err
	}
	// Once it arrives, from wherever, the service gave it under this seq.
	return s.remember(e.ID, 0, seq)
}

// end forgets the exception of a seq, and gives what it was: zero for none.
func (s *service) end(seq uint64) (e desk.Exception, err error) {
	if s.follow.Exceptions == 0 {
		return e, nil
	}
	bucket, key := s.b.bucket("except"), exceptKey(s.key, seq)
	stored := bucket.Get(key)
	if stored == nil {
		return e, nil
	}
	e, ok := parseException(stored, seq)
	if !ok {
		return e, damagedService(s.b.path)
	}
	s.follow.Exceptions--
	s.b.dirty = true
	return e, bucket.Delete(key)
}

// endAll forgets the exceptions of an event, which a service gave within at.
func (s *service) endAll(id identity.ID, at span) error {
	if s.follow.Exceptions == 0 {
		return nil
	}
	var ended []uint64
	cursor := s.b.bucket("except").Cursor()
	last := exceptKey(s.key, at.last)
	for key, value := cursor.Seek(exceptKey(s.key, at.first)); len(key) == len(last) && bytes.Compare(key, last) <= 0; key, value = cursor.Next() {
		seq := binary.BigEndian.Uint64(key[len(s.key):])
		if e, ok := parseException(value, seq); ok && e.ID == id {
			ended = append(ended, seq)
		}
	}
	for _, seq := range ended {
		if _, err := s.end(seq); err != nil {
			return err
		}
	}
	return nil
}

// advance takes over a state, of which the checkpoint and what is reached never move
// back.
func (s *service) advance(next desk.Follow) {
	old := s.follow
	// A time that is still to come is no word of another writer: the clock was mended.
	earlier := next.AsOf < old.AsOf && !view.Ahead(old.AsOf, s.b.now)
	behind := !next.Complete || next.Checkpoint < old.Checkpoint || next.Checkpoint == old.Checkpoint && earlier
	if old.Complete && behind {
		next.Checkpoint, next.AsOf, next.Complete, next.ClockBack = old.Checkpoint, old.AsOf, true, old.ClockBack || next.ClockBack
	}
	next.Reached = max(next.Reached, old.Reached)
	next.Trouble.Detail = cutTo(next.Trouble.Detail, maxDetail)
	faults := next.Faults
	next.Faults, next.Exceptions = old.Faults, old.Exceptions
	s.follow = next
	s.blame(faults...)
}

// store keeps the state where it is another than the stored one.
func (s *service) store() error {
	bucket := s.b.bucket("follow")
	if value := encodeFollow(s.follow); !bytes.Equal(value, s.stored) {
		s.b.dirty = true
		s.stored = value
		if err := bucket.Put(stateKey(s.key), value); err != nil {
			return err
		}
	}
	if !s.blamed {
		return nil
	}
	s.b.dirty, s.blamed = true, false
	return bucket.Put(faultsKey(s.key), encodeFaults(s.follow.Faults))
}
