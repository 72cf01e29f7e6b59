package view

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"akx/view/capsule"
)

// Month gives the UTC year and month of a timestamp in ms, such as "2026-03": the
// value of the months facet. Years beyond 9999 keep all their digits.
func Month(ms int64) string {
	t := time.UnixMilli(ms).UTC()
	return fmt.Sprintf("%04d-%02d", t.Year(), int(t.Month()))
}

// SortFacet orders the values of one facet: by count, greatest first, then by value.
func SortFacet(facet []Facet) {
	slices.SortFunc(facet, func(a, b Facet) int {
		if c := cmp.Compare(b.Count, a.Count); c != 0 {
			return c
		}
		return cmp.Compare(a.Value, b.Value)
	})
}

// LoadFacets counts the rows of a query.
func LoadFacets(ctx context.Context, s Snapshot, q Query) (Facets, error) {
	q.Sort = Newest // the order does not count
	tally := s.Tally()
	var failed error
	err := s.Scan(ctx, q, func(numbers []uint64) bool {
		failed = tally.Add(numbers)
		return failed == nil
	})
	if err = cmp.Or(failed, err); err != nil {
		return Facets{}, err
	}
	return tally.Facets(), nil
}

// FacetCount counts facet values one event at a time. A language counts under its
// ASCII-folded label, as the filter compares it (9.3). The zero FacetCount is ready.
type FacetCount struct {
	total int
	by    [7]map[string]int
}

// The places of the facets in FacetCount.
const (
	facetKind = iota
	facetType
	facetTag
	facetLanguage
	facetActor
	facetVerdict
	facetMonth
)

// Add counts one event.
func (c *FacetCount) Add(e capsule.Event) {
	c.total++
	c.count(facetType, e.Type().String())
	c.count(facetActor, e.Actor().String())
	c.count(facetMonth, Month(e.CreatedAt()))
	switch e := e.(type) {
	case *capsule.Publication:
		p := e.Payload()
		c.count(facetKind, p.Kind.String())
		c.count(facetLanguage, capsule.FoldASCII(p.Language))
		for _, tag := range p.Tags {
			c.count(facetTag, tag)
		}
	case *capsule.Assessment:
		c.count(facetVerdict, e.Payload().Verdict.String())
	}
}

func (c *FacetCount) count(facet int, value string) {
	if c.by[facet] == nil {
		c.by[facet] = make(map[string]int)
	}
	c.by[facet][value]++
}

// Facets gives the counts so far.
func (c *FacetCount) Facets() Facets {
	list := func(facet int) []Facet {
		var out []Facet
		for value, n := range c.by[facet] {
			out = append(out, Facet{Value: value, Count: n})
		}
		SortFacet(out)
		return out
	}
	return Facets{
		Kinds: list(facetKind), Types: list(facetType), Tags: list(facetTag), Languages: list(facetLanguage),
		Actors: list(facetActor), Verdicts: list(facetVerdict), Months: list(facetMonth), Total: c.total,
	}
}
