// Package wire holds the documents of Agent Knowledge 8.3 and 9.2 to 9.5 as
// values: what a service builds, what a client checks, and how files of such
// documents are split into their objects. It is pure.
package wire

import (
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// SourceKind tells where objects came from; zero is invalid.
type SourceKind uint8

// The kinds of sources. Only FromService carries a service's own assertions.
const (
	FromFile SourceKind = iota + 1
	FromService
	FromSample
	FromOwn
)

// Source names where objects came from: a file by its base name, a service by its
// canonical origin. Name is foreign text.
type Source struct {
	Kind SourceKind
	Name string
}

// Claim is what one source said about an event: unsigned, local to that source
// (8.3). Seq 0 and AcceptedAt 0 mean that it said nothing.
type Claim struct {
	Source     Source
	Seq        uint64
	AcceptedAt int64 // ms
}

// Item is one object of a file or of an answer: an offer, or the refusal of one.
type Item struct {
	Offer   capsule.Offer  // zero where Refusal is set
	Refusal *fault.Refusal // the proof failed, or the object is torn
	// Claimed is the event ID that an object with a failed proof gives itself; zero
	// where there is none. Nothing proves it: it may name another event, and serves
	// only to tell refusals apart.
	Claimed identity.ID
	// Where says where the object stood, such as "line 7" or "line 1, item 3".
	Where      string
	Seq        uint64
	AcceptedAt int64
}

// Status is what became of an item; zero is invalid.
type Status uint8

// The outcomes of accepting one item.
const (
	Added Status = iota + 1
	Held
	Pending
	Refused
)

// Outcome is what a store did with one item.
type Outcome struct {
	Status  Status
	ID      identity.ID // zero where the proof failed before the hash
	Number  uint64      // the local number of Added and Held
	Missing []identity.ID
	Waited  bool // it is Pending and was so before this item came
	Refusal *fault.Refusal
	// Released lists events that waited for this one and were added with it.
	Released []identity.ID
	// Dropped lists events that waited for this one and broke a rule once it was
	// there: they wait no more and are not held. Each has Status Refused.
	Dropped []Outcome
}

// Record is an acceptance record (8.3): a service's local assertion around an event.
type Record struct {
	Event      capsule.Event
	Seq        uint64
	AcceptedAt int64 // ms
}
