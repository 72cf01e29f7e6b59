package explore

import (
	"context"

	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// Start says what a new draft begins as: exactly one of Kind, Relation, Assess,
// Retract, Correct and Draft is set.
type Start struct {
	Kind     capsule.Kind
	Relation capsule.Relation // to Target: an extension, an answer, a restatement
	Target   identity.ID
	Assess   identity.ID
	Retract  identity.ID
	Correct  []identity.ID
	Draft    *desk.Draft // as read from a file; its ID and times are replaced
	// Actor is who is to sign; zero leaves it open, or takes that of the target for
	// corrections and retractions.
	Actor identity.Actor
	// Own are the Agent IDs of the user's keys. A correction or a retraction of what
	// none of them signed is refused; nil: they are not known, and nothing is.
	Own []identity.Actor
}

// begin makes the draft of a Start.
func (w *Writer) begin(ctx context.Context, start Start) (desk.Draft, error) {
	var d desk.Draft
	var err error
	switch {
	case start.Draft != nil:
		d = start.Draft.Clone()
	case !start.Assess.IsZero():
		d, err = w.beginAssessment(ctx, start.Assess)
	case !start.Retract.IsZero():
		d, err = w.beginRetraction(ctx, start.Retract, start.Actor)
	case len(start.Correct) > 0:
		d, err = w.beginCorrection(ctx, start.Correct, start.Actor)
	case start.Relation != 0:
		var target capsule.Event
		if target, err = w.s.Event(ctx, start.Target); err == nil {
			d, err = desk.Link(start.Relation, target, w.o.Defaults)
		}
	case start.Kind != 0:
		d = desk.New(start.Kind, w.o.Defaults)
	default:
		err = &fault.Usage{Detail: "a draft begins with a kind, or with an event that it is about"}
	}
	if err == nil && !start.Actor.IsZero() {
		d.Actor = start.Actor
	}
	if err == nil && (len(start.Correct) > 0 || !start.Retract.IsZero()) {
		err = OwnTarget(d.Type, d.Actor, start.Own)
	}
	return d, err
}

func (w *Writer) beginAssessment(ctx context.Context, id identity.ID) (desk.Draft, error) {
	target, err := w.publication(ctx, id)
	if err != nil {
		return desk.Draft{}, err
	}
	return desk.AssessOf(target, w.o.Defaults)
}

func (w *Writer) beginRetraction(ctx context.Context, id identity.ID, actor identity.Actor) (desk.Draft, error) {
	target, err := w.s.Event(ctx, id)
	if err != nil {
		return desk.Draft{}, err
	}
	if actor.IsZero() {
		actor = target.Actor()
	}
	return desk.RetractOf(target, actor)
}

func (w *Writer) beginCorrection(ctx context.Context, ids []identity.ID, actor identity.Actor) (desk.Draft, error) {
	var own []*capsule.Publication
	for _, id := range ids {
		p, err := w.publication(ctx, id)
		if err != nil {
			return desk.Draft{}, err
		}
		if !actor.IsZero() && p.Actor() != actor {
			return desk.Draft{}, fault.Refuse(fault.StepTarget, "/relations", "supersedes must point at an event of the same actor")
		}
		own = append(own, p)
	}
	return desk.Correct(own...)
}

// publication gives a capsule: *fault.NotHeld, *fault.Refusal for another event.
func (w *Writer) publication(ctx context.Context, id identity.ID) (*capsule.Publication, error) {
	e, err := w.s.Event(ctx, id)
	if err != nil {
		return nil, err
	}
	p, ok := e.(*capsule.Publication)
	if !ok {
		return nil, fault.Refuse(fault.StepTarget, "/target", "must point at a publication")
	}
	return p, nil
}
