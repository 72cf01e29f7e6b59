// Package explore is the conversation between a reader and what is held: sessions
// over one library, lists that fill in the background, pages, import and proof.
// Files, disks and networks stand behind its ports; the clock is handed in.
package explore

import (
	"context"

	"akx/view"
	"akx/view/identity"
	"akx/view/wire"
)

// Library is a store that a session reads and imports into: the cache, or the
// sample in memory.
type Library interface {
	// Read runs f over one consistent snapshot. f is short: it may hold up writers.
	Read(ctx context.Context, f func(view.Snapshot) error) error
	// Accept takes proven items in one transaction, in their order. Outcomes are
	// one an item. An error means that nothing of the batch was kept.
	Accept(ctx context.Context, source wire.Source, items []wire.Item) ([]wire.Outcome, error)
	// Lookup lists up to limit held or pending events whose ID starts with prefix.
	Lookup(ctx context.Context, prefix string, limit int) ([]view.Known, error)
	// Claims lists what sources said about an event.
	Claims(ctx context.Context, id identity.ID) ([]wire.Claim, error)
	// Pending lists events that wait, after an ID, at most limit, and how many wait in all.
	Pending(ctx context.Context, after identity.ID, limit int) ([]view.PendingEvent, error)
	// DropPending forgets waiting events and says how many it forgot; no ids means all.
	DropPending(ctx context.Context, ids []identity.ID) (int, error)
	// Stats counts what is held.
	Stats(ctx context.Context) (view.Stats, error)
	// LargestNonce gives the largest nonce of an actor's events, held, withheld or
	// waiting; 0 for none.
	LargestNonce(ctx context.Context, a identity.Actor) (int64, error)
}
