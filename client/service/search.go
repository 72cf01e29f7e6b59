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
	hits, complete, err := c.rank(ctx, request, stamp.Checkpoint)
	if err != nil {
		return wire.SearchResponse{}, err
	}
	page := wire.SearchResponse{
		Stamp:    stamp,
		Ranking:  wire.Ranking{Mode: request.Mode, ID: rankingID},
		Coverage: wire.Coverage{Exhaustive: true},
	}
	bytes := 0
	for _, hit := range hits {
		bytes += len(hit.record.Event.Envelope().Text())
		if bytes > c.o.PageBytes && len(page.Hits) > 0 {
			complete = false
			break
		}
		page.Hits = append(page.Hits, wire.Hit{Record: hit.record})
	}
	if !complete {
		page.Coverage = wire.Coverage{Reasons: []string{"candidate_limit"}}
	}
	return page, nil
}

// scored is a match and how many terms its title holds.
type scored struct {
	record wire.Record
	score  int
}

// rank finds the best matches of a request, best first. complete is true when
// they are all that there are.
func (c *Core) rank(ctx context.Context, request wire.SearchRequest, checkpoint uint64) (best []scored, complete bool, err error) {
	terms := slices.Compact(slices.Sorted(slices.Values(request.Terms)))
	r := wire.Range{Filter: request.Filter, Terms: request.Terms, Through: checkpoint}
	seen, more := 0, true
	for more && seen < c.o.Candidates {
		r.Limit = min(stretch, c.o.Candidates-seen)
		var records []wire.Record
		if records, more, err = c.store.Records(ctx, r); err != nil {
			return nil, false, err
		}
		for _, record := range records {
			best = append(best, scored{record, titleScore(record.Event, terms)})
			r.After = record.Seq
		}
		seen += len(records)
		slices.SortFunc(best, func(a, b scored) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.record.Seq, a.record.Seq))
		})
		best = best[:min(len(best), request.Limit)]
	}
	return best, !more && seen <= request.Limit, nil
}

func titleScore(e capsule.Event, terms []string) (score int) {
	title := capsule.FoldASCII(e.Title())
	for _, term := range terms {
		if strings.Contains(title, term) {
			score++
		}
	}
	return score
}
