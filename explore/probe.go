package explore

import (
	"context"
	"errors"

	"akx/view/fault"
	"akx/view/wire"
)

// probed is how many of the records that a service gave last a sync looks at again.
const probed = 5

// probe asks for the last records that the service gave before, in one small request,
// and lets the store compare.
//
// A service that was restored from a copy may have taken other events since, up to a
// checkpoint beyond the one reached here: then no stamp and no refusal tells that what
// lies between the copy and that checkpoint is another past. But one seq stands for one
// event for ever (8.3). All that was given after the copy was made is lost with it, so
// that the last records given are the first to differ, and one that stands for another
// event now is a contradiction, which is kept as such. A record that is not shown any
// more says nothing: it may be withheld or pruned (8.3, 9.3.1). So a service that takes
// up its numbers behind the old ones is not noticed, and need not be: what it gives
// from then on is new here too. What a probe cannot see is that a service dropped
// events and gave nothing else for them, for that is what removal looks like.
func (y *syncer) probe(ctx context.Context) error {
	if y.out.Before.Reached == 0 {
		return nil
	}
	seqs, err := y.s.net.Store.LastSeqs(ctx, y.origin(), probed)
	if err != nil || len(seqs) == 0 {
		return err
	}
	page, err := firstPage(y.remote.Query(ctx, wire.Query{AfterSeq: seqs[0] - 1, Limit: probed}))
	var r *fault.Refusal
	if errors.As(err, &r) {
		// The walk that follows meets the same, and finds out what it means.
		return ctx.Err()
	}
	if err != nil {
		return err
	}
	if _, back := y.s.backwards(page.Stamp, y.out.Before.Reached); back {
		return nil
	}
	if _, err := y.s.net.Store.AcceptAnswer(ctx, y.origin(), page.Items, nil); err != nil {
		return err
	}
	y.out.After, err = y.s.net.Store.Follow(ctx, y.origin())
	return err
}
