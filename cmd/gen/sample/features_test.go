package main

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"akx/view/capsule"
	"akx/view/identity"
)

// The sample is where every member of a closed set can be seen once.
func TestEveryMemberOfTheClosedSets(t *testing.T) {
	l := build(t)
	types, kinds := map[capsule.Type]bool{}, map[capsule.Kind]bool{}
	relations, verdicts := map[capsule.Relation]bool{}, map[capsule.Verdict]bool{}
	roles := map[capsule.Role]bool{}
	for _, s := range l.events {
		types[s.Event.Type()] = true
	}
	for _, p := range l.publications {
		kinds[p.Kind] = true
		for _, link := range p.Relations {
			relations[link.Relation] = true
		}
		for _, e := range p.Evidence {
			roles[e.Role] = true
		}
	}
	for _, a := range l.assessments {
		verdicts[a.Verdict] = true
	}
	covers(t, "type", capsule.Types(), types)
	covers(t, "kind", capsule.Kinds(), kinds)
	covers(t, "relation", capsule.Relations(), relations)
	covers(t, "verdict", capsule.Verdicts(), verdicts)
	covers(t, "role", append(capsule.Roles(), 0), roles)
	if n := len(l.events); n < 80 || n > 110 {
		t.Errorf("%d events", n)
	}
}

func covers[T comparable](t *testing.T, what string, set []T, seen map[T]bool) {
	t.Helper()
	for _, member := range set {
		if !seen[member] {
			t.Errorf("no event shows %s %v", what, member)
		}
	}
}

func TestRelationsReachAssessments(t *testing.T) {
	l := build(t)
	seen := map[capsule.Relation]bool{}
	for _, p := range l.publications {
		for _, link := range p.Relations {
			if _, ok := l.byKey[l.keyOf[link.Target]].(*capsule.Assessment); ok {
				seen[link.Relation] = true
			}
		}
	}
	covers(t, "relation to an assessment",
		[]capsule.Relation{capsule.DerivedFrom, capsule.Supports, capsule.Contradicts}, seen)
}

func TestUnusualCapsules(t *testing.T) {
	l := build(t)
	if c := l.publication(t, "q-mixed").Context; len(c.Conditions)+len(c.Limitations) != 0 {
		t.Error("q-mixed lists conditions or limitations")
	}
	if p := l.publication(t, "h-mixed"); len(p.Evidence) != 0 {
		t.Error("h-mixed has evidence")
	}
	if n := len(l.publication(t, "syn-essay").Statement); n < 5_500 || n > 8_000 {
		t.Errorf("the essay has %d bytes", n)
	}
	if p := l.publication(t, "r-bundle"); len(p.Evidence) < 14 {
		t.Errorf("the bundle has %d evidence rows", len(p.Evidence))
	}
	hidden := l.publication(t, "obs-hidden")
	for _, r := range []rune{0x200b, 0x202e, 0x202c} {
		if !strings.ContainsRune(hidden.Statement, r) {
			t.Errorf("obs-hidden lacks %U", r)
		}
	}
	title := l.publication(t, "obs-emoji").Title
	if !strings.ContainsFunc(title, func(r rune) bool { return r > 0x1f000 }) ||
		!strings.ContainsFunc(title, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		t.Errorf("the title %q lacks emoji or Chinese", title)
	}
	inner := l.byKey["col-start"].ID()
	if !slices.Contains(l.publication(t, "col-all").Relations, capsule.Link{Relation: capsule.Contains, Target: inner}) {
		t.Error("col-all does not hold another collection")
	}
}

func TestCountsOfFeatures(t *testing.T) {
	l := build(t)
	counts, licences := map[string]int{}, map[string]bool{}
	profiles := map[identity.Digest]int{}
	for _, p := range l.publications {
		licences[p.License] = true
		count(counts, p.Evidence, p.Reproduction, p.Extra)
		for _, b := range p.Profiles {
			profiles[b.Digest]++
		}
		if p.Language == "zh-CN" {
			counts["Chinese capsules"]++
		}
		if len(p.Profiles) > 1 {
			counts["capsules with two profiles"]++
		}
	}
	for key, a := range l.assessments {
		licences[a.License] = true
		count(counts, a.Evidence, a.Reproduction, a.Extra)
		for _, b := range a.Profiles {
			profiles[b.Digest]++
		}
		if l.byKey[key].Actor() == l.byKey[l.keyOf[a.Target]].Actor() {
			counts["self-assessments"]++
		}
	}
	counts["licences"], counts["profiles"] = len(licences), len(profiles)
	for _, n := range profiles {
		if n > 1 {
			counts["shared profiles"]++
		}
	}
	for what, least := range map[string]int{
		"Chinese capsules": 5, "self-assessments": 2, "licences": 3, "profiles": 2, "shared profiles": 2,
		"capsules with two profiles": 1, "evidence with digest": 20, "evidence without digest": 3,
		"reproductions": 12, "observed": 12, "extra": 2,
	} {
		if counts[what] < least {
			t.Errorf("%s: %d, want at least %d", what, counts[what], least)
		}
	}
}

func count(counts map[string]int, evidence []capsule.Evidence, r *capsule.Reproduction, extra identity.Value) {
	for _, e := range evidence {
		if e.HasDigest() {
			counts["evidence with digest"]++
		} else {
			counts["evidence without digest"]++
		}
	}
	if r != nil {
		counts["reproductions"]++
		if r.Observed != "" {
			counts["observed"]++
		}
	}
	if extra.Kind() != identity.Absent {
		counts["extra"]++
	}
}
