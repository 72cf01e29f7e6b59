package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"

	"akx/view"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// Services lists the user's services by name; see explore.ServiceBook.
func (s *Store) Services(ctx context.Context) ([]desk.Service, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.SortedFunc(maps.Values(s.services), func(a, b desk.Service) int { return cmp.Compare(a.Name, b.Name) }), nil
}

// PutService adds or replaces a service; see explore.ServiceBook.
func (s *Store) PutService(ctx context.Context, service desk.Service) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := desk.CheckServiceName(service.Name); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for origin, other := range s.services {
		if other.Name == service.Name && origin != service.Origin {
			return &fault.Usage{Detail: "another service has the name " + service.Name, Hint: "give this one another name"}
		}
	}
	if _, known := s.services[service.Origin]; !known && len(s.services) >= desk.MaxServices {
		return &fault.Usage{Detail: "there are " + strconv.Itoa(desk.MaxServices) + " services already", Hint: "remove one that is not used"}
	}
	s.services[service.Origin] = service
	return nil
}

// RemoveService forgets a service of the user; see explore.ServiceBook.
func (s *Store) RemoveService(ctx context.Context, origin identity.Origin) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.services, origin)
	return nil
}

// Records says what services gave this store.
func (n snapshot) Records() view.Records { return records(n) }

// records are a snapshot's; the store's lock is held for reading.
type records struct{ s *Store }

// Followed lists the services with a completed enumeration, by origin.
func (r records) Followed() ([]view.Followed, error) {
	var out []view.Followed
	for _, origin := range slices.Sorted(maps.Keys(r.s.given)) {
		if g := r.s.given[origin]; g.state.Complete {
			out = append(out, g.follow().Followed(origin))
		}
	}
	return out, nil
}

// Given reports which events a followed service gave up to its checkpoint.
func (r records) Given(origin identity.Origin, numbers []uint64) ([]bool, error) {
	out := make([]bool, len(numbers))
	g := r.s.given[origin]
	if g == nil || !g.state.Complete {
		return out, nil
	}
	for i, number := range numbers {
		if rec := r.s.record(number); rec != nil {
			at, known := g.seqs[rec.event.ID()]
			out[i] = known && at.first <= g.state.Checkpoint
		}
	}
	return out, nil
}
