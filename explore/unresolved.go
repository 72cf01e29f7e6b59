package explore

import (
	"context"
	"slices"
	"strconv"

	"akx/view"
	"akx/view/fault"
	"akx/view/identity"
)

// Unresolved are the records of one service that wait for others.
type Unresolved struct {
	Records int
	For     []identity.ID // what is not here and does not wait itself, sorted
}

// Unresolved gives what exceptions of a service wait for, from the cache.
func (s *Session) Unresolved(ctx context.Context, origin identity.Origin) (Unresolved, error) {
	exceptions, err := s.exceptions(ctx, origin)
	if err != nil {
		return Unresolved{}, err
	}
	ours := make(map[identity.ID]bool)
	for _, e := range exceptions {
		if e.Code == fault.MissingDependency && !e.ID.IsZero() {
			ours[e.ID] = true
		}
	}
	if len(ours) == 0 {
		return Unresolved{}, nil
	}
	return s.unresolved(ctx, ours)
}

// unresolved finds out what records wait for in the end: what they miss, and what those
// miss in turn that wait themselves.
func (s *Session) unresolved(ctx context.Context, records map[identity.ID]bool) (Unresolved, error) {
	waiting := make(map[identity.ID][]identity.ID)
	var after identity.ID
	for more := true; more; {
		page, err := s.lib.Pending(ctx, after, MaxListed)
		if err != nil {
			return Unresolved{}, err
		}
		for _, p := range page {
			waiting[p.ID], after = p.Missing, p.ID
		}
		more = len(page) == MaxListed
	}
	var u Unresolved
	var left []identity.ID
	seen := make(map[identity.ID]bool)
	for id := range records {
		if _, waits := waiting[id]; waits {
			u.Records++
			left = append(left, id)
		}
	}
	for len(left) > 0 {
		id := left[len(left)-1]
		left = left[:len(left)-1]
		missing, waits := waiting[id]
		switch {
		case seen[id]:
		case waits:
			left = append(left, missing...)
		default:
			u.For = append(u.For, id)
		}
		seen[id] = true
	}
	u.For = identity.SortIDs(u.For)
	return u, nil
}

// Waiting counts the proven events that wait for others, and are in no list: of
// everything; the set of a service has none.
func (t Set) Waiting(ctx context.Context) (int, error) {
	if t.service != "" {
		return 0, nil
	}
	stats, err := t.s.lib.Stats(ctx)
	return stats.Pending, err
}

// Words say how many records wait and for what: by its ID where that is one event.
func (w Unresolved) Words() string {
	text := counted(w.Records, "of its records waits for ", "of its records wait for ")
	if len(w.For) == 1 {
		return text + "1 event that is not here: " + w.For[0].String()
	}
	return text + strconv.Itoa(len(w.For)) + " events that are not here"
}

// explain says of a service's records that are not events here what they wait for, in
// the place of the reason that only counts them.
func (s *Session) explain(ctx context.Context, origin identity.Origin, exceptions int, reasons []string) ([]string, error) {
	at := slices.Index(reasons, view.ExceptionWords(exceptions))
	if at < 0 {
		return reasons, nil
	}
	w, err := s.Unresolved(ctx, origin)
	if err != nil || w.Records == 0 {
		return reasons, err
	}
	reasons = slices.Clone(reasons)
	if w.Records >= exceptions {
		reasons[at] = w.Words()
		return reasons, nil
	}
	return slices.Insert(reasons, at+1, w.Words()), nil
}
