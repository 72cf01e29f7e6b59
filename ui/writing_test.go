package ui_test

import (
	"context"
	"crypto/sha3"
	"maps"
	"slices"
	"strings"
	"testing"

	"akx/cache/storetest"
	"akx/ui/screen/compose"
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
	for _, name := range slices.Sorted(maps.Keys(k)) {
		out = append(out, compose.Signer{Name: name, Actor: k[name].Actor(), Default: name == "ann"})
	}
	return out, nil
}

func (k locked) Unlock(_ context.Context, name string, typed []byte) (identity.Key, error) {
	if string(typed) != passphrase {
		return identity.Key{}, &fault.Unavailable{Code: fault.PermissionDenied, What: "key " + name, Detail: "the passphrase is wrong", Hint: "type it again"}
	}
	return identity.NewKey(sha3.Sum256([]byte("the key of " + name))), nil
}

func (k locked) Create(_ context.Context, name string, typed []byte) (compose.Signer, error) {
	if string(typed) != passphrase {
		return compose.Signer{}, &fault.Usage{Detail: "the passphrase is too short"}
	}
	k[name] = newLocked(name)[name]
	return compose.Signer{Name: name, Actor: k[name].Actor(), Default: len(k) == 1}, nil
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
	w.answerStops()
	for _, first := range confirm {
		w.Press("tab")
		w.Type(first)
	}
	for range strings.Count(w.Screen(), "[ ] ") { // past each service
		w.Press("tab")
	}
	w.Press("tab", "enter")
	w.shows("The passphrase of")
	w.Type(passphrase)
	w.hides(passphrase)
	w.Press("enter")
}

// answerStops answers what the last step wants first: the text is read to its end, and
// each target that has changed since is meant. The keys are on the last of them then.
func (w *writing) answerStops() {
	w.t.Helper()
	if strings.Contains(w.Screen(), "[ ] text read") {
		w.Press("tab", "enter")
		for strings.Contains(w.Screen(), "What you sign, as its readers") {
			w.Press("enter")
		}
		w.shows("[x] text read")
		w.Press("shift+tab")
	}
	for range strings.Count(w.Screen(), "[ ] I mean this version") {
		w.do("tab space")
	}
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
