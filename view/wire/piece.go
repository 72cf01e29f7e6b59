package wire

import (
	"errors"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// OpenPiece proves a piece: an envelope, a record around one, or a search hit.
// What fails becomes a refusal whose path points into the piece.
func OpenPiece(p Piece) Item {
	item := Item{Where: p.Where}
	if p.Err != nil {
		item.Refusal = refusalOf(p.Err, fault.StepParse)
		return item
	}
	v, err := identity.Parse(p.Text)
	if err != nil {
		item.Refusal = refusalOf(err, fault.StepParse)
		return item
	}
	item = openAny(p.Text, v, p.MaxBytes)
	item.Where = p.Where
	return item
}

// openAny tells the shapes apart by their members.
func openAny(text []byte, v identity.Value, maxBytes int) Item {
	has := func(names ...string) bool {
		for _, n := range names {
			if _, ok := v.Get(n); !ok {
				return false
			}
		}
		return true
	}
	switch {
	case has("envelope", "seq"), has("envelope", "accepted_at"):
		return openRecord(text, v, "", maxBytes)
	case has("hash", "event", "signature"):
		return openEnvelope(text, v, "", maxBytes)
	case has("envelope"):
		return openRecord(text, v, "", maxBytes)
	case has("record"):
		r, _ := v.Get("record")
		return openRecord(text, r, "/record", maxBytes)
	case has("hash"), has("event"), has("signature"):
		return openEnvelope(text, v, "", maxBytes)
	case has("error"):
		return Item{Refusal: fault.Refuse(fault.StepShape, "", "an error that a service answered, not an event")}
	}
	return Item{Refusal: fault.Refuse(fault.StepShape, "", "not a signed envelope, an acceptance record or a search hit")}
}

// openEnvelope proves the envelope v; path is where it stands in its object. A
// refused payload stays in the offer, because stores answer resubmissions first.
func openEnvelope(text []byte, v identity.Value, path string, maxBytes int) Item {
	offer, err := capsule.OpenValue(text, v, maxBytes)
	if err != nil {
		return Item{Refusal: below(path, refusalOf(err, fault.StepShape)), Claimed: claimed(v)}
	}
	return Item{Offer: offer}
}

// claimed gives the event ID that an envelope gives itself.
func claimed(envelope identity.Value) identity.ID {
	id, err := identity.ParseID(member(envelope, "hash").Text())
	if err != nil {
		return identity.ID{}
	}
	return id
}

// openRecord reads an acceptance record (8.3); unknown members are ignored.
func openRecord(text []byte, v identity.Value, path string, maxBytes int) Item {
	if r := recordHead(v, path); r != nil {
		return Item{Refusal: r}
	}
	envelope, _ := v.Get("envelope")
	item := openEnvelope(text, envelope, path+"/envelope", maxBytes)
	seq, _ := v.Get("seq")
	at, _ := v.Get("accepted_at")
	n, _ := seq.Integer()
	ms, _ := at.Integer()
	item.Seq, item.AcceptedAt = uint64(n), ms
	return item
}

// recordHead checks a record but for its envelope.
func recordHead(v identity.Value, path string) *fault.Refusal {
	if v.Kind() != identity.Object {
		return fault.Refuse(fault.StepShape, path, "an acceptance record is an object")
	}
	if e, ok := v.Get("envelope"); !ok || e.Kind() != identity.Object {
		return fault.Refuse(fault.StepShape, path+"/envelope", "an acceptance record holds an envelope")
	}
	at, _ := v.Get("accepted_at")
	if ms, ok := at.Integer(); !ok || ms < 0 {
		return fault.Refuse(fault.StepShape, path+"/accepted_at", "an acceptance record has a time in milliseconds")
	}
	seq, _ := v.Get("seq")
	if n, ok := seq.Integer(); !ok || n < 1 {
		return fault.Refuse(fault.StepShape, path+"/seq", "an acceptance record has a sequence number from 1")
	}
	return nil
}

// below moves a refusal's path under path.
func below(path string, r *fault.Refusal) *fault.Refusal {
	if path == "" {
		return r
	}
	moved := *r
	moved.Path = path + r.Path
	return &moved
}

// refusalOf gives the refusal in err, or makes one at step.
func refusalOf(err error, step fault.Step) *fault.Refusal {
	var r *fault.Refusal
	if errors.As(err, &r) {
		return r
	}
	return fault.Refuse(step, "", err.Error())
}
