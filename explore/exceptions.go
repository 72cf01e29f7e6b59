package explore

import (
	"cmp"
	"context"
	"slices"

	"akx/view"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// Retried is what trying exceptions again did.
type Retried struct {
	Tried    int
	Resolved int  // events here now
	Gone     int  // the service shows them no more
	Limited  bool // more of them wait for the next sync: Bounds.Retries
	Err      error
}

// Bounds of records that have no proven ID: they are asked for by their seq, a few
// around it at once.
const (
	maxSeqAsks = 50
	seqWindow  = 10
)

// Exceptions lists records of a service that are not events here, by seq.
func (s *Session) Exceptions(ctx context.Context, name string, after uint64, limit int) ([]desk.Exception, error) {
	service, err := s.Service(ctx, name)
	if err != nil {
		return nil, err
	}
	return s.net.Store.Exceptions(ctx, service.Origin, after, limit)
}

// exceptionPage is how many exceptions are read at once.
const exceptionPage = 1000

// exceptions reads all that are kept of the service.
func (s *Session) exceptions(ctx context.Context, origin identity.Origin) ([]desk.Exception, error) {
	var all []desk.Exception
	after := uint64(0)
	for {
		page, err := s.net.Store.Exceptions(ctx, origin, after, exceptionPage)
		if err != nil {
			return nil, err
		}
		all = append(all, page...)
		if len(page) < exceptionPage {
			return all, nil
		}
		after = page[len(page)-1].Seq
	}
}

// settle ends the exceptions of records that are events here by now, from wherever
// they or what they waited for came.
func (y *syncer) settle(ctx context.Context) error {
	stored, err := y.s.settle(ctx, y.origin(), y.out.After, nil)
	if err == nil {
		y.out.After = stored
	}
	return err
}

// settle ends the exceptions of a service whose records are events here by now, and
// those of records without a proven ID whose seq is among given. It gives the state
// as stored; follow is that before.
func (s *Session) settle(ctx context.Context, origin identity.Origin, follow desk.Follow, given map[uint64]bool) (desk.Follow, error) {
	if follow.Exceptions == 0 {
		return follow, nil
	}
	all, err := s.exceptions(ctx, origin)
	if err != nil {
		return follow, err
	}
	ids := make([]identity.ID, len(all))
	for i, e := range all {
		ids[i] = e.ID
	}
	numbers, err := read(ctx, s.lib, func(snap view.Snapshot) ([]uint64, error) { return snap.Find(ids) })
	if err != nil {
		return follow, err
	}
	var seqs []uint64
	for i, n := range numbers {
		if n != 0 || ids[i].IsZero() && given[all[i].Seq] {
			seqs = append(seqs, all[i].Seq)
		}
	}
	if len(seqs) == 0 {
		// Some may have ended with the arrival of their event.
		return s.net.Store.Follow(ctx, origin)
	}
	return s.net.Store.Settle(ctx, origin, seqs)
}

// end settles exceptions by seq.
func (y *syncer) end(ctx context.Context, seqs []uint64) error {
	if len(seqs) == 0 {
		return nil
	}
	stored, err := y.s.net.Store.Settle(ctx, y.origin(), seqs)
	if err != nil {
		return err
	}
	y.out.After = stored
	return nil
}

// retry asks again for exceptions, those with the fewest tries first. What the
// service answers wrong is told in Retried; the error is the store's or ctx's.
func (y *syncer) retry(ctx context.Context) error {
	if err := y.settle(ctx); err != nil || y.out.After.Exceptions == 0 {
		return err
	}
	all, err := y.s.exceptions(ctx, y.origin())
	if err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b desk.Exception) int { return cmp.Compare(a.Tries, b.Tries) })
	limit := y.s.bounds.Retries
	y.out.Retried.Limited = len(all) > limit
	byID := make(map[identity.ID]uint64)
	var ids []identity.ID
	var seqs []uint64
	for _, e := range all[:min(len(all), limit)] {
		if _, twice := byID[e.ID]; e.ID.IsZero() || twice {
			seqs = append(seqs, e.Seq)
			continue
		}
		byID[e.ID] = e.Seq
		ids = append(ids, e.ID)
	}
	if err := y.retryIDs(ctx, ids, byID); err != nil {
		return err
	}
	slices.Sort(seqs)
	return y.retrySeqs(ctx, seqs)
}

// retryIDs asks for records whose ID is proven, by batch.
func (y *syncer) retryIDs(ctx context.Context, ids []identity.ID, seqOf map[identity.ID]uint64) error {
	if len(ids) == 0 {
		return nil
	}
	for page, err := range y.remote.Batch(ctx, ids) {
		if err != nil {
			y.out.Retried.Err = err
			return ctx.Err()
		}
		var gone []uint64
		for _, id := range page.Missing {
			gone = append(gone, seqOf[id])
		}
		y.out.Retried.Gone += len(gone)
		y.out.Retried.Tried += len(gone)
		for _, item := range page.Items {
			// A record that was accepted again has another seq now (8.3).
			if seq, known := seqOf[item.Offer.Envelope().ID()]; known && seq != item.Seq {
				gone = append(gone, seq)
			}
		}
		if err := y.again(ctx, page.Items); err != nil {
			return err
		}
		if err := y.end(ctx, gone); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// retrySeqs asks for records by their place; seqs ascend.
func (y *syncer) retrySeqs(ctx context.Context, seqs []uint64) error {
	for asks := 0; len(seqs) > 0; asks++ {
		if asks == maxSeqAsks {
			y.out.Retried.Limited = true
			return nil
		}
		page, err := firstPage(y.remote.Query(ctx, wire.Query{AfterSeq: seqs[0] - 1, Limit: seqWindow}))
		if err != nil {
			y.out.Retried.Err = err
			return ctx.Err()
		}
		found := make(map[uint64]wire.Item)
		through := page.Checkpoint
		for _, item := range page.Items {
			found[item.Seq] = item
			if page.Next != "" {
				through = item.Seq
			}
		}
		if page.Next != "" && len(page.Items) == 0 {
			through = seqs[0] - 1
		}
		var items []wire.Item
		var gone []uint64
		for len(seqs) > 0 && seqs[0] <= through {
			if item, ok := found[seqs[0]]; ok {
				items = append(items, item)
			} else {
				gone = append(gone, seqs[0])
			}
			seqs = seqs[1:]
		}
		if len(items)+len(gone) == 0 {
			// Nothing is said of this one.
			seqs = seqs[1:]
			continue
		}
		y.out.Retried.Gone += len(gone)
		y.out.Retried.Tried += len(gone)
		if err := y.again(ctx, items); err != nil {
			return err
		}
		if err := y.end(ctx, gone); err != nil {
			return err
		}
	}
	return nil
}

// again stores records that are tried again, under the state as it is.
func (y *syncer) again(ctx context.Context, items []wire.Item) error {
	outcomes, stored, err := y.s.net.Store.AcceptPage(ctx, y.origin(), items, y.out.After)
	if err != nil {
		return err
	}
	y.out.After = stored
	for _, o := range outcomes {
		y.out.Retried.Tried++
		switch o.Status {
		case wire.Added:
			y.out.Progress.Added++
			y.out.Retried.Resolved++
		case wire.Held:
			y.out.Retried.Resolved++
		case wire.Pending:
			y.waiting[o.ID], y.retried[o.ID] = o.Missing, true
		}
		y.release(o)
	}
	return nil
}

// firstPage takes one page of a walk and ends it.
func firstPage(pages func(func(wire.QueryPage, error) bool)) (wire.QueryPage, error) {
	for page, err := range pages {
		return page, err
	}
	return wire.QueryPage{}, &fault.Unavailable{Code: fault.Partial, Detail: "the answer has no page"}
}
