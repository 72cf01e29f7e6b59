package desk

import (
	"slices"
	"strings"
	"testing"

	"akx/view/capsule"
	"akx/view/identity"
)

const licence = "https://creativecommons.org/licenses/by/4.0/"

var defaults = Defaults{License: licence, Language: "en"}

func code(b byte) string { return identity.ID(identity.SHA3([]byte{b})).String() }

// full gives a draft of each type with every field filled in, and valid.
func full(t capsule.Type) Draft {
	d := Draft{ID: 7, Type: t, Actor: identity.TestKey(0x21).Actor(), Created: 1, Edited: 2}
	p := &d.Payload
	p.Title, p.Extra = "A title", `{"a":[1,2.5,null,true,"x"],"b":{"c":-1e-7}}`
	if t == capsule.Retract {
		p.Target = code(1)
		return d
	}
	p.License, p.Basis = licence, "Counted twice.\n\nProposed and performed."
	p.Context = Context{"Here", []string{"dry", "two\nlines"}, []string{"small sample"}}
	p.Evidence = []Evidence{
		{"https://example.org/data", "The data", code(2), "text/csv", "output"},
		{URL: "https://example.org/paper", Description: "A source"},
	}
	p.Reproduction = Reproduction{"Go 1.26", []Step{{Text: "Run it"}, {Text: "Run it"}}, "OK", "OK"}
	p.Profiles = []Profile{{"https://example.org/profile", code(3), `{"n":1}`}}
	if t == capsule.Assess {
		p.Target, p.Verdict = code(1), "reproduced"
		return d
	}
	p.Kind, p.Statement, p.Language = "collection", "It is so.", "zh-CN"
	p.Relations = []Relation{{"contains", code(4)}, {"tests", code(5)}}
	p.Tags = []string{"caching", "a.b_c-d"}
	return d
}

// sign signs d under the test key b and decodes what comes out.
func sign(t testing.TB, d Draft, b byte, nonce int64) capsule.Event {
	t.Helper()
	e, err := identity.Sign(identity.TestKey(b), d.Unsigned(1_748_000_000_000, nonce), capsule.Format())
	if err != nil {
		t.Fatal(err)
	}
	event, err := capsule.Decode(e)
	if err != nil {
		t.Fatal(err)
	}
	return event
}

func publication(t testing.TB, d Draft, nonce int64) *capsule.Publication {
	t.Helper()
	return sign(t, d, 0x21, nonce).(*capsule.Publication)
}

func TestFullDraftsAreReady(t *testing.T) {
	for _, typ := range capsule.Types() {
		d := full(typ)
		if problems := d.Check(DefaultLimits); len(problems) != 0 {
			t.Errorf("%v: %+v", typ, problems)
		}
		event := sign(t, d, 0x21, 5)
		if event.Type() != typ || event.Title() != "A title" {
			t.Errorf("%v: signed %v %q", typ, event.Type(), event.Title())
		}
		back := FromEvent(event)
		if !back.Payload.Equal(d.Payload) || back.Actor != d.Actor || back.Type != typ {
			t.Errorf("%v: from the event %+v", typ, back.Payload)
		}
		if n := len(event.Envelope().Text()); n != d.EnvelopeBytes()-len("1748000000000")+1 {
			t.Errorf("%v: %d bytes, foretold %d", typ, n, d.EnvelopeBytes())
		}
	}
}

func TestEveryFieldCanBeWritten(t *testing.T) {
	for _, typ := range capsule.Types() {
		d, want := Draft{Type: typ}, full(typ)
		for _, s := range specs(typ) {
			if n, ok := want.Size(s.path); ok {
				for i := range n {
					if err := d.Insert(s.path, i); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		for _, f := range want.Fields(DefaultLimits) {
			if text, ok := want.Text(f.Path); ok {
				if err := d.SetText(f.Path, text); err != nil {
					t.Errorf("%s: %v", f.Path, err)
				}
			}
		}
		if !d.Payload.Equal(want.Payload) {
			t.Errorf("%v: wrote %+v", typ, d.Payload)
		}
	}
}

func TestFieldsNameEveryMember(t *testing.T) {
	for typ, members := range map[capsule.Type]string{
		capsule.Publish: "kind title statement language license scope conditions limitations basis evidence url description digest media_type role" +
			" environment steps expected observed relations relation target tags profiles url digest data extra",
		capsule.Assess: "target verdict summary license scope conditions limitations basis evidence url description digest media_type role" +
			" environment steps expected observed profiles url digest data extra",
		capsule.Retract: "target reason extra",
	} {
		var got []string
		for _, s := range specs(typ) {
			_, name := splitName(s.path)
			got = append(got, name)
			if s.label == "" || s.help == "" || s.input == 0 || strings.ContainsAny(s.help+s.label, "\n\r\"") {
				t.Errorf("%s: %+v", s.path, s)
			}
		}
		if strings.Join(got, " ") != members {
			t.Errorf("%v has %s", typ, strings.Join(got, " "))
		}
	}
	for _, k := range capsule.Kinds() {
		if KindHelp(k) == "" {
			t.Errorf("no help for %v", k)
		}
	}
	for _, v := range capsule.Verdicts() {
		if VerdictHelp(v) == "" {
			t.Errorf("no help for %v", v)
		}
	}
}

func TestRequiredGivenTheRest(t *testing.T) {
	need := func(d Draft, path string) (bool, string) {
		for _, f := range d.Fields(DefaultLimits) {
			if f.Path == path {
				return f.Required, f.RequiredBy
			}
		}
		t.Fatalf("no field %s", path)
		return false, ""
	}
	assess := func(verdict string) Draft {
		return Draft{Type: capsule.Assess, Payload: Payload{Verdict: verdict}}
	}
	kind := func(kind capsule.Kind) Draft { return New(kind, defaults) }
	started := Draft{Type: capsule.Publish, Payload: Payload{Reproduction: Reproduction{Expected: "x"}}}
	output := Draft{Type: capsule.Assess, Payload: Payload{Evidence: []Evidence{{Role: "output"}, {Role: "source"}}}}
	for _, c := range []struct {
		d        Draft
		path     string
		required bool
		by       string
	}{
		{assess("reproduced"), observedPath, true, "verdict reproduced"},
		{assess("not_reproduced"), observedPath, true, "verdict not_reproduced"},
		{assess("applied"), stepsPath, true, "verdict applied"},
		{assess("supports"), observedPath, false, ""},
		{assess(""), "/reproduction/environment", false, ""},
		{assess(""), "/summary", true, ""},
		{kind(capsule.Resource), evidencePath, true, "kind resource"},
		{kind(capsule.Resource), evidencePath + "/0/digest", true, "role output"},
		{kind(capsule.Collection), relationsPath, true, "kind collection"},
		{kind(capsule.Question), relationsPath, false, ""},
		{started, "/reproduction/environment", true, ""},
		{started, observedPath, false, ""},
		{output, evidencePath + "/0/digest", true, "role output"},
		{output, evidencePath + "/1/digest", false, ""},
	} {
		if required, by := need(c.d, c.path); required != c.required || by != c.by {
			t.Errorf("%s of %+v: %v %q", c.path, c.d.Payload, required, by)
		}
	}
}

func TestListsMove(t *testing.T) {
	d := Draft{Type: capsule.Publish}
	for i, text := range []string{"a", "b", "c"} {
		if err := d.Insert("/tags", i); err != nil {
			t.Fatal(err)
		}
		if err := d.SetText(itemPath("/tags", i), text); err != nil {
			t.Fatal(err)
		}
	}
	copied := d.Clone()
	if err := d.Move("/tags", 0, 2); err != nil || !slices.Equal(d.Payload.Tags, []string{"b", "c", "a"}) {
		t.Errorf("moved to %v, %v", d.Payload.Tags, err)
	}
	if err := d.Remove("/tags", 1); err != nil || !slices.Equal(d.Payload.Tags, []string{"b", "a"}) {
		t.Errorf("removed to %v, %v", d.Payload.Tags, err)
	}
	if !slices.Equal(copied.Payload.Tags, []string{"a", "b", "c"}) {
		t.Errorf("the copy changed to %v", copied.Payload.Tags)
	}
	for _, err := range []error{
		d.Insert("/tags", 3), d.Insert("/tags", -1), d.Remove("/tags", 2), d.Move("/tags", 0, 2), d.Move("/tags", -1, 0), d.Insert("/title", 0),
		d.Insert("/nothing", 0), d.SetText("/tags/2", "x"), d.SetText("/tags/0/url", "x"), d.SetText("/tags/-1", "x"), d.SetText("/evidence/0/url", "x"),
		d.SetText("", "x"), d.SetText("/tags/99999999999", "x"), d.SetText("/title", "\xff"), d.Confirm(0),
	} {
		if err == nil {
			t.Error("took what does not exist")
		}
	}
}

func TestStoredDraftsComeBack(t *testing.T) {
	for _, typ := range capsule.Types() {
		d := full(typ)
		d.Sample, d.Trashed = true, 9
		d.Payload.Title = "<&> \u2028 \u202e \x00 \U0010ffff"
		text, err := d.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := DecodeDraft(text)
		if err != nil || !back.Payload.Equal(d.Payload) || back.ID != 7 || back.Actor != d.Actor || !back.Sample || back.Trashed != 9 || back.Edited != 2 {
			t.Errorf("%v: %+v, %v", typ, back, err)
		}
		for n := range text {
			if _, err := DecodeDraft(text[:n]); !isDamaged(err, "damaged") {
				t.Fatalf("cut to %d bytes gives %v", n, err)
			}
		}
	}
	for text, code := range map[string]string{
		`{"format":2,"later":1}`:                                                         "newer_format",
		`{"format":0,"type":"knowledge.publish"}`:                                        "damaged",
		`{"format":1,"type":"x","payload":{}}`:                                           "damaged",
		`{"format":1,"type":"knowledge.publish","other":1}`:                              "damaged",
		`{"format":1,"type":"knowledge.publish","actor":1}`:                              "damaged",
		`{"format":1,"type":"knowledge.publish"} x`:                                      "damaged",
		`{"format":1,"type":"knowledge.publish","actor":"a"}`:                            "damaged",
		"{\"format\":1,\"type\":\"knowledge.publish\",\"payload\":{\"title\":\"\xff\"}}": "damaged",
	} {
		if _, err := DecodeDraft([]byte(text)); !isDamaged(err, code) {
			t.Errorf("%s gives %v", text, err)
		}
	}
}
