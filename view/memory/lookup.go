package memory

import (
	"context"
	"slices"
	"strings"

	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
)

// Lookup lists held and pending events whose ID starts with prefix, in ascending
// ASCII order.
func (s *Store) Lookup(ctx context.Context, prefix string, limit int) ([]view.Known, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	var found []view.Known
	add := func(e capsule.Event, pending bool) {
		k := view.Known{ID: e.ID(), Pending: pending, Title: e.Title(), Type: e.Type()}
		if p, ok := e.(*capsule.Publication); ok {
			k.Kind = p.Payload().Kind
		}
		found = append(found, k)
	}
	if id, err := identity.ParseID(prefix); err == nil {
		if r := s.find(id); r != nil {
			add(r.event, false)
		} else if w := s.wait.events[id]; w != nil {
			add(w.event, true)
		}
		return found[:min(len(found), max(limit, 0))], nil
	}
	for i := range s.records {
		if strings.HasPrefix(s.records[i].event.ID().String(), prefix) {
			add(s.records[i].event, false)
		}
	}
	for id, w := range s.wait.events {
		if strings.HasPrefix(id.String(), prefix) {
			add(w.event, true)
		}
	}
	slices.SortFunc(found, func(a, b view.Known) int { return a.ID.Compare(b.ID) })
	return found[:min(len(found), max(limit, 0))], nil
}
