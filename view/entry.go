package view

import "akx/view/capsule"

// EntryOf gives the row of an event as the event itself says it: number, lifecycle
// and successors are the store's to add.
func EntryOf(e capsule.Event) Entry {
	row := Entry{
		ID:        e.ID(),
		Type:      e.Type(),
		Actor:     e.Actor(),
		CreatedAt: e.CreatedAt(),
		Nonce:     e.Nonce(),
		Title:     e.Title(),
		Bytes:     len(e.Envelope().Text()),
	}
	switch e := e.(type) {
	case *capsule.Publication:
		p := e.Payload()
		row.Kind, row.Language, row.Tags = p.Kind, p.Language, p.Tags
	case *capsule.Assessment:
		p := e.Payload()
		row.Verdict, row.Target = p.Verdict, p.Target
	case *capsule.Retraction:
		row.Target = e.Payload().Target
	}
	return row
}

// SubjectOf gives what Derive needs to know of a row's event.
func SubjectOf(row Entry) Subject {
	return Subject{ID: row.ID, Actor: row.Actor, Nonce: row.Nonce}
}

// FactOf gives the index fact of an event without a relation: that of an
// assessment or a retraction about its target. Retracted is left false.
func FactOf(e capsule.Event, number uint64) Incoming {
	fact := Incoming{
		Source:    e.ID(),
		Number:    number,
		Type:      e.Type(),
		Actor:     e.Actor(),
		Nonce:     e.Nonce(),
		CreatedAt: e.CreatedAt(),
	}
	switch e := e.(type) {
	case *capsule.Publication:
		fact.Kind = e.Payload().Kind
	case *capsule.Assessment:
		fact.Verdict = e.Payload().Verdict
	}
	return fact
}

// IncomingOf gives the index facts of everything that e points at, in the order of
// its links. Retracted is left false.
func IncomingOf(e capsule.Event, number uint64) []Incoming {
	links := capsule.Links(e)
	facts := make([]Incoming, len(links))
	for i, link := range links {
		facts[i] = FactOf(e, number)
		facts[i].Relation = link.Relation
	}
	return facts
}
