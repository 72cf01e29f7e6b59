package report

import (
	"strings"
	"testing"
)

// Hits that were cut by the limit of the request say so, and what to do; other reasons
// stand beside that (9.5).
func TestCoverageSaysWhatCutIt_9_5(t *testing.T) {
	const raise, candidates = "raise --limit", "best candidates"
	for name, c := range map[string]struct {
		hits, limit int
		coverage    Coverage
		want, not   []string
	}{
		"all":              {2, 20, Coverage{Exhaustive: true}, []string{"every match"}, []string{raise}},
		"the limit":        {3, 3, Coverage{Reasons: []string{"candidate_limit"}}, []string{"the first 3", raise}, []string{candidates}},
		"candidates":       {3, 20, Coverage{Reasons: []string{"candidate_limit"}}, []string{candidates}, []string{raise}},
		"limit and index":  {3, 3, Coverage{Reasons: []string{"candidate_limit", "index_lag"}}, []string{raise, "lags behind"}, []string{candidates}},
		"the largest":      {100, 100, Coverage{Reasons: []string{"candidate_limit"}}, []string{"add filters"}, []string{raise}},
		"none of foreign":  {0, 20, Coverage{Reasons: []string{"\x1b[2J"}}, []string{"not every match"}, []string{"\x1b"}},
		"only approximate": {1, 20, Coverage{Reasons: []string{"approximate"}}, []string{"approximate"}, []string{raise, candidates}},
	} {
		f := &Found{Service: "hub", Hits: make([]Hit, c.hits), Coverage: c.coverage, limit: c.limit}
		got := f.covers()
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q", name, got)
			}
		}
		for _, not := range c.not {
			if strings.Contains(got, not) {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
}
