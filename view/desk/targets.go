package desk

import (
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// Resolve looks up an event that a draft points at; ok is false where it is not
// held. It may be asked about an ID more than once.
type Resolve func(identity.ID) (t capsule.Target, ok bool)

// CheckTargets applies the target rules (6.1, 6.2, 7.1) to what d points at, as if
// actor signed it with a nonce larger than any other. Targets that are not held are
// an advice: a service that does not hold them either answers missing_dependency.
func (d *Draft) CheckTargets(actor identity.Actor, resolve Resolve) []Problem {
	var out []Problem
	check := func(path, text string, r capsule.Relation) {
		id, err := identity.ParseID(text)
		if err != nil || len(out) >= maxProblems {
			return
		}
		t, held := resolve(id)
		if !held {
			out = append(out, Problem{path, Advises, "is not held here, so what it is was not checked"})
		} else if refused := d.CheckLink(actor, r, t); refused != nil {
			out = append(out, Problem{path, Blocks, refused.Detail})
		}
	}
	if d.Type != capsule.Publish {
		check("/target", d.Payload.Target, 0)
		return out
	}
	for i, r := range d.Payload.Relations {
		if relation, ok := capsule.ParseRelation(r.Relation); ok {
			check(itemPath(relationsPath, i)+"/target", r.Target, relation)
		}
	}
	return out
}

// CheckLink says why a link of d may not point at t, nil where it may: what a
// picker of targets shows. r is zero for assessments and retractions. The nonce
// rule always holds here, because NextNonce takes targets into account.
func (d *Draft) CheckLink(actor identity.Actor, r capsule.Relation, t capsule.Target) *fault.Refusal {
	kind, _ := capsule.ParseKind(d.Payload.Kind)
	source := capsule.Target{Type: d.Type, Kind: kind, Actor: actor, Nonce: identity.MaxSafeInteger}
	if r == capsule.Contains && kind != capsule.Collection {
		return fault.Refuse(fault.StepTarget, "", "contains is only for collection")
	}
	return capsule.CheckLink(source, r, t)
}
