package identity

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"akx/view/fault"
)

// readVectors fills v with conformance data, or skips the test where there is none.
// A member that v does not name fails the test.
func readVectors(t *testing.T, name string, v any) {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "conformance", "agent-knowledge", name)
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("no conformance data beside the repository")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := json.NewDecoder(f)
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		t.Fatal(err)
	}
}

type named struct {
	Name, Value, Text string
}

// UnmarshalJSON reads a string or {name, value|text}.
func (n *named) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		err := json.Unmarshal(b, &n.Value)
		n.Name = n.Value
		return err
	}
	type plain named
	if err := json.Unmarshal(b, (*plain)(n)); err != nil {
		return err
	}
	n.Value += n.Text
	return nil
}

type validity struct{ Valid, Invalid []named }

type identityVectors struct {
	Protocol, Description string
	Keys                  []struct {
		Name, Seed string
		PublicKey  string `json:"public_key"`
		AgentID    string `json:"agent_id"`
	}
	Events []struct {
		Name                       string
		Event                      json.RawMessage
		JCS, Hash, Signature, Seed string
	}
	ClosedShape struct {
		Invalid []struct {
			Name  string
			Event json.RawMessage
		}
	} `json:"events_closed_shape"`
	Signatures []struct {
		Name      string
		PublicKey string `json:"public_key"`
		Message   string
		Signature string
		Valid     bool
	}
	AgentIDs     validity `json:"agent_ids"`
	JSON         validity
	Origins      validity
	MaxSeenNonce []struct {
		Name      string
		NextNonce int64 `json:"next_nonce"`
		NowMS     int64 `json:"now_ms"`
		Header    string
		Accepted  bool
		NextAfter int64 `json:"next_after"`
	} `json:"max_seen_nonce"`
	RequestJWTs struct {
		Audience string
		NowSecs  int64 `json:"now_secs"`
		MaxTTL   int64 `json:"max_ttl_secs"`
		Valid    []struct {
			Name, Token string
			Claims      struct {
				Iss, Sub, Aud string
				Iat, Exp      int64
			}
		}
		Invalid []struct{ Name, Token string }
	} `json:"request_jwts"`
}

// foreignFormats are the other protocols of the vectors.
var foreignFormats = map[string]Format{
	"agent-profile/1.0": {Protocol: "agent-profile/1.0", Types: []string{"profile.update"}},
	"agent-discourse/1.0": {Protocol: "agent-discourse/1.0", Types: []string{"message.create"},
		Extra: []string{"room_id", "base_seq", "base_hash", "mentions"}},
}

func vectors(t *testing.T) identityVectors {
	t.Helper()
	var v identityVectors
	readVectors(t, "identity-vectors.json", &v)
	return v
}

func mustHex(t *testing.T, s string) [32]byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != 32 {
		t.Fatalf("not 32 bytes in hex: %q", s)
	}
	return [32]byte(b)
}

func TestVectorKeys(t *testing.T) {
	for _, c := range vectors(t).Keys {
		actor := NewKey(mustHex(t, c.Seed)).Actor()
		if actor.String() != c.AgentID || c.AgentID != AgentPrefix+c.PublicKey {
			t.Errorf("%s: got %s, want %s", c.Name, actor, c.AgentID)
		}
		if name, ok := TestSeedName(actor); !ok || name != c.Name {
			t.Errorf("%s: named %q, %v", c.Name, name, ok)
		}
	}
}

func TestVectorEvents(t *testing.T) {
	for _, c := range vectors(t).Events {
		event, err := Parse(c.Event)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		if got := string(AppendCanonical(nil, event)); got != c.JCS {
			t.Errorf("%s: canonical\n got %s\nwant %s", c.Name, got, c.JCS)
		}
		protocol, _ := event.Get("protocol")
		format := foreignFormats[protocol.Text()]
		text := `{"hash":"` + c.Hash + `","event":` + string(c.Event) + `,"signature":"` + c.Signature + `"}`
		e, err := Open([]byte(text), format)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		if e.ID().String() != c.Hash || string(e.Canonical()) != c.JCS || e.Text() != text {
			t.Errorf("%s: opened to %s", c.Name, e.ID())
		}
		again, err := Sign(NewKey(mustHex(t, c.Seed)), draftOf(e, format), format)
		if err != nil || again.ID() != e.ID() || again.Signature() != e.Signature() {
			t.Errorf("%s: signed again: %v", c.Name, err)
		}
	}
}

// draftOf takes an envelope apart for signing it again.
func draftOf(e Envelope, format Format) Draft {
	d := Draft{Protocol: e.Protocol(), Type: e.Type(), CreatedAt: e.CreatedAt(), Nonce: e.Nonce(), Payload: e.Payload()}
	for _, name := range format.Extra {
		v, _ := e.Event().Get(name)
		d.Extra = append(d.Extra, Member{Name: name, Value: v})
	}
	return d
}

func TestVectorClosedShape(t *testing.T) {
	zero := ID{}.String()
	for _, c := range vectors(t).ClosedShape.Invalid {
		text := `{"hash":"` + zero + `","event":` + string(c.Event) + `,"signature":"` + Signature{}.String() + `"}`
		var head struct{ Protocol string }
		if err := json.Unmarshal(c.Event, &head); err != nil {
			t.Fatal(err)
		}
		e, err := Open([]byte(text), foreignFormats[head.Protocol])
		wantStep(t, c.Name, err, fault.StepShape)
		if !e.IsZero() {
			t.Errorf("%s: an envelope beside an error", c.Name)
		}
	}
}

func TestVectorSignatures(t *testing.T) {
	for _, c := range vectors(t).Signatures {
		actor, err := ParseActor(AgentPrefix + c.PublicKey)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		signature, err := ParseSignature(c.Signature)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		message, err := base64.RawURLEncoding.DecodeString(c.Message)
		if err != nil {
			t.Fatal(err)
		}
		if got := Verify(actor, message, signature); got != c.Valid {
			t.Errorf("%s: %v, want %v", c.Name, got, c.Valid)
		}
	}
}

func TestVectorTexts(t *testing.T) {
	v := vectors(t)
	for _, c := range []struct {
		name  string
		cases validity
		parse func(string) error
	}{
		{"agent_ids", v.AgentIDs, func(s string) error { _, err := ParseActor(s); return err }},
		{"json", v.JSON, func(s string) error { _, err := Parse([]byte(s)); return err }},
		{"origins", v.Origins, func(s string) error { _, err := ParseOrigin(s); return err }},
	} {
		if len(c.cases.Valid) == 0 || len(c.cases.Invalid) == 0 {
			t.Errorf("%s: no cases", c.name)
		}
		for _, item := range c.cases.Valid {
			if err := c.parse(item.Value); err != nil {
				t.Errorf("%s: %s: %v", c.name, item.Name, err)
			}
		}
		for _, item := range c.cases.Invalid {
			if c.parse(item.Value) == nil {
				t.Errorf("%s: %s: accepted", c.name, item.Name)
			}
		}
	}
}

func TestVectorMaxSeenNonce(t *testing.T) {
	for _, c := range vectors(t).MaxSeenNonce {
		next, err := ApplyMaxSeen(c.NextNonce, c.NowMS, c.Header)
		want := c.NextAfter
		if !c.Accepted {
			want = c.NextNonce
		}
		if (err == nil) != c.Accepted || next != want {
			t.Errorf("%s: %d, %v; want %d", c.Name, next, err, want)
		}
	}
}

func TestVectorRequestJWTs(t *testing.T) {
	v := vectors(t).RequestJWTs
	for _, c := range v.Valid {
		got, err := OpenRequest(c.Token, Origin(v.Audience), v.NowSecs, v.MaxTTL)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		want := []any{c.Claims.Iss, c.Claims.Sub, c.Claims.Aud, c.Claims.Iat, c.Claims.Exp}
		have := []any{got.Issuer.String(), got.Subject.String(), string(got.Audience), got.IssuedAt, got.Expires}
		if !reflect.DeepEqual(have, want) {
			t.Errorf("%s: %v, want %v", c.Name, have, want)
		}
	}
	for _, c := range v.Invalid {
		got, err := OpenRequest(c.Token, Origin(v.Audience), v.NowSecs, v.MaxTTL)
		if coded := fault.Coded(nil); !errors.As(err, &coded) || coded.FaultCode() != fault.InvalidToken {
			t.Errorf("%s: %v", c.Name, err)
		}
		if got != (Claims{}) {
			t.Errorf("%s: claims beside an error", c.Name)
		}
	}
}

// wantStep checks that err is a refusal at step.
func wantStep(t *testing.T, name string, err error, step fault.Step) {
	t.Helper()
	var refusal *fault.Refusal
	if !errors.As(err, &refusal) {
		t.Errorf("%s: %v, want a refusal at the step %s", name, err, step)
	} else if refusal.Step != step || refusal.Code != step.Code() {
		t.Errorf("%s: step %s, code %s (%v), want step %s", name, refusal.Step, refusal.Code, err, step)
	}
}
