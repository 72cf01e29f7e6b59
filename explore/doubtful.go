package explore

import (
	"context"
	"slices"

	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/identity"
)

// selfAssessed says that an assessment is one of the signer's own capsule.
func selfAssessed(d desk.Draft, targets []TargetFacts, own []identity.Actor) []desk.Problem {
	if d.Type != capsule.Assess || !slices.ContainsFunc(targets, func(t TargetFacts) bool { return t.Self(d.Actor, own) }) {
		return nil
	}
	return []desk.Problem{{Path: "/target", Severity: desk.Advises, Words: "is a capsule of your own: assessing it is allowed, and readers are told so"}}
}

// Self reports whether the target is held and of whoever signs: actor, or where that is
// zero any of own.
func (t TargetFacts) Self(actor identity.Actor, own []identity.Actor) bool {
	return t.Held && (t.Entry.Actor == actor || actor.IsZero() && slices.Contains(own, t.Entry.Actor))
}

// newestTime is the newest time that a service told here, in ms; 0 for none.
func (w *Writer) newestTime(ctx context.Context) (int64, error) {
	if w.s.net.Store == nil {
		return 0, nil
	}
	services, err := w.s.services(ctx)
	var newest int64
	for _, service := range services {
		follow, err := w.s.net.Store.Follow(ctx, service.Origin)
		if err != nil {
			return 0, err
		}
		newest = max(newest, follow.AsOf)
	}
	return newest, err
}
