package ui_test

import (
	"bytes"
	"context"
	"crypto/sha3"
	"encoding/base64"
	"io"
	"strings"
	"testing"
	"time"

	"akx/cache/storetest"
	"akx/explore"
	"akx/ui/kit"
	"akx/ui/screen/compose"
	"akx/ui/term"
	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/memory"
	"akx/view/wire"
)

// locked are keys behind a passphrase; every key of a test has the same.
type locked map[string]identity.Key

const passphrase = "correct horse"

func (k locked) Signers(context.Context) ([]compose.Signer, error) {
	var out []compose.Signer
	for name, key := range k {
		out = append(out, compose.Signer{Name: name, Actor: key.Actor(), Default: name == "ann"})
	}
	return out, nil
}

func (k locked) Unlock(_ context.Context, name string, typed []byte) (identity.Key, error) {
	if string(typed) != passphrase {
		return identity.Key{}, &fault.Unavailable{Code: fault.PermissionDenied, What: "key " + name, Detail: "the passphrase is wrong", Hint: "type it again"}
	}
	return identity.NewKey(sha3.Sum256([]byte("the key of " + name))), nil
}

func newLocked(names ...string) locked {
	k := locked{}
	for _, name := range names {
		k[name] = identity.NewKey(sha3.Sum256([]byte("the key of " + name)))
	}
	return k
}

// writing is an explorer on a library of its user's own, with one key, ann's.
type writing struct {
	*explorer
	lib  *memory.Store
	desk *memory.Desk
	keys locked
	// target is a capsule of somebody else, with steps.
	target capsule.Event
}

func newWriting(t testing.TB, changes ...func(*setup)) *writing {
	t.Helper()
	w := &writing{lib: emptyLibrary(), desk: memory.NewDesk(), keys: newLocked("ann")}
	w.target = storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 1}, storetest.Titled("Somebody's finding"), func(p *capsule.PublishPayload) {
		p.Reproduction = &capsule.Reproduction{Environment: "their bench", Steps: []string{"mix", "wait"}, Expected: "their gas", Observed: "their gas"}
	})
	accept(t, w.lib, wire.Added, w.target)
	w.explorer = newExplorer(t, append([]func(*setup){over(w.lib), w.use}, changes...)...)
	return w
}

func (w *writing) use(s *setup) { s.desk, s.config.Keys = w.desk, w.keys }

// field goes to the field with a label.
func (x *explorer) field(label string) *explorer {
	x.t.Helper()
	for range 80 {
		if strings.Contains(x.Screen(), "│> "+label) {
			return x
		}
		x.Press("tab")
	}
	x.t.Fatalf("there is no field %q:\n%s", label, x.Screen())
	return nil
}

// fill types into fields: pairs of labels and texts.
func (x *explorer) fill(pairs ...string) *explorer {
	x.t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		x.field(pairs[i])
		x.Type(pairs[i+1])
	}
	return x
}

// sign goes through the last step: what has to be typed first, then the passphrase.
func (w *writing) sign(confirm ...string) {
	w.t.Helper()
	w.Press("ctrl+x")
	w.shows("Sign: public and permanent", "[ Cancel ]")
	for _, first := range confirm {
		w.Press("tab")
		w.Type(first)
	}
	for range strings.Count(w.Screen(), "[x] ") { // past each service
		w.Press("tab")
	}
	w.Press("tab", "enter")
	w.shows("The passphrase of")
	w.Type(passphrase)
	w.hides(passphrase)
	w.Press("enter")
}

// held lists the events that the library holds, by type.
func (w *writing) held(typ capsule.Type) []capsule.Event {
	w.t.Helper()
	var out []capsule.Event
	err := w.lib.Read(w.t.Context(), func(snap view.Snapshot) error {
		var q view.Query
		q.Filter.Type = typ
		return snap.Scan(w.t.Context(), q, func(numbers []uint64) bool {
			rows, err := snap.Entries(numbers)
			for _, row := range rows {
				e, err := snap.Event(row.ID)
				if err != nil {
					w.t.Fatal(err)
				}
				out = append(out, e)
			}
			return err == nil
		})
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// own lists the events of ann that are held.
func (w *writing) own(typ capsule.Type) []capsule.Event {
	var out []capsule.Event
	for _, e := range w.held(typ) {
		if e.Actor() == w.keys["ann"].Actor() {
			out = append(out, e)
		}
	}
	return out
}

func (w *writing) drafts() []desk.Draft {
	w.t.Helper()
	drafts, err := w.desk.Drafts(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return drafts
}

func (w *writing) entries() []desk.Entry {
	w.t.Helper()
	entries, err := w.desk.Entries(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return entries
}

func (w *writing) open(id identity.ID) *writing {
	w.Press(":")
	w.Type("open " + id.String())
	w.Press("enter")
	return w
}

// publish writes and signs a capsule of ann's.
func (w *writing) publish(title, statement string) capsule.Event {
	w.t.Helper()
	before := len(w.own(capsule.Publish))
	w.do("B c down down down enter") // an observation
	w.fill("title", title, "statement", statement, "scope", "one bench", "basis", "two runs")
	w.sign()
	all := w.own(capsule.Publish)
	if len(all) != before+1 {
		w.t.Fatalf("%d capsules of ann, want %d:\n%s", len(all), before+1, w.Screen())
	}
	for _, e := range all {
		if e.Title() == title {
			return e
		}
	}
	w.t.Fatalf("no capsule %q", title)
	return nil
}

// A capsule of every kind is written in the form, and shown as held once it is signed.
func TestComposeEveryKind(t *testing.T) {
	for i, kind := range capsule.Kinds() {
		w := newWriting(t)
		w.do("c" + strings.Repeat(" down", i) + " enter")
		w.shows("Compose: "+kind.String(), "empty: cannot sign")
		w.fill("title", "About "+kind.String(), "statement", "One claim.", "scope", "here", "basis", "we looked")
		switch kind {
		case capsule.Resource:
			w.fill(" 1 url", "https://example.com/data.csv", " 1 descr", "the data", " 1 digest", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
		case capsule.Collection:
			w.fill(" 1 target", w.target.ID().String())
		}
		w.shows("ready")
		w.sign()
		own := w.own(capsule.Publish)
		if len(own) != 1 || own[0].(*capsule.Publication).Payload().Kind != kind {
			t.Fatalf("%s: %d signed:\n%s", kind, len(own), w.Screen())
		}
		w.shows("signed and held here", "About "+kind.String(), "signature (key and bytes only) ok")
		if n := len(w.drafts()); n != 0 {
			t.Errorf("%s: %d drafts are left", kind, n)
		}
	}
}

// An assessment starts with nothing of what the target did; copied steps wait until
// each is said to be done (6.2).
func TestAssess_6_2(t *testing.T) {
	w := newWriting(t)
	w.open(w.target.ID()).do("A")
	w.shows("Compose: assessment", w.target.ID().String())
	w.hides("their bench", "their gas")
	w.field("verdict").do("enter down down enter")
	w.shows("reproduced", "observed is required for reproduced", "You carried a procedure out")
	w.fill("summary", "It worked.", "scope", "my bench", "basis", "I did it", "environment", "glass", "expected", "gas", "observed", "gas").do("alt+c")
	w.shows("copied from the target: alt+y says that you", "mix", "[not done yet] wait")
	w.hides("their bench", "their gas")
	w.do("ctrl+x")
	w.shows("Cannot be signed yet", "/reproduction/steps/0", "say that you did this")
	w.do("esc")
	for _, step := range []string{" 1 ", " 2 "} {
		w.field("steps")
		for !strings.Contains(w.Screen(), "│> "+step) {
			w.Press("tab")
		}
		w.do("alt+y")
	}
	w.shows("ready")
	w.sign()
	own := w.own(capsule.Assess)
	if len(own) != 1 {
		t.Fatalf("%d assessments:\n%s", len(own), w.Screen())
	}
	p := own[0].(*capsule.Assessment).Payload()
	if p.Verdict != capsule.VerdictReproduced || p.Target != w.target.ID() || len(p.Reproduction.Steps) != 2 || p.Reproduction.Environment != "glass" {
		t.Errorf("signed %+v", p)
	}
}

// One's own capsules can be corrected together: the text of the first, and what
// differs in the others below it. The first characters of each target are typed.
func TestCorrectWithMerge_6_1(t *testing.T) {
	w := newWriting(t)
	first, second := w.publish("First", "It is so."), w.publish("Second", "It is otherwise.")
	w.open(first.ID()).do("S")
	w.shows("Correct which of your own capsules?", "[x] "+first.ID().String()[:8], "[ ] "+second.ID().String()[:8])
	w.do("down space enter")
	w.shows("It is so.", "It is otherwise.", "supersedes")
	w.do("ctrl+x")
	w.shows(first.ID().String(), second.ID().String())
	w.do("tab 'zzzz tab 'zzzz tab enter")
	w.shows("type the first characters of this target's ID")
	w.do("esc")
	w.sign(first.ID().String()[:4], second.ID().String()[:4])
	for _, e := range w.own(capsule.Publish) {
		if links := e.(*capsule.Publication).Payload().Relations; len(links) == 2 {
			return
		}
	}
	t.Fatalf("no correction of both:\n%s", w.Screen())
}

// Only one's own events are retracted; of others the row says why not.
func TestRetract_7_1(t *testing.T) {
	w := newWriting(t)
	w.open(w.target.ID()).do("X")
	w.shows("this is not your own")
	own := w.publish("Mine", "It is so.")
	w.open(own.ID()).do("X").fill("reason", "It was wrong.")
	w.sign(own.ID().String()[:4])
	if n := len(w.own(capsule.Retract)); n != 1 {
		t.Fatalf("%d retractions:\n%s", n, w.Screen())
	}
	w.open(own.ID()).shows("RETRACTED")
}

// Extension, answer and restatement begin on a page, with their relation.
func TestBeginFromAPage(t *testing.T) {
	for i, relation := range []string{"extends", "addresses", "derived_from"} {
		w := newWriting(t)
		if relation == "addresses" {
			w.target = storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 2}, storetest.OfKind(capsule.Question))
			accept(t, w.lib, wire.Added, w.target)
		}
		w.open(w.target.ID()).do("c" + strings.Repeat(" down", i) + " enter")
		w.shows("Compose: ", "["+relation, w.target.ID().String())
	}
}

// Nothing is signed by leaving the way to a signature at any place of it, and nothing
// that was typed is lost.
func TestCancelAtEveryStep(t *testing.T) {
	for _, keys := range []string{
		"esc", "enter", "tab tab tab esc", "tab enter esc", "tab enter 'wrong esc", "tab enter 'wrong enter esc", "ctrl+x esc", "alt+p esc", "f2 esc",
	} {
		w := newWriting(t)
		w.do("c enter").fill("title", "Kept", "statement", "s", "scope", "s", "basis", "b")
		w.do("ctrl+x")
		w.shows("Sign: public and permanent")
		w.do(keys)
		if n := len(w.own(0)); n != 0 || len(w.entries()) != 0 {
			t.Fatalf("%q signed something", keys)
		}
		if all := w.drafts(); len(all) != 1 || all[0].Payload.Title != "Kept" || all[0].Payload.Basis != "b" {
			t.Errorf("%q lost what was typed: %+v", keys, all)
		}
	}
}

// In the last step no paste is taken, and a wrong passphrase is asked for again.
func TestSignTakesNoPaste(t *testing.T) {
	w := newWriting(t)
	own := w.publish("Mine", "It is so.")
	w.open(own.ID()).do("X").fill("reason", "It was wrong.").do("ctrl+x tab")
	w.Send(term.Paste{Text: own.ID().String()[:4]})
	w.shows("no paste is taken here")
	w.do("tab enter")
	w.shows("type the first characters")
	w.Type(own.ID().String()[:4])
	w.do("tab enter 'nonsense enter")
	w.shows("the passphrase is wrong", "The passphrase of")
	if n := len(w.own(capsule.Retract)); n != 0 {
		t.Fatalf("%d retractions", n)
	}
	w.Type(passphrase)
	w.do("enter")
	if n := len(w.own(capsule.Retract)); n != 1 {
		t.Errorf("%d retractions:\n%s", n, w.Screen())
	}
}

// Each finding of the scan is asked about; going back is what enter does first.
func TestFindingsAreAnswered(t *testing.T) {
	w := newWriting(t)
	w.do("c enter").fill("title", "t", "statement", "write to ann@bench.net or bob@bench.net", "scope", "s", "basis", "b").do("ctrl+x")
	w.shows("May this be public, for good?", "mail address", "/statement")
	w.do("enter")
	w.shows("> statement")
	w.do("ctrl+x down enter")
	w.shows("May this be public, for good?")
	w.do("down enter")
	w.shows("Sign: public and permanent")
}

// A MiB of pasted text takes no time to speak of, goes in up to what the field can
// hold with the count said, signs nothing, and is undone in one step (ux.md, bug 6).
func TestHugePaste(t *testing.T) {
	w := newWriting(t)
	w.do("c enter").fill("title", "t").field("statement")
	began := time.Now()
	w.Send(term.Paste{Text: strings.Repeat("many lines\n", term.MaxPaste/11)})
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("the paste took %v", took)
	}
	w.shows("pasted the first 16,384 of 1,048,575 characters", "Compose: question")
	if n := len(w.drafts()[0].Payload.Statement); n != 16384 {
		t.Errorf("%d bytes were stored", n)
	}
	w.do("ctrl+_")
	if text := w.drafts()[0].Payload.Statement; text != "" || len(w.own(0)) != 0 {
		t.Errorf("one undo leaves %d bytes", len(text))
	}
	w.do("alt+_")
	if n := len(w.drafts()[0].Payload.Statement); n != 16384 {
		t.Errorf("one redo brings %d bytes", n)
	}
}

// Undo goes back by words, within its field.
func TestUndoWithinAField(t *testing.T) {
	w := newWriting(t)
	w.do("c enter").fill("title", "one two", "statement", "other")
	w.field("title").do("ctrl+_")
	if p := w.drafts()[0].Payload; p.Title != "one " || p.Statement != "other" {
		t.Errorf("undone: %q, %q", p.Title, p.Statement)
	}
}

// What the editor saves becomes the draft; whatever goes wrong with it, nothing is
// lost, and complaints name their lines.
func TestEditor(t *testing.T) {
	type saved struct {
		text string
		err  error
	}
	var sent string
	var next saved
	w := newWriting(t, func(s *setup) {
		s.edit = func(text []byte) ([]byte, error) {
			sent = string(text)
			if next.text == "as it was" {
				return text, next.err
			}
			return []byte(next.text), next.err
		}
	})
	w.do("c enter").fill("title", "Mine")
	title := func(want string) {
		t.Helper()
		if got := w.drafts()[0].Payload.Title; got != want {
			t.Fatalf("the title is %q, want %q:\n%s", got, want, w.Screen())
		}
	}
	for name, c := range map[string]saved{
		"nothing changed": {"as it was", nil}, "empty": {"", nil}, "killed": {"as it was", context.DeadlineExceeded},
		"gone": {"", &fault.Unavailable{Code: fault.UnavailableCode, What: "the editor", Detail: "exit status 1"}},
	} {
		t.Run(name, func(*testing.T) {
			next = c
			w.do("alt+e")
			title("Mine")
		})
	}
	next = saved{"kind: question\ntitle: Yours\nnonsense: 1\n", nil}
	w.do("alt+e")
	w.shows("The text is no draft yet", "line 3")
	title("Mine")
	next = saved{"kind: question\ntitle: Yours\n", nil}
	w.do("enter")
	if !strings.Contains(sent, "nonsense: 1") {
		t.Errorf("the editor got %q", sent)
	}
	title("Yours")
	w.shows("Yours")
}

// Relations take only targets that the rules allow, and say why others are not.
func TestTargetPicker_6_1(t *testing.T) {
	w := newWriting(t)
	accept(t, w.lib, wire.Added, storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 2}, storetest.OfKind(capsule.Hypothesis), storetest.Titled("A guess")))
	w.do("c down down down enter").field("relations").do("enter")
	w.field(" 1 relation")
	for !strings.Contains(w.Screen(), "[tests") {
		w.Press("right")
	}
	w.field(" 1 target").do("enter")
	w.shows("Which event is the target?", "not this:", "A guess")
	w.do("'finding enter")
	w.shows("this cannot be the target")
	w.do("ctrl+u 'guess enter")
	if links := w.drafts()[0].Payload.Relations; len(links) != 1 || len(links[0].Target) != 43 {
		t.Errorf("relations %+v", links)
	}
}

// The digest of a local file is computed here, piece by piece, with its progress.
func TestDigestOfAFile_5_1(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789abcdef"), 3<<20) // 48 MiB
	var bars []string
	reads := 0
	w := newWriting(t)
	read := func(name string) (io.ReadCloser, int64, error) {
		if name != "data.csv" {
			return nil, 0, &fault.Unavailable{Code: fault.UnavailableCode, What: "the file", Detail: "there is none"}
		}
		return io.NopCloser(watched{bytes.NewReader(data), func() {
			if reads++; w.explorer != nil && reads%256 == 0 {
				bars = append(bars, w.Screen())
			}
		}}), int64(len(data)), nil
	}
	w.explorer = newExplorer(t, over(w.lib), w.use, func(s *setup) { s.config.OpenFile = read })
	w.do("c down down down down down down enter").field(" 1 digest").do("enter 'other enter")
	w.shows("there is none")
	w.do("ctrl+u 'data.csv enter")
	sum := sha3.Sum256(data)
	if got := w.drafts()[0].Payload.Evidence[0].Digest; got != base64.RawURLEncoding.EncodeToString(sum[:]) {
		t.Errorf("the digest is %q", got)
	}
	w.shows("the digest of 50,331,648 bytes")
	if !strings.Contains(strings.Join(bars, ""), "33,554,432 of 50,331,648 bytes") {
		t.Error("no progress was drawn")
	}
}

// watched tells when it is read.
type watched struct {
	io.Reader
	look func()
}

func (r watched) Read(p []byte) (int, error) {
	r.look()
	return r.Reader.Read(p)
}

// Tags are completed from the library.
func TestTagsAreCompleted(t *testing.T) {
	w := newWriting(t)
	accept(t, w.lib, wire.Added, storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 2}, func(p *capsule.PublishPayload) { p.Tags = []string{"chemistry", "gas"} }))
	w.do("c enter").field("tags").do("enter 'che enter")
	w.shows("chemistry")
	w.do("enter")
	if tags := w.drafts()[0].Payload.Tags; len(tags) != 1 || tags[0] != "chemistry" {
		t.Errorf("tags %q", tags)
	}
}

// A target that was superseded is said at the start, with a choice, and again before
// the signature.
func TestSupersededTarget(t *testing.T) {
	w := newWriting(t)
	next := storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 2}, storetest.Titled("The better one"), storetest.Relate(capsule.Supersedes, w.target.ID()))
	accept(t, w.lib, wire.Added, next)
	w.open(w.target.ID()).do("A")
	w.shows("superseded by 1", "keep it", "The better one", "which one do you mean?")
	w.do("down enter")
	if got := w.drafts()[0].Payload.Target; got != next.ID().String() {
		t.Errorf("the target is %s", got)
	}
	w.hides("superseded by 1")
	w = newWriting(t)
	accept(t, w.lib, wire.Added, next)
	w.open(w.target.ID()).do("A enter")
	if got := w.drafts()[0].Payload.Target; got != w.target.ID().String() {
		t.Errorf("the target is %s", got)
	}
	w.field("verdict").do("right").fill("summary", "s", "scope", "s", "basis", "b").do("ctrl+x")
	w.shows("Sign: public and permanent", "superseded by 1")
}

// Two explorers on one desk: the second reads only, and says who writes.
func TestSecondExplorerReadsOnly(t *testing.T) {
	w := newWriting(t)
	w.do("c enter").fill("title", "Mine")
	other := newExplorer(t, over(w.lib), w.use, from(kit.Route{Screen: kit.Compose, Query: "1"}))
	other.shows("READ-ONLY", "Mine", "read-only here")
	other.Type("x")
	other.shows("another akx has this draft open")
	w.do("esc")
	newExplorer(t, over(w.lib), w.use, from(kit.Route{Screen: kit.Compose, Query: "1"})).hides("READ-ONLY")
}

// --read-only says at each row why it does not work.
func TestReadOnlySaysWhy(t *testing.T) {
	w := newWriting(t)
	w.do("c enter 'Mine esc")
	x := newExplorer(t, over(w.lib), w.use, func(s *setup) { s.config.Options.ReadOnly = true })
	for _, key := range []string{"c", "A", "S", "X"} {
		x.do(key)
		x.shows("read-only: nothing of your own is changed, signed or sent")
		x.do("down")
	}
	x.do("d")
	for _, key := range []string{"x", "u", ">", "+"} {
		x.do(key)
		x.shows("read-only: nothing of your own is changed")
	}
	x.do("enter 'more ctrl+x")
	x.shows("READ-ONLY", "read-only: nothing of your own is changed, signed or sent")
	if got := w.drafts()[0].Payload.Title; got != "Mine" {
		t.Errorf("the title is %q", got)
	}
}

// A state that cannot be stored is said, and stored with the next one.
func TestUnsavedIsSaid(t *testing.T) {
	w := &writing{lib: emptyLibrary(), desk: memory.NewDesk(), keys: newLocked("ann")}
	broken := &brokenDesk{Desk: w.desk}
	w.explorer = newExplorer(t, over(w.lib), w.use, func(s *setup) { s.desk = broken })
	w.do("c enter 'a")
	broken.err = &fault.Unavailable{Code: fault.Locked, What: "own.db", Detail: "in use"}
	w.do("'b")
	w.shows("NOT SAVED", "own.db")
	w.do("esc")
	broken.err = nil
	if err := w.root.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := w.drafts()[0].Payload.Title; got != "ab" {
		t.Errorf("the title is %q", got)
	}
}

// brokenDesk fails to store drafts.
type brokenDesk struct {
	explore.Desk
	err error
}

func (d *brokenDesk) PutDraft(ctx context.Context, draft desk.Draft) (desk.Draft, error) {
	if d.err != nil {
		return desk.Draft{}, d.err
	}
	return d.Desk.PutDraft(ctx, draft)
}
