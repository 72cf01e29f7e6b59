package desk

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"testing"

	"akx/view/capsule"
	"akx/view/identity"
)

const vectorsFile = "../../../shared/conformance/agent-knowledge/knowledge-vectors.json"

// TestVectorsThroughADraft takes each valid fixture into a draft, through both of
// its text forms and the stored one, and signs it again: the same bytes come out.
func TestVectorsThroughADraft(t *testing.T) {
	text, err := os.ReadFile(vectorsFile)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no conformance data beside the repository")
	}
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Seeds    map[string]string
		Fixtures map[string]struct {
			Signer             string
			CanonicalEventUTF8 string `json:"canonical_event_utf8"`
			Envelope           json.RawMessage
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	signed := 0
	for name, f := range file.Fixtures {
		offer, err := capsule.Open(f.Envelope)
		if err != nil || offer.Event() == nil {
			continue
		}
		seed, err := hex.DecodeString(file.Seeds[f.Signer])
		if err != nil || len(seed) != 32 {
			t.Fatalf("%s: no seed", name)
		}
		event := offer.Event()
		d := FromEvent(event)
		comesBack(t, d)
		for _, step := range []func(Draft) (Draft, error){
			func(d Draft) (Draft, error) { return ParseText(d.YAML(), Expect{}) },
			func(d Draft) (Draft, error) { return ParseText(d.JSON(), Expect{Type: d.Type}) },
			throughStore,
		} {
			if d, err = step(d); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if problems := d.Check(DefaultLimits); !Ready(problems) {
			t.Errorf("%s: %+v", name, problems)
		}
		if got := string(d.Canonical(event.CreatedAt(), event.Nonce())); got != f.CanonicalEventUTF8 {
			t.Errorf("%s: the event is\n%s, not\n%s", name, got, f.CanonicalEventUTF8)
			continue
		}
		again, err := identity.Sign(identity.NewKey([32]byte(seed)), d.Unsigned(event.CreatedAt(), event.Nonce()), capsule.Format())
		if err != nil || again.ID() != event.ID() || again.Signature() != event.Envelope().Signature() {
			t.Errorf("%s: signed %v, %v", name, again.ID(), err)
		}
		signed++
	}
	if signed < 40 {
		t.Errorf("only %d fixtures were valid", signed)
	}
}

func throughStore(d Draft) (Draft, error) {
	text, err := d.Encode()
	if err != nil {
		return Draft{}, err
	}
	return DecodeDraft(text)
}
