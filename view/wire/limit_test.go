package wire

import (
	"strings"
	"testing"

	"akx/view/fault"
	"akx/view/identity"

	"akx/view/capsule"
)

// The limit of one envelope is local: the same text is refused under a small one
// and proven under a larger one, and the refusal names the limit.
func TestLimitOfOneEnvelopeIsTheReaders(t *testing.T) {
	payload := capsule.PublishPayload{
		License: "https://example.com/l", Kind: capsule.Question, Title: "t", Language: "en", Basis: "b",
		Statement: strings.Repeat("long ", 80_000), Context: capsule.Context{Scope: "s"},
	}
	e, err := identity.Sign(identity.TestKey(0x21), identity.Draft{
		Protocol: capsule.Protocol, Type: capsule.Publish.String(), CreatedAt: 1, Nonce: 1, Payload: payload.Value(),
	}, identity.Format{Protocol: capsule.Protocol, MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		limit int
		want  fault.Code
	}{{0, fault.PayloadTooLarge}, {300_000, fault.PayloadTooLarge}, {1 << 20, ""}} {
		piece, err := NewSplitter(strings.NewReader(e.Text()+"\n"), c.limit).Next()
		if err != nil {
			t.Fatal(err)
		}
		item := OpenPiece(piece)
		var got fault.Code
		if item.Refusal != nil {
			got = item.Refusal.Code
		}
		if got != c.want {
			t.Errorf("limit %d: %q, want %q", c.limit, got, c.want)
		}
	}
}
