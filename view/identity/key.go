package identity

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"

	"akx/view/fault"
)

// Key is a private signing key. Wipe it after use; copies share its memory. The
// zero Key and a wiped one sign nothing. Printing a Key, or anything that holds
// one, shows no byte of it: the bytes stand behind two pointers, which fmt does not
// follow, and Format answers for the Key itself.
type Key struct{ secret *secret }

type secret struct{ private *[ed25519.PrivateKeySize]byte }

// NewKey makes the key of a 32-byte seed.
func NewKey(seed [32]byte) Key {
	k := Key{&secret{(*[ed25519.PrivateKeySize]byte)(ed25519.NewKeyFromSeed(seed[:]))}}
	clear(seed[:])
	return k
}

// Format prints that there is a key, under every verb.
func (k Key) Format(f fmt.State, _ rune) { fmt.Fprint(f, "signing key (not shown)") }

// MarshalText keeps a key out of every encoding.
func (k Key) MarshalText() ([]byte, error) { return []byte("signing key (not shown)"), nil }

// Actor gives the public side; zero for a zero or wiped key.
func (k Key) Actor() Actor {
	var a Actor
	if k.secret != nil {
		copy(a[:], k.secret.private[ed25519.SeedSize:])
	}
	return a
}

// Wipe overwrites the key's memory, in all copies of k.
func (k Key) Wipe() {
	if k.secret != nil {
		clear(k.secret.private[:])
	}
}

// sign signs message; it fails for a zero or wiped key.
func (k Key) sign(message []byte) (Signature, error) {
	if k.Actor().IsZero() {
		return Signature{}, &fault.Usage{Detail: "the signing key is gone"}
	}
	return Signature(ed25519.Sign(k.secret.private[:], message)), nil
}

// Draft is an event before its signature.
type Draft struct {
	Protocol  string
	Type      string
	CreatedAt int64
	Nonce     int64
	Payload   Value
	Extra     []Member
}

// Event gives the event that a signs: the draft under its Agent ID.
func (d Draft) Event(a Actor) Value {
	return ObjectValue(append([]Member{
		{"protocol", StringValue(d.Protocol)},
		{"type", StringValue(d.Type)},
		{"actor", StringValue(a.String())},
		{"created_at", IntegerValue(d.CreatedAt)},
		{"nonce", IntegerValue(d.Nonce)},
		{"payload", d.Payload},
	}, d.Extra...)...)
}

// Sign makes the envelope of d under k and opens it again by the ordinary proof.
// The hash is computed here from the whole event (Agent Identity 5). A draft that
// the proof refuses gives its *fault.Refusal, a key that is zero or wiped a
// *fault.Usage.
func Sign(k Key, d Draft, format Format) (Envelope, error) {
	event := d.Event(k.Actor())
	id := ID(SHA3(AppendCanonical(nil, event)))
	signature, err := k.sign(id[:])
	if err != nil {
		return Envelope{}, err
	}
	return Open(AppendCanonical(nil, ObjectValue(
		Member{"hash", StringValue(base64.RawURLEncoding.EncodeToString(id[:]))},
		Member{"event", event},
		Member{"signature", StringValue(signature.String())},
	)), format)
}
