package explore_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"akx/cache/storetest"
	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// thread is one publication with an answer of each kind to it.
type thread struct {
	base, next, other *capsule.Publication
	report            *capsule.Assessment
	gone, unsaid      *capsule.Retraction // of base, of report
}

func newThread(t *testing.T) thread {
	t.Helper()
	base := storetest.Publish(t, stamp(1, 1))
	report := storetest.Assess(t, stamp(2, 1), base.ID(), capsule.VerdictReproduced)
	return thread{
		base:   base,
		next:   storetest.Publish(t, stamp(1, 2), storetest.Relate(capsule.Supersedes, base.ID())),
		other:  storetest.Publish(t, stamp(3, 1), storetest.Relate(capsule.Extends, base.ID()), storetest.Relate(capsule.Supports, base.ID())),
		report: report,
		gone:   storetest.Retract(t, stamp(1, 3), base.ID()),
		unsaid: storetest.Retract(t, stamp(2, 2), report.ID()),
	}
}

func (n *net) check(t *testing.T, id identity.ID, names ...string) []explore.Checked {
	t.Helper()
	out, err := n.Check(t.Context(), id, names...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (n *net) checkOne(t *testing.T, id identity.ID, name string) explore.Checked {
	t.Helper()
	out := n.check(t, id, name)
	if len(out) != 1 {
		t.Fatalf("%d answers", len(out))
	}
	return out[0]
}

func TestAFollowedServiceAnswersWithoutAQuestion_9_6(t *testing.T) {
	x := newThread(t)
	r := newRemote(hub, numbered(1, 1, x.base, x.next, x.report, x.unsaid)...)
	n := connect(t, r)
	n.mustSync(t, "hub")
	asked := r.questions()
	n.now += 1_000_000
	c := n.checkOne(t, x.base.ID(), "hub")
	want := view.Scope{Origin: string(hub), Checkpoint: 4, AsOf: r.asOf, Complete: true}
	if !c.Followed || c.Missing || c.Err != nil || c.Facts.Lifecycle != view.Active || c.Record.Seq != 1 {
		t.Errorf("%+v", c)
	}
	if c.Facts.Scope.Checkpoint != want.Checkpoint || c.Facts.Scope.AsOf != want.AsOf || !c.Facts.Scope.Complete {
		t.Errorf("scope %+v, want %+v", c.Facts.Scope, want)
	}
	// A followed set knows the sources' own retractions.
	if len(c.Facts.Assessments) != 1 || c.Facts.ActiveAssessments != nil || !slices.Equal(c.Facts.Successors, []identity.ID{x.next.ID()}) {
		t.Errorf("facts %+v", c.Facts)
	}
	if c = n.checkOne(t, identity.ID{5}, "hub"); !c.Missing || !c.Followed || c.Facts.Lifecycle != view.Unchecked || c.Facts.Scope.Checkpoint != 4 {
		t.Errorf("of an event that nobody has: %+v", c)
	}
	put(t, n.store, x.gone)
	if c = n.checkOne(t, x.base.ID(), "hub"); c.Facts.Lifecycle != view.Active {
		t.Errorf("a retraction from a file is none of the hub's: %v", c.Facts.Lifecycle)
	}
	if _, err := n.EnableService(t.Context(), "hub", false); err != nil {
		t.Fatal(err)
	}
	if c = n.checkOne(t, x.base.ID(), "hub"); !c.Followed || c.Facts.Lifecycle != view.Active {
		t.Errorf("disabled, but followed: %+v", c)
	}
	if r.questions() != asked {
		t.Errorf("%d questions were asked", r.questions()-asked)
	}
}

func TestExceptionsMakeAFollowedCheckPartial_9_6(t *testing.T) {
	x := newThread(t)
	r := newRemote(hub, storetest.Record(x.base, 1), unproven(2))
	n := connect(t, r)
	n.mustSync(t, "hub")
	if c := n.checkOne(t, x.base.ID(), "hub"); c.Facts.Lifecycle != view.Partial || len(c.Facts.Scope.Reasons) != 1 {
		t.Errorf("%+v", c.Facts)
	}
	if c := n.checkOne(t, identity.ID{5}, "hub"); c.Missing || c.Facts.Scope.Complete {
		t.Errorf("one of the exceptions may be the event: %+v", c)
	}
	r.add(storetest.Record(x.gone, 3))
	n.mustSync(t, "hub")
	if c := n.checkOne(t, x.base.ID(), "hub"); c.Facts.Lifecycle != view.Retracted {
		t.Errorf("%+v", c.Facts)
	}
}

func TestALiveCheckSettlesItsTargetAlone_9_6(t *testing.T) {
	x := newThread(t)
	r := newRemote(hub, numbered(1, 2, x.base, x.next, x.other, x.report, x.unsaid)...)
	n := connect(t, r)
	c := n.checkOne(t, x.base.ID(), "hub")
	if c.Followed || c.Missing || c.Err != nil || c.Facts.Lifecycle != view.Active || c.Record.Seq != 1 || c.Record.AcceptedAt == 0 {
		t.Fatalf("%+v", c)
	}
	if s := c.Facts.Scope; s.Origin != string(hub) || s.Checkpoint != 9 || s.AsOf != r.asOf || !s.Complete {
		t.Errorf("scope %+v", s)
	}
	if c.Facts.ActiveAssessments != nil || len(c.Facts.Assessments) != 1 {
		t.Errorf("a report whose own retraction was not asked for counts as active: %+v", c.Facts)
	}
	for _, v := range c.Facts.Verdicts {
		if want := v.Verdict == capsule.VerdictReproduced; v.Active+v.Retracted+v.Self != 0 || (v.Unchecked == 1) != want {
			t.Errorf("verdict %+v", v)
		}
	}
	for _, rel := range c.Facts.Relations {
		want := slices.Contains([]capsule.Relation{capsule.Supersedes, capsule.Extends, capsule.Supports}, rel.Relation)
		if rel.Active+rel.Retracted+rel.Self != 0 || (rel.Unchecked == 1) != want {
			t.Errorf("relation %+v", rel)
		}
	}
	// What came is stored, and no state has moved.
	if _, err := n.Event(t.Context(), x.report.ID()); err != nil {
		t.Error(err)
	}
	if _, err := n.Event(t.Context(), x.unsaid.ID()); code(err) != fault.NotHeldCode {
		t.Errorf("the retraction of a source was not asked for: %v", err)
	}
	if follow, _ := n.store.Follow(t.Context(), hub); follow.Complete || follow.Reached != 0 || follow.Tried != 0 {
		t.Errorf("state %+v", follow)
	}
	r.add(storetest.Record(x.gone, 20))
	if c = n.checkOne(t, x.base.ID(), "hub"); c.Facts.Lifecycle != view.Retracted || len(c.Facts.Retractions) != 1 {
		t.Errorf("%+v", c.Facts)
	}
}

func TestALiveCheckThatIsNotWholeIsPartial_9_6(t *testing.T) {
	x := newThread(t)
	unmet := storetest.Publish(t, stamp(4, 1), storetest.Relate(capsule.Extends, x.base.ID()), storetest.Relate(capsule.Extends, identity.ID{9}))
	needs := storetest.Publish(t, stamp(4, 2))
	met := storetest.Publish(t, stamp(4, 3), storetest.Relate(capsule.Extends, x.base.ID()), storetest.Relate(capsule.Extends, needs.ID()))
	foreign := storetest.Retract(t, stamp(5, 9), x.base.ID())
	cut := &fault.Unavailable{Code: fault.UnavailableCode, What: "hub"}
	failAt := func(call string, at int) func(context.Context, string, int) error {
		return func(_ context.Context, c string, k int) error {
			if c == call && k == at {
				return cut
			}
			return nil
		}
	}
	for _, test := range []struct {
		name    string
		records []wire.Item
		before  func(context.Context, string, int) error
		want    view.Lifecycle
		err     bool
	}{
		{"the whole", numbered(1, 1, x.base, x.report), nil, view.Active, false},
		{"cut on the second page", numbered(1, 1, x.base, x.next, x.report, x.other), failAt("query", 2), view.Partial, true},
		{"cut behind a retraction", numbered(1, 1, x.base, x.next, x.gone, x.other), failAt("query", 2), view.Retracted, true},
		{"cut at the first page", numbered(1, 1, x.base), failAt("query", 1), view.Partial, true},
		{"the event itself cannot be read", numbered(1, 1, x.base), failAt("event", 1), view.Partial, true},
		{"no discovery", numbered(1, 1, x.base), failAt("discover", 1), view.Partial, true},
		{"a record that is not proven", append(numbered(1, 1, x.base, x.report), unproven(9)), nil, view.Partial, false},
		{"a retraction by another", append(numbered(1, 1, x.base), storetest.Record(foreign, 9)), nil, view.Partial, false},
		{"a record that waits for what no one has", numbered(1, 1, x.base, unmet), nil, view.Partial, false},
		{"a record that waits for what the service has", numbered(1, 1, x.base, needs, met), nil, view.Active, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRemote(hub, test.records...)
			r.pageSize, r.before = 2, test.before
			n := connect(t, r)
			put(t, n.store, x.base)
			c := n.checkOne(t, x.base.ID(), "hub")
			if c.Facts.Lifecycle != test.want || (c.Err != nil) != test.err || c.Missing {
				t.Errorf("%v, %v, %+v", c.Facts.Lifecycle, c.Err, c.Facts.Scope)
			}
			if c.Facts.Scope.Complete == (len(c.Facts.Scope.Reasons) > 0) || c.Facts.Scope.Origin != string(hub) {
				t.Errorf("scope %+v", c.Facts.Scope)
			}
		})
	}
}

func TestALiveCheckNamesTheBoundThatBites_8_2(t *testing.T) {
	links := chain(t, 6)
	base := links[0]
	far := storetest.Publish(t, stamp(7, 1), storetest.Relate(capsule.Extends, base.ID()), storetest.Relate(capsule.Extends, links[5].ID()))
	// links[1] extends the base and comes with it; links[5] to links[2] have to be fetched.
	items := append(numbered(1, 1, links...), numbered(20, 1, far)...)
	for depth, want := range map[int]view.Lifecycle{3: view.Partial, 4: view.Active} {
		n := connectWith(t, explore.Bounds{Depth: depth}, nil, newRemote(hub, items...))
		c := n.checkOne(t, base.ID(), "hub")
		if named := len(c.Facts.Scope.Reasons) == 2; c.Facts.Lifecycle != want || named != (want == view.Partial) || c.Err != nil {
			t.Errorf("depth %d: %v, %+v, %v", depth, c.Facts.Lifecycle, c.Facts.Scope.Reasons, c.Err)
		}
	}
}

func TestRecheckTellsMissingFromUnreachable_9_6(t *testing.T) {
	x := newThread(t)
	h := newRemote(hub, numbered(1, 1, x.base, x.report)...)
	l := newRemote(lab, numbered(1, 1, x.base, x.gone)...)
	down := newRemote("https://dwn.example.org")
	down.before = func(context.Context, string, int) error { return &fault.Unavailable{Code: fault.UnavailableCode} }
	off := newRemote("https://off.example.org", numbered(1, 1, x.base)...)
	n := connect(t, h, l, down, off)
	n.mustSync(t, "hub")
	if _, err := n.EnableService(t.Context(), "off", false); err != nil {
		t.Fatal(err)
	}
	h.hidden[x.base.ID()], l.hidden[x.base.ID()] = true, true
	out, err := n.Recheck(t.Context(), x.base.ID(), "hub", "lab", "dwn", "off")
	if err != nil || len(out) != 4 {
		t.Fatal(err)
	}
	for i, want := range []struct {
		missing   bool
		lifecycle view.Lifecycle
		code      fault.Code
	}{
		{true, view.Unchecked, ""},
		{true, view.Retracted, ""}, // it withholds the event, and shows its retraction
		{false, view.Partial, fault.UnavailableCode},
		{false, view.Unchecked, fault.UsageCode},
	} {
		c := out[i]
		if c.Missing != want.missing || c.Facts.Lifecycle != want.lifecycle || code(c.Err) != want.code || c.Followed {
			t.Errorf("%s: missing %v, %v, %v", c.Service.Name, c.Missing, c.Facts.Lifecycle, c.Err)
		}
	}
	if off.questions() != 0 {
		t.Error("a disabled service was asked")
	}
	// Without a recheck the hub answers as of its checkpoint; the disabled one is left out.
	all := n.check(t, x.base.ID())
	if len(all) != 3 || all[1].Service.Name != "hub" || !all[1].Followed || all[1].Missing {
		t.Errorf("%+v", all)
	}
	if _, err := n.Check(t.Context(), x.base.ID(), "nobody"); code(err) != fault.UsageCode {
		t.Errorf("an unknown name: %v", err)
	}
}

func TestALiveCheckOfWhatNobodyHas(t *testing.T) {
	n := connect(t, newRemote(hub))
	c := n.checkOne(t, identity.ID{3}, "hub")
	if !c.Missing || c.Facts.Lifecycle != view.Unchecked || c.Err != nil || c.Facts.Scope.Complete {
		t.Errorf("%+v", c)
	}
	x := newThread(t)
	waits := storetest.Publish(t, stamp(4, 1), storetest.Relate(capsule.Extends, identity.ID{9}))
	n = connect(t, newRemote(hub, numbered(1, 1, waits, x.base)...))
	if c = n.checkOne(t, waits.ID(), "hub"); c.Missing || c.Facts.Lifecycle != view.Partial {
		t.Errorf("an event that waits itself: %+v", c)
	}
}

func TestOfflineForbidsEveryQuestion(t *testing.T) {
	x := newThread(t)
	r := newRemote(hub, numbered(1, 1, x.base)...)
	l := newRemote(lab, numbered(1, 1, x.base)...)
	n := connect(t, r, l)
	n.mustSync(t, "hub")
	asked := r.questions()
	s := explore.New(n.store, explore.Options{Network: explore.Network{Book: n.store, Store: n.store, Offline: true}})
	defer s.Close()
	ctx := t.Context()
	_, sync := s.Sync(ctx, "hub", nil)
	_, check := s.CheckService(ctx, "hub")
	_, query := s.Query(ctx, "hub", capsule.Filter{}, 0, nil)
	_, search := s.Search(ctx, "hub", "x", wire.Lexical, capsule.Filter{}, 0)
	_, show := s.Show(ctx, "hub", x.base.ID())
	_, fetch := s.FetchPending(ctx, nil)
	for i, err := range []error{sync, check, query, search, show, fetch} {
		if code(err) != fault.Offline {
			t.Errorf("call %d: %v", i, err)
		}
	}
	all, err := s.SyncAll(ctx, nil, nil)
	if err != nil || len(all) != 2 || code(all[0].Err) != fault.Offline {
		t.Errorf("%+v, %v", all, err)
	}
	out, err := s.Check(ctx, x.base.ID())
	if err != nil || out[0].Facts.Lifecycle != view.Active || out[1].Facts.Lifecycle != view.Unchecked || code(out[1].Err) != fault.Offline {
		t.Errorf("%+v, %v", out, err)
	}
	if r.questions() != asked || l.questions() != 0 {
		t.Error("something was asked")
	}
}

func TestALiveCheckEndsWithItsContext(t *testing.T) {
	x := newThread(t)
	r := newRemote(hub, numbered(1, 1, x.base, x.next, x.report, x.other)...)
	r.pageSize = 1
	n := connect(t, r)
	ctx, cancel := context.WithCancel(t.Context())
	r.before = func(ctx context.Context, call string, k int) error {
		if call == "query" && k == 3 {
			cancel()
			<-ctx.Done()
			return ctx.Err()
		}
		return nil
	}
	out, err := n.Check(ctx, x.base.ID(), "hub")
	if err != nil || len(out) != 1 || !errors.Is(out[0].Err, context.Canceled) || out[0].Facts.Lifecycle != view.Partial {
		t.Errorf("%+v, %v", out, err)
	}
	if _, err := n.Event(t.Context(), x.next.ID()); err != nil {
		t.Errorf("what came is kept: %v", err)
	}
}
