package view

import (
	"akx/view/capsule"
	"akx/view/identity"
)

// Difference is what one followed service shows of an event and another, whose set
// is complete and holds the event too, does not. It is no accusation: the other may
// not have it, may withhold it, or may get it later. How many services show
// something says nothing about it (Agent Knowledge 9.6).
type Difference struct {
	Event    identity.ID // the retraction, correction or assessment
	Type     capsule.Type
	Relation capsule.Relation // supersedes for a correction, else zero
	Shown    []identity.Origin
	Not      []Scope // of services that follow completely and lack it
}

// MaxDifferences bounds the differences of one event that are told.
const MaxDifferences = 100

// differences compares the sets of services: sets[i][k] says whether the service
// of shown[i] gave incoming[k].
func differences(subject Subject, incoming []Incoming, shown []At, sets [][]bool) (told []Difference, more int) {
	groups := sortIncoming(subject, incoming)
	for _, refs := range [][]ref{groups.retractions, groups.relations[capsule.Supersedes], groups.assessments} {
		for _, r := range refs {
			d := Difference{Event: incoming[r.at].Source, Type: incoming[r.at].Type, Relation: incoming[r.at].Relation}
			for i, at := range shown {
				switch {
				case sets[i][r.at]:
					d.Shown = append(d.Shown, at.Followed.Origin)
				case at.Held && at.Followed.Scope().Complete:
					d.Not = append(d.Not, at.Followed.Scope())
				}
			}
			switch {
			case len(d.Shown) == 0 || len(d.Not) == 0:
			case len(told) == MaxDifferences:
				more++
			default:
				told = append(told, d)
			}
		}
	}
	return told, more
}
