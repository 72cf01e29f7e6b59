package main

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/identity"
)

// flow is a way from a key to a signed event.
type flow struct {
	name string
	// from is the event on whose page it begins; zero for Browse.
	from identity.ID
	// key begins it; menu, where there is one, is what the menu says and how it is answered.
	key, menu, choose string
	// form is what the form is called.
	form   string
	fields []string
	// verdict is chosen first where there is one.
	verdict bool
	// confirm are the targets whose first characters are typed.
	confirm []identity.ID
	// finding is what the scan finds in the fields; empty for nothing.
	finding string
}

// writer walks through flows on one terminal.
type writer struct {
	*desktop
	*seat
	// locked says that no passphrase was typed yet.
	locked bool
	signed int
}

// begin gets to the form.
func (w *writer) begin(f flow) {
	w.shows(" akx ▸ ")
	if f.from.IsZero() {
		w.do("B")
		w.shows("sort: ")
	} else {
		w.open(f.from.String())
	}
	w.do(f.key)
	if f.menu == "" {
		return
	}
	w.shows(f.menu)
	w.do("esc") // the first step that can be cancelled
	w.hides(f.menu)
	w.unsigned(f, 0)
	w.do(f.key)
	w.shows(f.menu)
	w.do(f.choose)
}

// unsigned checks that nothing more was signed, and gives the draft where one is to be.
func (w *writer) unsigned(f flow, drafts int) desk.Draft {
	w.desktop.t.Helper()
	all, entries := w.stored()
	if len(entries) != w.signed || len(all) != drafts {
		w.desktop.t.Fatalf("%s: %d signed, not %d; %d drafts, not %d\n%s", f.name, len(entries), w.signed, len(all), drafts, w.Screen())
	}
	if drafts == 0 {
		return desk.Draft{}
	}
	return all[0]
}

// back leaves the form, and opens the draft again from the list.
func (w *writer) back(f flow) {
	w.do("esc")
	w.hides("Compose: ")
	w.do("d")
	w.shows("Drafts 1")
	w.do("enter")
	w.shows(f.form, " saved ")
}

// cancel goes through the last steps and leaves each of them; the draft stays as it was.
func (w *writer) cancel(f flow) {
	before := w.unsigned(f, 1)
	stays := func(step string) {
		w.desktop.t.Helper()
		w.shows(f.form, "] ", " saved ")
		if after := w.unsigned(f, 1); !after.Payload.Equal(before.Payload) || after.Type != before.Type {
			w.desktop.t.Errorf("%s, %s: the draft is %+v, was %+v", f.name, step, after.Payload, before.Payload)
		}
	}
	if f.finding != "" {
		for _, keys := range []string{"esc", "enter"} {
			w.do("ctrl+x")
			w.shows("May this be public, for good?", f.finding)
			w.do(keys)
			w.hides("May this be public")
			stays("the finding, " + keys)
		}
		w.do("ctrl+x")
		w.shows("May this be public, for good?")
		w.do("down enter")
	} else {
		w.do("ctrl+x")
	}
	last := "Sign: public and permanent"
	for _, keys := range []string{"esc", "enter"} { // Cancel has the keys first
		w.shows(last)
		w.do(keys)
		w.shows("cancelled: nothing was signed")
		w.hides(last)
		stays("the last step, " + keys)
		w.do("ctrl+x")
	}
	w.shows(last)
	if len(f.confirm) > 0 {
		w.do("tab")
		w.confirm(f.confirm[0], "####")
		w.do("tab")
		w.do(strings.Repeat("tab ", len(f.confirm)-1) + "enter")
		w.shows("type the first characters of this target's ID")
		w.do("esc")
		w.hides(last)
		stays("a wrong confirmation")
		w.do("ctrl+x")
		w.shows(last)
	}
	if w.locked {
		w.agree(f)
		w.shows("The passphrase of")
		w.letters(secretWord).do("esc")
		w.hides(last)
		stays("the passphrase")
		w.do("ctrl+x")
		w.shows(last)
		w.agree(f)
		w.shows("The passphrase of")
		w.letters("wrong").do("enter")
		w.shows("wrong passphrase")
		w.do("esc")
		w.hides(last)
		stays("a wrong passphrase")
		w.do("ctrl+x")
		w.shows(last)
	}
}

// agree types what has to be typed, and chooses to sign.
func (w *writer) agree(f flow) {
	for _, id := range f.confirm {
		w.do("tab")
		w.confirm(id, id.String()[:4])
	}
	w.do("tab enter")
}

// confirm types the first characters of a target, one by one: what comes at once might
// be a paste.
func (w *writer) confirm(id identity.ID, typed string) {
	for i := range typed {
		w.letters(typed[i : i+1])
		w.shows(id.String()[:8] + "…: " + typed[:i+1])
	}
}

// walk goes all the way, with each step cancelled once, and gives the event.
func (w *writer) walk(f flow) capsule.Event {
	w.desktop.t.Helper()
	w.begin(f)
	w.shows(f.form)
	w.field("")
	if f.verdict {
		w.field("verdict").do("right")
		w.hides("[none")
	}
	half := len(f.fields) / 4 * 2
	w.fill(f.fields[:half]...)
	w.back(f)
	w.fill(f.fields[half:]...)
	if f.finding != "" {
		w.shows("ready, 1 to answer")
	} else {
		w.shows("ready to be signed")
	}
	w.cancel(f)
	w.agree(f)
	if w.locked {
		w.shows("The passphrase of")
		w.letters(secretWord).do("enter")
		w.locked = false
	}
	w.shows("signed and held here")
	w.signed++
	w.unsigned(f, 0)
	_, entries := w.stored()
	newest := slices.MaxFunc(entries, func(a, b desk.Entry) int {
		return int(nonceOf(w.desktop.t, a.Envelope) - nonceOf(w.desktop.t, b.Envelope))
	})
	offer, err := capsule.Open([]byte(newest.Envelope))
	if err != nil || offer.Event() == nil {
		w.desktop.t.Fatal(err, offer.Refusal())
	}
	return offer.Event()
}

// A capsule of every kind is written on a terminal, from the first key to the row in
// Browse; leaving at any step signs nothing and loses nothing.
func TestEveryKindOnATerminal_4_1(t *testing.T) {
	t.Parallel()
	target := sign(t1, 1, "Somebody's question", identity.ID{})
	d := newDesktop(t, []byte(target.Text()))
	w := &writer{desktop: d, seat: d.sit(), locked: true}
	for i, kind := range capsule.Kinds() {
		f := flow{name: kind.String(), key: "c", menu: "Begin a draft", choose: strings.Repeat("down ", i) + "enter", form: "Compose: " + kind.String(),
			fields: []string{"title", "About " + kind.String(), "statement", "It is so.", "scope", "here", "basis", "seen"}}
		switch kind {
		case capsule.Hypothesis:
			f.finding = "ann@bench.net"
			f.fields[7] = "ask ann@bench.net"
		case capsule.Resource:
			f.fields = append(f.fields, " 1 url", "https://example.com/a", " 1 descr", "data", " 1 digest", strings.Repeat("A", 43))
		case capsule.Collection:
			f.fields = append(f.fields, " 1 target", target.ID().String())
		}
		event := w.walk(f)
		if p, ok := event.(*capsule.Publication); !ok || p.Payload().Kind != kind || p.Payload().Title != f.fields[1] {
			t.Fatalf("signed %+v", event)
		}
		w.do("B")
		w.shows("sort: ", " ok  active", f.fields[1])
	}
	w.leave()
}

// own publishes a capsule of the home's key through the command line.
func (d *desktop) own(kind, title string) identity.ID {
	d.t.Helper()
	text := strings.Replace(readyDraft, `"question"`, `"`+kind+`"`, 1)
	created := d.result([]byte(strings.ReplaceAll(text, "What follows?", title)), "draft", "new", kind, "-")
	signed := d.result(nil, "sign", strconv.Itoa(int(created["draft_id"].(float64))), "--yes-publish")
	id, err := identity.ParseID(signed["event_id"].(string))
	if err != nil {
		d.t.Fatal(err)
	}
	return id
}

// result runs a command and gives the payload of its result.
func (d *desktop) result(stdin []byte, args ...string) map[string]any {
	d.t.Helper()
	var event struct{ Result map[string]any }
	text := d.run(stdin, append([]string{"--json"}, args...)...)
	if err := json.Unmarshal([]byte(text), &event); err != nil {
		d.t.Fatalf("%v: %v\n%s", args, err, text)
	}
	return event.Result
}

// What begins on a page is written on a terminal to its signature, and each step of it
// can be left: extension, answer, restatement, assessment, correction of one and of
// several capsules, retraction.
func TestEveryFlowFromAPageOnATerminal_6_and_7(t *testing.T) {
	t.Parallel()
	foreign := sign(t1, 1, "Somebody's question", identity.ID{})
	d := newDesktop(t, []byte(foreign.Text()))
	first, second := d.own("observation", "First"), d.own("observation", "Second")
	w := &writer{desktop: d, seat: d.sit(), locked: true, signed: 2}
	written := []string{"title", "Mine", "statement", "It is so.", "scope", "here", "basis", "seen"}
	links := func(e capsule.Event, relation capsule.Relation, want ...identity.ID) {
		t.Helper()
		var got []identity.ID
		for _, l := range e.(*capsule.Publication).Payload().Relations {
			if l.Relation == relation {
				got = append(got, l.Target)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s leads to %v, not %v", relation, got, want)
		}
	}
	for i, relation := range []capsule.Relation{capsule.Extends, capsule.Addresses, capsule.DerivedFrom} {
		links(w.walk(flow{name: relation.String(), from: foreign.ID(), key: "c", menu: "Begin a draft", choose: strings.Repeat("down ", i) + "enter",
			form: "[" + relation.String(), fields: written}), relation, foreign.ID())
	}
	assessed := w.walk(flow{name: "assessment", from: foreign.ID(), key: "A", form: "Compose: assessment", verdict: true,
		fields: []string{"summary", "It holds.", "scope", "here", "basis", "read"}})
	if p := assessed.(*capsule.Assessment).Payload(); p.Target != foreign.ID() || p.Verdict == 0 {
		t.Errorf("assessed %+v", p)
	}
	correct := flow{name: "correction", from: first, key: "S", menu: "Correct which of your own", choose: "enter", form: "[supersedes",
		fields: []string{"basis", " More."}, confirm: []identity.ID{first}}
	better := w.walk(correct)
	links(better, capsule.Supersedes, first)
	correct.name, correct.from, correct.choose, correct.fields = "merge", second, "down space enter", []string{"title", " and more"}
	correct.confirm = []identity.ID{second, better.ID()}
	merged := w.walk(correct)
	links(merged, capsule.Supersedes, second, better.ID())
	withdrawn := w.walk(flow{name: "retraction", from: merged.ID(), key: "X", form: "Compose: retraction",
		fields: []string{"reason", "It was wrong."}, confirm: []identity.ID{merged.ID()}})
	if target := withdrawn.(*capsule.Retraction).Payload().Target; target != merged.ID() {
		t.Errorf("retracted %s", target)
	}
	w.open(merged.ID().String())
	w.shows("RETRACTED")
	w.leave()
}
