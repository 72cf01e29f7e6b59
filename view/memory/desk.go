package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"sync"

	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// Desk keeps drafts, an outbox, nonces and names in memory: what is written in the
// sample, which is gone at exit. It is safe for concurrent use.
type Desk struct {
	mu      sync.Mutex
	last    uint64 // the last draft's ID
	drafts  map[uint64]desk.Draft
	signed  map[uint64]identity.ID
	entries map[identity.ID]desk.Entry
	nonces  map[identity.Actor]int64
	names   map[identity.Actor]string
	held    map[string]bool
}

// NewDesk makes an empty desk.
func NewDesk() *Desk {
	return &Desk{
		drafts: make(map[uint64]desk.Draft), signed: make(map[uint64]identity.ID), entries: make(map[identity.ID]desk.Entry),
		nonces: make(map[identity.Actor]int64), names: make(map[identity.Actor]string), held: make(map[string]bool),
	}
}

// PutDraft stores a draft; see explore.Drafts.
func (d *Desk) PutDraft(ctx context.Context, draft desk.Draft) (desk.Draft, error) {
	if err := ctx.Err(); err != nil {
		return desk.Draft{}, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if draft.ID == 0 {
		d.last++
		draft.ID = d.last
	} else if _, ok := d.drafts[draft.ID]; !ok {
		return desk.Draft{}, noDraft(draft.ID)
	}
	d.drafts[draft.ID] = draft.Clone()
	return draft, nil
}

func noDraft(id uint64) error {
	return &fault.Usage{Code: fault.NotHeldCode, Detail: "there is no draft " + strconv.FormatUint(id, 10)}
}

// Draft gives one draft; see explore.Drafts.
func (d *Desk) Draft(ctx context.Context, id uint64) (desk.Draft, error) {
	if err := ctx.Err(); err != nil {
		return desk.Draft{}, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	draft, ok := d.drafts[id]
	if !ok {
		return desk.Draft{}, noDraft(id)
	}
	return draft.Clone(), nil
}

// Drafts lists all drafts; see explore.Drafts.
func (d *Desk) Drafts(ctx context.Context) ([]desk.Draft, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	all := make([]desk.Draft, 0, len(d.drafts))
	for _, id := range slices.Sorted(maps.Keys(d.drafts)) {
		all = append(all, d.drafts[id].Clone())
	}
	return all, nil
}

// DeleteDraft removes a draft for good; see explore.Drafts.
func (d *Desk) DeleteDraft(ctx context.Context, id uint64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.drafts, id)
	return nil
}

// Hold takes a name within this process; see explore.Drafts.
func (d *Desk) Hold(ctx context.Context, name string) (release func(), holder string, err error) {
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.held[name] {
		return nil, "another part of this akx", nil
	}
	d.held[name] = true
	return sync.OnceFunc(func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.held, name)
	}), "", nil
}

// SetPetname keeps the user's name of an Agent ID; see explore.Drafts.
func (d *Desk) SetPetname(ctx context.Context, a identity.Actor, name string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if name == "" {
		delete(d.names, a)
		return nil
	}
	if err := desk.CheckNameFree(d.names, a, name); err != nil {
		return err
	}
	d.names[a] = name
	return nil
}

// Petnames lists the user's names of Agent IDs.
func (d *Desk) Petnames(ctx context.Context) (map[identity.Actor]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.names), ctx.Err()
}

// LastNonce gives the largest reserved nonce of an Agent ID; 0 for none.
func (d *Desk) LastNonce(ctx context.Context, a identity.Actor) (int64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.nonces[a], ctx.Err()
}

// ReserveNonce takes a nonce; see explore.Outbox.
func (d *Desk) ReserveNonce(ctx context.Context, a identity.Actor, nonce int64) (ok bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if nonce <= d.nonces[a] {
		return false, nil
	}
	d.nonces[a] = nonce
	return true, nil
}

// PutEntry stores a new entry in the place of its draft; see explore.Outbox.
func (d *Desk) PutEntry(ctx context.Context, e desk.Entry) (desk.Entry, error) {
	if err := ctx.Err(); err != nil {
		return desk.Entry{}, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if before, ok := d.signed[e.DraftID]; ok && e.DraftID != 0 {
		return d.entry(before)
	}
	if _, ok := d.entries[e.ID]; ok {
		return d.entry(e.ID)
	}
	d.entries[e.ID] = cloneEntry(e)
	if e.DraftID != 0 {
		d.signed[e.DraftID] = e.ID
		delete(d.drafts, e.DraftID)
	}
	return e, nil
}

// entry gives a copy of an entry; the lock is held.
func (d *Desk) entry(id identity.ID) (desk.Entry, error) {
	e, ok := d.entries[id]
	if !ok {
		return desk.Entry{}, &fault.NotHeld{ID: id.String(), Where: "the outbox"}
	}
	return cloneEntry(e), nil
}

func cloneEntry(e desk.Entry) desk.Entry {
	e.Deliveries = slices.Clone(e.Deliveries)
	for i := range e.Deliveries {
		e.Deliveries[i].Missing = slices.Clone(e.Deliveries[i].Missing)
	}
	return e
}

// Entry gives one entry; see explore.Outbox.
func (d *Desk) Entry(ctx context.Context, id identity.ID) (desk.Entry, error) {
	if err := ctx.Err(); err != nil {
		return desk.Entry{}, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.entry(id)
}

// SignedAs gives what a draft was signed as; see explore.Outbox.
func (d *Desk) SignedAs(ctx context.Context, draft uint64) (id identity.ID, ok bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	id, ok = d.signed[draft]
	return id, ok, ctx.Err()
}

// Entries lists all entries; see explore.Outbox.
func (d *Desk) Entries(ctx context.Context) ([]desk.Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	var all []desk.Entry
	for _, e := range d.entries {
		all = append(all, cloneEntry(e))
	}
	slices.SortFunc(all, func(a, b desk.Entry) int {
		return cmp.Or(cmp.Compare(a.SignedAt, b.SignedAt), a.ID.Compare(b.ID))
	})
	return all, nil
}

// ChangeEntry changes the deliveries of an entry; see explore.Outbox.
func (d *Desk) ChangeEntry(ctx context.Context, id identity.ID, change func(desk.Entry) (desk.Entry, error)) (desk.Entry, error) {
	if err := ctx.Err(); err != nil {
		return desk.Entry{}, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	before, err := d.entry(id)
	if err != nil {
		return desk.Entry{}, err
	}
	after, err := change(cloneEntry(before))
	if err != nil {
		return desk.Entry{}, err
	}
	before.Deliveries = after.Deliveries
	d.entries[id] = cloneEntry(before)
	return before, nil
}

// RemoveEntry forgets an entry; see explore.Outbox.
func (d *Desk) RemoveEntry(ctx context.Context, id identity.ID) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.entries, id)
	return nil
}
