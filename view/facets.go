package view

import (
	"cmp"
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
func (c *FacetCount) Add(e capsule.Event) { c.AddRow(EntryOf(e)) }

// AddRow counts the event of a row; of a damaged one nothing but that it is there,
// where its row says nothing more.
func (c *FacetCount) AddRow(e Entry) {
	c.total++
	if e.Type == 0 {
		return
	}
	c.count(facetType, e.Type.String())
	c.count(facetActor, e.Actor.String())
	c.count(facetMonth, Month(e.CreatedAt))
	switch e.Type {
	case capsule.Publish:
		c.count(facetKind, e.Kind.String())
		c.count(facetLanguage, capsule.FoldASCII(e.Language))
		for _, tag := range e.Tags {
			c.count(facetTag, tag)
		}
	case capsule.Assess:
		c.count(facetVerdict, e.Verdict.String())
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
