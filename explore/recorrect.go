package explore

import (
	"context"
	"slices"

	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/identity"
)

// Supersedes lists what a draft is to supersede, in its order.
func Supersedes(d desk.Draft) []identity.ID {
	if d.Type != capsule.Publish {
		return nil
	}
	var out []identity.ID
	for _, r := range d.Payload.Relations {
		id, err := identity.ParseID(r.Target)
		if r.Relation == capsule.Supersedes.String() && err == nil && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// Recorrect gives a correction the text of to, where it superseded from: it begins anew
// as a correction of to and of all else that d supersedes. What stands in d is gone in
// it. Nothing is stored. Errors: *fault.NotHeld and *fault.Refusal for a target.
func (w *Writer) Recorrect(ctx context.Context, d desk.Draft, from, to identity.ID) (desk.Draft, error) {
	targets := Supersedes(Retarget(d, from, to))
	next, err := w.beginCorrection(ctx, targets, identity.Actor{})
	if err != nil {
		return desk.Draft{}, err
	}
	return d.Rewrite(next, w.s.now()), nil
}

// unchanged says that a correction has the very text of what it supersedes.
func (w *Writer) unchanged(ctx context.Context, d desk.Draft) []desk.Problem {
	for _, id := range Supersedes(d) {
		e, err := w.s.Event(ctx, id)
		if err != nil { // what is not held is told for its own sake
			continue
		}
		if superseding(desk.FromEvent(e)).Equal(superseding(d)) {
			return []desk.Problem{{Path: "/statement", Severity: desk.Advises, Words: "same text as what it supersedes"}}
		}
	}
	return nil
}

// superseding is the payload of a draft without what it supersedes.
func superseding(d desk.Draft) desk.Payload {
	p := d.Clone().Payload
	p.Relations = slices.DeleteFunc(p.Relations, func(r desk.Relation) bool { return r.Relation == capsule.Supersedes.String() })
	return p
}
