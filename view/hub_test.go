package view_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
)

// hub is a snapshot that holds one row and index facts only. Asking it for an
// envelope fails the test: the wide parts of views need none.
type hub struct {
	t        testing.TB
	row      view.Entry
	incoming []view.Incoming
}

func newHub(t testing.TB, links int) *hub {
	r := rand.New(rand.NewPCG(8, 9))
	h := &hub{t: t, row: view.Entry{Number: 1, ID: subject.ID, Type: capsule.Publish, Actor: author, Nonce: 10}}
	for i := range links {
		in := view.Incoming{
			Number: uint64(i + 2), Type: capsule.Publish, Kind: capsule.Observation, Relation: capsule.Extends,
			Actor: identity.Actor{byte(r.IntN(50))}, Nonce: 20, CreatedAt: r.Int64N(1 << 40), Retracted: r.IntN(9) == 0,
		}
		for k := range in.Source {
			in.Source[k] = byte(r.Uint32())
		}
		if r.IntN(2) == 0 {
			in.Type, in.Kind, in.Relation, in.Verdict = capsule.Assess, 0, 0, capsule.Verdicts()[r.IntN(6)]
		}
		h.incoming = append(h.incoming, in)
	}
	return h
}

func (h *hub) Event(identity.ID) (capsule.Event, error) {
	h.t.Error("an envelope was read")
	return nil, context.Canceled
}

func (h *hub) Find(ids []identity.ID) ([]uint64, error) { return []uint64{1}, nil }

func (h *hub) Entries(numbers []uint64) ([]view.Entry, error) { return []view.Entry{h.row}, nil }

func (h *hub) Scan(context.Context, view.Query, func([]uint64) bool) error { return nil }

func (h *hub) Incoming(_ context.Context, _ identity.ID, yield func([]view.Incoming) bool) error {
	for i := 0; i < len(h.incoming); i += 1000 {
		if !yield(h.incoming[i:min(i+1000, len(h.incoming))]) {
			break
		}
	}
	return nil
}

func (h *hub) Retractions([]uint64) ([]view.Retraction, error) { return nil, nil }

func (h *hub) Tally() view.Tally { return nil }

func (h *hub) Scope() view.Scope { return complete }

func TestLoadLinksNeedsNoEnvelope(t *testing.T) {
	l, err := view.LoadLinks(t.Context(), newHub(t, 50_000), subject.ID)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, g := range l.Groups {
		n += len(g.Links)
	}
	if n != 50_000 || l.Facts.Lifecycle != view.Active {
		t.Errorf("%d links, %v", n, l.Facts.Lifecycle)
	}
}

func TestLoadLinksIsBounded(t *testing.T) {
	for extra, want := range map[int]view.Lifecycle{0: view.Active, 1: view.Partial} {
		l, err := view.LoadLinks(t.Context(), newHub(t, view.MaxIncoming+extra), subject.ID)
		if err != nil {
			t.Fatal(err)
		}
		if l.Facts.Lifecycle != want || (len(l.Facts.Scope.Reasons) > 0) != (extra > 0) {
			t.Errorf("%d links beyond the bound: %v, %v", extra, l.Facts.Lifecycle, l.Facts.Scope.Reasons)
		}
	}
	if len(complete.Reasons) > 0 {
		t.Error("a shared scope was written to")
	}
}

func TestLoadLinksEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := view.LoadLinks(ctx, newHub(t, 10), subject.ID); err == nil {
		t.Error("no error after the context ended")
	}
}

func BenchmarkLoadLinks50000(b *testing.B) {
	h := newHub(b, 50_000)
	for b.Loop() {
		if _, err := view.LoadLinks(b.Context(), h, subject.ID); err != nil {
			b.Fatal(err)
		}
	}
}
