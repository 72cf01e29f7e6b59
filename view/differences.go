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
