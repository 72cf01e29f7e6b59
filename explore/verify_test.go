package explore_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"akx/cache/storetest"
	"akx/explore"
	"akx/view/capsule"
	"akx/view/fault"
)

// reader counts its openings and closings.
type reader struct {
	text           string
	opened, closed int
}

func (r *reader) open() (io.ReadCloser, error) {
	r.opened++
	return struct {
		io.Reader
		io.Closer
	}{strings.NewReader(r.text), r}, nil
}

func (r *reader) Close() error {
	r.closed++
	return nil
}

func verify(t testing.TB, lib explore.Library, text string) ([]explore.Verified, explore.Progress) {
	t.Helper()
	in := &reader{text: text}
	var out []explore.Verified
	p, err := explore.Verify(t.Context(), lib, in.open, explore.VerifyOptions{Now: storetest.Now}, func(v explore.Verified) error {
		out = append(out, v)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if in.opened != 2 || in.closed != 2 {
		t.Errorf("opened %d times, closed %d times", in.opened, in.closed)
	}
	if p.Bytes != 2*int64(len(text)) {
		t.Errorf("%d bytes of %d", p.Bytes, 2*len(text))
	}
	return out, p
}

// state is a check in one letter: ok, failed, not run.
func state(c explore.Check) string {
	switch {
	case !c.Ran:
		return "-"
	case c.OK:
		return "o"
	default:
		return "X"
	}
}

// states are the checks of an object, from strict JSON to targets.
func states(v explore.Verified) string {
	var b strings.Builder
	for _, c := range v.Checks {
		b.WriteString(state(c))
	}
	return b.String()
}

func TestVerifyListsEachCheck_8_1(t *testing.T) {
	good := storetest.Publish(t, stamp(1, 5))
	text := good.Envelope().Text()
	bad := storetest.PublishPayload()
	bad.Basis = ""
	hash := good.ID().String()
	actor := good.Actor().String()
	other := storetest.Publish(t, stamp(2, 1))
	swap := func(old, with string) string { return strings.Replace(text, old, with, 1) }
	for _, test := range []struct {
		name, text, states string
		step               fault.Step
	}{
		{"good", text, "oooooooooo", 0},
		{"torn", text[:len(text)-1], "X---------", fault.StepParse},
		{"a member too many", swap(`"hash"`, `"more":1,"hash"`), "oX--------", fault.StepShape},
		{"another text", swap("twice", "thrice"), "oooX------", fault.StepHash},
		{"another signature", swap(good.Envelope().Signature().String(), other.Envelope().Signature().String()), "oooooX----", fault.StepSignature},
		{"payload", storetest.Sign(t, stamp(3, 1), capsule.Publish, bad.Value()), "ooooooX---", fault.StepPayload},
		{"clock", lines(storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 6, CreatedAt: storetest.Now + capsule.DefaultSkew + 1})), "oooooooXoo", fault.StepClock},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, p := verify(t, nil, test.text)
			if len(out) != 1 {
				t.Fatalf("%d objects", len(out))
			}
			if states(out[0]) != test.states {
				t.Errorf("checks %s, want %s", states(out[0]), test.states)
			}
			if test.step == 0 {
				if out[0].Refusal != nil || out[0].Event.ID() != good.ID() || out[0].ID.String() != hash || p.Added != 1 {
					t.Errorf("a good event: %+v", out[0])
				}
				return
			}
			if out[0].Refusal == nil || out[0].Refusal.Step != test.step || p.Refused != 1 {
				t.Errorf("refusal %v", out[0].Refusal)
			}
		})
	}
	if out, _ := verify(t, nil, swap(actor, "did:agent:"+strings.Repeat("A", 43))); out[0].Refusal == nil || out[0].Event != nil {
		t.Error("an event by another actor was taken")
	}
}

func TestVerifyNamesALocalLimit(t *testing.T) {
	in := &reader{text: lines(storetest.Publish(t, stamp(1, 1)))}
	var out []explore.Verified
	_, err := explore.Verify(t.Context(), nil, in.open, explore.VerifyOptions{Now: storetest.Now, MaxBytes: 100}, func(v explore.Verified) error {
		out = append(out, v)
		return nil
	})
	if err != nil || len(out) != 1 || out[0].Refusal == nil || out[0].Refusal.Code != fault.PayloadTooLarge {
		t.Fatalf("%+v, %v", out, err)
	}
	if states(out[0]) != "X"+strings.Repeat("-", 10) || out[0].Checks[0].Step != fault.StepLimit {
		t.Errorf("checks %s", states(out[0]))
	}
}

func TestVerifyResolvesTargets_8_2(t *testing.T) {
	held := storetest.Publish(t, stamp(1, 5))
	absent := storetest.Publish(t, stamp(9, 1))
	later := storetest.Publish(t, stamp(2, 4), storetest.Titled("later in the file"))
	child := storetest.Publish(t, stamp(2, 5),
		storetest.Relate(capsule.Extends, held.ID()), storetest.Relate(capsule.Supersedes, later.ID()), storetest.Relate(capsule.Supports, absent.ID()))
	foreign := storetest.Retract(t, stamp(3, 9), held.ID())
	question := storetest.Publish(t, stamp(3, 10), storetest.Relate(capsule.Addresses, later.ID()))
	store := newStore()
	put(t, store, held)
	before, _ := store.Stats(t.Context())

	out, p := verify(t, store, lines(child, foreign, question, later))
	if want := [5]int{4, 1, 0, 1, 2}; counts(p) != want {
		t.Errorf("%v, want %v", counts(p), want)
	}
	var places []explore.TargetState
	for i, target := range out[0].Targets {
		places = append(places, target.State)
		if target.Link != capsule.Links(child)[i] || target.Refusal != nil {
			t.Errorf("target %+v", target)
		}
	}
	if want := []explore.TargetState{explore.InStore, explore.InInput, explore.Unknown}; !slices.Equal(places, want) {
		t.Errorf("found in %v, want %v", places, want)
	}
	for i, want := range []string{"oooooooo-o", "ooooooooo" + "X", "ooooooooo" + "X", "oooooooooo"} {
		if states(out[i]) != want {
			t.Errorf("object %d: %s, want %s", i, states(out[i]), want)
		}
	}
	for _, i := range []int{1, 2} {
		if out[i].Refusal == nil || out[i].Refusal.Code != fault.InvalidTarget || out[i].Targets[0].Refusal == nil {
			t.Errorf("object %d: %v", i, out[i].Refusal)
		}
	}
	if after, _ := store.Stats(t.Context()); after != before {
		t.Error("verifying changed the store")
	}
	// Without a store the held one is unknown; what waits for a forged one too.
	forged := strings.Replace(lines(later), "later in", "never in", 1)
	out, _ = verify(t, nil, lines(child)+forged)
	for i, target := range out[0].Targets {
		if target.State != explore.Unknown {
			t.Errorf("target %d was found in %s", i, target.State)
		}
	}
	if states(out[0]) != "oooooooo--" {
		t.Errorf("checks %s", states(out[0]))
	}
}

func TestVerifyKeepsOrderAndEnds(t *testing.T) {
	events := many(t, 200)
	out, p := verify(t, nil, lines(events...))
	for i, v := range out {
		if v.ID != events[i].ID() {
			t.Fatalf("object %d is another", i)
		}
	}
	if p.Added != 200 {
		t.Errorf("%+v", p)
	}
	in := &reader{text: lines(events...)}
	stop := errors.New("enough")
	n := 0
	_, err := explore.Verify(t.Context(), nil, in.open, explore.VerifyOptions{Now: storetest.Now}, func(explore.Verified) error {
		n++
		if n == 5 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || n != 5 {
		t.Errorf("%d yields, %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := explore.Verify(ctx, nil, in.open, explore.VerifyOptions{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	gone := errors.New("no such file")
	if _, err := explore.Verify(t.Context(), nil, func() (io.ReadCloser, error) { return nil, gone }, explore.VerifyOptions{}, nil); !errors.Is(err, gone) {
		t.Errorf("got %v", err)
	}
}
