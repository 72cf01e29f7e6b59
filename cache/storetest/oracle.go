package storetest

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
)

// oracle answers from the plain list of events, by the words of the specification
// and without any index. Number n is events[n-1].
type oracle struct {
	events []capsule.Event
	number map[identity.ID]uint64
	// lacks are the numbers that are not in the set which it answers for, and partial
	// says that its scope is not complete.
	lacks   map[uint64]bool
	partial bool
}

// all gives the events of the set with their numbers, in order.
func (o *oracle) all() iter.Seq2[uint64, capsule.Event] {
	return func(yield func(uint64, capsule.Event) bool) {
		for i, e := range o.events {
			if n := uint64(i + 1); !o.lacks[n] && !yield(n, e) {
				return
			}
		}
	}
}

func newOracle(events []capsule.Event) *oracle {
	o := &oracle{events: events, number: make(map[identity.ID]uint64)}
	for i, e := range events {
		o.number[e.ID()] = uint64(i + 1)
	}
	return o
}

func (o *oracle) event(number uint64) capsule.Event { return o.events[number-1] }

// retracted is 7.2 item 1.
func (o *oracle) retracted(id identity.ID) bool {
	for _, e := range o.all() {
		if e.Type() == capsule.Retract && capsule.Links(e)[0].Target == id {
			return true
		}
	}
	return false
}

func (o *oracle) lifecycle(id identity.ID) view.Lifecycle {
	if o.retracted(id) {
		return view.Retracted
	}
	if o.partial {
		return view.Partial
	}
	return view.Active
}

// pointing lists the distinct events that point at id and pass keep, in ASCII order.
func (o *oracle) pointing(id identity.ID, keep func(e capsule.Event, l capsule.Link) bool) []identity.ID {
	var ids []identity.ID
	for _, e := range o.all() {
		for _, l := range capsule.Links(e) {
			if l.Target == id && keep(e, l) {
				ids = append(ids, e.ID())
			}
		}
	}
	slices.SortFunc(ids, func(a, b identity.ID) int { return cmp.Compare(a.String(), b.String()) })
	return slices.Compact(ids)
}

// facts are the ID sets of 7.2.
func (o *oracle) facts(id identity.ID) (retractions, successors, assessments, active []identity.ID) {
	retractions = o.pointing(id, func(e capsule.Event, _ capsule.Link) bool { return e.Type() == capsule.Retract })
	successors = o.pointing(id, func(_ capsule.Event, l capsule.Link) bool { return l.Relation == capsule.Supersedes })
	assessments = o.pointing(id, func(e capsule.Event, _ capsule.Link) bool { return e.Type() == capsule.Assess })
	active = slices.DeleteFunc(slices.Clone(assessments), o.retracted)
	return retractions, successors, assessments, active
}

// incoming lists index facts by relation, then by number.
func (o *oracle) incoming(id identity.ID) []view.Incoming {
	var facts []view.Incoming
	for number, e := range o.all() {
		for _, l := range capsule.Links(e) {
			if l.Target != id {
				continue
			}
			fact := view.Incoming{
				Source: e.ID(), Number: number, Type: e.Type(), Relation: l.Relation, Actor: e.Actor(),
				Nonce: e.Nonce(), CreatedAt: e.CreatedAt(), Retracted: o.retracted(e.ID()),
			}
			switch e := e.(type) {
			case *capsule.Publication:
				fact.Kind = e.Payload().Kind
			case *capsule.Assessment:
				fact.Verdict = e.Payload().Verdict
			}
			facts = append(facts, fact)
		}
	}
	slices.SortStableFunc(facts, func(a, b view.Incoming) int {
		return cmp.Or(cmp.Compare(a.Relation, b.Relation), cmp.Compare(a.Number, b.Number))
	})
	return facts
}

// entry is the row of a number, its title as signed.
func (o *oracle) entry(number uint64) view.Entry {
	e := o.event(number)
	row := view.Entry{
		Number: number, ID: e.ID(), Type: e.Type(), Actor: e.Actor(), CreatedAt: e.CreatedAt(), Nonce: e.Nonce(),
		Title: e.Title(), Lifecycle: o.lifecycle(e.ID()), Bytes: len(e.Envelope().Text()),
	}
	_, successors, _, _ := o.facts(e.ID())
	row.Successors = len(successors)
	switch e := e.(type) {
	case *capsule.Publication:
		p := e.Payload()
		row.Kind, row.Language, row.Tags = p.Kind, p.Language, p.Tags
	case *capsule.Assessment:
		row.Verdict, row.Target = e.Payload().Verdict, e.Payload().Target
	case *capsule.Retraction:
		row.Target = e.Payload().Target
	}
	return row
}

// rows lists the numbers of a query in its order.
func (o *oracle) rows(q view.Query) []uint64 {
	var rows []uint64
	for number, e := range o.all() {
		if q.Lifecycle != view.Unchecked && o.lifecycle(e.ID()) != q.Lifecycle {
			continue
		}
		if q.Filter.Match(e) && (len(q.Terms) == 0 || capsule.Lexical(e, q.Terms)) {
			rows = append(rows, number)
		}
	}
	slices.SortFunc(rows, func(a, b uint64) int {
		x, y := o.event(a), o.event(b)
		switch q.Sort {
		case view.Created:
			return cmp.Or(cmp.Compare(y.CreatedAt(), x.CreatedAt()), cmp.Compare(x.ID().String(), y.ID().String()))
		case view.Title:
			return cmp.Or(cmp.Compare(capsule.FoldASCII(x.Title()), capsule.FoldASCII(y.Title())), cmp.Compare(x.ID().String(), y.ID().String()))
		default:
			return cmp.Compare(b, a)
		}
	})
	return rows
}

// facets counts the rows of a query.
func (o *oracle) facets(q view.Query) view.Facets {
	counts := make(map[string]map[string]int)
	count := func(facet, value string) {
		if counts[facet] == nil {
			counts[facet] = make(map[string]int)
		}
		counts[facet][value]++
	}
	rows := o.rows(q)
	for _, number := range rows {
		e := o.event(number)
		count("type", e.Type().String())
		count("actor", e.Actor().String())
		count("month", view.Month(e.CreatedAt()))
		switch e := e.(type) {
		case *capsule.Publication:
			count("kind", e.Payload().Kind.String())
			count("language", strings.ToLower(e.Payload().Language))
			for _, tag := range e.Payload().Tags {
				count("tag", tag)
			}
		case *capsule.Assessment:
			count("verdict", e.Payload().Verdict.String())
		}
	}
	list := func(facet string) []view.Facet {
		var out []view.Facet
		for value, n := range counts[facet] {
			out = append(out, view.Facet{Value: value, Count: n})
		}
		slices.SortFunc(out, func(a, b view.Facet) int {
			return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value))
		})
		return out
	}
	return view.Facets{
		Kinds: list("kind"), Types: list("type"), Tags: list("tag"), Languages: list("language"),
		Actors: list("actor"), Verdicts: list("verdict"), Months: list("month"), Total: len(rows),
	}
}

// prefixed lists the events whose ID starts with prefix, in ASCII order.
func (o *oracle) prefixed(prefix string) []identity.ID {
	var ids []identity.ID
	for _, e := range o.events {
		if strings.HasPrefix(e.ID().String(), prefix) {
			ids = append(ids, e.ID())
		}
	}
	slices.SortFunc(ids, func(a, b identity.ID) int { return cmp.Compare(a.String(), b.String()) })
	return ids
}

// visible lists the numbers of a range, hidden ones left out.
func (o *oracle) visible(f capsule.Filter, terms []string, after, through uint64, hidden map[identity.ID]bool) []uint64 {
	var out []uint64
	for i, e := range o.events {
		seq := uint64(i + 1)
		if seq <= after || seq > through || hidden[e.ID()] || !f.Match(e) {
			continue
		}
		if len(terms) == 0 || capsule.Lexical(e, terms) {
			out = append(out, seq)
		}
	}
	return out
}
