package desk

import (
	"math"
	"slices"
	"strings"
	"testing"

	"akx/view/capsule"
	"akx/view/identity"
)

func TestNewByKind(t *testing.T) {
	for _, k := range capsule.Kinds() {
		d := New(k, defaults)
		if d.Type != capsule.Publish || d.Payload.Kind != k.String() || d.Payload.License != licence || d.Payload.Language != "en" {
			t.Errorf("4.1 %v: %+v", k, d)
		}
		for _, p := range d.Check(DefaultLimits) {
			if text, ok := d.Text(p.Path); !ok || text != "" {
				if p.Severity == Blocks {
					t.Errorf("4.1 a new %v is wrong where nobody wrote: %+v", k, p)
				}
			}
		}
	}
}

// kindOf makes a signed publication of a kind by the test key b.
func kindOf(t *testing.T, k capsule.Kind, b byte, title string) *capsule.Publication {
	t.Helper()
	d := full(capsule.Publish)
	d.Payload.Kind, d.Payload.Title = k.String(), title
	if k != capsule.Collection {
		d.Payload.Relations = d.Payload.Relations[1:]
	}
	return sign(t, d, b, 10).(*capsule.Publication)
}

func TestLink61(t *testing.T) {
	question, hypothesis := kindOf(t, capsule.Question, 0x22, "Why?"), kindOf(t, capsule.Hypothesis, 0x22, "So")
	collection := kindOf(t, capsule.Collection, 0x22, "All")
	report := sign(t, full(capsule.Assess), 0x22, 10)
	retraction := sign(t, full(capsule.Retract), 0x22, 10)
	for _, c := range []struct {
		relation capsule.Relation
		target   capsule.Event
		kind     string // empty: refused
	}{
		{capsule.Addresses, question, "hypothesis"}, {capsule.Addresses, hypothesis, ""},
		{capsule.Tests, hypothesis, "procedure"}, {capsule.Tests, question, ""},
		{capsule.Extends, hypothesis, "hypothesis"}, {capsule.Extends, collection, "synthesis"}, {capsule.Extends, report, ""},
		{capsule.DerivedFrom, question, "synthesis"}, {capsule.DerivedFrom, report, "synthesis"}, {capsule.DerivedFrom, retraction, ""},
		{capsule.Supports, report, "observation"}, {capsule.Contradicts, hypothesis, "observation"},
		{capsule.Contains, collection, "collection"}, {capsule.Contains, report, ""}, {capsule.Supersedes, question, ""},
		{capsule.Extends, nil, ""}, {capsule.Extends, &capsule.Publication{}, ""},
	} {
		d, err := Link(c.relation, c.target, defaults)
		if c.kind == "" {
			if !isRefusal(err) || d.Type != 0 {
				t.Errorf("%v: %v, %+v", c.relation, err, d)
			}
			continue
		}
		want := []Relation{{c.relation.String(), c.target.ID().String()}}
		if err != nil || d.Payload.Kind != c.kind || !slices.Equal(d.Payload.Relations, want) {
			t.Errorf("%v: %+v, %v", c.relation, d.Payload, err)
		}
	}
	if d, _ := Link(capsule.Extends, hypothesis, defaults); d.Payload.Language != "zh-CN" || d.Payload.License != licence {
		t.Errorf("an extension starts as %+v", d.Payload)
	}
}

func TestCorrect61(t *testing.T) {
	first, second := full(capsule.Publish), full(capsule.Publish)
	first.Payload.Relations = append(first.Payload.Relations, Relation{"supersedes", code(90)})
	second.Payload.Kind, second.Payload.Relations = "question", []Relation{{"derived_from", code(91)}}
	second.Payload.Statement, second.Payload.Tags = "And so.", []string{"more", "caching"}
	second.Payload.Context.Limitations = []string{"another"}
	a, b := publication(t, first, 5), publication(t, second, 6)

	d, err := Correct(a)
	if err != nil || d.Type != capsule.Publish || d.Actor != a.Actor() || d.Payload.Title != "A title" || !Ready(d.Check(DefaultLimits)) {
		t.Fatalf("one: %+v, %v", d, err)
	}
	want := []Relation{{"supersedes", a.ID().String()}, {"contains", code(4)}, {"tests", code(5)}}
	if !slices.Equal(d.Payload.Relations, want) {
		t.Errorf("one: %v", d.Payload.Relations)
	}

	d, err = Correct(b, a, a)
	if err != nil || !Ready(d.Check(DefaultLimits)) {
		t.Fatalf("two: %+v, %v", d.Check(DefaultLimits), err)
	}
	want = []Relation{{"supersedes", b.ID().String()}, {"supersedes", a.ID().String()}, {"derived_from", code(91)}, {"tests", code(5)}}
	if !slices.Equal(d.Payload.Relations, want) {
		t.Errorf("two: %v", d.Payload.Relations)
	}
	if d.Payload.Statement != "And so.\n\nIt is so." || !slices.Equal(d.Payload.Tags, []string{"more", "caching", "a.b_c-d"}) || len(d.Payload.Profiles) != 1 ||
		!slices.Equal(d.Payload.Context.Limitations, []string{"another", "small sample"}) || len(d.Payload.Evidence) != 2 {
		t.Errorf("two: %+v", d.Payload)
	}

	stranger := kindOf(t, capsule.Question, 0x22, "x")
	if _, err := Correct(a, stranger); !isRefusal(err) {
		t.Errorf("of two actors: %v", err)
	}
	if _, err := Correct(); !isUsage(err) {
		t.Errorf("of nothing: %v", err)
	}
	if _, err := Correct(nil); !isRefusal(err) {
		t.Errorf("of what proves nothing: %v", err)
	}
}

func TestAssessOf62(t *testing.T) {
	target := kindOf(t, capsule.Procedure, 0x22, "Do it")
	d, err := AssessOf(target, defaults)
	if err != nil || d.Type != capsule.Assess || d.Payload.Target != target.ID().String() || d.Payload.License != licence || d.Payload.Reproduction.present() {
		t.Fatalf("%+v, %v", d, err)
	}
	d.Payload.Reproduction.Steps = []Step{{Text: "Mine"}}
	d.CopySteps(target)
	want := []Step{{"Run it", true}, {"Run it", true}, {"Mine", false}}
	r := d.Payload.Reproduction
	if !slices.Equal(r.Steps, want) || r.Environment != "" || r.Expected != "" || r.Observed != "" {
		t.Errorf("copied %+v", r)
	}
	d.CopySteps(nil)
	d.CopySteps(&capsule.Publication{})
	if len(d.Payload.Reproduction.Steps) != 3 {
		t.Error("copied steps of nothing")
	}
	if _, err := AssessOf(nil, defaults); !isRefusal(err) {
		t.Errorf("of what proves nothing: %v", err)
	}
}

func TestRetractOf71(t *testing.T) {
	me, mine := identity.TestKey(0x21).Actor(), kindOf(t, capsule.Question, 0x21, "Mine")
	d, err := RetractOf(mine, me)
	if err != nil || d.Type != capsule.Retract || d.Payload.Target != mine.ID().String() || d.Actor != me {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := RetractOf(sign(t, full(capsule.Assess), 0x21, 10), me); err != nil {
		t.Errorf("an assessment: %v", err)
	}
	for name, target := range map[string]capsule.Event{
		"another's": kindOf(t, capsule.Question, 0x22, "Not mine"), "a retraction": sign(t, full(capsule.Retract), 0x21, 10), "nothing": nil,
	} {
		if _, err := RetractOf(target, me); !isRefusal(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNextNonce(t *testing.T) {
	for _, c := range []struct {
		created, last, held int64
		targets             []int64
		want                int64
	}{
		{1000, 0, 0, nil, 1000},
		{1000, 999, 0, nil, 1000},
		{1000, 1000, 0, nil, 1001},
		{1000, 5000, 4000, nil, 5001},
		{1000, 4000, 5000, nil, 5001},           // a home that was restored: the cache knows more
		{1000, 0, 0, []int64{7, 9000, 8}, 9001}, // a correction of several
		{500, 1000, 1000, []int64{1000}, 1001},  // a clock that was set back
		{0, 0, 0, nil, 1},                       // nonces begin at 1
		{identity.MaxSafeInteger, 0, 0, nil, identity.MaxSafeInteger},
		{0, identity.MaxSafeInteger - 1, 0, nil, identity.MaxSafeInteger},
		{0, identity.MaxSafeInteger, 0, nil, 0},
		{0, 0, math.MaxInt64, nil, 0},
		{identity.MaxSafeInteger + 1, 0, 0, nil, 0},
	} {
		n, err := NextNonce(c.created, c.last, c.held, c.targets...)
		if n != c.want || (err != nil) != (c.want == 0) || err != nil && !isUsage(err) {
			t.Errorf("6.2 %+v: %d, %v", c, n, err)
		}
	}
}

func TestHistory(t *testing.T) {
	h := StartAt(State{Text: "old", Caret: 3})
	h = h.Record(State{Text: "oldx", Caret: 4}, true)
	h = h.Record(State{Text: "oldxy", Caret: 5}, true)
	before := h
	h = h.Record(State{Text: "pasted", Caret: 6}, false)
	for _, want := range []string{"oldxy", "old"} {
		var ok bool
		if h, ok = h.Undo(); !ok || h.Present().Text != want {
			t.Fatalf("undone to %q, want %q", h.Present().Text, want)
		}
	}
	if _, ok := h.Undo(); ok {
		t.Error("undone beyond the beginning")
	}
	for _, want := range []string{"oldxy", "pasted"} {
		var ok bool
		if h, ok = h.Redo(); !ok || h.Present().Text != want {
			t.Fatalf("redone to %q, want %q", h.Present().Text, want)
		}
	}
	if _, ok := h.Redo(); ok {
		t.Error("redone beyond the end")
	}
	if before.Present().Text != "oldxy" {
		t.Error("an older value changed")
	}
	h, _ = h.Undo()
	h = h.Record(State{Text: "new", Caret: 0}, false)
	if _, ok := h.Redo(); ok {
		t.Error("what was undone came back behind a new text")
	}
	var zero History
	if zero.Present() != (State{}) {
		t.Error("the zero history is not empty")
	}
	zero = zero.Record(State{Text: "a", Caret: 1}, true)
	if zero, _ = zero.Undo(); zero.Present().Text != "" {
		t.Error("the empty field is not the first state")
	}
}

func TestHistoryIsBounded(t *testing.T) {
	var h History
	for range 3 * maxSteps {
		h = h.Record(State{Text: "x"}, false)
	}
	if len(h.states) != maxSteps {
		t.Errorf("%d states", len(h.states))
	}
	big := strings.Repeat("x", maxHistoryBytes/2)
	for range 5 {
		h = h.Record(State{Text: big}, false)
	}
	if len(h.states) > 2 || h.Present().Text != big {
		t.Errorf("%d big states", len(h.states))
	}
	if h = h.Record(State{Text: big + big + big}, false); len(h.states) != 1 {
		t.Errorf("%d states with one that is over the bound", len(h.states))
	}
}

// Loses is what a copy of a draft is kept for before it is replaced as a whole.
func TestLoses(t *testing.T) {
	full := func() *Draft {
		return &Draft{Type: capsule.Assess, Payload: Payload{Target: "t", Verdict: "reproduced", Title: "a summary of some length", Reproduction: Reproduction{Steps: []Step{{Text: "one"}, {Text: "two"}}}}}
	}
	for name, c := range map[string]struct {
		change func(*Draft)
		want   bool
	}{
		"nothing":        {func(*Draft) {}, false},
		"a word":         {func(d *Draft) { d.Payload.Title = "a summary of a length" }, false},
		"more":           {func(d *Draft) { d.Payload.Basis = "b"; d.Payload.Reproduction.Steps[1].Text = "two, slowly" }, false},
		"another choice": {func(d *Draft) { d.Payload.Verdict = "applied" }, false},
		"all":            {func(d *Draft) { d.Payload = Payload{} }, true},
		"the target":     {func(d *Draft) { d.Payload.Target = "" }, true},
		"most of a text": {func(d *Draft) { d.Payload.Title = "a summary" }, true},
		"an item":        {func(d *Draft) { d.Payload.Reproduction.Steps = d.Payload.Reproduction.Steps[:1] }, true},
		"an item's text": {func(d *Draft) { d.Payload.Reproduction.Steps[1].Text = "" }, true},
	} {
		next := full()
		c.change(next)
		if got := full().Loses(next); got != c.want {
			t.Errorf("%s: loses %v", name, got)
		}
	}
}
