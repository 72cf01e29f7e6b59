package view_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
)

// Many links come out as few do: distinct, and in the ASCII order of their IDs, even
// where most IDs begin alike.
func TestDeriveOrdersManyLinks(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, alike := range []int{0, 2, 6, 20} {
		var incoming []view.Incoming
		for len(incoming) < 5000 {
			var id identity.ID
			for i := alike; i < len(id); i++ {
				id[i] = byte(r.Uint32())
			}
			in := view.Incoming{Source: id, Type: capsule.Assess, Verdict: capsule.VerdictSupports, Number: uint64(len(incoming))}
			incoming = append(incoming, in, in)
		}
		r.Shuffle(len(incoming), func(i, j int) { incoming[i], incoming[j] = incoming[j], incoming[i] })
		got := view.Derive(view.Subject{}, incoming, view.Scope{Origin: view.ThisCache, Complete: true}).Assessments
		text := func(a, b identity.ID) int { return a.Compare(b) }
		if len(got) != len(incoming)/2 || !slices.IsSortedFunc(got, text) {
			t.Errorf("%d bytes alike: %d of %d links, sorted %v", alike, len(got), len(incoming)/2, slices.IsSortedFunc(got, text))
		}
	}
}
