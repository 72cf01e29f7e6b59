package ui_test

import (
	"strings"
	"testing"
)

// An origin is typed with its scheme, as it is pasted, or without it.
func TestAddAServiceByItsOrigin(t *testing.T) {
	for _, typed := range []string{"https://moon.example:8443", "moon.example:8443"} {
		x := newWorld(t).at(onServices).do("+ '" + typed + " enter")
		x.shows("https://moon.example:8443")
		x.hides("Add a service", "https://https")
	}
	x := newWorld(t).at(onServices).do("+ 'https://https://moon.example/ enter")
	x.shows("its spelling as an origin is", "https://moon.example  ")
	x.hides("invalid_request")
}

// The list of services opens on the one that a notice is about, and stays where it is.
func TestServicesOpenOnTheTroubledOne(t *testing.T) {
	w := newWorld(t)
	x := w.at(onServices)
	on := func(name string) {
		t.Helper()
		if row := chosenRow(x); !strings.HasPrefix(row, "│ > "+name) {
			t.Errorf("the cursor is on %q, not on %s", row, name)
		}
	}
	x.do("j s") // pressed here, it stays
	on("hub")
	x.do("B s") // the one that was chosen last
	on("hub")
	x.do("B : 'sync_lab enter s")
	on("lab")
	x.do("k k F")
	x.shows("mirror: connection refused · s, then f tries again")
	on("arc")
	asked := w.remotes["mirror"].asked
	x.do("s")
	on("mirror")
	x.do("f")
	if w.remotes["mirror"].asked == asked {
		t.Error("f did not ask the service that the notice was about")
	}
	x.do("k B s") // the notice of the last failure is about it again
	on("mirror")
	x.do("k s")
	on("lab")
}

// Where the top row is too narrow, what is in trouble or at work stands in it first.
func TestTopRowTellsTroubleFirst(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		columns   int
		keys, top string
	}{
		{120, "s F B", "arc#2 23:59Z ok · hub#5 23:48Z ok · lab#3 contradicts itself · mirror down"},
		{80, "s F B", "lab#3 contradicts itself · mirror down +2"},
		{60, "s F B", "lab#3 contradicts itself +3"},
		{60, "s F Q esc Q 'joiners enter", "2 of 4 in trouble"},
	} {
		x := w.at(onBrowse, at(c.columns, 24)).do(c.keys)
		if top, _, _ := strings.Cut(x.Screen(), "\n"); !strings.Contains(top, c.top) {
			t.Errorf("%d columns: %q", c.columns, top)
		}
	}
}
