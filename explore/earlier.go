package explore

import (
	"context"

	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
	"akx/view/wire"
)

// Earlier is an event that a followed service gave, and that its whole answer of now does
// not show: the event that was asked for, or one that points at it. It is no accusation:
// the service may withhold it, or have it no more (Agent Knowledge 9.6).
type Earlier struct {
	Event    identity.ID
	Type     capsule.Type     // of what points at the event; zero for that event itself
	Relation capsule.Relation // supersedes for a correction, else zero
	Record   wire.Claim       // seq and accepted_at, as the service gave it
}

// earlier compares the answer with what the service gave up to the checkpoint that it was
// followed to. An answer that did not come to its end shows the absence of nothing.
func (l *liveCheck) earlier(ctx context.Context) error {
	if l.out.Err != nil || !l.before.Complete {
		return nil
	}
	at, err := read(ctx, l.s.lib, func(snap view.Snapshot) (map[identity.Origin]view.At, error) { return followedAt(ctx, snap, l.id) })
	if err != nil {
		return err
	}
	was, ok := at[l.out.Service.Origin]
	if !ok {
		return nil
	}
	var gave []Earlier
	if l.out.Missing && was.Held {
		gave = append(gave, Earlier{Event: l.id})
	}
	came := make(map[identity.ID]bool)
	for _, e := range l.came {
		came[e.ID()] = true
	}
	for _, by := range compared {
		for _, id := range by.ids(was.Facts) {
			if !came[id] && len(gave) < view.MaxDifferences {
				gave = append(gave, Earlier{Event: id, Type: by.kind, Relation: by.relation})
			}
		}
	}
	from := wire.Source{Kind: wire.FromService, Name: string(l.out.Service.Origin)}
	for i := range gave {
		claims, err := l.s.lib.Claims(ctx, gave[i].Event)
		if err != nil {
			return err
		}
		for _, c := range claims {
			if c.Source == from {
				gave[i].Record = c
			}
		}
	}
	l.out.Earlier, l.out.Before = gave, was.Facts.Scope
	return nil
}
