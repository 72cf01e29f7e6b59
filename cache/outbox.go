package cache

import (
	"cmp"
	"context"
	"slices"

	bolt "go.etcd.io/bbolt"

	"akx/view/desk"
	"akx/view/identity"
)

// PutEntry stores a new entry in the place of its draft; see explore.Outbox.
func (d *Desk) PutEntry(ctx context.Context, e desk.Entry) (stored desk.Entry, err error) {
	err = d.write(ctx, func(tx *bolt.Tx) (bool, error) {
		if e.DraftID != 0 {
			before, ok, err := d.signedAs(tx, e.DraftID)
			if err != nil {
				return false, err
			}
			if ok {
				stored, err = d.entryOf(tx, before)
				return false, err
			}
		}
		if stored, err = d.entryOf(tx, e.ID); err == nil || !isNotHeld(err) {
			return false, err
		}
		stored = e
		return true, d.keepNew(tx, e)
	})
	if err != nil {
		return desk.Entry{}, err
	}
	return stored, nil
}

// keepNew writes an entry, and lets its draft lead to it.
func (d *Desk) keepNew(tx *bolt.Tx, e desk.Entry) error {
	text, err := e.Encode()
	if err != nil {
		return err
	}
	if err := store(tx, outboxBucket, e.ID[:], text); err != nil || e.DraftID == 0 {
		return err
	}
	if err := store(tx, signedBucket, number(e.DraftID), e.ID[:]); err != nil {
		return err
	}
	_, err = drop(tx, draftBucket, number(e.DraftID))
	return err
}

// Entry gives one entry; see explore.Outbox.
func (d *Desk) Entry(ctx context.Context, id identity.ID) (desk.Entry, error) {
	var e desk.Entry
	err := d.see(ctx, func(tx *bolt.Tx) (err error) {
		e, err = d.entryOf(tx, id)
		return err
	})
	if err == nil && e.ID.IsZero() {
		err = notInOutbox(id)
	}
	if err != nil {
		return desk.Entry{}, err
	}
	return e, nil
}

// Entries lists all entries; see explore.Outbox.
func (d *Desk) Entries(ctx context.Context) ([]desk.Entry, error) {
	var all []desk.Entry
	err := d.see(ctx, func(tx *bolt.Tx) error {
		return d.each(tx, outboxBucket, func(_, text []byte) error {
			e, err := desk.DecodeEntry(text)
			if err == nil {
				all = append(all, e)
			}
			return err
		})
	})
	if err != nil && !isDamaged(err) {
		return nil, err
	}
	slices.SortFunc(all, func(a, b desk.Entry) int {
		return cmp.Or(cmp.Compare(a.SignedAt, b.SignedAt), a.ID.Compare(b.ID))
	})
	return all, err
}

// ChangeEntry changes the deliveries of an entry; see explore.Outbox.
func (d *Desk) ChangeEntry(ctx context.Context, id identity.ID, change func(desk.Entry) (desk.Entry, error)) (desk.Entry, error) {
	var stored desk.Entry
	err := d.write(ctx, func(tx *bolt.Tx) (bool, error) {
		before, err := d.entryOf(tx, id)
		if err != nil {
			return false, err
		}
		after, err := change(before)
		if err != nil {
			return false, err
		}
		stored = before
		stored.Deliveries = after.Deliveries
		text, err := stored.Encode()
		if err != nil {
			return false, err
		}
		return true, store(tx, outboxBucket, id[:], text)
	})
	if err != nil {
		return desk.Entry{}, err
	}
	return stored, nil
}

// RemoveEntry forgets an entry; what its draft was signed as stays known.
func (d *Desk) RemoveEntry(ctx context.Context, id identity.ID) error {
	return d.write(ctx, func(tx *bolt.Tx) (bool, error) { return drop(tx, outboxBucket, id[:]) })
}
