package explore

import (
	"context"
	"strconv"

	"akx/view"
	"akx/view/desk"
	"akx/view/identity"
	"akx/view/wire"
)

// answered is what live answers of one service were, as far as they bear on what is
// kept of it.
type answered struct {
	before desk.Follow // as they began
	stamp  wire.Stamp  // the last; zero where no answer had one
	given  map[uint64]bool
}

// see notes one answer and what became of its records.
func (a *answered) see(stamp wire.Stamp, items []wire.Item, outcomes []wire.Outcome) {
	a.stamp = stamp
	a.hold(items, outcomes)
}

// hold notes the seq of each record that is an event here.
func (a *answered) hold(items []wire.Item, outcomes []wire.Outcome) {
	for i, o := range outcomes {
		if o.Status != wire.Added && o.Status != wire.Held {
			continue
		}
		if a.given == nil {
			a.given = make(map[uint64]bool)
		}
		a.given[items[i].Seq] = true
	}
}

// settled ends the exceptions of what the answers brought, and gives the state as
// stored, with the contradictions that were seen.
func (s *Session) settled(ctx context.Context, origin identity.Origin, a answered) (desk.Follow, error) {
	now, err := s.net.Store.Follow(ctx, origin)
	if err != nil {
		return now, err
	}
	return s.settle(ctx, origin, now, a.given)
}

// doubts are the reasons for which live answers do not settle anything, whether or
// not they came to the end: contradictions of the service and a time that cannot be
// true. after is the state once the answers are stored.
func (s *Session) doubts(a answered, after desk.Follow) []string {
	var reasons []string
	if a.stamp != (wire.Stamp{}) {
		if _, back := s.backwards(a.stamp, a.before.Reached); back {
			reasons = append(reasons, "its checkpoint is lower than the one followed, #"+strconv.FormatUint(a.before.Reached, 10))
		}
		if view.Ahead(a.stamp.AsOf, s.now()) {
			reasons = append(reasons, view.AheadWords)
		}
		if clockBack(a.before, a.stamp.AsOf, s.now()) {
			reasons = append(reasons, view.BackWords)
		}
	}
	if n := len(after.Contradictions()); n > 0 {
		reasons = append(reasons, view.ContradictionWords(n))
	}
	return reasons
}

// clockBack reports whether a service's time is earlier than that of the enumeration
// before. A time before that was still to come does not count: its clock was mended.
func clockBack(before desk.Follow, asOf, now int64) bool {
	return before.Complete && view.Ahead(before.AsOf, asOf) && !view.Ahead(before.AsOf, now)
}
