// Package view says what a set of proven events says: lifecycle facts with their
// scope, versions, reverse links and lists. It is pure; stores hand it snapshots.
package view

import "akx/view/identity"

// Origin names for scopes that are not services.
const (
	ThisCache = "this cache"
	SampleSet = "sample"
)

// Scope says for which set of events a fact holds (Agent Knowledge 7.2, 9.6). A
// lifecycle state is never shown without one.
type Scope struct {
	Origin     string // a service's origin, ThisCache, SampleSet, or a data set's name
	Checkpoint uint64 // the service's, or the local number of this cache
	AsOf       int64  // ms
	Complete   bool
	Reasons    []string // why not complete; empty when complete
	// Seen is what the age of a followed service's set is told from, in ms; 0 in every
	// other scope. Exceptions counts its records that are not events here, and Failed
	// says that the last attempt to follow it on failed.
	Seen       int64
	Exceptions int
	Failed     bool
}

// Stale reports whether the set of a followed service may be older than it need be, at
// a time in ms: it is old, or could not be read again.
func (s Scope) Stale(now int64) bool { return s.Seen != 0 && (s.Failed || now-s.Seen > StaleAfter) }

// Lifecycle is a state within a scope; zero is unchecked (9.6).
type Lifecycle uint8

// The lifecycle states.
const (
	Unchecked Lifecycle = iota
	Active
	Retracted
	Partial
)

// String gives the word that screens and JSON show.
func (l Lifecycle) String() string {
	switch l {
	case Active:
		return "active"
	case Retracted:
		return "RETRACTED"
	case Partial:
		return "PARTIAL"
	default:
		return "unchecked"
	}
}

// Subject is what Derive needs to know of the event that is looked at.
type Subject struct {
	ID    identity.ID
	Actor identity.Actor
	Nonce int64
}
