package explore

import (
	"context"

	"akx/view/desk"
	"akx/view/identity"
	"akx/view/wire"
)

// Drafts keeps what is being written. A change is durable when its call returns.
type Drafts interface {
	// PutDraft stores a draft; one with ID 0 gets the next ID, which is never reused.
	// A draft that is not there any more, because it was signed or deleted, is a
	// *fault.Usage with the code not_held.
	PutDraft(ctx context.Context, d desk.Draft) (desk.Draft, error)
	// Draft gives one draft, discarded or not: *fault.Usage with not_held, *fault.Damaged.
	Draft(ctx context.Context, id uint64) (desk.Draft, error)
	// Drafts lists all, discarded ones too, by ID. A *fault.Damaged comes beside those
	// that can be read.
	Drafts(ctx context.Context) ([]desk.Draft, error)
	// DeleteDraft removes a draft for good; one that is not there is no error.
	DeleteDraft(ctx context.Context, id uint64) error
	// Hold takes a name, such as that of a draft, for this caller alone, across
	// processes, until release or the end of the process. Where another one has it,
	// release is nil and holder says who, such as "akx draft edit (process 123)".
	Hold(ctx context.Context, name string) (release func(), holder string, err error)
	// SetPetname keeps the user's own name of an Agent ID; an empty name forgets it. One
	// that another Agent ID has is a *fault.Usage: desk.CheckNameFree, in the same
	// transaction.
	SetPetname(ctx context.Context, a identity.Actor, name string) error
	// Petnames lists the names.
	Petnames(ctx context.Context) (map[identity.Actor]string, error)
}

// Outbox keeps what was signed and where it goes. A change is durable when its call
// returns.
type Outbox interface {
	// LastNonce gives the largest nonce that was reserved for an Agent ID; 0 for none.
	LastNonce(ctx context.Context, a identity.Actor) (int64, error)
	// ReserveNonce takes a nonce for one signature; ok is false where an equal or a
	// larger one is taken.
	ReserveNonce(ctx context.Context, a identity.Actor, nonce int64) (ok bool, err error)
	// PutEntry stores a new entry, and in the same transaction turns its draft into a
	// mark that leads to it. It gives the entry as stored: where the draft was signed
	// before, or the entry is there already, that one, unchanged.
	PutEntry(ctx context.Context, e desk.Entry) (desk.Entry, error)
	// Entry gives one entry: *fault.NotHeld, *fault.Damaged.
	Entry(ctx context.Context, id identity.ID) (desk.Entry, error)
	// SignedAs gives what a draft was signed as; ok is false where it was not.
	SignedAs(ctx context.Context, draft uint64) (id identity.ID, ok bool, err error)
	// Entries lists all by the time of signing, then ID. A *fault.Damaged comes beside
	// those that can be read.
	Entries(ctx context.Context) ([]desk.Entry, error)
	// ChangeEntry replaces the deliveries of an entry by what change makes of it, in one
	// transaction; nothing else of an entry can change. It gives the entry as stored.
	ChangeEntry(ctx context.Context, id identity.ID, change func(desk.Entry) (desk.Entry, error)) (desk.Entry, error)
	// RemoveEntry forgets an entry; one that is not there is no error.
	RemoveEntry(ctx context.Context, id identity.ID) error
}

// Desk is where the user's own work is kept: own.db of a home, or memory for the
// sample.
type Desk interface {
	Drafts
	Outbox
}

// Submitter sends envelopes to one service: a Remote that is one, too, takes them.
type Submitter interface {
	// Submit sends the text of one envelope, once, and gives the acceptance record,
	// whose envelope is the one that was sent. token is a request JWT, empty for none.
	//
	// What the service refuses is a *fault.Refusal with its code, or a
	// *fault.Unavailable whose Fate is Answered. A *fault.Unavailable whose Fate is Lost
	// may have reached the service: sending the same text again is safe. With any other
	// error nothing was sent.
	Submit(ctx context.Context, text, token string) (wire.Record, error)
}
