package explore

import (
	"cmp"
	"context"
	"errors"
	"strconv"

	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// Answer is one page of a live query, and what became of its records here.
type Answer struct {
	wire.Stamp
	Items    []wire.Item
	Outcomes []wire.Outcome
}

// Queried is what a live query did. Err is nil when the enumeration was completed.
type Queried struct {
	Service desk.Service
	// Scope is the service's, as of the enumeration; not complete where it did not
	// finish or records were refused, with the reasons.
	Scope    view.Scope
	Progress SyncProgress // Reached is the seq of the last record
	Refusals []Refused    // at most MaxListed
	Err      error
}

// Query enumerates what a service has behind a seq that matches, to the end (9.3), and hands each
// page to take once it is stored; an error of take ends it. It moves no checkpoint.
// The error is for what kept it from starting, and take's.
func (s *Session) Query(ctx context.Context, name string, f capsule.Filter, after uint64, take func(Answer) error) (Queried, error) {
	if err := f.Check(); err != nil {
		return Queried{}, err
	}
	service, remote, follow, done, err := s.open(ctx, name)
	if err != nil {
		return Queried{}, err
	}
	defer done()
	q := &query{s: s, service: service, answered: answered{before: follow}, take: take, waiting: make(map[identity.ID][]identity.ID)}
	q.out.Service = service
	q.out.Scope.Origin = string(service.Origin)
	err = s.introduce(ctx, service, remote)
	if err == nil {
		err = q.pages(ctx, remote, wire.Query{Filter: f, AfterSeq: after, Limit: wire.MaxQueryLimit})
	}
	if err == nil && len(q.waiting) > 0 {
		err = q.fetch(ctx, remote)
	}
	var ours *storeError
	if errors.As(err, &ours) && ctx.Err() == nil {
		return q.out, ours.err
	}
	if err != nil {
		q.out.Err = cmp.Or(ctx.Err(), err)
		q.out.Scope.Reasons = append(q.out.Scope.Reasons, "its answer did not come to the end")
	}
	if n := q.out.Progress.Refused; n > 0 {
		q.out.Scope.Reasons = append(q.out.Scope.Reasons, counted(n, "of its records is not an event here", "of its records are not events here"))
	}
	if len(q.waiting) > 0 {
		ours := make(map[identity.ID]bool)
		for id := range q.waiting {
			ours[id] = true
		}
		u, err := s.unresolved(context.WithoutCancel(ctx), ours)
		if err != nil {
			return q.out, err
		}
		q.out.Scope.Reasons = append(q.out.Scope.Reasons, u.Words())
	}
	stored, err := s.settled(context.WithoutCancel(ctx), service.Origin, q.answered)
	if err != nil {
		return q.out, err
	}
	q.out.Scope.Reasons = append(q.out.Scope.Reasons, s.doubts(q.answered, stored)...)
	q.out.Scope.Complete = len(q.out.Scope.Reasons) == 0
	return q.out, nil
}

// open finds a service and a way to it, and how far it was followed.
func (s *Session) open(ctx context.Context, name string) (service desk.Service, remote Remote, follow desk.Follow, done func(), err error) {
	if service, err = s.Service(ctx, name); err != nil {
		return desk.Service{}, nil, desk.Follow{}, nil, err
	}
	follow, err = s.net.Store.Follow(ctx, service.Origin)
	if err != nil {
		return desk.Service{}, nil, desk.Follow{}, nil, err
	}
	if remote, done, err = s.contact(service); err != nil {
		return desk.Service{}, nil, desk.Follow{}, nil, err
	}
	return service, remote, follow, done, nil
}

// query is one live query under way.
type query struct {
	s       *Session
	service desk.Service
	answered
	take func(Answer) error
	out  Queried
	// waiting are records of the answer that wait, and what for.
	waiting map[identity.ID][]identity.ID
}

// pages walks to the end. Errors of this side are storeErrors.
func (q *query) pages(ctx context.Context, remote Remote, ask wire.Query) error {
	for page, err := range remote.Query(ctx, ask) {
		if err != nil {
			return err
		}
		q.out.Scope.Checkpoint, q.out.Scope.AsOf = page.Checkpoint, page.AsOf
		outcomes, err := q.s.keepAnswer(ctx, q.service, q.before.Reached, page.Stamp, page.Items)
		if err != nil {
			return &storeError{err}
		}
		q.see(page.Stamp, page.Items, outcomes)
		q.count(page, outcomes)
		if q.take == nil {
			continue
		}
		if err := q.take(Answer{page.Stamp, page.Items, outcomes}); err != nil {
			return &storeError{err}
		}
	}
	if q.out.Progress.Pages == 0 {
		return cmp.Or(ctx.Err(), noPage(q.service))
	}
	return ctx.Err()
}

func noPage(service desk.Service) error {
	return &fault.Unavailable{Code: fault.Partial, What: service.Name, Detail: "its answer has no page"}
}

// keepAnswer stores the items of a live answer.
func (s *Session) keepAnswer(ctx context.Context, service desk.Service, floor uint64, stamp wire.Stamp, items []wire.Item) ([]wire.Outcome, error) {
	var faults []desk.ServiceFault
	if f, ok := s.backwards(stamp, floor); ok {
		faults = append(faults, f)
	}
	return s.net.Store.AcceptAnswer(ctx, service.Origin, items, faults)
}

func (q *query) count(page wire.QueryPage, outcomes []wire.Outcome) {
	p := &q.out.Progress
	p.Pages++
	p.Records += len(page.Items)
	p.Checkpoint = page.Checkpoint
	for i, o := range outcomes {
		p.Bytes += int64(len(page.Items[i].Offer.Envelope().Text()))
		p.Reached = page.Items[i].Seq
		switch o.Status {
		case wire.Added:
			p.Added++
		case wire.Held:
			p.Held++
		case wire.Pending:
			p.Pending++
			q.waiting[o.ID] = o.Missing
		default:
			where := "#" + strconv.FormatUint(page.Items[i].Seq, 10)
			q.refuse(Refused{Where: where, ID: o.ID, Claimed: page.Items[i].Claimed, Refusal: o.Refusal})
		}
		q.release(o)
	}
}

// release counts what waited for a record, and is added or refused with it.
func (q *query) release(o wire.Outcome) {
	p := &q.out.Progress
	for _, id := range o.Released {
		p.Added++
		if _, ours := q.waiting[id]; ours {
			p.Pending--
			delete(q.waiting, id)
		}
	}
	for _, d := range o.Dropped {
		if _, ours := q.waiting[d.ID]; ours {
			p.Pending--
			delete(q.waiting, d.ID)
			q.refuse(Refused{ID: d.ID, Refusal: d.Refusal})
		}
	}
}

func (q *query) refuse(r Refused) {
	q.out.Progress.Refused++
	if len(q.out.Refusals) < MaxListed {
		q.out.Refusals = append(q.out.Refusals, r)
	}
}

// fetch asks the same service for what its records wait for (8.2).
func (q *query) fetch(ctx context.Context, remote Remote) error {
	fetched, err := q.s.fetch(ctx, []source{{q.service, remote}}, q.waiting)
	for _, o := range fetched.outcomes {
		if o.Status == wire.Added {
			q.out.Progress.Added++
		}
		q.release(o)
	}
	if fetched.Limit != NoLimit {
		q.out.Scope.Reasons = append(q.out.Scope.Reasons, fetched.words())
	}
	if err != nil && ctx.Err() == nil {
		return &storeError{err}
	}
	return ctx.Err()
}

// Found is the answer of a ranked search at a service.
type Found struct {
	Service  desk.Service
	Page     wire.SearchPage
	Outcomes []wire.Outcome // one a hit
}

// Search asks a service for ranked hits (9.5) and stores the events among them. An
// empty answer says nothing about what there is to know; ranks of different services
// are not comparable. limit 0 means the default.
func (s *Session) Search(ctx context.Context, name, text string, mode wire.Mode, f capsule.Filter, limit int) (Found, error) {
	service, remote, follow, done, err := s.open(ctx, name)
	if err != nil {
		return Found{}, err
	}
	defer done()
	if err := s.introduce(ctx, service, remote); err != nil {
		return Found{}, err
	}
	page, err := remote.Search(ctx, wire.SearchRequest{Text: text, Mode: mode, Filter: f, Limit: limit})
	if err != nil {
		return Found{}, err
	}
	items := make([]wire.Item, len(page.Hits))
	for i, hit := range page.Hits {
		items[i] = hit.Item
	}
	outcomes, err := s.keepAnswer(ctx, service, follow.Reached, page.Stamp, items)
	if err != nil {
		return Found{}, err
	}
	came := answered{before: follow}
	came.hold(items, outcomes)
	if _, err := s.settled(ctx, service.Origin, came); err != nil {
		return Found{}, err
	}
	return Found{Service: service, Page: page, Outcomes: outcomes}, nil
}

// Shown is one event as a service gave it now.
type Shown struct {
	Service desk.Service
	Item    wire.Item
	Outcome wire.Outcome // Pending where what it points at is not here
}

// Show asks a service for one event and stores it. Errors: *fault.NotHeld where the
// service has not, or withholds, it; where its copy is not the event, a
// *fault.Unavailable with the *fault.Refusal in it.
func (s *Session) Show(ctx context.Context, name string, id identity.ID) (Shown, error) {
	service, remote, _, done, err := s.open(ctx, name)
	if err != nil {
		return Shown{}, err
	}
	defer done()
	if err := s.introduce(ctx, service, remote); err != nil {
		return Shown{}, err
	}
	item, err := remote.Event(ctx, id)
	if err != nil {
		return Shown{}, err
	}
	outcomes, err := s.net.Store.AcceptAnswer(ctx, service.Origin, []wire.Item{item}, nil)
	if err != nil {
		return Shown{}, err
	}
	if r := outcomes[0].Refusal; r != nil {
		return Shown{}, &fault.Unavailable{Code: r.Code, What: service.Name, Service: service.Name,
			Detail: "its copy is not an event here", Hint: "other services may have a whole one", Err: r}
	}
	var came answered
	came.hold([]wire.Item{item}, outcomes)
	if _, err := s.settled(ctx, service.Origin, came); err != nil {
		return Shown{}, err
	}
	return Shown{Service: service, Item: item, Outcome: outcomes[0]}, nil
}
