package desk

import (
	"strconv"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// SendState is where an envelope stands with one service; zero is invalid.
type SendState uint8

// The states. Unknown is not a failure: the service may hold the envelope, and the
// same bytes can be sent again at no risk (Agent Knowledge 8.1).
const (
	NotSent SendState = iota + 1
	Sending
	Accepted
	Refused
	Unknown
)

var sendWords = [...]string{"", "not sent", "sending", "accepted", "refused", "unknown"}

// String gives the word that screens show.
func (s SendState) String() string {
	if int(s) >= len(sendWords) {
		return ""
	}
	return sendWords[s]
}

// SendEvent is what happens to a delivery; zero is invalid.
type SendEvent uint8

// The events.
const (
	Start   SendEvent = iota + 1 // the first byte is about to go
	Accept                       // an acceptance record came, or the service was seen to hold it
	Refuse                       // the service answered with an error
	Lose                         // the connection ended, or akx did, before an answer
	Unsent                       // no byte went: the service was not reached
	Requeue                      // the user took the step that a refusal asked for
)

// transitions is the whole table; what is not in it cannot happen. Accepted is the
// end: no answer and no loss takes it back.
var transitions = map[SendState]map[SendEvent]SendState{
	NotSent:  {Start: Sending, Accept: Accepted},
	Sending:  {Accept: Accepted, Refuse: Refused, Lose: Unknown, Unsent: NotSent},
	Accepted: {Accept: Accepted},
	Refused:  {Start: Sending, Accept: Accepted, Requeue: NotSent},
	Unknown:  {Start: Sending, Accept: Accepted},
}

// Next gives the state after an event; ok is false where the table has none.
func (s SendState) Next(e SendEvent) (next SendState, ok bool) {
	next, ok = transitions[s][e]
	return next, ok
}

// Delivery is one envelope at one service.
type Delivery struct {
	Service    string // its origin
	State      SendState
	Seq        uint64     // of the acceptance record; 0 while there is none
	AcceptedAt int64      // the service's clock, ms
	Code       fault.Code // of the last refusal, or of why it was not reached
	Reason     string     // the service's own words, foreign text
	Missing    []string   // event IDs of missing_dependency
	Tries      int        // since the last step of the user
	LastTry    int64      // ms; 0 for none
	NextTry    int64      // ms; 0 where nothing is tried by itself
	// WasUnknown holds once an answer was lost, until one comes that tells whether
	// the service holds the envelope.
	WasUnknown bool
}

// Answer is what a try brought.
type Answer struct {
	At         int64 // ms
	Seq        uint64
	AcceptedAt int64
	Code       fault.Code
	Reason     string
	Missing    []string
	RetryAfter int64 // ms that the service asked to wait; 0 for none
}

// Apply gives the delivery after an event. The error is a *fault.Usage where the
// table has no such step; d is unchanged then.
func (d Delivery) Apply(e SendEvent, a Answer) (Delivery, error) {
	next, ok := d.State.Next(e)
	if !ok {
		return d, &fault.Usage{Detail: "an envelope that is " + d.State.String() + " cannot take that step"}
	}
	if d.State == Accepted {
		return d, nil
	}
	d.State = next
	switch e {
	case Start:
		d.Tries++
		d.LastTry, d.NextTry = a.At, 0
	case Accept:
		d = Delivery{Service: d.Service, State: Accepted, Seq: a.Seq, AcceptedAt: a.AcceptedAt, Tries: d.Tries, LastTry: d.LastTry}
	case Refuse:
		d.Code, d.Reason, d.Missing = a.Code, a.Reason, a.Missing
		d.WasUnknown = d.WasUnknown && !saysNotHeld(a.Code)
		d.NextTry = nextTry(d, a)
	case Lose, Unsent:
		d.Code, d.Reason, d.Missing = a.Code, a.Reason, nil
		d.WasUnknown = d.WasUnknown || e == Lose
		d.NextTry = nextTry(d, a)
		if e == Unsent && d.WasUnknown {
			d.State = Unknown
		}
	case Requeue:
		d = Delivery{Service: d.Service, State: NotSent}
	}
	return d, nil
}

// saysNotHeld reports whether a refusal shows that the service does not retain the
// envelope: it answers resubmissions before it looks at what these codes are about
// (8.1). Limits of rate and access may come before that.
func saysNotHeld(c fault.Code) bool {
	switch c {
	case fault.InvalidEvent, fault.TimestampOutside, fault.MissingDependency, fault.InvalidTarget:
		return true
	}
	return false
}

// Restart is Apply for a delivery that akx finds at its start: what was being sent
// when it ended is unknown.
func (d Delivery) Restart(now int64) Delivery {
	if d.State != Sending {
		return d
	}
	d, _ = d.Apply(Lose, Answer{At: now})
	return d
}

// Bounds of retries.
const (
	// MaxTries is after how many tries akx waits for the user.
	MaxTries  = 8
	firstWait = int64(5_000)     // ms, doubled with each try
	maxWait   = int64(3_600_000) // ms
)

// nextTry gives when to try again by itself; 0 for never.
func nextTry(d Delivery, a Answer) int64 {
	if d.Tries >= MaxTries || d.State == Refused && !adviceOf(a.Code).again {
		return 0
	}
	wait := maxWait
	if d.Tries < 16 {
		wait = min(firstWait<<max(d.Tries-1, 0), maxWait)
	}
	if a.RetryAfter > 0 {
		wait = min(max(wait, a.RetryAfter), 24*maxWait)
	}
	return a.At + wait
}

// Due reports whether d is to be tried now without being asked.
func (d Delivery) Due(now int64) bool {
	switch d.State {
	case NotSent:
		return d.NextTry == 0 && d.Tries == 0 || d.NextTry > 0 && d.NextTry <= now
	case Unknown, Refused:
		return d.NextTry > 0 && d.NextTry <= now
	}
	return false
}

// Entry is one signed envelope and where it goes. The envelope is kept as its exact
// text: every try sends the same bytes.
type Entry struct {
	ID         identity.ID
	Type       capsule.Type
	Actor      identity.Actor
	Title      string // as signed
	Envelope   string // exact text
	SignedAt   int64  // ms
	DraftID    uint64
	Sample     bool // signed in the sample: it is never sent
	Deliveries []Delivery
	Links      []capsule.Link // of the event; not stored beside its text
}

// Settled reports whether nothing is left to send: each service has accepted it.
func (e Entry) Settled() bool {
	for _, d := range e.Deliveries {
		if d.State != Accepted {
			return false
		}
	}
	return true
}

// storedEntry is an entry as it is kept.
type storedEntry struct {
	Format     int              `json:"format"`
	ID         string           `json:"id"`
	Type       string           `json:"type"`
	Title      string           `json:"title"`
	Envelope   string           `json:"envelope"`
	SignedAt   int64            `json:"signed_at"`
	DraftID    uint64           `json:"draft_id,omitempty"`
	Sample     bool             `json:"sample,omitempty"`
	Deliveries []storedDelivery `json:"deliveries,omitempty"`
}

type storedDelivery struct {
	Service    string     `json:"service"`
	State      string     `json:"state"`
	Seq        uint64     `json:"seq,omitempty"`
	AcceptedAt int64      `json:"accepted_at,omitempty"`
	Code       fault.Code `json:"code,omitempty"`
	Reason     string     `json:"reason,omitempty"`
	Missing    []string   `json:"missing,omitempty"`
	Tries      int        `json:"tries,omitempty"`
	LastTry    int64      `json:"last_try,omitempty"`
	NextTry    int64      `json:"next_try,omitempty"`
	WasUnknown bool       `json:"was_unknown,omitempty"`
}

// Encode gives e as it is kept on disk; DecodeEntry reads it.
func (e Entry) Encode() ([]byte, error) {
	s := storedEntry{
		Format: storedFormat, ID: e.ID.String(), Type: e.Type.String(), Title: e.Title, Envelope: e.Envelope,
		SignedAt: e.SignedAt, DraftID: e.DraftID, Sample: e.Sample,
	}
	for _, d := range e.Deliveries {
		s.Deliveries = append(s.Deliveries, storedDelivery{
			d.Service, d.State.String(), d.Seq, d.AcceptedAt, d.Code, d.Reason, d.Missing, d.Tries, d.LastTry, d.NextTry, d.WasUnknown,
		})
	}
	return encodeStored(s)
}

// DecodeEntry reads what Encode gave. The envelope is proven again: an entry whose
// text is not the envelope of its ID is a *fault.Damaged and is never sent.
func DecodeEntry(text []byte) (Entry, error) {
	const what = "outbox entry"
	var s storedEntry
	if err := decodeStored(what, text, &s, &s.Format); err != nil {
		return Entry{}, err
	}
	e := Entry{Title: s.Title, Envelope: s.Envelope, SignedAt: s.SignedAt, DraftID: s.DraftID, Sample: s.Sample}
	offer, err := capsule.Open([]byte(s.Envelope))
	if err != nil {
		return Entry{}, damagedValue(what, err)
	}
	if event := offer.Event(); event == nil || event.ID().String() != s.ID || event.Type().String() != s.Type || event.Title() != s.Title {
		return Entry{}, damagedValue(what, nil)
	}
	e.ID, e.Type, e.Actor = offer.Event().ID(), offer.Event().Type(), offer.Event().Actor()
	e.Links = capsule.Links(offer.Event())
	for _, d := range s.Deliveries {
		state := SendState(0)
		for st := NotSent; st <= Unknown; st++ {
			if st.String() == d.State {
				state = st
			}
		}
		if state == 0 {
			return Entry{}, damagedValue(what, nil)
		}
		e.Deliveries = append(e.Deliveries, Delivery{
			d.Service, state, d.Seq, d.AcceptedAt, d.Code, d.Reason, d.Missing, d.Tries, d.LastTry, d.NextTry, d.WasUnknown,
		})
	}
	return e, nil
}

// NewEntry makes the entry of a signed event for services, in their order, each
// once.
func NewEntry(event capsule.Event, signedAt int64, services []string) Entry {
	e := Entry{
		ID: event.ID(), Type: event.Type(), Actor: event.Actor(), Title: event.Title(), Envelope: event.Envelope().Text(), SignedAt: signedAt,
		Links: capsule.Links(event),
	}
	for _, origin := range union(nil, services...) {
		e.Deliveries = append(e.Deliveries, Delivery{Service: origin, State: NotSent})
	}
	return e
}

// Summary says in words how d stands, such as 'accepted #4813'.
func (d Delivery) Summary() string {
	switch d.State {
	case Accepted:
		if d.Seq > 0 {
			return "accepted #" + strconv.FormatUint(d.Seq, 10)
		}
		return "accepted"
	case Refused:
		return "refused: " + string(d.Code)
	case Unknown:
		return "unknown, resend is safe"
	}
	return d.State.String()
}
