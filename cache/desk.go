package cache

import (
	"context"
	"encoding/binary"
	"errors"
	"strconv"
	"unicode/utf8"

	bolt "go.etcd.io/bbolt"

	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// Buckets of own.db for the user's own writing; each is made when it is first
// written to. Values carry a check sum.
//
//	draft   ID (8 bytes) -> desk.Draft.Encode; its sequence gives the IDs
//	signed  ID of a draft -> event ID
//	outbox  event ID (32 bytes) -> desk.Entry.Encode
//	nonce   Agent ID (32 bytes) -> the largest nonce that was reserved
//	petname Agent ID -> the user's name of it
const (
	draftBucket   = "draft"
	signedBucket  = "signed"
	outboxBucket  = "outbox"
	nonceBucket   = "nonce"
	petnameBucket = "petname"
)

// maxStored bounds one draft as it is stored, in bytes.
const maxStored = 16 << 20

const hintOwn = "run 'akx doctor'; keep a copy of the file before you change anything"

// Desk is where the user's own work of a home is kept, in own.db. It implements
// explore.Desk. Every change is on the disk when its call returns.
type Desk struct {
	own  *file
	home string
}

// Desk gives the desk of the home.
func (c *Cache) Desk() *Desk { return &Desk{own: c.own, home: c.home} }

// see runs do over a read transaction; a home without own.db has nothing to see.
func (d *Desk) see(ctx context.Context, do func(tx *bolt.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	there, err := d.own.exists()
	if err != nil || !there {
		return err
	}
	return d.own.read(ctx, func(tx *bolt.Tx) (err error) {
		s := &snapshot{path: d.own.path, tx: tx}
		defer s.guard(&err)
		return do(tx)
	})
}

// write runs do over the write transaction.
func (d *Desk) write(ctx context.Context, do func(tx *bolt.Tx) (changed bool, err error)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return d.own.write(ctx, do)
}

// fetch reads a value of a bucket that may not be there yet; nil for none.
func (d *Desk) fetch(tx *bolt.Tx, bucket string, key []byte) ([]byte, error) {
	b := tx.Bucket([]byte(bucket))
	if b == nil {
		return nil, nil
	}
	value := b.Get(key)
	if value == nil {
		return nil, nil
	}
	rest, ok := unseal(value)
	if !ok {
		return nil, d.damaged(bucket)
	}
	return rest, nil
}

func (d *Desk) damaged(bucket string) error {
	return &fault.Damaged{What: d.own.path, Detail: "what it keeps of your own work (" + bucket + ") is damaged", Hint: hintOwn}
}

// store writes a value.
func store(tx *bolt.Tx, bucket string, key, value []byte) error {
	b, err := tx.CreateBucketIfNotExists([]byte(bucket))
	if err != nil {
		return err
	}
	return b.Put(key, seal(value))
}

// drop removes a key and says whether it was there.
func drop(tx *bolt.Tx, bucket string, key []byte) (bool, error) {
	b := tx.Bucket([]byte(bucket))
	if b == nil || b.Get(key) == nil {
		return false, nil
	}
	return true, b.Delete(key)
}

// damagedItem is damaged for one value of a bucket, by the name that its user knows.
func (d *Desk) damagedItem(bucket string, key []byte) *fault.Damaged {
	what, hint := "what it keeps of your own work ("+bucket+")", hintOwn
	switch {
	case bucket == draftBucket && len(key) == 8:
		n := strconv.FormatUint(binary.BigEndian.Uint64(key), 10)
		what, hint = "draft "+n, "'akx draft delete "+n+"' forgets it; the others are whole"
	case bucket == outboxBucket && len(key) == len(identity.ID{}):
		id := identity.ID(key).String()
		what, hint = "the outbox entry of "+id, "the event is in the library too: 'akx submit id:"+id+"' sends it from there"
	case bucket == petnameBucket && len(key) == len(identity.Actor{}):
		what, hint = "your name of "+identity.Actor(key).String(), "give it its name again"
	}
	return &fault.Damaged{What: d.own.path, Detail: what + " is damaged", Hint: hint}
}

// each reads all values of a bucket by key; what is damaged is left out, and the error
// joins a *fault.Damaged for each.
func (d *Desk) each(tx *bolt.Tx, bucket string, take func(key, value []byte) error) error {
	b := tx.Bucket([]byte(bucket))
	if b == nil {
		return nil
	}
	var damage error
	cursor := b.Cursor()
	for key, value := cursor.First(); key != nil; key, value = cursor.Next() {
		rest, ok := unseal(value)
		if !ok {
			damage = errors.Join(damage, d.damagedItem(bucket, key))
			continue
		}
		var broken *fault.Damaged
		if err := take(key, rest); errors.As(err, &broken) && broken.FaultCode() == fault.DamagedCode {
			damage = errors.Join(damage, d.damagedItem(bucket, key))
		} else if err != nil {
			damage = errors.Join(damage, err)
		}
	}
	return damage
}

// PutDraft stores a draft; see explore.Drafts.
func (d *Desk) PutDraft(ctx context.Context, draft desk.Draft) (desk.Draft, error) {
	err := d.write(ctx, func(tx *bolt.Tx) (bool, error) {
		b, err := tx.CreateBucketIfNotExists([]byte(draftBucket))
		if err != nil {
			return false, err
		}
		if draft.ID == 0 {
			if draft.ID, err = b.NextSequence(); err != nil {
				return false, err
			}
		} else if b.Get(number(draft.ID)) == nil {
			return false, noDraft(draft.ID)
		}
		text, err := draft.Encode()
		if err != nil {
			return false, err
		}
		if len(text) > maxStored {
			return false, &fault.Usage{Detail: "the draft is larger than 16 MiB; what was stored last is kept"}
		}
		return true, store(tx, draftBucket, number(draft.ID), text)
	})
	if err != nil {
		return desk.Draft{}, err
	}
	return draft, nil
}

func noDraft(id uint64) error {
	return &fault.Usage{Code: fault.NotHeldCode, Detail: "there is no draft " + strconv.FormatUint(id, 10), Hint: "'akx draft list' shows those that there are"}
}

// Draft gives one draft; see explore.Drafts.
func (d *Desk) Draft(ctx context.Context, id uint64) (draft desk.Draft, err error) {
	err = d.see(ctx, func(tx *bolt.Tx) error {
		text, err := d.fetch(tx, draftBucket, number(id))
		if err != nil || text == nil {
			return err
		}
		draft, err = desk.DecodeDraft(text)
		return err
	})
	if err == nil && draft.ID != id {
		err = noDraft(id)
	}
	if err != nil {
		return desk.Draft{}, err
	}
	return draft, nil
}

// Drafts lists all drafts; see explore.Drafts.
func (d *Desk) Drafts(ctx context.Context) ([]desk.Draft, error) {
	var all []desk.Draft
	err := d.see(ctx, func(tx *bolt.Tx) error {
		return d.each(tx, draftBucket, func(_, text []byte) error {
			draft, err := desk.DecodeDraft(text)
			if err == nil {
				all = append(all, draft)
			}
			return err
		})
	})
	if err != nil && !isDamaged(err) {
		return nil, err
	}
	return all, err
}

// DeleteDraft removes a draft for good; see explore.Drafts.
func (d *Desk) DeleteDraft(ctx context.Context, id uint64) error {
	return d.write(ctx, func(tx *bolt.Tx) (bool, error) { return drop(tx, draftBucket, number(id)) })
}

// SetPetname keeps the user's name of an Agent ID; see explore.Drafts.
func (d *Desk) SetPetname(ctx context.Context, a identity.Actor, name string) error {
	return d.write(ctx, func(tx *bolt.Tx) (bool, error) {
		if name == "" {
			return drop(tx, petnameBucket, a[:])
		}
		names, err := d.petnames(tx)
		if err == nil || isDamaged(err) { // what cannot be read is nobody's name
			err = desk.CheckNameFree(names, a, name)
		}
		if err != nil {
			return false, err
		}
		return true, store(tx, petnameBucket, a[:], []byte(name))
	})
}

// Petnames lists the user's names of Agent IDs. A *fault.Damaged comes beside those that
// can be read.
func (d *Desk) Petnames(ctx context.Context) (map[identity.Actor]string, error) {
	names := make(map[identity.Actor]string)
	err := d.see(ctx, func(tx *bolt.Tx) (err error) {
		names, err = d.petnames(tx)
		return err
	})
	if err != nil && !isDamaged(err) {
		return nil, err
	}
	return names, err
}

func (d *Desk) petnames(tx *bolt.Tx) (map[identity.Actor]string, error) {
	names := make(map[identity.Actor]string)
	err := d.each(tx, petnameBucket, func(key, name []byte) error {
		if len(key) != len(identity.Actor{}) || !utf8.Valid(name) {
			return d.damaged(petnameBucket)
		}
		names[identity.Actor(key)] = string(name)
		return nil
	})
	return names, err
}

// LastNonce gives the largest reserved nonce of an Agent ID; 0 for none.
func (d *Desk) LastNonce(ctx context.Context, a identity.Actor) (last int64, err error) {
	err = d.see(ctx, func(tx *bolt.Tx) error {
		last, err = d.nonce(tx, a)
		return err
	})
	return last, err
}

func (d *Desk) nonce(tx *bolt.Tx, a identity.Actor) (int64, error) {
	value, err := d.fetch(tx, nonceBucket, a[:])
	if err != nil || value == nil {
		return 0, err
	}
	if len(value) != 8 {
		return 0, d.damaged(nonceBucket)
	}
	return int64(binary.BigEndian.Uint64(value)), nil
}

// ReserveNonce takes a nonce; see explore.Outbox.
func (d *Desk) ReserveNonce(ctx context.Context, a identity.Actor, nonce int64) (ok bool, err error) {
	err = d.write(ctx, func(tx *bolt.Tx) (bool, error) {
		last, err := d.nonce(tx, a)
		if err != nil || nonce <= last {
			return false, err
		}
		ok = true
		return true, store(tx, nonceBucket, a[:], number(uint64(nonce)))
	})
	return ok && err == nil, err
}

// SignedAs gives what a draft was signed as; see explore.Outbox.
func (d *Desk) SignedAs(ctx context.Context, draft uint64) (id identity.ID, ok bool, err error) {
	err = d.see(ctx, func(tx *bolt.Tx) error {
		id, ok, err = d.signedAs(tx, draft)
		return err
	})
	return id, ok, err
}

func (d *Desk) signedAs(tx *bolt.Tx, draft uint64) (id identity.ID, ok bool, err error) {
	value, err := d.fetch(tx, signedBucket, number(draft))
	if err != nil || value == nil {
		return identity.ID{}, false, err
	}
	if len(value) != len(id) {
		return identity.ID{}, false, d.damaged(signedBucket)
	}
	return identity.ID(value), true, nil
}

// entryOf reads an entry: *fault.NotHeld, *fault.Damaged.
func (d *Desk) entryOf(tx *bolt.Tx, id identity.ID) (desk.Entry, error) {
	text, err := d.fetch(tx, outboxBucket, id[:])
	if err != nil {
		return desk.Entry{}, err
	}
	if text == nil {
		return desk.Entry{}, notInOutbox(id)
	}
	return desk.DecodeEntry(text)
}

func notInOutbox(id identity.ID) error {
	return &fault.NotHeld{ID: id.String(), Where: "the outbox"}
}

func isNotHeld(err error) bool {
	var n *fault.NotHeld
	return errors.As(err, &n)
}
