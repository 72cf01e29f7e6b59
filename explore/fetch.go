package explore

import (
	"context"

	"akx/view"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// Limit names the user's setting for the bound of Bounds that ended a fetch; zero is
// none.
type Limit string

// The bounds of a fetch.
const (
	NoLimit    Limit = ""
	CountLimit Limit = "fetch_events"
	DepthLimit Limit = "fetch_depth"
	BytesLimit Limit = "fetch_bytes"
)

// Fetched is what fetching the dependencies of waiting events did (8.2).
type Fetched struct {
	Asked   int // IDs that services were asked for
	Found   int // of them, now here or waiting themselves
	Added   int // events here now that were not: of them, and of what waited for them
	Bytes   int64
	Limit   Limit // the bound that ended it
	Missing []identity.ID
	Err     error // the last error of a service; another one may have answered

	outcomes []wire.Outcome // of what came
}

// source is one service that may be asked for events by ID.
type source struct {
	service desk.Service
	remote  Remote
}

// sources gives the service that is synced, and behind it the other enabled ones
// that the user lets be asked.
func (y *syncer) sources(ctx context.Context) []source {
	out := []source{{y.out.Service, y.remote}}
	services, err := y.s.services(ctx)
	if err != nil {
		return out
	}
	for _, v := range services {
		if v.Origin == y.origin() || !v.Enabled || v.Ask == desk.AskNever {
			continue
		}
		if remote, done, err := y.s.contact(v); err == nil {
			done()
			out = append(out, source{v, remote})
		}
	}
	return out
}

// FetchPending asks services for what waiting events miss, within Bounds; no names
// means all that are enabled. It is for events that came from files too, so it is the
// user's step: the IDs that are missing go to the services.
func (s *Session) FetchPending(ctx context.Context, names []string) (Fetched, error) {
	services, err := s.choose(ctx, names)
	if err != nil {
		return Fetched{}, err
	}
	var from []source
	for _, service := range services {
		remote, done, err := s.contact(service)
		if err != nil {
			return Fetched{}, err
		}
		defer done()
		from = append(from, source{service, remote})
	}
	waiting := make(map[identity.ID][]identity.ID)
	var after identity.ID
	for {
		page, err := s.lib.Pending(ctx, after, MaxListed)
		if err != nil {
			return Fetched{}, err
		}
		for _, p := range page {
			waiting[p.ID] = p.Missing
			after = p.ID
		}
		if len(page) < MaxListed || len(waiting) >= s.bounds.Dependencies {
			return s.fetch(ctx, from, waiting)
		}
	}
}

// fetch asks services in their order for what events wait for, then for what that
// waits for, until all is there or a bound ends it. Errors are those of the store
// and of ctx; a service's stands in Fetched.
func (s *Session) fetch(ctx context.Context, from []source, waiting map[identity.ID][]identity.ID) (Fetched, error) {
	f := &fetcher{s: s, asked: make(map[identity.ID]bool)}
	want, err := f.wanted(ctx, waiting)
	for depth := 0; err == nil && len(want) > 0; depth++ {
		if depth == s.bounds.Depth || f.out.Bytes >= s.bounds.Bytes {
			f.out.Limit = DepthLimit
			if f.out.Bytes >= s.bounds.Bytes {
				f.out.Limit = BytesLimit
			}
			f.out.Missing = append(f.out.Missing, want...)
			break
		}
		var next map[identity.ID][]identity.ID
		if next, err = f.round(ctx, from, want); err == nil {
			want, err = f.wanted(ctx, next)
		}
	}
	f.out.Missing = identity.SortIDs(f.out.Missing)
	return f.out, err
}

// round asks for ids at one service after the other, and gives what waits in turn.
func (f *fetcher) round(ctx context.Context, from []source, ids []identity.ID) (next map[identity.ID][]identity.ID, err error) {
	f.out.Asked += len(ids)
	for _, id := range ids {
		f.asked[id] = true
	}
	next = make(map[identity.ID][]identity.ID)
	left := ids
	for _, source := range from {
		if len(left) == 0 || f.out.Limit == BytesLimit {
			break
		}
		if left, err = f.ask(ctx, source, left, next); err != nil {
			break
		}
	}
	f.out.Found += len(ids) - len(left)
	f.out.Missing = append(f.out.Missing, left...)
	return next, err
}

type fetcher struct {
	s     *Session
	out   Fetched
	asked map[identity.ID]bool
}

// wanted lists what waiting events miss, is not held by now and was not asked for,
// as far as the bound on their number goes.
func (f *fetcher) wanted(ctx context.Context, waiting map[identity.ID][]identity.ID) ([]identity.ID, error) {
	var ids []identity.ID
	seen := make(map[identity.ID]bool)
	for _, missing := range waiting {
		for _, id := range missing {
			if _, waits := waiting[id]; !waits && !f.asked[id] && !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	numbers, err := read(ctx, f.s.lib, func(snap view.Snapshot) ([]uint64, error) { return snap.Find(ids) })
	if err != nil {
		return nil, err
	}
	kept := ids[:0]
	for i, id := range ids {
		if numbers[i] == 0 {
			kept = append(kept, id)
		}
	}
	kept = identity.SortIDs(kept)
	if room := f.s.bounds.Dependencies - f.out.Asked; len(kept) > room {
		f.out.Limit, f.out.Missing = CountLimit, append(f.out.Missing, kept[room:]...)
		kept = kept[:room]
	}
	return kept, nil
}

// ask asks one service, stores what it gives, notes in next what that waits for, and
// gives the IDs that it did not give.
func (f *fetcher) ask(ctx context.Context, from source, ids []identity.ID, next map[identity.ID][]identity.ID) ([]identity.ID, error) {
	found := make(map[identity.ID]bool)
	for page, err := range from.remote.Batch(ctx, ids) {
		if err != nil {
			f.out.Err = err
			break
		}
		outcomes, err := f.s.net.Store.AcceptAnswer(ctx, from.service.Origin, page.Items, nil)
		if err != nil {
			return ids, err
		}
		for i, o := range outcomes {
			f.out.Bytes += int64(len(page.Items[i].Offer.Envelope().Text()))
			f.out.Added += len(o.Released)
			if o.Status == wire.Added {
				f.out.Added++
			}
			f.out.outcomes = append(f.out.outcomes, o)
			if o.Status == wire.Refused {
				continue
			}
			found[o.ID] = true
			if o.Status == wire.Pending {
				next[o.ID] = o.Missing
			}
			for _, id := range o.Released {
				delete(next, id)
			}
		}
		if f.out.Bytes >= f.s.bounds.Bytes && len(found) < len(ids) {
			f.out.Limit = BytesLimit
			break
		}
	}
	var left []identity.ID
	for _, id := range ids {
		if !found[id] {
			left = append(left, id)
		}
	}
	return left, ctx.Err()
}

// Short reports whether a fetch was ended by a bound, and names its setting.
func (f Fetched) Short() error {
	if f.Limit == NoLimit {
		return nil
	}
	return &fault.Unavailable{Code: fault.Partial, Detail: f.words(), Hint: "raise it in config.yaml, or ask again"}
}

// words say what a bound left out.
func (f Fetched) words() string {
	return "what records wait for was fetched only as far as the setting " + string(f.Limit) + " allows"
}
