package explore

import (
	"context"
	"errors"
	"slices"

	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// Outbox lists what was signed and where it stands, newest first. What another akx is
// sending now is 'sending'; what was being sent when an akx ended is 'unknown'. A
// *fault.Damaged comes beside those that can be read.
func (w *Writer) Outbox(ctx context.Context) ([]desk.Entry, error) {
	all, err := w.desk.Entries(ctx)
	slices.Reverse(all)
	for i := range all {
		all[i] = w.asOfNow(ctx, all[i])
	}
	return all, err
}

// OutboxEntry gives one of Outbox: *fault.NotHeld, *fault.Damaged.
func (w *Writer) OutboxEntry(ctx context.Context, id identity.ID) (desk.Entry, error) {
	e, err := w.desk.Entry(ctx, id)
	if err != nil {
		return desk.Entry{}, err
	}
	return w.asOfNow(ctx, e), nil
}

// SentState gives how an event of the outbox stands at each service, as of now and in
// the order of queueing: what a page of it shows as 'accepted by'. It is empty where the
// event is not in the outbox. Nothing is asked of any service. Errors: *fault.Damaged.
func (w *Writer) SentState(ctx context.Context, id identity.ID) ([]desk.Delivery, error) {
	e, err := w.OutboxEntry(ctx, id)
	if err != nil {
		if codeOf(err) == fault.NotHeldCode {
			err = nil
		}
		return nil, err
	}
	return e.Deliveries, nil
}

// asOfNow shows what was being sent as unknown where nobody sends it any more, and as
// accepted what the service itself was seen to hold.
func (w *Writer) asOfNow(ctx context.Context, e desk.Entry) desk.Entry {
	return w.seenThere(ctx, w.noLongerSent(ctx, e))
}

// seenThere takes what a service gave as accepted by it: an answer that was lost is
// known then. What cannot be read changes nothing.
func (w *Writer) seenThere(ctx context.Context, e desk.Entry) desk.Entry {
	if e.Settled() {
		return e
	}
	claims, err := w.s.lib.Claims(ctx, e.ID)
	if err != nil {
		return e
	}
	e.Deliveries = slices.Clone(e.Deliveries)
	for i, d := range e.Deliveries {
		for _, c := range claims {
			if d.State != desk.Accepted && c.Source == (wire.Source{Kind: wire.FromService, Name: d.Service}) && c.Seq > 0 {
				e.Deliveries[i], _ = d.Apply(desk.Accept, desk.Answer{Seq: c.Seq, AcceptedAt: c.AcceptedAt})
			}
		}
	}
	return e
}

// noLongerSent is the part of asOfNow that asks whether somebody is sending.
func (w *Writer) noLongerSent(ctx context.Context, e desk.Entry) desk.Entry {
	sends := slices.ContainsFunc(e.Deliveries, func(d desk.Delivery) bool { return d.State == desk.Sending })
	if !sends || w.o.ReadOnly {
		return e
	}
	release, _, err := w.desk.Hold(ctx, sendName(e.ID))
	if err != nil || release == nil {
		return e
	}
	release()
	return w.restarted(e)
}

// restarted takes what was being sent as unknown.
func (w *Writer) restarted(e desk.Entry) desk.Entry {
	e.Deliveries = slices.Clone(e.Deliveries)
	for i, d := range e.Deliveries {
		e.Deliveries[i] = d.Restart(w.s.now())
	}
	return e
}

// sendName is the name that whoever sends an envelope holds.
func sendName(id identity.ID) string { return "send-" + id.String() }

// Recover brings the desk and the library together after an end in the middle, or
// after the library was lost: signed events that are not in the library are put there,
// or wait there for what they point at, and what was being sent becomes unknown. It is
// called at the start; in a read-only session it does nothing.
func (w *Writer) Recover(ctx context.Context) error {
	if w.o.ReadOnly {
		return ctx.Err()
	}
	all, damage := w.desk.Entries(ctx)
	if damage != nil && codeOf(damage) != fault.DamagedCode {
		return damage
	}
	for _, e := range all {
		_, held, err := w.s.Entries(ctx, []identity.ID{e.ID})
		if err == nil && !held[0] && e.DraftID != 0 {
			_, err = w.keep(ctx, e, true)
			var refusal *fault.Refusal
			if errors.As(err, &refusal) {
				// The library cannot take it now; the entry stays whole.
				err = nil
			}
		}
		if err == nil {
			err = w.recoverSends(ctx, e)
		}
		if err != nil {
			return err
		}
	}
	return damage
}

func (w *Writer) recoverSends(ctx context.Context, e desk.Entry) error {
	if !slices.ContainsFunc(e.Deliveries, func(d desk.Delivery) bool { return d.State == desk.Sending }) {
		return nil
	}
	release, _, err := w.desk.Hold(ctx, sendName(e.ID))
	if err != nil || release == nil {
		return err
	}
	defer release()
	_, err = w.desk.ChangeEntry(ctx, e.ID, func(e desk.Entry) (desk.Entry, error) { return w.restarted(e), nil })
	return err
}

// origins finds services by name or origin, each once.
func (w *Writer) origins(ctx context.Context, services []string) ([]string, error) {
	if len(services) > 0 && w.s.sample {
		return nil, staysInSample()
	}
	var out []string
	for _, name := range services {
		service, err := w.s.Service(ctx, name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(out, string(service.Origin)) {
			out = append(out, string(service.Origin))
		}
	}
	return out, nil
}

func staysInSample() error {
	return &fault.Usage{Detail: "what is signed in the sample stays in the sample", Hint: "its keys are public test material"}
}

// leaves refuses what was signed with public test material, or in the sample.
func (w *Writer) leaves(e desk.Entry) (capsule.Event, error) {
	if e.Sample || w.s.sample {
		return nil, staysInSample()
	}
	offer, err := capsule.Open([]byte(e.Envelope))
	if err != nil {
		return nil, err
	}
	if name, known := identity.TestSeedName(offer.Envelope().Actor()); known {
		return nil, publicKey(name)
	}
	return offer.Event(), nil
}

// publicKey refuses to let go of what was signed with a public test key.
func publicKey(name string) error {
	return &fault.Usage{Detail: "what is signed with a public test key (" + name + ") is neither sent nor exported for sending", Hint: "anybody can sign with it"}
}

// Queue adds services, by name or origin, to where an event goes. An event that is
// held but not in the outbox is put there: anybody may relay a public event (8.1).
// Nothing is sent.
func (w *Writer) Queue(ctx context.Context, id identity.ID, services []string) (desk.Entry, error) {
	if err := w.writable(); err != nil {
		return desk.Entry{}, err
	}
	origins, err := w.origins(ctx, services)
	if err != nil {
		return desk.Entry{}, err
	}
	e, err := w.entry(ctx, id)
	if err != nil {
		return desk.Entry{}, err
	}
	if _, err := w.leaves(e); err != nil {
		return desk.Entry{}, err
	}
	if e, err = w.desk.PutEntry(ctx, e); err != nil {
		return desk.Entry{}, err
	}
	return w.desk.ChangeEntry(ctx, e.ID, func(e desk.Entry) (desk.Entry, error) {
		for _, origin := range origins {
			if deliveryTo(e, origin) < 0 {
				e.Deliveries = append(e.Deliveries, desk.Delivery{Service: origin, State: desk.NotSent})
			}
		}
		return e, nil
	})
}

// deliveryTo gives the index of a service's delivery; -1 for none.
func deliveryTo(e desk.Entry, origin string) int {
	return slices.IndexFunc(e.Deliveries, func(d desk.Delivery) bool { return d.Service == origin })
}

// entry gives the entry of an event, or makes one of an event that the library holds.
func (w *Writer) entry(ctx context.Context, id identity.ID) (desk.Entry, error) {
	e, err := w.desk.Entry(ctx, id)
	if err == nil || codeOf(err) != fault.NotHeldCode {
		return e, err
	}
	event, err := w.s.Event(ctx, id)
	if err != nil {
		return desk.Entry{}, err
	}
	return desk.NewEntry(event, event.CreatedAt(), nil), nil
}

// Export gives the exact text of the envelope of an event in the outbox or in the
// library. What was signed in the sample, or with its keys, is refused: *fault.Usage.
func (w *Writer) Export(ctx context.Context, id identity.ID) (string, error) {
	e, err := w.entry(ctx, id)
	if err != nil {
		return "", err
	}
	if _, err := w.leaves(e); err != nil {
		return "", err
	}
	return e.Envelope, nil
}

// RemoveEntry takes an entry out of the outbox; the event stays in the library.
func (w *Writer) RemoveEntry(ctx context.Context, id identity.ID) error {
	if err := w.writable(); err != nil {
		return err
	}
	return w.desk.RemoveEntry(ctx, id)
}
