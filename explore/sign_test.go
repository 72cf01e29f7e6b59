package explore_test

import (
	"path/filepath"
	"slices"
	"testing"

	"akx/cache"
	"akx/cache/storetest"
	"akx/cmd/akx/eventtest"
	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/memory"
	"akx/view/wire"
)

// checkSigned holds what was signed to all that is promised of it.
func checkSigned(t *testing.T, w *writing, d desk.Draft, r explore.SignRequest, got explore.Signed) {
	t.Helper()
	id, err := eventtest.Envelope(got.Entry.Envelope)
	if err != nil || id != r.Shown.ID.String() || got.Event.ID() != r.Shown.ID {
		t.Fatalf("an independent verifier says %s, %v; shown was %s", id, err, r.Shown.ID)
	}
	if string(got.Event.Envelope().Canonical()) != string(r.Shown.Canonical) {
		t.Error("what was signed is not what was shown")
	}
	if stored, err := w.desk.Entry(t.Context(), got.Event.ID()); err != nil || stored.Envelope != got.Entry.Envelope {
		t.Errorf("the outbox holds %+v, %v", stored, err)
	}
	if held, err := w.s.Event(t.Context(), got.Event.ID()); err != nil || held.Envelope().Text() != got.Entry.Envelope {
		t.Errorf("the library holds %v, %v", held, err)
	}
	if as, ok, err := w.w.SignedAs(t.Context(), d.ID); err != nil || !ok || as != got.Event.ID() {
		t.Errorf("the draft leads to %s, %v, %v", as, ok, err)
	}
	if last, err := w.desk.LastNonce(t.Context(), w.key.Actor()); err != nil || last != got.Event.Nonce() {
		t.Errorf("the last nonce is %d, %v, not %d", last, err, got.Event.Nonce())
	}
}

func TestSignEveryKindOfDraft_4_1_and_6(t *testing.T) {
	both(t, func(t *testing.T, w *writing) {
		question := w.sign(w.draft(explore.Start{Kind: capsule.Question})).Event.ID()
		var starts []explore.Start
		for _, k := range capsule.Kinds() {
			if k != capsule.Collection {
				starts = append(starts, explore.Start{Kind: k})
			}
		}
		starts = append(starts,
			explore.Start{Relation: capsule.Contains, Target: question},
			explore.Start{Relation: capsule.Addresses, Target: question},
			explore.Start{Relation: capsule.Extends, Target: question},
			explore.Start{Assess: question}, explore.Start{Correct: []identity.ID{question}})
		nonce := int64(0)
		for _, start := range append(starts, explore.Start{Retract: question}) {
			d := w.draft(start)
			r := w.request(d)
			got, err := w.w.Sign(t.Context(), r)
			if err != nil {
				t.Fatalf("%+v: %v", start, err)
			}
			checkSigned(t, w, d, r, got)
			if got.Event.Nonce() <= nonce {
				t.Errorf("nonce %d after %d", got.Event.Nonce(), nonce)
			}
			nonce = got.Event.Nonce()
		}
		page, err := w.s.Page(t.Context(), question)
		if err != nil || page.Entry.Lifecycle != view.Retracted {
			t.Errorf("the question is %v, %v", page.Entry.Lifecycle, err)
		}
		if n := len(w.takers[hub].sent()); n > 0 {
			t.Errorf("%d envelopes were sent by signing", n)
		}
	})
}

// Nothing is signed before each step was taken (3.3, 11).
func TestSignNeedsEveryStep_3_3(t *testing.T) {
	w := newWriting(t, change{})
	first := w.publish()
	d := w.draft(explore.Start{Correct: []identity.ID{first.Event.ID()}})
	d.Payload.Basis = "Ask jane.doe@corp-mail.org about it."
	d, err := w.w.SaveDraft(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	whole := w.request(d)
	if len(whole.Answered) != 1 || len(whole.Confirmed) != 1 {
		t.Fatalf("findings %q, confirmations %q", whole.Answered, whole.Confirmed)
	}
	other := authorKey(2)
	for name, spoil := range map[string]func(r *explore.SignRequest){
		"a finding without an answer":  func(r *explore.SignRequest) { r.Answered = nil },
		"no confirmation":              func(r *explore.SignRequest) { r.Confirmed = nil },
		"a confirmation of another ID": func(r *explore.SignRequest) { r.Confirmed = []string{"AAAA"} },
		"no consent":                   func(r *explore.SignRequest) { r.Disclosed = false },
		"another key":                  func(r *explore.SignRequest) { r.Key = other },
		"no key":                       func(r *explore.SignRequest) { r.Key = identity.Key{} },
		"a sample key":                 func(r *explore.SignRequest) { r.Key = identity.TestKey(0x21) },
		"an unknown service":           func(r *explore.SignRequest) { r.Services = []string{"nowhere"} },
		"another time":                 func(r *explore.SignRequest) { r.Shown.CreatedAt++ },
		"another nonce":                func(r *explore.SignRequest) { r.Shown.Nonce++ },
		"other bytes":                  func(r *explore.SignRequest) { r.Shown.Canonical = []byte("{}") },
	} {
		r := whole
		spoil(&r)
		_, err := w.w.Sign(t.Context(), r)
		if err == nil {
			t.Fatalf("signed with %s", name)
		}
		wantCode(t, err, fault.UsageCode)
	}
	if entries, err := w.w.Outbox(t.Context()); err != nil || len(entries) != 1 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	if _, err := w.w.Sign(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
}

func TestSignOnlyWhatWasShown_Identity_5(t *testing.T) {
	w := newWriting(t, change{})
	d := w.draft(explore.Start{Kind: capsule.Hypothesis})
	r := w.request(d)
	d.Payload.Statement += " And more."
	if _, err := w.w.SaveDraft(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	_, err := w.w.Sign(t.Context(), r)
	wantCode(t, err, fault.UsageCode)

	// Another signature takes the nonce in between.
	r = w.request(d)
	other := w.publish()
	_, err = w.w.Sign(t.Context(), r)
	wantCode(t, err, fault.Locked)
	if got := w.sign(d); got.Event.Nonce() <= other.Event.Nonce() {
		t.Errorf("nonce %d after %d", got.Event.Nonce(), other.Event.Nonce())
	}
}

func TestSignOnce(t *testing.T) {
	both(t, func(t *testing.T, w *writing) {
		d := w.draft(explore.Start{Kind: capsule.Observation})
		r := w.request(d)
		first, err := w.w.Sign(t.Context(), r)
		if err != nil || first.Again {
			t.Fatal(first.Again, err)
		}
		w.pass(1000)
		r.Disclosed = false
		second, err := w.w.Sign(t.Context(), r)
		if err != nil || !second.Again || second.Entry.Envelope != first.Entry.Envelope {
			t.Fatalf("%v, %v, %q", second.Again, err, second.Entry.Envelope)
		}
		if err := w.w.RemoveEntry(t.Context(), first.Event.ID()); err != nil {
			t.Fatal(err)
		}
		if third, err := w.w.Sign(t.Context(), r); err != nil || !third.Again || third.Event.ID() != first.Event.ID() {
			t.Fatal(third, err)
		}
		_, err = w.w.SaveDraft(t.Context(), d)
		wantCode(t, err, fault.NotHeldCode)
	})
}

// The nonce goes beyond what is reserved, what the cache holds of this actor, and the
// clock, whichever was restored or set (Identity 6.2, Knowledge 6.1 and 7.1).
func TestNonceAfterRestoreAndClockJumps_Identity_6_2(t *testing.T) {
	for name, prepare := range map[string]func(w *writing) (largest int64){
		"an older desk": func(w *writing) int64 {
			largest := w.publish().Event.Nonce()
			w.w = explore.NewWriter(w.s, memory.NewDesk(), explore.WriterOptions{Defaults: clean})
			return largest
		},
		"a clock that is set back": func(w *writing) int64 {
			largest := w.publish().Event.Nonce()
			w.pass(-3_600_000)
			return largest
		},
		"an older desk and clock": func(w *writing) int64 {
			largest := w.publish().Event.Nonce()
			w.w = explore.NewWriter(w.s, memory.NewDesk(), explore.WriterOptions{Defaults: clean})
			w.pass(-3_600_000)
			return largest
		},
		"a clock that was ahead": func(w *writing) int64 {
			w.pass(86_400_000)
			largest := w.publish().Event.Nonce()
			w.pass(-86_400_000)
			return largest
		},
		"an older desk, and the last event waits": func(w *writing) int64 {
			absent := storetest.Publish(w.t, stamp(9, 1))
			d := w.draft(explore.Start{Kind: capsule.Observation})
			d.Payload.Relations = []desk.Relation{{Relation: "extends", Target: absent.ID().String()}}
			largest := int64(storetest.Now + 500)
			e, err := identity.Sign(w.key, d.Unsigned(storetest.Now, largest), capsule.Format())
			if err != nil {
				w.t.Fatal(err)
			}
			offer, err := capsule.Open([]byte(e.Text()))
			if err != nil {
				w.t.Fatal(err)
			}
			outcomes, err := w.lib.Accept(w.t.Context(), wire.Source{Kind: wire.FromOwn}, []wire.Item{{Offer: offer}})
			if err != nil || outcomes[0].Status != wire.Pending {
				w.t.Fatal(outcomes, err)
			}
			return largest
		},
		"a clock that stands": func(w *writing) int64 { return w.publish().Event.Nonce() },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWriting(t, change{})
			largest := prepare(w)
			got := w.publish()
			if got.Event.Nonce() <= largest || got.Event.Nonce() < got.Event.CreatedAt() || got.Event.CreatedAt() != w.now().UnixMilli() {
				t.Errorf("nonce %d at %d, after %d", got.Event.Nonce(), got.Event.CreatedAt(), largest)
			}
		})
	}
	t.Run("no nonce is left", func(t *testing.T) {
		w := newWriting(t, change{})
		if ok, err := w.desk.ReserveNonce(t.Context(), w.key.Actor(), identity.MaxSafeInteger); !ok || err != nil {
			t.Fatal(ok, err)
		}
		_, err := w.w.Preview(t.Context(), w.draft(explore.Start{Kind: capsule.Question}), w.key.Actor(), nil)
		wantCode(t, err, fault.UsageCode)
	})
	t.Run("a clock before 1970", func(t *testing.T) {
		w := newWriting(t, change{})
		w.pass(-2 * storetest.Now)
		_, err := w.w.Preview(t.Context(), w.draft(explore.Start{Kind: capsule.Question}), w.key.Actor(), nil)
		wantCode(t, err, fault.UsageCode)
	})
	t.Run("a clock that is set back between preview and signature", func(t *testing.T) {
		w := newWriting(t, change{})
		r := w.request(w.draft(explore.Start{Kind: capsule.Question}))
		w.pass(-capsule.DefaultSkew - 1000)
		_, err := w.w.Sign(t.Context(), r)
		wantCode(t, err, fault.TimestampOutside)
	})
}

// A picker shows which events a relation may point at, and why not at others (6.1).
func TestCheckTarget_6_1(t *testing.T) {
	w := newWriting(t, change{})
	foreign := storetest.Publish(t, stamp(2, 1), storetest.OfKind(capsule.Question))
	put(t, w.lib, foreign)
	rows, _, err := w.s.Entries(t.Context(), []identity.ID{foreign.ID(), w.publish().Event.ID()})
	if err != nil {
		t.Fatal(err)
	}
	d := desk.New(capsule.Observation, clean)
	d.Actor = w.key.Actor()
	for _, c := range []struct {
		relation capsule.Relation
		foreign  bool
		own      bool
	}{
		{capsule.Addresses, true, false}, {capsule.Tests, false, false}, {capsule.Supersedes, false, true},
		{capsule.Extends, true, true}, {capsule.Contains, false, false},
	} {
		for i, want := range []bool{c.foreign, c.own} {
			if r := explore.CheckTarget(d, c.relation, rows[i]); (r == nil) != want {
				t.Errorf("%s to row %d: %v", c.relation, i, r)
			}
		}
	}
}

// A draft stays this akx's own for as long as something here needs it.
func TestDraftIsHeldWhileItIsUsed(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	one, two := newWriting(t, change{home: home}), newWriting(t, change{home: home})
	d := one.draft(explore.Start{Kind: capsule.Observation})
	held := func() bool {
		t.Helper()
		opened, err := two.w.OpenDraft(t.Context(), d.ID)
		if err != nil {
			t.Fatal(err)
		}
		two.w.CloseDraft(d.ID)
		return opened.Holder != ""
	}
	for range 2 {
		if _, err := one.w.OpenDraft(t.Context(), d.ID); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := one.w.SaveDraft(t.Context(), d); err != nil || !held() {
		t.Fatal("let go by saving", err)
	}
	one.w.CloseDraft(d.ID)
	one.w.CloseDraft(d.ID)
	if held() {
		t.Error("held though it was closed")
	}
	if _, err := one.w.SaveDraft(t.Context(), d); err != nil || held() {
		t.Error("held by a save that is over", err)
	}
}

// What the target rules forbid is not signed (6.1, 6.2, 7.1, 8.2).
func TestTargetsOfDrafts_6_and_7(t *testing.T) {
	w := newWriting(t, change{})
	mine := w.publish().Event.ID()
	foreign := storetest.Publish(t, stamp(2, 1))
	put(t, w.lib, foreign)
	for name, start := range map[string]explore.Start{
		"another's retraction": {Retract: foreign.ID(), Actor: w.key.Actor()},
		"another's correction": {Correct: []identity.ID{foreign.ID()}, Actor: w.key.Actor()},
		"two authors":          {Correct: []identity.ID{mine, foreign.ID()}},
		"no question":          {Relation: capsule.Addresses, Target: mine},
	} {
		if _, err := w.w.NewDraft(t.Context(), start); err == nil {
			t.Errorf("a draft of %s", name)
		} else {
			wantCode(t, err, fault.InvalidTarget)
		}
	}
	_, err := w.w.NewDraft(t.Context(), explore.Start{Assess: identity.ID{1}})
	wantCode(t, err, fault.NotHeldCode)

	d := w.draft(explore.Start{Assess: mine})
	d.Payload.Target = identity.ID{7}.String()
	if d, err = w.w.SaveDraft(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	if _, err = w.w.Sign(t.Context(), w.request(d)); err == nil {
		t.Error("signed an assessment of what is not held")
	}

	// A successor and a retraction are said when the draft is opened, and a draft can be
	// pointed at the successor.
	next := w.sign(w.draft(explore.Start{Correct: []identity.ID{mine}})).Event.ID()
	w.sign(w.draft(explore.Start{Retract: mine}))
	opened, err := w.w.NewDraft(t.Context(), explore.Start{Assess: mine})
	if err != nil || len(opened.Targets) != 1 {
		t.Fatal(opened, err)
	}
	if target := opened.Targets[0]; !target.Retracted() || !slices.Equal(target.Successors, []identity.ID{next}) || target.Scope.Origin != view.ThisCache {
		t.Errorf("%+v", target)
	}
	if again := explore.Retarget(opened.Draft, mine, next); again.Payload.Target != next.String() {
		t.Errorf("points at %s", again.Payload.Target)
	}
}

func TestReadOnlyWritesNothing(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	w := newWriting(t, change{home: home})
	d := w.draft(explore.Start{Kind: capsule.Observation})
	signed := w.publish("hub")
	r := w.request(d)
	w.w.Close()

	r2 := newWriting(t, change{home: home, readOnly: true})
	ctx := t.Context()
	opened, err := r2.w.OpenDraft(ctx, d.ID)
	if err != nil || !opened.Draft.Payload.Equal(d.Payload) {
		t.Fatal(opened, err)
	}
	id := signed.Event.ID()
	for name, do := range map[string]func() error{
		"new":     func() error { _, err := r2.w.NewDraft(ctx, explore.Start{Kind: capsule.Question}); return err },
		"save":    func() error { _, err := r2.w.SaveDraft(ctx, d); return err },
		"discard": func() error { return r2.w.Discard(ctx, d.ID) },
		"delete":  func() error { return r2.w.DeleteDraft(ctx, d.ID) },
		"sign":    func() error { _, err := r2.w.Sign(ctx, r); return err },
		"queue":   func() error { _, err := r2.w.Queue(ctx, id, []string{"lab"}); return err },
		"submit":  func() error { _, err := r2.w.Submit(ctx, id, nil, explore.SendOptions{}); return err },
		"queued":  func() error { _, err := r2.w.SubmitQueued(ctx, "hub", explore.SendOptions{}); return err },
		"retry":   func() error { _, _, err := r2.w.Retry(ctx, explore.SendOptions{}); return err },
		"remove":  func() error { return r2.w.RemoveEntry(ctx, id) },
		"name":    func() error { return r2.w.SetPetname(ctx, w.key.Actor(), "me") },
		"desk":    func() error { _, err := r2.desk.PutDraft(ctx, desk.Draft{Type: capsule.Publish}); return err },
		"hold":    func() error { _, _, err := r2.desk.Hold(ctx, "draft-1"); return err },
		"nonce":   func() error { _, err := r2.desk.ReserveNonce(ctx, w.key.Actor(), identity.MaxSafeInteger); return err },
	} {
		t.Run(name, func(t *testing.T) { wantCode(t, do(), fault.ReadOnly) })
	}
	if err := r2.w.Recover(ctx); err != nil {
		t.Error(err)
	}
	if text, err := r2.w.Export(ctx, id); err != nil || text != signed.Entry.Envelope {
		t.Error(text, err)
	}
	if n := len(r2.takers[hub].sent()); n > 0 {
		t.Errorf("%d were sent", n)
	}
}

// Keys of the sample sign in the sample alone, and nothing of it leaves.
func TestSampleStaysTheSample(t *testing.T) {
	w := newWriting(t, change{sample: true})
	d := w.draft(explore.Start{Kind: capsule.Observation})
	r := w.request(d)
	_, err := w.w.Sign(t.Context(), r)
	wantCode(t, err, fault.UsageCode)

	w.key = identity.TestKey(0x21)
	r = w.request(d)
	r.Services = []string{"hub"}
	_, err = w.w.Sign(t.Context(), r)
	wantCode(t, err, fault.UsageCode)
	signed := w.sign(d)
	id := signed.Event.ID()
	if !signed.Entry.Sample || !d.Sample {
		t.Error("what is made in the sample does not say so")
	}
	_, err = w.w.Submit(t.Context(), id, []string{"hub"}, explore.SendOptions{})
	wantCode(t, err, fault.UsageCode)
	_, err = w.w.Export(t.Context(), id)
	wantCode(t, err, fault.UsageCode)

	// The same envelope in a home of its own is refused too.
	real := newWriting(t, change{})
	if _, err := real.lib.Accept(t.Context(), fromFile, []wire.Item{{Offer: capsule.OfferOf(signed.Event)}}); err != nil {
		t.Fatal(err)
	}
	_, err = real.w.Submit(t.Context(), id, []string{"hub"}, explore.SendOptions{})
	wantCode(t, err, fault.UsageCode)
	_, err = real.w.Export(t.Context(), id)
	wantCode(t, err, fault.UsageCode)
	if n := len(w.takers[hub].sent()) + len(real.takers[hub].sent()); n > 0 {
		t.Errorf("%d were sent", n)
	}
}

// Two akx on one draft: the second reads it and is told who has it.
func TestTwoWritersOfOneDraft(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	one, two := newWriting(t, change{home: home}), newWriting(t, change{home: home})
	d := one.draft(explore.Start{Kind: capsule.Observation})
	opened, err := two.w.OpenDraft(t.Context(), d.ID)
	if err != nil || opened.Holder == "" || !opened.Draft.Payload.Equal(d.Payload) {
		t.Fatal(opened, err)
	}
	_, err = two.w.SaveDraft(t.Context(), d)
	wantCode(t, err, fault.Locked)
	_, err = two.w.Sign(t.Context(), two.request(d))
	wantCode(t, err, fault.Locked)
	wantCode(t, two.w.Discard(t.Context(), d.ID), fault.Locked)

	one.w.CloseDraft(d.ID)
	if opened, err = two.w.OpenDraft(t.Context(), d.ID); err != nil || opened.Holder != "" {
		t.Fatal(opened, err)
	}
	signed := two.sign(d)
	if again, err := one.w.Sign(t.Context(), one.request(d)); err == nil {
		t.Fatalf("signed while another has it: %+v", again)
	}
	two.w.CloseDraft(d.ID)
	again, err := one.w.Sign(t.Context(), one.request(d))
	if err != nil || !again.Again || again.Entry.Envelope != signed.Entry.Envelope {
		t.Fatal(again, err)
	}
}

func TestTrash(t *testing.T) {
	both(t, func(t *testing.T, w *writing) {
		ctx := t.Context()
		a, b := w.draft(explore.Start{Kind: capsule.Observation}), w.draft(explore.Start{Kind: capsule.Question})
		if err := w.w.Discard(ctx, a.ID); err != nil {
			t.Fatal(err)
		}
		drafts, err := w.w.Drafts(ctx)
		trash, err2 := w.w.Trash(ctx)
		if err != nil || err2 != nil || len(drafts) != 1 || drafts[0].ID != b.ID || len(trash) != 1 || trash[0].ID != a.ID {
			t.Fatal(drafts, trash, err, err2)
		}
		_, err = w.w.Sign(ctx, w.request(a))
		wantCode(t, err, fault.UsageCode)
		if err := w.w.Restore(ctx, a.ID); err != nil {
			t.Fatal(err)
		}
		if err := w.w.DeleteDraft(ctx, b.ID); err != nil {
			t.Fatal(err)
		}
		_, err = w.w.Draft(ctx, b.ID)
		wantCode(t, err, fault.NotHeldCode)
		if c := w.draft(explore.Start{Kind: capsule.Question}); c.ID <= b.ID {
			t.Errorf("ID %d was used before", c.ID)
		}
	})
}

func TestPetnames(t *testing.T) {
	both(t, func(t *testing.T, w *writing) {
		ctx, me, you := t.Context(), authorKey(1).Actor(), authorKey(2).Actor()
		if err := w.w.SetPetname(ctx, me, "Grüße 語"); err != nil {
			t.Fatal(err)
		}
		wantCode(t, w.w.SetPetname(ctx, you, "Grüße 語"), fault.UsageCode)
		for _, bad := range []string{" a", "a ", "a\nb", "a\x1b[31m", "\u202ea", "a\xff", string(make([]byte, 65))} {
			wantCode(t, w.w.SetPetname(ctx, you, bad), fault.UsageCode)
		}
		names, err := w.w.Petnames(ctx)
		if err != nil || len(names) != 1 || names[me] != "Grüße 語" {
			t.Fatal(names, err)
		}
		if err := w.w.SetPetname(ctx, me, ""); err != nil {
			t.Fatal(err)
		}
		if names, err = w.w.Petnames(ctx); err != nil || len(names) != 0 {
			t.Fatal(names, err)
		}
	})
}

var _ explore.Desk = (*cache.Desk)(nil)
