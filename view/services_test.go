package view_test

import (
	"slices"
	"testing"

	"akx/cache/storetest"
	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/memory"
	"akx/view/wire"
)

const (
	hubOrigin identity.Origin = "https://hub.example.org"
	labOrigin identity.Origin = "https://lab.example.org"
)

// follow lets a store follow services, each to its last seq.
func follow(t *testing.T, store *memory.Store, given map[identity.Origin][]capsule.Event) {
	t.Helper()
	for origin, events := range given {
		var items []wire.Item
		for i, e := range events {
			items = append(items, storetest.Record(e, uint64(i+1)))
		}
		n := uint64(len(events))
		next := desk.Follow{Checkpoint: n, AsOf: int64(n) * 100, Complete: true, Reached: n}
		if _, _, err := store.AcceptPage(t.Context(), origin, items, next); err != nil {
			t.Fatal(err)
		}
	}
}

func shown(t *testing.T, store *memory.Store, id identity.ID) (out view.Shown) {
	t.Helper()
	err := store.Read(t.Context(), func(snap view.Snapshot) (err error) {
		records, ok := view.RecordsOf(snap)
		if !ok {
			t.Fatal("no records")
		}
		out, err = view.LoadShown(t.Context(), snap, records, id)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestShownDerivesEachSetAlone_7_2(t *testing.T) {
	base := storetest.Publish(t, stamp(1, 1))
	report := storetest.Assess(t, stamp(2, 1), base.ID(), capsule.VerdictReproduced)
	unsaid := storetest.Retract(t, stamp(2, 2), report.ID())
	gone := storetest.Retract(t, stamp(1, 2), base.ID())
	store := memory.New(view.ThisCache, func() int64 { return storetest.Now })
	follow(t, store, map[identity.Origin][]capsule.Event{
		hubOrigin: {base, report, unsaid},
		labOrigin: {base, report, gone},
	})
	out := shown(t, store, base.ID())
	if len(out.At) != 2 || out.At[0].Followed.Origin != hubOrigin {
		t.Fatalf("%+v", out)
	}
	// The report is retracted in the hub's set, the base in the lab's.
	h, l := out.At[0].Facts, out.At[1].Facts
	if h.Lifecycle != view.Active || h.ActiveAssessments != nil || len(h.Assessments) != 1 {
		t.Errorf("hub: %+v", h)
	}
	if l.Lifecycle != view.Retracted || !slices.Equal(l.ActiveAssessments, []identity.ID{report.ID()}) {
		t.Errorf("lab: %+v", l)
	}
	if out = shown(t, store, report.ID()); out.At[0].Facts.Lifecycle != view.Retracted || out.At[1].Facts.Lifecycle != view.Active {
		t.Errorf("report: %+v", out.At)
	}
}

func TestDifferencesNeedTheEventOnBothSides_9_6(t *testing.T) {
	base := storetest.Publish(t, stamp(1, 1))
	gone := storetest.Retract(t, stamp(1, 2), base.ID())
	other := storetest.Publish(t, stamp(1, 3))
	cites := storetest.Publish(t, stamp(4, 1), storetest.Relate(capsule.Extends, base.ID()))
	store := memory.New(view.ThisCache, func() int64 { return storetest.Now })
	follow(t, store, map[identity.Origin][]capsule.Event{
		hubOrigin:                   {base, gone, cites},
		labOrigin:                   {other},
		"https://third.example.org": {base, cites},
	})
	out := shown(t, store, base.ID())
	if out.At[1].Held || out.At[1].Facts.Lifecycle != view.Unchecked {
		t.Errorf("a service that did not give the event: %+v", out.At[1])
	}
	want := view.Scope{Origin: "https://third.example.org", Checkpoint: 2, AsOf: 200, Complete: true}
	if len(out.Differences) != 1 || out.Differences[0].Event != gone.ID() || len(out.Differences[0].Not) != 1 {
		t.Fatalf("differences %+v", out.Differences)
	}
	if got := out.Differences[0].Not[0]; got.Origin != want.Origin || got.Checkpoint != want.Checkpoint || got.AsOf != want.AsOf {
		t.Errorf("not shown by %+v, want %+v", got, want)
	}
}

func TestDifferencesAreBounded(t *testing.T) {
	base := storetest.Publish(t, stamp(1, 1))
	at := map[identity.Origin][]capsule.Event{hubOrigin: {base}, labOrigin: {base}}
	for i := range view.MaxDifferences + 7 {
		at[hubOrigin] = append(at[hubOrigin], storetest.Assess(t, stamp(2, int64(i+1)), base.ID(), capsule.VerdictApplied))
	}
	at[hubOrigin] = append(at[hubOrigin], storetest.Retract(t, stamp(1, 2), base.ID()))
	store := memory.New(view.ThisCache, func() int64 { return storetest.Now })
	follow(t, store, at)
	out := shown(t, store, base.ID())
	if len(out.Differences) != view.MaxDifferences || out.More != 8 || out.Differences[0].Type != capsule.Retract {
		t.Errorf("%d differences and %d more, first %+v", len(out.Differences), out.More, out.Differences[0])
	}
}

func TestShownOfWhatIsNotHeld(t *testing.T) {
	store := memory.New(view.ThisCache, func() int64 { return storetest.Now })
	follow(t, store, map[identity.Origin][]capsule.Event{hubOrigin: {storetest.Publish(t, stamp(1, 1))}})
	err := store.Read(t.Context(), func(snap view.Snapshot) error {
		records, _ := view.RecordsOf(snap)
		_, err := view.LoadShown(t.Context(), snap, records, identity.ID{9})
		return err
	})
	if _, ok := err.(*fault.NotHeld); !ok {
		t.Errorf("%v", err)
	}
}

func TestUncheckedSourcesCountApart_9_6(t *testing.T) {
	checked := assessed(20, capsule.VerdictReproduced, stranger, false)
	open := assessed(21, capsule.VerdictReproduced, author, false)
	open.Unchecked = true
	both := assessed(22, capsule.VerdictReproduced, stranger, true)
	both.Unchecked = true
	link := related(5, capsule.Extends, author, 1, false)
	link.Unchecked = true
	f := view.Derive(subject, []view.Incoming{checked, open, both, link}, complete)
	if len(f.Assessments) != 3 || !slices.Equal(f.ActiveAssessments, []identity.ID{{20}}) {
		t.Errorf("assessments %v, active %v", f.Assessments, f.ActiveAssessments)
	}
	want := view.VerdictCount{Verdict: capsule.VerdictReproduced, Active: 1, Retracted: 1, Unchecked: 1}
	if got := f.Verdicts[2]; got != want {
		t.Errorf("verdict %+v, want %+v", got, want)
	}
	extends := view.RelationCount{Relation: capsule.Extends, Unchecked: 1}
	if !slices.Contains(f.Relations, extends) {
		t.Errorf("relations %+v", f.Relations)
	}
}
