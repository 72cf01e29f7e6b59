package explore_test

import (
	"context"
	"slices"
	"testing"

	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// A followed service that is asked now and withholds what it gave is told so beside its
// answer, which stands (9.6).
func TestWhatAServiceGaveAndWithholds_9_6(t *testing.T) {
	x := newThread(t)
	h := newRemote(hub, numbered(1, 1, x.base, x.next, x.report, x.gone)...)
	n := connect(t, h)
	n.mustSync(t, "hub")
	ask := func() explore.Checked {
		t.Helper()
		out, err := n.Recheck(t.Context(), x.base.ID(), "hub")
		if err != nil {
			t.Fatal(err)
		}
		return out[0]
	}
	told := func(c explore.Checked, want ...identity.ID) {
		t.Helper()
		var got []identity.ID
		for _, e := range c.Earlier {
			got = append(got, e.Event)
			if e.Record.Seq == 0 || e.Record.AcceptedAt == 0 || c.Before.Checkpoint != 4 || c.Before.AsOf == 0 {
				t.Errorf("without seq, time or scope: %+v in %+v", e, c.Before)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("earlier %v, want %v", got, want)
		}
	}
	told(ask())

	h.hidden[x.gone.ID()] = true
	c := ask()
	if c.Facts.Lifecycle != view.Active || !c.Facts.Scope.Complete {
		t.Errorf("the answer: %+v", c.Facts)
	}
	told(c, x.gone.ID())
	if e := c.Earlier[0]; e.Type != capsule.Retract || e.Record.Seq != 4 {
		t.Errorf("%+v", e)
	}
	h.hidden[x.next.ID()], h.hidden[x.report.ID()] = true, true
	told(ask(), x.gone.ID(), x.next.ID(), x.report.ID())
	h.hidden[x.base.ID()] = true
	if c = ask(); !c.Missing {
		t.Errorf("%+v", c)
	}
	told(c, x.base.ID(), x.gone.ID(), x.next.ID(), x.report.ID())

	// The set still says what it said, and nothing is missing from it.
	if all := n.check(t, x.base.ID()); all[0].Facts.Lifecycle != view.Retracted || all[0].Earlier != nil {
		t.Errorf("the set: %+v", all[0])
	}
	// An answer that did not come to its end shows the absence of nothing.
	h.before = func(_ context.Context, call string, _ int) error {
		if call == "query" {
			return &fault.Unavailable{Code: fault.UnavailableCode}
		}
		return nil
	}
	told(ask())
}
