package explore

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"

	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

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

// Sign signs a stored draft as it was shown, proves the envelope again, and keeps it:
// in the outbox, durable, then in the library. Nothing is sent.
//
// A draft is signed once: where it was signed before, the event of then is given,
// whatever the request says. Errors: *fault.Usage with the reason why this request is
// not enough (an answer, a confirmation or the consent is missing, the draft changed
// since it was shown, another key), *fault.Refusal of the rules, *fault.Unavailable
// (locked: open elsewhere, or another signature took the nonce: preview again). With an
// error of the library Signed is set: the envelope is safe in the outbox.
func (w *Writer) Sign(ctx context.Context, r SignRequest) (out Signed, err error) {
	w.signing.Lock()
	defer w.signing.Unlock()
	id := r.Shown.Draft.ID
	err = w.holding(ctx, id, func() error {
		var ok bool
		out, ok, err = w.SignedBefore(ctx, id)
		if err == nil && !ok {
			out, err = w.sign(ctx, r)
		}
		return err
	})
	return out, err
}

// SignedBefore gives what a draft was signed as, ok is false where it was not. The outbox
// has it before the library does: where whoever signed it has come no further yet, it is
// put into the library here. Errors: those of Sign that come from the outbox and the
// library.
func (w *Writer) SignedBefore(ctx context.Context, draft uint64) (out Signed, ok bool, err error) {
	id, ok, err := w.desk.SignedAs(ctx, draft)
	if err == nil && ok {
		out, err = w.keepSigned(ctx, id)
	}
	return out, ok, err
}

// keepSigned puts an event of the outbox into the library, where it is not there yet.
func (w *Writer) keepSigned(ctx context.Context, id identity.ID) (Signed, error) {
	if err := w.writable(); err != nil {
		return Signed{}, err
	}
	e, err := w.desk.Entry(ctx, id)
	if err == nil {
		return w.keep(ctx, e, true)
	}
	if codeOf(err) != fault.NotHeldCode {
		return Signed{}, err
	}
	// The user took it out of the outbox.
	event, err := w.s.Event(ctx, id)
	return Signed{Event: event, Again: err == nil}, err
}

// sign signs a draft that this writer has and that was not signed.
func (w *Writer) sign(ctx context.Context, r SignRequest) (Signed, error) {
	d, err := w.Draft(ctx, r.Shown.Draft.ID)
	if err != nil {
		return Signed{}, err
	}
	if d, err = w.signable(d, r); err != nil {
		return Signed{}, err
	}
	origins, err := w.origins(ctx, r.Services)
	if err != nil {
		return Signed{}, err
	}
	if err := w.agreed(ctx, d, r); err != nil {
		return Signed{}, err
	}
	if err := w.takeNonce(ctx, r.Shown, d.Actor); err != nil {
		return Signed{}, err
	}
	event, err := signEvent(r.Key, d, r.Shown)
	if err != nil {
		return Signed{}, err
	}
	if err := w.admit(ctx, event); err != nil {
		return Signed{}, err
	}
	e := desk.NewEntry(event, w.s.now(), origins)
	e.DraftID, e.Sample = d.ID, w.s.sample
	stored, err := w.desk.PutEntry(ctx, e)
	if err != nil {
		return Signed{}, err
	}
	return w.keep(ctx, stored, stored.ID != e.ID)
}

// signable gives the draft under the key's Agent ID, if that key may sign it and it
// is the one that was shown.
func (w *Writer) signable(d desk.Draft, r SignRequest) (desk.Draft, error) {
	actor := r.Key.Actor()
	_, known := identity.TestSeedName(actor)
	switch {
	case actor.IsZero():
		return d, &fault.Usage{Detail: "the signing key is gone", Hint: "unlock it again"}
	case d.Trashed != 0:
		return d, &fault.Usage{Detail: "the draft is in the trash", Hint: "restore it first"}
	case w.s.sample != known:
		return d, &fault.Usage{Detail: "the keys of the sample sign in the sample, and other keys do not", Hint: "choose another key"}
	case d.Sample != w.s.sample:
		return d, &fault.Usage{Detail: "the draft was made in the sample, and stays there"}
	case !d.Actor.IsZero() && d.Actor != actor:
		return d, &fault.Usage{Detail: "the draft is to be signed by " + d.Actor.String(), Hint: "choose that key, or change the draft"}
	}
	d.Actor = actor
	if !bytes.Equal(d.Canonical(r.Shown.CreatedAt, r.Shown.Nonce), r.Shown.Canonical) {
		return d, &fault.Usage{Detail: "the draft is not what was shown", Hint: "look at the preview again"}
	}
	return d, nil
}

// agreed checks that nothing stands against the signature, and that the user took
// each step that it needs.
func (w *Writer) agreed(ctx context.Context, d desk.Draft, r SignRequest) error {
	check, err := w.CheckDraft(ctx, d, r.Own)
	if err != nil {
		return err
	}
	for _, p := range check.Problems {
		if p.Severity == desk.Blocks {
			return fault.Refuse(fault.StepPayload, p.Path, p.Words)
		}
	}
	if check.More {
		return &fault.Usage{Detail: "the draft holds more private material than can be listed", Hint: "take it out"}
	}
	for _, f := range check.Findings {
		if !slices.Contains(r.Answered, f.Mark) {
			return &fault.Usage{Detail: "nobody said that the " + f.Kind.String() + " at " + f.Path + " may be public", Hint: "answer each finding, or change the draft"}
		}
	}
	targets := Confirmable(d)
	for i, id := range targets {
		if len(r.Confirmed) != len(targets) || r.Confirmed[i] != id.String()[:ConfirmLength] {
			return &fault.Usage{Detail: "the first " + strconv.Itoa(ConfirmLength) + " characters of the target " + id.String() + " were not typed"}
		}
	}
	if !r.Disclosed {
		return &fault.Usage{Detail: "signing is public and permanent, and nobody agreed to it"}
	}
	return nil
}

// Confirmable lists the targets that have to be confirmed: of a retraction, and those
// that a correction supersedes.
func Confirmable(d desk.Draft) []identity.ID {
	var ids []identity.ID
	for _, l := range linksOf(d) {
		if d.Type == capsule.Retract || l.Relation == capsule.Supersedes {
			ids = append(ids, l.Target)
		}
	}
	return ids
}

// takeNonce reserves the nonce that was shown, if it is still the next one.
func (w *Writer) takeNonce(ctx context.Context, shown Preview, actor identity.Actor) error {
	next, err := w.nextNonce(ctx, actor, shown.CreatedAt)
	if err != nil {
		return err
	}
	ok := next == shown.Nonce
	if ok {
		ok, err = w.desk.ReserveNonce(ctx, actor, shown.Nonce)
	}
	if err == nil && !ok {
		err = &fault.Unavailable{Code: fault.Locked, What: "the nonce of this event", Detail: "another signature took it since it was shown",
			Hint: "look at the preview again", Retry: true}
	}
	return err
}

// signEvent makes the envelope and proves it like a foreign one.
func signEvent(k identity.Key, d desk.Draft, shown Preview) (capsule.Event, error) {
	envelope, err := identity.Sign(k, d.Unsigned(shown.CreatedAt, shown.Nonce), capsule.Format())
	if err != nil {
		return nil, err
	}
	offer, err := capsule.Open([]byte(envelope.Text()))
	if err != nil {
		return nil, err
	}
	if r := offer.Refusal(); r != nil {
		return nil, r
	}
	if offer.Event().ID() != shown.ID {
		return nil, fault.Refuse(fault.StepHash, "", "is not the event that was shown")
	}
	return offer.Event(), nil
}

// admit applies the rules of acceptance against the library (8.1).
func (w *Writer) admit(ctx context.Context, event capsule.Event) error {
	ids := capsule.Dependencies(event)
	targets, err := w.resolve(ctx, ids)
	if err != nil {
		return err
	}
	return capsule.Admit(event, w.s.now(), capsule.DefaultSkew, func(id identity.ID) (capsule.Target, bool, error) {
		t, ok := targets[id]
		return t, ok, nil
	})
}

// keep puts an entry's event into the library, where it is found like any other.
func (w *Writer) keep(ctx context.Context, e desk.Entry, again bool) (Signed, error) {
	offer, err := capsule.Open([]byte(e.Envelope))
	if err != nil {
		return Signed{}, err
	}
	out := Signed{Entry: e, Event: offer.Event(), Again: again}
	outcomes, err := w.s.lib.Accept(ctx, wire.Source{Kind: wire.FromOwn}, []wire.Item{{Offer: offer}})
	switch {
	case err != nil:
		return out, err
	case outcomes[0].Refusal != nil:
		return out, outcomes[0].Refusal
	case outcomes[0].Status == wire.Pending:
		r := fault.Refuse(fault.StepDependencies, "", "waits for "+strings.Join(idTexts(outcomes[0].Missing), ", "))
		r.Missing = idTexts(outcomes[0].Missing)
		return out, r
	}
	return out, nil
}

func idTexts(ids []identity.ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = id.String()
	}
	return out
}
