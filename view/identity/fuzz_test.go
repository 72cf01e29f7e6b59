package identity

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"

	"akx/view/fault"
)

// jsonSeeds start the fuzzing of the parser.
var jsonSeeds = []string{
	`{}`, `[]`, `[null,true,false]`, `{"a":{"b":[1,2,{"c":"d"}]}}`, `{"b":1,"a":2,"c":{"z":1,"y":2}}`,
	`{"\uFF01":1,"\ud83d\ude00":2,"\u00e9":3,"a":4,"B":5}`, `{"\ue000":1,"\ud83d\ude00":2,"\ud7ff":3,"\ufffd":4}`,
	`["\u0000\u001f\u007f\u0080\u2028","\b\f\n\r\t\"\\\/"]`, `["\ud800"]`, `["\ud83d\ude00\udbff\udfff"]`,
	`[0,-0,1.0,1e2,1E-7,0.000001,123.456,5e-324,9007199254740991,-9007199254740991]`, `[9007199254740992]`, `[1e20,1e400]`,
	`[333333333.33333329,4.50,2e-3,1e-27,0.000000000000000000000000001]`, `[4503599627370497.5,9007199254740991.5,0.1e-6]`,
	`{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, "[\"\xff\"]", "\ufeff[]", `[]x`, ` [ 1 , 2 ] `, `[01]`, `[1.]`, `[,]`, `[1 2]`, `{"a"}`,
	strings.Repeat("[", 201) + strings.Repeat("]", 201), `[{"12":1,"1":2,"3":3,"":4}]`, `["é","é","€","😀"]`,
	`{"a0":0,"a1":0,"a2":0,"a3":0,"a4":0,"a5":0,"a6":0,"a7":0,"a8":0,"a9":0,"b0":0,"b1":0,"b2":0,"b3":0,"b4":0,"b5":0,"b6":0,"b5":0}`,
}

// FuzzParse compares the strict parser and the canonical form with gowebpki/jcs.
// What only the reference accepts must break a rule that the reference lacks.
func FuzzParse(f *testing.F) {
	for _, seed := range jsonSeeds {
		f.Add([]byte(seed))
	}
	f.Add(benchText(f))
	f.Fuzz(func(t *testing.T, text []byte) {
		before := bytes.Clone(text)
		v, err := Parse(text)
		if !bytes.Equal(text, before) {
			t.Fatal("the text was changed")
		}
		trimmed := bytes.TrimLeft(text, " \t\r\n")
		compound := len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[')
		if err != nil {
			if v.Kind() != Absent {
				t.Fatal("a value beside an error")
			}
			if reference, err := jcs.Transform(text); compound && err == nil && !breaksLimits(text) {
				t.Fatalf("refused %q, the reference gives %s", text, reference)
			}
			return
		}
		canonical := AppendCanonical(nil, v)
		if compound {
			reference, err := jcs.Transform(text)
			if err != nil || !bytes.Equal(reference, canonical) {
				t.Fatalf("%q\n     ours %s\nreference %s %v", text, canonical, reference, err)
			}
		}
		again, err := Parse(canonical)
		if err != nil || !again.Equal(v) || !bytes.Equal(AppendCanonical(nil, again), canonical) {
			t.Fatalf("%q: its canonical form %s is another value: %v", text, canonical, err)
		}
	})
}

// breaksLimits reports whether valid JSON holds a number beyond the safe range, as
// a double, or nests too deep.
func breaksLimits(text []byte) bool {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	depth := 0
	for {
		token, err := d.Token()
		if err != nil {
			return false
		}
		switch token := token.(type) {
		case json.Delim:
			if depth++; token == '}' || token == ']' {
				depth -= 2
			}
			if depth > MaxDepth {
				return true
			}
		case json.Number:
			if n, err := token.Float64(); err != nil || math.Abs(n) > MaxSafeInteger {
				return true
			}
		}
	}
}

// FuzzOpen changes signed envelopes in one place: what still opens is the same
// event under the same signature.
func FuzzOpen(f *testing.F) {
	original := benchText(f)
	want, err := Open(original, benchFormat)
	if err != nil {
		f.Fatal(err)
	}
	for i := range 16 {
		f.Add(i*len(original)/16, byte(1<<(i%8)), []byte{})
	}
	f.Add(0, byte(0), []byte(" "))
	f.Add(8, byte(0), []byte("A"))
	f.Add(len(original)-3, byte(3), []byte("="))
	f.Fuzz(func(t *testing.T, at int, flip byte, insert []byte) {
		if at < 0 || at >= len(original) || len(insert) > 1<<10 {
			return
		}
		text := append(append(bytes.Clone(original[:at]), insert...), original[at:]...)
		text[at] ^= flip
		checkSame(t, text, want)
	})
}

func checkSame(t *testing.T, text []byte, want Envelope) {
	t.Helper()
	e, err := Open(text, benchFormat)
	if err != nil {
		if !e.IsZero() || e.Text() != "" {
			t.Fatal("an envelope beside an error")
		}
		return
	}
	if e.ID() != want.ID() || e.Signature() != want.Signature() || e.Actor() != want.Actor() ||
		!bytes.Equal(e.Canonical(), want.Canonical()) || e.Text() != string(text) {
		t.Fatalf("%s opens as %s", text, e.ID())
	}
}

// TestEveryBitOfAnEnvelope flips each bit once.
func TestEveryBitOfAnEnvelope(t *testing.T) {
	e, err := Sign(TestKey(0x22), Draft{Protocol: benchFormat.Protocol, Type: "knowledge.retract", CreatedAt: 5, Nonce: 1,
		Payload: ObjectValue(Member{"reason", StringValue("none")})}, benchFormat)
	if err != nil {
		t.Fatal(err)
	}
	original := []byte(e.Text())
	for i := range original {
		for bit := range 8 {
			text := bytes.Clone(original)
			text[i] ^= 1 << bit
			if again, err := Open(text, benchFormat); err == nil {
				t.Fatalf("bit %d of byte %d flipped opens as %s", bit, i, again.ID())
			}
			if again, err := Reopen(text, e.Proven(), benchFormat); err == nil || !again.IsZero() {
				t.Fatalf("bit %d of byte %d flipped reopens", bit, i)
			}
		}
	}
}

// FuzzIDs: what is accepted prints as it was read, and an error leaves zero.
func FuzzIDs(f *testing.F) {
	for _, s := range idTexts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, idErr := ParseID(s)
		digest, digestErr := ParseDigest(s)
		actor, actorErr := ParseActor(s)
		signature, signatureErr := ParseSignature(s)
		for _, c := range []struct {
			err     error
			printed string
			zero    bool
		}{
			{idErr, id.String(), id.IsZero()}, {digestErr, digest.String(), digest.IsZero()},
			{actorErr, actor.String(), actor.IsZero()}, {signatureErr, signature.String(), signature == Signature{}},
		} {
			if c.err == nil && c.printed != s || c.err != nil && !c.zero {
				t.Fatalf("%q: read as %q, %v", s, c.printed, c.err)
			}
		}
	})
}

// FuzzOpenRequest: no token but a signed one opens, and nothing panics.
func FuzzOpenRequest(f *testing.F) {
	const aud, now = Origin("https://hub.example"), 1_800_000_000
	token, err := SignRequest(TestKey(0x21), aud, now, 300)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(token)
	f.Add("..")
	f.Add(strings.Replace(token, ".", "=.", 1))
	f.Add(token[:len(token)-1])
	f.Fuzz(func(t *testing.T, s string) {
		c, err := OpenRequest(s, aud, now, 300)
		if err == nil && s != token || err != nil && c != (Claims{}) {
			t.Fatalf("%q opens as %v, %v", s, c, err)
		}
	})
}

func TestSeedCount(t *testing.T) {
	if len(jsonSeeds) < 28 || len(idTexts) < 12 {
		t.Errorf("only %d and %d seeds", len(jsonSeeds), len(idTexts))
	}
	for _, target := range []string{"FuzzParse"} {
		found, err := os.ReadDir("testdata/fuzz/" + target)
		if err != nil || len(found) < 1 {
			t.Errorf("%s: %d seed files, %v", target, len(found), err)
		}
	}
}

func TestStepOfAnEmptyText(t *testing.T) {
	_, err := Open(nil, benchFormat)
	wantStep(t, "empty", err, fault.StepParse)
}
