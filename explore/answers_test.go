package explore_test

import (
	"context"
	"errors"
	"testing"

	"akx/cache/storetest"
	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

var unreachable = &fault.Unavailable{Code: fault.UnavailableCode, What: "hub", Detail: "no route"}

func fails(context.Context, string, int) error { return unreachable }

// One service that hangs holds back nobody's answer, and ends with the context.
func TestAnswersAreHandedOverAsTheyArrive(t *testing.T) {
	x := newThread(t)
	h, l := newRemote(hub, numbered(1, 1, x.base)...), newRemote(lab, numbered(1, 1, x.base)...)
	n := connect(t, h, l)
	h.before = func(ctx context.Context, _ string, _ int) error {
		<-ctx.Done()
		return ctx.Err()
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var came []string
	out, err := n.Question(ctx, x.base.ID(), explore.Question{Told: func(c explore.Checked) {
		came = append(came, c.Service.Name)
		if c.Service.Name == "lab" {
			if c.Err != nil || c.Facts.Lifecycle != view.Active {
				t.Errorf("lab: %+v", c)
			}
			stop()
		}
	}})
	if err != nil || len(out) != 2 || len(came) != 2 || came[0] != "lab" || !errors.Is(out[0].Err, context.Canceled) {
		t.Errorf("%v, %+v, %v", came, out, err)
	}
	// What the user stopped is no answer, and says nothing about the service.
	kept := n.Answers(x.base.ID())
	if len(kept) != 1 || kept[lab].Last == nil {
		t.Errorf("kept %+v", kept)
	}
	states, err := n.ListServices(t.Context())
	if err != nil || states[0].Contact != (explore.Contact{}) || states[1].Contact.Answered != n.now {
		t.Errorf("%+v, %v", states, err)
	}
}

// A question that fails later takes nothing away: the answer before it stays, with its
// time, and the failure stands beside it.
func TestAFailedQuestionLeavesTheAnswerBefore(t *testing.T) {
	x := newThread(t)
	r := newRemote(hub, numbered(1, 1, x.base, x.gone)...)
	n := connect(t, r)
	id := x.base.ID()
	n.checkOne(t, id, "hub")
	first := n.now
	r.before = fails
	n.now += 60_000
	n.checkOne(t, id, "hub")
	a := n.Answers(id)[hub]
	if a.Last == nil || a.Last.Facts.Lifecycle != view.Retracted || a.At != first {
		t.Fatalf("the answer is %+v", a)
	}
	if a.Failed == nil || code(a.Failed.Err) != fault.UnavailableCode || a.Tried != n.now {
		t.Errorf("the failure is %+v", a)
	}
	r.before, r.hidden[id] = nil, true
	n.checkOne(t, id, "hub")
	if a = n.Answers(id)[hub]; a.Failed != nil || !a.Last.Missing || a.At != n.now {
		t.Errorf("missing is an answer: %+v", a)
	}
	if _, err := n.RemoveService(t.Context(), "hub"); err != nil || len(n.Answers(id)) != 0 {
		t.Errorf("answers of a forgotten service: %+v, %v", n.Answers(id), err)
	}
}

// What is kept is bounded, the oldest answers go first.
func TestAnswersAreBounded(t *testing.T) {
	n := connect(t, newRemote(hub))
	const asked = 600
	for i := range asked {
		n.checkOne(t, identity.ID{1, byte(i), byte(i >> 8)}, "hub")
	}
	kept := 0
	for i := range asked {
		kept += len(n.Answers(identity.ID{1, byte(i), byte(i >> 8)}))
	}
	if kept == 0 || kept == asked || len(n.Answers(identity.ID{1, byte((asked - 1) & 255), (asked - 1) >> 8})) != 1 || len(n.Answers(identity.ID{1})) != 0 {
		t.Errorf("%d of %d answers are kept", kept, asked)
	}
}

// Live answers and followed sets are compared alike, the newest of each service.
func TestDifferencesOfWhatIsNewest_9_6(t *testing.T) {
	x := newThread(t)
	late := storetest.Assess(t, stamp(6, 1), x.base.ID(), capsule.VerdictSupports)
	h, l := newRemote(hub, numbered(1, 1, x.base, x.next)...), newRemote(lab, numbered(1, 1, x.base)...)
	n := connect(t, h, l)
	id := x.base.ID()
	put(t, n.store, x.base)
	tell := func() (told []view.Difference) {
		t.Helper()
		page, err := n.Page(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		told, _ = explore.Differences(explore.Newest(page.Shown.At, n.Answers(id)))
		return told
	}
	if got := tell(); got != nil {
		t.Errorf("nobody was asked, but %+v", got)
	}
	n.check(t, id)
	got := tell()
	if len(got) != 1 || got[0].Event != x.next.ID() || got[0].Relation != capsule.Supersedes || got[0].Shown[0] != hub || got[0].Not[0].Origin != string(lab) {
		t.Fatalf("asked live: %+v", got)
	}
	// A question that failed shows nothing, and takes nothing away.
	l.before = fails
	n.check(t, id, "lab")
	if again := tell(); len(again) != 1 || again[0].Not[0].AsOf != got[0].Not[0].AsOf {
		t.Errorf("after a failure: %+v", again)
	}
	// A set that is followed later is newer than the answer, and the other way round.
	l.before = nil
	l.add(numbered(2, 1, x.next)...)
	n.mustSync(t, "lab")
	if got = tell(); got != nil {
		t.Errorf("after a sync: %+v", got)
	}
	h.add(numbered(3, 1, late)...)
	if _, err := n.Recheck(t.Context(), id, "hub"); err != nil {
		t.Fatal(err)
	}
	got = tell()
	if len(got) != 1 || got[0].Event != late.ID() || got[0].Not[0].Checkpoint != 2 || got[0].Not[0].Origin != string(lab) {
		t.Errorf("a live answer beside a followed set: %+v", got)
	}
}

// Whatever is asked of a service tells whether it can be reached.
func TestEveryQuestionTellsWhetherAServiceAnswers(t *testing.T) {
	x := newThread(t)
	r := newRemote(hub, numbered(1, 1, x.base)...)
	n := connect(t, r)
	contact := func() explore.Contact {
		t.Helper()
		states, err := n.ListServices(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return states[0].Contact
	}
	first := n.now
	if _, err := n.CheckService(t.Context(), "hub"); err != nil || contact() != (explore.Contact{At: first, Answered: first}) {
		t.Errorf("%+v, %v", contact(), err)
	}
	r.before = fails
	n.now++
	if n.sync(t, "hub").Err == nil || contact() != (explore.Contact{At: n.now, Unreached: unreachable.Error(), Answered: first}) {
		t.Errorf("after a failed sync: %+v", contact())
	}
	r.before = func(context.Context, string, int) error {
		return &fault.Refusal{Code: fault.QueryTooBroad}
	}
	n.now++
	if _, err := n.Show(t.Context(), "hub", x.base.ID()); err == nil || contact().Unreached != "" || contact().Answered != n.now {
		t.Errorf("a refusal is an answer: %+v", contact())
	}
}
