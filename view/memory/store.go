// Package memory is a store of events in memory: the sample library, test vectors
// and tests. It keeps everything in one lock, reads no clock but the one handed
// in, and forgets everything when it goes.
//
// A Store is a library to read and import into, the record store of a service, and
// what keeps the user's services and what they gave.
// It is safe for concurrent use.
package memory

import (
	"context"
	"sync"

	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/identity"
	"akx/view/wire"
)

// Limits are the local bounds of a store; a zero member means its default.
type Limits struct {
	Pending      int   // waiting events, DefaultPending
	PendingBytes int64 // their text together, DefaultPendingBytes
	Skew         int64 // ms that a signer's clock may run ahead, capsule.DefaultSkew
}

// Defaults of Limits.
const (
	DefaultPending      = 100_000
	DefaultPendingBytes = 64 << 20
)

// maxClaims bounds the sources whose claims about one event are kept.
const maxClaims = 64

// Store holds events. The zero Store is not usable.
type Store struct {
	origin string
	clock  func() int64
	limits Limits

	mu      sync.RWMutex
	records []record // by number, from 1 at index 0
	numbers map[identity.ID]uint64
	links   map[identity.ID]*reverse
	counts  view.Stats
	wait    waiting
	// What services gave, and the services that the user added.
	given    map[identity.Origin]*given
	services map[identity.Origin]desk.Service
}

// record is one held event and what is kept about it.
type record struct {
	event      capsule.Event
	fact       view.Incoming // as any of its links, without relation and retracted
	acceptedAt int64
	claims     []wire.Claim
	retracted  bool
	withheld   bool
}

// reverse lists the numbers of what points at one event, by relation; relation 0
// holds assessments and retractions. Numbers ascend.
type reverse [int(capsule.Contains) + 1][]uint64

// New makes an empty store. origin names its scope: view.SampleSet,
// view.ThisCache, a service's origin or a data set's name. clock gives ms.
func New(origin string, clock func() int64) *Store {
	return NewLimited(origin, clock, Limits{})
}

// NewLimited is New with bounds of one's own.
func NewLimited(origin string, clock func() int64, limits Limits) *Store {
	if limits.Pending == 0 {
		limits.Pending = DefaultPending
	}
	if limits.PendingBytes == 0 {
		limits.PendingBytes = DefaultPendingBytes
	}
	if limits.Skew == 0 {
		limits.Skew = capsule.DefaultSkew
	}
	return &Store{
		origin:  origin,
		clock:   clock,
		limits:  limits,
		numbers: make(map[identity.ID]uint64),
		links:   make(map[identity.ID]*reverse),
		wait:    newWaiting(),

		given:    make(map[identity.Origin]*given),
		services: make(map[identity.Origin]desk.Service),
	}
}

// Stats counts what is held.
func (s *Store) Stats(ctx context.Context) (view.Stats, error) {
	if err := ctx.Err(); err != nil {
		return view.Stats{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	stats := s.counts
	stats.LastNumber = uint64(len(s.records))
	stats.Events = stats.LastNumber
	stats.Pending = len(s.wait.events)
	stats.PendingBytes = s.wait.bytes
	return stats, nil
}

// record gives the record of a number; nil for a number that was never given.
func (s *Store) record(number uint64) *record {
	if number == 0 || number > uint64(len(s.records)) {
		return nil
	}
	return &s.records[number-1]
}

// find gives the record of an event; nil where it is not held.
func (s *Store) find(id identity.ID) *record { return s.record(s.numbers[id]) }
