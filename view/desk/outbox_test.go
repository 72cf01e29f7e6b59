package desk

import (
	"strings"
	"testing"

	"akx/view/capsule"
	"akx/view/fault"
)

func TestTransitions(t *testing.T) {
	want := map[SendState]string{
		NotSent: "1:sending 2:accepted", Sending: "2:accepted 3:refused 4:unknown 5:not sent", Accepted: "2:accepted",
		Refused: "1:sending 2:accepted 6:not sent", Unknown: "1:sending 2:accepted",
	}
	for s := SendState(0); s <= Unknown+1; s++ {
		var got []string
		for e := SendEvent(0); e <= Requeue+1; e++ {
			next, ok := s.Next(e)
			d, err := Delivery{Service: "s", State: s}.Apply(e, Answer{At: 1})
			if ok != (err == nil) || !ok && (d.State != s || !isUsage(err)) {
				t.Errorf("%v, event %d: %+v, %v", s, e, d, err)
			}
			if ok {
				got = append(got, string('0'+rune(e))+":"+next.String())
			}
		}
		if strings.Join(got, " ") != want[s] {
			t.Errorf("%v: %v", s, got)
		}
	}
}

// play applies events in order, a second between them.
func play(t *testing.T, d Delivery, steps ...any) Delivery {
	t.Helper()
	at := d.LastTry
	for i := 0; i < len(steps); i++ {
		a := Answer{}
		e := steps[i].(SendEvent)
		if i+1 < len(steps) {
			if given, ok := steps[i+1].(Answer); ok {
				a = given
				i++
			}
		}
		at += 1000
		a.At = at
		var err error
		if d, err = d.Apply(e, a); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

func TestDeliveries(t *testing.T) {
	fresh := Delivery{Service: "https://hub.example", State: NotSent}
	if !fresh.Due(0) {
		t.Error("a new one is not due")
	}
	d := play(t, fresh, Start, Accept, Answer{Seq: 4813, AcceptedAt: 7})
	if d.State != Accepted || d.Summary() != "accepted #4813" || d.AcceptedAt != 7 || d.Due(1<<50) {
		t.Errorf("accepted: %+v", d)
	}
	if again := play(t, d, Accept, Answer{Seq: 1}); again.Seq != 4813 {
		t.Errorf("8.1 the first record does not stay: %+v", again)
	}

	d = play(t, fresh, Start, Lose, Answer{Code: fault.UnavailableCode})
	if d.State != Unknown || !d.WasUnknown || d.NextTry != 2000+5000 || d.Due(6999) || !d.Due(7000) {
		t.Errorf("lost: %+v", d)
	}
	if d = play(t, d, Start, Unsent, Answer{Code: fault.UnavailableCode}); d.State != Unknown {
		t.Errorf("lost, then not reached: it may be held still, but is %v", d.State)
	}
	if limited := play(t, d, Start, Refuse, Answer{Code: fault.RateLimited}); !limited.WasUnknown {
		t.Error("a limit of the rate says nothing about what is held")
	}
	if refused := play(t, d, Start, Refuse, Answer{Code: fault.InvalidTarget}); refused.WasUnknown || refused.Due(1<<50) {
		t.Errorf("refused for good: %+v", refused)
	}
	if seen := play(t, d, Accept, Answer{Seq: 5}); seen.State != Accepted || seen.Seq != 5 {
		t.Errorf("found at the service: %+v", seen)
	}

	d = play(t, fresh, Start, Unsent, Answer{Code: fault.UnavailableCode})
	if d.State != NotSent || d.Due(d.NextTry-1) || !d.Due(d.NextTry) {
		t.Errorf("not reached: %+v", d)
	}
	d = play(t, fresh, Start, Refuse, Answer{Code: fault.MissingDependency, Missing: []string{"a"}, Reason: "no"})
	if d.State != Refused || len(d.Missing) != 1 || d.Due(1<<50) || d.Summary() != "refused: missing_dependency" {
		t.Errorf("missing: %+v", d)
	}
	if d = play(t, d, Requeue); d.State != NotSent || d.Tries != 0 || !d.Due(0) || d.Code != "" {
		t.Errorf("queued again: %+v", d)
	}
}

func TestRestartMakesSendingUnknown(t *testing.T) {
	for s := NotSent; s <= Unknown; s++ {
		d := Delivery{State: s, Tries: 1}.Restart(100)
		if s == Sending && (d.State != Unknown || d.NextTry != 5100) || s != Sending && d.State != s {
			t.Errorf("%v restarts as %+v", s, d)
		}
	}
}

func TestRetriesBackOffAndEnd(t *testing.T) {
	d := Delivery{State: NotSent}
	last := int64(0)
	for try := range MaxTries {
		d = play(t, d, Start, Refuse, Answer{Code: fault.RateLimited})
		wait := d.NextTry - (d.LastTry + 1000)
		if try < MaxTries-1 && (wait <= last || wait > maxWait) || try == MaxTries-1 && d.NextTry != 0 {
			t.Errorf("try %d waits %d, next %d", try, wait, d.NextTry)
		}
		last = wait
	}
	if d.Advice().Step != StepResend {
		t.Errorf("after the last try: %+v", d.Advice())
	}
	asked := play(t, Delivery{State: NotSent}, Start, Refuse, Answer{Code: fault.RateLimited, RetryAfter: 60_000})
	if asked.NextTry != 62_000 {
		t.Errorf("asked to wait a minute: %+v", asked)
	}
	greedy := play(t, Delivery{State: NotSent}, Start, Refuse, Answer{Code: fault.RateLimited, RetryAfter: 1 << 60})
	if greedy.NextTry > 25*maxWait {
		t.Errorf("asked to wait for ever: %+v", greedy)
	}
}

func TestEveryCodeHasAdvice(t *testing.T) {
	sentences := map[string]fault.Code{}
	for code, step := range map[fault.Code]NextStep{
		fault.MissingDependency: StepSendMissing, fault.InvalidTarget: StepFixTarget, fault.TimestampOutside: StepFixClock,
		fault.PayloadTooLarge: StepShorten, fault.RateLimited: StepWait, fault.PermissionDenied: StepAskService, fault.QueryUnavailable: StepWait,
		fault.UnavailableCode: StepWait, fault.InvalidToken: StepAuthenticate, fault.InvalidEvent: StepNewDraft, "new_code": StepResend,
		fault.InvalidResponse: StepResend, fault.NotFound: StepResend, fault.InvalidActor: StepReport,
		fault.OtherRefusal: StepAskService,
	} {
		a := play(t, Delivery{State: NotSent}, Start, Refuse, Answer{Code: code}).Advice()
		if a.Step != step || !strings.HasSuffix(a.Sentence, ".") || !strings.HasSuffix(a.Action, ".") {
			t.Errorf("%s: %+v", code, a)
		}
		if other, twice := sentences[a.Sentence]; twice {
			t.Errorf("%s and %s say the same", code, other)
		}
		sentences[a.Sentence] = code
	}
	for s := NotSent; s <= Unknown; s++ {
		if a := (Delivery{State: s}).Advice(); a.Sentence == "" {
			t.Errorf("nothing is said of %v", s)
		}
	}
}

// What is unknown says how it came about, and a refusal that the protocol has no code
// for is not tried again.
func TestAdviceIsTrue(t *testing.T) {
	lost := map[string]fault.Code{}
	for _, code := range []fault.Code{fault.UnavailableCode, fault.ServerError, fault.InvalidResponse, fault.Cancelled} {
		a := play(t, Delivery{State: NotSent}, Start, Lose, Answer{Code: code, At: 5}).Advice()
		if other, twice := lost[a.Sentence]; twice || a.Step != StepWait || strings.Contains(a.Sentence, "connection") != (code == fault.UnavailableCode) {
			t.Errorf("%s: %+v, as %s", code, a, other)
		}
		lost[a.Sentence] = code
	}
	d := play(t, Delivery{State: NotSent}, Start, Refuse, Answer{Code: fault.OtherRefusal, At: 5})
	if d.NextTry != 0 || d.Due(1<<50) {
		t.Errorf("a refusal for good is tried again: %+v", d)
	}
	once := play(t, Delivery{State: NotSent}, Start, Unsent, Answer{Code: fault.UnavailableCode, At: 5})
	once.NextTry = 0 // the user ended it
	often := once
	often.Tries = MaxTries
	if a, b := once.Advice(), often.Advice(); strings.Contains(a.Action, "often") || !strings.Contains(b.Action, "often") {
		t.Errorf("after one try %q, after many %q", a.Action, b.Action)
	}
}

func TestStoredEntriesComeBack(t *testing.T) {
	event := sign(t, full(capsule.Publish), 0x21, 5)
	e := NewEntry(event, 9, []string{"https://a.example", "https://b.example", "https://a.example"})
	if len(e.Deliveries) != 2 || e.Settled() {
		t.Fatalf("%+v", e.Deliveries)
	}
	e.DraftID, e.Sample = 3, true
	e.Deliveries[0] = play(t, e.Deliveries[0], Start, Accept, Answer{Seq: 2, AcceptedAt: 3})
	e.Deliveries[1] = play(t, e.Deliveries[1], Start, Lose, Answer{Code: fault.UnavailableCode, Reason: "\u202ereset"})
	text, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := DecodeEntry(text)
	if err != nil || back.Envelope != event.Envelope().Text() || back.ID != event.ID() || back.Type != capsule.Publish || back.Title != "A title" ||
		back.SignedAt != 9 || back.DraftID != 3 || !back.Sample || len(back.Deliveries) != 2 {
		t.Fatalf("%+v, %v", back, err)
	}
	for i := range e.Deliveries {
		if got, want := back.Deliveries[i], e.Deliveries[i]; got.Summary() != want.Summary() || got.NextTry != want.NextTry || got.Reason != want.Reason || got.WasUnknown != want.WasUnknown {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	for name, change := range map[string][2]string{
		"a byte of the envelope": {"It is so.", "It is no."}, "another ID": {event.ID().String() + `","type"`, code(1) + `","type"`},
		"another title": {`"title":"A title","envelope"`, `"title":"B","envelope"`}, "a state": {`"accepted"`, `"done"`},
	} {
		changed := strings.Replace(string(text), change[0], change[1], 1)
		if changed == string(text) {
			t.Fatalf("%s: nothing changed", name)
		}
		if _, err := DecodeEntry([]byte(changed)); !isDamaged(err, "damaged") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
