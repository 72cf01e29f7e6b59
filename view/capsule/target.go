package capsule

import (
	"slices"
	"strconv"

	"akx/view/fault"
	"akx/view/identity"
)

// Links lists the outgoing links of e: relations of a publication, in the order
// of its text; for an assessment or a retraction one Link with a zero Relation.
func Links(e Event) []Link {
	if !Proven(e) {
		return nil
	}
	switch e := e.(type) {
	case *Publication:
		return slices.Clone(e.payload.Relations)
	case *Assessment:
		return []Link{{Target: e.payload.Target}}
	case *Retraction:
		return []Link{{Target: e.payload.Target}}
	}
	return nil
}

// Dependencies lists the distinct direct dependencies of e, in the ASCII order of
// their text (8.2).
func Dependencies(e Event) []identity.ID {
	links := Links(e)
	ids := make([]identity.ID, len(links))
	for i, l := range links {
		ids[i] = l.Target
	}
	return identity.SortIDs(ids)
}

// Target is what the target rules need to know of a retained event.
type Target struct {
	Type  Type
	Kind  Kind // zero unless a publication
	Actor identity.Actor
	Nonce int64
}

// TargetOf gives the facts of an event; zero for a zero event.
func TargetOf(e Event) Target {
	if !Proven(e) {
		return Target{}
	}
	t := Target{Type: e.Type(), Actor: e.Actor(), Nonce: e.Nonce()}
	if p, ok := e.(*Publication); ok {
		t.Kind = p.payload.Kind
	}
	return t
}

// targetRule says what a link may point at.
type targetRule struct {
	publication bool
	assessment  bool
	kind        Kind // of the publication; zero: any
	own         bool // same actor, and a strictly smaller nonce
}

// The target rules of 6.1, 6.2 and 7.1; a retraction is never a target.
var (
	relationRules = [...]targetRule{
		DerivedFrom: {publication: true, assessment: true},
		Addresses:   {publication: true, kind: Question},
		Tests:       {publication: true, kind: Hypothesis},
		Extends:     {publication: true},
		Supports:    {publication: true, assessment: true},
		Contradicts: {publication: true, assessment: true},
		Supersedes:  {publication: true, own: true},
		Contains:    {publication: true},
	}
	assessRule  = targetRule{publication: true}
	retractRule = targetRule{publication: true, assessment: true, own: true}
)

// ruleOf gives the rule for a link of an event, and the link in words.
func ruleOf(source Type, r Relation) (rule targetRule, words string, ok bool) {
	switch {
	case source == Publish && r != 0 && int(r) < len(relationRules):
		return relationRules[r], r.String(), true
	case source == Assess && r == 0:
		return assessRule, "an assessment", true
	case source == Retract && r == 0:
		return retractRule, "a retraction", true
	}
	return targetRule{}, "", false
}

// Targets says what a link may point at, for whoever looks for a target.
type Targets struct {
	Types []Type
	Kind  Kind // of a publication; zero: any
	Own   bool // only events of the same actor
}

// TargetsOf gives what a link of an event of type source may point at (6.1, 6.2, 7.1);
// r is zero for assessments and retractions. ok is false where there is no such link.
func TargetsOf(source Type, r Relation) (t Targets, ok bool) {
	rule, _, ok := ruleOf(source, r)
	if !ok {
		return Targets{}, false
	}
	t = Targets{Kind: rule.kind, Own: rule.own}
	if rule.publication {
		t.Types = append(t.Types, Publish)
	}
	if rule.assessment {
		t.Types = append(t.Types, Assess)
	}
	return t, true
}

// CheckTarget applies the target rule of one link of source (6.1, 6.2, 7.1). The
// refusal's path is the link's place in the envelope.
func CheckTarget(source Event, link Link, t Target) *fault.Refusal {
	if !Proven(source) {
		return unproven()
	}
	r := CheckLink(TargetOf(source), link.Relation, t)
	if r != nil {
		r.Path = linkPath(source, link)
	}
	return r
}

// CheckLink is CheckTarget for a source that need not be signed yet: its type,
// actor and nonce are those that it will have. The refusal has no path.
func CheckLink(source Target, r Relation, t Target) *fault.Refusal {
	rule, words, ok := ruleOf(source.Type, r)
	if !ok {
		return fault.Refuse(fault.StepTarget, "", "is not a link that such an event can have")
	}
	if detail := rule.violation(source, t); detail != "" {
		return fault.Refuse(fault.StepTarget, "", words+" "+detail)
	}
	return nil
}

// violation says what is wrong with a target, empty when nothing is.
func (rule targetRule) violation(source, t Target) string {
	switch {
	case t.Type == Publish && rule.publication, t.Type == Assess && rule.assessment:
	case rule.assessment:
		return "must point at a publication or an assessment"
	default:
		return "must point at a publication"
	}
	switch {
	case rule.kind != 0 && t.Kind != rule.kind:
		return "must point at a " + rule.kind.String()
	case rule.own && t.Actor != source.Actor:
		return "must point at an event of the same actor"
	case rule.own && t.Nonce >= source.Nonce:
		return "must point at an event with a smaller nonce"
	}
	return ""
}

func linkPath(source Event, link Link) string {
	p, ok := source.(*Publication)
	if !ok {
		return payloadPath + "/target"
	}
	i := slices.Index(p.payload.Relations, link)
	if i < 0 {
		return payloadPath + "/relations"
	}
	return payloadPath + "/relations/" + strconv.Itoa(i) + "/target"
}
