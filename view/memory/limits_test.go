package memory_test

import (
	"testing"

	"akx/cache/storetest"
	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/memory"
	"akx/view/wire"
)

func TestPendingAreaIsBounded_8_2(t *testing.T) {
	absent := storetest.Publish(t, storetest.Stamp{Signer: 9, Nonce: 1})
	var items []wire.Item
	for i := range 4 {
		e := storetest.Assess(t, storetest.Stamp{Signer: 1, Nonce: int64(i + 1)}, absent.ID(), capsule.VerdictSupports)
		items = append(items, wire.Item{Offer: capsule.OfferOf(e)})
	}
	size := int64(len(items[0].Offer.Envelope().Text()))
	for _, test := range []struct {
		name   string
		limits memory.Limits
		room   int
	}{
		{"by count", memory.Limits{Pending: 3}, 3},
		{"by bytes", memory.Limits{PendingBytes: 2 * size}, 2},
		{"by bytes, one short", memory.Limits{PendingBytes: 2*size - 1}, 1},
		{"by default", memory.Limits{}, 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			store := memory.NewLimited(view.ThisCache, func() int64 { return storetest.Now }, test.limits)
			outcomes, err := store.Accept(t.Context(), wire.Source{Kind: wire.FromFile}, items)
			if err != nil {
				t.Fatal(err)
			}
			for i, o := range outcomes {
				if i < test.room && o.Status != wire.Pending {
					t.Errorf("item %d: status %d", i, o.Status)
				}
				if i >= test.room && (o.Status != wire.Refused || o.Refusal.Code != fault.PendingFull || len(o.Refusal.Missing) != 1) {
					t.Errorf("item %d: status %d, %v", i, o.Status, o.Refusal)
				}
			}
			// Room comes back, and numbers go on, when what is missing arrives.
			outcomes, err = store.Accept(t.Context(), wire.Source{Kind: wire.FromFile}, append([]wire.Item{{Offer: capsule.OfferOf(absent)}}, items...))
			if err != nil {
				t.Fatal(err)
			}
			if len(outcomes[0].Released) != test.room || outcomes[0].Number != 1 {
				t.Errorf("released %d, number %d", len(outcomes[0].Released), outcomes[0].Number)
			}
			if stats, err := store.Stats(t.Context()); err != nil || stats.Events != 5 || stats.LastNumber != 5 || stats.PendingBytes != 0 {
				t.Errorf("%+v, %v", stats, err)
			}
		})
	}
}
