package view

import (
	"akx/view/capsule"
	"akx/view/identity"
)

// Facts are the lifecycle facts of one event within one scope (7.2). Sets of IDs
// are in ascending ASCII order.
type Facts struct {
	ID                identity.ID
	Scope             Scope
	Lifecycle         Lifecycle
	Retractions       []identity.ID
	Successors        []identity.ID // retracted ones included; no winner
	Assessments       []identity.ID
	ActiveAssessments []identity.ID
	// Verdicts counts assessments by verdict, active and retracted apart; Self
	// counts those signed by the subject's own actor among the active ones, and
	// Unchecked those whose own retraction the scope does not settle: they are not
	// active. All verdicts are listed, in the order of the specification.
	Verdicts []VerdictCount
	// Relations counts incoming relations by relation, retracted sources apart.
	// All relations are listed, in the order of the specification.
	Relations []RelationCount
}

// VerdictCount counts assessments of one verdict.
type VerdictCount struct {
	Verdict                            capsule.Verdict
	Active, Retracted, Self, Unchecked int
}

// RelationCount counts incoming publications of one relation.
type RelationCount struct {
	Relation                           capsule.Relation
	Active, Retracted, Self, Unchecked int
}

// Derive makes the lifecycle facts of subject from everything in the scope that
// points at it. It is the only place where they are made. The order of incoming
// and repeats in it change nothing.
//
// Stores admit events first, so what breaks a target rule never reaches it; a
// retraction or supersedes by another actor, or without a greater nonce, is left
// out here all the same (6.1, 7.1). A scope without an origin is no scope: the
// lifecycle stays unchecked (9.6). In an incomplete scope the lifecycle is
// Retracted where a retraction was found, and Partial where none was.
func Derive(subject Subject, incoming []Incoming, scope Scope) Facts {
	groups := sortIncoming(subject, incoming)
	f := Facts{
		ID:          subject.ID,
		Scope:       scope,
		Retractions: sources(groups.retractions, incoming),
		Successors:  sources(groups.relations[capsule.Supersedes], incoming),
		Assessments: sources(groups.assessments, incoming),
		Verdicts:    make([]VerdictCount, 0, len(verdicts)),
		Relations:   make([]RelationCount, 0, len(relations)),
	}
	f.Lifecycle = lifecycle(scope, len(f.Retractions) > 0)

	byVerdict := make([]tally, len(verdicts)+1)
	for _, r := range groups.assessments {
		in := &incoming[r.at]
		if !in.Retracted && !in.Unchecked {
			if f.ActiveAssessments == nil {
				f.ActiveAssessments = make([]identity.ID, 0, len(groups.assessments))
			}
			f.ActiveAssessments = append(f.ActiveAssessments, in.Source)
		}
		byVerdict[in.Verdict].add(in, subject)
	}
	for _, v := range verdicts {
		t := byVerdict[v]
		f.Verdicts = append(f.Verdicts, VerdictCount{Verdict: v, Active: t.active, Retracted: t.retracted, Self: t.self, Unchecked: t.unchecked})
	}
	for _, relation := range relations {
		var t tally
		for _, r := range groups.relations[relation] {
			t.add(&incoming[r.at], subject)
		}
		f.Relations = append(f.Relations, RelationCount{Relation: relation, Active: t.active, Retracted: t.retracted, Self: t.self, Unchecked: t.unchecked})
	}
	return f
}

func lifecycle(scope Scope, retracted bool) Lifecycle {
	switch {
	case scope.Origin == "":
		return Unchecked
	case retracted:
		return Retracted
	case !scope.Complete:
		return Partial
	default:
		return Active
	}
}

// tally counts sources, those of the subject's own actor marked.
type tally struct{ active, retracted, self, unchecked int }

func (t *tally) add(in *Incoming, subject Subject) {
	switch {
	case in.Retracted:
		t.retracted++
	case in.Unchecked:
		t.unchecked++
	case in.Actor == subject.Actor:
		t.active++
		t.self++
	default:
		t.active++
	}
}

// grouped is incoming by what it says, each group distinct and in order.
type grouped struct {
	retractions, assessments []ref
	relations                [][]ref // by relation
}

// The closed sets that are counted, and the places of the groups while incoming
// is sorted; relations come at their number.
var (
	relations    = capsule.Relations()
	verdicts     = capsule.Verdicts()
	placeAssess  = len(relations) + 1
	placeRetract = placeAssess + 1
)

// place says in which group a fact counts for subject; 0 for in none.
func place(subject Subject, in *Incoming) int {
	own := in.Actor == subject.Actor && in.Nonce > subject.Nonce
	switch {
	case in.Type == capsule.Retract && own:
		return placeRetract
	case in.Type == capsule.Assess && in.Verdict != 0 && int(in.Verdict) <= len(verdicts):
		return placeAssess
	case in.Type == capsule.Publish && int(in.Relation) < placeAssess && (own || in.Relation != capsule.Supersedes):
		return int(in.Relation)
	default:
		return 0
	}
}

func sortIncoming(subject Subject, incoming []Incoming) grouped {
	places := make([]uint8, len(incoming))
	sizes := make([]int, placeRetract+1)
	for i := range incoming {
		p := place(subject, &incoming[i])
		places[i] = uint8(p)
		sizes[p]++
	}
	groups := make([][]ref, len(sizes))
	for p := 1; p < len(groups); p++ {
		groups[p] = make([]ref, 0, sizes[p])
	}
	for i, p := range places {
		if p != 0 {
			groups[p] = append(groups[p], ref{key: textKey(incoming[i].Source), at: i})
		}
	}
	for p := range groups {
		groups[p] = distinct(groups[p], incoming)
	}
	return grouped{
		retractions: groups[placeRetract],
		assessments: groups[placeAssess],
		relations:   groups[:placeAssess],
	}
}
