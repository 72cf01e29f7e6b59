package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// Every report about signed events shows the user's own name of the signer: beside an ID,
// marked as the user's own, in text and as a member of the event.
func TestNamesStandBesideIDs(t *testing.T) {
	var seen []string
	for name, r := range samples() {
		n, ok := r.(Naming)
		if !ok {
			continue
		}
		if name == "nothing sent" {
			continue
		}
		seen = append(seen, name)
		for _, plain := range []bool{false, true} {
			n.NameActors(map[string]string{"did:agent:x": "ann o'brien"})
			var out, events, errs bytes.Buffer
			p := NewPrinter(&out, Style{Plain: plain})
			r.Text(p)
			must(t, p.Flush(), NewStream(&events, &errs).Result(r))
			if text := out.String(); strings.Count(text, "ann o'brien") == 0 || !strings.Contains(text, "your name") || !strings.Contains(text, "-Ab") {
				t.Errorf("%s:\n%s", name, text)
			}
			if !strings.Contains(events.String(), `"local_name":"ann o'brien"`) || !strings.Contains(events.String(), `"did:agent:x"`) {
				t.Errorf("%s: %s", name, events.String())
			}
			n.NameActors(nil)
			out.Reset()
			r.Text(p)
			must(t, p.Flush())
			if strings.Contains(out.String(), "your name") {
				t.Errorf("%s without names:\n%s", name, out.String())
			}
		}
	}
	want := []string{"assessments", "checks", "found", "links", "list", "outbox", "query", "submitted", "versions"}
	if slices.Sort(seen); !slices.Equal(seen, want) {
		t.Errorf("reports with names: %v", seen)
	}
}
