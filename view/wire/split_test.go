package wire

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"akx/view/fault"
)

// cut lists what a splitter makes of text: "where|text" or "where!step".
func cut(t testing.TB, r io.Reader, maxBytes int) []string {
	t.Helper()
	s := NewSplitter(r, maxBytes)
	var out []string
	for {
		p, err := s.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatalf("reader's error: %v", err)
		}
		if p.Err == nil {
			out = append(out, p.Where+"|"+string(p.Text))
			continue
		}
		var r *fault.Refusal
		if !errors.As(p.Err, &r) || r.Code != r.Step.Code() || r.Detail == "" {
			t.Fatalf("not a clear refusal: %#v", p.Err)
		}
		out = append(out, p.Where+"!"+r.Step.String())
	}
}

const (
	torn1 = "!strict JSON"
	large = "!local limit"
)

func TestSplit(t *testing.T) {
	const a, b, c = `{"hash":"a"}`, `{"hash":"b"}`, `{"hash":"c"}`
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"empty", "", nil},
		{"blanks", " \r\n\t\n", nil},
		{"one object", a, []string{"line 1|" + a}},
		{"JSON Lines", a + "\n" + b + "\n", []string{"line 1|" + a, "line 2|" + b}},
		{"CRLF and blank lines", a + "\r\n\r\n\n" + b + "\r\n", []string{"line 1|" + a, "line 4|" + b}},
		{"concatenated", a + b + " " + c, []string{"line 1|" + a, "line 1, object 2|" + b, "line 1, object 3|" + c}},
		{"pretty", "{\n  \"hash\": [\n    {\n      \"x\": 1\n    }\n  ]\n}\n" + b, []string{"line 1|{\n  \"hash\": [\n    {\n      \"x\": 1\n    }\n  ]\n}", "line 8|" + b}},
		{"pretty without indent", "{\n\"hash\": [\n{\n\"x\": 1\n},\n{\n\"x\": 2\n}\n]\n}\n" + b, []string{"line 1|{\n\"hash\": [\n{\n\"x\": 1\n},\n{\n\"x\": 2\n}\n]\n}", "line 11|" + b}},
		{"array", "[" + a + "," + b + "]\n" + c, []string{"line 1, item 1|" + a, "line 1, item 2|" + b, "line 2|" + c}},
		{"empty array", "[]\n[ ]" + a, []string{"line 2, object 2|" + a}},
		{"pretty array", "[\n  " + a + ",\n  " + b + "\n]", []string{"line 2, item 1|" + a, "line 3, item 2|" + b}},
		{"array of arrays", "[[" + a + "],[" + b + "," + c + "]]", []string{"line 1, item 1.1|" + a, "line 1, item 2.1|" + b, "line 1, item 2.2|" + c}},
		{"response", `{"service":"s","result":[` + a + `, ` + b + `],"missing":["x"],"checkpoint":2}` + "\n" + c, []string{"line 1, item 1|" + a, "line 1, item 2|" + b, "line 2|" + c}},
		{"response with an escaped name", `{"\u0072esult":[` + a + `]}`, []string{"line 1, item 1|" + a}},
		{"empty response", `{"result":[],"checkpoint":0}`, nil},
		{"two responses in an array", `[{"result":[` + a + `]},{"result":[` + b + `]}]`, []string{"line 1, item 1.1|" + a, "line 1, item 2.1|" + b}},
		{"two results in one response", `{"result":[` + a + `],"result":[` + b + `]}` + "\n" + c, []string{"line 1, item 1|" + a, "line 1" + torn1, "line 2|" + c}},
		{"result in a record", `{"seq":1,"result":[{}],"envelope":{}}`, []string{`line 1|{"seq":1,"result":[{}],"envelope":{}}`}},
		{"result that is no array", `{"result":{"x":[1]}}`, []string{`line 1|{"result":{"x":[1]}}`}},
		{"brackets and quotes in strings", `{"a":"]}\"{[\\"}` + b, []string{`line 1|{"a":"]}\"{[\\"}`, "line 1, object 2|" + b}},
		{"byte order mark", "\ufeff" + a + "\n" + b, []string{"line 1" + torn1, "line 2|" + b}},
		{"byte order mark before an array", "\ufeff[" + a + "," + b + "]", []string{"line 1, item 1" + torn1, "line 1, item 2|" + b}},
		{"byte order mark alone", "\ufeff", []string{"line 1" + torn1}},
		{"byte order mark later", a + "\n\ufeff" + b + "\n" + c, []string{"line 1|" + a, "line 2" + torn1, "line 3|" + c}},
		{"torn after a name", `{"hash":` + "\n" + b + "\n" + c, []string{"line 1" + torn1, "line 2|" + b, "line 3|" + c}},
		{"torn after a comma", `{"hash":"a",` + "\n" + b + "\n" + c, []string{"line 1" + torn1, "line 2|" + b, "line 3|" + c}},
		{"torn in a string", `{"hash":"a` + "\n" + b + "\n" + c, []string{"line 1" + torn1, "line 2|" + b, "line 3|" + c}},
		{"torn after a backslash", `{"hash":"a\` + "\n" + b, []string{"line 1" + torn1, "line 2|" + b}},
		{"torn in a nested array", `{"hash":[{"x":1},` + "\n" + b + "\n" + c, []string{"line 1" + torn1, "line 2|" + b, "line 3|" + c}},
		{"torn with CRLF", `{"hash":"a` + "\r\n" + b + "\r\n", []string{"line 1" + torn1, "line 2|" + b}},
		{"torn and indented", "  {\"hash\":\n  " + b + "\n  " + c, []string{"line 1" + torn1, "line 2|" + b, "line 3|" + c}},
		{"many torn", strings.Repeat(`{"hash":`+"\n", 5) + a, []string{"line 1" + torn1, "line 2" + torn1, "line 3" + torn1, "line 4" + torn1, "line 5" + torn1, "line 6|" + a}},
		{"torn at the end", a + "\n" + `{"hash":"b`, []string{"line 1|" + a, "line 2" + torn1}},
		{"missing comma in an object", `{"hash":1 "x":2}` + "\n" + b, []string{"line 1" + torn1, "line 2|" + b}},
		{"malformed item", `[{"hash":1 "x":2},` + b + `,{"hash":,},` + c + `]`, []string{"line 1, item 1" + torn1, "line 1, item 2|" + b, "line 1, item 3" + torn1, "line 1, item 4|" + c}},
		{"item with a wrong bracket", `[{"hash":]},` + b + `]` + "\n" + c, []string{"line 1, item 1" + torn1, "line 1, item 2" + torn1, "line 1|" + b, "line 2|" + c}},
		{"torn item of a pretty array", "[\n  {\"hash\":\"a\n  " + b + ",\n  " + c + "\n]\n" + a, []string{"line 2, item 1" + torn1, "line 3|" + b, "line 4|" + c, "line 6|" + a}},
		{"torn item of a pretty array without indent", "[\n{\"hash\":\"a\n" + b + ",\n" + c + "\n]\n" + a, []string{"line 2, item 1" + torn1, "line 3|" + b, "line 4|" + c, "line 6|" + a}},
		{"torn response, one a line", `{"result":[` + a + `,{"hash":` + "\n" + `{"result":[` + b + `]}` + "\n" + c, []string{"line 1, item 1|" + a, "line 1, item 2" + torn1, "line 2, item 1|" + b, "line 3|" + c}},
		{"response torn behind its records", `{"result":[` + a + `],"checkpoint":` + "\n" + b + "\n" + c, []string{"line 1, item 1|" + a, "line 1" + torn1, "line 2|" + b, "line 3|" + c}},
		{"array cut off", "[" + a + "," + b, []string{"line 1, item 1|" + a, "line 1, item 2|" + b, "line 1" + torn1}},
		{"item cut off", "[" + a + `,{"hash":"b`, []string{"line 1, item 1|" + a, "line 1, item 2" + torn1}},
		{"missing comma in an array", "[" + a + b + "]", []string{"line 1, item 1|" + a, "line 1, item 1" + torn1, "line 1, item 2|" + b}},
		{"comma at the end of an array", "[" + a + ",]\n" + b, []string{"line 1, item 1|" + a, "line 1, item 1" + torn1, "line 2|" + b}},
		{"junk lines", "hello\nworld\n" + a + "\nmore\n" + b, []string{"lines 1 to 2" + torn1, "line 3|" + a, "line 4" + torn1, "line 5|" + b}},
		{"text behind an object", a + " trailing\n" + b, []string{"line 1|" + a, "line 1" + torn1, "line 2|" + b}},
		{"source code", "package x\n\nfunc f() {\n\treturn\n}\n[section]\nkey = 1\n", []string{"lines 1 to 7" + torn1}},
		{"numbers", "[1,2,3,\"x\",null,true]\n7\n", []string{"lines 1 to 2" + torn1}},
		{"numbers among objects", "[1,2," + a + ",3]", []string{"line 1, item 1" + torn1, "line 1, item 3|" + a, "line 1, item 4" + torn1}},
		{"NUL between lines", a + "\n\x00\x00\n" + b, []string{"line 1|" + a, "line 2" + torn1, "line 3|" + b}},
		{"NUL where a line was torn", `{"hash":"a` + "\n\x00\x00\x00" + b + "\n" + c, []string{"line 1" + torn1, "line 2|" + b, "line 3|" + c}},
		{"NUL before an object", a + "\n\x00\x00\x00" + b + "\n" + c, []string{"line 1|" + a, "line 2" + torn1, "line 2|" + b, "line 3|" + c}},
		{"NUL and bad UTF-8 in strings stay with the strict parser", "{\"a\":\"\x00\xff\"}\n" + b, []string{"line 1|{\"a\":\"\x00\xff\"}", "line 2|" + b}},
		{"gzip", "\x1f\x8b\x08\n{\"a\":1}\n", []string{"line 1" + torn1}},
		{"PNG", "\x89PNG\r\n\x1a\n{}\n", []string{"line 1" + torn1}},
		{"too deep", `{"hash":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + "}\n" + b, []string{"line 1" + large, "line 2|" + b}},
		{"as deep as allowed", `{"a":` + strings.Repeat("[", 199) + strings.Repeat("]", 199) + "}", []string{`line 1|{"a":` + strings.Repeat("[", 199) + strings.Repeat("]", 199) + "}"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for name, r := range map[string]io.Reader{
				"whole":      strings.NewReader(test.text),
				"byte":       iotest.OneByteReader(strings.NewReader(test.text)),
				"half":       iotest.HalfReader(strings.NewReader(test.text)),
				"data + err": iotest.DataErrReader(strings.NewReader(test.text)),
			} {
				if got := cut(t, r, 0); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", test.want) {
					t.Errorf("%s:\n got %q\nwant %q", name, got, test.want)
				}
			}
		})
	}
}

func TestSplitLimit(t *testing.T) {
	const b = `{"hash":"b"}`
	pad := func(n int) string { return strings.Repeat("x", n) }
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"exactly the limit", `{"a":"` + pad(92) + `"}` + b, []string{`line 1|{"a":"` + pad(92) + `"}`, "line 1, object 2|" + b}},
		{"one more", `{"a":"` + pad(93) + `"}` + b, []string{"line 1" + large, "line 1, object 2|" + b}},
		{"a large item", `[{"a":"` + pad(500) + `"},` + b + `]`, []string{"line 1, item 1" + large, "line 1, item 2|" + b}},
		{"large and torn in its string", `{"a":"` + pad(500) + "\n" + b, []string{"line 1" + large, "line 2|" + b}},
		{"large and torn between", `{"a":["` + pad(500) + "\",\n" + b + "\n" + b, []string{"line 1" + large, "line 2|" + b, "line 3|" + b}},
		{"torn, and large with the next one", `{"a":["` + pad(60) + "\",\n" + `{"b":"` + pad(60) + "\"}\n" + b, []string{"line 1" + torn1, `line 2|{"b":"` + pad(60) + `"}`, "line 3|" + b}},
		{"a record may wrap", `{"seq":1,"envelope":{"a":"` + pad(90) + `"}}`, []string{`line 1|{"seq":1,"envelope":{"a":"` + pad(90) + `"}}`}},
		{"a response is not bounded", `{"missing":["` + pad(300) + `"],"result":[` + b + `],"ranking":{"x":"` + pad(300) + `"}}` + b, []string{"line 1, item 1|" + b, "line 1, object 2|" + b}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(test.text), iotest.OneByteReader(strings.NewReader(test.text))} {
				if got := cut(t, r, 100); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", test.want) {
					t.Errorf("\n got %q\nwant %q", got, test.want)
				}
			}
		})
	}
}

func TestSplitOffsets(t *testing.T) {
	text := " {\"a\":1}\n[ {\"b\":2} ,{\"c\":3}]\n{\"result\":[{\"d\":4}]}"
	s := NewSplitter(strings.NewReader(text), 0)
	for range 4 {
		p, err := s.Next()
		if err != nil || p.Err != nil {
			t.Fatal(err, p.Err)
		}
		if got := text[p.Offset : int(p.Offset)+len(p.Text)]; got != string(p.Text) {
			t.Errorf("%s: offset %d holds %q, not %q", p.Where, p.Offset, got, p.Text)
		}
	}
}

func TestSplitReaderError(t *testing.T) {
	broken := errors.New("disk on fire")
	s := NewSplitter(io.MultiReader(strings.NewReader(`{"a":1}{"b":`), iotest.ErrReader(broken)), 0)
	if p, err := s.Next(); err != nil || string(p.Text) != `{"a":1}` {
		t.Fatal(p, err)
	}
	for range 2 {
		if _, err := s.Next(); err != broken {
			t.Fatalf("got %v", err)
		}
	}
}
