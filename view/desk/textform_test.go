package desk

import (
	"strings"
	"testing"
	"time"

	"akx/view/capsule"
	"akx/view/identity"
)

// comesBack reads what d wrote, in both forms, and compares.
func comesBack(t *testing.T, d Draft) {
	t.Helper()
	for form, text := range map[string][]byte{"YAML": d.YAML(), "JSON": d.JSON()} {
		back, complaints := ReadText(text, Expect{Type: d.Type})
		if complaints != nil {
			t.Fatalf("%s: %v in\n%s", form, complaints, text)
		}
		if back.Type != d.Type || back.Actor != d.Actor || back.Used != d.Used || !back.Payload.Equal(d.Payload) {
			t.Fatalf("%s: wrote %#v\nread %#v\nby\n%s", form, d.Payload, back.Payload, text)
		}
	}
}

func TestTextFormsComeBack(t *testing.T) {
	for _, typ := range capsule.Types() {
		comesBack(t, Draft{Type: typ})
		comesBack(t, full(typ))
	}
	for _, k := range capsule.Kinds() {
		comesBack(t, New(k, defaults))
	}
	d := full(capsule.Assess)
	d.Payload.Reproduction.Steps[1].Unconfirmed = true
	comesBack(t, d)
	for _, used := range []bool{false, true} {
		d.Payload.Verdict, d.Used = "applied", used
		comesBack(t, d)
	}
}

func TestHostileTextInEveryField(t *testing.T) {
	for _, typ := range capsule.Types() {
		for _, text := range hostile {
			d := full(typ)
			for _, f := range d.Fields(DefaultLimits) {
				if _, ok := d.Text(f.Path); ok {
					if err := d.SetText(f.Path, text); err != nil {
						t.Fatal(err)
					}
				}
			}
			comesBack(t, d)
		}
	}
}

func TestProseStandsInBlocks(t *testing.T) {
	d := full(capsule.Publish)
	d.Payload.Statement = "First: a \"quoted\" line\n\n  indented 🎉 # no comment"
	text := string(d.YAML())
	if !strings.Contains(text, "  statement: |-\n    First: a \"quoted\" line\n\n      indented 🎉 # no comment\n") {
		t.Errorf("the statement stands as\n%s", text)
	}
	comesBack(t, d)
	typed := strings.Replace(string(New(capsule.Question, defaults).YAML()), "title: |-\n    \n", "title: |-\n    Why?\n", 1)
	back, complaints := ReadText([]byte(typed), Expect{})
	if complaints != nil || back.Payload.Title != "Why?" {
		t.Errorf("typed into a template: %q, %v", back.Payload.Title, complaints)
	}
	d.Payload.Statement = "pretends \u202eto be"
	if strings.Contains(string(d.YAML()), "\u202e") {
		t.Error("a hidden character reaches the editor")
	}
}

func TestBareAndWrapped(t *testing.T) {
	for text, want := range map[string]capsule.Type{
		"title: x":                               capsule.Publish,
		"verdict: supports":                      capsule.Assess,
		"reason: x":                              capsule.Retract,
		`{"kind":"question"}`:                    capsule.Publish,
		`{"summary":"s"}`:                        capsule.Assess,
		"type: knowledge.retract":                capsule.Retract,
		"type: knowledge.assess\npayload:":       capsule.Assess,
		"payload:\n  reason: x":                  capsule.Retract,
		"actor: \"\"\npayload: {title: x}":       capsule.Publish,
		"\ufefftitle: x\r\nbasis: |-\r\n  y\r\n": capsule.Publish,
	} {
		if d, complaints := ReadText([]byte(text), Expect{}); complaints != nil || d.Type != want {
			t.Errorf("%q is %v, %v", text, d.Type, complaints)
		}
	}
	actor := identity.TestKey(0x21).Actor()
	d, complaints := ReadText([]byte("type: knowledge.publish\nactor: "+actor.String()+"\npayload:\n  license: a\n"), Expect{Kind: capsule.Question})
	if complaints != nil || d.Actor != actor || d.Payload.Kind != "question" || d.Payload.License != "a" {
		t.Errorf("read %+v, %v", d, complaints)
	}
	kept := Draft{ID: 3, Created: 1, Sample: true}.Rewrite(d, 9)
	if kept.ID != 3 || kept.Created != 1 || kept.Edited != 9 || !kept.Sample || kept.Type != capsule.Publish || !kept.Payload.Equal(d.Payload) {
		t.Errorf("rewritten as %+v", kept)
	}
}

func TestReadTextRefusesWithLines(t *testing.T) {
	deep := strings.Repeat("[", 300) + strings.Repeat("]", 300)
	for name, c := range map[string]struct {
		text   string
		expect Expect
		line   int
		path   string
	}{
		"empty":                  {"", Expect{}, 1, ""},
		"blank":                  {" \n\t\n", Expect{}, 1, ""},
		"comments only":          {"# nothing\n", Expect{}, 1, ""},
		"not UTF-8":              {"title: \xff", Expect{}, 0, ""},
		"too long":               {strings.Repeat("#", MaxText+1), Expect{}, 0, ""},
		"text":                   {"hello", Expect{}, 1, ""},
		"a list":                 {"- title: x", Expect{}, 1, ""},
		"no type":                {"license: x", Expect{}, 1, ""},
		"unknown type":           {"type: knowledge.like\npayload: {}", Expect{}, 1, ""},
		"other type":             {"\ntype: knowledge.assess\npayload: {}", Expect{Type: capsule.Publish}, 2, ""},
		"other kind":             {"title: x\nkind: question", Expect{Kind: capsule.Resource}, 2, "/kind"},
		"bad actor":              {"type: knowledge.assess\nactor: ann\npayload: {}", Expect{}, 2, ""},
		"unknown beside payload": {"payload: {title: x}\nstatus: done", Expect{}, 2, ""},
		"unknown name":           {"title: x\nstatemnt: y", Expect{}, 2, ""},
		"unknown name, JSON":     {"{\"title\":\"x\",\n\n\"statemnt\":\"y\"}", Expect{}, 3, ""},
		"member of another type": {"summary: x\nrelations: []", Expect{}, 2, ""},
		"unknown in context":     {"title: x\ncontext:\n  scope: y\n  limits: []", Expect{}, 4, "/context"},
		"unknown in evidence":    {"title: x\nevidence:\n  - url: y\n    href: z", Expect{}, 4, "/evidence/0"},
		"name twice":             {"title: x\nbasis: a\ntitle: y", Expect{}, 3, ""},
		"name twice, deep":       {"title: x\nextra:\n  a: 1\n  a: 2", Expect{}, 4, ""},
		"name twice, JSON":       {"{\"title\":\"x\",\n\"extra\":{\"a\":1,\n\"a\":2}}", Expect{}, 3, ""},
		"second document":        {"title: x\n---\ntitle: y\n", Expect{}, 2, ""},
		"second value, JSON":     {"{\"title\":\"x\"}\n{}", Expect{}, 2, ""},
		"cut JSON":               {"{\"title\":\n\"x\",\n", Expect{}, 3, ""},
		"comma, JSON":            {"{\"title\":\"x\",\n}", Expect{}, 2, ""},
		"number for text":        {"basis: a\ntitle: 007", Expect{}, 2, "/title"},
		"bool for text":          {"title: true", Expect{}, 1, "/title"},
		"list for text":          {"title: [x]", Expect{}, 1, "/title"},
		"text for list":          {"title: x\ntags: a", Expect{}, 2, "/tags"},
		"number in list":         {"title: x\ntags:\n  - a\n  - 1", Expect{}, 4, "/tags/1"},
		"text for object":        {"title: x\ncontext: y", Expect{}, 2, "/context"},
		"text for item":          {"title: x\nrelations:\n  - extends", Expect{}, 3, "/relations/0"},
		"list for extra":         {"title: x\nextra: [1]", Expect{}, 2, "/extra"},
		"number out of range":    {"title: x\nextra:\n  n: 9007199254740993", Expect{}, 3, "/extra"},
		"octal in extra":         {"title: x\nextra: {n: 017}", Expect{}, 2, "/extra"},
		"infinite in extra":      {"title: x\nextra: {n: .inf}", Expect{}, 2, "/extra"},
		"alias":                  {"title: &a x\nbasis: *a", Expect{}, 1, ""},
		"merge":                  {"title: x\nextra:\n  <<: {a: 1}", Expect{}, 3, ""},
		"tag":                    {"title: !secret x", Expect{}, 1, ""},
		"binary":                 {"title: !!binary aGk=", Expect{}, 1, ""},
		"name that is a number":  {"title: x\nextra: {1: a}", Expect{}, 2, ""},
		"name that is a list":    {"title: x\nextra: {[a]: b}", Expect{}, 2, ""},
		"too deep":               {"title: x\nextra: {a: " + deep + "}", Expect{}, 2, ""},
		"bad indent":             {"title: x\n basis: y", Expect{}, 2, ""},
		"unclosed quote":         {"title: \"x\nbasis: y", Expect{}, 1, ""},
		"step that is not there": {"type: knowledge.assess\nunconfirmed_steps: [1]\npayload: {}", Expect{}, 2, ""},
		"steps that are no list": {"type: knowledge.assess\nunconfirmed_steps: 1\npayload: {}", Expect{}, 2, ""},
		"payload that is a list": {"type: knowledge.assess\npayload: []", Expect{}, 2, ""},
		"slash in a name":        {"title: x\nevidence/0/url: y", Expect{}, 2, ""},
	} {
		d, complaints := ReadText([]byte(c.text), c.expect)
		if len(complaints) == 0 || d.Type != 0 || !d.Payload.Equal(Payload{}) {
			t.Errorf("%s: taken as %+v", name, d)
			continue
		}
		if complaints[0].Line != c.line || complaints[0].Path != c.path || complaints[0].Words == "" {
			t.Errorf("%s: %v (line %d, path %q)", name, complaints[0], complaints[0].Line, complaints[0].Path)
		}
		if _, err := ParseText([]byte(c.text), c.expect); !isRefusal(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestComplaintsAreBounded(t *testing.T) {
	d, complaints := ReadText([]byte(strings.Repeat("title: x\n", 1)+unknownNames(500)), Expect{})
	if len(complaints) != maxComplaints || d.Type != 0 {
		t.Errorf("%d complaints", len(complaints))
	}
	if _, complaints := ReadText([]byte("title: x\n"+strings.Repeat("z", 5000)+": y"), Expect{}); len(complaints) != 1 || len(complaints[0].Words) > 200 {
		t.Errorf("a long name gives %d complaints", len(complaints))
	}
}

func unknownNames(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("x" + strings.Repeat("y", i) + ": 1\n")
	}
	return b.String()
}

// TestHostileYAMLTakesNoTime bounds what a text may cost; the bound is far above
// what linear work needs and far below what squares of it would.
func TestHostileYAMLTakesNoTime(t *testing.T) {
	const n = 1 << 16
	for name, text := range map[string]string{
		"lists":       strings.Repeat("- ", n),
		"brackets":    strings.Repeat("[", n),
		"braces":      "title: x\nextra: " + strings.Repeat("{a: ", n/4),
		"questions":   strings.Repeat("? ", n),
		"anchors":     "title: x\n" + strings.Repeat("&a ", n),
		"commas":      "[" + strings.Repeat(",", n),
		"many":        "title: x\nextra: {a: [" + strings.Repeat("1,", 2*n) + "1]}",
		"quotes":      "title: \"" + strings.Repeat("\\n", n),
		"comments":    "title: x\n" + strings.Repeat("# a\n", n/4),
		"indents":     indents(500),
		"documents":   strings.Repeat("---\n", n/4),
		"spaces":      "title: x" + strings.Repeat(" ", n) + ":",
		"JSON depth":  strings.Repeat(`{"a":`, n/5),
		"JSON names":  `{"title":"x","extra":{` + strings.Repeat(`"a":1,`, n/6) + `"b":2}}`,
		"JSON length": `{"title":"` + strings.Repeat("x", n) + `"}`,
	} {
		start := time.Now()
		_, complaints := ReadText([]byte(text), Expect{})
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s took %v", name, took)
		}
		if name != "comments" && name != "JSON length" && complaints == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

func indents(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

// A value of another type is refused at its line, and nothing else is put in its place.
func TestBadTypesInText(t *testing.T) {
	for text, want := range map[string]string{
		"kind: question\nlicense: ~":                 "line 2: /license must not be null",
		"kind: question\ntitle: null":                "line 2: /title must not be null",
		"{\"kind\": \"question\",\n\"title\": null}": "line 2: /title must not be null",
		"kind: question\nextra: '{\"a\":1}'":         "line 2: /extra must be an object, not text that holds one",
		"kind: question\ntitle: a\ntitle: b":         "line 3: 'title' is here for the second time",
		"kind: question\ntags: [~]":                  "line 2: /tags/0 must be text, not nothing",
	} {
		_, complaints := ReadText([]byte(text), Expect{})
		if len(complaints) != 1 || !strings.HasPrefix(complaints[0].String(), want) {
			t.Errorf("%q: %v", text, complaints)
		}
	}
	for _, text := range []string{"kind: question\ntitle:\nextra:", "kind: question\nextra: '{\"a\":'"} {
		if _, complaints := ReadText([]byte(text), Expect{}); complaints != nil {
			t.Errorf("%q: %v", text, complaints)
		}
	}
}

// A mistake in the syntax is told at its own line, however far before what it stands in
// began.
func TestYAMLFaultIsToldAtItsLine(t *testing.T) {
	long := strings.Repeat("  # a comment\n", 200)
	for name, c := range map[string]struct {
		text string
		line int
	}{
		"a value with a colon, first":    {"title: a: b\nkind: question\n", 1},
		"a value with a colon, later":    {"payload:\n  kind: question\n  title: a: b\n", 3},
		"a member that is indented less": {"payload:\n  kind: question\n  context:\n    scope: x\n   basis: y\n", 5},
		"a member that is indented more": {"payload:\n  kind: question\n  title: x\n  tags: []\n    basis: y\n  license: z\n", 5},
		"an item that is indented less":  {"payload:\n  context:\n    limitations:\n      - a\n     - b\n  basis: y\n", 5},
		"a bracket that stays open":      {"payload:\n  kind: question\n  tags: [x, y\n  basis: y\n", 3},
		"a quote that stays open":        {"payload:\n  kind: question\n  title: \"x\n  basis: y\n", 3},
		"a name without a colon":         {"payload:\n  kind: question\n  title x\n  basis: y\n", 3},
		"a tab":                          {"payload:\n  kind: question\n\tbasis: y\n", 3},
		"behind many lines":              {"payload:\n  kind: question\n" + long + "  title: a: b\n" + long, 203},
	} {
		_, complaints := ReadText([]byte(c.text), Expect{})
		if len(complaints) != 1 || complaints[0].Line != c.line {
			t.Errorf("%s: %+v, want line %d", name, complaints, c.line)
		}
	}
}
