package capsule

import (
	"slices"
	"strings"
	"testing"

	"akx/view/fault"
	"akx/view/identity"
)

// TestTargetRulesOf6And7 holds the whole table: each link against each kind of
// target, of the same actor and older unless the case says otherwise.
func TestTargetRulesOf6And7(t *testing.T) {
	pub := func(k Kind) Target { return Target{Type: Publish, Kind: k, Actor: alice.Actor(), Nonce: 5} }
	assessment := Target{Type: Assess, Actor: alice.Actor(), Nonce: 5}
	retraction := Target{Type: Retract, Actor: alice.Actor(), Nonce: 5}
	anyPublication := func(k Kind) bool { return true }
	only := func(k Kind) func(Kind) bool { return func(other Kind) bool { return k == other } }
	for _, c := range []struct {
		source       Type
		relation     Relation
		publications func(Kind) bool
		assessments  bool
		own          bool
	}{
		{Publish, DerivedFrom, anyPublication, true, false},
		{Publish, Addresses, only(Question), false, false},
		{Publish, Tests, only(Hypothesis), false, false},
		{Publish, Extends, anyPublication, false, false},
		{Publish, Supports, anyPublication, true, false},
		{Publish, Contradicts, anyPublication, true, false},
		{Publish, Supersedes, anyPublication, false, true},
		{Publish, Contains, anyPublication, false, false},
		{Assess, 0, anyPublication, false, false},
		{Retract, 0, anyPublication, true, true},
	} {
		source := Target{Type: c.source, Actor: alice.Actor(), Nonce: 6}
		check := func(what string, target Target, valid bool) {
			r := CheckLink(source, c.relation, target)
			if (r == nil) != valid {
				t.Errorf("%v %v to %s: %v, want valid %v", c.source, c.relation, what, r, valid)
			}
			if r != nil && (r.Step != fault.StepTarget || r.Code != fault.InvalidTarget) {
				t.Errorf("%v %v to %s: %v", c.source, c.relation, what, r)
			}
		}
		for _, k := range Kinds() {
			valid := c.publications(k)
			check(k.String(), pub(k), valid)
			other := pub(k)
			other.Actor = bob.Actor()
			check(k.String()+" of another actor", other, valid && !c.own)
			same := pub(k)
			same.Nonce = 6
			check(k.String()+" of the same nonce", same, valid && !c.own)
			newer := pub(k)
			newer.Nonce = 7
			check(k.String()+" of a greater nonce", newer, valid && !c.own)
		}
		check("an assessment", assessment, c.assessments)
		check("a retraction", retraction, false)
		check("nothing", Target{}, false)
	}
}

func TestLinksThatAnEventCannotHave(t *testing.T) {
	target := Target{Type: Publish, Kind: Question, Nonce: 1}
	for _, c := range []struct {
		source   Type
		relation Relation
	}{{Publish, 0}, {Publish, 200}, {Assess, Tests}, {Retract, Supersedes}, {0, 0}, {9, Tests}} {
		if CheckLink(Target{Type: c.source, Nonce: 2}, c.relation, target) == nil {
			t.Errorf("type %d, relation %d passed", c.source, c.relation)
		}
	}
}

func TestCheckTargetNamesThePlace(t *testing.T) {
	link := Link{Tests, identity.ID{7}}
	p := sign(t, alice, 9, capsuleOf(Inference, Link{Extends, identity.ID{7}}, link))
	if r := CheckTarget(p, link, Target{Type: Publish, Kind: Question}); r == nil || r.Path != "/event/payload/relations/1/target" {
		t.Error(r)
	}
	a := sign(t, alice, 9, reportOn(identity.ID{7}, VerdictSupports))
	if r := CheckTarget(a, Link{Target: identity.ID{7}}, Target{Type: Assess}); r == nil || r.Path != "/event/payload/target" {
		t.Error(r)
	}
	if CheckTarget(nil, link, Target{Type: Publish, Kind: Hypothesis}) == nil {
		t.Error("a zero event passed")
	}
}

// TestDependenciesOf8_2 covers distinct targets in ASCII order of their text,
// which is not the order of their bytes.
func TestDependenciesOf8_2(t *testing.T) {
	a, b, c := identity.ID{0xff}, identity.ID{0x00, 1}, identity.ID{0x6b}
	p := sign(t, alice, 1, capsuleOf(Inference, Link{Extends, a}, Link{Tests, b}, Link{Supports, a}, Link{Extends, c}))
	var got []string
	for _, id := range Dependencies(p) {
		got = append(got, id.String())
	}
	if len(got) != 3 || !slices.IsSorted(got) || !strings.HasPrefix(got[0], "A") {
		t.Fatal(got)
	}
	if len(Links(p)) != 4 || Links(p)[2] != (Link{Supports, a}) {
		t.Fatal(Links(p))
	}
	r := sign(t, alice, 2, RetractPayload{Target: a, Reason: "Why."})
	if ids := Dependencies(r); len(ids) != 1 || ids[0] != a || Links(r)[0].Relation != 0 {
		t.Fatal(ids)
	}
	if got := TargetOf(p); got != (Target{Publish, Inference, alice.Actor(), 1}) {
		t.Fatal(got)
	}
	if got := TargetOf(r); got != (Target{Retract, 0, alice.Actor(), 2}) {
		t.Fatal(got)
	}
}
