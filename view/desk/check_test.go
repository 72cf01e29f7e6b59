package desk

import (
	"slices"
	"strings"
	"testing"

	"akx/view/capsule"
	"akx/view/identity"
)

// said gives what Check says at a path; empty where it says nothing.
func said(problems []Problem, path string) (words string, severity Severity) {
	for _, p := range problems {
		if p.Path == path {
			return p.Words, p.Severity
		}
	}
	return "", 0
}

func TestCheckEmptyDrafts(t *testing.T) {
	for typ, paths := range map[capsule.Type]string{
		capsule.Publish: "/kind /title /statement /language /license /context/scope /basis",
		capsule.Assess:  "/target /verdict /summary /license /context/scope /basis",
		capsule.Retract: "/target /reason",
	} {
		d := Draft{Type: typ}
		var got []string
		for _, p := range d.Check(DefaultLimits) {
			got = append(got, p.Path)
			if p.Severity != Blocks || p.Words != "empty: cannot sign" {
				t.Errorf("%v: %+v", typ, p)
			}
		}
		if strings.Join(got, " ") != paths {
			t.Errorf("%v: %s", typ, strings.Join(got, " "))
		}
	}
}

// TestCheckFields changes one thing of a right draft and names what is said of it.
func TestCheckFields(t *testing.T) {
	publish, assess := full(capsule.Publish), full(capsule.Assess)
	for name, c := range map[string]struct {
		from  Draft
		path  string
		text  string
		words string // empty: nothing blocks
	}{
		"4.1 unknown kind":          {publish, "/kind", "theory", "must be one of question, hypothesis, definition, observation, inference, procedure, resource, negative_result, synthesis, collection"},
		"4.1 language":              {publish, "/language", "english language", "must be a language label such as en, zh-CN or und"},
		"4.1 tag":                   {publish, "/tags/1", "Not A Tag", "must be 1 to 64 of a-z, 0-9, '.', '_' and '-', beginning with a letter or digit"},
		"4.1 empty tag":             {publish, "/tags/0", "", "empty: cannot sign"},
		"2 repeated tag":            {publish, "/tags/1", "caching", "repeats an earlier item"},
		"2 repeated condition":      {publish, "/context/conditions/1", "dry", "repeats an earlier item"},
		"4.3 repeated step":         {publish, "/reproduction/steps/1", "Run it", ""},
		"4.3 empty step":            {publish, "/reproduction/steps/1", "", "empty: cannot sign"},
		"4.3 no environment":        {publish, "/reproduction/environment", "", "empty: cannot sign"},
		"4.3 observed left out":     {publish, "/reproduction/observed", "", ""},
		"3.3 licence by HTTP":       {publish, "/license", "http://example.org", "must be an absolute HTTPS URL with a host and no user name"},
		"8.1 licence with a user":   {publish, "/license", "https://a@example.org", "must be an absolute HTTPS URL with a host and no user name"},
		"8.1 no host that parses":   {publish, "/license", "https://a b", "must be an absolute HTTPS URL with a host and no user name"},
		"5.1 output without digest": {publish, "/evidence/0/digest", "", "digest is required for output"},
		"5.1 source without digest": {publish, "/evidence/1/digest", "", ""},
		"5.1 digest too short":      {publish, "/evidence/1/digest", "abc", "must be 43 characters of base64url"},
		"3.1 digest, trailing bits": {publish, "/evidence/1/digest", strings.Repeat("A", 42) + "B", "is not canonical base64url"},
		"5.1 role":                  {publish, "/evidence/1/role", "proof", "must be one of source, input, output, environment, validation"},
		"5.1 no description":        {publish, "/evidence/1/description", "", "empty: cannot sign"},
		"5.1 URL":                   {publish, "/evidence/1/url", "ftp://x", "must be an absolute HTTPS URL with a host and no user name"},
		"6.1 relation":              {publish, "/relations/1/relation", "cites", "must be one of derived_from, addresses, tests, extends, supports, contradicts, supersedes, contains"},
		"6.1 target":                {publish, "/relations/1/target", "short", "must be 43 characters of base64url"},
		"5.3 profile digest":        {publish, "/profiles/0/profile/digest", "", "empty: cannot sign"},
		"5.3 profile data":          {publish, "/profiles/0/data", "[1]", "must be a JSON object, in braces"},
		"4.1 extra":                 {publish, "/extra", `{"a":1`, "is not JSON as the protocol takes it: look for a missing quote, comma or bracket, a name twice, or a number out of range"},
		"2 extra, deep":             {publish, "/extra", `{"a":` + strings.Repeat("[", 195) + strings.Repeat("]", 195) + "}", "nests more than 190 levels"},
		"4.1 extra left out":        {publish, "/extra", "", ""},
		"6.2 verdict":               {assess, "/verdict", "true", "must be one of supports, challenges, reproduced, not_reproduced, applied, inconclusive"},
		"6.2 observed, reproduced":  {assess, "/reproduction/observed", "", "observed is required for reproduced"},
		"6.2 expected, reproduced":  {assess, "/reproduction/expected", "", "empty: cannot sign"},
		"6.2 target not canonical":  {assess, "/target", strings.Repeat("A", 42) + "B", "is not canonical base64url"},
		"7.1 reason":                {full(capsule.Retract), "/reason", "", "empty: cannot sign"},
	} {
		d := c.from.Clone()
		if err := d.SetText(c.path, c.text); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		problems := d.Check(DefaultLimits)
		if words, _ := said(problems, c.path); words != c.words || len(problems) > 1 {
			t.Errorf("%s: %+v", name, problems)
		}
	}
}

func TestCheckVerdictNeedsReproduction(t *testing.T) {
	for _, v := range capsule.Verdicts() {
		d := full(capsule.Assess)
		d.Used, d.Payload.Verdict, d.Payload.Reproduction = true, v.String(), Reproduction{}
		problems := d.Check(DefaultLimits)
		want := 0
		if v.NeedsObserved() {
			want = 4
		}
		if words, _ := said(problems, observedPath); len(problems) != want || want > 0 && words != "observed is required for "+v.String() {
			t.Errorf("6.2 %v: %+v", v, problems)
		}
	}
}

func TestCheckKindRules(t *testing.T) {
	for kind, path := range map[capsule.Kind]string{capsule.Resource: evidencePath, capsule.Collection: relationsPath} {
		d := full(capsule.Publish)
		d.Payload.Kind, d.Payload.Evidence, d.Payload.Relations = kind.String(), nil, nil
		if problems := d.Check(DefaultLimits); len(problems) != 1 || problems[0].Path != path {
			t.Errorf("4.1 %v: %+v", kind, problems)
		}
	}
	d := full(capsule.Publish)
	d.Payload.Kind = "question"
	if words, _ := said(d.Check(DefaultLimits), "/relations/0/relation"); words != "contains is only for collection" {
		t.Errorf("4.1 contains: %q", words)
	}
	d = full(capsule.Publish)
	d.Payload.Profiles = append(d.Payload.Profiles, Profile{"https://other.example/", d.Payload.Profiles[0].Digest, "{}"})
	if words, _ := said(d.Check(DefaultLimits), "/profiles/1/profile/digest"); words == "" {
		t.Error("5.3 the digest of a profile twice")
	}
	d = full(capsule.Publish)
	d.Payload.Relations = append(d.Payload.Relations, d.Payload.Relations[1])
	if words, _ := said(d.Check(DefaultLimits), "/relations/2"); words == "" {
		t.Error("6.1 a relation twice")
	}
}

func TestCheckSaysEverythingAtOnce(t *testing.T) {
	d := full(capsule.Publish)
	p := &d.Payload
	p.Language, p.License = "?", ""
	p.Evidence[0].URL, p.Evidence[0].Description, p.Evidence[1].Role = "x", "", "y"
	p.Tags = []string{"A", "b", "C"}
	var got []string
	for _, problem := range d.Check(DefaultLimits) {
		got = append(got, problem.Path)
	}
	want := []string{"/language", "/license", "/evidence/0/url", "/evidence/0/description", "/evidence/1/role", "/tags/0", "/tags/2"}
	if !slices.Equal(got, want) {
		t.Errorf("said %v", got)
	}
}

// TestCheckAgreesWithTheRules compares Ready with the rules over every draft that
// comes from emptying one field of a right one.
func TestCheckAgreesWithTheRules(t *testing.T) {
	for _, typ := range capsule.Types() {
		whole := full(typ)
		for _, f := range whole.Fields(DefaultLimits) {
			for _, text := range []string{"", "x", "\x00", "https://example.org/", code(9), "supports", "{}"} {
				d := whole.Clone()
				if d.SetText(f.Path, text) != nil {
					continue
				}
				r := capsule.CheckPayload(typ, d.Value())
				if ready := Ready(d.Check(DefaultLimits)); ready != (r == nil) {
					t.Errorf("%s = %q: ready %v, the rules say %v", f.Path, text, ready, r)
				}
			}
		}
	}
}

func TestLimits97(t *testing.T) {
	for path, at := range map[string]func(d *Draft, over int){
		titlePath:    func(d *Draft, over int) { d.Payload.Title = strings.Repeat("两", 256+over) },
		"/statement": func(d *Draft, over int) { d.Payload.Statement = strings.Repeat("é", 16384+over) },
		"/basis":     func(d *Draft, over int) { d.Payload.Basis = strings.Repeat("x", 16383+over) + "é" },
		evidencePath: func(d *Draft, over int) { fill(d, evidencePath, 64+over) },
		profilesPath: func(d *Draft, over int) { fill(d, profilesPath, 16+over) },
		relationsPath: func(d *Draft, over int) {
			fill(d, relationsPath, 63+over)
			d.Payload.Relations = append(d.Payload.Relations, Relation{"contains", code(200)})
		},
		"/tags":   func(d *Draft, over int) { d.setLines("/tags", texts(32+over)) },
		stepsPath: func(d *Draft, over int) { d.setLines(stepsPath, texts(64+over)) },
		extraPath: func(d *Draft, over int) {
			d.Payload.Extra = `{ "a" : "` + strings.Repeat("x", 16384-len(`{"a":""}`)+over) + `" }`
		},
	} {
		for over := range 2 {
			d := full(capsule.Publish)
			d.Payload.Evidence, d.Payload.Basis = nil, "proposed"
			at(&d, over)
			problems := d.Check(DefaultLimits)
			words, severity := said(problems, path)
			if over == 0 && len(problems) != 0 || over == 1 && (severity != Exceeds || words == "" || len(problems) != 1) || !Ready(problems) {
				t.Errorf("%s, %d over: %+v", path, over, problems)
			}
			for _, f := range d.Fields(DefaultLimits) {
				if f.Path == path && f.Count != f.Limit+over {
					t.Errorf("%s: counted %d of %d", path, f.Count, f.Limit)
				}
			}
		}
	}
}

func fill(d *Draft, list string, n int) {
	d.Payload.Evidence, d.Payload.Profiles = nil, nil
	if list == relationsPath {
		d.Payload.Relations = nil
	}
	for i := range n {
		d.addRight(list, i)
	}
}

func texts(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = "t" + strings.Repeat("x", i%60) + string(rune('a'+i/60))
	}
	return out
}

func TestEnvelopeLimit(t *testing.T) {
	d := full(capsule.Publish)
	d.Payload.Profiles[0].Data = `{"a":"` + strings.Repeat("x", identity.MaxEnvelopeBytes) + `"}`
	problems := d.Check(DefaultLimits)
	if _, severity := said(problems, ""); severity != Blocks {
		t.Errorf("over the local limit: %+v", problems)
	}
	if _, err := identity.Sign(identity.TestKey(0x21), d.Unsigned(1_748_000_000_000, 1_748_000_000_000), capsule.Format()); !isRefusal(err) {
		t.Errorf("and it would sign: %v", err)
	}
	d = full(capsule.Publish)
	small := DefaultLimits
	small.EnvelopeBytes = 100
	if _, severity := said(d.Check(small), ""); severity != Exceeds {
		t.Error("over a service's limit, and nothing is said")
	}
}

func TestAdvice(t *testing.T) {
	d := full(capsule.Publish)
	d.Payload.Kind, d.Payload.Context.Limitations, d.Payload.Relations = "inference", nil, nil
	if _, severity := said(d.Check(DefaultLimits), limitationsPath); severity != Advises {
		t.Error("4.1 an inference without limitations")
	}
	d = full(capsule.Publish)
	d.Payload.Basis = "I thought so."
	if _, severity := said(d.Check(DefaultLimits), "/relations/1/relation"); severity != Advises {
		t.Error("6.1 tests, neither proposed nor performed")
	}
	d = full(capsule.Publish)
	d.Payload.Statement = "So.\n"
	if _, severity := said(d.Check(DefaultLimits), "/statement"); severity != Advises {
		t.Error("a line end at the end")
	}
}

func TestUnconfirmedSteps(t *testing.T) {
	d := full(capsule.Assess)
	d.Payload.Reproduction.Steps[1].Unconfirmed = true
	problems := d.Check(DefaultLimits)
	if words, severity := said(problems, "/reproduction/steps/1"); severity != Blocks || words == "" || len(problems) != 1 {
		t.Errorf("%+v", problems)
	}
	if err := d.Confirm(1); err != nil || !Ready(d.Check(DefaultLimits)) {
		t.Error("confirmed, and blocked still")
	}
}

func TestHostileCountsAreBounded(t *testing.T) {
	d := full(capsule.Publish)
	for range 20_000 {
		d.Payload.Tags = append(d.Payload.Tags, "NOT A TAG")
		d.Payload.Evidence = append(d.Payload.Evidence, Evidence{})
	}
	if n := len(d.Check(DefaultLimits)); n != maxProblems {
		t.Errorf("%d problems", n)
	}
}

func TestTargetRules(t *testing.T) {
	me, other := identity.TestKey(0x21).Actor(), identity.TestKey(0x22).Actor()
	held := map[string]capsule.Target{
		code(1): {Type: capsule.Publish, Kind: capsule.Question, Actor: other, Nonce: 5},
		code(2): {Type: capsule.Publish, Kind: capsule.Hypothesis, Actor: me, Nonce: identity.MaxSafeInteger - 1},
		code(3): {Type: capsule.Assess, Actor: me, Nonce: 1},
		code(4): {Type: capsule.Retract, Actor: me, Nonce: 1},
	}
	resolve := func(id identity.ID) (capsule.Target, bool) { t, ok := held[id.String()]; return t, ok }
	d := Draft{Type: capsule.Publish, Payload: Payload{Kind: "collection", Relations: []Relation{
		{"addresses", code(1)}, {"addresses", code(2)}, {"tests", code(2)}, {"supersedes", code(1)}, {"supersedes", code(2)},
		{"supports", code(3)}, {"extends", code(3)}, {"derived_from", code(4)}, {"contains", code(1)}, {"extends", code(5)}, {"x", code(4)}, {"extends", "y"},
	}}}
	var got []string
	for _, p := range d.CheckTargets(me, resolve) {
		if p.Severity == Advises {
			p.Path += "?"
		}
		got = append(got, strings.TrimSuffix(strings.TrimPrefix(p.Path, "/relations/"), "/target"))
	}
	if strings.Join(got, " ") != "1 3 6 7 9/target?" {
		t.Errorf("6.1: %v", got)
	}
	for target, want := range map[string]bool{code(1): true, code(2): true, code(3): false, code(4): false} {
		a := Draft{Type: capsule.Assess, Payload: Payload{Target: target}}
		if ok := len(a.CheckTargets(me, resolve)) == 0; ok != want {
			t.Errorf("6.2 %v: %v", held[target], ok)
		}
	}
	for target, want := range map[string]bool{code(1): false, code(2): true, code(3): true, code(4): false} {
		r := Draft{Type: capsule.Retract, Payload: Payload{Target: target}}
		if ok := len(r.CheckTargets(me, resolve)) == 0; ok != want {
			t.Errorf("7.1 %v: %v", held[target], ok)
		}
	}
	plain := Draft{Type: capsule.Publish, Payload: Payload{Kind: "question"}}
	if plain.CheckLink(me, capsule.Contains, held[code(1)]) == nil {
		t.Error("4.1 contains from a question")
	}
}

// applied asks whether it was actually used: planned use does not count (6.2), and what
// was said of one target or verdict is not said of another.
func TestAppliedAsksWhetherItWasUsed_6_2(t *testing.T) {
	blocked := func(d Draft) bool {
		for _, p := range d.Check(DefaultLimits) {
			if p.Path == "/verdict" && p.Severity == Blocks {
				return true
			}
		}
		return false
	}
	d := full(capsule.Assess)
	if d.Unused() || blocked(d) {
		t.Error("another verdict asks for use")
	}
	set := func(path, text string) {
		t.Helper()
		if err := d.SetText(path, text); err != nil {
			t.Fatal(err)
		}
	}
	set("/verdict", "applied")
	if !d.Unused() || !blocked(d) {
		t.Error("applied does not ask")
	}
	d.ConfirmUse()
	if d.Unused() || blocked(d) {
		t.Error("it asks again")
	}
	text, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if back, err := DecodeDraft(text); err != nil || !back.Used {
		t.Errorf("kept as %v, %v", back.Used, err)
	}
	set("/verdict", "applied")
	set("/summary", "Another one.")
	if d.Unused() {
		t.Error("other changes ask again")
	}
	set("/target", code(9))
	if !d.Unused() {
		t.Error("another target does not ask")
	}
	d.ConfirmUse()
	set("/verdict", "supports")
	set("/verdict", "applied")
	if !blocked(d) {
		t.Error("another verdict in between does not ask")
	}
	if signed := FromEvent(sign(t, d, 0x21, 5)); signed.Unused() {
		t.Error("what was signed asks")
	}
}

func TestUsedInText(t *testing.T) {
	for text, want := range map[string]string{
		"actually_used: yes please\npayload: {verdict: applied}":                    "must be true or false",
		"actually_used: \"true\"\npayload: {verdict: applied}":                      "must be true or false",
		"actually_used: true\ntype: knowledge.assess\npayload: {verdict: supports}": "",
	} {
		d, complaints := ReadText([]byte(text), Expect{Type: capsule.Assess})
		if want == "" && (complaints != nil || d.Used) || want != "" && (len(complaints) != 1 || !strings.Contains(complaints[0].Words, want) || complaints[0].Line != 1) {
			t.Errorf("%q: %v, %v", text, d.Used, complaints)
		}
	}
}

// The clock is signed: one that cannot be right is told before.
func TestCheckClock(t *testing.T) {
	const now = int64(1_764_500_000_000)
	for name, c := range map[string]struct {
		createdAt, nonce, known int64
		want                    string
	}{
		"right":                {now, now, now - 3_600_000, ""},
		"no service was asked": {now, now, 0, ""},
		"a little behind":      {now, now, now + 60_000, ""},
		"years behind":         {now, now, now + 800*day, "is 800 days behind"},
		"an hour behind":       {now, now, now + 61*minute, "is 61 minutes behind"},
		"years ahead":          {now, now, now - 1000*day, "is 1000 days ahead"},
		"asked some weeks ago": {now, now, now - 20*day, ""},
		"two at once":          {now, now + 1, now, ""},
		"signed in the future": {now, now + 5*day, now, "the nonce is 5 days beyond the clock"},
	} {
		problems := CheckClock(c.createdAt, c.nonce, c.known)
		if (c.want == "") != (len(problems) == 0) || c.want != "" && !strings.Contains(problems[0].Words, c.want) || !Ready(problems) {
			t.Errorf("%s: %+v", name, problems)
		}
	}
}

// Two drafts have one mark where they would make the same public, under one Agent ID.
func TestContentMark(t *testing.T) {
	d := full(capsule.Publish)
	same := d.Clone()
	same.ID, same.Edited, same.Payload.Extra = 9, 99, " "+same.Payload.Extra
	if d.ContentMark() != same.ContentMark() || d.ContentMark() != FromEvent(sign(t, d, 0x21, 5)).ContentMark() {
		t.Error("the same text has two marks")
	}
	seen := map[string]string{d.ContentMark(): "the draft"}
	for _, f := range d.Fields(DefaultLimits) {
		changed := d.Clone()
		if text, ok := changed.Text(f.Path); !ok || f.Input == JSON {
			continue
		} else if err := changed.SetText(f.Path, text+"x"); err != nil {
			t.Fatal(err)
		}
		if other, twice := seen[changed.ContentMark()]; twice {
			t.Errorf("%s has the mark of %s", f.Path, other)
		}
		seen[changed.ContentMark()] = f.Path
	}
	d.Actor = identity.TestKey(0x22).Actor()
	if seen[d.ContentMark()] != "" {
		t.Error("another signer has the same mark")
	}
}

// What cannot be seen in one's own text is told, in the items of lists too.
func TestUnseenTextIsAdvised(t *testing.T) {
	for _, path := range []string{"/title", "/statement", "/context/conditions/0", "/reproduction/steps/1", "/evidence/0/description"} {
		for text, want := range map[string]string{"a\u202eb": "control characters", "a\x1b[2J": "control characters", "a\u200bb": "control characters", "a ": "begins or ends", "a\tb\nc": ""} {
			d := full(capsule.Publish)
			if err := d.SetText(path, text); err != nil {
				t.Fatal(err)
			}
			said := ""
			for _, p := range d.Check(DefaultLimits) {
				if p.Path == path && p.Severity == Advises {
					said = p.Words
				}
			}
			if (want == "") != (said == "") || !strings.Contains(said, want) {
				t.Errorf("%s %q: %q", path, text, said)
			}
		}
	}
}
