package sample

import (
	"context"

	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/memory"
	"akx/view/wire"
)

// The services of the sample. Their names cannot exist on any network (RFC 6761).
const (
	Hub identity.Origin = "https://hub.sample.invalid"
	Lab identity.Origin = "https://lab.sample.invalid"
)

// Withdrawn is the retraction that Hub has and Lab has not, by its ID: others rely
// on the capsule that it withdraws.
const Withdrawn = "HQ7QRYP6lF8pq-68vnObSWUkdrov-XWYIdMwh4KqJvE"

// mirror is what one service holds of the library.
type mirror struct {
	name   string
	origin identity.Origin
	lag    int    // of the last events, how many it does not have yet
	lacks  string // an event that it does not have though later ones came
	delay  int64  // ms from an event's signature to its acceptance
	asOf   int64  // ms of the last completed sync
}

var mirrors = []mirror{
	{name: "hub", origin: Hub, delay: 90_000, asOf: Now - 12*60_000},
	{name: "lab", origin: Lab, lag: 3, lacks: Withdrawn, delay: 6 * 3600_000, asOf: Now - 54*3600_000},
}

// records gives what the service holds, in its own order of acceptance.
func (m mirror) records(items []wire.Item) []wire.Item {
	var out []wire.Item
	accepted := int64(0)
	for _, item := range items[:max(0, len(items)-m.lag)] {
		if item.Offer.Envelope().ID().String() == m.lacks {
			continue
		}
		accepted = max(accepted+1000, item.Offer.Envelope().CreatedAt()+m.delay)
		item.Seq, item.AcceptedAt = uint64(len(out)+1), accepted
		out = append(out, item)
	}
	return out
}

// follow adds a service to the library, followed to its end.
func (s *Sample) follow(m mirror) error {
	ctx := context.Background()
	items := m.records(s.items)
	last := uint64(len(items))
	next := desk.Follow{Checkpoint: last, Reached: last, AsOf: m.asOf, Tried: m.asOf, Complete: true}
	if _, _, err := s.Library.AcceptPage(ctx, m.origin, items, next); err != nil {
		return err
	}
	return s.Library.PutService(ctx, desk.Service{Name: m.name, Origin: m.origin, Enabled: true, Added: m.asOf})
}

// Serve makes the store of a service of the sample, for an end of the wire within
// this process. Every call gives one of its own. The error is a *fault.Unavailable
// for any other origin.
func (s *Sample) Serve(origin identity.Origin) (*memory.Store, error) {
	for _, m := range mirrors {
		if m.origin == origin {
			return m.serve(s.items)
		}
	}
	return nil, &fault.Unavailable{Code: fault.Offline, What: string(origin), Detail: "the sample has no network",
		Hint: "leave --sample out to reach services"}
}

func (m mirror) serve(items []wire.Item) (*memory.Store, error) {
	store := memory.New(string(m.origin), func() int64 { return Now })
	for _, item := range m.records(items) {
		terms := capsule.Terms{Now: item.AcceptedAt, Skew: capsule.DefaultSkew}
		if _, _, err := store.Submit(context.Background(), item.Offer, terms); err != nil {
			return nil, damaged(item.Where, err)
		}
	}
	return store, nil
}
