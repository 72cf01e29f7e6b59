package conformance

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"akx/view/fault"
	"akx/view/identity"
)

// ownSeeds are the public seeds that sign the fixtures of testdata.
var ownSeeds = map[string]byte{"a": 0x21, "b": 0x22}

// signed is one fixture of testdata under its signer's seed.
type signed struct {
	id        string
	canonical string
	envelope  string
}

type draft struct {
	Signer    string
	Type      string
	CreatedAt int64 `json:"created_at"`
	Nonce     int64
	Payload   json.RawMessage
}

// ownFixtures signs the drafts of testdata/fixtures.json in an order in which
// every target is signed before what points at it.
func ownFixtures(t *testing.T) map[string]signed {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "fixtures.json"))
	if err != nil {
		t.Fatal(err)
	}
	var drafts map[string]draft
	if err := json.Unmarshal(data, &drafts); err != nil {
		t.Fatal(err)
	}
	made := make(map[string]signed)
	for len(made) < len(drafts) {
		before := len(made)
		for name, d := range drafts {
			if _, ok := made[name]; ok {
				continue
			}
			if payload, ok := resolve(string(d.Payload), made); ok {
				made[name] = sign(t, d, payload)
			}
		}
		if len(made) == before {
			t.Fatal("fixtures point at each other in a circle")
		}
	}
	return made
}

func sign(t *testing.T, d draft, payload string) signed {
	t.Helper()
	v, err := identity.Parse([]byte(payload))
	if err != nil {
		t.Fatal(err)
	}
	e, err := identity.Sign(identity.TestKey(ownSeeds[d.Signer]), identity.Draft{Protocol: "agent-knowledge/1.0",
		Type: d.Type, CreatedAt: d.CreatedAt, Nonce: d.Nonce, Payload: v}, identity.Format{Protocol: "agent-knowledge/1.0"})
	if err != nil {
		t.Fatal(err)
	}
	return signed{id: e.ID().String(), canonical: string(e.Canonical()), envelope: e.Text()}
}

var reference = regexp.MustCompile(`"@([=~@]?)([a-z_0-9]+)"`)

// resolve puts IDs in place of "@name", envelopes in place of "@~name" and records
// in place of "@=name"; ok is false while one of them is not signed yet. Lists of
// "@@name" are put in ascending order.
func resolve(text string, made map[string]signed) (out string, ok bool) {
	ok = true
	out = reference.ReplaceAllStringFunc(text, func(ref string) string {
		m := reference.FindStringSubmatch(ref)
		f, found := made[m[2]]
		switch {
		case !found:
			ok = false
			return ref
		case m[1] == "~":
			return f.envelope
		case m[1] == "=":
			return `{"seq":1,"accepted_at":5000000,"envelope":` + f.envelope + `}`
		case m[1] == "@":
			return `"@@` + f.id + `"`
		}
		return `"` + f.id + `"`
	})
	sorted := regexp.MustCompile(`\[("@@[\w-]{43}"(, )?)+\]`)
	out = sorted.ReplaceAllStringFunc(out, func(list string) string {
		items := strings.Split(strings.ReplaceAll(strings.Trim(list, "[]"), "@@", ""), ", ")
		slices.Sort(items)
		return "[" + strings.Join(items, ", ") + "]"
	})
	return out, ok
}

// ownFile makes a complete file of vectors from one in testdata.
func ownFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(name, "identity") {
		return data
	}
	made := ownFixtures(t)
	text, ok := resolve(string(data), made)
	if !ok {
		t.Fatal("a case names a fixture that there is not")
	}
	var b strings.Builder
	b.WriteString(`{"seeds":{`)
	for i, name := range []string{"a", "b"} {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, "%q:%q", name, strings.Repeat(hex.EncodeToString([]byte{ownSeeds[name]}), 32))
	}
	b.WriteString(`},"fixtures":{`)
	first := true
	for name, f := range made {
		if !first {
			b.WriteString(",")
		}
		first = false
		canonical, _ := json.Marshal(f.canonical)
		fmt.Fprintf(&b, `%q:{"canonical_event_utf8":%s,"envelope":%s}`, name, canonical, f.envelope)
	}
	b.WriteString("}," + strings.TrimPrefix(strings.TrimSpace(text), "{"))
	return []byte(b.String())
}

func runOwn(t *testing.T, data []byte, makers ...Maker) Report {
	t.Helper()
	if makers == nil {
		makers = Makers()
	}
	report, err := Run(t.Context(), "own", data, makers)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// cases counts the cases of a file, so that none is passed over.
func cases(t *testing.T, data []byte) int {
	t.Helper()
	top, err := fieldsOf(data)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, name := range top.names {
		if name == "seeds" || name == "fixtures" {
			continue
		}
		if list, err := listOf(top.raw(name)); err == nil {
			n += len(list)
			continue
		}
		if group, err := fieldsOf(top.raw(name)); err == nil {
			for _, list := range []string{"valid", "invalid"} {
				items, _ := listOf(group.raw(list))
				n += len(items)
			}
		}
	}
	return n
}

func TestOwnVectorsPass(t *testing.T) {
	for _, name := range []string{"pass.json", "identity-pass.json"} {
		t.Run(name, func(t *testing.T) {
			data := ownFile(t, name)
			report := runOwn(t, data)
			for _, f := range report.Failures {
				t.Errorf("%s, %s: expected %s, got %s", f.Section, f.Case, f.Expected, f.Got)
			}
			if want := cases(t, data); report.Passed != want || report.Skipped != 0 {
				t.Errorf("%d of %d cases passed, %d skipped", report.Passed, want, report.Skipped)
			}
		})
	}
}

// TestOwnVectorsFail runs cases that are wrong on purpose: each must be told.
func TestOwnVectorsFail(t *testing.T) {
	for _, name := range []string{"fail.json", "identity-fail.json"} {
		t.Run(name, func(t *testing.T) {
			data := ownFile(t, name)
			report := runOwn(t, data, Memory())
			if want := cases(t, data); report.Failed != want || report.Passed != 0 || report.Skipped != 0 || len(report.Failures) != want {
				told := make([]string, len(report.Failures))
				for i, f := range report.Failures {
					told[i] = f.Section + ", " + f.Case
				}
				t.Errorf("%d of %d cases failed, %d passed:\n%s", report.Failed, want, report.Passed, strings.Join(told, "\n"))
			}
			for _, f := range report.Failures {
				if f.Section == "" || f.Case == "" || f.Expected == "" || f.Got == "" || f.Expected == f.Got {
					t.Errorf("a failure that says too little: %+v", f)
				}
			}
		})
	}
}

// A file of another kind is wrong usage, and no failed case.
func TestOtherFiles(t *testing.T) {
	for name, text := range map[string]string{
		"nothing": "", "no JSON": "hello", "no object": "[]", "no protocol": `{}`, "another protocol": `{"protocol":"anp/0.1"}`,
		"more behind": `{"protocol":"agent-knowledge/1.0","now":1} {}`,
	} {
		report, err := Run(t.Context(), "own", []byte(text), []Maker{Memory()})
		var usage *fault.Usage
		if !errors.As(err, &usage) || usage.Hint == "" || report.Failed+report.Passed > 0 {
			t.Errorf("%s: %+v, %v", name, report, err)
		}
	}
}

// TestWrongFiles gives files in which something other than a case is wrong.
func TestWrongFiles(t *testing.T) {
	const head = `{"protocol":"agent-knowledge/1.0","now":1,`
	for _, test := range []struct{ name, text, section string }{
		{"unknown section", head + `"magic_cases":[]}`, "magic_cases"},
		{"unknown section of identity", `{"protocol":"agent-identity/1.0","magic":[]}`, "magic"},
		{"unknown list of identity", `{"protocol":"agent-identity/1.0","json":{"maybe":[]}}`, "json"},
		{"a section that is no list", head + `"text_cases":{}}`, "text_cases"},
		{"a case that is no object", head + `"text_cases":[7]}`, "text_cases"},
		{"a member twice", head + `"text_cases":[{"text":"a","text":"b","lexical":true,"expected":"valid"}]}`, "text_cases"},
		{"a wrong seed", head + `"seeds":{"a":"21"},"fixtures":{}}`, "seeds"},
		{"a fixture with a wrong hash", head + `"fixtures":{"x":{"envelope":{"hash":"x","event":{},"signature":""}}}}`, "fixtures"},
		{"a fixture with an unknown member", head + `"fixtures":{"x":{"envelope":{},"note":1}}}`, "fixtures"},
		{"a wrong artifact", head + `"research_artifacts":{"x":{"digest":"AAAA","representation_hex":"00"}}}`, "research_artifacts"},
	} {
		t.Run(test.name, func(t *testing.T) {
			report := runOwn(t, []byte(test.text), Memory())
			if report.Failed != 1 || report.Passed != 0 || len(report.Failures) != 1 || report.Failures[0].Section != test.section {
				t.Errorf("got %+v", report)
			}
		})
	}
}

// TestBrokenStores: a store that cannot be made or written ends the run with its
// error, and is no failure of a case.
func TestBrokenStores(t *testing.T) {
	data := ownFile(t, "pass.json")
	unavailable := &fault.Unavailable{Code: fault.UnavailableCode, What: "disk"}
	broken := Maker{Name: "broken", Open: func(context.Context, string, func() int64) (Store, func() error, error) {
		return nil, nil, unavailable
	}}
	if _, err := Run(t.Context(), "own", data, []Maker{Memory(), broken}); !errors.Is(err, unavailable) {
		t.Errorf("got %v", err)
	}
	if _, err := Run(t.Context(), "own", data, nil); err == nil {
		t.Error("no error without stores")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, "own", data, []Maker{Memory()}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func FuzzRun(f *testing.F) {
	f.Add([]byte(`{"protocol":"agent-knowledge/1.0","now":1,"text_cases":[{"text":"\ud800\u0041","lexical":true,"expected":"invalid_request"}]}`))
	f.Add([]byte(`{"protocol":"agent-knowledge/1.0","schema_cases":[{"definition":"extra","value":{"a":[1e400,"\udc00"]},"changes":[{"op":"set","path":"/a/-","value":1}],"valid":true}]}`))
	f.Add([]byte(`{"protocol":"agent-identity/1.0","json":{"valid":["{}",{"name":"x","text":"1"}]},"request_jwts":{"audience":"https://a.b","valid":[{"token":"a.b.c","claims":{}}]}}`))
	f.Add([]byte(`{"protocol":"agent-knowledge/1.0","query_cases":[{"parameters":[["a","b"]],"expected":"invalid_request"}],"view_cases":[{"known":[],"expected":{}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		report, err := Run(t.Context(), "fuzz", data, []Maker{Memory()})
		if err == nil && report.Failed != len(report.Failures) {
			t.Fatalf("%d failures, %d told", report.Failed, len(report.Failures))
		}
	})
}
