package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"akx/view"
)

// columnar is what plain style never prints: indents, padding, columns, what a voice
// cannot say. The settings keep the form of their file.
var columnar = regexp.MustCompile(`^ | $|  |▌|\bsucc\b|^date: \d\d-\d\d$|^date: \d{4}-\d\d$`)

// Plain style is a property of the printer: it holds for every report.
func TestPlainIsOneThingALine(t *testing.T) {
	all := samples()
	scope := Scope{Origin: "this cache", Complete: true}
	entry := Entry{ID: "-Ab", Type: "knowledge.publish", Kind: "question", Title: "t", Lifecycle: "active", Successors: 1}
	all["list with successors"] = &List{Scope: scope, Events: []Entry{entry, entry}, Sort: "newest"}
	all["versions of two"] = &Versions{ID: "-Ab", Scope: scope, Nodes: []Version{{Entry: entry, Assessments: 2, Retracted: 1}, {Entry: entry}},
		tree: view.Versions{Nodes: []view.Version{{Supersedes: []int{1}, Runs: []int{0}}, {}}}}
	delete(all, "config")
	for name, r := range all {
		var out bytes.Buffer
		p := NewPrinter(&out, Style{Plain: true})
		r.Text(p)
		must(t, p.Flush())
		for line := range strings.Lines(out.String()) {
			line = strings.TrimSuffix(line, "\n")
			if found := columnar.FindString(line); found != "" || line == "" {
				t.Errorf("%s: %q in %q", name, found, line)
			}
		}
	}
}

func TestSuccessorsAreSpoken(t *testing.T) {
	one := Entry{Lifecycle: "active", Successors: 1}
	got := printed(t, Style{Plain: true}, func(p *Printer) { p.Wrapped(own("state "), one.state()) })
	if got != "state active, 1 successor\n" {
		t.Errorf("%q", got)
	}
	got = printed(t, Style{}, func(p *Printer) { p.Wrapped(own("state "), one.state()) })
	if got != "state active, 1 succ\n" {
		t.Errorf("%q", got)
	}
}
