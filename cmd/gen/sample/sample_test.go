package main

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"testing"

	"akx/explore/sample"
	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
)

// library is the built sample as tests look at it.
type library struct {
	events []Signed
	byKey  map[string]capsule.Event
	keyOf  map[identity.ID]string
}

func build(t *testing.T) library {
	t.Helper()
	events, err := Build()
	if err != nil {
		t.Fatal(err)
	}
	l := library{events, map[string]capsule.Event{}, map[identity.ID]string{}}
	for _, s := range events {
		l.byKey[s.Key], l.keyOf[s.Event.ID()] = s.Event, s.Key
	}
	return l
}

// keys names events, sorted by name.
func (l library) keys(ids []identity.ID) []string {
	var keys []string
	for _, id := range ids {
		keys = append(keys, l.keyOf[id])
	}
	slices.Sort(keys)
	return keys
}

func (l library) publication(t *testing.T, key string) capsule.PublishPayload {
	t.Helper()
	p, ok := l.byKey[key].(*capsule.Publication)
	if !ok {
		t.Fatalf("%q is not a capsule of the sample", key)
	}
	return p.Payload()
}

// publications yields the capsules in the order of arrival.
func (l library) publications(yield func(string, capsule.PublishPayload) bool) {
	for _, s := range l.events {
		if p, ok := s.Event.(*capsule.Publication); ok && !yield(s.Key, p.Payload()) {
			return
		}
	}
}

// assessments yields the assessments in the order of arrival.
func (l library) assessments(yield func(string, capsule.AssessPayload) bool) {
	for _, s := range l.events {
		if a, ok := s.Event.(*capsule.Assessment); ok && !yield(s.Key, a.Payload()) {
			return
		}
	}
}

func TestEmbeddedFileIsWhatTheGeneratorWrites(t *testing.T) {
	text, err := Lines(build(t).events)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Lines(build(t).events)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, again) {
		t.Error("two runs differ")
	}
	if !bytes.Equal(text, sample.Text()) {
		t.Error("explore/sample/sample.jsonl is stale: go run ./cmd/gen/sample")
	}
}

func TestArrivalOrder(t *testing.T) {
	l := build(t)
	held := map[identity.ID]capsule.Target{}
	resolve := func(id identity.ID) (capsule.Target, bool, error) {
		target, ok := held[id]
		return target, ok, nil
	}
	for _, s := range l.events {
		if err := capsule.Admit(s.Event, sample.Now, capsule.DefaultSkew, resolve); err != nil {
			t.Errorf("%s: %v", s.Key, err)
		}
		held[s.Event.ID()] = capsule.TargetOf(s.Event)
	}
	last := l.events[len(l.events)-1]
	for _, s := range l.events[len(l.events)/10:] {
		if s.Key != last.Key && s.Event.CreatedAt() < last.Event.CreatedAt() {
			t.Errorf("%s is older than %s, which is meant to be late", s.Key, last.Key)
		}
	}
}

func TestNoncesGrowPerSigner(t *testing.T) {
	l := build(t)
	byTime := slices.Clone(l.events)
	slices.SortFunc(byTime, func(a, b Signed) int { return cmp.Compare(a.Event.CreatedAt(), b.Event.CreatedAt()) })
	last := map[identity.Actor]int64{}
	for _, s := range byTime {
		actor, nonce := s.Event.Actor(), s.Event.Nonce()
		if nonce <= last[actor] || nonce < s.Event.CreatedAt() {
			t.Errorf("%s: nonce %d after %d", s.Key, nonce, last[actor])
		}
		last[actor] = nonce
	}
	if len(last) < 7 {
		t.Errorf("%d signers", len(last))
	}
	for actor := range last {
		if _, ok := identity.TestSeedName(actor); !ok {
			t.Errorf("%v is not a published test seed", actor)
		}
	}
}

// facts reads what the opened sample says of one event.
func facts(t *testing.T, id identity.ID) (page view.Page) {
	t.Helper()
	store, err := sample.Library()
	if err != nil {
		t.Fatal(err)
	}
	err = store.Read(context.Background(), func(s view.Snapshot) (err error) {
		page, err = view.LoadPage(context.Background(), s, id)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func TestLifecycleOfNamedCapsules(t *testing.T) {
	l := build(t)
	for _, want := range []struct {
		key         string
		lifecycle   view.Lifecycle
		successors  []string
		retractions []string
	}{
		{"q-wrong", view.Active, nil, nil},
		{"r-600-1", view.Retracted, []string{"r-600-2"}, []string{"x-600-full", "x-600-short"}},
		{"a-self-600", view.Retracted, nil, []string{"x-self-600"}},
		{"inf-ceiling", view.Retracted, nil, []string{"x-ceiling"}},
		{"p-paired-1", view.Active, []string{"p-paired-2a", "p-paired-2b"}, nil},
		{"p-paired-2a", view.Active, []string{"p-paired-3"}, nil},
		{"p-paired-2b", view.Active, []string{"p-paired-3"}, nil},
		{"p-paired-3", view.Active, nil, nil},
		{"p-hygiene-1", view.Active, []string{"p-hygiene-2", "p-hygiene-3"}, nil},
		{"p-hygiene-2", view.Retracted, []string{"p-hygiene-3"}, []string{"x-hygiene-2"}},
		{"def-leak-1", view.Active, []string{"def-leak-2"}, nil},
		{"def-leak-2", view.Active, []string{"def-leak-3"}, nil},
		{"def-leak-3", view.Active, []string{"def-leak-4"}, nil},
		{"def-leak-4", view.Active, nil, nil},
		{"syn-1", view.Active, []string{"syn-2"}, nil},
	} {
		t.Run(want.key, func(t *testing.T) {
			f := facts(t, l.byKey[want.key].ID()).Facts
			if f.Lifecycle != want.lifecycle {
				t.Errorf("lifecycle %v, want %v", f.Lifecycle, want.lifecycle)
			}
			if got := l.keys(f.Successors); !slices.Equal(got, want.successors) {
				t.Errorf("successors %v, want %v", got, want.successors)
			}
			if got := l.keys(f.Retractions); !slices.Equal(got, want.retractions) {
				t.Errorf("retractions %v, want %v", got, want.retractions)
			}
		})
	}
}

func TestWithdrawnDataSetIsReliedOn(t *testing.T) {
	l := build(t)
	withdrawn := l.byKey["r-600-1"].ID()
	var relying []string
	for key, p := range l.publications {
		for _, link := range p.Relations {
			if link.Target == withdrawn && link.Relation == capsule.DerivedFrom {
				relying = append(relying, key)
			}
		}
	}
	if len(relying) < 4 {
		t.Errorf("only %v rely on the withdrawn data set", relying)
	}
	page := facts(t, l.byKey["neg-retrain"].ID())
	if got := l.keys(page.Withdrawn); !slices.Equal(got, []string{"r-600-1"}) {
		t.Errorf("neg-retrain flags %v as withdrawn", got)
	}
	verdicts := facts(t, withdrawn).Facts
	if len(verdicts.Assessments) != 3 || len(verdicts.ActiveAssessments) != 2 {
		t.Errorf("%d assessments, %d active, want 3 and 2", len(verdicts.Assessments), len(verdicts.ActiveAssessments))
	}
}

func TestHubHasManyKindsOfLinks(t *testing.T) {
	f := facts(t, build(t).byKey["h-key"].ID()).Facts
	links, kinds := 0, 0
	for _, r := range f.Relations {
		links += r.Active + r.Retracted
		if r.Active > 0 {
			kinds++
		}
	}
	if links < 12 || kinds < 6 || len(f.Assessments) == 0 {
		t.Errorf("the hub has %d links by %d relations and %d assessments", links, kinds, len(f.Assessments))
	}
}

func TestSelfAssessmentStands(t *testing.T) {
	f := facts(t, build(t).byKey["p-hygiene-1"].ID()).Facts
	for _, v := range f.Verdicts {
		if v.Verdict == capsule.VerdictChallenges && v.Self != 1 {
			t.Errorf("%d self-assessments among the challenges, want 1", v.Self)
		}
	}
}
