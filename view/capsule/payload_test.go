package capsule

import (
	"reflect"
	"strconv"
	"strings"
	"testing"

	"akx/view/fault"
	"akx/view/identity"
)

const (
	codeA    = "KWtFdKFxoxMcQsaQgFGhfYMtC7Gaa3i0o-i2BBKl0wU"
	codeB    = "oJql9HpnWYAv-VX43C0qFKXJnSO-l_hkEn_5ODRVpPA"
	notCanon = "KWtFdKFxoxMcQsaQgFGhfYMtC7Gaa3i0o-i2BBKl0wV"
)

const fullPublish = `{
"license":"https://example.com/terms","kind":"resource","title":"T","statement":"S","language":"zh-CN",
"context":{"scope":"C","conditions":["a","b"],"limitations":[]},"basis":"B",
"evidence":[{"url":"https://example.com/a","description":"d","digest":"` + codeA + `","media_type":"text/plain","role":"output"},
 {"url":"https://example.com/b","description":"d"}],
"reproduction":{"environment":"e","steps":["x","x"],"expected":"y","observed":"z"},
"relations":[{"relation":"tests","target":"` + codeA + `"},{"relation":"tests","target":"` + codeB + `"},
 {"relation":"extends","target":"` + codeA + `"}],
"tags":["a","b.c_d-e"],
"profiles":[{"profile":{"url":"https://example.com/p","digest":"` + codeA + `"},"data":{"n":[1,1]}}],
"extra":{"any":["r","r"]}}`

const fullAssess = `{
"license":"https://example.com/terms","target":"` + codeA + `","verdict":"reproduced","summary":"S",
"context":{"scope":"C","conditions":[],"limitations":["l"]},"basis":"B",
"evidence":[{"url":"https://example.com/a","description":"d","role":"validation"}],
"reproduction":{"environment":"e","steps":["x"],"expected":"y","observed":"z"},
"profiles":[{"profile":{"url":"https://example.com/p","digest":"` + codeA + `"},"data":{}}],
"extra":{}}`

const fullRetract = `{"target":"` + codeA + `","reason":"R","extra":{"k":null}}`

func list(items ...any) []any { return append([]any{}, items...) }

func members(pairs ...any) map[string]any {
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	return m
}

func TestPayloadsThatAreValid(t *testing.T) {
	for _, c := range []struct {
		name, text string
		typ        Type
		edits      []edit
	}{
		{"4.1 every member", fullPublish, Publish, nil},
		{"4.1 only required members", fullPublish, Publish, []edit{{"/kind", "question"}, {"/evidence", nil}, {"/reproduction", nil},
			{"/relations", nil}, {"/tags", nil}, {"/profiles", nil}, {"/extra", nil}}},
		{"4.1 empty lists", fullPublish, Publish, []edit{{"/kind", "question"}, {"/evidence", list()}, {"/relations", list()},
			{"/tags", list()}, {"/profiles", list()}}},
		{"4.1 collection contains beside other relations", fullPublish, Publish, []edit{{"/kind", "collection"}, {"/relations/0/relation", "contains"}}},
		{"4.1 longest tag", fullPublish, Publish, []edit{{"/tags/0", strings.Repeat("a", 64)}}},
		{"4.1 tag of digits", fullPublish, Publish, []edit{{"/tags/0", "0"}}},
		{"4.1 longest language parts", fullPublish, Publish, []edit{{"/language", "abcdefgh-12345678-x"}}},
		{"4.3 observed may be absent", fullPublish, Publish, []edit{{"/reproduction/observed", nil}}},
		{"5.1 role may be absent beside a digest", fullPublish, Publish, []edit{{"/evidence/1/digest", codeB}}},
		{"5.3 same URL, other digest", fullPublish, Publish, []edit{{"/profiles/1", members("profile",
			members("url", "https://example.com/p", "digest", codeB), "data", members("n", list(1, 1)))}}},
		{"6.1 same target, other relation", fullPublish, Publish, []edit{{"/relations/1/target", codeA}, {"/relations/1/relation", "supports"}}},
		{"2 characters beyond the basic plane", fullPublish, Publish, []edit{{"/title", "😀"}}},
		{"2 white space is not empty", fullPublish, Publish, []edit{{"/title", " "}}},
		{"6.2 every member", fullAssess, Assess, nil},
		{"6.2 supports needs no reproduction", fullAssess, Assess, []edit{{"/verdict", "supports"}, {"/reproduction", nil}}},
		{"6.2 inconclusive with an unobserved procedure", fullAssess, Assess, []edit{{"/verdict", "inconclusive"}, {"/reproduction/observed", nil}}},
		{"7.1 every member", fullRetract, Retract, nil},
		{"7.1 without extra", fullRetract, Retract, []edit{{"/extra", nil}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if r := CheckPayload(c.typ, mustParse(t, edited(t, c.text, c.edits...))); r != nil {
				t.Fatal(r)
			}
		})
	}
}

// refusedPayload is one payload that breaks one rule; path is below the payload.
type refusedPayload struct {
	name, path, detail string
	edits              []edit
}

func checkRefused(t *testing.T, typ Type, text string, cases []refusedPayload) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := CheckPayload(typ, mustParse(t, edited(t, text, c.edits...)))
			switch {
			case r == nil:
				t.Fatal("accepted")
			case r.Step != fault.StepPayload || r.Code != fault.InvalidEvent:
				t.Fatalf("step %v, code %v", r.Step, r.Code)
			case r.Path != payloadPath+c.path:
				t.Fatalf("path %q, want %q", r.Path, payloadPath+c.path)
			case c.detail != "" && r.Detail != c.detail:
				t.Fatalf("detail %q, want %q", r.Detail, c.detail)
			}
		})
	}
}

func TestPublishPayloadsThatAreRefused(t *testing.T) {
	checkRefused(t, Publish, fullPublish, []refusedPayload{
		{"2 unknown member", "/learned_at", "", []edit{{"/learned_at", 1}}},
		{"2 extra is an object", "/extra", "must be an object", []edit{{"/extra", list()}}},
		{"2 extra is not a truth value", "/extra", "", []edit{{"/extra", false}}},
		{"2 repeated condition", "/context/conditions/1", "repeats an earlier item", []edit{{"/context/conditions/1", "a"}}},
		{"2 repeated tag", "/tags/1", "", []edit{{"/tags/1", "a"}}},
		{"2 repeated evidence", "/evidence/2", "", []edit{{"/evidence/2", members("description", "d", "url", "https://example.com/b")}}},
		{"2 repeated late in a long list", "/tags/12", "", []edit{{"/tags", list("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "d")}}},
		{"3.3 license is required", "/license", "license is required", []edit{{"/license", nil}}},
		{"3.3 license is HTTPS", "/license", "", []edit{{"/license", "http://example.com/terms"}}},
		{"4.1 basis is required", "/basis", "basis is required", []edit{{"/basis", nil}}},
		{"4.1 title is not empty", "/title", "must not be empty", []edit{{"/title", ""}}},
		{"4.1 statement is text", "/statement", "must be text", []edit{{"/statement", 1}}},
		{"4.1 unknown kind", "/kind", "", []edit{{"/kind", "fact"}}},
		{"4.1 kind by case", "/kind", "", []edit{{"/kind", "Question"}}},
		{"4.1 language with underscore", "/language", "", []edit{{"/language", "en_US"}}},
		{"4.1 language of one letter", "/language", "", []edit{{"/language", "e"}}},
		{"4.1 language of nine letters", "/language", "", []edit{{"/language", "abcdefghi"}}},
		{"4.1 language with digits in front", "/language", "", []edit{{"/language", "e1"}}},
		{"4.1 language with an empty part", "/language", "", []edit{{"/language", "en-"}}},
		{"4.1 language with a long part", "/language", "", []edit{{"/language", "en-123456789"}}},
		{"4.1 language with a line end", "/language", "", []edit{{"/language", "en\n"}}},
		{"4.1 tag in capitals", "/tags/0", "", []edit{{"/tags/0", "Cache"}}},
		{"4.1 tag beginning with a dot", "/tags/0", "", []edit{{"/tags/0", ".a"}}},
		{"4.1 tag with a line end", "/tags/0", "", []edit{{"/tags/0", "cache\n"}}},
		{"4.1 tag of 65", "/tags/0", "", []edit{{"/tags/0", strings.Repeat("a", 65)}}},
		{"4.1 empty tag", "/tags/0", "", []edit{{"/tags/0", ""}}},
		{"4.1 tags are a list", "/tags", "must be a list", []edit{{"/tags", "a"}}},
		{"4.1 resource without output", "/evidence", "", []edit{{"/evidence/0/role", "input"}}},
		{"4.1 resource without evidence", "/evidence", "", []edit{{"/evidence", nil}}},
		{"4.1 collection without contains", "/relations", "", []edit{{"/kind", "collection"}}},
		{"4.1 collection without relations", "/relations", "", []edit{{"/kind", "collection"}, {"/relations", nil}}},
		{"4.1 contains outside a collection", "/relations/2/relation", "contains is only for collection", []edit{{"/relations/2/relation", "contains"}}},
		{"4.2 context is closed", "/context/version", "", []edit{{"/context/version", "1"}}},
		{"4.2 limitations are required", "/context/limitations", "limitations is required", []edit{{"/context/limitations", nil}}},
		{"4.2 empty condition", "/context/conditions/0", "", []edit{{"/context/conditions/0", ""}}},
		{"4.2 empty scope", "/context/scope", "", []edit{{"/context/scope", ""}}},
		{"4.3 no steps", "/reproduction/steps", "needs at least one item", []edit{{"/reproduction/steps", list()}}},
		{"4.3 empty step", "/reproduction/steps/1", "", []edit{{"/reproduction/steps/1", ""}}},
		{"4.3 empty observed", "/reproduction/observed", "", []edit{{"/reproduction/observed", ""}}},
		{"4.3 reproduction is closed", "/reproduction/run", "", []edit{{"/reproduction/run", true}}},
		{"4.3 expected is required", "/reproduction/expected", "", []edit{{"/reproduction/expected", nil}}},
		{"5.1 evidence is closed", "/evidence/1/verified", "", []edit{{"/evidence/1/verified", true}}},
		{"5.1 unknown role", "/evidence/1/role", "", []edit{{"/evidence/1/role", "proof"}}},
		{"5.1 output needs a digest", "/evidence/1/digest", "digest is required for output", []edit{{"/evidence/1/role", "output"}}},
		{"5.1 empty media type", "/evidence/1/media_type", "", []edit{{"/evidence/1/media_type", ""}}},
		{"5.1 digest not canonical", "/evidence/0/digest", "is not canonical base64url", []edit{{"/evidence/0/digest", notCanon}}},
		{"5.1 digest too short", "/evidence/0/digest", "", []edit{{"/evidence/0/digest", codeA[1:]}}},
		{"5.1 digest with padding", "/evidence/0/digest", "", []edit{{"/evidence/0/digest", codeA + "="}}},
		{"5.3 binding without data", "/profiles/0/data", "", []edit{{"/profiles/0/data", nil}}},
		{"5.3 data is an object", "/profiles/0/data", "", []edit{{"/profiles/0/data", list()}}},
		{"5.3 reference is closed", "/profiles/0/profile/version", "", []edit{{"/profiles/0/profile/version", "1"}}},
		{"5.3 digest not canonical", "/profiles/0/profile/digest", "", []edit{{"/profiles/0/profile/digest", notCanon}}},
		{"5.3 URL with a user", "/profiles/0/profile/url", "", []edit{{"/profiles/0/profile/url", "https://u@example.com/"}}},
		{"5.3 same digest, other URL and data", "/profiles/1/profile/digest", "repeats the digest of an earlier profile",
			[]edit{{"/profiles/1", members("profile", members("url", "https://example.org/q", "digest", codeA), "data", members())}}},
		{"6.1 unknown relation", "/relations/0/relation", "", []edit{{"/relations/0/relation", "endorses"}}},
		{"6.1 relation is closed", "/relations/0/weight", "", []edit{{"/relations/0/weight", 1}}},
		{"6.1 target not canonical", "/relations/2/target", "", []edit{{"/relations/2/target", notCanon}}},
		{"6.1 same relation and target", "/relations/1", "repeats an earlier item", []edit{{"/relations/1/target", codeA}}},
	})
}

func TestAssessPayloadsThatAreRefused(t *testing.T) {
	checkRefused(t, Assess, fullAssess, []refusedPayload{
		{"6.2 observed required for reproduced", "/reproduction/observed", "observed is required for reproduced", []edit{{"/reproduction/observed", nil}}},
		{"6.2 observed required for not_reproduced", "/reproduction/observed", "", []edit{{"/verdict", "not_reproduced"}, {"/reproduction/observed", nil}}},
		{"6.2 observed required for applied", "/reproduction/observed", "", []edit{{"/verdict", "applied"}, {"/reproduction/observed", nil}}},
		{"6.2 reproduction required for applied", "/reproduction", "reproduction is required for applied", []edit{{"/verdict", "applied"}, {"/reproduction", nil}}},
		{"6.2 unknown verdict", "/verdict", "", []edit{{"/verdict", "true"}}},
		{"6.2 target is required", "/target", "", []edit{{"/target", nil}}},
		{"6.2 target not canonical", "/target", "", []edit{{"/target", notCanon}}},
		{"6.2 no relations", "/relations", "", []edit{{"/relations", list()}}},
		{"6.2 no tags", "/tags", "", []edit{{"/tags", list("a")}}},
		{"6.2 summary is required", "/summary", "", []edit{{"/summary", nil}}},
		{"6.2 no title", "/title", "", []edit{{"/title", "t"}}},
		{"5.1 output needs a digest", "/evidence/0/digest", "", []edit{{"/evidence/0/role", "output"}}},
		{"3.3 license has a host", "/license", "", []edit{{"/license", "https:///terms"}}},
	})
}

func TestRetractPayloadsThatAreRefused(t *testing.T) {
	checkRefused(t, Retract, fullRetract, []refusedPayload{
		{"7.1 no license", "/license", "", []edit{{"/license", "https://example.com/"}}},
		{"7.1 no profiles", "/profiles", "", []edit{{"/profiles", list()}}},
		{"7.1 no verdict", "/verdict", "", []edit{{"/verdict", "supports"}}},
		{"7.1 empty reason", "/reason", "", []edit{{"/reason", ""}}},
		{"7.1 reason is required", "/reason", "reason is required", []edit{{"/reason", nil}}},
		{"7.1 target not canonical", "/target", "", []edit{{"/target", notCanon}}},
	})
}

func TestPathsOfForeignNames(t *testing.T) {
	r := CheckPayload(Retract, mustParse(t, `{"a/b~c":1}`))
	if r == nil || r.Path != payloadPath+"/a~1b~0c" {
		t.Fatalf("pointer not escaped: %v", r)
	}
	r = CheckPayload(Retract, mustParse(t, `{"`+strings.Repeat("n", 1000)+`":1}`))
	if r == nil || r.Path != payloadPath {
		t.Fatalf("a long foreign name is repeated: %v", r)
	}
}

func TestURLsOfSection8_1(t *testing.T) {
	for url, valid := range map[string]bool{
		"https://example.com":               true,
		"https://example.com/a?b=c#d@e":     true,
		"https://例え.example/":               true,
		"https://[2001:db8::1]:8443/x":      true,
		"https://user@example.com/":         false,
		"https://user:pw@example.com/":      false,
		"https://@example.com/":             false,
		"http://example.com/":               false,
		"HTTPS://example.com/":              false,
		"//example.com/":                    false,
		"example.com":                       false,
		"https://":                          false,
		"https:///path":                     false,
		"https:example.com":                 false,
		"https://example.com:99999/":        false,
		"https://exa mple.com/":             false,
		"https://[::1/":                     false,
		"https://example.com/a\nb":          false,
		"https://example.com/a\u2028b":      false,
		"https://example.com\\@evil.test/x": false,
	} {
		t.Run(url, func(t *testing.T) {
			v := mustParse(t, edited(t, fullPublish, edit{"/license", url}))
			if r := CheckPayload(Publish, v); (r == nil) != valid {
				t.Fatalf("got %v, want valid %v", r, valid)
			}
		})
	}
}

func TestDecodeNeedsAProvenKnowledgeEnvelope(t *testing.T) {
	event, err := Decode(identity.Envelope{})
	if r := refusalOf(t, err); r.Code != fault.InvalidEvent || event != nil {
		t.Fatal(r, event)
	}
	other, err := identity.Sign(alice, identity.Draft{Protocol: "agent-profile/1.0", Type: "profile.update",
		CreatedAt: 1, Nonce: 1, Payload: identity.ObjectValue()}, identity.Format{Protocol: "agent-profile/1.0"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = Decode(other); refusalOf(t, err).Step != fault.StepPayload {
		t.Fatal(err)
	}
	if r := CheckPayload(0, identity.Value{}); r == nil {
		t.Fatal("no type, no payload")
	}
}

func TestPayloadValuesComeBack(t *testing.T) {
	for _, text := range []string{fullPublish, fullAssess, fullRetract} {
		v := mustParse(t, text)
		found := false
		for _, typ := range Types() {
			p, r := payloadOf(typ, v)
			if r != nil {
				continue
			}
			found = true
			if canonical(p.Value()) != canonical(v) {
				t.Errorf("%s became %s", canonical(v), canonical(p.Value()))
			}
		}
		if !found {
			t.Errorf("no type takes %s", text)
		}
	}
}

// payloadOf reads v as the payload of one type.
func payloadOf(typ Type, v identity.Value) (valued, *fault.Refusal) {
	switch typ {
	case Publish:
		return first(DecodePublish(v))
	case Assess:
		return first(DecodeAssess(v))
	default:
		return first(DecodeRetract(v))
	}
}

func first[P valued](p P, r *fault.Refusal) (valued, *fault.Refusal) { return p, r }

func TestADigestOfZeroBytesIsADigest(t *testing.T) {
	zero := identity.Digest{}.String()
	v := mustParse(t, edited(t, fullPublish, edit{"/evidence/0/digest", zero}))
	p, r := DecodePublish(v)
	if r != nil || !p.Evidence[0].HasDigest() || p.Evidence[1].HasDigest() {
		t.Fatal(r, p.Evidence)
	}
	again, r := DecodePublish(p.Value())
	if r != nil || !reflect.DeepEqual(p.Evidence, again.Evidence) {
		t.Fatal(r, again.Evidence)
	}
}

func TestRepeatsInHostileListsAreFoundInLinearTime(t *testing.T) {
	var big strings.Builder
	big.WriteString(`{"n":0`)
	for i := range 12_000 {
		big.WriteString(`,"n` + strconv.Itoa(i) + `":1`)
	}
	big.WriteString(`}`)
	text := `[` + big.String() + `,` + big.String() + `]`
	if i := firstRepeat(mustParse(t, text).Items()); i != 1 {
		t.Fatal(i)
	}
	if i := firstRepeat(mustParse(t, `[1,1.0]`).Items()); i != 1 {
		t.Fatal("1 and 1.0 are one value")
	}
	if i := firstRepeat(mustParse(t, `[{"a":1,"b":2},{"b":2,"a":1}]`).Items()); i != 1 {
		t.Fatal("the order of members does not matter")
	}
	if i := firstRepeat(mustParse(t, `[{"a":"1","b":2},{"a":"1","b":3},"1",1,null,true,[1],[2],{}]`).Items()); i != -1 {
		t.Fatal(i)
	}
}
