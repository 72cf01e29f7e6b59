package kit

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/ui/slot"
)

// Options are what cmd/akx knows and screens need: config and capabilities.
type Options struct {
	Theme       *draw.Theme
	Glyphs      draw.Glyphs
	Keys        Keymap
	Work        *slot.Work
	Clock       func() time.Time
	ReadOnly    bool
	Sample      bool
	Offline     bool // every question to a service is forbidden
	Mouse       bool
	PreviewFrom int // columns from which Browse shows its preview; 100 by default
	Queue       *Queue
	Services    *ServiceNames
	// Desk is what is known of the user's own work; nil where nothing can be written.
	Desk *Desk
}

// Queue holds what screens want of the root at once, so that keys which were typed
// ahead reach the place that the key before them led to.
type Queue struct{ wishes []tea.Msg }

// Now asks the root for something before the next key is looked at. It gives no
// command; screens return it where one is due.
func (o Options) Now(msg tea.Msg) tea.Cmd {
	o.Queue.wishes = append(o.Queue.wishes, msg)
	return nil
}

// Next takes the oldest wish; ok is false when there is none.
func (q *Queue) Next() (msg tea.Msg, ok bool) {
	if len(q.wishes) == 0 {
		return nil, false
	}
	msg = q.wishes[0]
	q.wishes = q.wishes[1:]
	return msg, true
}
