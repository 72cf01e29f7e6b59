package explore

import (
	"context"
	"errors"
	"slices"
	"sync"

	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// SendOptions say how envelopes are sent.
type SendOptions struct {
	// Authenticate holds the keys that make a request JWT for a service, by its origin,
	// whatever the setting of the service says; the zero Key makes none. Each token is
	// made for that origin alone.
	Authenticate map[identity.Origin]identity.Key
}

// tokenSeconds is how long a request JWT lasts.
const tokenSeconds = 60

// Submit sends an event to services by name or origin, adding those that are not
// queued; no services means all it is queued for. A service that has accepted it is
// not asked again. It is the user's step: what was refused or tried often enough is
// sent again. What each service says stands in the entry; errors are those that kept
// it from being sent to one: *fault.Unavailable (offline, read_only, locked while
// another akx sends it), *fault.Usage (a service that is unknown or disabled, one that is
// to see request tokens of a key that is locked, an event of the sample), *fault.NotHeld.
func (w *Writer) Submit(ctx context.Context, id identity.ID, services []string, o SendOptions) (desk.Entry, error) {
	e, err := w.Queue(ctx, id, services)
	if err != nil {
		return desk.Entry{}, err
	}
	origins, err := w.origins(ctx, services)
	if err != nil {
		return desk.Entry{}, err
	}
	if len(origins) == 0 {
		for _, d := range e.Deliveries {
			origins = append(origins, d.Service)
		}
	}
	return w.send(ctx, id, origins, o, true)
}

// send sends an envelope to services, at most so many at a time; asked says that it is
// the user's step.
func (w *Writer) send(ctx context.Context, id identity.ID, origins []string, o SendOptions, asked bool) (desk.Entry, error) {
	release, holder, err := w.desk.Hold(ctx, sendName(id))
	if err != nil {
		return desk.Entry{}, err
	}
	if release == nil {
		return desk.Entry{}, &fault.Unavailable{Code: fault.Locked, What: id.String(), Detail: "is being sent by " + holder, Retry: true}
	}
	defer release()
	// Nobody sends it: what looks so ended in the middle.
	if _, err := w.desk.ChangeEntry(ctx, id, func(e desk.Entry) (desk.Entry, error) { return w.restarted(e), nil }); err != nil {
		return desk.Entry{}, err
	}
	const atATime = 4
	var wait sync.WaitGroup
	places := make(chan struct{}, atATime)
	kept := make([]error, len(origins))
	for i, origin := range origins {
		wait.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			kept[i] = w.sendTo(ctx, id, origin, o, asked)
		})
	}
	wait.Wait()
	// What came of it is told even where the caller has gone.
	e, err := w.desk.Entry(context.WithoutCancel(ctx), id)
	for _, k := range kept {
		if err == nil {
			err = k
		}
	}
	return e, err
}

// sendTo makes one try at one service, whose state is durable before the first byte
// and after the answer. The error is what kept it from being tried.
func (w *Writer) sendTo(ctx context.Context, id identity.ID, origin string, o SendOptions, asked bool) error {
	e, err := w.desk.Entry(ctx, id)
	if err != nil {
		return err
	}
	if i := deliveryTo(e, origin); i < 0 || e.Deliveries[i].State == desk.Accepted {
		return nil
	}
	event, err := w.leaves(e)
	if err != nil {
		return err
	}
	service, err := w.s.Service(ctx, origin)
	if err != nil {
		return err
	}
	remote, done, err := w.s.contact(service)
	if err != nil {
		return err
	}
	defer done()
	submitter, ok := remote.(Submitter)
	if !ok {
		return &fault.Usage{Detail: "nothing can be sent to " + service.Name + " from here"}
	}
	token, err := w.token(ctx, service, o)
	if err != nil {
		return err
	}
	start := func(d desk.Delivery) (desk.Delivery, error) {
		if asked {
			d.Tries = 0
		}
		return d.Apply(desk.Start, desk.Answer{At: w.s.now()})
	}
	if err := w.changeDelivery(ctx, id, origin, start); err != nil {
		return err
	}
	record, err := submitter.Submit(ctx, e.Envelope, token)
	ctx = context.WithoutCancel(ctx)
	if err == nil {
		w.noteRecord(ctx, service.Origin, record)
	}
	return w.changeDelivery(ctx, id, origin, func(d desk.Delivery) (desk.Delivery, error) {
		return w.answered(d, event, record, err)
	})
}

// token makes the request JWT that a service is shown, for its origin alone; empty for
// none.
func (w *Writer) token(ctx context.Context, service desk.Service, o SendOptions) (string, error) {
	key, given := o.Authenticate[service.Origin]
	if !given && !service.Token.IsZero() {
		ok := false
		if key, ok = w.unlocked(ctx, service.Token); !ok {
			return "", &fault.Usage{Detail: service.Name + " is shown request tokens of " + service.Token.String() + ", and that key is locked: nothing was sent to it",
				Hint: "unlock the key, or change the setting of the service"}
		}
		defer key.Wipe()
	}
	if key.Actor().IsZero() {
		return "", nil
	}
	return identity.SignRequest(key, service.Origin, w.s.now()/1000, tokenSeconds)
}

func (w *Writer) unlocked(ctx context.Context, a identity.Actor) (identity.Key, bool) {
	if w.o.Unlocked == nil {
		return identity.Key{}, false
	}
	return w.o.Unlocked(ctx, a)
}

// LockedToken gives the Agent ID whose key has to be unlocked before anything is sent to
// a service, by name or origin; zero where none has.
func (w *Writer) LockedToken(ctx context.Context, service string) (identity.Actor, error) {
	v, err := w.s.Service(ctx, service)
	if err != nil || v.Token.IsZero() {
		return identity.Actor{}, err
	}
	key, ok := w.unlocked(ctx, v.Token)
	if key.Wipe(); ok {
		return identity.Actor{}, nil
	}
	return v.Token, nil
}

// changeDelivery changes one delivery of an entry, durably.
func (w *Writer) changeDelivery(ctx context.Context, id identity.ID, origin string, change func(desk.Delivery) (desk.Delivery, error)) error {
	_, err := w.desk.ChangeEntry(ctx, id, func(e desk.Entry) (desk.Entry, error) {
		i := deliveryTo(e, origin)
		if i < 0 {
			return e, &fault.NotHeld{ID: id.String(), Where: "what is queued for " + origin}
		}
		var err error
		e.Deliveries = slices.Clone(e.Deliveries)
		e.Deliveries[i], err = change(e.Deliveries[i])
		return e, err
	})
	return err
}

// answered gives the delivery after a try.
func (w *Writer) answered(d desk.Delivery, event capsule.Event, record wire.Record, err error) (desk.Delivery, error) {
	what, a := desk.Accept, desk.Answer{At: w.s.now(), Seq: record.Seq, AcceptedAt: record.AcceptedAt}
	switch {
	case err != nil:
		what, a = outcomeOf(err)
		a.At = w.s.now()
	case !capsule.Proven(record.Event) || record.Event.ID() != event.ID():
		what, a = desk.Lose, desk.Answer{At: a.At, Code: fault.InvalidResponse, Reason: "the answer is about another event"}
	}
	d, err = d.Apply(what, a)
	if a.Code == fault.Cancelled {
		// The user ended the try: the next one is the user's, too.
		d.NextTry = 0
	}
	return d, err
}

// outcomeOf says what an error of a Submitter did to the delivery.
func outcomeOf(err error) (desk.SendEvent, desk.Answer) {
	var refusal *fault.Refusal
	var u *fault.Unavailable
	switch {
	case errors.As(err, &u):
		a := desk.Answer{Code: u.Code, Reason: u.Detail, RetryAfter: u.RetryAfter}
		if u.Detail == "" && u.Err != nil {
			a.Reason = u.Err.Error()
		}
		return map[fault.Fate]desk.SendEvent{fault.Unsent: desk.Unsent, fault.Answered: desk.Refuse, fault.Lost: desk.Lose}[u.Fate], a
	case errors.As(err, &refusal):
		return desk.Refuse, desk.Answer{Code: refusal.Code, Reason: refusal.Detail, Missing: refusal.Missing}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return desk.Unsent, desk.Answer{Code: fault.Cancelled, Reason: "it was cancelled"}
	}
	return desk.Unsent, desk.Answer{Code: codeOf(err), Reason: err.Error()}
}

// noteRecord keeps the acceptance record as what that service says of the event. The
// delivery holds it too, so that failing to is no failure of the sending.
func (w *Writer) noteRecord(ctx context.Context, origin identity.Origin, r wire.Record) {
	if w.s.net.Store == nil {
		return
	}
	item := wire.Item{Offer: capsule.OfferOf(r.Event), Seq: r.Seq, AcceptedAt: r.AcceptedAt}
	_, _ = w.s.net.Store.AcceptAnswer(ctx, origin, []wire.Item{item}, nil)
}

// Waits reports whether a delivery is one that SubmitQueued sends: what was refused
// for good is sent again only on its own.
func Waits(d desk.Delivery) bool {
	switch d.State {
	case desk.Accepted:
		return false
	case desk.Refused:
		passing := []fault.Code{fault.RateLimited, fault.QueryUnavailable, fault.UnavailableCode, fault.TimestampOutside, fault.MissingDependency}
		return slices.Contains(passing, d.Code)
	}
	return true
}

// SubmitQueued sends all that is queued for one service and is not accepted there, in
// the order of signing, again where the answer is unknown. What was refused for good
// is left alone. It gives the entries that it sent; a *fault.Damaged comes beside them
// where others cannot be read.
func (w *Writer) SubmitQueued(ctx context.Context, service string, o SendOptions) ([]desk.Entry, error) {
	if err := w.writable(); err != nil {
		return nil, err
	}
	origins, err := w.origins(ctx, []string{service})
	if err != nil {
		return nil, err
	}
	all, damage := w.desk.Entries(ctx)
	if damage != nil && codeOf(damage) != fault.DamagedCode {
		return nil, damage
	}
	var sent []desk.Entry
	for _, e := range all {
		if i := deliveryTo(e, origins[0]); i < 0 || !Waits(e.Deliveries[i]) {
			continue
		}
		e, err := w.send(ctx, e.ID, origins, o, true)
		if err != nil {
			return sent, err
		}
		sent = append(sent, e)
	}
	return sent, damage
}

// Retry sends what akx tries again by itself and whose time has come: what the user
// sent before. It gives the entries that it sent, and when to call it again, in ms; 0
// for never. A service that is gone, disabled or being sent to elsewhere is passed
// over.
func (w *Writer) Retry(ctx context.Context, o SendOptions) (sent []desk.Entry, next int64, err error) {
	if err := w.writable(); err != nil {
		return nil, 0, err
	}
	all, err := w.desk.Entries(ctx)
	if err != nil && codeOf(err) != fault.DamagedCode {
		return nil, 0, err
	}
	for _, e := range all {
		if err := w.recoverSends(ctx, e); err != nil {
			return sent, 0, err
		}
		if e, err = w.desk.Entry(ctx, e.ID); err != nil {
			return sent, 0, err
		}
		var due []string
		for _, d := range e.Deliveries {
			if d.NextTry > 0 && d.Due(w.s.now()) {
				due = append(due, d.Service)
			}
		}
		passed := false
		if len(due) > 0 {
			again, err := w.send(ctx, e.ID, due, o, false)
			if ctx.Err() != nil {
				return sent, 0, ctx.Err()
			}
			if passed = err != nil; !passed {
				sent, e = append(sent, again), again
			}
		}
		for _, d := range e.Deliveries {
			if d.NextTry > 0 && d.State != desk.Accepted && !(passed && slices.Contains(due, d.Service)) && (next == 0 || d.NextTry < next) {
				next = d.NextTry
			}
		}
	}
	return sent, next, ctx.Err()
}
