package cache

import (
	"slices"
	"testing"

	"akx/cmd/gen/corpus"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/identity"
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

// Two services of the tests.
const (
	hub identity.Origin = "https://hub.example.org"
	lab identity.Origin = "https://lab.example.org"
)

// recorded gives items as a service gives them, one seq after the other from first.
func recorded(items []wire.Item, first uint64) []wire.Item {
	records := slices.Clone(items)
	for i := range records {
		records[i].Seq = first + uint64(i)
		records[i].AcceptedAt = 1_700_000_000_000 + int64(records[i].Seq)
	}
	return records
}

// completed is a state that ends an enumeration at a checkpoint.
func completed(checkpoint uint64) desk.Follow {
	return desk.Follow{Checkpoint: checkpoint, AsOf: int64(checkpoint), Complete: true, Reached: checkpoint}
}

func dependenciesOf(item wire.Item) []identity.ID { return capsule.Dependencies(item.Offer.Event()) }
