package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// Version is one node of the tree of supersedes around a capsule.
type Version struct {
	Entry      Entry
	Supersedes []int // indexes of older nodes in Versions.Nodes, ascending
	// Runs gives for each of Supersedes the lane in which its line runs from this
	// row down to the row of the older node; NoLane where it is not drawn.
	Runs        []int
	Assessments int // of exactly this version, retracted ones included
	Retracted   int // how many of them are retracted
	Lane        int // column in the drawing; a lane is not reused by an unrelated branch while it is open
}

// Versions is the connected set of supersedes around one capsule, newest on top.
type Versions struct {
	Here    int // index of the capsule that was asked for
	Nodes   []Version
	Omitted int // nodes beyond the bound that a shown node is linked to
	Scope   Scope
}

// MaxVersions bounds the nodes of one tree.
const MaxVersions = 1000

// maxVersionFacts bounds the incoming facts that one walk reads in all.
const maxVersionFacts = 1_000_000

// LoadVersions walks supersedes both ways from id, nearest first, until all that
// is connected is read or MaxVersions nodes are. An event that is no publication
// stands alone.
func LoadVersions(ctx context.Context, s Snapshot, id identity.ID) (Versions, error) {
	if _, err := entryOf(s, id); err != nil {
		return Versions{}, err
	}
	w := walk{s: s, scope: s.Scope(), nodes: make(map[identity.ID]*versionNode), facts: maxVersionFacts}
	queue := []identity.ID{id}
	w.nodes[id] = &versionNode{}
	for len(queue) > 0 {
		next, err := w.visit(ctx, queue[0])
		if err != nil {
			return Versions{}, err
		}
		queue = append(queue[1:], next...)
	}
	return w.versions(id)
}

// walk collects the nodes of one tree.
type walk struct {
	s       Snapshot
	scope   Scope
	nodes   map[identity.ID]*versionNode
	omitted map[identity.ID]bool
	facts   int // incoming facts that may still be read
}

type versionNode struct {
	older                  []identity.ID
	assessments, retracted int
}

// visit reads one node and gives the neighbours that were not known before.
func (w *walk) visit(ctx context.Context, id identity.ID) ([]identity.ID, error) {
	node := w.nodes[id]
	around, err := w.older(id)
	if err != nil {
		return nil, err
	}
	node.older = around
	err = gather(ctx, w.s, id, min(w.facts, MaxIncoming), func(incoming []Incoming, scope Scope) error {
		w.facts -= len(incoming)
		if !scope.Complete && w.scope.Complete {
			w.scope = scope
		}
		around = append(around, node.count(incoming)...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return w.fresh(around), nil
}

// count counts the assessments among incoming and gives the successors.
func (n *versionNode) count(incoming []Incoming) (successors []identity.ID) {
	for _, in := range incoming {
		switch {
		case in.Type == capsule.Assess:
			n.assessments++
			if in.Retracted {
				n.retracted++
			}
		case in.Type == capsule.Publish && in.Relation == capsule.Supersedes:
			successors = append(successors, in.Source)
		}
	}
	return successors
}

// older lists what a held publication supersedes. One that is damaged or not held
// says nothing.
func (w *walk) older(id identity.ID) ([]identity.ID, error) {
	event, err := w.s.Event(id)
	var damaged *fault.Damaged
	if errors.As(err, &damaged) {
		w.scope = w.scope.partial("the text of " + id.String() + " is damaged")
		return nil, nil
	}
	var absent *fault.NotHeld
	if errors.As(err, &absent) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var older []identity.ID
	for _, link := range capsule.Links(event) {
		if link.Relation == capsule.Supersedes {
			older = append(older, link.Target)
		}
	}
	return older, nil
}

// fresh notes the IDs that are new and gives those that are within the bound.
func (w *walk) fresh(ids []identity.ID) []identity.ID {
	var next []identity.ID
	for _, id := range ids {
		if w.nodes[id] != nil {
			continue
		}
		if len(w.nodes) < MaxVersions {
			w.nodes[id] = &versionNode{}
			next = append(next, id)
			continue
		}
		if w.omitted == nil {
			w.omitted = make(map[identity.ID]bool)
		}
		w.omitted[id] = true
	}
	return next
}

// versions orders the nodes, newest on top, and lays their lanes.
func (w *walk) versions(here identity.ID) (Versions, error) {
	ids := make([]identity.ID, 0, len(w.nodes))
	for id := range w.nodes {
		ids = append(ids, id)
	}
	rows, held, err := Rows(w.s, ids)
	if err != nil {
		return Versions{}, err
	}
	var entries []Entry
	for i := range rows {
		if held[i] {
			entries = append(entries, rows[i])
		}
	}
	// A successor has the same actor and a greater nonce (6.1), so this order puts
	// every node above what it supersedes.
	slices.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(b.Nonce, a.Nonce), cmp.Compare(b.CreatedAt, a.CreatedAt), a.ID.Compare(b.ID))
	})
	at := make(map[identity.ID]int, len(entries))
	for i, e := range entries {
		at[e.ID] = i
	}
	v := Versions{Here: at[here], Nodes: make([]Version, len(entries)), Omitted: len(w.omitted), Scope: w.scope}
	for i, e := range entries {
		node := w.nodes[e.ID]
		v.Nodes[i] = Version{Entry: e, Assessments: node.assessments, Retracted: node.retracted}
		for _, id := range node.older {
			if j, ok := at[id]; ok && j > i {
				v.Nodes[i].Supersedes = append(v.Nodes[i].Supersedes, j)
			}
		}
		slices.Sort(v.Nodes[i].Supersedes)
	}
	if v.Omitted > 0 {
		v.Scope = v.Scope.partial(fmt.Sprintf("%d further versions are not shown", v.Omitted))
	}
	layLanes(v.Nodes)
	return v, nil
}
