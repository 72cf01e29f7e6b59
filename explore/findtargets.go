package explore

import (
	"cmp"
	"context"
	"slices"

	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/identity"
)

// Candidate is an event that a draft might point at.
type Candidate struct {
	Entry view.Entry
	Why   string // why it may not be the target; empty where it may
}

// Candidates are what a search for a target found.
type Candidates struct {
	// List has the events whose ID was typed, then those that may be the target, newest
	// first, then some that may not.
	List []Candidate
	// May counts the events that have the typed words and may be the target, those that
	// are not listed included; Others counts those that may not.
	May, Others int
	// Left counts the events of May that are not listed.
	Left int
}

// Bounds of a search for a target.
const (
	maxCandidateRows = 200 // that may be the target
	maxRefusedRows   = 50  // that may not, to say why
)

// FindTargets searches the library for a target of one link of d: by literal words, or
// by an ID or the first 6 characters of one. r is zero for assessments and retractions.
// The author of d decides what its own events are; while it is open they are anybody's.
func (w *Writer) FindTargets(ctx context.Context, d desk.Draft, r capsule.Relation, typed string) (Candidates, error) {
	byID, err := w.targetsByID(ctx, d, r, typed)
	if err != nil {
		return Candidates{}, err
	}
	out := Candidates{List: byID}
	var words view.Query
	if terms, err := capsule.ParseTerms(typed, true); err == nil {
		words.Terms = terms
	}
	listed := func(e view.Entry) bool {
		return slices.ContainsFunc(byID, func(c Candidate) bool { return c.Entry.ID == e.ID })
	}
	may, left, refused := []view.Entry(nil), 0, []Candidate(nil)
	counted := make(map[identity.ID]bool)
	for _, q := range targetQueries(d, r, words) {
		found, err := w.s.Await(ctx, q, 0, maxCandidateRows)
		if err != nil {
			return Candidates{}, err
		}
		out.May += found.Total
		left += found.Total - len(found.Rows)
		for _, e := range found.Rows {
			counted[e.ID] = true
			why := CheckTarget(d, r, e)
			switch {
			case why != nil:
				out.May--
				refused = append(refused, Candidate{e, why.Detail})
			case !listed(e):
				may = append(may, e)
			}
		}
	}
	slices.SortFunc(may, func(a, b view.Entry) int { return cmp.Compare(b.Number, a.Number) })
	shown := may[:min(len(may), maxCandidateRows)]
	for _, e := range shown {
		out.List = append(out.List, Candidate{Entry: e})
	}
	out.Left = left + len(may) - len(shown)
	all, err := w.s.Await(ctx, words, 0, maxCandidateRows)
	if err != nil {
		return Candidates{}, err
	}
	out.Others = all.Total - out.May
	out.countTyped(byID, counted, all.Rows)
	for _, e := range all.Rows {
		known := slices.ContainsFunc(refused, func(c Candidate) bool { return c.Entry.ID == e.ID })
		if why := CheckTarget(d, r, e); why != nil && !known {
			refused = append(refused, Candidate{e, why.Detail})
		}
	}
	refused = slices.DeleteFunc(refused, func(c Candidate) bool { return listed(c.Entry) })
	out.List = append(out.List, refused[:min(len(refused), maxRefusedRows)]...)
	return out, nil
}

// countTyped counts what was found by its ID, where it does not have the typed words and
// was not counted by them.
func (c *Candidates) countTyped(byID []Candidate, counted map[identity.ID]bool, withWords []view.Entry) {
	for _, typed := range byID {
		switch {
		case typed.Why == "" && !counted[typed.Entry.ID]:
			c.May++
		case typed.Why != "" && !slices.ContainsFunc(withWords, func(e view.Entry) bool { return e.ID == typed.Entry.ID }):
			c.Others++
		}
	}
}

// targetQueries narrow a search to what the link may point at: none where it may point
// at nothing.
func targetQueries(d desk.Draft, r capsule.Relation, words view.Query) []view.Query {
	rule, ok := capsule.TargetsOf(d.Type, r)
	if kind, _ := capsule.ParseKind(d.Payload.Kind); !ok || r == capsule.Contains && kind != capsule.Collection {
		return nil
	}
	var out []view.Query
	for _, t := range rule.Types {
		q := words
		q.Filter.Type = t
		if t == capsule.Publish {
			q.Filter.Kind = rule.Kind
		}
		if rule.Own {
			q.Filter.Actor = d.Actor
		}
		out = append(out, q)
	}
	return out
}

// targetsByID finds the events whose ID was typed, or its beginning.
func (w *Writer) targetsByID(ctx context.Context, d desk.Draft, r capsule.Relation, typed string) ([]Candidate, error) {
	text, err := typedID(typed)
	if err != nil {
		return nil, nil // these are words
	}
	known, err := w.s.lib.Lookup(ctx, text, maxCandidates)
	if err != nil {
		return nil, err
	}
	ids := make([]identity.ID, len(known))
	for i, k := range known {
		ids[i] = k.ID
	}
	rows, held, err := w.s.Entries(ctx, ids)
	if err != nil {
		return nil, err
	}
	var out []Candidate
	for i, id := range ids {
		c := Candidate{Entry: rows[i]}
		c.Entry.ID = id
		if !held[i] {
			c.Why = "it waits for what it points at, and is not held yet"
		} else if why := CheckTarget(d, r, rows[i]); why != nil {
			c.Why = why.Detail
		}
		out = append(out, c)
	}
	return out, nil
}
