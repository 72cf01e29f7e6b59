package kit

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/ui/slot"
	"akx/view/identity"
)

// Subject is what screens about one event share: one value, read when the screen is
// shown and kept until it is read again. Screens embed it.
type Subject[T any] struct {
	ID     identity.ID
	SeenBy string // whose set is read; see Route
	Value  *T     // nil until it is read
	Failed error  // why it could not be read
	read   func(context.Context, identity.ID) (T, error)
	asking *slot.Slot[T]
}

// NewSubject makes the value of a route's event. read is called off the update loop.
func NewSubject[T any](o Options, r Route, read func(context.Context, identity.ID) (T, error)) Subject[T] {
	id, err := identity.ParseID(r.ID)
	return Subject[T]{ID: id, SeenBy: r.SeenBy, Failed: err, read: read, asking: slot.New[T](o.Work)}
}

// Ask reads the value again.
func (a *Subject[T]) Ask() tea.Cmd {
	read, id := a.read, a.ID
	return a.asking.Ask(func(ctx context.Context) (T, error) { return read(ctx, id) })
}

// AskOnce reads the value when it was not read yet.
func (a *Subject[T]) AskOnce() tea.Cmd {
	if a.Value != nil || a.Failed != nil {
		return nil
	}
	return a.Ask()
}

// Take opens the answer. fresh is true when there is a new value; ok is false for
// every other message.
func (a *Subject[T]) Take(msg tea.Msg) (fresh bool, cmd tea.Cmd, ok bool) {
	value, err, ok := a.asking.Take(msg)
	if !ok {
		return false, nil, false
	}
	a.Failed = err
	if err != nil {
		if NotFollowed(err) { // what is shown is of no set now
			a.Value = nil
		}
		return false, FailRead(err), true
	}
	a.Value = &value
	return true, nil, true
}

// Hide ends what is asked.
func (a *Subject[T]) Hide() { a.asking.Cancel() }

// Missing says why there is no value.
func (a *Subject[T]) Missing() draw.Line {
	if a.Failed != nil {
		return Unread(a.Failed)
	}
	return draw.Line{draw.Own(draw.Normal, "reading...")}
}
