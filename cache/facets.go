package cache

import (
	"time"

	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
)

// tally counts facet values from rows alone. It gives what view.FacetCount gives
// from events; the shared tests of stores compare the two.
type tally struct {
	s         *snapshot
	total     int
	kinds     [256]int
	types     [256]int
	verdicts  [256]int
	actors    map[identity.Actor]int
	months    map[int]int
	tags      map[string]*int
	languages map[string]*int
	label     []byte
}

// Tally begins a count of rows.
func (s *snapshot) Tally() view.Tally {
	return &tally{
		s:      s,
		actors: make(map[identity.Actor]int), months: make(map[int]int),
		tags: make(map[string]*int), languages: make(map[string]*int),
	}
}

// Add counts rows by their local numbers.
func (c *tally) Add(numbers []uint64) (err error) {
	defer c.s.guard(&err)
	for _, n := range numbers {
		c.total++
		if r := row(c.s.rows.record(n)); r.whole() {
			c.add(r)
		}
	}
	return nil
}

func (c *tally) add(r row) {
	c.types[r.typ()]++
	c.kinds[r.kind()]++
	c.verdicts[r.verdict()]++
	c.actors[r.actor()]++
	at := time.UnixMilli(r.created()).UTC()
	c.months[at.Year()*12+int(at.Month())-1]++
	if r.typ() != capsule.Publish {
		return
	}
	t, _ := r.tail()
	t.text()
	c.label = c.label[:0]
	for _, b := range t.text() {
		c.label = append(c.label, foldByte(b))
	}
	count(c.languages, c.label)
	for range t.count() {
		count(c.tags, t.text())
	}
}

// count allocates for new values only.
func count(in map[string]*int, value []byte) {
	if n := in[string(value)]; n != nil {
		*n++
		return
	}
	one := 1
	in[string(value)] = &one
}

// Facets gives the counts so far.
func (c *tally) Facets() view.Facets {
	f := view.Facets{
		Total:     c.total,
		Kinds:     listed(c.kinds[:], func(i int) string { return capsule.Kind(i).String() }),
		Types:     listed(c.types[:], func(i int) string { return capsule.Type(i).String() }),
		Verdicts:  listed(c.verdicts[:], func(i int) string { return capsule.Verdict(i).String() }),
		Tags:      pointed(c.tags),
		Languages: pointed(c.languages),
	}
	for actor, n := range c.actors {
		f.Actors = append(f.Actors, view.Facet{Value: actor.String(), Count: n})
	}
	for month, n := range c.months {
		first := time.Date(month/12, time.Month(month%12+1), 1, 0, 0, 0, 0, time.UTC)
		f.Months = append(f.Months, view.Facet{Value: view.Month(first.UnixMilli()), Count: n})
	}
	view.SortFacet(f.Actors)
	view.SortFacet(f.Months)
	return f
}

// listed turns counts by a closed set into facets; zero and unknown members have
// no name and are left out.
func listed(counts []int, name func(int) string) []view.Facet {
	var out []view.Facet
	for i, n := range counts {
		if value := name(i); n > 0 && value != "" {
			out = append(out, view.Facet{Value: value, Count: n})
		}
	}
	view.SortFacet(out)
	return out
}

func pointed(counts map[string]*int) []view.Facet {
	var out []view.Facet
	for value, n := range counts {
		out = append(out, view.Facet{Value: value, Count: *n})
	}
	view.SortFacet(out)
	return out
}
