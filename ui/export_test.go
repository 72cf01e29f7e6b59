package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/kit"
)

// Tick is the message by which the explorer looks for events of other processes.
func Tick() tea.Msg { return tick{} }

// Pulse is the message by which the explorer looks how far syncs have come.
func Pulse() tea.Msg { return pulse{} }

// EditTexts are the files of the user's editor in a folder.
func EditTexts(dir string) editTexts { return newEditTexts(dir) }

// Prepare writes the file for the editor, and says which it is.
func (t editTexts) Prepare(e kit.Edit) (string, error) { return t.prepare(e) }

// Layers gives the rows of the screen, the global rows, and those of the overlay on
// top, as they are offered now.
func (r *Root) Layers() (screen, global, overlay []kit.Row) {
	if o := r.top(); o != nil {
		overlay = o.Rows()
	}
	return r.screen.Rows(), r.global(), overlay
}

// Typing reports whether keys are text now.
func (r *Root) Typing() bool { return r.typing() }
