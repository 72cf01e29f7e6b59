package cache

import (
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"

	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// What is withheld is listed with its time, through restarts and compaction, and only
// as long as it is hidden.
func TestWithheldIsListed_7_1(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	now := int64(1_773_000_000_000)
	o := Options{Role: Service, Origin: string(hub), Clock: func() int64 { return now }}
	c := mustOpen(t, home, o)
	if list, err := c.Withheld(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("an empty home: %v, %v", list, err)
	}
	items := few(t, 30)
	if _, err := c.Accept(t.Context(), fromFile, items); err != nil {
		t.Fatal(err)
	}
	hide := func(item wire.Item, hide bool) {
		t.Helper()
		now += 1000
		if err := c.Withhold(t.Context(), item.Offer.Envelope().ID(), hide); err != nil {
			t.Fatal(err)
		}
	}
	hide(items[3], true)
	hide(items[20], true)
	hide(items[3], true) // hidden already: since the first time
	hide(items[7], true)
	hide(items[20], false)
	listed := func() {
		t.Helper()
		list, err := c.Withheld(t.Context())
		if err != nil || len(list) != 2 {
			t.Fatalf("%v, %v", list, err)
		}
		for i, want := range []Withheld{{4, items[3].Offer.Envelope().ID(), 1_773_000_001_000}, {8, items[7].Offer.Envelope().ID(), 1_773_000_004_000}} {
			if list[i] != want {
				t.Errorf("%+v, want %+v", list[i], want)
			}
		}
	}
	listed()
	c.Close()
	if _, _, err := Compact(t.Context(), home, o); err != nil {
		t.Fatal(err)
	}
	c = mustOpen(t, home, o)
	listed()
	if err := c.Withhold(t.Context(), identity.ID{1}, true); codeOf(err) != fault.NotHeldCode {
		t.Errorf("an unknown event: %v", err)
	}
	sound(t, home)

	// A time that cannot be read is told by the doctor, and hides nothing else.
	err := c.events.write(t.Context(), func(tx *bolt.Tx) (bool, error) {
		return true, tx.Bucket([]byte("follow")).Put(withheldKey(4), []byte("torn"))
	})
	if err != nil {
		t.Fatal(err)
	}
	list, err := c.Withheld(t.Context())
	if err != nil || len(list) != 2 || list[0].At != 0 || list[1].At == 0 {
		t.Errorf("%+v, %v", list, err)
	}
	c.Close()
	if found, err := Check(t.Context(), home); err != nil || len(found) == 0 {
		t.Errorf("the doctor finds %v, %v", found, err)
	}
}
