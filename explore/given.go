package explore

import (
	"context"

	"akx/view"
	"akx/view/fault"
	"akx/view/identity"
)

// version is the state of what a list shows: the library's last local number and,
// for a list of what a service gave, how far that was followed.
type version struct {
	number uint64
	given  view.Followed
}

// covers reports whether rows of version v show all that there is at w.
func (v version) covers(w version) bool { return v.number >= w.number && v.given == w.given }

// versionOf reads the version of a snapshot for a list: *fault.Usage where the
// service is not followed.
func versionOf(snap view.Snapshot, service identity.Origin) (version, error) {
	v := version{number: snap.Scope().Checkpoint}
	if service == "" {
		return v, nil
	}
	if records, ok := view.RecordsOf(snap); ok {
		followed, err := records.Followed()
		if err != nil {
			return version{}, err
		}
		for _, f := range followed {
			if f.Origin == service {
				v.given = f
				return v, nil
			}
		}
	}
	return version{}, &fault.Usage{Detail: string(service) + " is not followed", Hint: "sync it first, to the end"}
}

// givenOnly keeps what a followed service gave, and of that what has this lifecycle
// in its set; unchecked is any.
func givenOnly(ctx context.Context, snap view.Snapshot, f view.Followed, lifecycle view.Lifecycle, numbers []uint64) ([]uint64, error) {
	records, ok := view.RecordsOf(snap)
	if !ok {
		return nil, nil
	}
	given, err := records.Given(f.Origin, numbers)
	if err != nil {
		return nil, err
	}
	var kept []uint64
	for i, n := range numbers {
		if given[i] {
			kept = append(kept, n)
		}
	}
	if lifecycle == view.Unchecked {
		return kept, nil
	}
	rows, err := rowsAt(ctx, snap, f, kept)
	if err != nil {
		return nil, err
	}
	kept = kept[:0]
	for _, row := range rows {
		if row.Lifecycle == lifecycle {
			kept = append(kept, row.Number)
		}
	}
	return kept, nil
}

// rowsAt reads rows as the set of a followed service has them; the zero Followed
// means as the library has them.
func rowsAt(ctx context.Context, snap view.Snapshot, f view.Followed, numbers []uint64) ([]view.Entry, error) {
	rows, err := snap.Entries(numbers)
	if err != nil || f.Origin == "" {
		return rows, err
	}
	records, ok := view.RecordsOf(snap)
	if !ok {
		return rows, nil
	}
	return rows, view.RowsAt(ctx, snap, records, f, rows)
}
