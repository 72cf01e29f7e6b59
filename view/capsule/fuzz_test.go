package capsule

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"akx/view/fault"
	"akx/view/identity"
)

// seeds are payloads that lie on both sides of the rules.
func seeds(t testing.TB) []string {
	all := []string{fullPublish, fullAssess, fullRetract, `{}`, `[]`, `null`, `1`, `""`}
	for _, e := range []edit{
		{"/kind", "collection"}, {"/kind", "question"}, {"/evidence/0/digest", identity.Digest{}.String()},
		{"/evidence/0/digest", notCanon}, {"/tags/1", "a"}, {"/license", "https://u@h/"}, {"/license", "https://[::1"},
		{"/relations/0/relation", "contains"}, {"/profiles/0/data", nil}, {"/reproduction/steps", list()},
		{"/context/conditions", nil}, {"/extra", "x"}, {"/title", ""}, {"/a~1b", 1},
	} {
		all = append(all, edited(t, fullPublish, e))
	}
	return append(all, edited(t, fullAssess, edit{"/reproduction/observed", nil}))
}

// FuzzDecode holds that payload decoding never panics, that a refusal comes with
// a zero payload, and that an accepted payload's Value decodes to the same.
func FuzzDecode(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := identity.Parse(text)
		if err != nil {
			return
		}
		for _, typ := range Types() {
			p, r := payloadOf(typ, v)
			if r != nil {
				if !reflect.ValueOf(p).IsZero() || r.Step != fault.StepPayload || !strings.HasPrefix(r.Path, payloadPath) {
					t.Fatalf("%#v beside %v", p, r)
				}
				continue
			}
			again, r := payloadOf(typ, p.Value())
			if r != nil || !reflect.DeepEqual(p, again) {
				t.Fatalf("%#v became %#v (%v)", p, again, r)
			}
		}
	})
}

func TestSeedsOfFuzzDecode(t *testing.T) {
	files, err := os.ReadDir("testdata/fuzz/FuzzDecode")
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if n := len(seeds(t)) + len(files); n < 20 {
		t.Fatalf("only %d seeds", n)
	}
}

// FuzzFilter holds that what ParseFilter takes is printed as it was understood.
func FuzzFilter(f *testing.F) {
	for _, n := range FilterNames() {
		for _, v := range []string{codeA, "did:agent:" + codeA, "knowledge.assess", "question", "contains", "applied", "en-US", "1", "007", ""} {
			f.Add(n, v)
		}
	}
	f.Fuzz(func(t *testing.T, n, v string) {
		var filter Filter
		known, err := filter.ParseFilter(n, v)
		if err != nil || !known {
			if filter != (Filter{}) {
				t.Fatal("a refused parameter was set")
			}
			return
		}
		text := filter.FilterText(n)
		if text != v && strings.TrimLeft(v, "0") != strings.TrimLeft(text, "0") {
			t.Fatalf("%q became %q", v, text)
		}
		var again Filter
		if _, err := again.ParseFilter(n, text); err != nil || again != filter {
			t.Fatal(err, again)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	p, r := DecodePublish(mustParse(b, fullPublish))
	if r != nil {
		b.Fatal(r)
	}
	p.Statement = strings.Repeat("A statement of some length. ", 30)
	e := sign(b, alice, 1, p).Envelope()
	b.SetBytes(int64(len(e.Text())))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(e); err != nil {
			b.Fatal(err)
		}
	}
}
