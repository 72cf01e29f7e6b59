package capsule

import (
	"slices"
	"strings"
	"testing"

	"akx/view/fault"
	"akx/view/identity"
)

func TestTermsOf9_5_1(t *testing.T) {
	for _, c := range []struct {
		name, text string
		lexical    bool
		want       []string
	}{
		{"every separator", "\tA\nB\vC\fD\rE F ", true, []string{"a", "b", "c", "d", "e", "f"}},
		{"other spaces are text", "a\u00a0b\u0085c\u2003d", true, []string{"a\u00a0b\u0085c\u2003d"}},
		{"NUL is text", "a\x00b \x00", true, []string{"a\x00b", "\x00"}},
		{"only ASCII is folded", "ÄÉ Σ Ⅷ \u212a", true, []string{"ÄÉ", "Σ", "Ⅷ", "\u212a"}},
		{"repeats are kept", "a A a", true, []string{"a", "a", "a"}},
		{"16 terms", strings.Repeat("a ", 16), true, slices.Repeat([]string{"a"}, 16)},
		{"17 terms", strings.Repeat("a ", 17), true, nil},
		{"17 terms in another mode", strings.Repeat("a ", 17), false, slices.Repeat([]string{"a"}, 17)},
		{"1024 scalars", strings.Repeat("😀", 1024), true, []string{strings.Repeat("😀", 1024)}},
		{"1025 scalars", strings.Repeat("a", 1025), true, nil},
		{"1025 scalars with white space", strings.Repeat(" ", 1024) + "a", false, nil},
		{"empty", "", false, nil},
		{"white space", " \t\n\v\f\r", false, nil},
		{"no Unicode", "a\xff", false, nil},
		{"a surrogate", "\xed\xa0\x80", false, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ParseTerms(c.text, c.lexical)
			if c.want == nil {
				if r := refusalOf(t, err); r.Code != fault.InvalidRequest || got != nil {
					t.Fatal(r, got)
				}
				return
			}
			if err != nil || !slices.Equal(got, c.want) {
				t.Fatalf("%q, %v", got, err)
			}
		})
	}
}

func TestFieldsOf9_5_1(t *testing.T) {
	p := capsuleOf(Resource)
	p.Title, p.Statement, p.Basis = "Alpha CACHE*", "beta Café", "gamma 语言"
	p.Context = Context{Scope: "scope-x", Conditions: []string{"left", "right"}, Limitations: []string{"limit"}}
	p.License = "https://example.com/license-x"
	p.Evidence[0].Description = "evidence-x"
	p.Reproduction = &Reproduction{Environment: "repro-x", Steps: []string{"repro-x"}, Expected: "repro-x"}
	p.Extra = mustParse(t, `{"extra-x":"extra-x"}`)
	p.Profiles = []Profile{{URL: "https://example.com/p", Digest: identity.Digest{1}, Data: mustParse(t, `{"data-x":"data-x"}`)}}
	p.Tags = []string{"tag-x"}
	a := reportOn(identity.ID{1}, VerdictApplied)
	a.Summary, a.Basis = "Delta", "epsilon"
	publication, assessment := sign(t, alice, 1, p), sign(t, alice, 2, a)
	retraction := sign(t, alice, 3, RetractPayload{Target: identity.ID{1}, Reason: "Zeta \x00 end"})
	for _, c := range []struct {
		e    Event
		text string
		want bool
	}{
		{publication, "alpha", true}, {publication, "BETA gamma scope-x", true}, {publication, "left limit", true},
		{publication, "leftright", false}, {publication, "cache*", true}, {publication, "ca*", false},
		{publication, "语言", true}, {publication, "café", true}, {publication, "CAFÉ", false}, {publication, "cafe\u0301", false},
		{publication, "license-x", false}, {publication, "evidence-x", false}, {publication, "repro-x", false},
		{publication, "extra-x", false}, {publication, "data-x", false}, {publication, "tag-x", false},
		{publication, "resource", false}, {publication, "alpha missing", false},
		{assessment, "delta epsilon", true}, {assessment, "scope condition limit", true}, {assessment, "here.", false},
		{assessment, "applied", false}, {retraction, "zeta", true}, {retraction, "\x00 end", true}, {retraction, "scope", false},
	} {
		terms, err := ParseTerms(c.text, true)
		if err != nil {
			t.Fatal(err)
		}
		if got := Lexical(c.e, terms); got != c.want {
			t.Errorf("%q in %q: %v", c.text, Fields(c.e), got)
		}
		if got := everyTermInAField(c.e, terms); got != c.want {
			t.Errorf("%q in %q by the plain rule: %v", c.text, Fields(c.e), got)
		}
	}
	if got := Fields(publication); !slices.Equal(got, []string{"Alpha CACHE*", "beta Café", "gamma 语言", "scope-x", "left", "right", "limit"}) {
		t.Error(got)
	}
	if MatchText(AppendSearchText(nil, publication), []string{"left\xffright"}) {
		t.Error("a term spans two fields")
	}
	if !Lexical(publication, nil) {
		t.Error("no terms, no condition")
	}
}

// everyTermInAField is the rule as the specification says it.
func everyTermInAField(e Event, terms []string) bool {
	for _, term := range terms {
		if !slices.ContainsFunc(Fields(e), func(f string) bool { return strings.Contains(FoldASCII(f), term) }) {
			return false
		}
	}
	return true
}

func TestFoldASCII(t *testing.T) {
	for in, want := range map[string]string{"": "", "abc": "abc", "AbZ@[`{": "abz@[`{", "Àİ\u212aK": "Àİ\u212ak"} {
		if got := FoldASCII(in); got != want {
			t.Errorf("%q became %q", in, got)
		}
	}
}

func TestEvidenceStatesOf5_1(t *testing.T) {
	text := []byte("Hello\r\n")
	digest := identity.Digest(identity.SHA3(text))
	for _, c := range []struct {
		name   string
		digest identity.Digest
		bytes  []byte
		have   bool
		want   EvidenceState
	}{
		{"unchecked", identity.Digest{}, text, true, Unchecked},
		{"unchecked", identity.Digest{}, nil, false, Unchecked},
		{"matched", digest, text, true, Matched},
		{"mismatched", digest, []byte("Hello\n"), true, Mismatched},
		{"unavailable", digest, text, false, Unavailable},
		{"matched", identity.Digest(identity.SHA3(nil)), nil, true, Matched},
	} {
		if got := CheckEvidence(c.digest, c.bytes, c.have); got != c.want || got.String() != c.name {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if EvidenceState(9).String() != "" {
		t.Error("a state that is none has a name")
	}
}

func TestClosedSets(t *testing.T) {
	letters := map[byte]bool{}
	for _, k := range Kinds() {
		letters[k.Letter()] = true
		if again, ok := ParseKind(k.String()); !ok || again != k {
			t.Error(k)
		}
	}
	if len(letters) != 10 || letters['?'] || Kind(0).Letter() != '?' || Kind(99).Letter() != '?' {
		t.Error(letters)
	}
	for _, r := range Relations() {
		if again, ok := ParseRelation(r.String()); !ok || again != r {
			t.Error(r)
		}
	}
	for _, v := range Verdicts() {
		if again, ok := ParseVerdict(v.String()); !ok || again != v {
			t.Error(v)
		}
	}
	for _, r := range Roles() {
		if again, ok := ParseRole(r.String()); !ok || again != r {
			t.Error(r)
		}
	}
	if len(Types()) != 3 || len(Relations()) != 8 || len(Verdicts()) != 6 || len(Roles()) != 5 {
		t.Error("a set has the wrong size")
	}
	if _, ok := ParseKind(""); ok {
		t.Error("the empty name is a kind")
	}
}
