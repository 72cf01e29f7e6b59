package ui

import (
	"testing"

	"akx/ui/kit"
)

// ux.md, bug 9: A B C, back twice, open D, forward does nothing, back gives A with
// its place.
func TestHistoryDropsForwardPath(t *testing.T) {
	var h history
	for _, name := range []string{"A", "B", "C"} {
		h.push(kit.Route{Screen: name})
	}
	h.step(-2)
	h.keep(kit.Route{Screen: "A", Cursor: 7})
	h.push(kit.Route{Screen: "D"})
	if h.step(1) {
		t.Error("forward leads somewhere after a new step")
	}
	if !h.step(-1) || h.current().Screen != "A" || h.current().Cursor != 7 {
		t.Errorf("back leads to %+v", h.current())
	}
}

func TestHistoryLastTogglesBetweenTwoPlaces(t *testing.T) {
	var h history
	h.push(kit.Route{Screen: "A"})
	h.push(kit.Route{Screen: "B"})
	for _, want := range []string{"A", "B", "A"} {
		h.jump(h.last)
		if h.current().Screen != want {
			t.Fatalf("at %s, want %s", h.current().Screen, want)
		}
	}
}

func TestHistoryIsBounded(t *testing.T) {
	var h history
	for range 3 * maxVisits {
		h.push(kit.Route{Screen: "x"})
	}
	if len(h.visits) != maxVisits || h.at != maxVisits-1 || h.last != maxVisits-2 {
		t.Errorf("%d visits, at %d, last %d", len(h.visits), h.at, h.last)
	}
}
