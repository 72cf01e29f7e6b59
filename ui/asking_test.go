package ui_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"akx/ui/kit"
	"akx/view/desk"
	"akx/view/fault"
)

// The form's own words stand for what the command line has flags for.
func TestServiceIsChangedInItsForm(t *testing.T) {
	w := newWorld(t)
	x := w.at(onService("hub"), at(120, 36)).do("E")
	x.shows("Change a service", "> name          hub", "private       no", "CA file")
	x.shows("its origin stays https://hub.example")
	x.do("'! enter")
	x.shows("a service's name is 1 to 32", "such as hub")
	x.hides("--name")
	x.do("backspace backspace backspace backspace 'zoo tab space tab 'ca.pem enter")
	x.shows("changed zoo; nothing was asked of it", "> zoo", "What is known of it · zoo", "private addresses are allowed", "its own CA")
	want, err := filepath.Abs("ca.pem")
	if err != nil {
		t.Fatal(err)
	}
	v, err := w.store.Services(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(v, func(v desk.Service) bool { return v.Name == "zoo" })
	if i < 0 || v[i].Origin != origin("hub") || !v[i].AllowPrivate || v[i].CAFile != want || !v[i].Enabled {
		t.Fatalf("services %+v", v)
	}
	x.do("E tab tab ctrl+u enter")
	x.hides("its own CA")
	x.shows("private addresses are allowed")
	if w.asked() != 0 {
		t.Errorf("%d questions were asked", w.asked())
	}
}

// The keys of the footer act on the service that was added last.
func TestCursorStandsOnTheAddedService(t *testing.T) {
	w := newWorld(t)
	x := w.at(onService("arc"), at(120, 36)).do("+ 'here.example tab tab tab 'ca.pem enter")
	x.shows("> here.example", "What is known of it · here.example", "its own CA")
	x.do("e")
	v, err := w.store.Services(t.Context())
	if err != nil || v[1].Name != "here.example" || v[1].Enabled || !v[0].Enabled {
		t.Errorf("services %+v, %v", v, err)
	}
	x.do("j k k")
	x.Send(tick())
	x.shows("> arc")
}

// Where the checks are hidden, the answer of L is told in words.
func TestRecheckIsToldWhereItsPaneIsHidden(t *testing.T) {
	w := newWorld(t)
	for _, size := range [][2]int{{80, 24}, {60, 16}} {
		x := w.at(withdrawnRoute(w), at(size[0], size[1]))
		x.shows("L recheck")
		x.do("L")
		words := strings.Join(strings.Fields(x.Screen()), " ")
		for _, want := range []string{"hub: RETRACTED, complete", "lab: ", "mirror: unreachable", "tab shows the checks"} {
			if !strings.Contains(words, want) {
				t.Errorf("at %v the screen does not say %q:\n%s", size, want, x.Screen())
			}
		}
	}
	x := w.at(withdrawnRoute(w), at(80, 24)).do("L j")
	x.shows("arc not shown")
	x.do("tab L")
	x.hides("tab shows the checks")
}

// ownWords is an error whose words are akx's own, as those of a connection are.
type ownWords struct{ error }

func (o ownWords) OwnWords() string { return o.Error() }

// Why a service was not asked stands on the page as long as its answer would.
func TestReasonStandsOnThePage(t *testing.T) {
	w := newWorld(t)
	w.remotes["mirror"].down = &fault.Unavailable{Code: fault.UnavailableCode, What: "mirror", Err: ownWords{errors.New("nobody that is trusted signed its certificate")}}
	w.remotes["arc"].down = &fault.Unavailable{Code: fault.PermissionDenied, What: "arc", Detail: mark}
	x := w.at(baseRoute(w), at(160, 60)).do("L j")
	x.shows("arc now PARTIAL: it refuses to answer", "mirror now PARTIAL: unreachable: nobody that is trusted signed")
	x.hides(mark)
}

// The table and the top row follow what another process does, together.
func TestServicesFollowOutsideChanges(t *testing.T) {
	w := newWorld(t)
	x := w.at(onService("mirror"), at(120, 36))
	if err := w.store.PutService(t.Context(), desk.Service{Name: "early", Origin: origin("early"), Enabled: true}); err != nil {
		t.Fatal(err)
	}
	w.follow("mirror", 1, desk.Trouble{}, nil)
	x.hides("early")
	x.Send(tick())
	x.shows("early live", "early  https://early.example", "mirror#1", "> mirror https://mirror.example")
	x.hides("mirror down", "never reached")
}

func TestServiceThatAnswersIsNotSaidToBeDown(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		code fault.Code
		want string
	}{{fault.PermissionDenied, "refuses"}, {fault.InvalidResponse, "fails"}} {
		w.follow("mirror", 0, desk.Trouble{Code: c.code, Detail: "no"}, nil)
		x := w.at(onService("mirror"), at(120, 36))
		x.shows("mirror "+c.want, "https://mirror.example             "+c.want)
		x.hides("never reached", "down")
	}
}

// What is not shown of a long list is counted, and an endless reason is cut.
func TestDetailOfAServiceIsBounded(t *testing.T) {
	w := newWorld(t)
	var faults []desk.ServiceFault
	for i := range 8 {
		faults = append(faults, desk.ServiceFault{Kind: desk.CheckpointBack, Before: uint64(20 - i), Now: uint64(i)})
	}
	w.follow("hub", 5, desk.Trouble{Code: fault.InvalidResponse, Detail: strings.Repeat("endless ", 400)}, faults)
	w.remotes["hub"].down = &fault.Unavailable{Code: fault.InvalidResponse, What: "hub", Detail: strings.Repeat("forever", 500)}
	for _, size := range [][2]int{{120, 60}, {80, 40}, {60, 50}} {
		x := w.at(onService("hub"), at(size[0], size[1])).do("L j k")
		x.shows("contradictions 8", "and 3 more, older", "f tries again", "L tries again", "numbers of its own")
		for _, word := range []string{"endless", "forever"} {
			rows := 0
			for row := range strings.Lines(x.Screen()) {
				if strings.Contains(row, word) {
					rows++
				}
			}
			if rows < 1 || rows > 3 {
				t.Errorf("at %v %q stands in %d rows:\n%s", size, word, rows, x.Screen())
			}
		}
	}
}

func TestSearchTakesALimit(t *testing.T) {
	w := newWorld(t)
	x := w.at(onService("hub")).do("Q 'keys tab tab tab backspace backspace")
	for _, typed := range []string{"0", "101", "x"} {
		x.do("'" + typed + " enter")
		x.shows("the limit is a number from 1 to 100", "Search at a service")
		x.do("ctrl+u")
	}
	x.do("'7 enter")
	hub := w.remotes["hub"]
	if len(hub.sought) != 1 || hub.sought[0].Limit != 7 {
		t.Fatalf("asked %+v", hub.sought)
	}
	x.do("R")
	if len(hub.sought) != 2 || hub.sought[1].Limit != 7 {
		t.Errorf("asked again %+v", hub.sought)
	}
}

// Syncs that run together are summed up, in whatever order they end.
func TestSyncsAreSummedUp(t *testing.T) {
	w := newWorld(t)
	w.give("hub", w.fresh)
	w.follow("lab", 3, desk.Trouble{}, nil)
	x := w.at(onBrowse, at(120, 36))
	x.Hold()
	x.do(": 'sync enter")
	x.Release()
	x.shows("3 followed: 1 new event, R shows it · mirror: connection refused · s, then f tries again")
	x.do(": 'sync_hub_lab enter")
	x.shows("2 followed: nothing new")
	x.hides("connection refused")
	x.do(": 'sync_hub enter")
	x.shows("hub: nothing new up to #6")
}

func TestCommandsCompleteTheNamesOfServices(t *testing.T) {
	w := newWorld(t)
	x := w.at(onBrowse).do(": 'sync_h tab")
	x.shows(":sync hub")
	x.do("'_l tab")
	x.shows(":sync hub lab")
	x.do("esc : 'search@")
	x.shows("tab completes: search@arc  search@hub  search@lab  search@mirror")
	x.do("'m tab 'keys")
	x.shows(":search@mirror keys")
	x.do("enter")
	if n := w.remotes["mirror"].asked; n != 1 || w.asked() != n {
		t.Errorf("mirror was asked %d times, all services %d times", n, w.asked())
	}
	newExplorer(t, from(kit.Route{Screen: kit.Browse})).do(": 'sync_h tab").shows(":sync h")
}
