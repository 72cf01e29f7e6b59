package view

import (
	"cmp"
	"context"
	"slices"

	"akx/view/capsule"
	"akx/view/identity"
)

// LinkGroup is one group of reverse links.
type LinkGroup struct {
	Type      capsule.Type
	Relation  capsule.Relation // of publications
	Verdict   capsule.Verdict  // of assessments
	Links     []Incoming       // by local number
	Active    int
	Retracted int
}

// Links are the reverse links of one event: every relation, verdict and the
// retractions, groups without a link included with zero.
type Links struct {
	Subject Entry
	Facts   Facts
	Groups  []LinkGroup
}

// LoadLinks reads the reverse links of one event from index facts alone, at most
// MaxIncoming of them. Groups stand in the order of the specification: relations,
// verdicts, retractions.
func LoadLinks(ctx context.Context, s Snapshot, id identity.ID) (Links, error) {
	entry, err := entryOf(s, id)
	if err != nil {
		return Links{}, err
	}
	l := Links{Subject: entry}
	err = gather(ctx, s, id, MaxIncoming, func(incoming []Incoming, scope Scope) error {
		l.Facts = Derive(SubjectOf(entry), incoming, scope)
		l.Groups = groupLinks(incoming)
		return nil
	})
	if err != nil {
		return Links{}, err
	}
	return l, nil
}

func groupLinks(incoming []Incoming) []LinkGroup {
	groups := make([]LinkGroup, 0, len(relations)+len(verdicts)+1)
	for _, r := range relations {
		groups = append(groups, LinkGroup{Type: capsule.Publish, Relation: r})
	}
	for _, v := range verdicts {
		groups = append(groups, LinkGroup{Type: capsule.Assess, Verdict: v})
	}
	groups = append(groups, LinkGroup{Type: capsule.Retract})

	groupOf := func(in *Incoming) int {
		switch {
		case in.Type == capsule.Publish && in.Relation != 0 && int(in.Relation) <= len(relations):
			return int(in.Relation) - 1
		case in.Type == capsule.Assess && in.Verdict != 0 && int(in.Verdict) <= len(verdicts):
			return len(relations) + int(in.Verdict) - 1
		case in.Type == capsule.Retract:
			return len(groups) - 1
		default:
			return -1
		}
	}
	sizes := make([]int, len(groups))
	for i := range incoming {
		if g := groupOf(&incoming[i]); g >= 0 {
			sizes[g]++
		}
	}
	for g := range groups {
		groups[g].Links = make([]Incoming, 0, sizes[g])
	}
	for i := range incoming {
		g := groupOf(&incoming[i])
		if g < 0 {
			continue
		}
		groups[g].Links = append(groups[g].Links, incoming[i])
		if incoming[i].Retracted {
			groups[g].Retracted++
		} else {
			groups[g].Active++
		}
	}
	byNumber := func(a, b Incoming) int { return cmp.Compare(a.Number, b.Number) }
	for g := range groups {
		if !slices.IsSortedFunc(groups[g].Links, byNumber) {
			slices.SortStableFunc(groups[g].Links, byNumber)
		}
	}
	return groups
}
