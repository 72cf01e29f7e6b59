package explore_test

import (
	"context"
	"slices"
	"testing"

	"akx/cache/storetest"
	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// exceptionSeqs lists the exceptions of the hub.
func (n *net) exceptionSeqs(t *testing.T) []uint64 {
	t.Helper()
	all, err := n.Exceptions(t.Context(), "hub", 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	var seqs []uint64
	for _, e := range all {
		seqs = append(seqs, e.Seq)
	}
	return seqs
}

func TestExceptionsAreTriedAgain_9_6(t *testing.T) {
	later := storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 1, CreatedAt: storetest.Now + 2*capsule.DefaultSkew})
	orphan := storetest.Assess(t, stamp(2, 1), identity.ID{7}, capsule.VerdictSupports)
	mended := storetest.Publish(t, stamp(3, 1))
	hidden := storetest.Publish(t, storetest.Stamp{Signer: 4, Nonce: 1, CreatedAt: 2 * storetest.Now})
	r := newRemote(hub, storetest.Record(later, 2), storetest.Record(orphan, 4), unproven(6), unproven(30),
		storetest.Record(hidden, 40), unproven(50))
	n := connect(t, r)
	first := n.mustSync(t, "hub")
	if got := n.exceptionSeqs(t); !slices.Equal(got, []uint64{2, 4, 6, 30, 40, 50}) || first.After.Exceptions != 6 {
		t.Fatalf("exceptions %v, %d", got, first.After.Exceptions)
	}
	if first.Retried != (explore.Retried{}) {
		t.Errorf("a first sync tried again: %+v", first.Retried)
	}

	// The clock comes nearer, one bad copy is mended, one record is withheld and one
	// is gone; the others stay as they are.
	n.now += 2 * capsule.DefaultSkew
	r.records[2] = storetest.Record(mended, 6)
	r.records = slices.Delete(r.records, 5, 6)
	r.hidden[hidden.ID()] = true
	second := n.mustSync(t, "hub")
	want := explore.Retried{Tried: 6, Resolved: 2, Gone: 2}
	if second.Retried != want {
		t.Errorf("retried %+v, want %+v", second.Retried, want)
	}
	if got := n.exceptionSeqs(t); !slices.Equal(got, []uint64{4, 30}) || second.After.Exceptions != 2 {
		t.Errorf("exceptions %v, %d", got, second.After.Exceptions)
	}
	page, err := n.Page(t.Context(), mended.ID())
	if err != nil || page.Shown.At[0].Facts.Lifecycle != view.Partial || !page.Shown.At[0].Held {
		t.Errorf("beside exceptions: %+v, %v", page.Shown.At, err)
	}
	onlyOnce(t, r)
}

func TestExceptionsThatAreHeldNeedNoQuestion(t *testing.T) {
	root := storetest.Publish(t, stamp(1, 1))
	child := storetest.Assess(t, stamp(2, 1), root.ID(), capsule.VerdictSupports)
	r := newRemote(hub, storetest.Record(child, 4))
	n := connect(t, r)
	if s := n.mustSync(t, "hub"); s.After.Exceptions != 1 || !slices.Equal(s.Fetched.Missing, []identity.ID{root.ID()}) {
		t.Fatalf("%+v", s)
	}
	put(t, n.store, root)
	asked := r.called("batch")
	if s := n.mustSync(t, "hub"); s.After.Exceptions != 0 || r.called("batch") != asked {
		t.Errorf("%d exceptions, %d questions", s.After.Exceptions, r.called("batch")-asked)
	}
}

func TestExceptionsMoveWithANewAcceptance_8_3(t *testing.T) {
	later := storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 1, CreatedAt: storetest.Now + 2*capsule.DefaultSkew})
	r := newRemote(hub, storetest.Record(later, 2))
	n := connect(t, r)
	n.mustSync(t, "hub")
	r.records = nil
	r.add(storetest.Record(later, 9))
	if s := n.mustSync(t, "hub"); s.After.Exceptions != 1 || !slices.Equal(n.exceptionSeqs(t), []uint64{9}) {
		t.Errorf("exceptions %v", n.exceptionSeqs(t))
	}
}

func TestRetriesAreBounded(t *testing.T) {
	r := newRemote(hub)
	for seq := uint64(1); seq <= 20; seq++ {
		later := storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: int64(seq), CreatedAt: 2 * storetest.Now})
		r.add(storetest.Record(later, seq))
	}
	n := connectWith(t, explore.Bounds{Retries: 8}, nil, r)
	n.mustSync(t, "hub")
	for round, want := range [][]uint64{{1, 8}, {9, 16}, {17, 20}} {
		r.asked = nil
		s := n.mustSync(t, "hub")
		if s.Retried.Tried != 8 || !s.Retried.Limited {
			t.Errorf("round %d: %+v", round, s.Retried)
		}
		first, _ := r.find(r.asked[0])
		if first.Seq != want[0] {
			t.Errorf("round %d began with %d, want %d: those with the fewest tries first", round, first.Seq, want[0])
		}
	}
	// A batch that fails does not keep a service from being followed.
	r.before = func(_ context.Context, call string, _ int) error {
		if call == "batch" {
			return &fault.Unavailable{Code: fault.UnavailableCode}
		}
		return nil
	}
	r.add(storetest.Record(storetest.Publish(t, stamp(5, 1)), 30))
	if s := n.mustSync(t, "hub"); s.Retried.Err == nil || s.Progress.Added != 1 {
		t.Errorf("%+v", s.Retried)
	}
}

// chain makes events that each extend the one before.
func chain(t *testing.T, n int) []capsule.Event {
	t.Helper()
	events := []capsule.Event{storetest.Publish(t, stamp(1, 1))}
	for i := 2; i <= n; i++ {
		events = append(events, storetest.Publish(t, stamp(1, int64(i)), storetest.Relate(capsule.Extends, events[i-2].ID())))
	}
	return events
}

func TestDependenciesAreFetched_8_2(t *testing.T) {
	events := chain(t, 5)
	// The hub withholds the first three; the lab has two of them, off its own list.
	h := newRemote(hub, numbered(1, 1, events...)...)
	l := newRemote(lab, numbered(1, 1, events[0], events[1])...)
	silent := newRemote("https://aaa.example.org", numbered(1, 1, events...)...)
	asleep := newRemote("https://off.example.org", numbered(1, 1, events...)...)
	n := connect(t, h, l, silent, asleep)
	if _, err := n.ChangeService(t.Context(), "aaa", func(s *desk.Service) { s.Ask = desk.AskNever }); err != nil {
		t.Fatal(err)
	}
	if _, err := n.EnableService(t.Context(), "off", false); err != nil {
		t.Fatal(err)
	}
	h.hidden[events[0].ID()], h.hidden[events[1].ID()] = true, true
	s := n.mustSync(t, "hub")
	if s.Fetched.Asked != 2 || s.Fetched.Found != 2 || s.Fetched.Err != nil || s.Fetched.Limit != explore.NoLimit || s.Fetched.Missing != nil {
		t.Errorf("fetched %+v", s.Fetched)
	}
	if s.After.Exceptions != 0 {
		t.Errorf("%d exceptions", s.After.Exceptions)
	}
	if silent.questions()+asleep.questions() != 0 {
		t.Error("a service was asked that must not be")
	}
	if l.called("follow")+l.called("query") != 0 || h.called("batch") != 2 {
		t.Errorf("the lab was asked %v", l.calls)
	}
	// What the lab gave by ID moves none of its own state.
	if follow, _ := n.store.Follow(t.Context(), lab); follow.Reached != 0 || follow.Complete {
		t.Errorf("the lab's state %+v", follow)
	}
	if _, err := n.Event(t.Context(), events[4].ID()); err != nil {
		t.Error(err)
	}
}

func TestDependenciesAreBounded_8_2(t *testing.T) {
	events := chain(t, 12)
	last := []wire.Item{storetest.Record(events[11], 20)}
	size := int64(len(events[10].Envelope().Text()))
	for _, test := range []struct {
		limit explore.Limit
		b     explore.Bounds
		asked int
	}{
		{explore.NoLimit, explore.Bounds{Depth: 11}, 11},
		{explore.DepthLimit, explore.Bounds{Depth: 4}, 4},
		{explore.CountLimit, explore.Bounds{Depth: 20, Dependencies: 6}, 6},
		{explore.BytesLimit, explore.Bounds{Depth: 20, Bytes: size + 1}, 2},
	} {
		t.Run("bound on "+string(test.limit), func(t *testing.T) {
			h := newRemote(hub, last...)
			l := newRemote(lab, numbered(1, 1, events...)...)
			n := connectWith(t, test.b, nil, h, l)
			s := n.mustSync(t, "hub")
			if s.Fetched.Limit != test.limit || s.Fetched.Asked != test.asked {
				t.Errorf("fetched %+v", s.Fetched)
			}
			short := test.limit != explore.NoLimit
			if (s.Fetched.Short() != nil) != short || (s.After.Exceptions == 1) != short || short != (len(s.Fetched.Missing) > 0) {
				t.Errorf("%v, %d exceptions, missing %v", s.Fetched.Short(), s.After.Exceptions, s.Fetched.Missing)
			}
		})
	}
	t.Run("bound on count in one round", func(t *testing.T) {
		wide := storetest.Publish(t, stamp(2, 1), func(p *capsule.PublishPayload) {
			for _, e := range events[:10] {
				p.Relations = append(p.Relations, capsule.Link{Relation: capsule.Extends, Target: e.ID()})
			}
		})
		h := newRemote(hub, storetest.Record(wide, 20))
		l := newRemote(lab, numbered(1, 1, events...)...)
		n := connectWith(t, explore.Bounds{Dependencies: 6}, nil, h, l)
		s := n.mustSync(t, "hub")
		if f := s.Fetched; f.Limit != explore.CountLimit || f.Asked != 6 || f.Found != 6 || len(f.Missing) != 4 || len(l.asked) != 6 {
			t.Errorf("fetched %+v", s.Fetched)
		}
	})
}

func TestFetchPendingAsksForWhatFilesLeft_8_2(t *testing.T) {
	events := chain(t, 3)
	l := newRemote(lab, numbered(1, 1, events...)...)
	n := connect(t, l)
	put(t, n.store, events[2])
	f, err := n.FetchPending(t.Context(), nil)
	if err != nil || f.Asked != 2 || f.Found != 2 || f.Missing != nil {
		t.Errorf("%+v, %v", f, err)
	}
	if _, err := n.Event(t.Context(), events[2].ID()); err != nil {
		t.Error(err)
	}
	if f, err = n.FetchPending(t.Context(), nil); err != nil || f.Asked != 0 {
		t.Errorf("with nothing pending: %+v, %v", f, err)
	}
}

func TestAServiceThatWentBack_8_3(t *testing.T) {
	events := storetest.World(t, 5, 20)
	for _, test := range []struct {
		name string
		kind desk.FaultKind
		trip func(*remote)
	}{
		{"it refuses after_seq", desk.AfterRefused, func(*remote) {}},
		{"it answers with a smaller checkpoint", desk.CheckpointBack, func(r *remote) { r.lenient = true }},
		{"a client that checks refuses its answer", desk.CheckpointBack, func(r *remote) {
			r.before = func(_ context.Context, call string, _ int) error {
				if call == "follow" {
					return &fault.Refusal{Code: fault.InvalidResponse, Path: "/checkpoint"}
				}
				return nil
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRemote(hub, numbered(1, 1, events...)...)
			n := connect(t, r)
			before := n.mustSync(t, "hub").After
			r.records = nil
			r.add(numbered(1, 1, events[:3]...)...)
			test.trip(r)
			for range 2 {
				s := n.sync(t, "hub")
				want := desk.ServiceFault{Kind: test.kind, At: n.now, Before: 20, Now: 3}
				var hinted fault.Coded = s.Err.(*fault.Unavailable)
				if hinted.FaultHint() == "" || !slices.Equal(s.After.Faults, []desk.ServiceFault{want}) {
					t.Fatalf("%v, %+v", s.Err, s.After.Faults)
				}
				if s.After.Checkpoint != before.Checkpoint || s.After.Reached != before.Reached || !s.After.Complete || s.After.Trouble.Code == "" {
					t.Errorf("state %+v", s.After)
				}
			}
			stats, err := n.Stats(t.Context())
			if err != nil || stats.Events != 20 {
				t.Errorf("%d events are left, %v", stats.Events, err)
			}
			// The way out: follow it from the start.
			set, err := n.ChangeService(t.Context(), "hub", func(v *desk.Service) { v.CAFile, v.AllowPrivate, v.Ask = "/ca.pem", true, desk.AskNever })
			if err != nil {
				t.Fatal(err)
			}
			if kept, err := n.RefollowService(t.Context(), "hub"); err != nil || kept != set {
				t.Fatalf("%+v, %v", kept, err)
			}
			if states, _ := n.ListServices(t.Context()); states[0].Service != set || states[0].Follow.Reached != 0 || states[0].Follow.Faults != nil {
				t.Errorf("%+v", states[0])
			}
			r.before = nil
			if s := n.mustSync(t, "hub"); s.After.Checkpoint != 3 || s.After.Faults != nil || s.Progress.Held != 3 {
				t.Errorf("from the start: %+v", s)
			}
		})
	}
	t.Run("it refuses for another reason", func(t *testing.T) {
		r := newRemote(hub, numbered(1, 1, events...)...)
		n := connect(t, r)
		n.mustSync(t, "hub")
		r.before = func(_ context.Context, call string, _ int) error {
			if call == "follow" {
				return &fault.Refusal{Code: fault.InvalidRequest, Detail: "limit"}
			}
			return nil
		}
		if s := n.sync(t, "hub"); code(s.Err) != fault.InvalidRequest || s.After.Faults != nil || s.After.Trouble.Code != fault.InvalidRequest {
			t.Errorf("%v, %+v", s.Err, s.After)
		}
	})
	t.Run("it refuses after_seq and names a checkpoint that allows it", func(t *testing.T) {
		r := newRemote(hub, numbered(1, 1, events...)...)
		n := connect(t, r)
		n.mustSync(t, "hub")
		r.refuseAfter = 20
		want := desk.ServiceFault{Kind: desk.AfterRefused, At: n.now, Before: 20, Now: 20}
		for range 2 {
			if s := n.sync(t, "hub"); code(s.Err) != fault.InvalidRequest || !slices.Equal(s.After.Faults, []desk.ServiceFault{want}) {
				t.Errorf("%v, %+v", s.Err, s.After)
			}
			r.checkpoint++
		}
		// What was followed is complete no more: it contradicts itself.
		states, err := n.ListServices(t.Context())
		if err != nil || states[0].Follow.Followed(hub).Scope().Complete {
			t.Errorf("%+v, %v", states, err)
		}
	})
}
