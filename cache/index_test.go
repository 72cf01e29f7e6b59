package cache

import (
	"bytes"
	"testing"

	bolt "go.etcd.io/bbolt"

	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
)

// A reverse link that the source does not say is damage, not a link.
func TestAFalseLinkIsFoundOnRead(t *testing.T) {
	good, _ := goodFile(t)
	for _, test := range []struct {
		name   string
		change func(key []byte)
	}{
		{"another relation", func(key []byte) { key[8] = (key[8] + 1) % 9 }},
		{"another source", func(key []byte) { key[16] ^= 1 }},
	} {
		home := homeWith(t, good)
		c := mustOpen(t, home, Options{})
		var target identity.ID
		err := c.events.write(t.Context(), func(tx *bolt.Tx) (bool, error) {
			s := &snapshot{path: c.events.path}
			if err := s.begin(tx); err != nil {
				return false, err
			}
			links := tx.Bucket([]byte("in"))
			cursor := links.Cursor()
			for key, _ := cursor.First(); key != nil; key, _ = cursor.Next() {
				changed := bytes.Clone(key)
				test.change(changed)
				target = row(s.rows.record(parseNumber(key[:8]))).id()
				r := row(s.rows.record(parseNumber(changed[9:])))
				if links.Get(changed) == nil && r.whole() && !r.points(target, capsule.Relation(changed[8])) {
					if err := links.Delete(key); err != nil {
						return false, err
					}
					return true, links.Put(changed, nil)
				}
			}
			t.Fatal("there is no link to change")
			return false, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		err = c.Read(t.Context(), func(s view.Snapshot) error {
			return s.Incoming(t.Context(), target, func([]view.Incoming) bool { return true })
		})
		if !isDamaged(err) {
			t.Errorf("%s: reading gave %v", test.name, err)
		}
	}
}

// A damaged claim is not shown; the next word of its source replaces it.
func TestADamagedClaimIsNotShown(t *testing.T) {
	good, items := goodFile(t)
	home := homeWith(t, good)
	c := mustOpen(t, home, Options{})
	id := items[0].Offer.Envelope().ID()
	shown := func() int {
		claims, err := c.Claims(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return len(claims)
	}
	if shown() != 1 {
		t.Fatal("the first event has no claim")
	}
	err := c.events.write(t.Context(), func(tx *bolt.Tx) (bool, error) {
		b := tx.Bucket([]byte("claim"))
		key, value := b.Cursor().First()
		value = bytes.Clone(value)
		value[7] ^= 2
		return true, b.Put(bytes.Clone(key), value)
	})
	if err != nil {
		t.Fatal(err)
	}
	found, err := Check(t.Context(), home)
	if err != nil || len(found) != 1 || found[0].Events[0] != id {
		t.Errorf("Check found %+v, %v", found, err)
	}
	if n := shown(); n != 0 {
		t.Errorf("%d claims are shown", n)
	}
	acceptPage(t, c, hub, completed(22), recorded(items[:1], 1)...)
	if n := shown(); n != 1 {
		t.Errorf("%d claims are shown after the next word", n)
	}
	c.Close()
	sound(t, home)
}
