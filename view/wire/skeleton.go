package wire

import (
	"context"
	"io"

	"akx/view/capsule"
	"akx/view/identity"
)

// Piece is one object cut out of a stream: the text of an envelope or of an
// acceptance record, or the refusal of a torn or oversized one.
type Piece struct {
	Text   []byte // valid until the next call
	Where  string
	Offset int64 // of the first byte in the stream
	Err    error // *fault.Refusal: StepParse (torn, not JSON) or StepLimit
}

// Splitter cuts a stream of envelopes, acceptance records, JSON arrays of either,
// query, batch and search responses, and JSON Lines of any of these into Pieces.
// It recognises shapes, not names, and keeps at most one object in memory.
type Splitter struct{ r io.Reader }

// NewSplitter reads from r; maxBytes bounds one object (0 means the default).
func NewSplitter(r io.Reader, maxBytes int) *Splitter { panic("skeleton") }

// Next gives the next piece; io.EOF after the last; other errors are the reader's.
func (s *Splitter) Next() (Piece, error) { panic("skeleton") }

// OpenPiece proves a piece: an envelope, a record around one, or a search hit.
func OpenPiece(p Piece) Item { panic("skeleton") }

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
