package view_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"akx/cache/storetest"
	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/memory"
	"akx/view/wire"
)

// held is a store with events in it.
func held(t testing.TB, events ...capsule.Event) *memory.Store {
	t.Helper()
	s := memory.New(view.SampleSet, func() int64 { return storetest.Now })
	feed(t, s, events...)
	return s
}

func feed(t testing.TB, s *memory.Store, events ...capsule.Event) {
	t.Helper()
	items := make([]wire.Item, len(events))
	for i, e := range events {
		items[i].Offer = capsule.OfferOf(e)
	}
	outcomes, err := s.Accept(t.Context(), wire.Source{Kind: wire.FromSample, Name: "sample"}, items)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outcomes {
		if o.Status == wire.Refused {
			t.Fatal(o.Refusal)
		}
	}
}

// look runs a view over a store.
func look[T any](t testing.TB, s *memory.Store, load func(context.Context, view.Snapshot, identity.ID) (T, error), id identity.ID) T {
	t.Helper()
	var out T
	err := s.Read(t.Context(), func(snap view.Snapshot) (err error) {
		out, err = load(t.Context(), snap, id)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func review(limit int) func(context.Context, view.Snapshot, identity.ID) (view.Review, error) {
	return func(ctx context.Context, s view.Snapshot, id identity.ID) (view.Review, error) {
		return view.LoadReview(ctx, s, id, limit)
	}
}

func stamp(signer byte, nonce int64) storetest.Stamp {
	return storetest.Stamp{Signer: signer, Nonce: nonce}
}

// TestViewsIgnoreArrivalOrder_7_2 feeds permutations through the pending area; all
// that differs afterwards is the local numbers, which are by arrival.
func TestViewsIgnoreArrivalOrder_7_2(t *testing.T) {
	events := storetest.World(t, 21, 60)
	r := rand.New(rand.NewPCG(3, 4))
	want := snapshotViews(t, held(t, events...), events)
	for range 10 {
		s := memory.New(view.SampleSet, func() int64 { return storetest.Now })
		for _, i := range r.Perm(len(events)) {
			feed(t, s, events[i])
		}
		if got := snapshotViews(t, s, events); !reflect.DeepEqual(got, want) {
			t.Fatal("another arrival order gives other views")
		}
	}
}

// snapshotViews is the facts, versions and review of every event in words.
func snapshotViews(t testing.TB, s *memory.Store, events []capsule.Event) []string {
	t.Helper()
	var out []string
	for _, e := range events {
		p := look(t, s, view.LoadPage, e.ID())
		out = append(out, fmt.Sprintf("%+v withdrawn %v retractions %d", p.Facts, p.Withdrawn, len(p.Retractions)))
		v := look(t, s, view.LoadVersions, e.ID())
		for _, n := range v.Nodes {
			out = append(out, fmt.Sprint(v.Here, n.Entry.ID, n.Supersedes, n.Runs, n.Lane, n.Assessments, n.Retracted))
		}
		for _, report := range look(t, s, review(1000), e.ID()).Reports {
			out = append(out, fmt.Sprint(report.Entry.ID, report.Self, len(report.Retractions)))
		}
	}
	return out
}

func TestPendingHasNoEffect_8_2(t *testing.T) {
	question := storetest.Publish(t, stamp(1, 1), storetest.OfKind(capsule.Question))
	absent := storetest.Publish(t, stamp(1, 2))
	s := held(t, question)
	before := snapshotViews(t, s, []capsule.Event{question})
	feed(t, s,
		storetest.Publish(t, stamp(1, 3), storetest.Relate(capsule.Supersedes, question.ID()), storetest.Relate(capsule.Extends, absent.ID())),
		storetest.Publish(t, stamp(2, 1), storetest.Relate(capsule.Addresses, question.ID()), storetest.Relate(capsule.Extends, absent.ID())),
		storetest.Retract(t, stamp(1, 4), absent.ID()),
	)
	if after := snapshotViews(t, s, []capsule.Event{question}); !reflect.DeepEqual(before, after) {
		t.Errorf("pending events changed a view:\n%v\n%v", before, after)
	}
}

func TestLoadPage(t *testing.T) {
	base := storetest.Publish(t, stamp(1, 1))
	report := storetest.Assess(t, stamp(2, 1), base.ID(), capsule.VerdictSupports)
	onTop := storetest.Publish(t, stamp(3, 1),
		storetest.Relate(capsule.DerivedFrom, report.ID()), storetest.Relate(capsule.Extends, base.ID()), storetest.Relate(capsule.Supports, base.ID()))
	gone := storetest.Retract(t, stamp(1, 2), base.ID())
	s := held(t, base, report, onTop, gone)

	p := look(t, s, view.LoadPage, onTop.ID())
	if len(p.Out) != 3 || !p.Out[0].Held || p.Out[0].Entry.ID != report.ID() || p.Out[1].Link.Relation != capsule.Extends {
		t.Errorf("outgoing links %+v", p.Out)
	}
	if !slices.Equal(p.Withdrawn, []identity.ID{base.ID()}) {
		t.Errorf("withdrawn %v", p.Withdrawn)
	}
	if p.Facts.Lifecycle != view.Active {
		t.Error("retracting an event retracted one that references it (7.2 item 5)")
	}
	p = look(t, s, view.LoadPage, base.ID())
	if p.Facts.Lifecycle != view.Retracted || len(p.Retractions) != 1 || p.Retractions[0].ID() != gone.ID() {
		t.Errorf("a retracted page: %v, %v", p.Facts.Lifecycle, p.Retractions)
	}
	p = look(t, s, view.LoadPage, gone.ID())
	if len(p.Out) != 1 || p.Out[0].Link != (capsule.Link{Target: base.ID()}) || p.Out[0].Entry.Lifecycle != view.Retracted {
		t.Errorf("a retraction's page: %+v", p.Out)
	}
}

func TestLoadLinksHasEveryGroup(t *testing.T) {
	base := storetest.Publish(t, stamp(1, 1))
	report := storetest.Assess(t, stamp(2, 1), base.ID(), capsule.VerdictApplied)
	s := held(t, base, report,
		storetest.Publish(t, stamp(2, 2), storetest.Relate(capsule.Extends, base.ID()), storetest.Relate(capsule.Supports, base.ID())),
		storetest.Retract(t, stamp(2, 3), report.ID()))
	l := look(t, s, view.LoadLinks, base.ID())
	if len(l.Groups) != 8+6+1 || l.Subject.ID != base.ID() {
		t.Fatalf("%d groups of %v", len(l.Groups), l.Subject.ID)
	}
	counts := map[string][2]int{}
	for _, g := range l.Groups {
		if len(g.Links) != g.Active+g.Retracted {
			t.Errorf("group %v %v: %d links", g.Type, g.Relation, len(g.Links))
		}
		if len(g.Links) > 0 {
			counts[g.Type.String()+g.Relation.String()+g.Verdict.String()] = [2]int{g.Active, g.Retracted}
		}
	}
	want := map[string][2]int{
		"knowledge.publishextends": {1, 0}, "knowledge.publishsupports": {1, 0}, "knowledge.assessapplied": {0, 1},
	}
	if !reflect.DeepEqual(counts, want) {
		t.Errorf("groups %v, want %v", counts, want)
	}
	if l.Facts.Assessments == nil || l.Facts.ActiveAssessments != nil {
		t.Errorf("facts %+v", l.Facts)
	}
}

func TestLoadReview(t *testing.T) {
	base := storetest.Publish(t, stamp(1, 1))
	own := storetest.Assess(t, stamp(1, 2), base.ID(), capsule.VerdictReproduced)
	first := storetest.Assess(t, storetest.Stamp{Signer: 2, Nonce: 9, CreatedAt: storetest.Epoch}, base.ID(), capsule.VerdictReproduced)
	challenge := storetest.Assess(t, stamp(3, 50), base.ID(), capsule.VerdictChallenges)
	gone := storetest.Retract(t, stamp(3, 60), challenge.ID())
	next := storetest.Publish(t, stamp(1, 3), storetest.Relate(capsule.Supersedes, base.ID()))
	other := storetest.Assess(t, stamp(4, 1), next.ID(), capsule.VerdictSupports)
	s := held(t, base, own, first, challenge, gone, next, other)

	r := look(t, s, review(10), base.ID())
	var got []identity.ID
	for _, report := range r.Reports {
		got = append(got, report.Entry.ID)
		if report.Event.ID() != report.Entry.ID || report.Self != (report.Entry.ID == own.ID()) {
			t.Errorf("report %+v", report)
		}
	}
	if want := []identity.ID{challenge.ID(), first.ID(), own.ID()}; !slices.Equal(got, want) {
		t.Errorf("reports %v, want %v", got, want)
	}
	if r.Reports[0].Entry.Lifecycle != view.Retracted || len(r.Reports[0].Retractions) != 1 || r.Reports[0].Retractions[0].ID() != gone.ID() {
		t.Errorf("a retracted report: %+v", r.Reports[0])
	}
	if r = look(t, s, review(2), base.ID()); len(r.Reports) != 2 || r.More != 1 {
		t.Errorf("%d reports and %d more", len(r.Reports), r.More)
	}
	if r = look(t, s, review(-1), base.ID()); len(r.Reports) != 0 || r.More != 3 || len(r.Facts.Assessments) != 3 {
		t.Errorf("a negative limit: %d reports and %d more", len(r.Reports), r.More)
	}
}

func TestViewsOfWhatIsNotHeld(t *testing.T) {
	s := held(t)
	err := s.Read(t.Context(), func(snap view.Snapshot) error {
		id := identity.ID{1}
		_, page := view.LoadPage(t.Context(), snap, id)
		_, links := view.LoadLinks(t.Context(), snap, id)
		_, versions := view.LoadVersions(t.Context(), snap, id)
		_, reports := view.LoadReview(t.Context(), snap, id, 5)
		for _, err := range []error{page, links, versions, reports} {
			var notHeld *fault.NotHeld
			if !errors.As(err, &notHeld) || notHeld.Where != view.SampleSet {
				t.Errorf("got %v", err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestMonth(t *testing.T) {
	for ms, want := range map[int64]string{
		0: "1970-01", storetest.Epoch: "2025-01", storetest.Epoch - 1: "2024-12", 1<<53 - 1: "287396-10",
	} {
		if got := view.Month(ms); got != want {
			t.Errorf("Month(%d) is %s, want %s", ms, got, want)
		}
	}
}
