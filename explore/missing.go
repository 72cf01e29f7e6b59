package explore

import (
	"context"

	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// Plan is what to send to a service before an event that it refused with
// missing_dependency.
type Plan struct {
	ID      identity.ID
	Service string // its origin
	// Send lists envelopes that are held here, in the order of their dependencies. Those
	// that the service is known to hold are left out.
	Send []PlanItem
	// Barred lists what is held here and cannot be sent, because it was signed with a
	// public test key, of the sample. With one, the service cannot take the event, and
	// SubmitPlan sends nothing.
	Barred []BarredItem
	// NotHeld lists what is missing there and here.
	NotHeld []identity.ID
	// More says that there is more than a plan may hold.
	More bool
}

// PlanItem is one envelope of a Plan.
type PlanItem struct {
	ID    identity.ID
	Type  capsule.Type
	Actor identity.Actor
	Title string // as signed
	Bytes int
}

// BarredItem is an envelope that cannot be sent, with the name of its public test key.
type BarredItem struct {
	PlanItem
	Key string
}

// maxPlan bounds the envelopes of a plan.
const maxPlan = 1000

// PlanMissing lists what to send first, for the user to see. Nothing is sent or asked.
func (w *Writer) PlanMissing(ctx context.Context, id identity.ID, service string) (Plan, error) {
	origins, err := w.origins(ctx, []string{service})
	if err != nil {
		return Plan{}, err
	}
	e, err := w.desk.Entry(ctx, id)
	if err != nil {
		return Plan{}, err
	}
	i := deliveryTo(e, origins[0])
	if i < 0 {
		return Plan{}, &fault.Usage{Detail: id.String() + " was not sent to " + service}
	}
	p := planner{w: w, plan: Plan{ID: id, Service: origins[0]}, seen: make(map[identity.ID]bool)}
	for _, text := range e.Deliveries[i].Missing {
		missing, err := identity.ParseID(text)
		if err != nil {
			continue
		}
		if err := p.add(ctx, missing); err != nil {
			return Plan{}, err
		}
	}
	p.plan.NotHeld = identity.SortIDs(p.plan.NotHeld)
	return p.plan, nil
}

type planner struct {
	w    *Writer
	plan Plan
	seen map[identity.ID]bool
}

// add puts an event behind its own dependencies. Signed links have no cycles, and the
// bound on the number bounds the depth.
func (p *planner) add(ctx context.Context, id identity.ID) error {
	if p.seen[id] {
		return nil
	}
	if len(p.seen) >= maxPlan {
		p.plan.More = true
		return nil
	}
	p.seen[id] = true
	event, err := p.w.s.Event(ctx, id)
	if err != nil {
		if codeOf(err) == fault.NotHeldCode {
			p.plan.NotHeld = append(p.plan.NotHeld, id)
			return nil
		}
		return err
	}
	for _, dependency := range capsule.Dependencies(event) {
		there, err := p.there(ctx, dependency)
		if err != nil {
			return err
		}
		if !there {
			if err := p.add(ctx, dependency); err != nil {
				return err
			}
		}
	}
	item := PlanItem{ID: id, Type: event.Type(), Actor: event.Actor(), Title: event.Title(), Bytes: len(event.Envelope().Text())}
	if key, public := identity.TestSeedName(event.Actor()); public {
		p.plan.Barred = append(p.plan.Barred, BarredItem{item, key})
		return nil
	}
	p.plan.Send = append(p.plan.Send, item)
	return nil
}

// there reports whether the service gave or accepted an event before.
func (p *planner) there(ctx context.Context, id identity.ID) (bool, error) {
	claims, err := p.w.s.lib.Claims(ctx, id)
	if err != nil {
		return false, err
	}
	for _, c := range claims {
		if c.Source == (wire.Source{Kind: wire.FromService, Name: p.plan.Service}) {
			return true, nil
		}
	}
	return false, nil
}

// SubmitPlan sends what a plan lists, then the event itself. It ends at the first that
// the service did not accept, whose entry is the last one given. With something barred
// nothing is sent: *fault.Usage.
func (w *Writer) SubmitPlan(ctx context.Context, p Plan, o SendOptions) ([]desk.Entry, error) {
	if len(p.Barred) > 0 {
		return nil, publicKey(p.Barred[0].Key)
	}
	ids := make([]identity.ID, 0, len(p.Send)+1)
	for _, item := range p.Send {
		ids = append(ids, item.ID)
	}
	var sent []desk.Entry
	for _, id := range append(ids, p.ID) {
		e, err := w.Submit(ctx, id, []string{p.Service}, o)
		if err != nil {
			return sent, err
		}
		sent = append(sent, e)
		if i := deliveryTo(e, p.Service); i < 0 || e.Deliveries[i].State != desk.Accepted {
			break
		}
	}
	return sent, nil
}
