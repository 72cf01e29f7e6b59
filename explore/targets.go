package explore

import (
	"context"
	"slices"
	"strconv"

	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// TargetFacts is what this library knows of an event that a draft points at: to be
// said when the draft is opened, and again before it is signed.
type TargetFacts struct {
	ID       identity.ID
	Relation capsule.Relation // zero for assessments and retractions
	Held     bool             // the rest is known only where it is
	Entry    view.Entry
	// Successors are the corrections that the library holds, retracted ones included
	// (7.2); to one of them a draft can be pointed instead.
	Successors []identity.ID
	// Withdrawn are those of Successors that are retracted, as far as is known here.
	Withdrawn []identity.ID
	Scope     view.Scope
}

// Retracted reports whether the target's author withdrew it, as far as is known here.
func (t TargetFacts) Retracted() bool { return t.Held && t.Entry.Lifecycle == view.Retracted }

// maxTargets bounds the targets of one draft that are looked up.
const maxTargets = 1000

// Targets looks up what a draft points at, in its order.
func (w *Writer) Targets(ctx context.Context, d desk.Draft) ([]TargetFacts, error) {
	links := linksOf(d)
	return read(ctx, w.s.lib, func(snap view.Snapshot) ([]TargetFacts, error) {
		ids := make([]identity.ID, len(links))
		for i, l := range links {
			ids[i] = l.Target
		}
		rows, held, err := view.Rows(snap, ids)
		if err != nil {
			return nil, err
		}
		out := make([]TargetFacts, len(links))
		for i, l := range links {
			out[i] = TargetFacts{ID: l.Target, Relation: l.Relation, Held: held[i], Scope: snap.Scope()}
			if !held[i] {
				continue
			}
			out[i].Entry = rows[i]
			if rows[i].Successors > 0 {
				if err := out[i].readSuccessors(ctx, snap); err != nil {
					return nil, err
				}
			}
		}
		return out, nil
	})
}

// readSuccessors looks up what supersedes the target.
func (t *TargetFacts) readSuccessors(ctx context.Context, snap view.Snapshot) error {
	var err error
	if t.Successors, err = successors(ctx, snap, t.ID); err != nil {
		return err
	}
	rows, held, err := view.Rows(snap, t.Successors)
	for i := range rows {
		if held[i] && rows[i].Lifecycle == view.Retracted {
			t.Withdrawn = append(t.Withdrawn, t.Successors[i])
		}
	}
	return err
}

// linksOf gives the links of a draft whose targets are IDs.
func linksOf(d desk.Draft) []capsule.Link {
	var links []capsule.Link
	add := func(r capsule.Relation, text string) {
		if id, err := identity.ParseID(text); err == nil && len(links) < maxTargets {
			links = append(links, capsule.Link{Relation: r, Target: id})
		}
	}
	if d.Type != capsule.Publish {
		add(0, d.Payload.Target)
		return links
	}
	for _, r := range d.Payload.Relations {
		relation, _ := capsule.ParseRelation(r.Relation)
		add(relation, r.Target)
	}
	return links
}

// successors lists what supersedes an event, by ID.
func successors(ctx context.Context, snap view.Snapshot, id identity.ID) ([]identity.ID, error) {
	var found []identity.ID
	err := snap.Incoming(ctx, id, func(facts []view.Incoming) bool {
		for _, f := range facts {
			if f.Relation == capsule.Supersedes && len(found) < maxTargets {
				found = append(found, f.Source)
			}
		}
		return len(found) < maxTargets
	})
	if err != nil {
		return nil, err
	}
	return identity.SortIDs(found), nil
}

// RetargetDraft changes a stored draft as Retarget does, and gives it as stored with its
// targets. Errors: *fault.Usage where no link of it leads to from, *fault.NotHeld and
// *fault.Refusal where none may lead to to, and those of SaveDraft.
func (w *Writer) RetargetDraft(ctx context.Context, id uint64, from, to identity.ID) (d desk.Draft, targets []TargetFacts, err error) {
	err = w.holding(ctx, id, func() error {
		before, err := w.Draft(ctx, id)
		if err != nil {
			return err
		}
		d = Retarget(before, from, to)
		if d.Payload.Equal(before.Payload) {
			return &fault.Usage{Detail: "no link of draft " + strconv.FormatUint(id, 10) + " leads to " + from.String(), Hint: "akx draft check shows where its links lead"}
		}
		if err := w.mayLead(ctx, before, from, to); err != nil {
			return err
		}
		if d, err = w.SaveDraft(ctx, d); err == nil {
			targets, err = w.Targets(ctx, d)
		}
		return err
	})
	if err != nil {
		return desk.Draft{}, nil, err
	}
	return d, targets, nil
}

// mayLead checks that each link of d to from may lead to to.
func (w *Writer) mayLead(ctx context.Context, d desk.Draft, from, to identity.ID) error {
	rows, held, err := w.s.Entries(ctx, []identity.ID{to})
	if err != nil {
		return err
	}
	if !held[0] {
		return &fault.NotHeld{ID: to.String(), Where: "this cache"}
	}
	for _, l := range linksOf(d) {
		if l.Target != from {
			continue
		}
		if r := CheckTarget(d, l.Relation, rows[0]); r != nil {
			return r
		}
	}
	return nil
}

// Retarget points every link of d that leads to one event to another one. A link
// that is there already is not doubled.
func Retarget(d desk.Draft, from, to identity.ID) desk.Draft {
	d = d.Clone()
	p := &d.Payload
	if p.Target == from.String() {
		p.Target = to.String()
		d.Used = false
	}
	var kept []desk.Relation
	for _, r := range p.Relations {
		if r.Target == from.String() {
			r.Target = to.String()
		}
		if !slices.Contains(kept, r) {
			kept = append(kept, r)
		}
	}
	p.Relations = kept
	return d
}
