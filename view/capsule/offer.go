package capsule

import (
	"slices"

	"akx/view/fault"
	"akx/view/identity"
)

var format = identity.Format{Protocol: Protocol, Types: typeNames[1:]}

// Format is what identity.Open needs to know of Knowledge envelopes (8.1 step 1):
// the protocol, the three types and no further event members.
func Format() identity.Format {
	f := format
	f.Types = slices.Clone(f.Types)
	return f
}

// Proven reports whether e came from Decode; false for nil and zero events, and
// for any type of another package that wraps one.
func Proven(e Event) bool {
	switch e := e.(type) {
	case *Publication:
		return e != nil && !e.envelope.IsZero()
	case *Assessment:
		return e != nil && !e.envelope.IsZero()
	case *Retraction:
		return e != nil && !e.envelope.IsZero()
	}
	return false
}

// Offer is an envelope on its way into a store: its envelope is proven (step 1 of
// 8.1), its payload is Event or Refusal. The zero Offer is refused everywhere.
type Offer struct {
	envelope identity.Envelope
	event    Event
	refusal  *fault.Refusal
}

// Open proves foreign text up to the payload. The error is a *fault.Refusal of
// the envelope's proof; a payload that fails stands in the Offer, because a store
// answers resubmissions before it looks at payloads.
func Open(text []byte) (Offer, error) {
	e, err := identity.Open(text, format)
	if err != nil {
		return Offer{}, err
	}
	return offer(e), nil
}

// OpenValue is Open for an envelope inside a larger parsed text. maxBytes is the
// local limit of one envelope; 0 means the default.
func OpenValue(text []byte, v identity.Value, maxBytes int) (Offer, error) {
	f := format
	f.MaxBytes = maxBytes
	e, err := identity.OpenValue(text, v, f)
	if err != nil {
		return Offer{}, err
	}
	return offer(e), nil
}

func offer(e identity.Envelope) Offer {
	event, refusal := decode(e)
	return Offer{envelope: e, event: event, refusal: refusal}
}

// OfferOf offers an event that is proven already; the zero Offer for any other.
func OfferOf(e Event) Offer {
	if !Proven(e) {
		return Offer{}
	}
	return Offer{envelope: e.Envelope(), event: e}
}

// Envelope gives the proven envelope; zero for the zero Offer.
func (o Offer) Envelope() identity.Envelope { return o.envelope }

// Event gives the valid event; nil where the payload was refused.
func (o Offer) Event() Event { return o.event }

// Refusal gives why the payload was refused; nil where it is valid.
func (o Offer) Refusal() *fault.Refusal { return o.refusal }
