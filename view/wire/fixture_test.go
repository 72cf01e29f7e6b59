package wire

import (
	"errors"
	"fmt"
	"testing"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

const origin identity.Origin = "https://k.example"

// sign makes a valid event of a payload under a public test seed.
func sign(t testing.TB, kind capsule.Type, nonce int64, payload string) capsule.Event {
	t.Helper()
	v, err := identity.Parse([]byte(payload))
	if err != nil {
		t.Fatal(err)
	}
	e, err := identity.Sign(identity.TestKey(0x21), identity.Draft{Protocol: capsule.Protocol, Type: kind.String(),
		CreatedAt: 1000 + nonce, Nonce: nonce, Payload: v}, capsule.Format())
	if err != nil {
		t.Fatal(err)
	}
	event, err := capsule.Decode(e)
	if err != nil {
		t.Fatal(err)
	}
	return event
}

// publish makes a valid publication.
func publish(t testing.TB, nonce int64, title string) capsule.Event {
	t.Helper()
	return sign(t, capsule.Publish, nonce, fmt.Sprintf(`{"license":"https://l.example/","kind":"question","title":%q,
		"statement":"alpha beta","language":"en","context":{"scope":"s","conditions":[],"limitations":[]},"basis":"b"}`, title))
}

// record makes a record around a new publication; its text is spaced as no
// canonical form is, so that exactness shows.
func record(t testing.TB, seq uint64) Record {
	t.Helper()
	e := publish(t, int64(seq), fmt.Sprintf("title %d", seq))
	spaced := " {\n \"signature\": \"" + e.Envelope().Signature().String() + "\",\n \"event\": " +
		string(e.Envelope().Canonical()) + ",\n \"hash\": \"" + e.ID().String() + "\" } "
	offer, err := capsule.Open([]byte(spaced[1 : len(spaced)-1]))
	if err != nil || offer.Event() == nil {
		t.Fatal(err, offer.Refusal())
	}
	return Record{Event: offer.Event(), Seq: seq, AcceptedAt: 5000 + int64(seq)}
}

func records(t testing.TB, seqs ...uint64) []Record {
	t.Helper()
	list := make([]Record, len(seqs))
	for i, seq := range seqs {
		list[i] = record(t, seq)
	}
	return list
}

// code gives the code of a refusal; empty for nil.
func code(t testing.TB, err error) fault.Code {
	t.Helper()
	if err == nil {
		return ""
	}
	var r *fault.Refusal
	if !errors.As(err, &r) {
		t.Fatalf("not a refusal: %v", err)
	}
	return r.Code
}
