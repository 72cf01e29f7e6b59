// Package dark keeps the start of the program from stalling.
//
// Bubble Tea v1 asks the terminal for its background colour in its package
// init, and waits 5 seconds for an answer that many terminals never give: in
// every command of the binary, --help too. It asks through lipgloss, which does
// not ask once it was told. Go initialises packages in the order of their
// import paths as far as their imports allow, so this package, whose path sorts
// before github.com and which imports nothing but lipgloss, tells it first.
//
// The true background is found later without a stall: see FindShade in ui/term.
package dark

import "github.com/charmbracelet/lipgloss"

func init() { Set(true) }

// Set tells lipgloss whether the background is dark.
func Set(dark bool) { lipgloss.SetHasDarkBackground(dark) }
