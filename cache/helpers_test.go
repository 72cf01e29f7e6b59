package cache

import (
	"testing"

	"akx/cmd/gen/corpus"
	"akx/view/capsule"
	"akx/view/wire"
)

var fromFile = wire.Source{Kind: wire.FromFile, Name: "few.jsonl"}

// few proves a small corpus.
func few(t testing.TB, events int) []wire.Item {
	t.Helper()
	var items []wire.Item
	for text := range corpus.Texts(corpus.Options{Events: events, Seed: 9}) {
		offer, err := capsule.Open([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, wire.Item{Offer: offer})
	}
	return items
}

func accept(t testing.TB, c *Cache, items []wire.Item, want wire.Status) []wire.Outcome {
	t.Helper()
	outcomes, err := c.Accept(t.Context(), fromFile, items)
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range outcomes {
		if o.Status != want {
			t.Fatalf("item %d: status %d, not %d: %v", i, o.Status, want, o.Refusal)
		}
	}
	return outcomes
}

func importFew(t testing.TB, c *Cache) []wire.Item {
	t.Helper()
	items := few(t, 60)
	accept(t, c, items, wire.Added)
	return items
}
