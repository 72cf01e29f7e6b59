package report

import (
	"bytes"
	"strings"
	"testing"

	"akx/explore"
	"akx/view/desk"
	"akx/view/wire"
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

// What a service says of the licences that it takes is shown, where it says anything; the
// words are foreign (3.3).
func TestServiceCheckShowsLicences_3_3(t *testing.T) {
	for name, c := range map[string]struct {
		licenses []string
		want     string
	}{
		"nothing": {nil, ""},
		"any":     {[]string{"any"}, "takes any licence"},
		"a list":  {[]string{"https://a.example/", "\x1b[2J"}, "takes only the licences https://a.example/, <U+001B>[2J"},
	} {
		var b bytes.Buffer
		p := NewPrinter(&b, Style{})
		r := &ServiceChecks{}
		r.Add(explore.ServiceState{Service: desk.Service{Name: "hub"}, Discovery: &wire.Discovery{Licenses: c.licenses}}, nil)
		r.Text(p)
		if p.Flush(); !strings.Contains(b.String(), c.want) || strings.Contains(b.String(), "licence") != (c.want != "") {
			t.Errorf("%s: %q", name, b.String())
		}
	}
}
