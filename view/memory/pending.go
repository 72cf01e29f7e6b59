package memory

import (
	"context"
	"errors"
	"maps"
	"slices"

	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// waiting is the pending area (8.2): proven events that have no effect until all
// that they point at is held.
type waiting struct {
	events map[identity.ID]*waiter
	on     map[identity.ID][]identity.ID // missing ID to those that wait for it
	bytes  int64
}

type waiter struct {
	event   capsule.Event
	missing map[identity.ID]bool
	claims  []wire.Claim
	since   int64
}

func newWaiting() waiting {
	return waiting{events: make(map[identity.ID]*waiter), on: make(map[identity.ID][]identity.ID)}
}

func (w *waiter) missingIDs() []identity.ID {
	return identity.SortIDs(slices.Collect(maps.Keys(w.missing)))
}

func (w *waiter) size() int { return len(w.event.Envelope().Text()) }

// keepWaiting files an event under what it misses; pending_full where it finds no room.
func (s *Store) keepWaiting(e capsule.Event, missing *fault.Refusal, claim wire.Claim, now int64) (wire.Outcome, error) {
	out := wire.Outcome{Status: wire.Pending, ID: e.ID()}
	w := &waiter{event: e, missing: make(map[identity.ID]bool), claims: addClaim(nil, claim), since: now}
	for _, id := range capsule.Dependencies(e) {
		if _, held := s.numbers[id]; !held {
			w.missing[id] = true
		}
	}
	out.Missing = w.missingIDs()
	if len(s.wait.events) >= s.limits.Pending || s.wait.bytes+int64(w.size()) > s.limits.PendingBytes {
		out.Status = wire.Refused
		out.Refusal = &fault.Refusal{
			Step:    fault.StepLimit,
			Code:    fault.PendingFull,
			Detail:  "no more events can wait for others",
			Missing: missing.Missing,
		}
		return out, nil
	}
	s.wait.events[e.ID()] = w
	s.wait.bytes += int64(w.size())
	for id := range w.missing {
		s.wait.on[id] = append(s.wait.on[id], e.ID())
	}
	return out, nil
}

// release adds what waited for id and for nothing else, and what waited for that
// in turn. dropped are those that broke a rule now that their targets are known.
func (s *Store) release(id identity.ID, now int64) (released []identity.ID, dropped []wire.Outcome, err error) {
	queue := []identity.ID{id}
	for len(queue) > 0 {
		arrived := queue[0]
		queue = queue[1:]
		ready := s.wait.on[arrived]
		delete(s.wait.on, arrived)
		for _, waiterID := range ready {
			w := s.wait.events[waiterID]
			delete(w.missing, arrived)
			if len(w.missing) > 0 {
				continue
			}
			s.forget(waiterID)
			_, _, err := capsule.Accept(tx{s, now}, capsule.OfferOf(w.event), s.terms(now))
			var refusal *fault.Refusal
			switch {
			case errors.As(err, &refusal):
				dropped = append(dropped, wire.Outcome{Status: wire.Refused, ID: waiterID, Refusal: refusal})
			case err != nil:
				return nil, nil, err
			default:
				s.find(waiterID).claims = w.claims
				released = append(released, waiterID)
				queue = append(queue, waiterID)
			}
		}
	}
	return released, dropped, nil
}

// forget takes an event out of the pending area and out of every list in it.
func (s *Store) forget(id identity.ID) {
	w := s.wait.events[id]
	delete(s.wait.events, id)
	s.wait.bytes -= int64(w.size())
	for missing := range w.missing {
		rest := slices.DeleteFunc(s.wait.on[missing], func(x identity.ID) bool { return x == id })
		if len(rest) == 0 {
			delete(s.wait.on, missing)
			continue
		}
		s.wait.on[missing] = rest
	}
}

// Pending lists waiting events after an ID, in ascending ASCII order.
func (s *Store) Pending(ctx context.Context, after identity.ID, limit int) ([]view.PendingEvent, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	ids := identity.SortIDs(slices.Collect(maps.Keys(s.wait.events)))
	var out []view.PendingEvent
	for _, id := range ids {
		if len(out) >= limit {
			break
		}
		if !after.IsZero() && id.Compare(after) <= 0 {
			continue
		}
		w := s.wait.events[id]
		out = append(out, view.PendingEvent{
			ID: id, Missing: w.missingIDs(), Type: w.event.Type(), Title: w.event.Title(), Since: w.since, Bytes: w.size(),
		})
	}
	return out, nil
}

// DropPending forgets waiting events; no ids means all.
func (s *Store) DropPending(ctx context.Context, ids []identity.ID) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(ids) == 0 {
		n := len(s.wait.events)
		s.wait = newWaiting()
		return n, nil
	}
	n := 0
	for _, id := range ids {
		if s.wait.events[id] != nil {
			s.forget(id)
			n++
		}
	}
	return n, nil
}

// LargestNonce gives the largest nonce of an actor's events, held or waiting; see
// explore.Library.
func (s *Store) LargestNonce(ctx context.Context, a identity.Actor) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	var largest int64
	take := func(e capsule.Event) {
		if e.Actor() == a {
			largest = max(largest, e.Nonce())
		}
	}
	for i := range s.records {
		take(s.records[i].event)
	}
	for _, w := range s.wait.events {
		take(w.event)
	}
	return largest, nil
}
