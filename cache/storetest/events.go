// Package storetest is the test suite that every store of events passes, and the
// brute-force oracle that it is compared with. Only tests import it.
package storetest

import (
	"strings"
	"testing"

	"akx/view/capsule"
	"akx/view/identity"
)

// Epoch is the created_at of the first events, in ms: 2025-01-01T00:00:00Z.
const Epoch = 1_735_689_600_000

// Now is a clock for stores in tests: two years after Epoch.
const Now = Epoch + 2*365*24*3600*1000

// Stamp is who signs an event and when. The seed of signer n is 32 bytes of n.
type Stamp struct {
	Signer    byte
	Nonce     int64
	CreatedAt int64 // ms; 0 means Epoch plus a second for each nonce
}

// Key is the test key of a signer.
func Key(signer byte) identity.Key {
	var seed [32]byte
	for i := range seed {
		seed[i] = signer
	}
	return identity.NewKey(seed)
}

// Sign makes the text of an envelope around any payload, valid or not.
func Sign(t testing.TB, s Stamp, kind capsule.Type, payload identity.Value) string {
	t.Helper()
	if s.CreatedAt == 0 {
		s.CreatedAt = Epoch + 1000*s.Nonce
	}
	e, err := identity.Sign(Key(s.Signer), identity.Draft{
		Protocol:  capsule.Protocol,
		Type:      kind.String(),
		CreatedAt: s.CreatedAt,
		Nonce:     s.Nonce,
		Payload:   payload,
	}, capsule.Format())
	if err != nil {
		t.Fatalf("sign: %v", err)
	}
	return e.Text()
}

// Offer proves a text that must be a good envelope.
func Offer(t testing.TB, text string) capsule.Offer {
	t.Helper()
	o, err := capsule.Open([]byte(text))
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	return o
}

func event(t testing.TB, s Stamp, kind capsule.Type, payload identity.Value) capsule.Event {
	t.Helper()
	o := Offer(t, Sign(t, s, kind, payload))
	if o.Refusal() != nil {
		t.Fatalf("payload: %v", o.Refusal())
	}
	return o.Event()
}

const license = "https://creativecommons.org/licenses/by/4.0/"

// Output is an evidence item that a resource needs.
var Output = capsule.Evidence{
	URL:         "https://data.example.org/set.csv",
	Description: "The measured rows.",
	Digest:      identity.Digest{1, 2, 3},
	Role:        capsule.RoleOutput,
}

// PublishPayload is a valid payload of a kind that needs no references.
func PublishPayload() capsule.PublishPayload {
	return capsule.PublishPayload{
		License:   license,
		Kind:      capsule.Observation,
		Title:     "A measured thing",
		Statement: "The thing was measured twice.",
		Language:  "en",
		Context:   capsule.Context{Scope: "One bench."},
		Basis:     "Two runs.",
	}
}

// Publish makes a signed publication; edits change its payload before it is signed.
func Publish(t testing.TB, s Stamp, edits ...func(*capsule.PublishPayload)) *capsule.Publication {
	t.Helper()
	p := PublishPayload()
	for _, edit := range edits {
		edit(&p)
	}
	return event(t, s, capsule.Publish, p.Value()).(*capsule.Publication)
}

// Relate is an edit that adds a relation.
func Relate(r capsule.Relation, target identity.ID) func(*capsule.PublishPayload) {
	return func(p *capsule.PublishPayload) {
		p.Relations = append(p.Relations, capsule.Link{Relation: r, Target: target})
	}
}

// Titled is an edit that sets the title.
func Titled(title string) func(*capsule.PublishPayload) {
	return func(p *capsule.PublishPayload) { p.Title = title }
}

// OfKind is an edit that sets the kind.
func OfKind(k capsule.Kind) func(*capsule.PublishPayload) {
	return func(p *capsule.PublishPayload) { p.Kind = k }
}

// Long is an edit that makes the statement n bytes long.
func Long(n int) func(*capsule.PublishPayload) {
	return func(p *capsule.PublishPayload) { p.Statement = strings.Repeat("long text ", n/10+1)[:n] }
}

// Assess makes a signed assessment of target.
func Assess(t testing.TB, s Stamp, target identity.ID, v capsule.Verdict, edits ...func(*capsule.AssessPayload)) *capsule.Assessment {
	t.Helper()
	p := capsule.AssessPayload{
		License: license,
		Target:  target,
		Verdict: v,
		Summary: "It was looked at: " + v.String(),
		Context: capsule.Context{Scope: "Another bench.", Limitations: []string{"One run."}},
		Basis:   "Our own run.",
	}
	switch v {
	case capsule.VerdictReproduced, capsule.VerdictNotReproduced, capsule.VerdictApplied:
		p.Reproduction = &capsule.Reproduction{
			Environment: "A laptop.", Steps: []string{"Run it."}, Expected: "As written.", Observed: "As seen.",
		}
	}
	for _, edit := range edits {
		edit(&p)
	}
	return event(t, s, capsule.Assess, p.Value()).(*capsule.Assessment)
}

// Retract makes a signed retraction of target.
func Retract(t testing.TB, s Stamp, target identity.ID) *capsule.Retraction {
	t.Helper()
	p := capsule.RetractPayload{Target: target, Reason: "It was wrong."}
	return event(t, s, capsule.Retract, p.Value()).(*capsule.Retraction)
}
