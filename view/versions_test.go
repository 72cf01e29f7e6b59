package view_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"akx/cache/storetest"
	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
	"akx/view/memory"
)

// revise publishes a version by signer 1 that supersedes others.
func revise(t testing.TB, nonce int64, title string, older ...capsule.Event) *capsule.Publication {
	t.Helper()
	edits := []func(*capsule.PublishPayload){storetest.Titled(title)}
	for _, e := range older {
		edits = append(edits, storetest.Relate(capsule.Supersedes, e.ID()))
	}
	return storetest.Publish(t, stamp(1, nonce), edits...)
}

func TestLoadVersionsBranchAndMerge_7_2(t *testing.T) {
	a := revise(t, 1, "a")
	b := revise(t, 2, "b", a)
	c := revise(t, 3, "c", a)
	d := revise(t, 4, "d", b, c)
	unrelated := revise(t, 5, "unrelated")
	extends := storetest.Publish(t, stamp(1, 6), storetest.Relate(capsule.Extends, a.ID()))
	report := storetest.Assess(t, stamp(2, 1), a.ID(), capsule.VerdictSupports)
	s := held(t, a, b, c, d, unrelated, extends, report, storetest.Retract(t, stamp(2, 2), report.ID()), storetest.Retract(t, stamp(1, 7), c.ID()))

	for _, from := range []capsule.Event{a, b, c, d} {
		v := look(t, s, view.LoadVersions, from.ID())
		if v.Nodes[v.Here].Entry.ID != from.ID() || v.Omitted != 0 || !v.Scope.Complete {
			t.Errorf("from %s: here %d, omitted %d", from.Title(), v.Here, v.Omitted)
		}
		var rows []string
		for _, n := range v.Nodes {
			rows = append(rows, fmt.Sprint(n.Entry.Title, n.Supersedes, n.Lane, n.Runs))
		}
		want := []string{"d[1 2] 0 [0 1]", "c[3] 0 [0]", "b[3] 1 [1]", "a[] 0 []"}
		if !slices.Equal(rows, want) {
			t.Errorf("from %s: %q, want %q", from.Title(), rows, want)
		}
		if oldest := v.Nodes[3]; oldest.Assessments != 1 || oldest.Retracted != 1 || v.Nodes[0].Assessments != 0 {
			t.Error("assessments are of exactly one version")
		}
		if v.Nodes[1].Entry.Lifecycle != view.Retracted || v.Nodes[3].Entry.Lifecycle != view.Active {
			t.Error("a lifecycle moved between versions")
		}
	}
	v := look(t, s, view.LoadVersions, report.ID())
	if len(v.Nodes) != 1 || v.Nodes[0].Entry.ID != report.ID() {
		t.Errorf("an assessment has %d versions", len(v.Nodes))
	}
}

func TestLoadVersionsIsBounded(t *testing.T) {
	root := revise(t, 1, "root")
	events := []capsule.Event{root}
	for i := range view.MaxVersions + 30 {
		events = append(events, revise(t, int64(i+2), "branch", root))
	}
	v := look(t, held(t, events...), view.LoadVersions, root.ID())
	if len(v.Nodes) != view.MaxVersions || v.Omitted != 31 {
		t.Errorf("%d nodes, %d omitted", len(v.Nodes), v.Omitted)
	}
	if v.Scope.Complete || len(v.Scope.Reasons) != 1 {
		t.Errorf("scope %+v", v.Scope)
	}
	drawLanes(t, v.Nodes)
}

// TestLanesSuggestNoFalseAncestor draws random trees and reads the drawing back:
// every stretch of a lane belongs to one line, and strangers never touch.
func TestLanesSuggestNoFalseAncestor(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		s := memory.New(view.SampleSet, func() int64 { return storetest.Now })
		var events []capsule.Event
		for i := range 5 + r.IntN(20) {
			var older []capsule.Event
			for range r.IntN(4) {
				if len(events) > 0 {
					e := events[r.IntN(len(events))]
					if !slices.Contains(older, e) {
						older = append(older, e)
					}
				}
			}
			if i > 0 && len(older) == 0 && r.IntN(3) > 0 {
				older = append(older, events[len(events)-1])
			}
			events = append(events, revise(t, int64(i+1), "v", older...))
		}
		feed(t, s, events...)
		v := look(t, s, view.LoadVersions, events[len(events)-1].ID())
		drawLanes(t, v.Nodes)
	}
}

// drawLanes checks a layout cell by cell. A line from node i to node j runs in its
// lane from row i to row j and turns into the nodes' lanes in those two rows.
func drawLanes(t *testing.T, nodes []view.Version) {
	t.Helper()
	owner := make(map[[2]int]string) // row, lane: who draws there
	claim := func(row, lane int, who string) {
		t.Helper()
		key := [2]int{row, lane}
		if was := owner[key]; was != "" && was != who {
			t.Errorf("row %d, lane %d belongs to %s and to %s\n%s", row, lane, was, who, words(nodes))
		}
		owner[key] = who
	}
	lines := make(map[string]identity.ID)
	for i, n := range nodes {
		claim(i, n.Lane, fmt.Sprint("node ", i))
		for k, j := range n.Supersedes {
			if j <= i {
				t.Fatalf("node %d stands below what it supersedes", i)
			}
			run := n.Runs[k]
			if run == view.NoLane {
				continue
			}
			who := fmt.Sprint("line ", i, "-", j)
			lines[who] = n.Entry.ID
			if run != n.Lane {
				claim(i, run, who)
			}
			for row := i + 1; row < j; row++ {
				claim(row, run, who)
			}
			if run != nodes[j].Lane {
				claim(j, run, who)
			}
		}
	}
	for key, who := range owner {
		below := owner[[2]int{key[0] + 1, key[1]}]
		if below == "" || below == who || joined(nodes, who, below) {
			continue
		}
		t.Errorf("%s touches %s below it in lane %d\n%s", who, below, key[1], words(nodes))
	}
}

// joined reports whether two neighbours in a lane are truly linked: a line and one
// of its ends, or two nodes with a line between.
func joined(nodes []view.Version, above, below string) bool {
	var i, j, from, to int
	if n, _ := fmt.Sscanf(above, "node %d", &i); n == 1 {
		if n, _ := fmt.Sscanf(below, "node %d", &j); n == 1 {
			return slices.Contains(nodes[i].Supersedes, j)
		}
		fmt.Sscanf(below, "line %d-%d", &from, &to)
		return from == i
	}
	fmt.Sscanf(above, "line %d-%d", &from, &to)
	n, _ := fmt.Sscanf(below, "node %d", &j)
	return n == 1 && to == j
}

func words(nodes []view.Version) string {
	var b strings.Builder
	for i, n := range nodes {
		fmt.Fprintln(&b, i, "lane", n.Lane, "supersedes", n.Supersedes, "runs", n.Runs)
	}
	return b.String()
}
