package cache

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"slices"

	bolt "go.etcd.io/bbolt"

	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// A waiting event stands in pend under the 43 characters of its ID, so that lists
// come in the order of IDs: since, order of arrival, type, kind, bytes of the
// text, title, claims, and the text as in the text bucket. What it misses stands
// in miss (its ID, missing ID) and in wait (missing ID, its ID).
const pendHead = 8 + 8 + 1 + 1 + 4

// waiter is a decoded record of pend; it points into the transaction.
type waiter struct {
	since  int64
	order  uint64
	typ    capsule.Type
	kind   capsule.Kind
	bytes  int
	title  []byte
	claims []byte
	text   []byte
}

func parseWaiter(b []byte) (w waiter, ok bool) {
	if len(b) < pendHead {
		return waiter{}, false
	}
	w = waiter{
		since: int64(binary.BigEndian.Uint64(b)), order: binary.BigEndian.Uint64(b[8:]),
		typ: capsule.Type(b[16]), kind: capsule.Kind(b[17]), bytes: int(binary.BigEndian.Uint32(b[18:])),
	}
	t := tail{b[pendHead:]}
	w.title, w.claims = t.text(), t.text()
	w.text = t.b
	return w, len(w.text) == textHead+w.bytes
}

func (w *waiter) encode() []byte {
	b := make([]byte, 0, pendHead+len(w.title)+len(w.claims)+len(w.text)+8)
	b = binary.BigEndian.AppendUint64(b, uint64(w.since))
	b = binary.BigEndian.AppendUint64(b, w.order)
	b = append(b, byte(w.typ), byte(w.kind))
	b = binary.BigEndian.AppendUint32(b, uint32(w.bytes))
	b = appendString(appendString(b, string(w.title)), string(w.claims))
	return append(b, w.text...)
}

func pendKey(id identity.ID) []byte { return []byte(id.String()) }

func pair(a, b identity.ID) []byte { return append(append(make([]byte, 0, 64), a[:]...), b[:]...) }

// eachPair gives the second IDs of all keys that start with first.
func eachPair(b *bolt.Bucket, first identity.ID, visit func(second identity.ID, value []byte)) {
	cursor := b.Cursor()
	for key, value := cursor.Seek(first[:]); len(key) == 64 && bytes.HasPrefix(key, first[:]); key, value = cursor.Next() {
		visit(identity.ID(key[32:]), value)
	}
}

// waiting reports whether an event waits, and for what.
func (b *batch) waiting(id identity.ID) (missing []identity.ID, waits bool, err error) {
	if b.counts.pending == 0 || b.bucket("pend").Get(pendKey(id)) == nil {
		return nil, false, nil
	}
	return missingOf(b.bucket("miss"), id), true, nil
}

func missingOf(miss *bolt.Bucket, id identity.ID) []identity.ID {
	var missing []identity.ID
	eachPair(miss, id, func(m identity.ID, _ []byte) { missing = append(missing, m) })
	return identity.SortIDs(missing)
}

// wait files an event under what it misses; pending_full where it finds no room.
func (b *batch) wait(e capsule.Event, refusal *fault.Refusal, claim wire.Claim) (wire.Outcome, error) {
	id, size := e.ID(), len(e.Envelope().Text())
	out := wire.Outcome{Status: wire.Pending, ID: id}
	for _, dependency := range capsule.Dependencies(e) {
		if b.number(dependency) == 0 {
			out.Missing = append(out.Missing, dependency)
		}
	}
	out.Missing = identity.SortIDs(out.Missing)
	if b.counts.pending >= uint64(b.limits.Pending) || int64(b.counts.pendingBytes)+int64(size) > b.limits.PendingBytes {
		out.Status = wire.Refused
		out.Refusal = &fault.Refusal{
			Step: fault.StepLimit, Code: fault.PendingFull, Detail: "no more events can wait for others", Missing: refusal.Missing,
		}
		return out, nil
	}
	b.counts.arrivals++
	row := view.EntryOf(e)
	w := waiter{
		since: b.now, order: b.counts.arrivals, typ: e.Type(), kind: row.Kind, bytes: size,
		title: []byte(cut(e.Title())), text: appendText(nil, e.Envelope()),
	}
	var err error
	if w.claims, err = b.addPendingClaim(nil, claim); err != nil {
		return out, err
	}
	if err := b.bucket("pend").Put(pendKey(id), w.encode()); err != nil {
		return out, err
	}
	miss, wait, order := b.bucket("miss"), b.bucket("wait"), number(w.order)
	for _, missing := range out.Missing {
		if err := errors.Join(miss.Put(pair(id, missing), nil), wait.Put(pair(missing, id), order)); err != nil {
			return out, err
		}
	}
	b.counts.pending++
	b.counts.pendingBytes += uint64(size)
	b.dirty = true
	return out, nil
}

// release adds what waited for id and for nothing else, and what waited for that
// in turn. dropped are those that broke a rule now that their targets are known.
func (b *batch) release(id identity.ID, terms capsule.Terms) (released []identity.ID, dropped []wire.Outcome, err error) {
	if b.counts.pending == 0 {
		return nil, nil, nil
	}
	terms.Policy = nil
	for queue := []identity.ID{id}; len(queue) > 0; queue = queue[1:] {
		ready, err := b.arrive(queue[0])
		if err != nil {
			return nil, nil, err
		}
		for _, waiterID := range ready {
			refusal, err := b.admit(waiterID, terms)
			switch {
			case err != nil:
				return nil, nil, err
			case refusal != nil:
				dropped = append(dropped, wire.Outcome{Status: wire.Refused, ID: waiterID, Refusal: refusal})
			default:
				released = append(released, waiterID)
				queue = append(queue, waiterID)
			}
		}
	}
	return released, dropped, nil
}

// arrive takes id off the lists of what is missing and gives those that miss
// nothing more, in the order in which they began to wait.
func (b *batch) arrive(id identity.ID) ([]identity.ID, error) {
	type turn struct {
		id    identity.ID
		order uint64
	}
	var waiters []turn
	miss, wait := b.bucket("miss"), b.bucket("wait")
	eachPair(wait, id, func(w identity.ID, order []byte) { waiters = append(waiters, turn{w, parseNumber(order)}) })
	slices.SortFunc(waiters, func(a, b turn) int { return cmp.Compare(a.order, b.order) })
	var ready []identity.ID
	for _, w := range waiters {
		if err := errors.Join(wait.Delete(pair(id, w.id)), miss.Delete(pair(w.id, id))); err != nil {
			return nil, err
		}
		more := false
		eachPair(miss, w.id, func(identity.ID, []byte) { more = true })
		if !more {
			ready = append(ready, w.id)
		}
	}
	return ready, nil
}

// admit moves one waiting event to the held ones, or drops it with its refusal.
func (b *batch) admit(id identity.ID, terms capsule.Terms) (*fault.Refusal, error) {
	w, ok, err := b.forget(id)
	if err != nil {
		return nil, err
	}
	event, err := capsule.Event(nil), error(damagedEvent(id, nil))
	if ok {
		event, err = reopen(w.text, id)
	}
	var n uint64
	if err == nil {
		n, _, err = capsule.Accept(b, capsule.OfferOf(event), terms)
	}
	var refusal *fault.Refusal
	switch {
	case errors.As(err, &refusal) && refusal.Step == fault.StepTarget:
		return refusal, b.arrived(id, 0)
	case errors.As(err, &refusal):
		return refusal, nil
	case isDamaged(err) && !b.torn:
		return &fault.Refusal{Step: fault.StepHash, Code: fault.DamagedCode, Detail: "it was damaged while it waited; import it again"}, nil
	case err != nil:
		return nil, err
	}
	return nil, b.keepClaims(n, w.claims)
}

// adopt takes an event that was submitted out of the pending area.
func (b *batch) adopt(id identity.ID) error {
	if _, waits, err := b.waiting(id); err != nil || !waits {
		return err
	}
	w, _, err := b.forget(id)
	if err != nil {
		return err
	}
	return b.keepClaims(b.number(id), w.claims)
}

// forget takes an event out of the pending area. The waiter is a copy; ok is
// false where its record makes no sense.
func (b *batch) forget(id identity.ID) (w waiter, ok bool, err error) {
	pend, miss, wait := b.bucket("pend"), b.bucket("miss"), b.bucket("wait")
	w, ok = parseWaiter(bytes.Clone(pend.Get(pendKey(id))))
	for _, missing := range missingOf(miss, id) {
		if err := errors.Join(miss.Delete(pair(id, missing)), wait.Delete(pair(missing, id))); err != nil {
			return waiter{}, false, err
		}
	}
	if err := pend.Delete(pendKey(id)); err != nil {
		return waiter{}, false, err
	}
	b.counts.pending -= min(b.counts.pending, 1)
	b.counts.pendingBytes -= min(b.counts.pendingBytes, uint64(w.bytes))
	b.dirty = true
	return w, ok, nil
}

// Pending lists waiting events after an ID, in ascending ASCII order.
func (c *Cache) Pending(ctx context.Context, after identity.ID, limit int) ([]view.PendingEvent, error) {
	var found []view.PendingEvent
	err := c.view(ctx, func(s *snapshot) (err error) {
		found, err = s.pending(after, limit)
		return err
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

func (s *snapshot) pending(after identity.ID, limit int) (found []view.PendingEvent, err error) {
	defer s.guard(&err)
	if s.tx == nil {
		return nil, nil
	}
	cursor := s.bucket("pend").Cursor()
	key, value := cursor.First()
	if !after.IsZero() {
		if key, value = cursor.Seek(pendKey(after)); bytes.Equal(key, pendKey(after)) {
			key, value = cursor.Next()
		}
	}
	for ; key != nil && len(found) < limit; key, value = cursor.Next() {
		id, err := identity.ParseID(string(key))
		w, ok := parseWaiter(value)
		if err != nil || !ok {
			return nil, damaged(s.path, "its waiting events are damaged", err)
		}
		found = append(found, view.PendingEvent{
			ID: id, Missing: missingOf(s.bucket("miss"), id), Type: w.typ, Title: string(w.title), Since: w.since, Bytes: w.bytes,
		})
	}
	return found, nil
}

// DropPending forgets waiting events and says how many; no ids means all.
func (c *Cache) DropPending(ctx context.Context, ids []identity.ID) (int, error) {
	if there, err := c.events.exists(); err != nil || !there {
		return 0, err
	}
	dropped := 0
	err := c.update(ctx, func(b *batch) error {
		if len(ids) == 0 {
			dropped = int(b.counts.pending)
			return b.dropAll()
		}
		for _, id := range ids {
			_, waits, err := b.waiting(id)
			if err == nil && waits {
				_, _, err = b.forget(id)
				dropped++
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return dropped, nil
}

func (b *batch) dropAll() error {
	for _, name := range []string{"pend", "miss", "wait"} {
		if err := b.tx.DeleteBucket([]byte(name)); err != nil {
			return err
		}
		if _, err := b.tx.CreateBucket([]byte(name)); err != nil {
			return err
		}
	}
	b.dirty = b.dirty || b.counts.pending > 0
	b.counts.pending, b.counts.pendingBytes = 0, 0
	return nil
}
