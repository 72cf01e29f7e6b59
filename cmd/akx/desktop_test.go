package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"akx/cache"
	"akx/cmd/akx/eventtest"
	"akx/ui/termtest"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/identity"
)

// desktop is a home of an author, with one key, on which the program runs on terminals.
type desktop struct {
	t    *testing.T
	home string
	// env is added to the environment of every akx, as NAME=value.
	env []string
	// pass is a file with the passphrase.
	pass string
	// frozen says that the home cannot be written.
	frozen bool
}

// secretWord is the passphrase of every key here.
const secretWord = "horse"

// newDesktop is a home with a key and with events in its cache, none where there are none.
func newDesktop(t *testing.T, events []byte) *desktop {
	t.Helper()
	return newDesktopIn(t, t.TempDir(), events)
}

func newDesktopIn(t *testing.T, home string, events []byte) *desktop {
	t.Helper()
	d := &desktop{t: t, home: home, pass: writeFile(t, t.TempDir(), "pass.txt", []byte(secretWord+"\n"))}
	d.run(nil, "key", "new")
	writeFile(t, d.dir(), "config.yaml", []byte("license: https://creativecommons.org/licenses/by/4.0/\nlanguage: en\n"))
	if events != nil {
		d.run(events, "import", "-")
	}
	return d
}

// dir is the directory of akx in the home.
func (d *desktop) dir() string { return filepath.Join(d.home, ".local/share/akx") }

// run runs a command to its end, which must be a good one, and gives what it said.
func (d *desktop) run(stdin []byte, args ...string) string {
	d.t.Helper()
	text, code := d.command(stdin, args...)
	if code != exitDone {
		d.t.Fatalf("akx %s: exit code %d\n%s", strings.Join(args, " "), code, text)
	}
	return text
}

// command runs a command to its end.
func (d *desktop) command(stdin []byte, args ...string) (text string, code int) {
	d.t.Helper()
	cmd := program(d.t, d.home, args...)
	cmd.Env = append(append(cmd.Env, "AKX_PASSPHRASE_FILE="+d.pass), d.env...)
	cmd.Stdin = strings.NewReader(string(stdin))
	return output(cmd)
}

// stored reads what is kept: drafts outside of the trash, and what was signed. Every envelope is verified
// with an implementation of its own, and no two have the same nonce.
func (d *desktop) stored() (drafts []desk.Draft, entries []desk.Entry) {
	d.t.Helper()
	d.withCache(func(store *cache.Cache) {
		var err error
		if drafts, err = store.Desk().Drafts(d.t.Context()); err != nil {
			d.t.Fatal(err)
		}
		if entries, err = store.Desk().Entries(d.t.Context()); err != nil {
			d.t.Fatal(err)
		}
	})
	drafts = slices.DeleteFunc(drafts, func(d desk.Draft) bool { return d.Trashed != 0 })
	var nonces []int64
	for _, e := range entries {
		if id, err := eventtest.Envelope(e.Envelope); err != nil || id != e.ID.String() {
			d.t.Fatalf("the outbox has %s as %s: %v", e.ID, id, err)
		}
		nonce := nonceOf(d.t, e.Envelope)
		if slices.Contains(nonces, nonce) {
			d.t.Fatalf("the nonce %d signed two events", nonce)
		}
		nonces = append(nonces, nonce)
	}
	return drafts, entries
}

// withCache opens the home beside whatever runs on it.
func (d *desktop) withCache(f func(*cache.Cache)) {
	d.t.Helper()
	store, err := cache.Open(d.t.Context(), d.dir(), cache.Options{Command: "a test", ReadOnly: d.frozen})
	if err != nil {
		d.t.Fatal(err)
	}
	defer store.Close()
	f(store)
}

// entry is the only event that was signed.
func (d *desktop) entry() desk.Entry {
	d.t.Helper()
	_, entries := d.stored()
	if len(entries) != 1 {
		d.t.Fatalf("%d events were signed", len(entries))
	}
	return entries[0]
}

func nonceOf(t *testing.T, envelope string) int64 {
	t.Helper()
	var e struct{ Event struct{ Nonce int64 } }
	if err := json.Unmarshal([]byte(envelope), &e); err != nil {
		t.Fatal(err)
	}
	return e.Event.Nonce
}

// seat is the explorer on a terminal.
type seat struct {
	*termtest.Session
	t *testing.T
}

// sit starts the explorer on a terminal on which every dialog fits.
func (d *desktop) sit(args ...string) *seat {
	d.t.Helper()
	cmd := program(d.t, d.home, args...)
	cmd.Env = append(cmd.Env, d.env...)
	return &seat{termtest.Start(d.t, cmd, 120, 52), d.t}
}

// strokes are keys as tests write them; other words are sent as they are.
var strokes = map[string]string{
	"enter": termtest.Enter, "esc": termtest.Esc, "tab": termtest.Tab, "back": termtest.ShiftTab, "up": termtest.Up, "down": termtest.Down,
	"right": termtest.Right, "left": termtest.Left, "space": termtest.Space, "erase": termtest.Backspace,
	"ctrl+x": termtest.Ctrl('x'), "ctrl+u": termtest.CtrlU, "alt+p": termtest.Alt("p"), "alt+i": termtest.Alt("i"), "alt+e": termtest.Alt("e"),
	"alt+c": termtest.Alt("c"), "alt+y": termtest.Alt("y"),
}

// do sends keys, one blank between them. They are not waited for.
func (s *seat) do(keys string) *seat {
	for key := range strings.FieldsSeq(keys) {
		if known, ok := strokes[key]; ok {
			key = known
		}
		s.Send(key)
	}
	return s
}

// shows waits until each of texts stands on the screen, all at once.
func (s *seat) shows(texts ...string) termtest.Screen {
	s.t.Helper()
	return s.Until(s.t, func(sc termtest.Screen) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !sc.Has(text) })
	}, termtest.Patience)
}

// hides waits until a text is gone from the screen.
func (s *seat) hides(text string) termtest.Screen {
	s.t.Helper()
	return s.Until(s.t, func(sc termtest.Screen) bool { return !sc.Has(text) }, termtest.Patience)
}

// letters types a text as single keys.
func (s *seat) letters(text string) *seat {
	for _, r := range text {
		s.Send(string(r))
	}
	return s
}

// focused is the row of the form that has the keys.
func focused(sc termtest.Screen) string {
	for _, row := range sc.Rows {
		if _, row, found := strings.Cut(row, "│> "); found {
			return row
		}
	}
	return ""
}

// fieldName is the name of the field that has the keys.
func fieldName(sc termtest.Screen) string {
	const width = 13
	row := focused(sc)
	return row[:min(len(row), width)]
}

// field goes to the field of the form with a label.
func (s *seat) field(label string) *seat {
	s.t.Helper()
	const most = 60
	before := ""
	for range most {
		// What stands after the name changes by itself, when the draft has been checked.
		s.Until(s.t, func(sc termtest.Screen) bool {
			name := fieldName(sc)
			moved := name != "" && name != before
			if moved {
				before = name
			}
			return moved
		}, termtest.Patience)
		if strings.HasPrefix(before, label) {
			return s
		}
		s.Send(termtest.Tab)
	}
	s.t.Fatalf("there is no field %q:\n%s", label, s.Screen())
	return s
}

// fill types into fields, pairs of labels and texts, and waits until all is stored.
func (s *seat) fill(pairs ...string) *seat {
	s.t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		s.field(pairs[i]).letters(pairs[i+1])
		s.Until(s.t, func(sc termtest.Screen) bool {
			return strings.HasPrefix(focused(sc), pairs[i]) && strings.Contains(focused(sc), pairs[i+1]) && sc.Has(" saved ")
		}, termtest.Patience)
	}
	return s
}

// open goes to the page of an event.
func (s *seat) open(id string) *seat {
	s.t.Helper()
	s.do(":").letters("open " + id).do("enter")
	s.shows(id[:8]+"…", "id "+id[:40], "signature (key and bytes only) ok")
	return s
}

// leave ends the explorer by its own key.
func (s *seat) leave() {
	s.t.Helper()
	s.do("q")
	if exit := s.Wait(s.t, termtest.Patience); exit.Code != exitDone {
		s.t.Errorf("exit %+v\n%s", exit, s.Screen())
	}
}

// kill ends the explorer as a power cut would.
func (s *seat) kill() {
	s.t.Helper()
	s.Kill()
	s.Wait(s.t, termtest.Patience)
}

// add makes a hub a service of the home.
func (d *desktop) add(h *hub) {
	d.t.Helper()
	service := desk.Service{Name: "hub", Origin: identity.Origin(h.origin), AllowPrivate: true, CAFile: writeFile(d.t, d.home, "ca.pem", h.ca), Enabled: true}
	d.withCache(func(store *cache.Cache) {
		if err := store.PutService(d.t.Context(), service); err != nil {
			d.t.Fatal(err)
		}
	})
}

// queue puts events into the outbox as signed and queued for a hub.
func (d *desktop) queue(h *hub, titles ...string) {
	d.t.Helper()
	d.withCache(func(store *cache.Cache) {
		for i, title := range titles {
			offer, err := capsule.Open([]byte(sign(t1, int64(100+i), title, identity.ID{}).Text()))
			if err != nil || offer.Event() == nil {
				d.t.Fatal(err, offer.Refusal())
			}
			if _, err := store.Desk().PutEntry(d.t.Context(), desk.NewEntry(offer.Event(), time.Now().UnixMilli(), []string{h.origin})); err != nil {
				d.t.Fatal(err)
			}
		}
	})
}
