package desk

import (
	"strings"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// advise says what the specification asks for without making it a rule.
func (c *checker) advise() {
	d, p := c.draft, &c.draft.Payload
	kind, _ := capsule.ParseKind(p.Kind)
	if d.Type == capsule.Publish && kind == capsule.Inference && len(p.Context.Limitations) == 0 {
		c.add(limitationsPath, Advises, "an inference says here how sure it is")
	}
	if d.Type == capsule.Publish {
		for i, r := range p.Relations {
			if r.Relation == capsule.Tests.String() && !saysWhether(p.Basis) {
				c.add(itemPath(relationsPath, i)+"/relation", Advises, "the basis says whether the test is proposed or was performed")
				break
			}
		}
	}
	for _, s := range specs(d.Type) {
		if s.input != Area && s.input != Line {
			continue
		}
		if text, ok := d.Text(s.path); ok && text != "" && strings.TrimSpace(text) != text {
			c.add(s.path, Advises, "begins or ends with blanks or a line end, which will be signed too")
		}
	}
}

// saysWhether looks for the two words of 6.1; text in another language than English
// is for its author to judge, so any text with letters beyond ASCII passes.
func saysWhether(basis string) bool {
	lower := strings.ToLower(basis)
	return strings.Contains(lower, "propos") || strings.Contains(lower, "perform") || strings.Contains(lower, "plan") ||
		strings.ContainsFunc(basis, func(r rune) bool { return r > 0x7f })
}

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
