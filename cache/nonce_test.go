package cache

import (
	"path/filepath"
	"testing"

	"akx/cache/storetest"
	"akx/view/capsule"
	"akx/view/identity"
	"akx/view/wire"
)

// Before each signature the rows of all events are asked for the actor's largest nonce
// (Identity 6.2): here all of them are the actor's.
func BenchmarkLargestNonce(b *testing.B) {
	const events = 100_000
	c, err := Open(b.Context(), filepath.Join(b.TempDir(), "home"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	var batch []wire.Item
	for n := int64(1); n <= events; n++ {
		batch = append(batch, wire.Item{Offer: capsule.OfferOf(storetest.Publish(b, storetest.Stamp{Signer: 1, Nonce: n}))})
		if len(batch) == 5000 {
			if _, err := c.Accept(b.Context(), wire.Source{Kind: wire.FromFile}, batch); err != nil {
				b.Fatal(err)
			}
			batch = batch[:0]
		}
	}
	for name, actor := range map[string]identity.Actor{"all": storetest.Key(1).Actor(), "none": storetest.Key(2).Actor()} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := c.LargestNonce(b.Context(), actor); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
