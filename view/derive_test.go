package view_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
)

var (
	author   = identity.Actor{1}
	stranger = identity.Actor{2}
	subject  = view.Subject{ID: identity.ID{0xAA}, Actor: author, Nonce: 10}
	complete = view.Scope{Origin: view.ThisCache, Checkpoint: 9, AsOf: 5, Complete: true}
)

// fact is an incoming fact of a source whose ID starts with b.
func fact(b byte, kind capsule.Type, actor identity.Actor, nonce int64) view.Incoming {
	return view.Incoming{Source: identity.ID{b}, Number: uint64(b), Type: kind, Actor: actor, Nonce: nonce}
}

func assessed(b byte, v capsule.Verdict, actor identity.Actor, retracted bool) view.Incoming {
	in := fact(b, capsule.Assess, actor, 1)
	in.Verdict, in.Retracted = v, retracted
	return in
}

func related(b byte, r capsule.Relation, actor identity.Actor, nonce int64, retracted bool) view.Incoming {
	in := fact(b, capsule.Publish, actor, nonce)
	in.Relation, in.Retracted = r, retracted
	return in
}

func TestDeriveLifecycle_7_2_and_9_6(t *testing.T) {
	incomplete := complete
	incomplete.Complete, incomplete.Reasons = false, []string{"stopped at page 2"}
	retraction := fact(1, capsule.Retract, author, 11)
	tests := []struct {
		name     string
		scope    view.Scope
		incoming []view.Incoming
		want     view.Lifecycle
	}{
		{"nothing points at it", complete, nil, view.Active},
		{"a retraction", complete, []view.Incoming{retraction}, view.Retracted},
		{"an incomplete scope without a retraction", incomplete, nil, view.Partial},
		{"an incomplete scope with a retraction", incomplete, []view.Incoming{retraction}, view.Retracted},
		{"no scope", view.Scope{}, nil, view.Unchecked},
		{"no scope, though a retraction is known", view.Scope{}, []view.Incoming{retraction}, view.Unchecked},
		{"a retraction by another actor", complete, []view.Incoming{fact(1, capsule.Retract, stranger, 11)}, view.Active},
		{"a retraction with the same nonce", complete, []view.Incoming{fact(1, capsule.Retract, author, 10)}, view.Active},
		{"a successor does not retract", complete, []view.Incoming{related(1, capsule.Supersedes, author, 11, false)}, view.Active},
		{"contradiction does not retract", complete, []view.Incoming{related(1, capsule.Contradicts, stranger, 1, false)}, view.Active},
		{"a challenge does not retract", complete, []view.Incoming{assessed(1, capsule.VerdictChallenges, stranger, false)}, view.Active},
		{"retracting a successor changes nothing", complete, []view.Incoming{related(1, capsule.Supersedes, author, 11, true)}, view.Active},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := view.Derive(subject, test.incoming, test.scope).Lifecycle; got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
	if zero := (view.Facts{}).Lifecycle; zero != view.Unchecked {
		t.Errorf("the zero lifecycle is %v", zero)
	}
}

func TestDeriveSets_7_2(t *testing.T) {
	incoming := []view.Incoming{
		related(9, capsule.Supersedes, author, 11, true),
		related(3, capsule.Supersedes, author, 12, false),
		related(4, capsule.Supersedes, stranger, 12, false), // breaks 6.1
		related(5, capsule.Extends, stranger, 1, false),
		related(5, capsule.Supports, stranger, 1, false),
		related(6, capsule.Extends, author, 1, false),
		related(7, capsule.Extends, stranger, 1, true),
		assessed(20, capsule.VerdictReproduced, stranger, false),
		assessed(21, capsule.VerdictReproduced, author, false),
		assessed(22, capsule.VerdictReproduced, author, true),
		assessed(22, capsule.VerdictReproduced, author, true), // a repeat
		assessed(23, capsule.VerdictChallenges, stranger, true),
		fact(30, capsule.Retract, author, 20),
		fact(31, capsule.Retract, author, 21),
	}
	f := view.Derive(subject, incoming, complete)
	ids := func(bs ...byte) []identity.ID {
		var out []identity.ID
		for _, b := range bs {
			out = append(out, identity.ID{b})
		}
		return identity.SortIDs(out)
	}
	for _, set := range []struct {
		name      string
		got, want []identity.ID
	}{
		{"retractions", f.Retractions, ids(30, 31)},
		{"successors, retracted ones included", f.Successors, ids(3, 9)},
		{"assessments", f.Assessments, ids(20, 21, 22, 23)},
		{"active assessments", f.ActiveAssessments, ids(20, 21)},
	} {
		if !slices.Equal(set.got, set.want) {
			t.Errorf("%s: got %v, want %v", set.name, set.got, set.want)
		}
	}
	if len(f.Verdicts) != 6 || len(f.Relations) != 8 {
		t.Fatalf("%d verdicts, %d relations", len(f.Verdicts), len(f.Relations))
	}
	for i, want := range []view.VerdictCount{
		{Verdict: capsule.VerdictSupports},
		{Verdict: capsule.VerdictChallenges, Retracted: 1},
		{Verdict: capsule.VerdictReproduced, Active: 2, Retracted: 1, Self: 1},
	} {
		if f.Verdicts[i] != want {
			t.Errorf("verdict %v: %+v", want.Verdict, f.Verdicts[i])
		}
	}
	for i, want := range map[int]view.RelationCount{
		3: {Relation: capsule.Extends, Active: 2, Retracted: 1, Self: 1},
		4: {Relation: capsule.Supports, Active: 1},
		6: {Relation: capsule.Supersedes, Active: 1, Retracted: 1, Self: 1},
	} {
		if f.Relations[i] != want {
			t.Errorf("relation %v: %+v", want.Relation, f.Relations[i])
		}
	}
	if !reflect.DeepEqual(f.Scope, complete) || f.ID != subject.ID {
		t.Errorf("scope %+v of %v", f.Scope, f.ID)
	}
}

func TestDeriveIgnoresOrder_7_2(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var incoming []view.Incoming
	for i := range 900 {
		in := view.Incoming{
			Number: uint64(i), Type: capsule.Types()[r.IntN(3)], Actor: identity.Actor{byte(1 + r.IntN(2))},
			Nonce: r.Int64N(20), Retracted: r.IntN(3) == 0,
		}
		// IDs that share many bytes test the whole order of their text.
		for k := range in.Source {
			in.Source[k] = byte(r.IntN(2)) * 0xF8
		}
		switch in.Type {
		case capsule.Publish:
			in.Relation = capsule.Relations()[r.IntN(8)]
		case capsule.Assess:
			in.Verdict = capsule.Verdicts()[r.IntN(6)]
		}
		incoming = append(incoming, in)
	}
	want := view.Derive(subject, incoming, complete)
	for _, set := range [][]identity.ID{want.Retractions, want.Successors, want.Assessments, want.ActiveAssessments} {
		sorted := slices.IsSortedFunc(set, func(a, b identity.ID) int { return strings.Compare(a.String(), b.String()) })
		if !sorted || len(set) == 0 {
			t.Errorf("not in ASCII order, or empty: %v", set)
		}
	}
	for range 20 {
		r.Shuffle(len(incoming), func(i, j int) { incoming[i], incoming[j] = incoming[j], incoming[i] })
		if got := view.Derive(subject, incoming, complete); !reflect.DeepEqual(got, want) {
			t.Fatalf("another order gives other facts:\n%+v\n%+v", got, want)
		}
	}
}

func TestDeriveBearsAnyFact(t *testing.T) {
	incoming := []view.Incoming{
		{},
		{Type: 200},
		{Type: capsule.Assess},
		{Type: capsule.Assess, Verdict: 99},
		{Type: capsule.Publish},
		{Type: capsule.Publish, Relation: 99},
	}
	f := view.Derive(subject, incoming, complete)
	if f.Lifecycle != view.Active || f.Assessments != nil || f.Successors != nil {
		t.Errorf("facts of nonsense: %+v", f)
	}
}
