// Package slot holds work in flight for the screens. A Slot has at most one ask
// open: a new ask cancels the one before, a late answer is dropped, and the open
// asks of a program are counted, so that a test knows when it is idle.
package slot

import (
	"context"
	"sync/atomic"

	tea "github.com/charmbracelet/bubbletea"
)

// Work counts the open asks of one program.
type Work struct{ open, ids atomic.Int64 }

// Open is the number of asks whose answers have not been delivered.
func (w *Work) Open() int { return int(w.open.Load()) }

// Slot owns one thing that a screen may be waiting for. The zero Slot is not
// usable; New makes one. It is used from Update only.
type Slot[T any] struct {
	work   *Work
	id     int64
	ticket int64
	cancel context.CancelFunc
}

// Answer is the message that an ask ends in. Only its own Slot can open it.
type Answer[T any] struct {
	slot   int64
	ticket int64
	value  T
	err    error
}

// New makes a slot whose asks are counted in w.
func New[T any](w *Work) *Slot[T] { return &Slot[T]{work: w, id: w.ids.Add(1)} }

// Ask starts f off the update loop. f captures locals only: it must not read the
// state of a screen. An ask before it is cancelled and its answer dropped.
func (s *Slot[T]) Ask(f func(context.Context) (T, error)) tea.Cmd {
	s.Cancel()
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	s.ticket++
	id, ticket := s.id, s.ticket
	work := s.work
	work.open.Add(1)
	return func() tea.Msg {
		defer work.open.Add(-1)
		defer cancel()
		value, err := f(ctx)
		return Answer[T]{slot: id, ticket: ticket, value: value, err: err}
	}
}

// Take opens msg if it is the answer to the newest ask of s; ok is false for every
// other message, late answers included.
func (s *Slot[T]) Take(msg tea.Msg) (value T, err error, ok bool) {
	a, is := msg.(Answer[T])
	if !is || a.slot != s.id || a.ticket != s.ticket || s.cancel == nil {
		return value, nil, false
	}
	s.cancel = nil
	return a.value, a.err, true
}

// Waiting reports whether an ask is open.
func (s *Slot[T]) Waiting() bool { return s.cancel != nil }

// Cancel ends the open ask; its answer will be dropped.
func (s *Slot[T]) Cancel() {
	if s.cancel != nil {
		s.cancel()
		s.cancel = nil
	}
}
