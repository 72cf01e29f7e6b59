package explore_test

import (
	"slices"
	"strings"
	"testing"

	"akx/cache/storetest"
	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
)

// said reports whether one of reasons holds words.
func said(reasons []string, words string) bool {
	return slices.ContainsFunc(reasons, func(r string) bool { return strings.Contains(r, words) })
}

func TestChecksAtAServiceThatWentBackArePartial_8_3(t *testing.T) {
	events := storetest.World(t, 5, 20)
	r := newRemote(hub, numbered(1, 1, events...)...)
	n := connect(t, r)
	n.mustSync(t, "hub")
	r.records, r.lenient = nil, true
	r.add(numbered(1, 1, events[:3]...)...)

	// Live answers come first: no sync has noticed it yet.
	out, err := n.Recheck(t.Context(), events[0].ID(), "hub")
	if err != nil {
		t.Fatal(err)
	}
	s := out[0].Facts.Scope
	if s.Complete || out[0].Err != nil || s.Checkpoint != 3 || !said(s.Reasons, "its checkpoint is lower than the one followed, #20") || !said(s.Reasons, "it contradicted itself; refollow it") {
		t.Errorf("a live check: %+v", out[0])
	}
	q, err := n.Query(t.Context(), "hub", capsule.Filter{}, 0, nil)
	if err != nil || q.Err != nil || q.Scope.Complete || !said(q.Scope.Reasons, "its checkpoint is lower than the one followed, #20") {
		t.Errorf("a query: %+v, %v", q.Scope, err)
	}
	if s := n.sync(t, "hub"); code(s.Err) != fault.InvalidResponse {
		t.Errorf("a sync: %v", s.Err)
	}
	// The known contradiction stays, also once the checkpoint is past the one before.
	r.add(numbered(30, 1, events[3])...)
	n.mustSync(t, "hub")
	if c := n.checkOne(t, events[0].ID(), "hub"); !c.Followed || c.Facts.Scope.Complete || !said(c.Facts.Scope.Reasons, "refollow it to follow it anew") || c.Facts.Lifecycle == view.Active {
		t.Errorf("a cached check: %+v", c)
	}
	if out, err = n.Recheck(t.Context(), events[0].ID(), "hub"); err != nil || out[0].Facts.Scope.Complete || said(out[0].Facts.Scope.Reasons, "lower") {
		t.Errorf("a live check later: %+v, %v", out, err)
	}
}

func TestScopesWithAClockThatCannotBeRight_9_3_1(t *testing.T) {
	const year = 365 * 24 * 3_600_000
	x := newThread(t)
	r := newRemote(hub, numbered(1, 1, x.base)...)
	n := connect(t, r)
	honest := r.asOf
	r.asOf = n.now + capsule.DefaultSkew
	if s := n.mustSync(t, "hub"); !s.After.Followed(hub).Scope().Complete {
		t.Errorf("within what clocks may differ: %+v", s.After)
	}
	r.asOf = n.now + 10*year
	tried := n.now
	n.mustSync(t, "hub")
	n.now += year
	c := n.checkOne(t, x.base.ID(), "hub")
	if c.Facts.Scope.Complete || !said(c.Facts.Scope.Reasons, view.AheadWords) || c.Seen != tried || c.Facts.Scope.AsOf != r.asOf {
		t.Errorf("ahead: %+v", c)
	}
	out, err := n.Recheck(t.Context(), x.base.ID(), "hub")
	if err != nil || out[0].Facts.Scope.Complete || !said(out[0].Facts.Scope.Reasons, view.AheadWords) {
		t.Errorf("a live check: %+v, %v", out, err)
	}
	// The clock is mended: that is no going back.
	r.asOf = honest + year
	if s := n.mustSync(t, "hub"); s.After.AsOf != r.asOf || !s.After.Followed(hub).Scope().Complete {
		t.Errorf("mended: %+v", s.After)
	}
	r.add(numbered(9, 1, x.next)...)
	r.asOf = honest
	if out, err = n.Recheck(t.Context(), x.base.ID(), "hub"); err != nil || !said(out[0].Facts.Scope.Reasons, view.BackWords) {
		t.Errorf("a live check of a clock that went back: %+v, %v", out, err)
	}
	if s := n.mustSync(t, "hub"); !s.After.ClockBack || !said(s.After.Followed(hub).Scope().Reasons, view.BackWords) {
		t.Errorf("back: %+v", s.After)
	}
	r.asOf += 1000
	if s := n.mustSync(t, "hub"); s.After.ClockBack || !s.After.Followed(hub).Scope().Complete {
		t.Errorf("on: %+v", s.After)
	}
}

func TestALiveCheckCountsAndEndsExceptions_9_6(t *testing.T) {
	x := newThread(t)
	mended := storetest.Assess(t, stamp(6, 1), x.base.ID(), capsule.VerdictSupports)
	later := storetest.Publish(t, storetest.Stamp{Signer: 4, Nonce: 1, CreatedAt: storetest.Now + 2*capsule.DefaultSkew})
	r := newRemote(hub, storetest.Record(x.base, 1), unproven(2), storetest.Record(later, 3))
	n := connect(t, r)
	n.mustSync(t, "hub")
	recheck := func(at *capsule.Publication) view.Scope {
		t.Helper()
		out, err := n.Recheck(t.Context(), at.ID(), "hub")
		if err != nil || out[0].Err != nil {
			t.Fatal(out, err)
		}
		return out[0].Facts.Scope
	}
	if s := recheck(x.base); s.Complete || !slices.Equal(s.Reasons, []string{"2 of its records are not events here"}) {
		t.Errorf("beside exceptions: %+v", s)
	}
	// An answer that brings the events ends their exceptions, by seq and by ID.
	n.now += 2 * capsule.DefaultSkew
	r.records[1] = storetest.Record(mended, 2)
	if s := recheck(x.base); s.Complete || !slices.Equal(n.exceptionSeqs(t), []uint64{3}) {
		t.Errorf("one is mended: %+v, %v", s, n.exceptionSeqs(t))
	}
	if s := recheck(later); !s.Complete || n.exceptionSeqs(t) != nil {
		t.Errorf("all are events here: %+v, %v", s, n.exceptionSeqs(t))
	}
	if c := n.checkOne(t, later.ID(), "hub"); !c.Facts.Scope.Complete || c.Missing || c.Record.Seq != 3 {
		t.Errorf("in what was followed: %+v", c)
	}
}

func TestACheckWithoutAnAnswerHasAReason(t *testing.T) {
	x := newThread(t)
	n := connect(t, newRemote(hub))
	c := n.checkOne(t, x.base.ID(), "hub")
	if s := c.Facts.Scope; !c.Missing || s.Complete || s.Checkpoint != 0 || s.AsOf != 0 || len(s.Reasons) != 1 {
		t.Errorf("%+v", c)
	}
}
