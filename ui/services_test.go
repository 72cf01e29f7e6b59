package ui_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"akx/cache/storetest"
	"akx/ui"
	"akx/ui/kit"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// at starts an explorer on the world, at a route.
func (w *world) at(route kit.Route, changes ...func(*setup)) *explorer {
	w.t.Helper()
	return newExplorer(w.t, append([]func(*setup){w.start, from(route)}, changes...)...)
}

var (
	onServices = kit.Route{Screen: kit.Services}
	onBrowse   = kit.Route{Screen: kit.Browse}
)

func onService(name string) kit.Route { return kit.Route{Screen: kit.Services, Query: name} }

// Looking at services, pages and lists asks nobody anything.
func TestLookingAsksNoService(t *testing.T) {
	w := newWorld(t)
	w.at(onServices).do("j j j tab G tab s B enter tab s Q esc [ R H")
	if w.asked() != 0 {
		t.Errorf("%d questions were asked", w.asked())
	}
}

// A sync goes on while other places are read, can be stopped, and keeps what came.
func TestSyncGoesOnWhileReading(t *testing.T) {
	w := newWorld(t)
	for n := range 6 {
		w.give("hub", storetest.Publish(t, storetest.Stamp{Signer: 5, Nonce: int64(n + 1)}, storetest.Titled("Late "+string(rune('A'+n)))))
	}
	x := w.at(onService("hub"))
	pages := 0
	w.remotes["hub"].meets = func(ctx context.Context) {
		if pages++; pages != 4 { // the description, what was given last, then a page
			return
		}
		x.Send(ui.Pulse())
		x.shows("hub syncing 33%", "syncing 33% [######..............], 2 events")
		x.do("B G")
		x.shows("> H ok  active, 1 succ    2025-01 Cache keys need the lang", "hub syncing")
		x.do("enter")
		x.shows("Cache keys need the language", "As services show it")
		x.do("s")
		x.shows("syncing 33%")
		if ctx.Err() != nil {
			t.Error("leaving the screen ended the sync")
		}
		x.do("f")
		x.shows("a sync of this service runs already")
		x.do(".")
		if !errors.Is(ctx.Err(), context.Canceled) {
			t.Error("the sync was not stopped")
		}
	}
	x.do("f")
	x.shows("hub: stopped, and what came stays: 2 new events; R shows them")
	x.hides("syncing")
	x.do("B")
	x.shows("Late A", "Late B")
	x.hides("Late C")

	w.remotes["hub"].meets = nil
	x.do(": 'sync_hub enter")
	x.shows("hub: 4 new events: R shows them", "hub#11 23:59Z ok")
}

// What a sync brought is told, moves nothing, and comes on R: the cursor stays.
func TestSyncMovesNoListUntilRefresh(t *testing.T) {
	w := newWorld(t)
	w.give("hub", w.fresh)
	x := w.at(onBrowse, at(80, 24)).do("j")
	before := chosenRow(x)
	x.do(": 'sync_hub enter")
	x.shows("hub: 1 new event: R shows it", "3 capsules")
	if chosenRow(x) != before {
		t.Errorf("the row is %q, was %q", chosenRow(x), before)
	}
	x.do("R")
	x.shows("4 capsules", "Two more desks were counted")
	if chosenRow(x) != before {
		t.Errorf("after R the row is %q, was %q", chosenRow(x), before)
	}
	x.Send(tick())
	x.hides("new: R")
	x.do(": 'sync_hub enter")
	x.shows("hub: nothing new up to #6")
}

func TestSyncOfAllTellsWhatFailed(t *testing.T) {
	w := newWorld(t)
	w.give("lab", w.report)
	x := w.at(onServices).do("F")
	x.shows("arc#2 23:59Z ok", "hub#5 23:48Z ok", "lab#4 contradicts itself", "mirror down", "mirror: connection refused · s, then f tries again")
	x.do("j j j")
	x.shows("not reached", "last sync  failed 2026-11-30 00:00Z: mirror: connection refused · f tries again")
}

// An enumeration that broke off is PARTIAL, with its page and its reason.
func TestSyncThatBreaksOffIsPartial(t *testing.T) {
	w := newWorld(t)
	for n := range 4 {
		w.give("hub", storetest.Publish(t, storetest.Stamp{Signer: 5, Nonce: int64(n + 1)}))
	}
	hub := w.remotes["hub"]
	hub.meets = func(context.Context) {
		if hub.asked == 4 {
			hub.down = &fault.Unavailable{Code: fault.UnavailableCode, What: "hub", Detail: "timeout", Retry: true}
		}
	}
	x := w.at(onService("hub")).do("f")
	x.shows("hub#5 PARTIAL", "PARTIAL page 2", "last sync  failed 2026-11-30 00:00Z: hub: timeout · f tries again", "hub: timeout · s, then f tries again",
		"it named #9 since", "followed 4   0")
}

func TestCheckEndsWithItsScreen(t *testing.T) {
	w := newWorld(t)
	x := w.at(onService("hub"))
	ended := false
	w.remotes["hub"].meets = func(ctx context.Context) {
		x.shows("checking...")
		x.do("B")
		ended = errors.Is(ctx.Err(), context.Canceled)
	}
	x.do("L")
	if !ended {
		t.Error("the check went on after its screen was left")
	}
	x.shows("3 capsules")
	x.hides("cancel", "! ")

	w.remotes["hub"].meets = nil
	x.do("s k L")
	if w.remotes["arc"].asked != 1 {
		t.Errorf("arc was asked %d times", w.remotes["arc"].asked)
	}
	x.shows("ok 00:00Z: it answered as a service of this origin", "ranked search  lexical hybrid psychic", "peer hints 2 (not contacted", "https://peer-a.example")
	x.do("G L")
	x.shows("check  connection refused · L tries again")
}

func TestServicesAreAddedChangedAndForgotten(t *testing.T) {
	w := newWorld(t)
	x := w.at(onServices, at(120, 36)).do("+ 'desk.example tab 'hub enter")
	x.shows("Add a service", "another service has the name hub", "private       no")
	x.do("backspace backspace backspace 'desk enter")
	x.shows("added desk; nothing was asked of it: f follows it, L checks it", "https://desk.example", "desk live")
	services, err := w.store.Services(t.Context())
	if err != nil || len(services) != 5 || services[1].Name != "desk" || services[1].AllowPrivate || !services[1].Enabled {
		t.Fatalf("services %+v, %v", services, err)
	}
	x.do("+ 'own.example tab tab space enter")
	x.shows("own.example")
	x.do("G")
	x.shows("private addresses are allowed for this service")

	x.do("g g e")
	x.shows("disabled: nothing is asked of it; what it gave stays")
	x.do("f")
	x.shows("this service is disabled; e enables it")
	x.do("e w")
	x.shows("asked about a page when it is opened")
	x.do("w")
	x.shows("never asked about a page on its own account")
	x.do("x")
	x.shows("[ Cancel ]", "The events that it")
	x.do("enter")
	x.shows("https://arc.example")
	x.do("x tab enter")
	x.hides("https://arc.example")
	x.shows("forgotten; the events that it gave stay")
	if w.asked() != 0 {
		t.Errorf("%d questions were asked", w.asked())
	}
}

func TestReadOnlyKeepsTheServices(t *testing.T) {
	w := newWorld(t)
	x := w.at(onServices, func(s *setup) { s.config.Options.ReadOnly = true })
	for _, key := range []string{"+", "x", "e", "w"} {
		x.Press(key)
		x.shows("read-only: the list of services is not changed")
	}
	x.do("j f")
	x.shows("hub: nothing new up to #5")
}

func TestOfflineAsksNobodyAndSaysSo(t *testing.T) {
	w := newWorld(t)
	w.offline = true
	for _, name := range []string{"arc", "hub", "lab"} {
		w.ask(name, desk.AskOnOpen)
	}
	x := w.at(onServices)
	x.shows("OFFLINE")
	for _, keys := range []string{"f", "F", "L", "Q", ": 'sync enter", ": 'search@hub_keys enter", "B enter L"} {
		x.do(keys)
		x.shows("offline: akx was started with --offline", "OFFLINE")
	}
	x.shows("Keys: language and region", "As services show it", "arc unchecked (offline)")
	if w.asked() != 0 {
		t.Errorf("%d questions were asked", w.asked())
	}
}

// A recheck tells missing from unreachable, and what it stored is read at once.
func TestRecheckTellsMissingFromUnreachable(t *testing.T) {
	w := newWorld(t)
	w.remotes["hub"].lacks = map[identity.ID]bool{w.base.ID(): true}
	correction := storetest.Assess(t, storetest.Stamp{Signer: 6, Nonce: 1}, w.base.ID(), capsule.VerdictSupports)
	w.give("arc", correction)
	x := w.at(baseRoute(w), at(120, 60))
	x.shows("arc unchecked (not asked; L asks it)", "Assessments 1 active")
	x.do("L")
	x.shows("arc now #3 23:59Z active complete", "hub #5 23:48Z active complete", "hub now", "missing: it has not, or", "mirror now PARTIAL: unreachable",
		"lab #3 22:00Z STALE 2h PARTIAL: it", "lab now #3 22:00Z PARTIAL: it", "Assessments 2 active", "arc successors 0, assessments 2")
	x.shows("mirror: unreachable · L asks again")
}

// Where there is one pane, its title names the services whose set says otherwise.
func TestTitleNamesWhoShowsOtherwise(t *testing.T) {
	w := newWorld(t)
	w.at(withdrawnRoute(w), at(80, 24)).shows("sig ok · RETRACTED in this cache · lab PARTIAL · tab: checks")
	w.at(withdrawnRoute(w), at(60, 16)).shows("sig ok · RETRACTED in this cache · tab: checks")
	w.at(baseRoute(w), at(80, 24)).shows("sig ok · active, 1 succ in this cache · lab PARTIAL · tab: checks")
}

// An answer that has become old is not said to be what a service shows now.
func TestRecheckBecomesStale(t *testing.T) {
	w := newWorld(t)
	now := clock()
	x := w.at(baseRoute(w), at(120, 60), func(s *setup) { s.config.Options.Clock = func() time.Time { return now } }).do("L")
	x.shows("arc now #2 23:59Z active complete")
	now = now.Add(3 * time.Hour)
	x.shows("arc asked 3h ago #2 23:59Z active complete", "hub #5 23:48Z STALE 3h active")
	x.do("L")
	x.shows("arc now #2 23:59Z active complete")
}

// Only a service whose setting says so is asked when a page opens, once.
func TestAskOnOpen(t *testing.T) {
	w := newWorld(t)
	for name, ask := range map[string]desk.AskWhen{"arc": desk.AskOnOpen, "hub": desk.AskOnOpen, "mirror": desk.AskNever} {
		w.ask(name, ask)
	}
	x := w.at(baseRoute(w), at(120, 60))
	x.shows("arc now #2 23:59Z active complete", "hub #5 23:48Z active complete", "mirror unchecked (never asked about pages)")
	asked := w.remotes["arc"].asked
	if asked == 0 || w.asked() != asked {
		t.Errorf("%d questions, %d of them to arc", w.asked(), asked)
	}
	x.do("R")
	if w.remotes["arc"].asked != asked {
		t.Error("a refresh asked again")
	}
	x.do("L")
	if w.remotes["mirror"].asked != 0 || w.remotes["hub"].asked == 0 {
		t.Errorf("mirror was asked %d times, hub %d times", w.remotes["mirror"].asked, w.remotes["hub"].asked)
	}
}

// A page that is not held may be had from a service, on the user's key.
func TestPageFromAService(t *testing.T) {
	w := newWorld(t)
	w.give("arc", w.fresh)
	x := w.at(kit.Route{Screen: kit.Page, ID: w.fresh.ID().String()})
	x.shows("is not held", "L asks the")
	x.do("L")
	x.shows("Two more desks were counted", "arc now")

	x = w.at(kit.Route{Screen: kit.Page, ID: strings.Repeat("A", 43)}).do("L")
	x.shows("none of the services that were asked gave it")
}

// What waits is completed from services on the user's key, and told.
func TestWaitingEventsAreCompleted(t *testing.T) {
	w := newWorld(t)
	late := storetest.Publish(t, storetest.Stamp{Signer: 5, Nonce: 1}, storetest.Titled("Left alone"), storetest.Relate(capsule.Extends, w.fresh.ID()))
	accept(t, w.store, wire.Pending, late)
	x := w.at(kit.Route{Screen: kit.Waiting}).do("L")
	x.shows("services gave 0 of 1 missing events", "connection refused", "Left alone")
	w.give("arc", w.fresh)
	x.do("L")
	x.shows("services gave 1 of 1 missing events", "nothing waits")
	x.do("B")
	x.shows("Left alone", "Two more desks were coun")
}

// The answer of a recheck that comes after its page was left is dropped.
func TestLateRecheckIsDropped(t *testing.T) {
	w := newWorld(t)
	x := w.at(onBrowse).do("G")
	before := x.Screen()
	x.do("enter")
	x.Hold()
	x.do("L [")
	x.Release()
	if x.Screen() != before {
		t.Errorf("after a late answer:\n%s", x.Screen())
	}
}

func TestRemoteSearch(t *testing.T) {
	w := newWorld(t)
	hub := w.remotes["hub"]
	hub.says = "close to " + mark
	hub.covers = wire.Coverage{Reasons: []string{"approximate", "timeout"}}
	w.give("hub", w.fresh)
	x := w.at(onService("hub"), at(120, 36)).do("L Q 'desks tab tab space enter")
	if len(hub.sought) != 1 || hub.sought[0].Mode != wire.Hybrid || hub.sought[0].Text != "desks" {
		t.Fatalf("asked %+v", hub.sought)
	}
	x.shows("hybrid hits in what hub searched", "Two more desks were counted", "not exhaustive: it searches approximately, it ran out of time",
		"hybrid, bm25-v1", "it says   close to "+mark, "hub up to #6, as of 2026-11-29 23:59Z")
	x.do("enter")
	x.shows("Two more desks were counted", "As services show it")
	x.do("[ ] [")
	if len(hub.sought) != 1 {
		t.Errorf("going back asked again: %d", len(hub.sought))
	}
	x.shows("hybrid hits in what hub searched")
	x.do("R")
	if len(hub.sought) != 2 {
		t.Errorf("R asked %d times in all", len(hub.sought))
	}
	state := x.root.State()

	x = newExplorer(t, w.start, func(s *setup) { s.config.State = state })
	x.shows("not asked yet: R sends this text to hub")
	if len(hub.sought) != 2 {
		t.Error("the start asked a service by itself")
	}
}

func TestRemoteSearchWithoutHitsOrService(t *testing.T) {
	w := newWorld(t)
	x := w.at(onBrowse).do(": 'search@lab_zzz enter")
	x.shows("no hit in what lab searched; that says nothing about what is known elsewhere")
	x.hides("no knowledge")
	x.do(": 'search@nobody_zzz enter")
	x.shows("no service is called nobody")
	x.do(": 'search@lab enter")
	x.shows("Search at a service [network]", "service       lab")
	x.do("enter")
	x.shows("Search at a service [network]", "invalid_request")
	if n := len(w.remotes["lab"].sought); n != 1 {
		t.Errorf("lab was asked %d times", n)
	}
}

// What services say is foreign: it stays in its pane, and out of akx's own rows.
func TestHostileServices(t *testing.T) {
	for name, attack := range attacks {
		w := newWorld(t)
		w.refuse(attack)
		hub := w.remotes["hub"]
		hub.says, hub.modes = attack, []string{"lexical", attack}
		w.follow("lab", 3, desk.Trouble{Code: fault.InvalidResponse, Detail: attack}, nil)
		w.remotes["mirror"].down = &fault.Unavailable{Code: fault.Code(attack), What: attack, Detail: attack, Hint: attack}
		for _, s := range []struct {
			route kit.Route
			keys  string
		}{
			{onService("hub"), "L tab G"}, {onService("lab"), "tab G"}, {onService("mirror"), "L j"}, {kit.Route{Screen: kit.Exceptions, Query: "hub"}, "j"},
			{onService("hub"), ": 'search@hub_keys enter j"}, {onService("hub"), "L Q tab tab space"}, {onService("mirror"), ": 'search@mirror_keys enter j"},
			{baseRoute(w), "L j tab G"},
		} {
			for _, size := range goldenSizes {
				x := w.at(s.route, at(size[0], size[1])).do(s.keys)
				where := name + " on " + s.route.Screen + " after " + s.keys
				x.fits(where, size[0], size[1])
				x.harmless(where)
				if strings.Contains(x.Row(0), mark) {
					t.Errorf("%s: foreign text in the top row %q", where, x.Row(0))
				}
				if s.route.Screen == kit.Page && strings.Contains(strings.Join(strings.Split(x.Screen(), "\n")[:size[1]-4], "\n"), mark) {
					t.Errorf("%s: a service's words stand among the checks:\n%s", where, x.Screen())
				}
			}
		}
	}
}
