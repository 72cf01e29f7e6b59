package explore

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"sync"

	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// checkLive asks the services that did not answer from the cache, several at once, and
// tells each answer as it comes.
func (s *Session) checkLive(ctx context.Context, id identity.ID, out []Checked, told func(Checked)) error {
	failed := make([]error, len(out))
	var one sync.Mutex
	tell := func(c Checked) {
		if told != nil {
			one.Lock()
			defer one.Unlock()
			told(c)
		}
	}
	var all sync.WaitGroup
	for i := range out {
		if out[i].Followed {
			tell(out[i])
			continue
		}
		all.Go(func() {
			select {
			case s.checks <- struct{}{}:
				failed[i] = s.checkOne(ctx, id, &out[i])
				<-s.checks
				// A store that was read too late for ctx has no error of its own: the check
				// was stopped, wherever it stood.
				if failed[i] != nil && ctx.Err() != nil {
					failed[i] = nil
					out[i].stopped(id, ctx.Err())
				}
			case <-ctx.Done():
				out[i].untried(id, ctx.Err())
			}
			if failed[i] == nil {
				s.remember(id, out[i])
				tell(out[i])
			}
		})
	}
	all.Wait()
	return errors.Join(failed...)
}

// untried is a check that never began: unchecked.
func (c *Checked) untried(id identity.ID, reason error) {
	c.Err = reason
	c.Facts = view.Facts{ID: id, Scope: view.Scope{Origin: string(c.Service.Origin), Reasons: []string{"it was not asked"}}}
}

// stopped is a check that ended with its context, perhaps before it said anything.
func (c *Checked) stopped(id identity.ID, reason error) {
	if c.Facts.Scope.Origin == "" {
		c.untried(id, reason)
		c.Facts.Scope.Reasons = []string{"the question was stopped"}
	}
	c.Err = reason
}

// checkOne asks one service. The error is the store's; a service's stands in out.
func (s *Session) checkOne(ctx context.Context, id identity.ID, out *Checked) error {
	remote, done, err := s.contact(out.Service)
	if err != nil {
		out.untried(id, err)
		return nil
	}
	defer done()
	l := &liveCheck{s: s, remote: remote, id: id, out: out, scope: view.Scope{Origin: string(out.Service.Origin)}}
	return l.run(ctx)
}

// liveCheck is one check of one event at one service.
type liveCheck struct {
	s      *Session
	remote Remote
	id     identity.ID
	out    *Checked
	scope  view.Scope
	answered
	// subject is zero until the event is known from here or from the service.
	subject view.Subject
	came    []capsule.Event
	waiting map[identity.ID][]identity.ID
	refused int
}

func (l *liveCheck) run(ctx context.Context) error {
	follow, err := l.s.net.Store.Follow(ctx, l.out.Service.Origin)
	if err != nil {
		return err
	}
	l.before = follow
	l.waiting = make(map[identity.ID][]identity.ID)
	err = l.event(ctx)
	if err == nil && l.subject.ID.IsZero() {
		// Nobody here knows who signed the event: nothing can be judged.
		l.scope.Reasons = append(l.scope.Reasons, "it was not asked for what points at the event: the event itself is neither there nor here")
		l.out.Facts = view.Facts{ID: l.id, Scope: l.scope}
		return nil
	}
	if err == nil {
		err = l.links(ctx)
	}
	if err == nil && len(l.waiting) > 0 {
		err = l.fetch(ctx)
	}
	var stored *storeError
	if errors.As(err, &stored) {
		return stored.err
	}
	if err != nil {
		l.out.Err = cmp.Or(ctx.Err(), err)
		l.scope.Reasons = append(l.scope.Reasons, "its answer did not come to the end")
	}
	// The answer is here already: what is left of it is told even when ctx has ended.
	ctx = context.WithoutCancel(ctx)
	if err := l.doubt(ctx); err != nil {
		return err
	}
	if err := l.earlier(ctx); err != nil {
		return err
	}
	return l.derive(ctx)
}

// doubt notes why even the whole answer is not complete: any of the service's records
// that are not events here could bear on the event, as on a check of what was followed.
func (l *liveCheck) doubt(ctx context.Context) error {
	after, err := l.s.settled(ctx, l.out.Service.Origin, l.answered)
	if err != nil {
		return err
	}
	if after.Exceptions > 0 {
		told, err := l.s.explain(ctx, l.out.Service.Origin, after.Exceptions, []string{view.ExceptionWords(after.Exceptions)})
		if err != nil {
			return err
		}
		l.scope.Reasons = append(l.scope.Reasons, told...)
		// They are counted among those already.
		l.refused = 0
	}
	l.scope.Reasons = append(l.scope.Reasons, l.s.doubts(l.answered, after)...)
	if l.out.Missing && len(l.scope.Reasons) > 0 {
		l.scope.Reasons = append(l.scope.Reasons, "it does not have the event, or withholds it")
	}
	return nil
}

// storeError tells an error of this side from one of a service.
type storeError struct{ err error }

func (e *storeError) Error() string { return e.err.Error() }
func (e *storeError) Unwrap() error { return e.err }

// ours marks an error of this side, unless it is ctx's.
func (l *liveCheck) ours(ctx context.Context, err error) error {
	if err != nil && ctx.Err() == nil {
		return &storeError{err}
	}
	return err
}

// event asks for the event itself, and learns from the answer or from here who
// signed it.
func (l *liveCheck) event(ctx context.Context) error {
	err := l.s.lib.Read(ctx, func(snap view.Snapshot) error {
		rows, held, err := view.Rows(snap, []identity.ID{l.id})
		if err == nil && held[0] {
			l.subject = view.SubjectOf(rows[0])
		}
		return err
	})
	if err != nil {
		return l.ours(ctx, err)
	}
	if err := l.s.introduce(ctx, l.out.Service, l.remote); err != nil {
		return err
	}
	item, err := l.remote.Event(ctx, l.id)
	var absent *fault.NotHeld
	if errors.As(err, &absent) {
		l.out.Missing = true
		return nil
	}
	if err != nil {
		return err
	}
	l.out.Record = wire.Claim{
		Source: wire.Source{Kind: wire.FromService, Name: string(l.out.Service.Origin)}, Seq: item.Seq, AcceptedAt: item.AcceptedAt,
	}
	outcomes, err := l.s.net.Store.AcceptAnswer(ctx, l.out.Service.Origin, []wire.Item{item}, nil)
	if err != nil {
		return l.ours(ctx, err)
	}
	l.hold([]wire.Item{item}, outcomes)
	if event := item.Offer.Event(); event != nil && outcomes[0].Status != wire.Refused {
		l.subject = view.SubjectOf(view.EntryOf(event))
	}
	if r := outcomes[0].Refusal; r != nil {
		l.out.Err = r
	}
	l.judge(item, outcomes[0])
	return nil
}

// links asks for all that points at the event, to the end (9.6).
func (l *liveCheck) links(ctx context.Context) error {
	var q wire.Query
	if _, err := q.Filter.ParseFilter("target", l.id.String()); err != nil {
		return err
	}
	q.Limit = wire.MaxQueryLimit
	pages := 0
	for page, err := range l.remote.Query(ctx, q) {
		if err != nil {
			return err
		}
		pages++
		l.scope.Checkpoint, l.scope.AsOf = page.Checkpoint, page.AsOf
		outcomes, err := l.s.keepAnswer(ctx, l.out.Service, l.before.Reached, page.Stamp, page.Items)
		if err != nil {
			return l.ours(ctx, err)
		}
		l.see(page.Stamp, page.Items, outcomes)
		for i, o := range outcomes {
			l.judge(page.Items[i], o)
		}
		if len(l.came) >= view.MaxIncoming {
			return &fault.Unavailable{Code: fault.Partial, What: l.out.Service.Name, Detail: "more points at the event than is read at once"}
		}
	}
	if pages == 0 {
		return cmp.Or(ctx.Err(), noPage(l.out.Service))
	}
	return ctx.Err()
}

// judge sorts one record by what became of it.
func (l *liveCheck) judge(item wire.Item, o wire.Outcome) {
	switch o.Status {
	case wire.Refused:
		l.refused++
		return
	case wire.Pending:
		l.waiting[o.ID] = o.Missing
	}
	if event := item.Offer.Event(); event != nil && event.ID() != l.id {
		l.came = append(l.came, event)
	}
	for _, id := range o.Released {
		delete(l.waiting, id)
	}
}

// fetch asks the same service for what its records wait for.
func (l *liveCheck) fetch(ctx context.Context) error {
	fetched, err := l.s.fetch(ctx, []source{{l.out.Service, l.remote}}, l.waiting)
	if fetched.Limit != NoLimit {
		l.scope.Reasons = append(l.scope.Reasons, fetched.words())
	}
	return l.ours(ctx, err)
}

// derive makes the facts of what came and is admitted here: what still waits has no
// effect (8.2), and makes the check incomplete.
func (l *liveCheck) derive(ctx context.Context) error {
	ids := make([]identity.ID, len(l.came))
	for i, e := range l.came {
		ids[i] = e.ID()
	}
	numbers, err := read(ctx, l.s.lib, func(snap view.Snapshot) ([]uint64, error) {
		return snap.Find(append(ids, l.id))
	})
	if err != nil {
		return err
	}
	if !l.out.Missing && numbers[len(ids)] == 0 && l.out.Err == nil {
		l.scope.Reasons = append(l.scope.Reasons, "the event itself waits for others")
	}
	var incoming []view.Incoming
	waiting := 0
	for i, e := range l.came {
		if numbers[i] == 0 {
			waiting++
			continue
		}
		for k, link := range capsule.Links(e) {
			if link.Target == l.id {
				fact := view.IncomingOf(e, numbers[i])[k]
				fact.Unchecked = true
				incoming = append(incoming, fact)
			}
		}
	}
	if waiting > 0 {
		l.scope.Reasons = append(l.scope.Reasons, counted(waiting, "of its records waits for others", "of its records wait for others"))
	}
	if l.refused > 0 {
		l.scope.Reasons = append(l.scope.Reasons, counted(l.refused, "of its records is not an event here", "of its records are not events here"))
	}
	l.scope.Complete = len(l.scope.Reasons) == 0
	l.out.Facts = view.Derive(l.subject, incoming, l.scope)
	l.out.Facts.ID = l.id
	if l.out.Missing && l.out.Facts.Lifecycle == view.Active {
		l.out.Facts.Lifecycle = view.Unchecked
	}
	return nil
}

func counted(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + more
}
