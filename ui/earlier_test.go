package ui_test

import (
	"testing"

	"akx/view/identity"
)

// What a followed service gave and withholds now stands under its own rows: its set and
// its answer say different things, and the page says why (9.6).
func TestWhatAServiceWithholdsStandsUnderItsRow(t *testing.T) {
	w := newWorld(t)
	w.remotes["hub"].lacks = map[identity.ID]bool{w.gone.ID(): true}
	w.remotes["hub"].asOf += 5 * minute
	x := w.at(withdrawnRoute(w), at(160, 60))
	x.hides("not shown at")
	x.do("L")
	x.shows("active complete", "not shown at 00:00Z: the retraction "+w.gone.ID().String()[:8], "earlier as #5, ", "it withholds it, or has it")
	w.remotes["hub"].lacks[w.withdrawn.ID()] = true
	x.do("L")
	x.shows("missing: it has not, or withholds, the event", "not shown at 00:00Z: this event, which it gave earlier as #2")
	w.remotes["hub"].lacks = nil
	x.do("L")
	x.hides("not shown at")
}

// A service that contradicted itself is followed anew in two steps, with its settings.
func TestAServiceIsFollowedAnew(t *testing.T) {
	w := newWorld(t)
	x := w.at(onService("lab"), at(120, 36))
	x.shows("a refollow", "a follows it anew")
	x.do("a")
	x.shows("Follow this service anew?", "[ Cancel ]")
	x.do("tab enter")
	x.shows("forgotten how far it was followed; f follows it from the start", "none seen")
	services, err := w.store.Services(t.Context())
	if err != nil || len(services) != 4 {
		t.Fatalf("%+v, %v", services, err)
	}
	follow, err := w.store.Follow(t.Context(), origin("lab"))
	if err != nil || follow.Complete || follow.Reached != 0 || follow.Faults != nil {
		t.Errorf("%+v, %v", follow, err)
	}
	x.do("f")
	x.shows("lab#3")
	if w.asked() == 0 {
		t.Error("nothing was asked")
	}
}
