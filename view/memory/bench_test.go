package memory_test

import (
	"context"
	"testing"

	"akx/cache/storetest"
	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
	"akx/view/memory"
	"akx/view/wire"
)

// BenchmarkHub50000 opens what a reader sees of an event with 50,000 incoming links.
func BenchmarkHub50000(b *testing.B) {
	store := memory.New(view.SampleSet, func() int64 { return storetest.Now })
	hub := storetest.Publish(b, storetest.Stamp{Signer: 1, Nonce: 1})
	items := []wire.Item{{Offer: capsule.OfferOf(hub)}}
	for i := range 50_000 {
		s := storetest.Stamp{Signer: byte(2 + i%20), Nonce: int64(i + 2)}
		if i%2 == 0 {
			items = append(items, wire.Item{Offer: capsule.OfferOf(storetest.Publish(b, s, storetest.Relate(capsule.Extends, hub.ID())))})
			continue
		}
		items = append(items, wire.Item{Offer: capsule.OfferOf(storetest.Assess(b, s, hub.ID(), capsule.VerdictReproduced))})
	}
	if _, err := store.Accept(b.Context(), wire.Source{Kind: wire.FromSample, Name: "hub"}, items); err != nil {
		b.Fatal(err)
	}
	views := map[string]func(context.Context, view.Snapshot, identity.ID) error{
		"page": func(ctx context.Context, s view.Snapshot, id identity.ID) error {
			_, err := view.LoadPage(ctx, s, id)
			return err
		},
		"links": func(ctx context.Context, s view.Snapshot, id identity.ID) error {
			_, err := view.LoadLinks(ctx, s, id)
			return err
		},
		"versions": func(ctx context.Context, s view.Snapshot, id identity.ID) error {
			_, err := view.LoadVersions(ctx, s, id)
			return err
		},
		"review": func(ctx context.Context, s view.Snapshot, id identity.ID) error {
			_, err := view.LoadReview(ctx, s, id, 50)
			return err
		},
	}
	for name, load := range views {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				err := store.Read(b.Context(), func(s view.Snapshot) error { return load(b.Context(), s, hub.ID()) })
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
