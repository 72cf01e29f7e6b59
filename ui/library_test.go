package ui_test

import (
	"context"
	"testing"

	"akx/cache/storetest"
	"akx/explore"
	"akx/ui/kit"
	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/memory"
	"akx/view/wire"
)

// accept puts events into a library and fails unless each has the wanted status.
func accept(t testing.TB, lib explore.Library, want wire.Status, events ...capsule.Event) {
	t.Helper()
	items := make([]wire.Item, len(events))
	for i, e := range events {
		items[i] = wire.Item{Offer: capsule.OfferOf(e)}
	}
	outcomes, err := lib.Accept(t.Context(), wire.Source{Kind: wire.FromFile, Name: "notes.jsonl"}, items)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outcomes {
		if o.Status != want {
			t.Fatalf("status %d, want %d: %v", o.Status, want, o.Refusal)
		}
	}
}

// waitingLibrary holds one event, and one that waits for what it refers to.
func waitingLibrary(t testing.TB) *memory.Store {
	t.Helper()
	lib := emptyLibrary()
	absent := storetest.Publish(t, storetest.Stamp{Signer: 9, Nonce: 1})
	accept(t, lib, wire.Added, storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 1}))
	accept(t, lib, wire.Pending, storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 2}, storetest.Titled("Left alone"), storetest.Relate(capsule.Extends, absent.ID())))
	return lib
}

// failing is a library that fails at every read.
type failing struct {
	explore.Library
	err error
}

func (f failing) Read(context.Context, func(view.Snapshot) error) error { return f.err }

func (f failing) Pending(context.Context, identity.ID, int) ([]view.PendingEvent, error) {
	return nil, f.err
}

// An error stands in place, in one sentence with its way out, on every screen.
func TestErrorsAreShownWithTheirHint(t *testing.T) {
	lib, err := sampleLibrary()
	if err != nil {
		t.Fatal(err)
	}
	broken := failing{lib, &fault.Unavailable{Code: fault.Locked, What: "cache.db", Detail: "in use by akx import", Hint: "wait, or end it"}}
	for _, s := range scenes(t) {
		if s.keys != "" {
			continue
		}
		x := s.play(t, 80, 24, over(broken))
		x.shows("cache.db: in use by akx import; wait, or end it")
		x.Press("[", "esc", "B")
		x.shows("in use by akx import")
	}
}

// torn damages the text of one event.
type torn struct {
	explore.Library
	id identity.ID
}

type tornSnapshot struct {
	view.Snapshot
	id identity.ID
}

func (l torn) Read(ctx context.Context, f func(view.Snapshot) error) error {
	return l.Library.Read(ctx, func(s view.Snapshot) error { return f(tornSnapshot{s, l.id}) })
}

func (s tornSnapshot) Event(id identity.ID) (capsule.Event, error) {
	if id == s.id {
		return nil, &fault.Damaged{What: "event", Detail: "its text no longer proves its ID", Hint: "import it again"}
	}
	return s.Snapshot.Event(id)
}

func (s tornSnapshot) Entries(numbers []uint64) ([]view.Entry, error) {
	rows, err := s.Snapshot.Entries(numbers)
	for i := range rows {
		rows[i].Damaged = rows[i].Damaged || rows[i].ID == s.id
	}
	return rows, err
}

func TestDamagedEntryIsShownAsSuch(t *testing.T) {
	lib := emptyLibrary()
	base := storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 1}, storetest.Titled("Sound"))
	next := storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 2}, storetest.Titled("Torn later"), storetest.Relate(capsule.Supersedes, base.ID()))
	report := storetest.Assess(t, storetest.Stamp{Signer: 2, Nonce: 1}, base.ID(), capsule.VerdictSupports)
	accept(t, lib, wire.Added, base, next, report)

	x := newExplorer(t, over(torn{lib, next.ID()}))
	x.shows("DAMAGED here: nothing else is shown; import it again", "Sound")
	x.hides("Torn later")
	x.Press("enter")
	x.shows("import it again")
	x.Press("esc")
	x.shows("Sound")

	x = newExplorer(t, over(torn{lib, report.ID()}), from(kit.Route{Screen: kit.Review, ID: base.ID().String()}))
	x.shows("DAMAGED here")
	x.do("j k enter")
	x.shows("import it again")
}

func TestWaitingEventsAreListedAndForgotten(t *testing.T) {
	x := newExplorer(t, over(waitingLibrary(t)), at(80, 24)).do("W")
	x.shows("Left alone", "misses 1")
	x.do("x")
	x.shows("Forget this waiting event?")
	x.Press("enter")
	x.shows("Left alone")
	x.do("x tab enter")
	x.hides("Left alone")
	x.shows("forgotten")
}

func TestGrowthIsToldAndReadOnDemand(t *testing.T) {
	lib := emptyLibrary()
	var events []capsule.Event
	for i := range 8 {
		events = append(events, storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: int64(i + 1)}, storetest.Titled("Old "+string(rune('A'+i)))))
	}
	accept(t, lib, wire.Added, events...)
	x := newExplorer(t, over(lib)).do("j j j")
	x.Send(tick())
	x.shows("> O ok  active            2025-01 Old E")
	accept(t, lib, wire.Added, storetest.Publish(t, storetest.Stamp{Signer: 2, Nonce: 1}, storetest.Titled("New one")))
	x.Send(tick())
	x.shows("+1 new: R", "8 capsules")
	x.hides("New one")
	x.Press("R")
	x.shows("New one", "9 capsules", "> O ok  active            2025-01 Old E")
	x.hides("new: R")
}

// Growth stands in the top row until it is read, whatever keys are pressed.
func TestGrowthStaysUntilItIsRead(t *testing.T) {
	lib := waitingLibrary(t)
	x := newExplorer(t, over(lib))
	x.Send(tick())
	x.Press("[") // nothing to go back to
	accept(t, lib, wire.Added, storetest.Publish(t, storetest.Stamp{Signer: 2, Nonce: 1}))
	x.Send(tick())
	x.shows("+1 new: R")
	x.do("j k j")
	x.shows("+1 new: R")
	x.do("a [")
	x.hides("new: R")
}

// An answer that comes after its screen was left, or after a newer ask, is dropped.
func TestLateAnswersAreDropped(t *testing.T) {
	x := newExplorer(t).do("j j")
	before := x.Screen()
	x.Hold()
	x.do("enter [ ] [")
	x.Release()
	if x.Screen() != before {
		t.Errorf("after late answers:\n%s", x.Screen())
	}
	x.Hold()
	x.do("enter r v [")
	x.Release()
	x.shows("Links to", "One year later at the tram desk")

	x = newExplorer(t)
	x.Hold()
	x.do("/ 'joiners enter")
	x.Release()
	x.shows("5 capsules · text:joiners", "A hygiene step that neve")
	if rows, counted := listed(x), total(x); rows != counted {
		t.Errorf("%d rows, counted %d", rows, counted)
	}
}
