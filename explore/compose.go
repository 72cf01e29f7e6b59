package explore

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"sync"

	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// WriterOptions of a Writer.
type WriterOptions struct {
	// ReadOnly forbids everything that changes, signs or sends.
	ReadOnly bool
	Defaults desk.Defaults
	// Limits are those that a draft is checked against; desk.DefaultLimits when zero.
	Limits desk.Limits
	// Unlocked gives the key of an Agent ID if it is unlocked, for request tokens of
	// services whose setting names it; nil: none is. The caller wipes the key.
	Unlocked func(context.Context, identity.Actor) (key identity.Key, ok bool)
	// Unread gives the file with newer words for a draft that the draft has not taken,
	// such as what an editor saved with an error in it; empty for none. With such words a
	// draft is not ready. nil: there are no such files.
	Unread func(desk.Draft) (path string, err error)
}

// Writer is the part of a conversation that writes: drafts, signatures, the outbox.
// It is safe for concurrent use. In the sample everything it makes stays there.
type Writer struct {
	s    *Session
	desk Desk
	o    WriterOptions

	signing sync.Mutex // one signature at a time
	mu      sync.Mutex
	holds   map[uint64]*heldDraft
}

// heldDraft is a draft that nobody else may write. It is guarded by the writer's lock.
type heldDraft struct {
	release func()
	users   int  // calls under way, and one while it is open
	open    bool // until CloseDraft
}

// NewWriter makes the writer of a session whose own work is kept on a desk.
func NewWriter(s *Session, d Desk, o WriterOptions) *Writer {
	if o.Limits == (desk.Limits{}) {
		o.Limits = desk.DefaultLimits
	}
	return &Writer{s: s, desk: d, o: o, holds: make(map[uint64]*heldDraft)}
}

// ReadOnly reports whether nothing may be changed, signed or sent.
func (w *Writer) ReadOnly() bool { return w.o.ReadOnly }

// Sample reports whether what is written stays in the sample.
func (w *Writer) Sample() bool { return w.s.sample }

// Close lets go of all drafts that are open here.
func (w *Writer) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, h := range w.holds {
		h.release()
		delete(w.holds, id)
	}
}

// writable refuses what --read-only forbids.
func (w *Writer) writable() error {
	if !w.o.ReadOnly {
		return nil
	}
	return &fault.Unavailable{Code: fault.ReadOnly, What: "your drafts and outbox", Detail: "nothing of your own is changed, signed or sent", Hint: "leave out --read-only"}
}

// Opened is a draft that is open.
type Opened struct {
	Draft desk.Draft
	// Holder is who else has it open; empty where nobody has. With one, the draft is
	// read-only here.
	Holder string
	// Frozen is why nobody can write it where it is, such as a disk that is read-only;
	// nil where it can be written. With it, the draft is read-only here.
	Frozen  error
	Targets []TargetFacts
}

// NewDraft starts a draft, stores it, and opens it. Errors: *fault.NotHeld for a
// target, *fault.Refusal where the rules do not allow such a target, *fault.Usage,
// also where none of the user's keys may sign it.
func (w *Writer) NewDraft(ctx context.Context, start Start) (Opened, error) {
	if err := w.writable(); err != nil {
		return Opened{}, err
	}
	d, err := w.begin(ctx, start)
	if err != nil {
		return Opened{}, err
	}
	now := w.s.now()
	d.ID, d.Created, d.Edited, d.Trashed, d.Sample = 0, now, now, 0, w.s.sample
	if d, err = w.desk.PutDraft(ctx, d); err != nil {
		return Opened{}, err
	}
	return w.OpenDraft(ctx, d.ID)
}

// OpenDraft opens a stored draft for writing here, until CloseDraft; where somebody
// else has it open, or the home cannot be written, it is read-only. Errors:
// *fault.Usage (not_held, which names the event where the draft was signed),
// *fault.Damaged.
func (w *Writer) OpenDraft(ctx context.Context, id uint64) (Opened, error) {
	var o Opened
	if !w.o.ReadOnly {
		holder, err := w.hold(ctx, id)
		switch {
		case err != nil && codeOf(err) == fault.ReadOnly:
			o.Frozen = err
		case err != nil:
			return Opened{}, err
		case holder == "":
			defer w.letGo(id)
		}
		o.Holder = holder
	}
	var err error
	if o.Draft, err = w.Draft(ctx, id); err == nil {
		o.Targets, err = w.Targets(ctx, o.Draft)
	}
	if err != nil {
		return Opened{}, err
	}
	w.keepOpen(id)
	return o, nil
}

// hold takes a draft for this writer until letGo; holder says who else has it.
func (w *Writer) hold(ctx context.Context, id uint64) (holder string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if h := w.holds[id]; h != nil {
		h.users++
		return "", nil
	}
	release, holder, err := w.desk.Hold(ctx, "draft-"+strconv.FormatUint(id, 10))
	if err != nil || release == nil {
		return holder, err
	}
	w.holds[id] = &heldDraft{release: release, users: 1}
	return "", nil
}

// letGo ends one use of a draft.
func (w *Writer) letGo(id uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.drop(id)
}

// drop ends one use of a draft; the lock is held.
func (w *Writer) drop(id uint64) {
	h := w.holds[id]
	if h == nil {
		return
	}
	if h.users--; h.users <= 0 {
		h.release()
		delete(w.holds, id)
	}
}

// keepOpen keeps a draft that this writer has until CloseDraft.
func (w *Writer) keepOpen(id uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if h := w.holds[id]; h != nil && !h.open {
		h.open = true
		h.users++
	}
}

// CloseDraft lets others write a draft; it may be closed more than once.
func (w *Writer) CloseDraft(id uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if h := w.holds[id]; h != nil && h.open {
		h.open = false
		w.drop(id)
	}
}

// holding runs do while this writer has the draft: *fault.Unavailable with the code
// locked where somebody else has it.
func (w *Writer) holding(ctx context.Context, id uint64, do func() error) error {
	if err := w.writable(); err != nil {
		return err
	}
	holder, err := w.hold(ctx, id)
	if err != nil {
		return err
	}
	if holder != "" {
		return &fault.Unavailable{Code: fault.Locked, What: "draft " + strconv.FormatUint(id, 10), Detail: "open in " + holder, Hint: "close it there", Retry: true}
	}
	defer w.letGo(id)
	return do()
}

// Draft reads one draft, without opening it; see OpenDraft.
func (w *Writer) Draft(ctx context.Context, id uint64) (desk.Draft, error) {
	d, err := w.desk.Draft(ctx, id)
	if err == nil || codeOf(err) != fault.NotHeldCode {
		return d, err
	}
	signed, ok, again := w.desk.SignedAs(ctx, id)
	if again != nil {
		return desk.Draft{}, again
	}
	if ok {
		err = &fault.Usage{Code: fault.NotHeldCode, Detail: "draft " + strconv.FormatUint(id, 10) + " was signed as " + signed.String()}
	}
	return desk.Draft{}, err
}

// SignedAs gives the event that a draft became; ok is false where it was not signed.
func (w *Writer) SignedAs(ctx context.Context, draft uint64) (id identity.ID, ok bool, err error) {
	return w.desk.SignedAs(ctx, draft)
}

// SaveDraft stores a draft as it is typed: durable when it returns. It gives the
// draft as stored.
func (w *Writer) SaveDraft(ctx context.Context, d desk.Draft) (desk.Draft, error) {
	err := w.holding(ctx, d.ID, func() (err error) {
		d.Edited, d.Sample = w.s.now(), w.s.sample
		d, err = w.desk.PutDraft(ctx, d)
		return err
	})
	if err != nil {
		return desk.Draft{}, err
	}
	return d, nil
}

// KeepFormer puts a copy of a draft into the trash where next, which is to take its
// place, has lost text of it: what a file or an editor replaces as a whole can be had
// again. It gives the number of the copy; 0 where nothing is lost.
func (w *Writer) KeepFormer(ctx context.Context, former, next desk.Draft) (uint64, error) {
	if !former.Loses(&next) {
		return 0, nil
	}
	if err := w.writable(); err != nil {
		return 0, err
	}
	former = former.Clone()
	former.ID, former.Trashed, former.Sample = 0, w.s.now(), w.s.sample
	kept, err := w.desk.PutDraft(ctx, former)
	return kept.ID, err
}

// Drafts lists what is being written, last edited first. A *fault.Damaged comes
// beside those that can be read.
func (w *Writer) Drafts(ctx context.Context) ([]desk.Draft, error) {
	return w.listDrafts(ctx, false)
}

// Trash lists discarded drafts, last edited first; see Drafts.
func (w *Writer) Trash(ctx context.Context) ([]desk.Draft, error) { return w.listDrafts(ctx, true) }

func (w *Writer) listDrafts(ctx context.Context, trashed bool) ([]desk.Draft, error) {
	all, err := w.desk.Drafts(ctx)
	all = slices.DeleteFunc(all, func(d desk.Draft) bool { return (d.Trashed != 0) != trashed })
	slices.SortStableFunc(all, func(a, b desk.Draft) int { return int(min(max(b.Edited-a.Edited, -1), 1)) })
	return all, err
}

// Discard puts a draft into the trash.
func (w *Writer) Discard(ctx context.Context, id uint64) error {
	return w.setTrashed(ctx, id, w.s.now())
}

// Restore takes a draft out of the trash.
func (w *Writer) Restore(ctx context.Context, id uint64) error { return w.setTrashed(ctx, id, 0) }

func (w *Writer) setTrashed(ctx context.Context, id uint64, at int64) error {
	return w.holding(ctx, id, func() error {
		d, err := w.Draft(ctx, id)
		if err != nil {
			return err
		}
		d.Trashed = at
		_, err = w.desk.PutDraft(ctx, d)
		return err
	})
}

// DeleteDraft removes a draft for good.
func (w *Writer) DeleteDraft(ctx context.Context, id uint64) error {
	return w.holding(ctx, id, func() error { return w.desk.DeleteDraft(ctx, id) })
}

// Petnames lists the user's own names of Agent IDs.
func (w *Writer) Petnames(ctx context.Context) (map[identity.Actor]string, error) {
	names, err := w.desk.Petnames(ctx)
	return maps.Clone(names), err
}
