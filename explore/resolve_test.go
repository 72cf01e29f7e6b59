package explore_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"akx/cache/storetest"
	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

func TestResolve(t *testing.T) {
	store := newStore()
	event := storetest.Publish(t, stamp(1, 1))
	absent := storetest.Publish(t, stamp(1, 2))
	waiting := storetest.Assess(t, stamp(2, 1), absent.ID(), capsule.VerdictSupports)
	put(t, store, event, waiting)
	s := explore.New(store, explore.Options{})
	id := event.ID().String()
	swapped := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r - 32
		}
		return r
	}, id)
	for _, test := range []struct {
		name, typed string
		want        identity.ID
		pending     bool
		code        fault.Code
	}{
		{"whole", id, event.ID(), false, ""},
		{"with id:", "id:" + id, event.ID(), false, ""},
		{"with spaces", "  id:" + id[:9] + "\n", event.ID(), false, ""},
		{"six characters", id[:6], event.ID(), false, ""},
		{"42 characters", id[:42], event.ID(), false, ""},
		{"a pending event", waiting.ID().String()[:8], waiting.ID(), true, ""},
		{"five characters", id[:5], identity.ID{}, false, fault.UsageCode},
		{"empty", "", identity.ID{}, false, fault.UsageCode},
		{"44 characters", id + "A", identity.ID{}, false, fault.UsageCode},
		{"a space inside", id[:6] + " " + id[7:12], identity.ID{}, false, fault.UsageCode},
		{"not base64url", "abc+/def", identity.ID{}, false, fault.UsageCode},
		{"padding", id[:42] + "=", identity.ID{}, false, fault.UsageCode},
		{"trailing bits", strings.Repeat("A", 42) + "B", identity.ID{}, false, fault.UsageCode},
		{"an Agent ID", event.Actor().String(), identity.ID{}, false, fault.UsageCode},
		{"invalid UTF-8", "abcdef\xff", identity.ID{}, false, fault.UsageCode},
		{"another case", swapped, identity.ID{}, false, ""},
		{"not held", absent.ID().String(), identity.ID{}, false, fault.NotHeldCode},
		{"a prefix that is not held", absent.ID().String()[:12], identity.ID{}, false, fault.NotHeldCode},
	} {
		t.Run(test.name, func(t *testing.T) {
			known, err := s.Resolve(t.Context(), test.typed)
			if test.name == "another case" {
				if err == nil {
					t.Error("case was ignored")
				}
				return
			}
			var coded fault.Coded
			var code fault.Code
			if errors.As(err, &coded) {
				code = coded.FaultCode()
			}
			if code != test.code || known.ID != test.want || known.Pending != test.pending {
				t.Errorf("got %v, pending %v, %v", known.ID, known.Pending, err)
			}
		})
	}
}

// crowd is a library in which every prefix is shared.
type crowd struct {
	explore.Library
	known []view.Known
}

func TestResolveAmbiguous(t *testing.T) {
	known := make([]view.Known, 30)
	for i := range known {
		known[i].ID = identity.ID{0, 0, 0, 0, 0, byte(i)}
	}
	s := explore.New(&crowd{newStore(), known}, explore.Options{})
	_, err := s.Resolve(t.Context(), "AAAAAA")
	var usage *fault.Usage
	if !errors.As(err, &usage) || usage.FaultCode() != fault.AmbiguousID {
		t.Fatalf("got %v", err)
	}
	if len(usage.Candidates) != 20 || usage.Candidates[1] != known[1].ID.String() {
		t.Errorf("%d candidates", len(usage.Candidates))
	}
}

// resolveSeeds are what FuzzResolve starts from, around a held ID.
func resolveSeeds(id string) []string {
	return []string{
		"", id, "id:" + id, " " + id[:6], id[:5], "id:", "-bcdef", "日本語日本語", "\x00\x00\x00\x00\x00\x00", "AAAAAA",
		strings.Repeat("x", 100), "did:agent:" + id, id[:42] + "=", "id:id:" + id,
	}
}

func TestResolveHasSeeds(t *testing.T) {
	if n := len(resolveSeeds(strings.Repeat("A", 43))); n < 12 {
		t.Errorf("%d seeds", n)
	}
}

func FuzzResolve(f *testing.F) {
	store := newStore()
	event := storetest.Publish(f, stamp(1, 1))
	put(f, store, event)
	s := explore.New(store, explore.Options{})
	for _, seed := range resolveSeeds(event.ID().String()) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		known, err := s.Resolve(t.Context(), typed)
		text := strings.TrimPrefix(strings.TrimSpace(typed), "id:")
		if err == nil {
			if len(text) < 6 || !strings.HasPrefix(known.ID.String(), text) {
				t.Errorf("%q gave %v", typed, known.ID)
			}
			return
		}
		var usage *fault.Usage
		var notHeld *fault.NotHeld
		if known != (view.Known{}) || !errors.As(err, &usage) && !errors.As(err, &notHeld) {
			t.Errorf("%q: %v with %v", typed, err, known)
		}
	})
}

func (c *crowd) Lookup(_ context.Context, _ string, limit int) ([]view.Known, error) {
	return c.known[:min(limit, len(c.known))], nil
}
