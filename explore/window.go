package explore

import (
	"context"
	"slices"
	"time"

	"akx/view"
	"akx/view/identity"
)

// Window is a stretch of a list: rows First to First+len(Rows)-1 of Total.
// Complete is false while the scan goes on; then Total only grows.
type Window struct {
	Rows     []view.Entry
	First    int
	Total    int
	Complete bool
	Scope    view.Scope
}

// Patience is how long List waits for rows that are not known yet.
const Patience = 100 * time.Millisecond

// List gives rows [from, to) of a query as soon as they are known, or all there
// are when the scan is complete. What is not known within Patience is left out:
// the window is then not complete and may be asked for again. Scans are shared by
// equal queries and go on in the background until the query is asked no more.
//
// After the library has changed, List may give the former rows, whose scope says
// so, for as long as a new scan takes.
func (t Set) List(ctx context.Context, q view.Query, from, to int) (Window, error) {
	from, to = max(from, 0), max(to, from, 0)
	patience := time.NewTimer(Patience)
	defer patience.Stop()
	rows, err := t.ask(ctx, q, want{rows: to, until: patience.C})
	if err != nil {
		return Window{}, err
	}
	return t.window(ctx, rows, from, to)
}

// Await returns when the scan of q is complete, with the window [from, to).
func (t Set) Await(ctx context.Context, q view.Query, from, to int) (Window, error) {
	from, to = max(from, 0), max(to, from, 0)
	rows, err := t.ask(ctx, q, want{whole: true})
	if err != nil {
		return Window{}, err
	}
	return t.window(ctx, rows, from, to)
}

// Position gives the row of an event in a complete list; ok is false where it is
// not in it. It waits for the scan.
func (t Set) Position(ctx context.Context, q view.Query, id identity.ID) (row int, ok bool, err error) {
	found, err := readSet(ctx, t, func(snap view.Snapshot) ([]uint64, error) { return snap.Find([]identity.ID{id}) })
	if err != nil || found[0] == 0 {
		return 0, false, err
	}
	rows, err := t.ask(ctx, q, want{whole: true})
	if err != nil {
		return 0, false, err
	}
	row = slices.Index(rows.numbers, found[0])
	return max(row, 0), row >= 0, nil
}

// window reads the entries of a stretch of rows.
func (t Set) window(ctx context.Context, rows known, from, to int) (Window, error) {
	from = min(from, len(rows.numbers))
	to = min(to, len(rows.numbers))
	entries, err := readSet(ctx, t, func(snap view.Snapshot) ([]view.Entry, error) { return snap.Entries(rows.numbers[from:to]) })
	if err != nil {
		return Window{}, err
	}
	return Window{Rows: entries, First: from, Total: len(rows.numbers), Complete: rows.complete, Scope: rows.scope}, nil
}
