package cache

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	bolt "go.etcd.io/bbolt"

	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// batchRows is how many numbers or facts a snapshot yields at a time.
const batchRows = 1024

// snapshot is one read transaction, or an empty home where tx is nil. Everything
// that it gives is copied out of the transaction. Withholding concerns what a
// service tells others, so lists show withheld events too.
type snapshot struct {
	path   string
	scope  view.Scope
	counts counts
	tx     *bolt.Tx
	rows   *packReader
	texts  *packReader
	finds  *packReader
	states *stateReader
	facts  []view.Incoming // a buffer that is not in use
	away   bool            // the caller's code runs: its panics are its own
}

func (s *snapshot) begin(tx *bolt.Tx) (err error) {
	defer s.guard(&err)
	if s.counts, err = loadCounts(tx, s.path); err != nil {
		return err
	}
	s.tx = tx
	s.scope.Checkpoint = s.counts.last
	s.rows = newPackReader(s.bucket("row"), false)
	s.texts = newPackReader(s.bucket("text"), false)
	s.finds = newPackReader(s.bucket("find"), true)
	s.states = newStateReader(s.bucket("state"))
	return nil
}

func (s *snapshot) bucket(name string) *bolt.Bucket { return s.tx.Bucket([]byte(name)) }

// guard is deferred by every method that reads pages: it turns a panic over a
// senseless page, or over a part of the file that is gone, into damage.
func (s *snapshot) guard(err *error) {
	if s.away {
		return
	}
	if r := recover(); r != nil {
		*err = pages(s.path, r)
	}
}

// look lets a method that is called while another one yields guard its own reads; back
// is called when it has ended.
func (s *snapshot) look() (back func()) {
	away := s.away
	s.away = false
	return func() { s.away = away }
}

// Scope is the whole of the store at this state.
func (s *snapshot) Scope() view.Scope { return s.scope }

// number gives the local number of a held event, 0 for others.
func (s *snapshot) number(id identity.ID) uint64 {
	if s.tx == nil {
		return 0
	}
	return parseNumber(s.bucket("id").Get(id[:]))
}

// Event gives the proven event: *fault.NotHeld, *fault.Damaged.
func (s *snapshot) Event(id identity.ID) (event capsule.Event, err error) {
	defer s.guard(&err)
	n := s.number(id)
	if n == 0 {
		return nil, &fault.NotHeld{ID: id.String(), Where: s.scope.Origin}
	}
	return reopen(s.texts.record(n), id)
}

// Find gives local numbers in the order of ids; 0 for what is not held.
func (s *snapshot) Find(ids []identity.ID) (numbers []uint64, err error) {
	defer s.guard(&err)
	numbers = make([]uint64, len(ids))
	for i, id := range ids {
		numbers[i] = s.number(id)
	}
	return numbers, nil
}

// Entries gives rows in the order of numbers. A row whose own facts or whose text
// are no longer what was stored is marked as damaged.
func (s *snapshot) Entries(numbers []uint64) (entries []view.Entry, err error) {
	defer s.guard(&err)
	entries = make([]view.Entry, len(numbers))
	for i, n := range numbers {
		if n == 0 || n > s.counts.last {
			return nil, &fault.Usage{Detail: "a row was asked for that was never there"}
		}
		entries[i] = s.entry(n)
	}
	return entries, nil
}

func (s *snapshot) entry(n uint64) view.Entry {
	r, text := row(s.rows.record(n)), s.texts.record(n)
	e := view.Entry{Number: n}
	if r.whole() {
		e = r.entry(n)
	}
	st, ok := s.states.get(n)
	if ok {
		e.Lifecycle, e.Successors = st.lifecycle(), int(st.successors)
	}
	e.Damaged = !ok || !r.intact() || !textIntact(text)
	return e
}

// row gives the row of a number, proven by its check sum or made again from the
// text. Errors are *fault.Damaged.
func (s *snapshot) row(n uint64) (row, error) {
	r := row(s.rows.record(n))
	if r.intact() {
		return r, nil
	}
	var id identity.ID
	if r.whole() {
		id = r.id()
	}
	event, err := reopen(s.texts.record(n), id)
	if err != nil {
		return nil, err
	}
	return appendRow(nil, event, s.scope.AsOf), nil
}

// Incoming yields what points at target, by relation, then by number, in batches.
func (s *snapshot) Incoming(ctx context.Context, target identity.ID, yield func([]view.Incoming) bool) (err error) {
	defer s.guard(&err)
	n := s.number(target)
	if n == 0 {
		return ctx.Err()
	}
	// Looks at many events with few links each need no new buffer; a look within a
	// look makes its own.
	facts := s.facts
	if s.facts = nil; facts == nil {
		facts = make([]view.Incoming, 0, batchRows)
	}
	defer func() { s.facts = facts[:0] }()
	hand := func() bool {
		s.away = true
		more := yield(facts)
		s.away = false
		facts = facts[:0]
		return more
	}
	err = s.eachLink(number(n), func(relation capsule.Relation, source uint64) (bool, error) {
		r, err := s.row(source)
		if err != nil {
			return false, err
		}
		st, ok := s.states.get(source)
		if !ok {
			return false, damaged(s.path, "its states are damaged", nil)
		}
		if !r.points(target, relation) {
			return false, damaged(s.path, "its links are damaged", nil)
		}
		fact := r.incoming(source, relation)
		fact.Retracted = st.retracted
		if facts = append(facts, fact); len(facts) < batchRows {
			return true, nil
		}
		if err := ctx.Err(); err != nil {
			return false, err
		}
		return hand(), nil
	})
	if err == nil {
		err = ctx.Err()
	}
	if err == nil && len(facts) > 0 {
		hand()
	}
	return err
}

// Retractions gives the held retractions of events. All links are found before a row is
// read, and rows are read in their order: each block of them once.
func (s *snapshot) Retractions(numbers []uint64) (found []view.Retraction, err error) {
	defer s.look()()
	defer s.guard(&err)
	if s.tx == nil {
		return nil, nil
	}
	cursor := s.bucket("in").Cursor()
	var prefix [9]byte // of a target and of no relation, which assessments have, too
	for _, n := range numbers {
		binary.BigEndian.PutUint64(prefix[:], n)
		for key, _ := cursor.Seek(prefix[:]); bytes.HasPrefix(key, prefix[:]); key, _ = cursor.Next() {
			if len(key) != linkBytes {
				return nil, damaged(s.path, "its links are damaged", nil)
			}
			found = append(found, view.Retraction{Number: binary.BigEndian.Uint64(key[9:]), Target: n})
		}
	}
	slices.SortFunc(found, func(a, b view.Retraction) int { return cmp.Compare(a.Number, b.Number) })
	kept := found[:0]
	for _, f := range found {
		r, err := s.row(f.Number)
		if err != nil {
			return nil, err
		}
		if r.typ() == capsule.Retract {
			kept = append(kept, f)
		}
	}
	return kept, nil
}

// eachLink visits the reverse links under a prefix of their keys.
func (s *snapshot) eachLink(prefix []byte, visit func(capsule.Relation, uint64) (bool, error)) error {
	cursor := s.bucket("in").Cursor()
	for key, _ := cursor.Seek(prefix); bytes.HasPrefix(key, prefix); key, _ = cursor.Next() {
		if len(key) != linkBytes {
			return damaged(s.path, "its links are damaged", nil)
		}
		more, err := visit(capsule.Relation(key[8]), binary.BigEndian.Uint64(key[9:]))
		if err != nil || !more {
			return err
		}
	}
	return nil
}
