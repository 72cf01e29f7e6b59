package capsule

import (
	"slices"
	"strings"
	"testing"

	"akx/view/fault"
	"akx/view/identity"
)

// filterOf parses parameters in order and applies the rules between them.
func filterOf(params ...[2]string) (Filter, error) {
	var f Filter
	for _, p := range params {
		known, err := f.ParseFilter(p[0], p[1])
		if err != nil {
			return f, err
		}
		if !known {
			return f, badRequest("/"+p[0], "is not a parameter")
		}
	}
	return f, f.Check()
}

func TestFilterTableOf9_3(t *testing.T) {
	question := sign(t, alice, 1, capsuleOf(Question))
	p := capsuleOf(Resource, Link{Addresses, question.ID()}, Link{Extends, identity.ID{7}})
	p.Language, p.Tags = "en-US", []string{"one", "two"}
	p.Profiles = []Profile{{URL: "https://example.com/p", Digest: identity.Digest{3}}}
	resource := signAt(t, bob, 100, 2, p)
	a := reportOn(question.ID(), VerdictChallenges)
	a.Profiles = p.Profiles
	assessment := signAt(t, bob, 200, 3, a)
	retraction := signAt(t, alice, 300, 4, RetractPayload{Target: question.ID(), Reason: "Why."})
	all := map[string]Event{"question": question, "resource": resource, "assessment": assessment, "retraction": retraction}
	names := []string{"question", "resource", "assessment", "retraction"}
	zero := identity.ID{}.String()
	target, elsewhere := question.ID().String(), identity.ID{7}.String()
	for _, c := range []struct {
		name   string
		params [][2]string
		want   string
	}{
		{"none", nil, "question resource assessment retraction"},
		{"actor", [][2]string{{"actor", bob.Actor().String()}}, "resource assessment"},
		{"actor of zero bytes", [][2]string{{"actor", identity.Actor{}.String()}}, ""},
		{"type", [][2]string{{"type", "knowledge.retract"}}, "retraction"},
		{"kind", [][2]string{{"kind", "resource"}}, "resource"},
		{"type and kind that exclude each other", [][2]string{{"type", "knowledge.retract"}, {"kind", "question"}}, ""},
		{"tag", [][2]string{{"tag", "two"}}, "resource"},
		{"tag is exact", [][2]string{{"tag", "tw"}}, ""},
		{"language by case", [][2]string{{"language", "EN-us"}}, "resource"},
		{"language is the complete label", [][2]string{{"language", "en"}}, "question"},
		{"verdict", [][2]string{{"verdict", "challenges"}}, "assessment"},
		{"verdict of none", [][2]string{{"verdict", "applied"}}, ""},
		{"verdict and tag", [][2]string{{"verdict", "challenges"}, {"tag", "one"}}, ""},
		{"target", [][2]string{{"target", target}}, "resource assessment retraction"},
		{"target of zero bytes", [][2]string{{"target", zero}}, ""},
		{"relation", [][2]string{{"relation", "extends"}}, "resource"},
		{"relation and target of one item", [][2]string{{"relation", "addresses"}, {"target", target}}, "resource"},
		{"relation and target of two items", [][2]string{{"relation", "extends"}, {"target", target}}, ""},
		{"relation and another target", [][2]string{{"relation", "extends"}, {"target", elsewhere}}, "resource"},
		{"profile", [][2]string{{"profile", identity.Digest{3}.String()}}, "resource assessment"},
		{"profile of none", [][2]string{{"profile", identity.Digest{4}.String()}}, ""},
		{"profile of zero bytes", [][2]string{{"profile", zero}}, ""},
		{"created_from is within", [][2]string{{"created_from", "200"}, {"created_before", "301"}}, "assessment retraction"},
		{"created_before is without", [][2]string{{"created_from", "0"}, {"created_before", "200"}}, "resource"},
		{"leading zeros are digits", [][2]string{{"created_before", "000200"}}, "resource"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := filterOf(c.params...)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, n := range names {
				if f.Match(all[n]) {
					got = append(got, n)
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("matches %v, want %s", got, c.want)
			}
			sameAgain(t, f)
		})
	}
}

// sameAgain parses the wire text of f back.
func sameAgain(t *testing.T, f Filter) {
	t.Helper()
	var params [][2]string
	for _, n := range FilterNames() {
		if text := f.FilterText(n); text != "" {
			params = append(params, [2]string{n, text})
		}
	}
	again, err := filterOf(params...)
	if err != nil || again != f {
		t.Errorf("%v became %v (%v)", f, again, err)
	}
}

func TestAProfileDigestOfZeroBytesIsFound(t *testing.T) {
	p := capsuleOf(Question)
	p.Profiles = []Profile{{URL: "https://example.com/p"}}
	f, err := filterOf([2]string{"profile", identity.Digest{}.String()})
	if err != nil || !f.Match(sign(t, alice, 1, p)) {
		t.Fatal(err)
	}
}

func TestMalformedParametersOf9_3(t *testing.T) {
	for _, c := range []struct{ name, path, params string }{
		{"unknown", "/truth", "truth=true"},
		{"text has its own rules", "/q", "q=alpha"},
		{"repeated", "/kind", "kind=question&kind=question"},
		{"repeated with another value", "/tag", "tag=a&tag=b"},
		{"repeated time of zero", "/created_from", "created_from=0&created_from=0"},
		{"repeated target of zero bytes", "/target", "target=" + identity.ID{}.String() + "&target=" + identity.ID{}.String()},
		{"empty kind", "/kind", "kind="},
		{"empty tag", "/tag", "tag="},
		{"empty language", "/language", "language="},
		{"empty time", "/created_from", "created_from="},
		{"unknown kind", "/kind", "kind=fact"},
		{"unknown type", "/type", "type=knowledge.vote"},
		{"unknown relation", "/relation", "relation=endorses"},
		{"unknown verdict", "/verdict", "verdict=true"},
		{"actor without prefix", "/actor", "actor=" + codeA},
		{"actor not canonical", "/actor", "actor=did:agent:" + notCanon},
		{"target not canonical", "/target", "target=" + notCanon},
		{"profile URL", "/profile", "profile=https://example.com/p"},
		{"tag in capitals", "/tag", "tag=Research"},
		{"language with underscore", "/language", "language=en_US"},
		{"sign", "/created_from", "created_from=+1"},
		{"minus", "/created_from", "created_from=-1"},
		{"exponent", "/created_before", "created_before=1e3"},
		{"fraction", "/created_before", "created_before=1.0"},
		{"space", "/created_before", "created_before= 1"},
		{"other digits", "/created_before", "created_before=١"},
		{"unsafe", "/created_before", "created_before=9007199254740992"},
		{"beyond 64 bits", "/created_before", "created_before=99999999999999999999999999999"},
		{"empty range", "/created_from", "created_from=5&created_before=5"},
		{"range upside down", "/created_from", "created_before=4&created_from=5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var params [][2]string
			for _, part := range strings.Split(c.params, "&") {
				n, v, _ := strings.Cut(part, "=")
				params = append(params, [2]string{n, v})
			}
			_, err := filterOf(params...)
			if r := refusalOf(t, err); r.Code != fault.InvalidRequest || r.Path != c.path {
				t.Fatal(r)
			}
		})
	}
}

func TestARefusedParameterLeavesTheFilter(t *testing.T) {
	f, _ := filterOf([2]string{"kind", "question"}, [2]string{"created_from", "0"})
	before := f
	for _, p := range [][2]string{{"kind", "hypothesis"}, {"target", notCanon}, {"created_from", "1"}, {"tag", "A"}} {
		if _, err := f.ParseFilter(p[0], p[1]); err == nil {
			t.Errorf("%v passed", p)
		}
	}
	if f != before {
		t.Fatal(f)
	}
	if known, err := f.ParseFilter("after_seq", "x"); known || err != nil {
		t.Fatal("after_seq is not a filter of events", known, err)
	}
}

func TestCheckHoldsFiltersThatWereBuiltByHand(t *testing.T) {
	for name, f := range map[string]Filter{
		"type": {Type: 9}, "kind": {Kind: 99}, "relation": {Relation: 99}, "verdict": {Verdict: 99},
		"tag": {Tag: "A b"}, "language": {Language: "e"},
		"created_from": {CreatedFrom: Bound{Set: true, MS: -1}}, "created_before": {CreatedBefore: Bound{Set: true, MS: 1 << 60}},
	} {
		if r := refusalOf(t, f.Check()); r.Path != "/"+name || r.Code != fault.InvalidRequest {
			t.Errorf("%s: %v", name, r)
		}
	}
	if err := (Filter{Target: identity.ID{1}, Type: Assess}).Check(); err != nil {
		t.Error(err)
	}
}

func TestFilterNamesBelongToTheCaller(t *testing.T) {
	want := FilterNames()
	FilterNames()[0] = "other"
	if len(want) != 11 || !slices.Equal(want, FilterNames()) {
		t.Fatal(FilterNames())
	}
}
