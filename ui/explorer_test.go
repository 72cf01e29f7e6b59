package ui_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/explore/sample"
	"akx/ui"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/screen/compose"
	"akx/ui/slot"
	"akx/ui/uitest"
	"akx/view"
	"akx/view/desk"
	"akx/view/identity"
	"akx/view/memory"
)

// explorer is a running explorer and what it asked of the program around it.
type explorer struct {
	*uitest.Driver
	t       testing.TB
	root    *ui.Root
	copied  []string
	visited []string
	saved   []byte
}

// setup is what a test may change before the explorer starts.
type setup struct {
	lib     explore.Library
	network explore.Network
	desk    explore.Desk
	edit    func([]byte) ([]byte, error) // the user's editor
	// unlocked gives keys that need no passphrase for a while, for request tokens.
	unlocked func(context.Context, identity.Actor) (identity.Key, bool)
	w, h     int
	config   ui.Config
}

var sampleLibrary = sync.OnceValues(sample.Library)

const testLicense = "https://creativecommons.org/licenses/by/4.0/"

func clock() time.Time { return time.UnixMilli(sample.Now).UTC() }

// newExplorer starts the explorer on the sample at 120x36, without colours.
func newExplorer(t testing.TB, changes ...func(*setup)) *explorer {
	t.Helper()
	lib, err := sampleLibrary()
	if err != nil {
		t.Fatal(err)
	}
	x := &explorer{t: t}
	s := &setup{lib: lib, w: 120, h: 36, edit: func(text []byte) ([]byte, error) { return text, nil }, config: ui.Config{
		Options: kit.Options{
			Theme: draw.NewTheme("16", true, draw.NoColor), Glyphs: draw.Unicode(), Keys: kit.NewKeymap(nil),
			Work: &slot.Work{}, Clock: clock, Sample: true, Mouse: true, PreviewFrom: 100,
		},
		Keys:  compose.TestKeys(sample.Seeds()),
		Save:  func(data []byte) error { x.saved = data; return nil },
		Copy:  func(text string) (string, error) { x.copied = append(x.copied, text); return "by a test", nil },
		Visit: func(url string) error { x.visited = append(x.visited, url); return nil },
	}}
	for _, change := range changes {
		change(s)
	}
	if store, ok := s.lib.(*memory.Store); ok && s.network.Book == nil {
		s.network.Book, s.network.Store = store, store
	}
	session := explore.New(s.lib, explore.Options{Clock: s.config.Options.Clock, Sample: s.config.Options.Sample, Network: s.network})
	t.Cleanup(session.Close)
	s.config.Session = session
	if s.config.Keys != nil {
		if s.desk == nil {
			s.desk = memory.NewDesk()
		}
		s.config.Writer = explore.NewWriter(session, s.desk, explore.WriterOptions{
			ReadOnly: s.config.Options.ReadOnly, Defaults: desk.Defaults{License: testLicense, Language: "en"}, Unlocked: s.unlocked,
		})
		t.Cleanup(s.config.Writer.Close)
	}
	s.config.Edit = func(e kit.Edit) tea.Cmd {
		return func() tea.Msg {
			saved, err := s.edit(e.Text)
			if kept := s.config.Texts.Keep(e.Draft, saved); kept != nil {
				t.Fatal(kept)
			}
			return e.Done(saved, err)
		}
	}
	if s.config.Texts == nil {
		s.config.Texts = compose.NewMemory()
	}
	x.root = ui.New(s.config)
	x.Driver = uitest.Start(x.root, s.w, s.h)
	return x
}

func at(w, h int) func(*setup) { return func(s *setup) { s.w, s.h = w, h } }

func from(r kit.Route) func(*setup) { return func(s *setup) { s.config.Start = &r } }

// over starts on a library of one's own instead of the sample.
func over(lib explore.Library) func(*setup) {
	return func(s *setup) { s.lib, s.config.Options.Sample = lib, false }
}

// ascii starts without box characters.
func ascii(s *setup) { s.config.Options.Glyphs = draw.ASCII() }

func emptyLibrary() *memory.Store {
	return memory.New(view.ThisCache, func() int64 { return sample.Now })
}

// do takes keys by name, one blank between them; 'text is typed, with _ for a blank.
func (x *explorer) do(keys string) *explorer {
	for _, k := range strings.Fields(keys) {
		if text, ok := strings.CutPrefix(k, "'"); ok {
			x.Type(strings.ReplaceAll(text, "_", " "))
		} else {
			if k == "space" {
				k = " "
			}
			x.Press(k)
		}
	}
	return x
}

// shows fails unless every text is on the screen.
func (x *explorer) shows(texts ...string) {
	x.t.Helper()
	for _, text := range texts {
		if !strings.Contains(x.Screen(), text) {
			x.t.Fatalf("the screen does not show %q:\n%s", text, x.Screen())
		}
	}
}

// hides fails when one of the texts is on the screen.
func (x *explorer) hides(texts ...string) {
	x.t.Helper()
	for _, text := range texts {
		if strings.Contains(x.Screen(), text) {
			x.t.Fatalf("the screen shows %q:\n%s", text, x.Screen())
		}
	}
}

// click presses the left button on the first place of the screen that shows text.
func (x *explorer) click(text string) {
	x.t.Helper()
	for y, row := range strings.Split(x.Screen(), "\n") {
		if before, _, ok := strings.Cut(row, text); ok {
			column := draw.Line{draw.Gap(0)}.Width() + len([]rune(before))
			x.Send(tea.MouseMsg{X: column, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
			return
		}
	}
	x.t.Fatalf("nothing shows %q:\n%s", text, x.Screen())
}

// wheel turns the wheel down (lines > 0) or up at a place.
func (x *explorer) wheel(column, row, turns int) {
	button := tea.MouseButtonWheelDown
	if turns < 0 {
		button, turns = tea.MouseButtonWheelUp, -turns
	}
	for range turns {
		x.Send(tea.MouseMsg{X: column, Y: row, Button: button, Action: tea.MouseActionPress})
	}
}

// titled gives the ID of the sample's only event with a title that starts so.
func titled(t testing.TB, start string) string {
	t.Helper()
	lib, err := sampleLibrary()
	if err != nil {
		t.Fatal(err)
	}
	var found []identity.ID
	err = lib.Read(t.Context(), func(snap view.Snapshot) error {
		return snap.Scan(context.Background(), view.Query{}, func(numbers []uint64) bool {
			rows, err := snap.Entries(numbers)
			for _, row := range rows {
				if strings.HasPrefix(row.Title, start) {
					found = append(found, row.ID)
				}
			}
			return err == nil
		})
	})
	if err != nil || len(found) != 1 {
		t.Fatalf("%d events titled %q, %v", len(found), start, err)
	}
	return found[0].String()
}

func page(t testing.TB, title string) func(*setup) {
	return place(t, kit.Page, title)
}

func place(t testing.TB, screen, title string) func(*setup) {
	t.Helper()
	return from(kit.Route{Screen: screen, ID: titled(t, title)})
}

func tick() tea.Msg { return ui.Tick() }
