package memory

import (
	"context"
	"maps"
	"slices"

	"akx/view"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// given is what one service gave and how far it was followed.
type given struct {
	state      desk.Follow // without Exceptions, which are counted
	exceptions map[uint64]desk.Exception
	seqs       map[identity.ID]span
	owners     map[uint64]identity.ID // the first event that a seq stood for
}

// span is the smallest seq under which a service gave an event, and the last.
type span struct{ first, last uint64 }

func (s *Store) of(origin identity.Origin) *given {
	g := s.given[origin]
	if g == nil {
		g = &given{
			exceptions: make(map[uint64]desk.Exception),
			seqs:       make(map[identity.ID]span),
			owners:     make(map[uint64]identity.ID),
		}
		s.given[origin] = g
	}
	return g
}

// follow gives the state for a caller to keep.
func (g *given) follow() desk.Follow {
	f := g.state
	f.Exceptions = len(g.exceptions)
	f.Faults = slices.Clone(f.Faults)
	return f
}

// Follow gives how far a service was followed; see explore.Follower.
func (s *Store) Follow(ctx context.Context, origin identity.Origin) (desk.Follow, error) {
	if err := ctx.Err(); err != nil {
		return desk.Follow{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if g := s.given[origin]; g != nil {
		return g.follow(), nil
	}
	return desk.Follow{}, nil
}

// AcceptPage takes one page and the state that goes with it; see explore.Follower.
func (s *Store) AcceptPage(ctx context.Context, origin identity.Origin, items []wire.Item, next desk.Follow) ([]wire.Outcome, desk.Follow, error) {
	if err := ctx.Err(); err != nil {
		return nil, desk.Follow{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.of(origin)
	if len(g.exceptions) >= desk.MaxExceptions && next.Reached > g.state.Reached {
		return nil, desk.Follow{}, &fault.Unavailable{Code: fault.Partial, What: string(origin),
			Detail: "too many of its records are not events here"}
	}
	now := s.clock()
	outcomes, err := s.take(origin, items, now)
	if err != nil {
		return nil, desk.Follow{}, err
	}
	for i, o := range outcomes {
		if s.find(o.ID) != nil {
			o.Status = wire.Held // what waited may be held by now
		}
		g.except(items[i], o, now)
	}
	g.advance(next, now)
	return outcomes, g.follow(), nil
}

// AcceptAnswer takes any other answer of a service; see explore.Follower.
func (s *Store) AcceptAnswer(ctx context.Context, origin identity.Origin, items []wire.Item, faults []desk.ServiceFault) ([]wire.Outcome, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	outcomes, err := s.take(origin, items, s.clock())
	if err != nil {
		return nil, err
	}
	s.of(origin).blame(faults...)
	return outcomes, nil
}

// take accepts items of a service and notes the seq of what is an event here.
func (s *Store) take(origin identity.Origin, items []wire.Item, now int64) ([]wire.Outcome, error) {
	source := wire.Source{Kind: wire.FromService, Name: string(origin)}
	outcomes, err := s.acceptAll(source, items, now)
	if err != nil {
		return nil, err
	}
	g := s.of(origin)
	for i, o := range outcomes {
		if o.Status != wire.Refused && items[i].Seq != 0 {
			g.note(o.ID, items[i].Seq, now)
		}
	}
	return outcomes, nil
}

// note keeps under which seq the service gave an event, and blames it where that
// contradicts what it said before (8.3).
func (g *given) note(id identity.ID, seq uint64, now int64) {
	if owner, taken := g.owners[seq]; !taken {
		g.owners[seq] = id
	} else if owner != id {
		g.blame(desk.ServiceFault{Kind: desk.SeqShared, At: now, ID: id, Before: seq, Now: seq})
	}
	at, known := g.seqs[id]
	if !known {
		at.first = seq
	} else if seq < at.last {
		g.blame(desk.ServiceFault{Kind: desk.SeqBack, At: now, ID: id, Before: at.last, Now: seq})
	}
	g.seqs[id] = span{first: min(at.first, seq), last: seq}
}

// remember keeps that the service gave a held event under seq, as far as that is not
// known, without a judgement.
func (g *given) remember(id identity.ID, seq uint64) {
	if _, taken := g.owners[seq]; !taken {
		g.owners[seq] = id
	}
	at, known := g.seqs[id]
	if known && at.first <= seq {
		return
	}
	if !known {
		at.last = seq
	}
	at.first = seq
	g.seqs[id] = at
}

// blame keeps the faults that are new, the newest of them when there are many.
func (g *given) blame(faults ...desk.ServiceFault) {
	for _, f := range faults {
		known := slices.ContainsFunc(g.state.Faults, func(k desk.ServiceFault) bool {
			return k.Kind == f.Kind && k.ID == f.ID && k.Before == f.Before && k.Now == f.Now
		})
		if !known {
			g.state.Faults = append(g.state.Faults, f)
		}
	}
	if over := len(g.state.Faults) - desk.MaxFaults; over > 0 {
		g.state.Faults = slices.Delete(g.state.Faults, 0, over)
	}
}

// except makes or ends the exception of a seq by what became of its record.
func (g *given) except(item wire.Item, o wire.Outcome, now int64) {
	seq := item.Seq
	if seq == 0 {
		return
	}
	if o.Status == wire.Added || o.Status == wire.Held {
		delete(g.exceptions, seq)
		return
	}
	e, known := g.exceptions[seq]
	if !known {
		e.Since = now
	}
	e.Seq, e.ID, e.Claimed, e.Tries = seq, o.ID, item.Claimed, e.Tries+1
	e.Code, e.Detail = fault.MissingDependency, ""
	if o.Status == wire.Refused && o.Refusal != nil {
		e.Code, e.Detail = o.Refusal.Code, o.Refusal.Detail
	}
	g.exceptions[seq] = e
	if o.Status == wire.Refused && !e.ID.IsZero() {
		g.remember(e.ID, seq) // once it arrives, from wherever, the service gave it
	}
}

// arrived ends the exceptions of an event that is held from now on.
func (s *Store) arrived(id identity.ID) {
	for _, g := range s.given {
		for seq, e := range g.exceptions {
			if at := g.seqs[id]; e.ID == id && at.first <= seq && seq <= at.last {
				delete(g.exceptions, seq)
			}
		}
	}
}

// advance stores a state, of which the checkpoint and what is reached never move back.
func (g *given) advance(next desk.Follow, now int64) {
	old := g.state
	// A time that is still to come is no word of another writer: the clock was mended.
	earlier := next.AsOf < old.AsOf && !view.Ahead(old.AsOf, now)
	behind := !next.Complete || next.Checkpoint < old.Checkpoint || next.Checkpoint == old.Checkpoint && earlier
	if old.Complete && behind {
		next.Checkpoint, next.AsOf, next.Complete, next.ClockBack = old.Checkpoint, old.AsOf, true, old.ClockBack || next.ClockBack
	}
	next.Reached = max(next.Reached, old.Reached)
	faults := next.Faults
	next.Faults, next.Exceptions = old.Faults, 0
	g.state = next
	g.blame(faults...)
}

// LastSeqs gives the largest seq values of events; see explore.Follower.
func (s *Store) LastSeqs(ctx context.Context, origin identity.Origin, n int) ([]uint64, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	g := s.given[origin]
	if g == nil {
		return nil, nil
	}
	seqs := slices.Sorted(maps.Keys(g.owners))
	return seqs[max(0, len(seqs)-n):], nil
}

// Exceptions lists records that are not events here; see explore.Follower.
func (s *Store) Exceptions(ctx context.Context, origin identity.Origin, after uint64, limit int) ([]desk.Exception, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	g := s.given[origin]
	if g == nil {
		return nil, nil
	}
	var out []desk.Exception
	for _, seq := range slices.Sorted(maps.Keys(g.exceptions)) {
		if seq > after && len(out) < limit {
			out = append(out, g.exceptions[seq])
		}
	}
	return out, nil
}

// Settle ends exceptions; see explore.Follower. An event that is held by now, from
// wherever it came, counts as given under the seq of its exception.
func (s *Store) Settle(ctx context.Context, origin identity.Origin, seqs []uint64) (desk.Follow, error) {
	if err := ctx.Err(); err != nil {
		return desk.Follow{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.of(origin)
	for _, seq := range seqs {
		e := g.exceptions[seq]
		delete(g.exceptions, seq)
		if s.find(e.ID) != nil {
			g.remember(e.ID, seq)
		}
	}
	return g.follow(), nil
}

// Forget drops the state of a service; see explore.Follower.
func (s *Store) Forget(ctx context.Context, origin identity.Origin) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.given, origin)
	return nil
}
