package identity

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"akx/view/fault"
)

// nonCanonical encodes y = p + n, which fits 255 bits up to n = 18.
func nonCanonical(n byte) [32]byte {
	var b [32]byte
	for i := range b {
		b[i] = 0xff
	}
	b[0], b[31] = 0xed+n, 0x7f
	return b
}

func TestPoints_AgentIdentity_3(t *testing.T) {
	for n := range byte(19) {
		b := nonCanonical(n)
		if usablePoint(b) {
			t.Errorf("y = p + %d is canonical", n)
		}
		b[31] |= 0x80
		if usablePoint(b) {
			t.Errorf("y = p + %d with the top bit is canonical", n)
		}
	}
	for _, s := range []string{
		"0100000000000000000000000000000000000000000000000000000000000000", "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"0000000000000000000000000000000000000000000000000000000000000000", "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
		"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
	} {
		raw, err := hex.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, top := range []byte{0, 0x80} {
			b := [32]byte(raw)
			b[31] |= top
			if usablePoint(b) {
				t.Errorf("%x is of small order", b)
			}
		}
	}
	for _, b := range [][32]byte{{2}, {3}, {0xec}, {31: 0x7f}, {0: 0xed, 31: 0x7f}, func() [32]byte { b := nonCanonical(0); b[0] = 0xeb; return b }(), func() [32]byte { b := nonCanonical(0); b[15] = 0xfe; return b }()} {
		if !usablePoint(b) {
			t.Errorf("%x is refused", b)
		}
	}
}

func TestVerify_AgentIdentity_3(t *testing.T) {
	k, message := TestKey(0x21), []byte("message")
	signature, err := k.sign(message)
	if err != nil {
		t.Fatal(err)
	}
	if !Verify(k.Actor(), message, signature) {
		t.Fatal("a good signature is refused")
	}
	if Verify(k.Actor(), []byte("other"), signature) || Verify(TestKey(0x22).Actor(), message, signature) || Verify(Actor{}, message, signature) || Verify(k.Actor(), message, Signature{}) {
		t.Error("a bad signature is accepted")
	}
	// S + L satisfies the equation and is refused all the same.
	order, _ := new(big.Int).SetString("7237005577332262213973186563042994240857116359379907606001950938285454250989", 10)
	s := new(big.Int).Add(new(big.Int).SetBytes(reversed(signature[32:])), order)
	malleable := signature
	copy(malleable[32:], reversed(s.FillBytes(make([]byte, 32))))
	if Verify(k.Actor(), message, malleable) {
		t.Error("S + L is accepted")
	}
}

// With A and R of small order the bare library accepts S = 0 for any message that
// hashes right; the identity point takes every message.
func TestSmallOrderIsRefusedThoughTheLibraryAccepts(t *testing.T) {
	for _, key := range []Actor{{1}, nonCanonicalActor(1)} {
		var signature Signature
		signature[0] = 1
		if !ed25519.Verify(key[:], []byte("any"), signature[:]) {
			t.Errorf("%x: the library refuses it by itself: the case proves nothing", key)
		}
		if Verify(key, []byte("any"), signature) {
			t.Errorf("%x is accepted", key)
		}
	}
}

// nonCanonicalActor encodes the point with y = n as p + n.
func nonCanonicalActor(n byte) Actor { return Actor(nonCanonical(n)) }

func reversed(b []byte) []byte {
	out := bytes.Clone(b)
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

func TestKeyWipe(t *testing.T) {
	k := TestKey(0x21)
	copied := k
	if k.Actor().IsZero() {
		t.Fatal("no actor")
	}
	k.Wipe()
	if !bytes.Equal(copied.secret.private[:], make([]byte, 64)) {
		t.Error("a copy still holds the key")
	}
	d := Draft{Protocol: benchFormat.Protocol, Type: "knowledge.retract", Nonce: 1, Payload: ObjectValue()}
	for name, k := range map[string]Key{"wiped": k, "zero": {}} {
		e, err := Sign(k, d, benchFormat)
		var usage *fault.Usage
		if !errors.As(err, &usage) || !e.IsZero() || !k.Actor().IsZero() {
			t.Errorf("%s: %v", name, err)
		}
		if token, err := SignRequest(k, "https://a.example", 1, 1); err == nil || token != "" {
			t.Errorf("%s: signs a token", name)
		}
		k.Wipe()
	}
}

func TestSignRefusesWhatItWouldNotOpen(t *testing.T) {
	good := Draft{Protocol: benchFormat.Protocol, Type: "knowledge.retract", CreatedAt: 0, Nonce: 1, Payload: ObjectValue()}
	deep := ObjectValue()
	for range MaxDepth {
		deep = ArrayValue(deep)
	}
	for name, c := range map[string]struct {
		edit func(*Draft)
		step fault.Step
	}{
		"protocol":        {func(d *Draft) { d.Protocol = "x" }, fault.StepShape},
		"type":            {func(d *Draft) { d.Type = "" }, fault.StepShape},
		"time":            {func(d *Draft) { d.CreatedAt = -1 }, fault.StepShape},
		"nonce":           {func(d *Draft) { d.Nonce = 0 }, fault.StepShape},
		"spent nonce":     {func(d *Draft) { d.Nonce = NextNonce(MaxSafeInteger, 0) }, fault.StepParse},
		"no payload":      {func(d *Draft) { d.Payload = Value{} }, fault.StepParse},
		"payload":         {func(d *Draft) { d.Payload = ArrayValue() }, fault.StepShape},
		"extra":           {func(d *Draft) { d.Extra = []Member{{"x", BoolValue(true)}} }, fault.StepShape},
		"a member twice":  {func(d *Draft) { d.Extra = []Member{{"nonce", IntegerValue(1)}} }, fault.StepParse},
		"invalid UTF-8":   {func(d *Draft) { d.Payload = ObjectValue(Member{"x", StringValue("\xff")}) }, fault.StepParse},
		"nested too deep": {func(d *Draft) { d.Payload = ObjectValue(Member{"x", deep}) }, fault.StepLimit},
		"over 256 KiB": {func(d *Draft) {
			d.Payload = ObjectValue(Member{"x", StringValue(strings.Repeat("x", MaxEnvelopeBytes))})
		}, fault.StepLimit},
		"an absent member": {func(d *Draft) { d.Payload = ObjectValue(Member{"x", Value{}}) }, fault.StepParse},
	} {
		d := good
		c.edit(&d)
		e, err := Sign(TestKey(1), d, benchFormat)
		wantStep(t, name, err, c.step)
		if !e.IsZero() {
			t.Errorf("%s: an envelope beside an error", name)
		}
	}
	if _, err := Sign(TestKey(1), good, benchFormat); err != nil {
		t.Error(err)
	}
}

// No key ever leaves in a log, an error or JSON: not by itself, and not inside
// another value.
func TestKeyIsNeverPrinted(t *testing.T) {
	seed := [32]byte{1: 0x5a, 7: 0xc3, 31: 0x99}
	k := NewKey(seed)
	type holder struct {
		Shown Key
		kept  Key
		more  []Key
	}
	h := holder{k, k, []Key{k}}
	for _, v := range []any{k, &k, h, &h, []Key{k}, map[string]Key{"a": k}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%q", "%d"} {
			checkHidden(t, seed, fmt.Sprintf(verb, v))
		}
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		checkHidden(t, seed, string(text))
	}
	if len(h.more) != 1 || h.kept.Actor() != k.Actor() {
		t.Fatal("the holder does not hold the key")
	}
}

func checkHidden(t *testing.T, seed [32]byte, text string) {
	t.Helper()
	for _, form := range []string{hex.EncodeToString(seed[:]), base64.StdEncoding.EncodeToString(seed[:]), fmt.Sprint(seed[:])[1:20], fmt.Sprintf("%#v", seed[:])[7:30], string(seed[:])} {
		if strings.Contains(text, form) {
			t.Errorf("the key shows in %q", text)
		}
	}
}
