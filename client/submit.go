package client

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync/atomic"

	"akx/client/fetch"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// Submit sends the text of one envelope, byte for byte and once, and gives the
// service's acceptance record (8.1, 8.3); whether the service had the event before
// makes no difference. token is a request JWT for this origin, empty for none.
//
// Errors tell what became of the request: a *fault.Refusal with the service's code; a
// *fault.Unavailable with the fate Answered (rate limits, outages, and other_refusal for
// a status 4xx without a code of the protocols), Lost (no answer, or one from which nothing follows: sending the same text
// again is safe; server_error for a status that says that), or Unsent. When ctx ends after the first byte, that is Lost too, and
// wraps ctx's error. A text that is no valid event is a *fault.Usage, and is not sent.
func (c *Client) Submit(ctx context.Context, text, token string) (wire.Record, error) {
	offer, err := capsule.Open([]byte(text))
	if err != nil || offer.Event() == nil {
		return wire.Record{}, &fault.Usage{Detail: "only the envelope of a valid event is sent"}
	}
	d, err := c.discovered(ctx)
	if err != nil {
		return wire.Record{}, c.undiscovered(err)
	}
	if d, err = c.roomFor(ctx, d, len(text)); err != nil {
		return wire.Record{}, err
	}
	var going atomic.Bool
	answer, err := c.transport.Do(ctx, fetch.Request{
		URL: d.Endpoints.Events, Body: []byte(text), Token: token, Pace: c.pace(), MaxBytes: c.limits.EventBytes,
		Going: func() { going.Store(true) },
	})
	switch {
	case err != nil && going.Load():
		code := fault.UnavailableCode
		if ctx.Err() != nil {
			code = fault.Cancelled
		}
		return wire.Record{}, c.lost(code, "its answer did not come", err)
	case err != nil:
		return wire.Record{}, err
	case answer.Status < 200 || answer.Status > 299:
		return wire.Record{}, c.notTaken(answer)
	}
	r, err := c.accepted(answer, offer.Envelope().ID())
	if err != nil {
		return wire.Record{}, c.lost(fault.InvalidResponse, "its answer is not the acceptance record of what was sent", err)
	}
	return r, nil
}

// roomFor refuses an envelope that is longer than what the service says it takes (9.7).
// That is read anew before: it may have changed since.
func (c *Client) roomFor(ctx context.Context, d wire.Discovery, n int) (wire.Discovery, error) {
	most := d.Limit(wire.LimitEnvelope)
	if most == 0 || int64(n) <= most {
		return d, nil
	}
	d, err := c.Discover(ctx)
	if err != nil {
		return d, c.undiscovered(err)
	}
	if most = d.Limit(wire.LimitEnvelope); most == 0 || int64(n) <= most {
		return d, nil
	}
	return d, &fault.Refusal{Step: fault.StepLimit, Code: fault.PayloadTooLarge, Detail: "it was not sent: the service says that it takes envelopes of at most " +
		strconv.FormatInt(most, 10) + " bytes (" + wire.LimitEnvelope + "), and this one has " + strconv.Itoa(n)}
}

// accepted reads the acceptance record in the answer to a submission.
func (c *Client) accepted(answer fetch.Response, id identity.ID) (wire.Record, error) {
	switch {
	case answer.Status != http.StatusOK:
		return wire.Record{}, badAnswer("has the status " + strconv.Itoa(answer.Status) + " where a success is 200")
	case !isJSON(answer.Type):
		return wire.Record{}, badAnswer("is not of the content type application/json")
	case countValues(answer.Body, c.limits.Values) > c.limits.Values:
		return wire.Record{}, badAnswer("has more than the limit of " + strconv.Itoa(c.limits.Values) + " JSON values")
	}
	item, err := record(answer.Body, id)
	if err != nil {
		return wire.Record{}, err
	}
	if item.Refusal != nil {
		return wire.Record{}, recoded(item.Refusal)
	}
	if r := item.Offer.Refusal(); r != nil {
		return wire.Record{}, recoded(r)
	}
	return wire.Record{Event: item.Offer.Event(), Seq: item.Seq, AcceptedAt: item.AcceptedAt}, nil
}

// notTaken makes an error of an answer that is not a success. From a failure inside
// the service, or on the way to it, nothing follows about the envelope; every other
// error is the service's last word, whatever it calls it.
func (c *Client) notTaken(answer fetch.Response) error {
	err := c.refused(answer)
	var u *fault.Unavailable
	if !errors.As(err, &u) {
		return err
	}
	u.Fate, u.RetryAfter = fault.Answered, answer.RetryAfter.Milliseconds()
	switch {
	case u.Code == fault.NotFound:
		c.forget()
	case u.Code != fault.UnavailableCode:
	case answer.Status >= http.StatusInternalServerError, answer.Status == http.StatusRequestTimeout:
		u.Code, u.Fate, u.Retry = fault.ServerError, fault.Lost, true
	default:
		u.Code = fault.OtherRefusal
	}
	return u
}

// forget drops the discovery document, so that the next call reads it again.
func (c *Client) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = nil
}

// undiscovered is why a submission could not begin. What a service says of its
// discovery document says nothing of an envelope.
func (c *Client) undiscovered(err error) error {
	var r *fault.Refusal
	if !errors.As(err, &r) {
		return err
	}
	return &fault.Unavailable{Code: fault.UnavailableCode, What: string(c.origin), Detail: "its discovery document cannot be used", Retry: true, Err: err}
}

// lost is a submission of which nobody here knows what became of it.
func (c *Client) lost(code fault.Code, detail string, err error) error {
	return &fault.Unavailable{Code: code, What: string(c.origin), Detail: detail,
		Hint: "sending the same bytes again is safe", Retry: true, Fate: fault.Lost, Err: err}
}
