package explore

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"sync"

	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// SyncProgress is how far a sync has come. Added counts every event that the sync added
// here, whatever brought it: a record of a page, an exception that was tried again, what
// was fetched for others, and what waited for any of these. A record that waited and was
// released in the same sync does not count as Pending.
type SyncProgress struct {
	Pages, Records                int
	Added, Held, Pending, Refused int
	Bytes                         int64  // of the events' text
	From, Reached, Checkpoint     uint64 // where it began; Checkpoint is that of the enumeration under way
}

// Synced is what one sync did. Err is nil when the enumeration was completed.
type Synced struct {
	Service  desk.Service
	Before   desk.Follow
	After    desk.Follow
	Progress SyncProgress
	Refusals []Refused // at most MaxListed
	Retried  Retried
	Fetched  Fetched
	Err      error
}

// Sync follows a service: it takes everything after what was reached before, page by
// page, and completes the checkpoint when the enumeration is complete. What is stored
// stays, whatever ends it, and is not fetched again by the next sync. Exceptions are
// tried again, and what records wait for is fetched by ID, within Bounds.
//
// The error is for what kept it from starting: no such service, a disabled one, the
// code offline, and the code locked while another sync of the service is under way.
// Whatever ends it later stands in Synced.Err, and in the state of the service. Synced
// has that state in either case.
// progress is called after each page, from one goroutine; it may be nil.
func (s *Session) Sync(ctx context.Context, name string, progress func(SyncProgress)) (Synced, error) {
	service, err := s.Service(ctx, name)
	if err != nil {
		return Synced{}, err
	}
	follow, err := s.net.Store.Follow(ctx, service.Origin)
	if err != nil {
		return Synced{}, err
	}
	unbegun := Synced{Service: service, Before: follow, After: follow}
	release, err := s.exclude(service)
	if err != nil {
		return unbegun, err
	}
	defer release()
	y := &syncer{s: s, tell: progress, out: unbegun, waiting: make(map[identity.ID][]identity.ID), retried: make(map[identity.ID]bool)}
	remote, done, err := s.contact(service)
	if unreached(err) {
		y.out.Err = y.never(ctx, err)
		return y.out, nil
	}
	if err != nil {
		return unbegun, err
	}
	defer done()
	y.remote = remote
	select {
	case s.syncs <- struct{}{}:
		defer func() { <-s.syncs }()
	case <-ctx.Done():
		return unbegun, ctx.Err()
	}
	y.out.Err = y.run(ctx)
	return y.out, nil
}

// SyncAll syncs several services at the same time, within Bounds, and gives what
// each did in the order of names; no names means all that are enabled. What kept one
// from starting is its Err. progress is called from several goroutines.
func (s *Session) SyncAll(ctx context.Context, names []string, progress func(service string, p SyncProgress)) ([]Synced, error) {
	services, err := s.choose(ctx, names)
	if err != nil {
		return nil, err
	}
	out := make([]Synced, len(services))
	var all sync.WaitGroup
	for i, service := range services {
		all.Go(func() {
			var tell func(SyncProgress)
			if progress != nil {
				tell = func(p SyncProgress) { progress(service.Name, p) }
			}
			synced, err := s.Sync(ctx, service.Name, tell)
			synced.Service = service
			synced.Err = cmp.Or(err, synced.Err)
			out[i] = synced
		})
	}
	all.Wait()
	return out, nil
}

// choose finds the services of names; no names means all that are enabled.
func (s *Session) choose(ctx context.Context, names []string) ([]desk.Service, error) {
	var out []desk.Service
	if len(names) == 0 {
		services, err := s.services(ctx)
		for _, v := range services {
			if v.Enabled {
				out = append(out, v)
			}
		}
		return out, err
	}
	seen := make(map[identity.Origin]bool)
	for _, name := range names {
		service, err := s.Service(ctx, name)
		if err != nil {
			return nil, err
		}
		if !seen[service.Origin] {
			out = append(out, service)
		}
		seen[service.Origin] = true
	}
	return out, nil
}

// syncer is one sync under way. The service is excluded from others while it runs.
type syncer struct {
	s      *Session
	remote Remote
	tell   func(SyncProgress)
	out    Synced // After is the state as stored
	// waiting are records of this sync that wait, and what for; retried are those of them
	// that were exceptions before.
	waiting map[identity.ID][]identity.ID
	retried map[identity.ID]bool
}

func (y *syncer) origin() identity.Origin { return y.out.Service.Origin }

func (y *syncer) run(ctx context.Context) error {
	var err error
	if y.out.Before, err = y.s.net.Store.Follow(ctx, y.origin()); err != nil {
		return err
	}
	y.out.After = y.out.Before
	y.out.Progress.From, y.out.Progress.Reached = y.out.Before.Reached, y.out.Before.Reached
	y.show()
	// Until a page or the end says otherwise, this attempt did not finish: so it is
	// told even after the process was killed.
	next := y.out.After
	next.Tried = y.s.now()
	next.Trouble = desk.Trouble{Code: fault.Cancelled, Detail: "the last sync did not finish"}
	if err := y.keep(ctx, nil, next); err != nil {
		return err
	}
	err = y.follow(ctx)
	if err == nil {
		err = y.settle(ctx)
	}
	if err != nil && ctx.Err() == nil {
		err = y.fail(ctx, err)
	}
	return cmp.Or(ctx.Err(), err)
}

// follow does the work, up to the completed checkpoint and what waits behind it.
func (y *syncer) follow(ctx context.Context) error {
	if err := y.s.introduce(ctx, y.out.Service, y.remote); err != nil {
		return err
	}
	if err := y.retry(ctx); err != nil {
		return err
	}
	if err := y.probe(ctx); err != nil {
		return err
	}
	last, err := y.pages(ctx)
	if err != nil {
		return err
	}
	next := y.out.After
	next.ClockBack = clockBack(next, last.AsOf, y.s.now())
	next.Checkpoint, next.AsOf, next.Complete = last.Checkpoint, last.AsOf, true
	next.Reached = max(next.Reached, last.Checkpoint)
	next.Trouble = desk.Trouble{}
	if err := y.keep(ctx, nil, next); err != nil {
		return err
	}
	if len(y.waiting) == 0 {
		return nil
	}
	y.out.Fetched, err = y.s.fetch(ctx, y.sources(ctx), y.waiting)
	for _, o := range y.out.Fetched.outcomes {
		if o.Status == wire.Added {
			y.out.Progress.Added++
		}
		y.release(o)
	}
	y.show()
	return err
}

// pages enumerates to the end and gives the stamp of the last page. Where a cursor
// expires on the way, a new enumeration goes on behind what is stored (9.3.1).
func (y *syncer) pages(ctx context.Context) (wire.Stamp, error) {
	for {
		after := y.out.After.Reached
		last, err := y.walk(ctx, after)
		var r *fault.Refusal
		if errors.As(err, &r) && r.Code == fault.InvalidCursor && y.out.After.Reached > after {
			continue
		}
		return last, err
	}
}

// walk stores the pages of one enumeration. One without a page or with an error is
// not complete.
func (y *syncer) walk(ctx context.Context, after uint64) (last wire.Stamp, err error) {
	pages := 0
	for page, err := range y.remote.Follow(ctx, after) {
		if err != nil {
			if pages == 0 && after > 0 {
				err = y.diagnose(ctx, err)
			}
			return wire.Stamp{}, err
		}
		if f, ok := y.s.backwards(page.Stamp, max(after, last.Checkpoint)); ok {
			return wire.Stamp{}, y.blame(ctx, f, fault.InvalidResponse)
		}
		pages++
		last = page.Stamp
		y.out.Progress.Checkpoint = last.Checkpoint
		next := y.out.After
		if n := len(page.Items); n > 0 {
			next.Reached = max(next.Reached, page.Items[n-1].Seq)
		}
		if err := y.keep(ctx, page.Items, next); err != nil {
			return wire.Stamp{}, err
		}
		y.count(page.Items)
	}
	if pages == 0 {
		return wire.Stamp{}, cmp.Or(ctx.Err(), noPage(y.out.Service))
	}
	return last, ctx.Err()
}

// keep stores items and a state in one transaction, and notes what became of them.
func (y *syncer) keep(ctx context.Context, items []wire.Item, next desk.Follow) error {
	outcomes, stored, err := y.s.net.Store.AcceptPage(ctx, y.origin(), items, next)
	if err != nil {
		return err
	}
	y.out.After = stored
	for i, o := range outcomes {
		y.note(items[i], o)
	}
	return nil
}

// note counts one record by what it is now.
func (y *syncer) note(item wire.Item, o wire.Outcome) {
	p := &y.out.Progress
	switch o.Status {
	case wire.Added:
		p.Added++
	case wire.Held:
		p.Held++
	case wire.Pending:
		p.Pending++
		y.waiting[o.ID] = o.Missing
	default:
		p.Refused++
		y.refuse(item, o)
	}
	y.release(o)
}

// release counts what waited for a record, and is added or refused with it.
func (y *syncer) release(o wire.Outcome) {
	p := &y.out.Progress
	for _, id := range o.Released {
		p.Added++
		switch _, ours := y.waiting[id]; {
		case y.retried[id]:
			y.out.Retried.Resolved++
		case ours:
			p.Pending--
		}
		y.forget(id)
	}
	for _, d := range o.Dropped {
		if _, ours := y.waiting[d.ID]; ours {
			if !y.retried[d.ID] {
				p.Pending--
			}
			y.forget(d.ID)
			p.Refused++
			y.refuse(wire.Item{}, d)
		}
	}
}

// forget drops what does not wait any more.
func (y *syncer) forget(id identity.ID) {
	delete(y.waiting, id)
	delete(y.retried, id)
}

func (y *syncer) refuse(item wire.Item, o wire.Outcome) {
	if len(y.out.Refusals) >= MaxListed {
		return
	}
	r := Refused{ID: o.ID, Claimed: item.Claimed, Refusal: o.Refusal}
	if item.Seq != 0 {
		r.Where = "#" + strconv.FormatUint(item.Seq, 10)
	}
	y.out.Refusals = append(y.out.Refusals, r)
}

// count tells of one more page.
func (y *syncer) count(items []wire.Item) {
	p := &y.out.Progress
	p.Pages++
	p.Records += len(items)
	p.Reached = y.out.After.Reached
	for _, item := range items {
		p.Bytes += int64(len(item.Offer.Envelope().Text()))
	}
	y.show()
}

func (y *syncer) show() {
	y.s.mu.Lock()
	y.s.partner(y.origin()).progress = y.out.Progress
	y.s.mu.Unlock()
	if y.tell != nil {
		y.tell(y.out.Progress)
	}
}

// never writes down an attempt that could not even be made, such as without the file of
// the authorities that are trusted for the service.
func (y *syncer) never(ctx context.Context, reason error) error {
	y.out.After.Tried = y.s.now()
	y.out.After.Trouble = desk.Trouble{Code: fault.Cancelled}
	return y.fail(ctx, reason)
}

// fail writes down why the attempt did not finish, and gives that. The state tells
// it only where the enumeration was not completed.
func (y *syncer) fail(ctx context.Context, reason error) error {
	next := y.out.After
	if next.Trouble == (desk.Trouble{}) {
		return reason
	}
	next.Trouble = desk.Trouble{Code: codeOf(reason), Detail: reason.Error()}
	if r, ok := reason.(*fault.Refusal); ok {
		next.Trouble.Detail = r.Words() // it stands beside the service's name
	}
	if err := y.keep(ctx, nil, next); err != nil {
		return errors.Join(reason, err)
	}
	return reason
}
