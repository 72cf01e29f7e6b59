package ui_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"akx/ui/kit"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

func downNow(name string) error {
	return &fault.Unavailable{Code: fault.UnavailableCode, What: name, Detail: "no route", Retry: true}
}

// What services answer live is compared like what they showed when they were followed.
func TestDifferencesOfLiveAnswersStandOnThePage(t *testing.T) {
	w := newWorld(t)
	w.service("den", minute, w.base, w.report, w.next)
	x := w.at(baseRoute(w), at(160, 70))
	x.hides("shown by")
	x.do("L")
	x.shows("correction zer0FJVE… shown by den, hub, lab; not shown by arc", "up to #2, as of 2026-11-29 23:59Z", "den successors 1, assessments 1", "arc successors 0, assessments 1")
}

// An answer stays when its page is left, and when a later question fails.
func TestAnswersStayWithTheirAge(t *testing.T) {
	w := newWorld(t)
	now := clock()
	x := w.at(baseRoute(w), at(160, 70), func(s *setup) { s.config.Options.Clock = func() time.Time { return now } }).do("L")
	x.shows("arc now #2 23:59Z active complete")
	asked := w.asked()
	now = now.Add(3 * time.Minute)
	x.do("r [")
	x.shows("arc asked 3m ago #2 23:59Z active complete", "mirror asked 3m ago PARTIAL: unreachable")
	if w.asked() != asked {
		t.Error("coming back asked again")
	}
	w.remotes["arc"].down = downNow("arc")
	x.do("L")
	x.shows("arc asked 3m ago #2 23:59Z active complete; now unreachable", "arc, mirror: unreachable · L asks again")
	w.remotes["arc"].down, w.remotes["arc"].lacks = nil, map[identity.ID]bool{w.base.ID(): true}
	x.do("L r [")
	x.shows("arc now #2 23:59Z missing: it has not, or withholds, the event")
}

// Each row fills by itself, and says that its service is asked until then.
func TestRowsFillAsServicesAnswer(t *testing.T) {
	w := newWorld(t)
	x := w.at(baseRoute(w), at(160, 70))
	met := false
	w.remotes["arc"].meets = func(context.Context) {
		if !met {
			x.shows("arc asking...", "mirror asking...")
			x.hides("not asked; L asks it")
		}
	}
	w.remotes["lab"].meets = func(ctx context.Context) {
		if met {
			return
		}
		met = true
		x.Send(tick())
		x.shows("arc now #2 23:59Z active complete", "lab #3 22:00Z STALE 2h", "asking...", "mirror now PARTIAL: unreachable")
		x.do("B")
		if ctx.Err() == nil {
			t.Error("the page was left, and lab is still asked")
		}
		x.do("[")
	}
	x.do("L")
	if !met {
		t.Fatal("lab was not asked")
	}
	x.shows("arc now #2 23:59Z active complete", "mirror now PARTIAL: unreachable")
	x.hides("asking...", "lab now")
}

// The top row and the list follow what questions of any kind find out.
func TestServicesAreDownAndUpAgainByAnyQuestion(t *testing.T) {
	w := newWorld(t)
	w.remotes["hub"].down = downNow("hub")
	x := w.at(onBrowse, at(140, 36)).do(": 'search@hub_keys enter")
	x.shows("hub#5 23:48Z down", "hub: no route · R asks again")
	w.remotes["hub"].down = nil
	x.do("R")
	x.shows("hub#5 23:48Z ok")

	w.remotes["mirror"].down = nil
	x.do("s G")
	x.shows("mirror down", "not reached")
	x.do("L")
	x.shows("mirror live", "the last sync failed", "check  ok 00:00Z")
	w.remotes["mirror"].down = downNow("mirror")
	x.do("f")
	x.shows("mirror down", "the last sync failed")
	x.hides("never reached")
}

// A first sync says what it is, not what could be asked meanwhile.
func TestAFirstSyncIsNotCalledLive(t *testing.T) {
	w := newWorld(t)
	x := w.at(onService("arc"), at(120, 36))
	met := 0
	w.remotes["arc"].meets = func(context.Context) {
		if met++; met == 1 {
			x.Send(tick())
			x.shows("state   syncing; . stops it, and what came stays; it is followed once this first sync is complete")
			x.hides("it is asked live")
		}
	}
	x.do("f")
	x.shows("arc#2 23:59Z ok")
}

// What broke off at the first attempt goes on where it was.
func TestABrokenFirstSyncSaysWhereItGoesOn(t *testing.T) {
	w := newWorld(t)
	r := w.remotes["arc"]
	next := desk.Follow{Reached: 1, Tried: r.asOf, Trouble: desk.Trouble{Code: fault.Cancelled, Detail: "x"}}
	if _, _, err := w.store.AcceptPage(t.Context(), r.origin, r.items[:1], next); err != nil {
		t.Fatal(err)
	}
	w.at(onService("arc"), at(120, 36)).shows("stored up to #1, the next sync goes on there", "last sync  did not finish 2026-11-29 23:59Z · f goes on")
}

// A full ID opens its page whether or not the event is held; the start of one must be.
func TestOpenTakesAFullIDThatIsNotHeld(t *testing.T) {
	w := newWorld(t)
	w.give("arc", w.fresh)
	id := w.fresh.ID().String()
	x := w.at(onBrowse).do(":")
	x.Type("open " + id[:12])
	x.do("enter")
	x.shows(id[:12]+" is not held in this cache", "3 capsules")
	x.do(":")
	x.Type("open id:" + id)
	x.do("enter")
	x.shows("L asks the")
	x.hides("As services show it")
	w.remotes["arc"].lacks = map[identity.ID]bool{w.fresh.ID(): true}
	x.do("L")
	x.shows("none of the services that were asked gave it", "arc now missing: it has not, or withholds, the", "mirror now PARTIAL: unreachable")
	x.do("B [")
	x.shows("L asks the", "arc now missing")
	w.remotes["arc"].lacks = nil
	x.do("L")
	x.shows("Two more desks were counted", "arc now")
}

// search@ takes its name with or without a blank, and asks for what is left out.
func TestSearchAtTakesItsNameAsTyped(t *testing.T) {
	w := newWorld(t)
	x := w.at(onBrowse).do(": 'search@_h tab")
	x.shows(":search@ hub")
	x.do("'keys enter")
	x.shows("lexical hits in what hub searched")
	x.do("B : 'search@ enter")
	x.shows("Search at a service [network]", "service       hub")
	x.do("esc Q")
	x.shows("service       hub")
	if n := len(w.remotes["hub"].sought); n != 1 {
		t.Errorf("hub was asked %d times", n)
	}
	x.hides("no service is called")
}

// Without a choice the form begins with a service that ranks.
func TestTheFormBeginsWithAServiceThatRanks(t *testing.T) {
	w := newWorld(t)
	w.remotes["arc"].plain = true
	w.at(onService("arc")).do("L B Q").shows("service       hub")
}

// Every notice is one line of words, with the key that goes on.
func TestNoticesAreOneLine(t *testing.T) {
	w := newWorld(t)
	w.remotes["arc"].down, w.remotes["hub"].down = downNow("arc"), &fault.Unavailable{Code: fault.InvalidResponse, What: "hub", Detail: "a page repeats"}
	x := w.at(baseRoute(w), at(120, 36)).do("L")
	if want := "! arc, mirror: unreachable · hub: its answer breaks the protocol (invalid_response) · L asks again"; !strings.Contains(x.Row(35), want) {
		t.Errorf("the last row is %q, want %q", x.Row(35), want)
	}
	if strings.Contains(x.Row(34), "unreachable") {
		t.Errorf("the notice takes two rows:\n%s", x.Screen())
	}
	w.at(kit.Route{Screen: kit.Found, Query: "service=nope&text=x"}).do("R").shows("no service is called nope")
}
