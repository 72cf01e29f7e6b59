package explore

import (
	"context"

	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/identity"
)

// DraftCheck is all that is to be said of a draft before it is signed.
type DraftCheck struct {
	Problems []desk.Problem // of the rules, the sizes and the targets
	// Findings are what may not be meant for the public: each needs an answer. More
	// says that there were too many to list; such a draft is not signed.
	Findings []desk.Finding
	More     bool
	Targets  []TargetFacts
	Bytes    int // of the signed envelope
	Limit    int // that services recommend
}

// Ready reports whether nothing blocks the signature but findings without an answer.
func (c DraftCheck) Ready() bool { return desk.Ready(c.Problems) && !c.More }

// Preview is the exact event that a signature would make.
type Preview struct {
	Draft     desk.Draft // with Actor set to who signs
	CreatedAt int64      // ms
	Nonce     int64
	Canonical []byte      // the canonical event: the bytes that are hashed
	ID        identity.ID // the event ID that it will have
	// Confirm lists the targets of which ConfirmLength characters have to be typed: of
	// a retraction, and what a correction supersedes.
	Confirm []identity.ID
	Check   DraftCheck
}

// ConfirmLength is how many first characters of a target's ID confirm it.
const ConfirmLength = 4

// SignRequest is the user's decision to sign and to disclose.
type SignRequest struct {
	// Shown is the preview that the user saw: exactly that event is signed.
	Shown Preview
	Key   identity.Key // stays the caller's to wipe
	// Own are the Agent IDs of the user's keys, for the scan.
	Own []identity.Actor
	// Answered holds the Mark of each finding that the user said may be public.
	Answered []string
	// Confirmed holds what the user typed for each of Shown.Confirm, in its order.
	Confirmed []string
	// Disclosed says that the user agreed to make this public, for good.
	Disclosed bool
	// Services are names or origins to queue the envelope for; nothing is sent yet.
	Services []string
}

// Signed is an event that was signed.
type Signed struct {
	Entry desk.Entry
	Event capsule.Event
	// Again says that the draft had been signed before: this is the event of then.
	Again bool
}

// CheckDraft checks a draft as it stands: rules, sizes, targets by what the library
// holds, secrets. own are the Agent IDs of the user's keys.
func (w *Writer) CheckDraft(ctx context.Context, d desk.Draft, own []identity.Actor) (DraftCheck, error) {
	panic("skeleton")
}

// Preview gives the exact event that actor would sign now. A draft that is not ready
// has a preview too. Errors: *fault.Usage where no nonce is left.
func (w *Writer) Preview(ctx context.Context, d desk.Draft, actor identity.Actor, own []identity.Actor) (Preview, error) {
	panic("skeleton")
}

// Sign signs a stored draft as it was shown, proves the envelope again, and keeps it:
// in the outbox, durable, then in the library. Nothing is sent.
//
// A draft is signed once: where it was signed before, the event of then is given,
// whatever the request says. Errors: *fault.Usage with the reason why this request is
// not enough (an answer, a confirmation or the consent is missing, the draft changed
// since it was shown, another key), *fault.Refusal of the rules, *fault.Unavailable
// (locked: open elsewhere, or another signature took the nonce: preview again).
func (w *Writer) Sign(ctx context.Context, r SignRequest) (Signed, error) { panic("skeleton") }
