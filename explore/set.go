package explore

import (
	"context"

	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
)

// Set is what is read of a library: all that it holds, or what one followed service
// gave up to its completed checkpoint. Its methods answer alike for both, each in the
// scope of the set, and ask nobody. A session is the set of everything; SeenBy gives
// the others. Where the service is not followed, or no longer, every method gives
// *fault.Usage with the code not_followed.
type Set struct {
	s       *Session
	service identity.Origin // empty means everything
}

// SeenBy gives the set of what one followed service gave: it answers like the service,
// with its lifecycles, and no question leaves the machine (9.6). An empty origin is
// everything that is held.
func (s *Session) SeenBy(service identity.Origin) Set { return Set{s, service} }

// Service is whose set it is; empty for everything.
func (t Set) Service() identity.Origin { return t.service }

// open narrows a snapshot to the set; everything is followed by nobody.
func (t Set) open(ctx context.Context, snap view.Snapshot) (view.Snapshot, view.Followed, error) {
	if t.service == "" {
		return snap, view.Followed{}, nil
	}
	return view.SetOf(ctx, snap, t.service)
}

// Followed says how far the service was followed; zero for everything.
func (t Set) Followed(ctx context.Context) (view.Followed, error) {
	return read(ctx, t.s.lib, func(snap view.Snapshot) (view.Followed, error) {
		_, followed, err := t.open(ctx, snap)
		return followed, err
	})
}

// readSet runs f over one snapshot of a set and gives its answer.
func readSet[T any](ctx context.Context, t Set, f func(view.Snapshot) (T, error)) (T, error) {
	return read(ctx, t.s.lib, func(snap view.Snapshot) (T, error) {
		narrow, _, err := t.open(ctx, snap)
		if err != nil {
			var zero T
			return zero, err
		}
		return f(narrow)
	})
}

// Facets counts the rows of a query.
func (t Set) Facets(ctx context.Context, q view.Query) (view.Facets, error) {
	return readSet(ctx, t, func(snap view.Snapshot) (view.Facets, error) { return view.LoadFacets(ctx, snap, q) })
}

// Event gives one proven event.
func (t Set) Event(ctx context.Context, id identity.ID) (capsule.Event, error) {
	return readSet(ctx, t, func(snap view.Snapshot) (capsule.Event, error) { return snap.Event(id) })
}

// Page reads one event's page: claims, and what every followed service shows, included.
func (t Set) Page(ctx context.Context, id identity.ID) (view.Page, error) {
	page, err := readSet(ctx, t, func(snap view.Snapshot) (view.Page, error) { return view.LoadPage(ctx, snap, id) })
	if err != nil {
		return view.Page{}, err
	}
	if page.Claims, err = t.s.lib.Claims(ctx, id); err != nil {
		return view.Page{}, err
	}
	return page, nil
}

// Links reads reverse links.
func (t Set) Links(ctx context.Context, id identity.ID) (view.Links, error) {
	return readSet(ctx, t, func(snap view.Snapshot) (view.Links, error) { return view.LoadLinks(ctx, snap, id) })
}

// Versions reads the tree of supersedes.
func (t Set) Versions(ctx context.Context, id identity.ID) (view.Versions, error) {
	return readSet(ctx, t, func(snap view.Snapshot) (view.Versions, error) { return view.LoadVersions(ctx, snap, id) })
}

// MaxReports bounds the assessments of one review that are read in full.
const MaxReports = 500

// Review reads assessments of exactly this version, at most MaxReports.
func (t Set) Review(ctx context.Context, id identity.ID) (view.Review, error) {
	return readSet(ctx, t, func(snap view.Snapshot) (view.Review, error) {
		return view.LoadReview(ctx, snap, id, MaxReports)
	})
}

// Entries gives rows for IDs, in their order; ok[i] is false for what is not in the set.
func (t Set) Entries(ctx context.Context, ids []identity.ID) (rows []view.Entry, ok []bool, err error) {
	rows, err = readSet(ctx, t, func(snap view.Snapshot) (rows []view.Entry, err error) {
		rows, ok, err = view.Rows(snap, ids)
		return rows, err
	})
	if err != nil {
		return nil, nil, err
	}
	return rows, ok, nil
}
