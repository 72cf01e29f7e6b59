package cache

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"

	bolt "go.etcd.io/bbolt"

	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
)

// Bytes of records in a pack. Texts and search texts are read one event or one
// pack at a time; rows in long scans.
const (
	textPack = 48 << 10
	rowPack  = 15 << 10
	findPack = 48 << 10
)

// batch is one write transaction. It is the capsule.Tx of acceptance. What goes
// under random keys is gathered and written in the order of the keys.
type batch struct {
	tx     *bolt.Tx
	path   string
	limits Limits
	scope  view.Scope
	now    int64
	counts counts
	dirty  bool // something is to be committed
	torn   bool // an event was stored in part: nothing may be committed

	packs
	gathered
	states  *stateReader
	sources map[string]uint32
}

// packs are the three packed buckets as a transaction writes and reads them.
type packs struct {
	text, row, find packWriter
	rows, texts     *packReader
}

// gathered is what goes under random keys at the end.
type gathered struct {
	fresh   map[identity.ID]fresh
	ids     []identity.ID // of fresh
	links   [][]byte      // keys of the in bucket
	changed map[uint64]state
	spans   table // of given
	owners  table // of seq
	// services are those whose state this batch may change, by their source.
	services map[uint32]*service
}

// fresh is what later items of a batch need of an event that it keeps.
type fresh struct {
	number uint64
	target capsule.Target
}

func (c *Cache) begin(tx *bolt.Tx) (*batch, error) {
	counts, err := loadCounts(tx, c.events.path)
	if err != nil {
		return nil, err
	}
	now := c.clock()
	bucket := func(name string) *bolt.Bucket { return tx.Bucket([]byte(name)) }
	return &batch{
		tx: tx, path: c.events.path, limits: c.limits, now: now, counts: counts,
		scope: view.Scope{Origin: c.origin, Checkpoint: counts.last, AsOf: now, Complete: true},
		packs: packs{
			text:  packWriter{bucket: bucket("text"), limit: textPack},
			row:   packWriter{bucket: bucket("row"), limit: rowPack},
			find:  packWriter{bucket: bucket("find"), limit: findPack, hinted: true},
			rows:  newPackReader(bucket("row"), false),
			texts: newPackReader(bucket("text"), false),
		},
		gathered: gathered{
			fresh: make(map[identity.ID]fresh), changed: make(map[uint64]state),
			spans: newTable(bucket("given")), owners: newTable(bucket("seq")),
			services: make(map[uint32]*service),
		},
		states:  newStateReader(bucket("state")),
		sources: make(map[string]uint32),
	}, nil
}

func (b *batch) bucket(name string) *bolt.Bucket { return b.tx.Bucket([]byte(name)) }

// number gives the local number of a held event, 0 for others.
func (b *batch) number(id identity.ID) uint64 {
	if kept, ok := b.fresh[id]; ok {
		return kept.number
	}
	return parseNumber(b.bucket("id").Get(id[:]))
}

func parseNumber(value []byte) uint64 {
	if len(value) != 8 {
		return 0
	}
	return binary.BigEndian.Uint64(value)
}

// Held reports whether an envelope with this hash is retained.
func (b *batch) Held(id identity.ID) (bool, error) { return b.number(id) != 0, nil }

// Resolve looks up a retained event, withheld ones included (8.2).
func (b *batch) Resolve(id identity.ID) (capsule.Target, bool, error) {
	if kept, ok := b.fresh[id]; ok {
		return kept.target, true, nil
	}
	n := b.number(id)
	if n == 0 {
		return capsule.Target{}, false, nil
	}
	if r := row(b.rows.record(n)); r.intact() && r.id() == id {
		return r.target(), true, nil
	}
	event, err := reopen(b.texts.record(n), id)
	if err != nil {
		return capsule.Target{}, false, err
	}
	return capsule.TargetOf(event), true, nil
}

// Keep stores the event and its index entries. One that it could not store whole
// ends the batch.
func (b *batch) Keep(e capsule.Event) (n uint64, err error) {
	n, err = b.keep(e)
	b.torn = b.torn || err != nil
	return n, err
}

func (b *batch) keep(e capsule.Event) (uint64, error) {
	n := b.counts.next()
	if err := b.text.add(n, func(dst []byte) []byte { return appendText(dst, e.Envelope()) }); err != nil {
		return 0, err
	}
	if err := b.row.add(n, func(dst []byte) []byte { return appendRow(dst, e, b.now) }); err != nil {
		return 0, err
	}
	if err := b.find.add(n, func(dst []byte) []byte { return capsule.AppendSearchText(dst, e) }); err != nil {
		return 0, err
	}
	if err := b.link(e, n); err != nil {
		return 0, err
	}
	if err := b.arrived(e.ID(), n); err != nil {
		return 0, err
	}
	b.counts.add(e, n)
	b.fresh[e.ID()] = fresh{number: n, target: capsule.TargetOf(e)}
	b.ids = append(b.ids, e.ID())
	b.dirty = true
	return n, nil
}

func (c *counts) add(e capsule.Event, n uint64) {
	c.last = n
	c.textBytes += uint64(len(e.Envelope().Text()))
	switch e.Type() {
	case capsule.Publish:
		c.publications++
	case capsule.Assess:
		c.assessments++
	case capsule.Retract:
		c.retractions++
	}
}

// link files what e points at, and what that changes about its targets. What it
// changes is what Derive says of this one event more.
func (b *batch) link(e capsule.Event, n uint64) error {
	links := capsule.Links(e)
	facts := view.IncomingOf(e, n)
	for i, l := range links {
		target := b.number(l.Target)
		b.links = append(b.links, linkKey(target, l.Relation, n))
		if e.Type() != capsule.Retract && l.Relation != capsule.Supersedes {
			continue
		}
		t, _, err := b.Resolve(l.Target)
		if err != nil {
			return err
		}
		subject := view.Subject{ID: l.Target, Actor: t.Actor, Nonce: t.Nonce}
		said := view.Derive(subject, facts[i:i+1], b.scope)
		s, err := b.state(target)
		if err != nil {
			return err
		}
		s.retracted = s.retracted || said.Lifecycle == view.Retracted
		s.successors += uint32(len(said.Successors))
		b.changed[target] = s
	}
	return nil
}

// linkKey is the key of one reverse link.
func linkKey(target uint64, relation capsule.Relation, source uint64) []byte {
	key := binary.BigEndian.AppendUint64(make([]byte, 0, linkBytes), target)
	return binary.BigEndian.AppendUint64(append(key, byte(relation)), source)
}

const linkBytes = 8 + 1 + 8

func (b *batch) state(n uint64) (state, error) {
	if s, ok := b.changed[n]; ok {
		return s, nil
	}
	s, ok := b.states.get(n)
	if !ok {
		return state{}, damaged(b.path, "its states are damaged", nil)
	}
	return s, nil
}

// flush writes everything that was gathered.
func (b *batch) flush() error {
	if err := b.settle(); err != nil {
		return err
	}
	slices.SortFunc(b.ids, func(x, y identity.ID) int { return bytes.Compare(x[:], y[:]) })
	ids := b.bucket("id")
	for _, id := range b.ids {
		if err := ids.Put(id[:], number(b.fresh[id].number)); err != nil {
			return err
		}
	}
	slices.SortFunc(b.links, bytes.Compare)
	in := b.bucket("in")
	for _, key := range b.links {
		if err := in.Put(key, nil); err != nil {
			return err
		}
	}
	ok, err := storeStates(b.bucket("state"), b.changed)
	if err != nil {
		return err
	}
	if !ok {
		return damaged(b.path, "its states are damaged", nil)
	}
	for _, s := range b.services {
		if err := s.store(); err != nil {
			return err
		}
	}
	for _, t := range []*table{&b.spans, &b.owners} {
		if ok, err := t.flush(); err != nil {
			return err
		} else if !ok {
			return damagedService(b.path)
		}
	}
	return b.tx.Bucket(metaBucket).Put(keyCounts, b.counts.encode())
}

// settle stores the packs that are being written, so that they can be changed.
func (p *packs) settle() error {
	for _, w := range []*packWriter{&p.text, &p.row, &p.find} {
		if err := w.flush(); err != nil {
			return err
		}
		w.opened = false
	}
	p.rows.at, p.texts.at = pack{}, pack{}
	return nil
}

// update runs do over a batch and commits what it changed.
func (c *Cache) update(ctx context.Context, do func(*batch) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return c.events.write(ctx, func(tx *bolt.Tx) (bool, error) {
		b, err := c.begin(tx)
		if err != nil {
			return false, err
		}
		given, err := c.reserved(b)
		if err != nil {
			return false, err
		}
		if err := do(b); err != nil || !b.dirty {
			return false, err
		}
		if err := b.flush(); err != nil {
			return false, err
		}
		return true, c.reserve(given, b)
	})
}
