package memory

import (
	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
)

// tx is acceptance's view of the store while its lock is held.
type tx struct {
	s   *Store
	now int64
}

// Held reports whether an envelope with this hash is retained.
func (t tx) Held(id identity.ID) (bool, error) {
	_, ok := t.s.numbers[id]
	return ok, nil
}

// Resolve looks up a retained event, withheld ones included (8.2).
func (t tx) Resolve(id identity.ID) (capsule.Target, bool, error) {
	r := t.s.find(id)
	if r == nil {
		return capsule.Target{}, false, nil
	}
	return capsule.TargetOf(r.event), true, nil
}

// Keep stores the event and its index entries.
func (t tx) Keep(e capsule.Event) (uint64, error) {
	s := t.s
	number := uint64(len(s.records) + 1)
	s.records = append(s.records, record{event: e, fact: view.FactOf(e, number), acceptedAt: t.now})
	s.numbers[e.ID()] = number
	s.counts.TextBytes += int64(len(e.Envelope().Text()))
	switch e.Type() {
	case capsule.Publish:
		s.counts.Publications++
	case capsule.Assess:
		s.counts.Assessments++
	case capsule.Retract:
		s.counts.Retractions++
	}
	for _, link := range capsule.Links(e) {
		in := s.links[link.Target]
		if in == nil {
			in = new(reverse)
			s.links[link.Target] = in
		}
		in[link.Relation] = append(in[link.Relation], number)
	}
	if e.Type() == capsule.Retract {
		t.markRetracted(e, number)
	}
	return number, nil
}

// markRetracted stores on the target what Derive says of this retraction.
func (t tx) markRetracted(e capsule.Event, number uint64) {
	target := t.s.find(capsule.Links(e)[0].Target)
	facts := view.Derive(view.SubjectOf(view.EntryOf(target.event)), view.IncomingOf(e, number), t.s.scope(t.now))
	target.retracted = target.retracted || facts.Lifecycle == view.Retracted
}
