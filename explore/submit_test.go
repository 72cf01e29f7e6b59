package explore_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"akx/cache/storetest"
	"akx/client"
	"akx/client/clienttest"
	"akx/client/fetch"
	"akx/client/service"
	"akx/explore"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/memory"
	"akx/view/wire"
)

func refuse(code fault.Code) func(string, int) (wire.Record, error) {
	return func(string, int) (wire.Record, error) {
		return wire.Record{}, &fault.Refusal{Step: fault.StepPolicy, Code: code, Detail: "words of the service"}
	}
}

func unavailable(fate fault.Fate, code fault.Code, after int64) func(string, int) (wire.Record, error) {
	return func(string, int) (wire.Record, error) {
		return wire.Record{}, &fault.Unavailable{Code: code, What: "the hub", Detail: "no answer", Fate: fate, RetryAfter: after}
	}
}

// What each answer makes of a delivery: its state, and whether akx tries again (9.7).
func TestSubmitAnswers_9_7(t *testing.T) {
	for name, c := range map[string]struct {
		take  func(string, int) (wire.Record, error)
		state desk.SendState
		code  fault.Code
		again bool
	}{
		"accepted":                {nil, desk.Accepted, "", false},
		"missing_dependency":      {refuse(fault.MissingDependency), desk.Refused, fault.MissingDependency, false},
		"invalid_target":          {refuse(fault.InvalidTarget), desk.Refused, fault.InvalidTarget, false},
		"invalid_event":           {refuse(fault.InvalidEvent), desk.Refused, fault.InvalidEvent, false},
		"invalid_event_hash":      {refuse(fault.InvalidEventHash), desk.Refused, fault.InvalidEventHash, false},
		"invalid_signature":       {refuse(fault.InvalidSignature), desk.Refused, fault.InvalidSignature, false},
		"invalid_actor":           {refuse(fault.InvalidActor), desk.Refused, fault.InvalidActor, false},
		"invalid_request":         {refuse(fault.InvalidRequest), desk.Refused, fault.InvalidRequest, false},
		"invalid_token":           {refuse(fault.InvalidToken), desk.Refused, fault.InvalidToken, false},
		"nonce_not_greater":       {refuse(fault.NonceNotGreater), desk.Refused, fault.NonceNotGreater, false},
		"timestamp_out_of_window": {refuse(fault.TimestampOutside), desk.Refused, fault.TimestampOutside, false},
		"payload_too_large":       {refuse(fault.PayloadTooLarge), desk.Refused, fault.PayloadTooLarge, false},
		"permission_denied":       {refuse(fault.PermissionDenied), desk.Refused, fault.PermissionDenied, false},
		"not_found":               {unavailable(fault.Answered, fault.NotFound, 0), desk.Refused, fault.NotFound, false},
		"rate_limited":            {unavailable(fault.Answered, fault.RateLimited, 0), desk.Refused, fault.RateLimited, true},
		"query_unavailable":       {unavailable(fault.Answered, fault.QueryUnavailable, 0), desk.Refused, fault.QueryUnavailable, true},
		"not reached":             {unavailable(fault.Unsent, fault.UnavailableCode, 0), desk.NotSent, fault.UnavailableCode, true},
		"connection lost":         {unavailable(fault.Lost, fault.UnavailableCode, 0), desk.Unknown, fault.UnavailableCode, true},
		"a wrong answer":          {unavailable(fault.Lost, fault.InvalidResponse, 0), desk.Unknown, fault.InvalidResponse, true},
		"cancelled on the way":    {unavailable(fault.Lost, fault.Cancelled, 0), desk.Unknown, fault.Cancelled, false},
		"another event": {func(string, int) (wire.Record, error) {
			return wire.Record{Event: storetest.Publish(t, stamp(2, 1)), Seq: 1, AcceptedAt: 1}, nil
		}, desk.Unknown, fault.InvalidResponse, true},
		"no event": {func(string, int) (wire.Record, error) { return wire.Record{Seq: 1}, nil }, desk.Unknown, fault.InvalidResponse, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWriting(t, change{})
			signed := w.publish("hub")
			w.takers[hub].answer(c.take)
			w.submit(signed.Event.ID())
			d := w.delivery(signed.Event.ID(), hub)
			if d.State != c.state || d.Code != c.code || d.NextTry > 0 != c.again {
				t.Fatalf("%+v", d)
			}
			if c.state == desk.Accepted && (d.Seq != 1 || d.AcceptedAt != storetest.Now) {
				t.Errorf("%+v", d)
			}
			if d.Advice().Sentence == "" {
				t.Error("nothing is said about it")
			}
			// Whatever came, the user's next step sends the same bytes.
			w.takers[hub].answer(nil)
			w.submit(signed.Event.ID(), "hub")
			if d := w.delivery(signed.Event.ID(), hub); d.State != desk.Accepted {
				t.Errorf("then %+v", d)
			}
			for _, text := range w.takers[hub].sent() {
				if text != signed.Entry.Envelope {
					t.Error("other bytes were sent")
				}
			}
		})
	}
}

// An accepted envelope is not sent again, and what the service said of it is a claim.
func TestSubmitOnce_8_3(t *testing.T) {
	both(t, func(t *testing.T, w *writing) {
		id := w.publish("hub", "https://lab.example.org").Event.ID()
		for range 2 {
			if e := w.submit(id); !e.Settled() {
				t.Fatalf("%+v", e.Deliveries)
			}
		}
		for origin, k := range w.takers {
			if n := len(k.sent()); n != 1 {
				t.Errorf("%d were sent to %s", n, origin)
			}
		}
		page, err := w.s.Page(t.Context(), id)
		if err != nil || len(page.Claims) != 2 || page.Claims[0].AcceptedAt != storetest.Now {
			t.Errorf("%+v, %v", page.Claims, err)
		}
		if sent, err := w.w.SubmitQueued(t.Context(), "hub", explore.SendOptions{}); err != nil || len(sent) != 0 {
			t.Error(sent, err)
		}
	})
}

func TestSubmitQueuedSendsWhatWaits(t *testing.T) {
	w := newWriting(t, change{})
	w.takers[hub].answer(unavailable(fault.Lost, fault.UnavailableCode, 0))
	lost := w.publish("hub").Event.ID()
	w.submit(lost)
	w.takers[hub].answer(refuse(fault.InvalidEvent))
	bad := w.publish("hub").Event.ID()
	w.submit(bad)
	w.pass(1)
	fresh := w.publish("hub").Event.ID()
	w.publish("lab")
	w.takers[hub].answer(nil)
	sent, err := w.w.SubmitQueued(t.Context(), "hub", explore.SendOptions{})
	if err != nil || len(sent) != 2 || sent[0].ID != lost || sent[1].ID != fresh {
		t.Fatal(sent, err)
	}
	if d := w.delivery(bad, hub); d.State != desk.Refused {
		t.Errorf("%+v", d)
	}
}

// Retries wait longer each time, end, and go on after a restart.
func TestRetriesAreBoundedAndSurvive(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	w := newWriting(t, change{home: home})
	w.takers[hub].answer(unavailable(fault.Answered, fault.RateLimited, 60_000))
	id := w.publish("hub").Event.ID()
	if sent, next, err := w.w.Retry(t.Context(), explore.SendOptions{}); err != nil || len(sent) != 0 || next != 0 {
		t.Fatal("something was sent without the user's step:", sent, next, err)
	}
	w.submit(id)
	if d := w.delivery(id, hub); d.NextTry != w.now().UnixMilli()+60_000 {
		t.Fatalf("the service asked for 60 s: %+v", d)
	}
	waits := []int64{}
	tries := 1
	for {
		// Another akx takes over each time.
		again := newWriting(t, change{home: home})
		again.clock = w.clock
		again.takers[hub].answer(unavailable(fault.Lost, fault.UnavailableCode, 0))
		sent, next, err := again.w.Retry(t.Context(), explore.SendOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if len(sent) > 0 {
			tries++
		}
		if next == 0 {
			break
		}
		if len(waits) > 20 {
			t.Fatal("it never ends")
		}
		waits = append(waits, next-w.clock)
		w.clock = next
	}
	if tries != desk.MaxTries || !slices.IsSorted(waits[1:]) {
		t.Errorf("%d tries, waits %d", tries, waits)
	}
	// The user's step begins anew.
	w.takers[hub].answer(unavailable(fault.Lost, fault.UnavailableCode, 0))
	w.submit(id)
	if d := w.delivery(id, hub); d.Tries != 1 || d.NextTry == 0 {
		t.Errorf("%+v", d)
	}
}

func TestSubmitWithoutAWay(t *testing.T) {
	w := newWriting(t, change{offline: true})
	id := w.publish("hub").Event.ID()
	_, err := w.w.Submit(t.Context(), id, nil, explore.SendOptions{})
	wantCode(t, err, fault.Offline)
	if d := w.delivery(id, hub); d.State != desk.NotSent || d.Tries != 0 {
		t.Errorf("%+v", d)
	}

	w = newWriting(t, change{})
	id = w.publish("hub").Event.ID()
	if err := w.lib.PutService(t.Context(), desk.Service{Name: "hub", Origin: hub}); err != nil {
		t.Fatal(err)
	}
	_, err = w.w.Submit(t.Context(), id, nil, explore.SendOptions{})
	wantCode(t, err, fault.UsageCode)
	_, err = w.w.Submit(t.Context(), identity.ID{1}, []string{"hub"}, explore.SendOptions{})
	wantCode(t, err, fault.NotHeldCode)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.w.Submit(ctx, id, []string{"lab"}, explore.SendOptions{}); err == nil {
		t.Error("sent though it was cancelled")
	}
	if n := len(w.takers[hub].sent()) + len(w.takers[lab].sent()); n > 0 {
		t.Errorf("%d were sent", n)
	}
}

// Two akx that send one envelope: the second is told.
func TestTwoSendersOfOneEnvelope(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	one, two := newWriting(t, change{home: home}), newWriting(t, change{home: home})
	id := one.publish("hub").Event.ID()
	one.takers[hub].answer(func(text string, n int) (wire.Record, error) {
		if d := two.delivery(id, hub); d.State != desk.Sending {
			t.Errorf("another akx sees %+v", d)
		}
		_, err := two.w.Submit(t.Context(), id, nil, explore.SendOptions{})
		wantCode(t, err, fault.Locked)
		if err := two.w.Recover(t.Context()); err != nil {
			t.Error(err)
		}
		return acceptance(text, 9)
	})
	one.submit(id)
	if d := two.delivery(id, hub); d.State != desk.Accepted || d.Seq != 9 {
		t.Errorf("%+v", d)
	}
}

// A request JWT is made for the service that gets it and for no other (Identity 7).
func TestSubmitWithTokens_Identity_7(t *testing.T) {
	w := newWriting(t, change{})
	id := w.publish("hub", "lab").Event.ID()
	o := explore.SendOptions{Authenticate: map[identity.Origin]identity.Key{hub: w.key}}
	if _, err := w.w.Submit(t.Context(), id, nil, o); err != nil {
		t.Fatal(err)
	}
	token := w.takers[hub].tokens[0]
	claims, err := identity.OpenRequest(token, hub, w.now().Unix(), 0)
	if err != nil || claims.Issuer != w.key.Actor() {
		t.Error(claims, err)
	}
	if _, err := identity.OpenRequest(token, lab, w.now().Unix(), 0); err == nil {
		t.Error("the token is good elsewhere")
	}
	if got := w.takers[lab].tokens[0]; got != "" {
		t.Errorf("the lab got %q", got)
	}
}

// The setting of a service names the key of its tokens: it is used for that origin alone,
// while it is unlocked, and what the caller says for this once comes first.
func TestTokensByService_Identity_7(t *testing.T) {
	both(t, func(t *testing.T, w *writing) {
		ctx := t.Context()
		if _, err := w.s.ChangeService(ctx, "hub", func(s *desk.Service) { s.Token = w.key.Actor() }); err != nil {
			t.Fatal(err)
		}
		id := w.publish("hub", "lab").Event.ID()
		_, err := w.w.Submit(ctx, id, nil, explore.SendOptions{})
		wantCode(t, err, fault.UsageCode)
		if n := len(w.takers[hub].sent()); n != 0 || w.delivery(id, hub).State != desk.NotSent {
			t.Errorf("%d were sent without a token: %+v", n, w.delivery(id, hub))
		}
		if d := w.delivery(id, lab); d.State != desk.Accepted || w.takers[lab].tokens[0] != "" {
			t.Errorf("the lab: %+v, token %q", d, w.takers[lab].tokens[0])
		}
		if sent, next, err := w.w.Retry(ctx, explore.SendOptions{}); err != nil || len(sent) != 0 || next != 0 {
			t.Error("tried by itself:", sent, next, err)
		}
		if locked, err := w.w.LockedToken(ctx, "hub"); err != nil || locked != w.key.Actor() {
			t.Error(locked, err)
		}
		w.w = explore.NewWriter(w.s, w.desk, explore.WriterOptions{Defaults: clean,
			Unlocked: func(_ context.Context, a identity.Actor) (identity.Key, bool) {
				return authorKey(1), a == w.key.Actor()
			}})
		for _, open := range []string{"hub", "lab"} {
			if locked, err := w.w.LockedToken(ctx, open); err != nil || !locked.IsZero() {
				t.Error(open, locked, err)
			}
		}
		var o explore.SendOptions
		if _, err := w.w.Submit(ctx, id, []string{"hub"}, o); err != nil {
			t.Fatal(err)
		}
		claims, err := identity.OpenRequest(w.takers[hub].tokens[0], hub, w.now().Unix(), 0)
		if err != nil || claims.Issuer != w.key.Actor() {
			t.Error(claims, err)
		}
		again := w.publish("hub").Event.ID()
		o.Authenticate = map[identity.Origin]identity.Key{hub: {}}
		if _, err := w.w.Submit(ctx, again, nil, o); err != nil || w.takers[hub].tokens[1] != "" {
			t.Errorf("token %q, %v", w.takers[hub].tokens[1], err)
		}
	})
}

// What is missing at a service is shown in the order of dependencies, and sent when
// the user says so (8.2).
func TestPlanMissing_8_2(t *testing.T) {
	w := newWriting(t, change{})
	base := w.publish().Event.ID()
	middle := w.sign(w.draft(explore.Start{Relation: capsule.Extends, Target: base})).Event.ID()
	top := w.sign(w.draft(explore.Start{Assess: middle})).Event.ID()

	have := make(map[string]bool)
	w.takers[hub].answer(func(text string, n int) (wire.Record, error) {
		offer, err := capsule.Open([]byte(text))
		if err != nil {
			return wire.Record{}, err
		}
		refusal := fault.Refuse(fault.StepDependencies, "", "not held")
		for _, id := range capsule.Dependencies(offer.Event()) {
			if !have[id.String()] {
				refusal.Missing = append(refusal.Missing, id.String())
			}
		}
		if len(refusal.Missing) > 0 {
			return wire.Record{}, refusal
		}
		have[offer.Event().ID().String()] = true
		return acceptance(text, uint64(n))
	})
	w.submit(top, "hub")
	if d := w.delivery(top, hub); d.Code != fault.MissingDependency || !slices.Equal(d.Missing, []string{middle.String()}) || d.Advice().Step != desk.StepSendMissing {
		t.Fatalf("%+v", d)
	}
	plan, err := w.w.PlanMissing(t.Context(), top, "hub")
	if err != nil || len(plan.Send) != 2 || plan.Send[0].ID != base || plan.Send[1].ID != middle || len(plan.NotHeld) != 0 {
		t.Fatalf("%+v, %v", plan, err)
	}
	if n := len(w.takers[hub].sent()); n != 1 {
		t.Errorf("planning sent %d", n-1)
	}
	sent, err := w.w.SubmitPlan(t.Context(), plan, explore.SendOptions{})
	if err != nil || len(sent) != 3 {
		t.Fatal(sent, err)
	}
	for _, id := range []identity.ID{base, middle, top} {
		if d := w.delivery(id, hub); d.State != desk.Accepted {
			t.Errorf("%s: %+v", id, d)
		}
	}

	// What the service is known to hold is left out; what is not held here is named.
	other := w.sign(w.draft(explore.Start{Relation: capsule.Extends, Target: base})).Event.ID()
	foreign := storetest.Publish(t, stamp(2, 1))
	w.takers[hub].answer(func(string, int) (wire.Record, error) {
		refusal := fault.Refuse(fault.StepDependencies, "", "not held")
		refusal.Missing = []string{other.String(), foreign.ID().String()}
		return wire.Record{}, refusal
	})
	last := w.sign(w.draft(explore.Start{Assess: other})).Event.ID()
	w.submit(last, "hub")
	plan, err = w.w.PlanMissing(t.Context(), last, "hub")
	if err != nil || len(plan.Send) != 1 || plan.Send[0].ID != other || !slices.Equal(plan.NotHeld, []identity.ID{foreign.ID()}) {
		t.Errorf("%+v, %v", plan, err)
	}
}

// What is missing and signed with a public test key is named before anything is sent.
func TestPlanNamesWhatCannotBeSent_8_2(t *testing.T) {
	w := newWriting(t, change{})
	public := storetest.Publish(t, stamp(2, 1)) // whose key is a public one
	w.hold(public)
	mine := w.sign(w.draft(explore.Start{Relation: capsule.Extends, Target: public.ID()})).Event.ID()
	w.takers[hub].answer(func(string, int) (wire.Record, error) {
		refusal := fault.Refuse(fault.StepDependencies, "", "not held")
		refusal.Missing = []string{public.ID().String()}
		return wire.Record{}, refusal
	})
	w.submit(mine, "hub")
	plan, err := w.w.PlanMissing(t.Context(), mine, "hub")
	if err != nil || len(plan.Send) != 0 || len(plan.Barred) != 1 || plan.Barred[0].ID != public.ID() || plan.Barred[0].Key == "" {
		t.Fatalf("%+v, %v", plan, err)
	}
	_, err = w.w.SubmitPlan(t.Context(), plan, explore.SendOptions{})
	wantCode(t, err, fault.UsageCode)
	if n := len(w.takers[hub].sent()); n != 1 {
		t.Errorf("%d more were sent", n-1)
	}
}

// Recover puts into the library what was signed and did not get there.
func TestRecoverKeepsWhatWasSigned(t *testing.T) {
	w := newWriting(t, change{})
	signed := w.publish("hub")
	fresh := newWriting(t, change{})
	if _, err := fresh.desk.PutEntry(t.Context(), signed.Entry); err != nil {
		t.Fatal(err)
	}
	if err := fresh.w.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := fresh.s.Event(t.Context(), signed.Event.ID()); err != nil {
		t.Error(err)
	}

	// Where the library was lost, an assessment waits for its target.
	report := w.sign(w.draft(explore.Start{Assess: signed.Event.ID()}))
	lost := newWriting(t, change{})
	if _, err := lost.desk.PutEntry(t.Context(), report.Entry); err != nil {
		t.Fatal(err)
	}
	if err := lost.w.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	put(t, lost.lib, signed.Event)
	if _, err := lost.s.Event(t.Context(), report.Event.ID()); err != nil {
		t.Error(err)
	}
}

// A service that takes the envelope and drops the connection, over TLS: the state is
// unknown, and the same bytes are accepted as a resubmission (8.1).
func TestServiceDropsTheConnection_8_1(t *testing.T) {
	network, clock := clienttest.NewNetwork(t), clienttest.NewClock(t, time.Hour)
	w := newWriting(t, change{})
	w.clock = clock.Now().UnixMilli()
	store := memory.New(string(hub), func() int64 { return clock.Now().UnixMilli() })
	core := service.New(store, service.Options{Origin: hub, Clock: clock.Now})
	lie := clienttest.At(wire.EventsPath, clienttest.Only(0, clienttest.Truncate(0)))
	const day = 24 * time.Hour // the clock lets shorter times pass at once
	server := network.Serve(hub, lie(service.NewHandler(core, service.HandlerOptions{})))
	transport, err := fetch.New(hub, fetch.Options{Version: "1", CA: network.CA, Resolver: network, Dial: network.Dial, Clock: clock,
		Limits: fetch.Limits{Connect: day, TLS: day, Answer: day, Idle: day, Whole: day}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(transport.Close)
	w.s = explore.New(w.lib, explore.Options{Clock: w.now, Network: explore.Network{Book: w.lib, Store: w.lib,
		Reach: func(desk.Service) (explore.Remote, error) { return client.New(hub, transport, client.Limits{}), nil }}})
	w.w = explore.NewWriter(w.s, w.desk, explore.WriterOptions{Defaults: clean})

	id := w.publish("hub").Event.ID()
	w.submit(id)
	if d := w.delivery(id, hub); d.State != desk.Unknown || !d.WasUnknown {
		t.Fatalf("%+v", d)
	}
	first, err := store.Record(t.Context(), id)
	if err != nil {
		t.Fatal("the service holds nothing:", err)
	}
	w.submit(id)
	if d := w.delivery(id, hub); d.State != desk.Accepted || d.Seq != first.Seq || d.AcceptedAt != first.AcceptedAt {
		t.Fatalf("%+v, not %+v", d, first)
	}
	posts := 0
	for _, r := range server.Requests() {
		if r == "POST "+wire.EventsPath {
			posts++
		}
	}
	if posts != 2 {
		t.Errorf("%d posts in %q", posts, server.Requests())
	}
}
