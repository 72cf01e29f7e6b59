package kit

import (
	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/view/clean"
)

// Action is one thing that a key does. Actions stand in one table; help, footer,
// palette, config and the README's key table come from it.
type Action struct {
	ID     string      // the name in config.yaml, such as "reverse-links"
	Keys   []string    // default keys, in Bubble Tea's spelling; "g g" is a sequence
	Words  clean.Words // for the footer, one or two words
	Effect clean.Words // for help and palette, one line; says [network] or [signs] where it does
	Group  clean.Words // heading in help
}

// Row is an action as a screen offers it now.
type Row struct {
	Action
	// Why says why it does not work now; empty when it does.
	Why clean.Words
	// Act does it. It changes the screen and gives the command to run, if any.
	Act func() tea.Cmd
	// ActKey is Act for an action that means something else by each of its keys.
	ActKey func(key string) tea.Cmd
	// Hidden rows work and stand in help, but not in the footer.
	Hidden bool
}

// Keymap gives the keys of each action: the defaults, and what the user rebound.
type Keymap struct{ rebound map[string][]string }

// NewKeymap makes a keymap. Unknown action IDs and clashes are the caller's to
// refuse (CheckKeys).
func NewKeymap(rebound map[string][]string) Keymap { return Keymap{rebound} }

// Row makes the row of an action by its ID. An unknown ID is a fault of the
// program, found by a test that builds every screen.
func (k Keymap) Row(id string, act func() tea.Cmd) Row {
	a, ok := find(id)
	if !ok {
		panic("kit: no action " + id)
	}
	if keys, ok := k.rebound[id]; ok {
		a.Keys = keys
	}
	return Row{Action: a, Act: act}
}

// Quiet is Row, left out of the footer.
func (k Keymap) Quiet(id string, act func() tea.Cmd) Row {
	r := k.Row(id, act)
	r.Hidden = true
	return r
}

// Unless gives the row with a reason why it does not work, when there is one.
func (r Row) Unless(why clean.Words) Row {
	r.Why = why
	return r
}

// Reasons that pass by themselves: what the row is about is on its way.
const (
	ReadingList clean.Words = "the list is still being read"
	ReadingPage clean.Words = "the page is still being read"
)

// Passes reports whether a key for the row may wait until its reason has passed.
func (r Row) Passes() bool { return r.Why == ReadingList || r.Why == ReadingPage }

// Called gives the row other words for the footer, where an action's own would
// not say what it does here.
func (r Row) Called(words clean.Words) Row {
	r.Words = words
	return r
}

// RowByKey is Row for an action that needs to know which of its keys was pressed.
func (k Keymap) RowByKey(id string, act func(key string) tea.Cmd) Row {
	r := k.Row(id, nil)
	r.ActKey = act
	return r
}

// Do does the row's action for one of its keys.
func (r Row) Do(key string) tea.Cmd {
	if r.ActKey != nil {
		return r.ActKey(key)
	}
	return r.Act()
}

func find(id string) (Action, bool) {
	for _, a := range Actions() {
		if a.ID == id {
			return a, true
		}
	}
	return Action{}, false
}

// Typing reports whether the row works while a field is typed in, and only then.
func (r Row) Typing() bool { return r.Group == groupText }

// KeyName is how a key is shown.
func KeyName(key string, g draw.Glyphs) string {
	switch key {
	case "enter":
		return string(g.Enter)
	case " ":
		return "space"
	case "g g":
		return "gg"
	}
	return key
}

// KeyText is how a key is written in documents.
func KeyText(key string) string { return KeyName(key, draw.Unicode()) }
