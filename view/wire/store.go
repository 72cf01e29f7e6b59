package wire

import (
	"context"

	"akx/view/capsule"
	"akx/view/identity"
)

// Range is an enumeration by a service's own sequence (9.3.1).
type Range struct {
	Filter  capsule.Filter
	Terms   []string // lexical terms, folded; empty for all
	After   uint64   // seq > After
	Through uint64   // seq <= Through
	Limit   int
}

// RecordStore is what the service core needs of a store.
type RecordStore interface {
	// Submit accepts one offer under terms (8.1). held is true for a resubmission,
	// whose record is the first one.
	Submit(ctx context.Context, o capsule.Offer, terms capsule.Terms) (r Record, held bool, err error)
	// Record gives one visible record; *fault.NotHeld when absent or withheld.
	Record(ctx context.Context, id identity.ID) (Record, error)
	// Records gives visible records of a range in ascending seq, at most Limit;
	// more is true when another match follows within the range.
	Records(ctx context.Context, r Range) (records []Record, more bool, err error)
	// Checkpoint is the committed sequence high-water mark.
	Checkpoint(ctx context.Context) (uint64, error)
	// Withhold hides an event from reads, or shows it again.
	Withhold(ctx context.Context, id identity.ID, hide bool) error
}
