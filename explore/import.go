package explore

import (
	"context"
	"io"

	"akx/view"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// Progress is how far an import or a verification has come. Each object counts
// once, by what it is now: one that waited and was released in the same import is
// Added, one that came twice is Added and Held.
//
// A verification counts as Pending the good objects with an unknown target, and as
// Added the other good ones; it stores nothing. Its Bytes count both passes.
type Progress struct {
	Bytes                         int64
	Objects                       int
	Added, Held, Pending, Refused int
	// Waited counts the objects of events that were pending already, from before or
	// from an earlier object of the same input.
	Waited int
	// Released and Dropped count events that waited since before this import: those
	// that were added with what it brought, and those that broke a rule with it. The
	// dropped are told as refusals too, without a place in the file.
	Released, Dropped int
}

// Refused is one object that was refused, with its place in the file.
type Refused struct {
	Where   string
	ID      identity.ID // zero where unknown
	Claimed identity.ID // what a record with a failed proof calls itself; nothing proves it
	Refusal *fault.Refusal
}

// Imported is what an import did.
type Imported struct {
	Progress
	// Waiting lists up to MaxListed of the Waits events of the input that wait now, with
	// what they miss; Refusals up to MaxListed refusals. The counts are complete.
	Waiting  []view.PendingEvent
	Waits    int
	Refusals []Refused
}

// MaxListed bounds the lists of Imported; ImportOptions.Refused gets every refusal.
const MaxListed = 1000

// ImportOptions of one import.
type ImportOptions struct {
	Source   wire.Source
	MaxBytes int            // of one envelope; 0 means the default
	Batch    int            // events a transaction; 0 means the default
	Progress func(Progress) // called often, from one goroutine; may be nil
	Refused  func(Refused)  // called for every refusal, in order; may be nil
}

// Bounds of one transaction.
const (
	DefaultBatch = 5000
	batchBytes   = 3 << 19
)

// Import splits r, proves each object on all cores and stores what is proven. A
// refused or torn object never stops the others. Memory does not grow with r.
//
// An error of r, of the library or of ctx ends the import: what was committed
// before stays, and Imported counts it.
func Import(ctx context.Context, lib Library, r io.Reader, o ImportOptions) (Imported, error) {
	if o.Batch <= 0 {
		o.Batch = DefaultBatch
	}
	m := &importer{lib: lib, o: o, waiting: make(map[identity.ID]*waitingObjects)}
	broken := proveAll(ctx, r, o.MaxBytes, func(c *chunk) error { return m.take(ctx, c) })
	// What was read whole before r broke is kept; after a cancellation nothing more is.
	if broken == nil || ctx.Err() == nil && m.failed == nil {
		if err := m.flush(ctx); broken == nil {
			broken = err
		}
	}
	if broken == nil {
		broken = m.listWaiting(ctx)
	}
	m.tell()
	return m.out, broken
}

// importer gathers proven items into transactions and counts what became of them.
type importer struct {
	lib    Library
	o      ImportOptions
	out    Imported
	batch  []wire.Item
	bytes  int
	failed error // the library's
	// waiting are the pending events of this import by ID.
	waiting map[identity.ID]*waitingObjects
}

// waitingObjects are the objects of the input that hold one pending event.
type waitingObjects struct {
	where string // of the first
	count int
	fresh bool // the first made it wait: it counts as Pending, and further ones as Waited
}

func (m *importer) take(ctx context.Context, c *chunk) error {
	m.out.Bytes = c.read
	for _, item := range c.items {
		m.batch = append(m.batch, item)
		m.bytes += len(item.Offer.Envelope().Text())
		if len(m.batch) >= m.o.Batch || m.bytes >= batchBytes {
			if err := m.flush(ctx); err != nil {
				return err
			}
		}
	}
	m.tell()
	return nil
}

func (m *importer) tell() {
	if m.o.Progress != nil {
		m.o.Progress(m.out.Progress)
	}
}

// flush stores the batch in one transaction.
func (m *importer) flush(ctx context.Context) error {
	if len(m.batch) == 0 {
		return ctx.Err()
	}
	outcomes, err := m.lib.Accept(ctx, m.o.Source, m.batch)
	if err != nil {
		m.failed = err
		return err
	}
	for i := range outcomes {
		m.count(m.batch[i], &outcomes[i])
	}
	clear(m.batch)
	m.batch, m.bytes = m.batch[:0], 0
	m.tell()
	return nil
}

func (m *importer) count(item wire.Item, o *wire.Outcome) {
	m.out.Objects++
	switch o.Status {
	case wire.Added:
		m.out.Added++
	case wire.Held:
		m.out.Held++
	case wire.Pending:
		w := m.waiting[o.ID]
		if w == nil {
			w = &waitingObjects{where: item.Where, fresh: !o.Waited}
			m.waiting[o.ID] = w
		}
		m.weigh(w, -1)
		w.count++
		m.weigh(w, 1)
	default:
		m.refuse(Refused{Where: item.Where, ID: o.ID, Claimed: item.Claimed, Refusal: o.Refusal}, 1)
	}
	for _, id := range o.Released {
		m.released(id)
	}
	for _, d := range o.Dropped {
		m.dropped(d)
	}
}

// weigh adds the objects of an event that waits to the counts, or takes them out.
func (m *importer) weigh(w *waitingObjects, sign int) {
	again := w.count
	if w.fresh && w.count > 0 {
		m.out.Pending += sign
		again--
	}
	m.out.Waited += sign * again
}

// released counts an event that waits no more: the first object of the input that
// held it is added, further ones are held.
func (m *importer) released(id identity.ID) {
	w := m.waiting[id]
	if w == nil {
		m.out.Released++
		return
	}
	delete(m.waiting, id)
	m.weigh(w, -1)
	m.out.Added++
	m.out.Held += w.count - 1
}

func (m *importer) dropped(d wire.Outcome) {
	w := m.waiting[d.ID]
	if w == nil {
		m.out.Dropped++
		m.refuse(Refused{ID: d.ID, Refusal: d.Refusal}, 0)
		return
	}
	delete(m.waiting, d.ID)
	m.weigh(w, -1)
	m.refuse(Refused{Where: w.where, ID: d.ID, Refusal: d.Refusal}, w.count)
}

// refuse tells one refusal, which stands for so many objects of the input.
func (m *importer) refuse(r Refused, objects int) {
	m.out.Refused += objects
	if len(m.out.Refusals) < MaxListed {
		m.out.Refusals = append(m.out.Refusals, r)
	}
	if m.o.Refused != nil {
		m.o.Refused(r)
	}
}

// listWaiting reads what the events of this import that still wait miss now.
func (m *importer) listWaiting(ctx context.Context) error {
	var after identity.ID
	left := len(m.waiting)
	m.out.Waits = left
	for left > 0 && len(m.out.Waiting) < MaxListed {
		page, err := m.lib.Pending(ctx, after, MaxListed)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			return nil
		}
		for _, p := range page {
			after = p.ID
			if m.waiting[p.ID] != nil && len(m.out.Waiting) < MaxListed {
				m.out.Waiting = append(m.out.Waiting, p)
				left--
			}
		}
	}
	return nil
}
