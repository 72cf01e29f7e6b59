package ui_test

import (
	"strconv"
	"strings"
	"testing"

	"akx/explore/sample"
	"akx/ui/kit"
)

// split is RETRACTED in the set of the sample's hub, and active in that of its lab.
const split = "A hygiene step that keeps joiners between letters"

// unseen is in the set of the sample's hub, and not in that of its lab.
const unseen = "An early hint, no leaks while the cache was down"

// inSet starts at a screen within the set of a service of the sample.
func inSet(t testing.TB, screen, title string, seenBy string) func(*setup) {
	t.Helper()
	r := kit.Route{Screen: screen, SeenBy: seenBy, Query: "type=knowledge.publish"}
	if screen != kit.Browse {
		r.ID, r.Query = titled(t, title), ""
	}
	return from(r)
}

// setScenes are the screens within the set of one followed service.
func setScenes(t testing.TB) []scene {
	lab, hubSet := string(sample.Lab), string(sample.Hub)
	one := func(name string, start func(*setup), keys string) scene {
		return scene{name, []func(*setup){start}, keys}
	}
	return []scene{
		one("set-menu", from(kit.Route{Screen: kit.Browse}), "V j"),
		one("set-browse", inSet(t, kit.Browse, "", lab), "j j"),
		one("set-browse-filtered", inSet(t, kit.Browse, "", lab), "/ 'joiners enter"),
		one("set-links", inSet(t, kit.Links, split, lab), "j"),
		one("set-links-hub", inSet(t, kit.Links, split, hubSet), "j"),
		one("set-versions", inSet(t, kit.Versions, rich, lab), ""),
		one("set-assessments", inSet(t, kit.Review, split, hubSet), "j"),
		one("set-page", inSet(t, kit.Page, split, lab), ""),
		one("set-page-checks", inSet(t, kit.Page, split, lab), "tab"),
		one("set-page-not-given", inSet(t, kit.Page, unseen, lab), ""),
		one("set-gone", inSet(t, kit.Browse, "", "https://gone.example"), ""),
		one("set-links-gone", inSet(t, kit.Links, split, "https://gone.example"), ""),
		{"set-partial", []func(*setup){inWorld(t, func(*world) kit.Route {
			return kit.Route{Screen: kit.Browse, SeenBy: string(origin("hub")), Query: "type=knowledge.publish"}
		}, excepted)}, ""},
		{"set-command", []func(*setup){from(kit.Route{Screen: kit.Browse})}, ": 'seen-by_"},
	}
}

// One capsule is RETRACTED in hub's set and active in lab's; lists, counts, links and
// pages on the way stay in the set that was chosen.
func TestSetOfOneService_9_6(t *testing.T) {
	x := newExplorer(t, at(120, 36)).do("/ 'keeps_joiners enter")
	x.shows("RETRACTED")
	x.do("V")
	x.shows("> everything held", "seen by hub#101", "seen by lab#97 STALE 2d")
	x.do("j j enter")
	x.shows("seen by lab#97 2026-11-27 18:00Z STALE 2d old: complete", "in lab", "text:keeps joiners")
	if row := chosenRow(x); !strings.Contains(row, "active") {
		t.Errorf("in lab's set: %q", row)
	}
	x.shows("at hub RETRACTED") // the preview tells of the others
	x.do("r")
	x.shows("seen by lab#97", "retractions 0", "0: none at this service up to #97")
	x.do("[ enter r")
	x.shows("Links to", "seen by lab#97")
	x.do("v")
	x.shows("seen by lab#97")
	x.do("a")
	x.shows("seen by lab#97")
	x.do("V j enter")
	x.shows("Assessments of", "seen by hub#101", "12m old: complete")
	x.do("[")
	x.shows("Assessments of", "seen by lab#97")
	x.do("V enter r")
	x.shows("Links to it in sample", "0: none in this set")
}

// The page is of the set too; a retraction beyond it is a warning beside its own state.
func TestPageOfASet_9_6(t *testing.T) {
	x := newExplorer(t, at(120, 40), inSet(t, kit.Page, split, string(sample.Lab)))
	x.shows("Text seen by lab#97 2026-11-27 18:00Z STALE 2d", "Lifecycle active as", "no retraction in this set",
		"RETRACTED beyond this set", "held here, shown by hub", "V seen by")
	x.hides("Lifecycle RETRACTED", "RETRACTED by its author on")
	x.do("V j enter")
	x.shows("Text seen by hub#101", "Lifecycle RETRACTED as", "RETRACTED by its author on")
	x.hides("beyond this set")
	x.do("V enter")
	x.shows("Lifecycle RETRACTED in")
	x.hides("seen by")
	x = newExplorer(t, at(80, 24), inSet(t, kit.Page, split, string(sample.Lab)))
	x.shows("sig ok · active seen by lab#97 11-27 STALE 2d complete", "hub RETRACTED")
	x = newExplorer(t, at(60, 16), inSet(t, kit.Page, split, string(sample.Lab)))
	x.shows("active seen by lab#97 STALE 2d complete", "hub RETRACTED")
}

// An event that a set does not hold is no failure: the way on is said in place.
func TestPageThatASetDoesNotHold(t *testing.T) {
	x := newExplorer(t, inSet(t, kit.Page, unseen, string(sample.Lab)))
	x.shows("what lab showed does not hold this event", "V seen by")
	x.hides(" ! ")
	x.do("V enter")
	x.shows("Lifecycle active in")
}

func TestSetStaysInHistoryAndState(t *testing.T) {
	x := newExplorer(t).do(": 'seen-by_lab enter j j j")
	x.shows("seen by lab#97", "> ")
	row := chosenRow(x)
	x.do(": 'kind_hypothesis enter")
	x.shows("seen by lab#97", "kind:hypothesis")
	x.do("enter r")
	x.shows("seen by lab#97")
	for range 2 {
		state, screen := x.root.State(), x.Screen()
		x = newExplorer(t, func(s *setup) { s.config.State = state })
		if x.Screen() != screen {
			t.Fatalf("came back to\n%s\nfrom\n%s", x.Screen(), screen)
		}
	}
	x.do("H")
	x.shows("kind:hypothesis seen by lab")
	x.do("esc [ [ [")
	x.shows("seen by lab#97")
	if got := chosenRow(x); got != row {
		t.Errorf("back on %q, was on %q", got, row)
	}
	x.do("[")
	x.shows("72 capsules ")
	x.hides("seen by")
	x.do("] B") // the list of everything held
	x.shows("72 capsules ")
	x.hides("seen by")
}

// Counts of facets, pages and lists of a set are of what is in it.
func TestSetCountsAgree(t *testing.T) {
	x := newExplorer(t, at(120, 200)).do(": 'seen-by_lab enter")
	all := total(x)
	if listed(x) != all || all >= 72 {
		t.Fatalf("%d rows, counted %d", listed(x), all)
	}
	x.do("f j space esc")
	x.shows("kind:observation", "seen by lab#97")
	if listed(x) != total(x) || total(x) >= all {
		t.Errorf("%d rows, counted %d", listed(x), total(x))
	}
	kinds := total(x)
	x.do("f")
	for _, line := range strings.Split(x.Screen(), "\n") {
		if _, after, ok := strings.Cut(line, "[x] observation"); ok && strings.Trim(after, " │") != strconv.Itoa(kinds) {
			t.Errorf("the facet counts %q, the list %d", after, kinds)
		}
	}
	x.do("esc : 'retracted enter")
	retractedThere := total(x)
	x.do(": 'seen-by enter")
	x.hides("seen by")
	x.shows("lifecycle:RETRACTED")
	if total(x) != retractedThere+1 {
		t.Errorf("%d are retracted here, %d in lab's set", total(x), retractedThere)
	}
}

func TestSetByCommand(t *testing.T) {
	w := newWorld(t)
	x := w.at(onServices).do(": 'seen-by_hub enter")
	x.shows("3 capsules", "seen by hub#5", "RETRACTED")
	x.do(": 'seen-by_arc enter")
	x.shows("arc is not followed to the end", "s lists the services", "seen by hub#5")
	x.do(": 'seen-by_moon enter")
	x.shows("no service is called moon")
	x.do(": 'seen-by_l tab enter")
	x.shows("seen by lab#3", "PARTIAL")
	x.do(": 'active enter")
	x.shows("nothing is called active in a set that is PARTIAL")
	x.do("x V")
	x.shows("Whose set to read, from the cache; nothing is asked", "arc live: not followed to the end")
	x.do("j enter")
	x.shows("arc is not followed to the end")
	x.do("esc s j V")
	x.shows("3 capsules", "seen by hub#5")
	x.do("s k V")
	x.shows("this service is not followed to the end", "f follows it")
	if w.asked() != 0 {
		t.Errorf("%d questions were asked", w.asked())
	}
}

// A kept place may hold anything as whose set it is.
func TestSetOfAnyStateIsHarmless(t *testing.T) {
	for _, origin := range []string{"\x1b[2J\u202e", "https://", strings.Repeat("x", 1<<16), " ", "https://hub.sample.invalid/"} {
		for _, screen := range []string{kit.Browse, kit.Links, kit.Versions, kit.Review, kit.Page} {
			x := newExplorer(t, inSet(t, screen, split, origin))
			x.shows("this service is not followed now")
			if strings.ContainsAny(x.Screen(), "\x1b\u202e") {
				t.Errorf("%q reaches the screen", origin)
			}
			x.do("V")
			x.do("esc V enter")
		}
	}
}

// What came since is told and comes on R; the cursor stays on its row.
func TestSetRefreshKeepsThePlace(t *testing.T) {
	w := newWorld(t)
	w.give("hub", w.fresh)
	x := w.at(onBrowse, at(80, 24)).do(": 'seen-by_hub enter j")
	before := chosenRow(x)
	x.do(": 'sync_hub enter")
	x.shows("3 capsules", "seen by hub#5", "1 new event: R shows it")
	x.do("R")
	x.shows("4 capsules", "seen by hub#6", "Two more desks were counted")
	if chosenRow(x) != before {
		t.Errorf("after R the row is %q, was %q", chosenRow(x), before)
	}
}

// A service that is followed no longer has no set: that is said in place, with a way on.
func TestSetOfAServiceThatIsRemoved(t *testing.T) {
	w := newWorld(t)
	x := w.at(onBrowse).do(": 'seen-by_hub enter")
	x.shows("seen by hub#5")
	x.do("r")
	x.shows("Links", "seen by hub#5")
	x.do("s j x tab enter")
	x.shows("forgotten; the events that it gave stay")
	x.do("[")
	x.shows("this service is not followed now", "V reads everything held")
	x.hides(" ! ")
	x.do("[")
	x.shows("this service is not followed now", "seen by hub.example")
	x.do("V enter")
	x.shows("3 capsules")
	x.hides("seen by", "not followed now")
}

func TestSetTellsItsExceptions(t *testing.T) {
	w := newWorld(t)
	excepted(w)
	x := w.at(onBrowse, at(120, 36)).do(": 'seen-by_hub enter")
	x.shows("PARTIAL, 3 exceptions")
	if row := chosenRow(x); !strings.Contains(row, "PARTIAL") {
		t.Errorf("the row is %q", row)
	}
	x.do("a")
	x.shows("3 of its records are not events here")
	x.do("r")
	x.shows("seen by hub#8", "PARTIAL, 3 of its records are not events here")
}
