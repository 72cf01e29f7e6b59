package view

import (
	"context"

	"akx/view/capsule"
	"akx/view/identity"
)

// Incoming is the index fact of one event that points at a subject. A publication
// with several relations to it gives several.
type Incoming struct {
	Source    identity.ID
	Number    uint64 // local number of the source
	Type      capsule.Type
	Kind      capsule.Kind     // of a publication
	Relation  capsule.Relation // of a publication
	Verdict   capsule.Verdict  // of an assessment
	Actor     identity.Actor
	Nonce     int64
	CreatedAt int64
	Retracted bool // the source itself is retracted within the same set
	Unchecked bool // not known: the scope settles what points at the subject alone (9.6)
}

// Retraction is that one event, by its local number, retracts another.
type Retraction struct{ Number, Target uint64 }

// Entry is one row of a list: facts and the title, without the rest of the text.
type Entry struct {
	Number     uint64
	ID         identity.ID
	Type       capsule.Type
	Kind       capsule.Kind
	Verdict    capsule.Verdict
	Target     identity.ID // of an assessment or a retraction
	Actor      identity.Actor
	CreatedAt  int64
	Nonce      int64
	Title      string // as signed, perhaps cut; clean it before it is shown
	Cut        bool   // the store keeps only the start of the title
	Language   string
	Tags       []string
	Lifecycle  Lifecycle // within the store's own set
	Successors int
	Bytes      int  // length of the envelope's text
	Damaged    bool // the stored text no longer proves what the index says
}

// Sort is an order of lists; zero is newest.
type Sort uint8

// The sorts: arrival descending; created_at descending, then ID; folded title, then ID.
const (
	Newest Sort = iota
	Created
	Title
)

// Query is what a list shows. It is comparable but for Terms.
type Query struct {
	Filter capsule.Filter
	Terms  []string // literal terms of 9.5.1, folded
	Sort   Sort
	// Lifecycle keeps only events in this state when it is not Unchecked.
	Lifecycle Lifecycle
}

// Facet is one value of a facet and how many rows of a query have it.
type Facet struct {
	Value string // wire text: a kind, a type, a tag, a language, an Agent ID, a verdict, a year and month
	Count int
}

// Facets counts the rows of a query by each facet; lists are sorted by count, then value.
type Facets struct {
	Kinds, Types, Tags, Languages, Actors, Verdicts, Months []Facet
	Total                                                   int
}

// Tally counts rows of the snapshot that began it.
type Tally interface {
	// Add counts rows by their local numbers; of one that cannot be read, that it is there.
	Add(numbers []uint64) error
	Facets() Facets
}

// Known is one event that an ID or a prefix may mean.
type Known struct {
	ID      identity.ID
	Pending bool
	Title   string
	Type    capsule.Type
	Kind    capsule.Kind
}

// PendingEvent is a proven event that waits for its dependencies (8.2). It has no
// effect on any view.
type PendingEvent struct {
	ID      identity.ID
	Missing []identity.ID
	Type    capsule.Type
	Title   string
	Since   int64 // ms
	Bytes   int
}

// Stats are the counts of a store.
type Stats struct {
	Events       uint64
	LastNumber   uint64 // the local number at the last commit; never reused
	Publications uint64
	Assessments  uint64
	Retractions  uint64
	Pending      int
	PendingBytes int64
	TextBytes    int64
	FileBytes    int64
}

// Snapshot is one consistent state of a store. It is valid only inside the Read
// that gave it, and its methods are called from one goroutine.
type Snapshot interface {
	// Event gives the proven event: *fault.NotHeld, *fault.Damaged.
	Event(id identity.ID) (capsule.Event, error)
	// Find gives local numbers, in the order of ids; 0 for what is not held.
	Find(ids []identity.ID) ([]uint64, error)
	// Entries gives rows in the order of numbers; a damaged one says so.
	Entries(numbers []uint64) ([]Entry, error)
	// Scan yields the local numbers of matching events in the query's order, in
	// batches, until yield returns false or ctx ends.
	Scan(ctx context.Context, q Query, yield func(numbers []uint64) bool) error
	// Incoming yields what points at target, by relation, then by number, in
	// batches; retractions and assessments come too.
	Incoming(ctx context.Context, target identity.ID, yield func([]Incoming) bool) error
	// Retractions gives the held retractions of events, by the numbers of both, those of
	// the retractions ascending.
	Retractions(numbers []uint64) ([]Retraction, error)
	// Tally begins a count of rows by their facets.
	Tally() Tally
	// Scope is the set that this snapshot is.
	Scope() Scope
}
