// Package kit is what every screen is made of: rows of keys, the Screen and
// Overlay interfaces, routes, and the messages by which a screen asks the root to
// go somewhere. It knows no screen.
package kit

import (
	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/view/clean"
)

// Screen is one full place of the program. Its methods are called from the update
// loop only; it does no IO and no proof, but asks through slots.
type Screen interface {
	// Route is where this is and what it takes to come back here: it is kept in the
	// history and in the state for the next start.
	Route() Route
	// Crumb names the place in the top row, in a few words.
	Crumb() draw.Line
	// Show is called when the screen is entered, entered again or resized: it asks
	// for what is missing.
	Show(size Size) tea.Cmd
	// Hide is called when the screen is left: it ends what it asked for.
	Hide()
	// Update takes answers to its slots, Click, Wheel and Paste, and keys while Typing.
	Update(msg tea.Msg) tea.Cmd
	// Rows are the keys that work now, in the order in which the footer names them.
	Rows() []Row
	// Typing reports whether keys are text now.
	Typing() bool
	// Draw draws the screen into area; akx's own rows at top and bottom are not in it.
	Draw(f *draw.Frame, area draw.Rect)
}

// Overlay is a layer over a screen that has the keys until it is closed.
type Overlay interface {
	// Update takes answers to its slots, clicks, and keys while Typing.
	Update(msg tea.Msg) tea.Cmd
	Rows() []Row
	Typing() bool
	Draw(f *draw.Frame, area draw.Rect)
	// Close ends what it asked for.
	Close()
}

// Size is the area that a screen has, in columns and rows.
type Size struct{ W, H int }

// Click is a press of the left button inside the area of a screen, relative to it.
type Click struct{ X, Y int }

// Wheel is a turn of the wheel at a place of the area: Lines is negative upward.
type Wheel struct{ X, Y, Lines int }

// Paste is text that was pasted, with controls removed.
type Paste struct{ Text string }

// Notice is one calm line in the footer, until the next key.
type Notice struct {
	Line draw.Line
	Bad  bool
}

// Say makes the command that shows a notice in akx's own words.
func Say(w clean.Words) tea.Cmd {
	return func() tea.Msg { return Notice{Line: draw.Line{draw.Own(draw.Normal, w)}} }
}

// Send makes a command of a message.
func Send(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

// Go asks the root to open a route as a new step of the history.
type Go struct{ Route Route }

// Instead asks the root to open a route in the place of the present step: what stood
// there is no more.
type Instead struct{ Route Route }

// Step asks the root to go back (negative) or forward in the history.
type Step struct{ By int }

// Open asks the root to put an overlay on top, and then to run what it asks for.
type Open struct {
	Overlay Overlay
	Then    tea.Cmd
}

// Shut closes the top overlay.
type Shut struct{}

// Choice is one line of a menu.
type Choice struct {
	Line draw.Line
	Do   func() tea.Cmd
	// Search is what typing looks at in a menu that filters.
	Search string
}

// Choose asks the root to show a menu; enter does a choice, esc none.
type Choose struct {
	Title   clean.Words
	Choices []Choice
	// Filter makes a menu that keeps what has the typed words, and Typed is what it
	// begins with. Without it letters are keys.
	Filter bool
	Typed  string
}

// Confirm asks the root for a second step: Lines say in full what will happen.
// Cancel has the focus, and no single key does it.
type Confirm struct {
	Title clean.Words
	Lines []draw.Line
	Yes   clean.Words
	Do    func() tea.Cmd
}

// Run asks the root to run a command line such as "kind hypothesis" or "open ID".
type Run struct{ Line string }

// Fail hands an error to the one place that decides how it is shown.
type Fail struct{ Err error }

// Copy asks the root to put text on the clipboard. What names it in words.
type Copy struct {
	Text string
	What clean.Words
}

// Visit asks the root to open a URL in the user's browser, which was confirmed.
type Visit struct{ URL string }

// Sync asks the root to follow services by name, or every enabled one where there
// is no name. It goes on when its screen is left.
type Sync struct{ Names []string }

// StopSync asks the root to stop following a service; what came stays.
type StopSync struct{ Name string }

// Stirred tells everyone that the state of services has changed: read it again.
type Stirred struct{}
