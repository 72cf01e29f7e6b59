package ui_test

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/kit"
	"akx/ui/term"
)

func TestSessionMouse(t *testing.T) {
	x := newExplorer(t)
	x.click("One year later")
	if !strings.Contains(chosenRow(x), "One year later") {
		t.Fatalf("the cursor is on %q", chosenRow(x))
	}
	x.click("One year later")
	x.shows("What was checked")
	x.click("[1] ")
	x.shows("Wrong-language answers at a tram desk")
	x.do("[ [")
	x.wheel(5, 10, 3)
	x.hides("An early hint, no leaks while the cache was down │", "Read me: an")
	x.wheel(5, 10, -3)
	x.shows("Read me: an")
	x.do("%")
	x.shows("the mouse is the terminal's")
	before := chosenRow(x)
	x.click("Cache facts")
	if chosenRow(x) != before {
		t.Error("a click moved the cursor after the mouse was released")
	}
	x.do("% y")
	x = newExplorer(t, page(t, hub)).do("y")
	x.click("the Agent ID")
	if len(x.copied) != 1 || !strings.HasPrefix(x.copied[0], "did:agent:") {
		t.Errorf("copied %q", x.copied)
	}
}

// Keys that arrive in one piece reach where the keys before them lead.
func TestSessionKeysTypedAhead(t *testing.T) {
	x := newExplorer(t)
	x.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("jj/cache")})
	x.shows("/ cache")
	x.Press("enter")
	x.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(":kind H")})
	x.Press("enter")
	x.shows("kind:hypothesis")
	x.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("Gggr")})
	x.shows("Links to")
}

// A key that comes before what it is for was read waits for it; the next key, or a step
// to elsewhere, ends the wait.
func TestSessionKeyWaitsForWhatIsRead(t *testing.T) {
	typed := func(keys ...string) *explorer {
		x := newExplorer(t)
		x.Hold()
		x.Press(keys...)
		x.Release()
		return x
	}
	typed("enter", "1").shows("Wrong-language answers at a tram desk", "akx ▸ cGf9vMKZ…")
	typed("enter", "1", "j").shows("akx ▸ wGDrbIDE…")
	typed("enter", "1", "r").shows("Links to wGDrbIDE…")
	typed("s", "V").shows("seen by hub#101")
	typed("s", "V", "B").hides("seen by")
	typed("d", "enter").shows("there is nothing here")
}

func TestSessionPasteGoesIntoFieldsOnly(t *testing.T) {
	x := newExplorer(t)
	before := x.Screen()
	x.Send(term.Paste{Text: "q\nG\x1b"})
	if x.Quit || strings.Split(x.Screen(), "\n")[5] != strings.Split(before, "\n")[5] {
		t.Fatalf("a paste pressed keys:\n%s", x.Screen())
	}
	x.shows("nothing takes text here")
	x.do("/")
	x.Send(term.Paste{Text: "cache\nkey\r\n"})
	x.shows("/ cache key")
	x.Press("esc")
	x.do(":")
	x.Send(term.Paste{Text: "quit\n"})
	if x.Quit {
		t.Fatal("a pasted newline acted as Enter")
	}
	x.shows(":quit")
	x.Press("esc")
	x.do("?")
	x.Send(term.Paste{Text: "half\n"})
	x.shows("half a screen down")
	x = newExplorer(t, page(t, withdrawn)).do("o enter tab")
	x.Send(term.Paste{Text: "\n"})
	if len(x.visited) != 0 {
		t.Error("a paste confirmed a step")
	}
}

func TestSessionReboundKeys(t *testing.T) {
	x := newExplorer(t, func(s *setup) {
		s.config.Options.Keys = kit.NewKeymap(map[string][]string{"sort": {"w"}, "versions": {"g v"}})
	})
	x.shows("w sort")
	x.do("w")
	x.shows("sort: created")
	x.do(",")
	x.shows("sort: created")
	x.do("? '@g_v")
	x.shows("the tree of supersedes")
	x.do("esc g")
	x.shows("g and then?")
	x.do("v")
	x.shows("Versions of")
}

func TestChromeSaysWhatIsOpen(t *testing.T) {
	x := newExplorer(t, func(s *setup) { s.config.Options.ReadOnly = true })
	if top := x.Row(0); !strings.Contains(top, "sample library, public test keys READ-ONLY") {
		t.Errorf("the first row is %q", top)
	}
	x.Resize(60, 16)
	if top := x.Row(0); !strings.Contains(top, "sample") || !strings.Contains(top, "READ-ONLY") {
		t.Errorf("the first row is %q", top)
	}
	x = newExplorer(t, over(emptyLibrary()))
	if top := x.Row(0); !strings.HasSuffix(top, "this cache") || strings.Contains(top, "READ-ONLY") {
		t.Errorf("the first row is %q", top)
	}
}

// Browse at exactly 100 columns shows both panes, each whole.
func TestBrowseAtPreviewWidth(t *testing.T) {
	newExplorer(t, at(100, 30)).shows("Preview", "┐┌", "did:agent:")
	newExplorer(t, at(99, 30)).hides("Preview")
}

// Words of the lifecycle and the title never touch, at any width.
func TestTitlesDoNotTouchTheLifecycle(t *testing.T) {
	for w := 60; w <= 120; w++ {
		x := newExplorer(t, at(w, 60)).do("t t t t")
		for _, row := range strings.Split(x.Screen(), "\n") {
			for _, word := range []string{"active", "RETRACTED", "succ", "final"} {
				if _, after, ok := strings.Cut(row, word); ok && strings.HasPrefix(row, "│") && after[0] != ' ' && after[0] != ',' {
					t.Fatalf("at %d columns: %q", w, row)
				}
			}
		}
	}
}
