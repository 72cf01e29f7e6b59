package cache

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"akx/cache/storetest"
	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

func item(e capsule.Event) wire.Item { return wire.Item{Offer: capsule.OfferOf(e)} }

// chain makes events of which each extends the one before it.
func chain(t testing.TB, n int) []capsule.Event {
	t.Helper()
	events := []capsule.Event{storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 1})}
	for i := 1; i < n; i++ {
		events = append(events, storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: int64(i + 1)},
			storetest.Relate(capsule.Extends, events[i-1].ID())))
	}
	return events
}

func TestPendingIsBounded(t *testing.T) {
	events := chain(t, 6)
	size := int64(len(events[1].Envelope().Text()))
	for name, limits := range map[string]Limits{"count": {Pending: 3}, "bytes": {PendingBytes: 3*size + 20}} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			c := mustOpen(t, home, Options{Limits: limits})
			var items []wire.Item
			for _, e := range events[1:5] {
				items = append(items, item(e))
			}
			out, err := c.Accept(t.Context(), fromFile, items)
			if err != nil {
				t.Fatal(err)
			}
			for i, o := range out[:3] {
				if o.Status != wire.Pending || !slices.Equal(o.Missing, []identity.ID{events[i].ID()}) {
					t.Errorf("item %d: %+v", i, o)
				}
			}
			full := out[3]
			if full.Status != wire.Refused || full.Refusal.Code != fault.PendingFull || !slices.Equal(full.Refusal.Missing, []string{events[3].ID().String()}) {
				t.Errorf("the fourth: %+v", full)
			}
			stats, err := c.Stats(t.Context())
			if err != nil || stats.Pending != 3 || stats.PendingBytes < 3*size-10 || stats.Events != 0 {
				t.Errorf("%+v, %v", stats, err)
			}
			c.Close()

			// What waits is still there after a restart, and is released in one go.
			c = mustOpen(t, home, Options{})
			got := accept(t, c, []wire.Item{item(events[0])}, wire.Added)[0]
			want := []identity.ID{events[1].ID(), events[2].ID(), events[3].ID()}
			if !slices.Equal(got.Released, want) || len(got.Dropped) > 0 {
				t.Errorf("released %v, dropped %v", got.Released, got.Dropped)
			}
			stats, err = c.Stats(t.Context())
			if err != nil || stats.Pending != 0 || stats.PendingBytes != 0 || stats.Events != 4 {
				t.Errorf("%+v, %v", stats, err)
			}
			sound(t, home)
		})
	}
}

// A waiting event that is damaged on disk is dropped when its turn comes, and told;
// the item that released it is kept.
func TestADamagedWaitingEventIsDropped(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	events := chain(t, 2)
	c := mustOpen(t, home, Options{})
	accept(t, c, []wire.Item{item(events[1])}, wire.Pending)
	sound(t, home)
	c.Close()
	flipText(t, home, item(events[1]))
	found, err := Check(t.Context(), home)
	if err != nil || len(found) != 1 || found[0].Hint == "" {
		t.Errorf("Check: %+v, %v", found, err)
	}
	c = mustOpen(t, home, Options{})
	got := accept(t, c, []wire.Item{item(events[0])}, wire.Added)[0]
	if len(got.Dropped) != 1 || got.Dropped[0].Refusal.Code != fault.DamagedCode || len(got.Released) > 0 {
		t.Errorf("%+v", got)
	}
	accept(t, c, []wire.Item{item(events[1])}, wire.Added)
	sound(t, home)
}

// An event whose target is damaged is refused; the rest of the batch lives on.
func TestADamagedTargetStopsOneItemOnly(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	events := chain(t, 2)
	other := storetest.Publish(t, storetest.Stamp{Signer: 2, Nonce: 1})
	c := mustOpen(t, home, Options{})
	accept(t, c, []wire.Item{item(events[0])}, wire.Added)
	c.Close()
	flipText(t, home, item(events[0]))
	flipBytes(t, home, []byte(events[0].Title()))
	c = mustOpen(t, home, Options{})
	out, err := c.Accept(t.Context(), fromFile, []wire.Item{item(events[1]), item(other), item(events[0]), item(events[1])})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []wire.Status{wire.Refused, wire.Added, wire.Held, wire.Added} {
		if out[i].Status != want {
			t.Errorf("item %d: status %d, not %d: %v", i, out[i].Status, want, out[i].Refusal)
		}
	}
	if out[0].Refusal == nil || out[0].Refusal.Code != fault.DamagedCode {
		t.Errorf("refused with %v", out[0].Refusal)
	}
	sound(t, home)
}

// flipBytes flips a bit wherever the bytes stand in the file.
func flipBytes(t testing.TB, home string, what []byte) {
	t.Helper()
	path := filepath.Join(home, cacheName)
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.ReplaceAll(string(file), string(what), string(what[0]^1)+string(what[1:]))
	if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLongTitlesAreCutAndSortedWhole(t *testing.T) {
	base := strings.Repeat("Long title ", 30)
	titles := []string{base + "b", base + "A", base, base[:maxTitle], base[:maxTitle+1], base[:maxTitle-1], "LONG TITLE", "zz", strings.Repeat("语言", 60)}
	c := mustOpen(t, t.TempDir(), Options{})
	var items []wire.Item
	for i, title := range titles {
		items = append(items, item(storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: int64(i + 1)}, storetest.Titled(title))))
	}
	accept(t, c, items, wire.Added)
	want := slices.SortedFunc(slices.Values(items), func(a, b wire.Item) int {
		return strings.Compare(capsule.FoldASCII(a.Offer.Event().Title()), capsule.FoldASCII(b.Offer.Event().Title()))
	})
	err := c.Read(t.Context(), func(s view.Snapshot) error {
		var rows []view.Entry
		err := s.Scan(t.Context(), view.Query{Sort: view.Title}, func(numbers []uint64) bool {
			more, err := s.Entries(numbers)
			rows = append(rows, more...)
			return err == nil
		})
		for i, row := range rows {
			title := want[i].Offer.Event().Title()
			if row.ID != want[i].Offer.Event().ID() || !strings.HasPrefix(title, row.Title) || len(row.Title) > maxTitle || row.Damaged {
				t.Errorf("row %d is %q, not %q", i, row.Title, title)
			}
		}
		if len(rows) != len(titles) {
			t.Errorf("%d rows", len(rows))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Hints never hide a match, whatever the terms are.
func TestHintsHideNothing(t *testing.T) {
	c := mustOpen(t, t.TempDir(), Options{})
	items := importFew(t, c)
	for i, it := range items {
		for _, field := range capsule.Fields(it.Offer.Event()) {
			folded := capsule.FoldASCII(field)
			runes := []rune(folded)
			for _, term := range []string{folded, string(runes[:1]), string(runes[len(runes)/2:]), strings.Fields(folded)[0]} {
				held := false
				err := c.Read(t.Context(), func(s view.Snapshot) error {
					return s.Scan(t.Context(), view.Query{Terms: []string{term}}, func(numbers []uint64) bool {
						held = held || slices.Contains(numbers, uint64(i+1))
						return true
					})
				})
				if err != nil || !held {
					t.Fatalf("event %d is not found by %q: %v", i+1, term, err)
				}
			}
		}
	}
}

func TestClaimsAreBounded(t *testing.T) {
	c := mustOpen(t, t.TempDir(), Options{})
	events := chain(t, 2)
	for i := range maxClaims + 5 {
		source := wire.Source{Kind: wire.FromService, Name: fmt.Sprintf("https://s%d.example", i)}
		for _, e := range []capsule.Event{events[1], events[0]} {
			if i == 0 && e == events[0] {
				continue
			}
			it := item(e)
			it.Seq, it.AcceptedAt = uint64(i+1), 5
			if _, err := c.Accept(t.Context(), source, []wire.Item{it}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, e := range events {
		claims, err := c.Claims(t.Context(), e.ID())
		if err != nil || len(claims) != maxClaims {
			t.Errorf("%d claims, %v", len(claims), err)
		}
	}
	long := wire.Source{Kind: wire.FromFile, Name: strings.Repeat("n", maxSourceName+1)}
	it := item(events[0])
	it.Seq = 1
	if _, err := c.Accept(t.Context(), long, []wire.Item{it}); codeOf(err) != fault.UsageCode {
		t.Errorf("too long a name gave %v", err)
	}
}
