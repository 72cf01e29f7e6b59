package explore

import (
	"context"
	"errors"
	"strconv"

	"akx/view/desk"
	"akx/view/fault"
	"akx/view/wire"
)

// diagnose finds out whether a refusal of the first page means that the service has
// less than it gave already, or that it will not go on behind what it gave: it asks for
// one record from the start (8.3, 9.3).
func (y *syncer) diagnose(ctx context.Context, refused error) error {
	var r *fault.Refusal
	if !errors.As(refused, &r) || r.Code != fault.InvalidRequest && r.Code != fault.InvalidResponse {
		return refused
	}
	page, err := firstPage(y.remote.Query(ctx, wire.Query{Limit: 1}))
	if err != nil {
		return refused
	}
	reached := y.out.After.Reached
	f, back := y.s.backwards(page.Stamp, reached)
	switch {
	case back && r.Code == fault.InvalidRequest:
		f.Kind = desk.AfterRefused
	case back:
	case r.Code == fault.InvalidRequest && y.refusesAfter(ctx, reached):
		// It names a checkpoint that allows the question, and will not be asked it.
		f = desk.ServiceFault{Kind: desk.AfterRefused, At: y.s.now(), Before: reached, Now: reached}
	default:
		return refused
	}
	return y.blame(ctx, f, r.Code)
}

// refusesAfter reports whether a question that is well-formed beyond doubt is refused
// for its after_seq: one that has nothing else in it.
func (y *syncer) refusesAfter(ctx context.Context, after uint64) bool {
	_, err := firstPage(y.remote.Query(ctx, wire.Query{AfterSeq: after, Limit: 1}))
	var r *fault.Refusal
	return errors.As(err, &r) && r.Code == fault.InvalidRequest
}

// blame keeps a fault of the service and gives it as the error that ends the sync.
func (y *syncer) blame(ctx context.Context, f desk.ServiceFault, code fault.Code) error {
	next := y.out.After
	next.Faults = append(next.Faults, f)
	if err := y.keep(ctx, nil, next); err != nil {
		return err
	}
	if f.Now >= f.Before {
		return &fault.Unavailable{Code: code, What: y.out.Service.Name,
			Detail: "it refuses to go on behind #" + strconv.FormatUint(f.Before, 10) + ", which it gave, and does not say that it has less now",
			Hint:   "nothing that was proven is lost; tell whoever runs the service, as nothing new comes from it until it answers again"}
	}
	return &fault.Unavailable{Code: code, What: y.out.Service.Name,
		Detail: "it has records up to #" + strconv.FormatUint(f.Now, 10) + " now, and showed up to #" + strconv.FormatUint(f.Before, 10) +
			" before: it was reset, or answers from an old copy",
		Hint: "nothing that was proven is lost; akx service refollow " + y.out.Service.Name + " follows it from the start"}
}
