package capsule

import (
	"errors"
	"math"
	"slices"
	"testing"

	"akx/view/fault"
	"akx/view/identity"
)

type wrapped struct{ Event }

func TestZeroEventsAreRefusedEverywhere(t *testing.T) {
	resolve := func(identity.ID) (Target, bool, error) { return Target{}, true, nil }
	real := sign(t, alice, 1, capsuleOf(Question))
	if !Proven(real) {
		t.Fatal("a decoded event is proven")
	}
	for name, e := range map[string]Event{
		"nil": nil, "nil publication": (*Publication)(nil), "nil assessment": (*Assessment)(nil),
		"nil retraction": (*Retraction)(nil), "zero publication": &Publication{}, "zero assessment": &Assessment{},
		"zero retraction": &Retraction{}, "a wrapper": wrapped{real},
	} {
		t.Run(name, func(t *testing.T) {
			if Proven(e) || !OfferOf(e).Envelope().IsZero() || Links(e) != nil || len(Dependencies(e)) != 0 ||
				TargetOf(e) != (Target{}) || Fields(e) != nil || Lexical(e, nil) || (Filter{}).Match(e) {
				t.Error("something took it for an event")
			}
			refusalOf(t, Admit(e, testNow, DefaultSkew, resolve))
		})
	}
	s := &shelf{}
	_, held, err := Accept(s, Offer{}, Terms{Now: testNow})
	if refusalOf(t, err); held || len(s.events) != 0 {
		t.Error("the zero offer was kept")
	}
}

func TestClockOf8_1Step4(t *testing.T) {
	resolve := func(identity.ID) (Target, bool, error) { return Target{}, false, nil }
	for _, c := range []struct {
		name          string
		at, now, skew int64
		valid         bool
	}{
		{"at the bound", 1000, 900, 100, true},
		{"beyond the bound", 1001, 900, 100, false},
		{"old", 0, testNow, 0, true},
		{"a negative skew is none", 1000, 1000, -5, true},
		{"a skew without end", identity.MaxSafeInteger, 0, math.MaxInt64, true},
		{"the last time there is", identity.MaxSafeInteger, 0, DefaultSkew, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Admit(signAt(t, alice, c.at, 1, capsuleOf(Question)), c.now, c.skew, resolve)
			if (err == nil) != c.valid {
				t.Fatal(err)
			}
			if err != nil {
				if r := refusalOf(t, err); r.Step != fault.StepClock || r.Code != fault.TimestampOutside {
					t.Fatal(r)
				}
			}
		})
	}
}

func TestMissingDependenciesOf8_2ComeBeforeTargets(t *testing.T) {
	question := sign(t, alice, 1, capsuleOf(Question))
	s := &shelf{events: []Event{question}}
	gone, lost := identity.ID{0xff}, identity.ID{1}
	e := sign(t, alice, 2, capsuleOf(Inference, Link{Tests, question.ID()}, Link{Extends, gone}, Link{Extends, lost}, Link{Supports, gone}))
	r := refusalOf(t, Admit(e, testNow, 0, s.Resolve))
	if r.Step != fault.StepDependencies || !slices.Equal(r.Missing, []string{lost.String(), gone.String()}) {
		t.Fatal(r, r.Missing)
	}
	e = sign(t, alice, 2, capsuleOf(Inference, Link{Tests, question.ID()}))
	if r := refusalOf(t, Admit(e, testNow, 0, s.Resolve)); r.Step != fault.StepTarget || r.Missing != nil {
		t.Fatal(r)
	}
	s.fail = errors.New("disk")
	if err := Admit(e, testNow, 0, s.Resolve); !errors.Is(err, s.fail) {
		t.Fatal(err)
	}
}

// invalidOffer gives an offer whose envelope is proven and whose payload is not valid.
func invalidOffer(t *testing.T) Offer {
	t.Helper()
	e, err := identity.Sign(alice, identity.Draft{Protocol: Protocol, Type: Retract.String(), CreatedAt: 1,
		Nonce: 1, Payload: identity.ObjectValue()}, Format())
	if err != nil {
		t.Fatal(err)
	}
	o, err := Open([]byte(e.Text()))
	if err != nil || o.Event() != nil || o.Refusal() == nil || o.Envelope().ID() != e.ID() {
		t.Fatal(err, o.Refusal())
	}
	return o
}

type heldAlready struct{ shelf }

func (*heldAlready) Held(identity.ID) (bool, error) { return true, nil }

func TestAcceptOrderOf8_1(t *testing.T) {
	refuse := &fault.Refusal{Step: fault.StepPolicy, Code: fault.PermissionDenied}
	question := sign(t, alice, 5, capsuleOf(Question))
	future := signAt(t, alice, testNow+1, 6, capsuleOf(Inference, Link{Extends, identity.ID{9}}))
	lost := sign(t, alice, 6, capsuleOf(Inference, Link{Extends, identity.ID{9}}))
	wrong := sign(t, alice, 6, capsuleOf(Inference, Link{Tests, question.ID()}))
	fine := sign(t, alice, 6, capsuleOf(Inference, Link{Addresses, question.ID()}))
	deny := func(Event) error { return refuse }
	for _, c := range []struct {
		name  string
		offer Offer
		terms Terms
		step  fault.Step
	}{
		{"payload before clock", invalidOffer(t), Terms{Now: 0, Policy: deny}, fault.StepPayload},
		{"clock before dependencies", OfferOf(future), Terms{Now: testNow, Policy: deny}, fault.StepClock},
		{"dependencies before policy", OfferOf(lost), Terms{Now: testNow, Policy: deny}, fault.StepDependencies},
		{"targets before policy", OfferOf(wrong), Terms{Now: testNow, Policy: deny}, fault.StepTarget},
		{"policy last", OfferOf(fine), Terms{Now: testNow, Policy: deny}, fault.StepPolicy},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &shelf{events: []Event{question}}
			number, held, err := Accept(s, c.offer, c.terms)
			if r := refusalOf(t, err); r.Step != c.step || held || number != 0 || len(s.events) != 1 {
				t.Fatal(r, held, number, len(s.events))
			}
			_, held, err = Accept(&heldAlready{}, c.offer, c.terms)
			if !held || err != nil {
				t.Fatal("a resubmission comes before every later step", err)
			}
		})
	}
	s := &shelf{events: []Event{question}}
	number, held, err := Accept(s, OfferOf(fine), Terms{Now: testNow})
	if number != 2 || held || err != nil || s.find(fine.ID()) == nil {
		t.Fatal(number, held, err)
	}
	number, held, err = Accept(s, OfferOf(fine), Terms{Now: 0})
	if number != 0 || !held || err != nil || len(s.events) != 2 {
		t.Fatal(number, held, err)
	}
}

func TestAcceptHandsOnTheErrorsOfAStore(t *testing.T) {
	s := &shelf{fail: errors.New("disk")}
	if _, _, err := Accept(s, OfferOf(sign(t, alice, 5, capsuleOf(Question))), Terms{Now: testNow}); !errors.Is(err, s.fail) {
		t.Fatal(err)
	}
}

func TestFormatIsOfTheThreeTypes(t *testing.T) {
	f := Format()
	if f.Protocol != Protocol || len(f.Types) != 3 || f.Extra != nil {
		t.Fatal(f)
	}
	f.Types[0] = "other"
	if Format().Types[0] != Publish.String() {
		t.Fatal("a caller changed the format")
	}
}

func TestOpenAgainstOpenValue(t *testing.T) {
	e := sign(t, alice, 1, capsuleOf(Resource))
	record := []byte(`{"seq":1,"envelope":` + e.Envelope().Text() + `}`)
	inner, _ := mustParse(t, string(record)).Get("envelope")
	o, err := OpenValue(record, inner, 0)
	if err != nil || o.Event() == nil || o.Event().ID() != e.ID() {
		t.Fatal(err)
	}
	if _, err := Open(record); refusalOf(t, err).Step != fault.StepShape {
		t.Fatal(err)
	}
	if _, err := OpenValue(record, identity.Value{}, 0); err == nil {
		t.Fatal("nothing was opened")
	}
}
