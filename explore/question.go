package explore

import (
	"context"
	"errors"

	"akx/view"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// Checked is what one service says of one event now.
type Checked struct {
	Service desk.Service
	// Missing is true where the service has not, or withholds, the event: it answered
	// so. A service that could not be reached has an Err instead.
	Missing bool
	// Facts have the service's scope. They are PARTIAL with the reasons in it where the
	// check did not finish, and unchecked where it was not tried or the service does
	// not have the event. Those of a live check count sources as unchecked: a reverse
	// query settles its target alone (9.6).
	Facts    view.Facts
	Record   wire.Claim // seq and accepted_at, when it gave the event
	Followed bool       // answered from the cache, without a question
	Seen     int64      // ms; what the age of such an answer is told from
	Err      error
	// Earlier is what a followed service that was asked now gave before and does not show
	// any more, at most view.MaxDifferences; Before is the scope in which it gave that.
	Earlier []Earlier
	Before  view.Scope
}

// Question says which services are asked about an event, and how.
type Question struct {
	Names []string // none means all that are enabled
	// Cached lets a followed service answer from the cache, as of its last completed
	// checkpoint, without a question.
	Cached bool
	// Told takes each answer as it arrives, one call at a time; nil takes none.
	Told func(Checked)
}

// Check gives the lifecycle of an event at services, in the order of names; no names
// means all that are enabled. A followed service answers from the cache, as of its
// last completed checkpoint; another one is asked now, for the event and for all that
// points at it, to the end. What a service gives is stored, and its answer is kept.
func (s *Session) Check(ctx context.Context, id identity.ID, names ...string) ([]Checked, error) {
	return s.Question(ctx, id, Question{Names: names, Cached: true})
}

// Recheck is Check that asks followed services too: whether they show the event now.
func (s *Session) Recheck(ctx context.Context, id identity.ID, names ...string) ([]Checked, error) {
	return s.Question(ctx, id, Question{Names: names})
}

// Question is Check, or Recheck, that hands each answer over as it arrives: no service
// holds back what another one said.
func (s *Session) Question(ctx context.Context, id identity.ID, q Question) ([]Checked, error) {
	services, err := s.choose(ctx, q.Names)
	if err != nil {
		return nil, err
	}
	out := make([]Checked, len(services))
	for i, service := range services {
		out[i].Service = service
	}
	if q.Cached {
		if out, err = s.checkFollowed(ctx, id, services); err != nil {
			return nil, err
		}
	}
	return out, s.checkLive(ctx, id, out, q.Told)
}

// checkFollowed answers for the services that are followed, and leaves the others.
func (s *Session) checkFollowed(ctx context.Context, id identity.ID, services []desk.Service) ([]Checked, error) {
	out := make([]Checked, len(services))
	at, err := read(ctx, s.lib, func(snap view.Snapshot) (map[identity.Origin]view.At, error) { return followedAt(ctx, snap, id) })
	if err != nil {
		return nil, err
	}
	claims, err := s.lib.Claims(ctx, id)
	if err != nil {
		return nil, err
	}
	for i, service := range services {
		out[i].Service = service
		known, ok := at[service.Origin]
		if !ok {
			continue
		}
		out[i].Followed, out[i].Facts, out[i].Seen = true, known.Facts, known.Followed.Seen()
		out[i].Missing = !known.Held && known.Facts.Scope.Complete
		reasons := &out[i].Facts.Scope.Reasons
		if *reasons, err = s.explain(ctx, service.Origin, known.Followed.Exceptions, *reasons); err != nil {
			return nil, err
		}
		for _, c := range claims {
			if known.Held && c.Source == (wire.Source{Kind: wire.FromService, Name: string(service.Origin)}) {
				out[i].Record = c
			}
		}
	}
	return out, nil
}

// followedAt reads what followed services say of an event that may not be held.
func followedAt(ctx context.Context, snap view.Snapshot, id identity.ID) (map[identity.Origin]view.At, error) {
	records, ok := view.RecordsOf(snap)
	if !ok {
		return nil, nil
	}
	out := make(map[identity.Origin]view.At)
	all, err := view.LoadServices(ctx, snap, records, id)
	var absent *fault.NotHeld
	if errors.As(err, &absent) {
		followed, err := records.Followed()
		for _, f := range followed {
			out[f.Origin] = view.At{Followed: f, Facts: view.Facts{ID: id, Scope: f.Scope()}}
		}
		return out, err
	}
	for _, at := range all {
		out[at.Followed.Origin] = at
	}
	return out, err
}
