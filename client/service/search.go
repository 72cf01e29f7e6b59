package service

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/wire"
)

// rankingID names how this service orders hits. It changes with the order (9.5).
const rankingID = "akx-lexical-1"

// Search answers a ranked search in lexical mode (9.5): most terms in the title
// first, then the latest acceptance. It is exhaustive when every match fits.
func (c *Core) Search(ctx context.Context, body []byte) (wire.SearchResponse, error) {
	if !c.o.Ranked {
		return wire.SearchResponse{}, &fault.Refusal{Step: fault.StepShape, Code: fault.NotFound,
			Detail: "this service has no ranked search"}
	}
	request, err := wire.ParseSearchRequest(body, c.modes())
	if err != nil {
		return wire.SearchResponse{}, err
	}
	stamp, err := c.stamp(ctx)
	if err != nil {
		return wire.SearchResponse{}, err
	}
	records, more, err := c.store.Records(ctx, wire.Range{Filter: request.Filter, Terms: request.Terms,
		Through: stamp.Checkpoint, Limit: max(c.o.Candidates, request.Limit)})
	if err != nil {
		return wire.SearchResponse{}, err
	}
	page := wire.SearchResponse{
		Stamp:    stamp,
		Ranking:  wire.Ranking{Mode: request.Mode, ID: rankingID},
		Coverage: wire.Coverage{Exhaustive: true},
	}
	ranked := rank(records, request.Terms)
	if len(ranked) > request.Limit {
		ranked, more = ranked[:request.Limit], true
	}
	if n := c.fitting(ranked); n < len(ranked) {
		ranked, more = ranked[:n], true
	}
	if more {
		page.Coverage = wire.Coverage{Reasons: []string{"candidate_limit"}}
	}
	for _, r := range ranked {
		page.Hits = append(page.Hits, wire.Hit{Record: r})
	}
	return page, nil
}

// rank puts the records in the order of relevance.
func rank(records []wire.Record, terms []string) []wire.Record {
	type scored struct {
		record wire.Record
		score  int
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(terms)))
	all := make([]scored, len(records))
	for i, r := range records {
		all[i] = scored{record: r}
		title := capsule.FoldASCII(r.Event.Title())
		for _, term := range distinct {
			if strings.Contains(title, term) {
				all[i].score++
			}
		}
	}
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.record.Seq, a.record.Seq))
	})
	ranked := make([]wire.Record, len(all))
	for i := range all {
		ranked[i] = all[i].record
	}
	return ranked
}
