package identity

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"akx/view/fault"
)

func TestParseAccepts_AgentIdentity_4_1(t *testing.T) {
	for text, canonical := range map[string]string{
		`{}`: `{}`, `[]`: `[]`, `null`: `null`, `true`: `true`, `false`: `false`, `""`: `""`, `0`: `0`,
		" \t\r\n{ \"a\" : [ 1 , { } ] } \n":                    `{"a":[1,{}]}`,
		`{"b":1,"a":{"d":2,"c":3}}`:                            `{"a":{"c":3,"d":2},"b":1}`,
		`{"":1,"a":2,"aa":3}`:                                  `{"":1,"a":2,"aa":3}`,
		`"\u0041\/\b\f\n\r\t\"\\\u001f"`:                       `"A/\b\f\n\r\t\"\\\u001f"`,
		`"\u00e9é\u20ac€\u2028"`:                               "\"éé€€\u2028\"",
		`"\ud83d\ude00😀\uD83D\uDE00"`:                          `"😀😀😀"`,
		`"` + "\x7f" + `"`:                                     "\"\x7f\"",
		`"\u0000"`:                                             `"\u0000"`,
		`"\ufffe\uffff\ufdd0"`:                                 "\"\ufffe\uffff\ufdd0\"", // noncharacters are allowed
		`{"\uFF01":1,"\ud83d\ude00":2,"\u00e9":3,"a":4,"B":5}`: `{"B":5,"a":4,"é":3,"😀":2,"！":1}`,
		`{"\ue000":1,"\ud83d\ude00":2,"\ud7ff":3}`:             "{\"\ud7ff\":3,\"😀\":2,\"\ue000\":1}",
		`{"a\u0301":1,"á":2}`:                                  "{\"a\u0301\":1,\"á\":2}", // no normalization
	} {
		v, err := Parse([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := string(AppendCanonical(nil, v)); got != canonical {
			t.Errorf("%s: %s, want %s", text, got, canonical)
		}
		if again, err := Parse([]byte(canonical)); err != nil || !again.Equal(v) {
			t.Errorf("%s: canonical form is another value: %v", text, err)
		}
	}
}

func TestParseRefuses_AgentIdentity_4_1(t *testing.T) {
	for _, text := range []string{
		"", " ", "\ufeff{}", "\ufeff", "{}{}", "{} x", "1 2", "[1 2]", "[1,]", "[,1]", "[", "]", "[1", "{", "}", `{"a"`, `{"a":`, `{"a":1`, `{"a":1,}`, `{,}`, `{a:1}`, `{'a':1}`, `{1:1}`, `{"a" 1}`, `{"a":1 "b":2}`, `[1}`, `{"a":1]`,
		"nul", "nulll", "True", "NaN", "Infinity", "-Infinity", "undefined", "//x\n1", "/**/1", "\x001", "1\x00", "\v1", "\f1", "\u00a01",
		`{"a":1,"a":1}`, `{"a":{"b":1,"b":2}}`, `[{"x":0},{"a":1,"\u0061":2}]`, `{"":1,"":2}`, `{"😀":1,"\ud83d\ude00":2}`,
		`"`, `"a`, `"\`, `"\"`, `"\x"`, `"\u"`, `"\u12"`, `"\u12g4"`, `"\u+123"`, `"\U0041"`, "\"\n\"", "\"\x00\"", "\"\x1f\"", "'a'",
		`"\ud800"`, `"\udc00"`, `"\ud800x"`, `"\ud800\u0041"`, `"\ud800\ud800"`, `"\udc00\ud800"`, `"\ud83d\ud83d\ude00"`, `{"\ud800":1}`,
		"\"\xff\"", "\"\xc3\"", "\"\xc0\x80\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "\xff", "{\"\x80\":1}",
	} {
		v, err := Parse([]byte(text))
		wantStep(t, fmt.Sprintf("%q", text), err, fault.StepParse)
		if v.Kind() != Absent {
			t.Errorf("%q: a value beside an error", text)
		}
	}
}

func TestNumbers_AgentIdentity_4_1(t *testing.T) {
	for text, canonical := range map[string]string{
		"0": "0", "-0": "0", "0.0": "0", "-0.0": "0", "-0e5": "0", "1.0": "1", "10e-1": "1", "1e2": "100", "1E+2": "100", "-1": "-1",
		"9007199254740991": "9007199254740991", "-9007199254740991": "-9007199254740991", "9007199254740991.0": "9007199254740991", "9.007199254740991e15": "9007199254740991",
		"999999999999999": "999999999999999", "1000000000000000": "1000000000000000", "-999999999999999": "-999999999999999",
		"0.1": "0.1", "0.000001": "0.000001", "0.0000001": "1e-7", "1.5e-7": "1.5e-7", "-1e-10": "-1e-10", "1e-300": "1e-300", "5e-324": "5e-324", "2.5": "2.5",
		"123.456": "123.456", "0.1e1": "1", "4503599627370497.5": "4503599627370498", "2251799813685249.5": "2251799813685249.5", "1e-400": "0", "-1e-400": "0", "333333333.33333329": "333333333.3333333", "2.2250738585072014e-308": "2.2250738585072014e-308",
	} {
		v, err := Parse([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := string(AppendCanonical(nil, v)); got != canonical {
			t.Errorf("%s: %s, want %s", text, got, canonical)
		}
		n, ok := v.Integer()
		if want := !strings.ContainsAny(canonical, ".e"); ok != want || ok && fmt.Sprint(n) != canonical {
			t.Errorf("%s: integer %d, %v", text, n, ok)
		}
		if math.Signbit(v.Float()) != strings.HasPrefix(canonical, "-") {
			t.Errorf("%s: sign of %v", text, v.Float())
		}
	}
	for _, text := range []string{
		"9007199254740992", "-9007199254740992", "9007199254740993", "9007199254740992.0", "1e16", "1e20", "-1e20", "1e400", "-1e400", "1e999999999999", "1.5e300", "9007199254740991.6", strings.Repeat("9", 5000),
		"", "-", "+1", "01", "-01", "00", "1.", ".1", "1.e1", "1e", "1e+", "1e-", "0x1", "1_0", "1a", "--1", "-a", "1.2.3", "1e5.5", "٣",
	} {
		_, err := Parse([]byte(text))
		wantStep(t, text, err, fault.StepParse)
	}
}

func TestDepth(t *testing.T) {
	for _, pair := range [][2]string{{"[", "]"}, {`{"a":`, "}"}, {`[{"a":`, "}]"}} {
		levels := strings.Count(pair[0], "[") + strings.Count(pair[0], "{")
		nest := func(n int) []byte {
			return []byte(strings.Repeat(pair[0], n) + "1" + strings.Repeat(pair[1], n))
		}
		v, err := Parse(nest(MaxDepth / levels))
		if err != nil {
			t.Errorf("%s: %v", pair[0], err)
		}
		if string(AppendCanonical(nil, v)) != string(nest(MaxDepth/levels)) {
			t.Errorf("%s: canonical form differs", pair[0])
		}
		_, err = Parse(nest(MaxDepth/levels + 1))
		wantStep(t, pair[0], err, fault.StepLimit)
		_, err = Parse([]byte(strings.Repeat(pair[0], 1<<20)))
		wantStep(t, pair[0], err, fault.StepLimit)
	}
	if _, err := Parse([]byte("[" + strings.Repeat("[],", 10*MaxDepth) + "[]]")); err != nil {
		t.Errorf("siblings count as depth: %v", err)
	}
}

// Quadratic work on 200,000 members would take minutes; the bound leaves room for
// a slow, busy machine.
func TestWideObjectsAreNotQuadratic(t *testing.T) {
	wide := func(n int, last string) []byte {
		var b strings.Builder
		b.WriteString("{")
		for i := n; i > 0; i-- {
			fmt.Fprintf(&b, `"%s%d":0,`, strings.Repeat("x", 20), i)
		}
		return []byte(b.String() + last + ":0}")
	}
	run := func(n int) time.Duration {
		text := wide(n, `"y"`)
		start := time.Now()
		v, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		AppendCanonical(nil, v)
		if !v.Equal(v) {
			t.Fatal("not equal to itself")
		}
		return time.Since(start)
	}
	if long := run(200_000); long > 20*time.Second {
		t.Errorf("200,000 members took %v", long)
	}
	for _, n := range []int{smallObject - 1, smallObject, smallObject + 1, 1000} {
		_, err := Parse(wide(n, `"xxxxxxxxxxxxxxxxxxxx1"`))
		wantStep(t, fmt.Sprint(n, " members and one twice"), err, fault.StepParse)
	}
}

func TestEqual(t *testing.T) {
	many := func(from, to, step int) string {
		var b strings.Builder
		for i := from; i != to; i += step {
			fmt.Fprintf(&b, `"m%d":%d,`, i, i)
		}
		return "{" + b.String() + `"z":[]}`
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":[1.0,"x"]}`, `{"b":[1,"\u0078"],"a":1e0}`, true},
		{`-0`, `0`, true}, {`1`, `"1"`, false}, {`[1,2]`, `[2,1]`, false}, {`[1]`, `[1,1]`, false},
		{`{"a":1}`, `{"b":1}`, false}, {`{"a":1}`, `{"a":2}`, false}, {`{"a":1}`, `{"a":1,"b":1}`, false},
		{`{}`, `[]`, false}, {`null`, `false`, false}, {`true`, `false`, false}, {`null`, `null`, true}, {`""`, `"a"`, false},
		{many(1, 50, 1), many(49, 0, -1), true}, {many(1, 50, 1), many(2, 51, 1), false},
	} {
		a, errA := Parse([]byte(c.a))
		b, errB := Parse([]byte(c.b))
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if a.Equal(b) != c.want || b.Equal(a) != c.want {
			t.Errorf("%s and %s: want %v", c.a, c.b, c.want)
		}
	}
}

func TestSpansAndAccess(t *testing.T) {
	text := ` {"a": [1, "x\u0041" , {}],"b":null , "c":true} `
	v, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	span := func(v Value) string { s, e := v.Span(); return text[s:e] }
	a, _ := v.Get("a")
	got := []string{span(v), span(a), span(a.Items()[0]), span(a.Items()[1]), span(a.Items()[2])}
	want := []string{strings.TrimSpace(text), `[1, "x\u0041" , {}]`, `1`, `"x\u0041"`, `{}`}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("span %d: %s, want %s", i, got[i], want[i])
		}
	}
	if len(v.Members()) != 3 || v.Members()[2].Name != "c" || !v.Members()[2].Value.Bool() || a.Items()[1].Text() != "xA" {
		t.Errorf("members %v", v.Members())
	}
	if none, ok := v.Get("d"); ok || none.Kind() != Absent {
		t.Error("a member that is not there")
	}
}

func TestBuilders(t *testing.T) {
	v := ObjectValue(
		Member{"s", StringValue("a\n\"é")}, Member{"n", IntegerValue(-7)}, Member{"b", BoolValue(true)},
		Member{"a", ArrayValue(IntegerValue(MaxSafeInteger), ObjectValue(), ArrayValue())})
	const want = `{"a":[9007199254740991,{},[]],"b":true,"n":-7,"s":"a\n\"é"}`
	if got := string(AppendCanonical([]byte("x"), v)); got != "x"+want {
		t.Errorf("%s", got)
	}
	parsed, err := Parse([]byte(want))
	if err != nil || !parsed.Equal(v) {
		t.Errorf("built and parsed differ: %v", err)
	}
}

// A pooled parser must not carry anything from one text into the next.
func TestParserForgets(t *testing.T) {
	for range 3 {
		if _, err := Parse([]byte(`[[{"a":[1,2,{"b":`)); err == nil {
			t.Fatal("accepted")
		}
		v, err := Parse([]byte(`{"x":[3],"y":"\n"}`))
		if err != nil || string(AppendCanonical(nil, v)) != `{"x":[3],"y":"\n"}` {
			t.Fatalf("%v, %v", v, err)
		}
	}
}
