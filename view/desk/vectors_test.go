package desk

import (
	"encoding/base64"
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

// vectors are the fixtures: events, and the seeds of those who signed them.
type vectors struct {
	Seeds    map[string]string
	Fixtures map[string]struct {
		Signer             string
		CanonicalEventUTF8 string `json:"canonical_event_utf8"`
		Envelope           json.RawMessage
	}
}

func readVectors(t *testing.T) (file vectors) {
	t.Helper()
	text, err := os.ReadFile(vectorsFile)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no conformance data beside the repository")
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	return file
}

func (v vectors) key(t *testing.T, signer string) identity.Key {
	t.Helper()
	seed, err := hex.DecodeString(v.Seeds[signer])
	if err != nil || len(seed) != 32 {
		t.Fatalf("%s: no seed", signer)
	}
	return identity.NewKey([32]byte(seed))
}

// TestVectorsThroughTheSigner signs the event of every fixture again, also of those
// that the rules of payloads refuse: hash and signature are the same.
func TestVectorsThroughTheSigner(t *testing.T) {
	file := readVectors(t)
	for name, f := range file.Fixtures {
		var parts struct {
			Hash, Signature string
			Event           struct {
				Protocol, Type string
				CreatedAt      int64 `json:"created_at"`
				Nonce          int64
				Payload        json.RawMessage
			}
		}
		if err := json.Unmarshal(f.Envelope, &parts); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		e := parts.Event
		payload, err := identity.Parse(e.Payload)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		signed, err := identity.Sign(file.key(t, f.Signer), identity.Draft{Protocol: e.Protocol, Type: e.Type, CreatedAt: e.CreatedAt, Nonce: e.Nonce, Payload: payload}, capsule.Format())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		signature := signed.Signature()
		if string(signed.Canonical()) != f.CanonicalEventUTF8 || signed.ID().String() != parts.Hash || base64.RawURLEncoding.EncodeToString(signature[:]) != parts.Signature {
			t.Errorf("%s: signed as %s", name, signed.Text())
		}
	}
	if n := len(file.Fixtures); n < 60 {
		t.Errorf("only %d fixtures", n)
	}
}

// TestVectorsThroughADraft takes each valid fixture into a draft, through both of
// its text forms and the stored one, and signs it again: the same bytes come out.
func TestVectorsThroughADraft(t *testing.T) {
	file := readVectors(t)
	signed := 0
	for name, f := range file.Fixtures {
		offer, err := capsule.Open(f.Envelope)
		if err != nil || offer.Event() == nil {
			continue
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
		again, err := identity.Sign(file.key(t, f.Signer), d.Unsigned(event.CreatedAt(), event.Nonce()), capsule.Format())
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
