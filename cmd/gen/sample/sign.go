package main

import (
	"cmp"
	"fmt"
	"slices"

	"akx/view/capsule"
	"akx/view/identity"
)

// signers gives the byte that fills the published test seed of each voice.
var signers = map[string]byte{
	"ask":   0x21, // asks the questions, mends the definitions
	"bench": 0x22, // builds the fixture and the data sets
	"zh":    0x31, // writes in Chinese, about scripts
	"stat":  0x32, // counts, and doubts
	"glyph": 0x33, // invisible characters
	"ops":   0x34, // runs the tram desk
	"repro": 0x35, // tries again
	"cur":   0x36, // reads everything and collects
}

// Signed is one event of the library under the name it has in the content files.
type Signed struct {
	Key   string
	Event capsule.Event
}

// Build signs the library in the order of created_at and gives it in the order of
// arrival: late events come last.
func Build() ([]Signed, error) {
	notes, err := loadNotes()
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(notes, func(a, b note) int { return cmp.Compare(a.At.UnixMilli(), b.At.UnixMilli()) })
	b := builder{ids: map[string]identity.ID{}, nonces: map[string]int64{}}
	var signed, late []Signed
	for _, n := range notes {
		event, err := b.sign(n)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", n.Key, err)
		}
		if n.Late {
			late = append(late, Signed{n.Key, event})
		} else {
			signed = append(signed, Signed{n.Key, event})
		}
	}
	return append(signed, late...), nil
}

// builder knows what was signed so far.
type builder struct {
	ids    map[string]identity.ID
	nonces map[string]int64
}

// sign makes the event of n; what it points at was signed before.
func (b *builder) sign(n note) (capsule.Event, error) {
	seed, ok := signers[n.By]
	if !ok {
		return nil, fmt.Errorf("unknown signer %q", n.By)
	}
	kind, payload, err := b.payload(n)
	if err != nil {
		return nil, err
	}
	created := n.At.UnixMilli()
	nonce := identity.NextNonce(b.nonces[n.By], created)
	envelope, err := identity.Sign(identity.TestKey(seed), identity.Draft{
		Protocol:  capsule.Protocol,
		Type:      kind.String(),
		CreatedAt: created,
		Nonce:     nonce,
		Payload:   payload,
	}, capsule.Format())
	if err != nil {
		return nil, err
	}
	event, err := capsule.Decode(envelope)
	if err != nil {
		return nil, err
	}
	b.ids[n.Key], b.nonces[n.By] = event.ID(), nonce
	return event, nil
}

// id finds what a key stands for among the events that were signed before.
func (b *builder) id(key string) (identity.ID, error) {
	id, ok := b.ids[key]
	if !ok {
		return id, fmt.Errorf("%q was not signed before", key)
	}
	return id, nil
}
