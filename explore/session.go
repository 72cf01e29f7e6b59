package explore

import (
	"context"
	"sync"
	"time"

	"akx/view"
	"akx/view/identity"
)

// Options of a session.
type Options struct {
	Clock  func() time.Time // nil means time.Now
	Sample bool             // the library is the built-in sample
	// Network leads to services; the zero Network has none.
	Network Network
	Bounds  Bounds
}

// Session is one reader's conversation with a library. It is safe for concurrent
// use; every method ends soon after its context does. What it reads by itself is the
// set of everything that is held.
type Session struct {
	Set
	lib    Library
	clock  func() time.Time
	sample bool
	net    Network
	bounds Bounds
	syncs  chan struct{} // a place for each sync that runs
	checks chan struct{} // a place for each service that is asked about an event

	mu       sync.Mutex
	lists    map[listKey]*list
	asked    uint64 // grows with every ask; orders lists by when they were asked last
	partners map[identity.Origin]*partner
	answers  answers
}

// New starts a session.
func New(lib Library, o Options) *Session {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	bounds := o.Bounds.filled()
	s := &Session{
		lib: lib, clock: o.Clock, sample: o.Sample, net: o.Network, bounds: bounds,
		syncs:    make(chan struct{}, bounds.Syncs),
		checks:   make(chan struct{}, bounds.Checks),
		lists:    make(map[listKey]*list),
		partners: make(map[identity.Origin]*partner),
	}
	s.Set = s.SeenBy("")
	return s
}

// Sample reports whether the session reads the built-in sample.
func (s *Session) Sample() bool { return s.sample }

// Close ends what runs in the background. The session can be asked again.
func (s *Session) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, l := range s.lists {
		l.stop()
		delete(s.lists, key)
	}
}

// Pending lists waiting events; see Library.
func (s *Session) Pending(ctx context.Context, after identity.ID, limit int) ([]view.PendingEvent, error) {
	return s.lib.Pending(ctx, after, limit)
}

// DropPending forgets waiting events; see Library.
func (s *Session) DropPending(ctx context.Context, ids []identity.ID) (int, error) {
	return s.lib.DropPending(ctx, ids)
}

// Stats counts what is held.
func (s *Session) Stats(ctx context.Context) (view.Stats, error) { return s.lib.Stats(ctx) }

// Changed reports whether the library has changed since the given local number.
func (s *Session) Changed(ctx context.Context, since uint64) (bool, error) {
	stats, err := s.lib.Stats(ctx)
	return err == nil && stats.LastNumber != since, err
}

// read runs f over one snapshot and gives its answer; zero with every error.
func read[T any](ctx context.Context, lib Library, f func(view.Snapshot) (T, error)) (T, error) {
	var out, zero T
	err := lib.Read(ctx, func(snap view.Snapshot) (err error) {
		out, err = f(snap)
		return err
	})
	if err != nil {
		return zero, err
	}
	return out, nil
}
