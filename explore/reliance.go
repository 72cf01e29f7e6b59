package explore

import (
	"context"

	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/identity"
)

// Reliance is what of the user's own work points at events that their authors
// withdrew, as far as the library knows: a warning on the work, not a judgement of it.
type Reliance struct {
	Drafts  map[uint64][]TargetFacts      // by draft
	Entries map[identity.ID][]TargetFacts // by event of the outbox
	Scope   view.Scope
}

// Reliance looks up what drafts and entries of the outbox point at, all in one read. A
// correction does not rely on what it supersedes, and a signed retraction not on its
// target. TargetFacts.Successors are left out; Entry counts them.
func (w *Writer) Reliance(ctx context.Context, drafts []desk.Draft, entries []desk.Entry) (Reliance, error) {
	var ids []identity.ID
	note := func(links []capsule.Link) {
		for _, l := range links {
			if l.Relation != capsule.Supersedes {
				ids = append(ids, l.Target)
			}
		}
	}
	for _, d := range drafts {
		note(linksOf(d))
	}
	for _, e := range entries {
		note(reliesOn(e))
	}
	return read(ctx, w.s.lib, func(snap view.Snapshot) (Reliance, error) {
		r := Reliance{make(map[uint64][]TargetFacts), make(map[identity.ID][]TargetFacts), snap.Scope()}
		withdrawn, err := retracted(snap, identity.SortIDs(ids))
		if err != nil || len(withdrawn) == 0 {
			return r, err
		}
		for _, d := range drafts {
			if facts := withdrawn.among(linksOf(d), r.Scope); facts != nil {
				r.Drafts[d.ID] = facts
			}
		}
		for _, e := range entries {
			if facts := withdrawn.among(reliesOn(e), r.Scope); facts != nil {
				r.Entries[e.ID] = facts
			}
		}
		return r, nil
	})
}

func reliesOn(e desk.Entry) []capsule.Link {
	if e.Type == capsule.Retract {
		return nil
	}
	return e.Links
}

// withdrawn are events that were retracted, with their rows.
type withdrawn map[identity.ID]view.Entry

// retracted gives those of ids that are retracted in a set.
func retracted(snap view.Snapshot, ids []identity.ID) (withdrawn, error) {
	rows, held, err := view.Rows(snap, ids)
	if err != nil {
		return nil, err
	}
	out := make(withdrawn)
	for i, id := range ids {
		if held[i] && rows[i].Lifecycle == view.Retracted {
			out[id] = rows[i]
		}
	}
	return out, nil
}

// among gives the facts of those that links lead to; nil for none.
func (w withdrawn) among(links []capsule.Link, scope view.Scope) []TargetFacts {
	var out []TargetFacts
	for _, l := range links {
		if row, ok := w[l.Target]; ok && l.Relation != capsule.Supersedes {
			out = append(out, TargetFacts{ID: l.Target, Relation: l.Relation, Held: true, Entry: row, Scope: scope})
		}
	}
	return out
}
