package client

import (
	"encoding/binary"
	"hash/maphash"
	"testing"

	"akx/view/identity"
)

// What a walk remembers of its events is bounded, and an event that is repeated soon is
// found all the same.
func TestAWalkRemembersTheLastEvents(t *testing.T) {
	w := &walk{c: &Client{limits: Limits{Seen: 100}.filled()}, seed: maphash.MakeSeed(), seen: make(map[uint64]struct{})}
	id := func(n int) (id identity.ID) {
		binary.BigEndian.PutUint64(id[:], uint64(n))
		return id
	}
	for n := range 1000 {
		if !w.first(id(n)) {
			t.Fatalf("event %d is new", n)
		}
		if back := max(0, n-99); w.first(id(back)) {
			t.Fatalf("event %d was there %d events ago", back, n-back)
		}
		if kept := len(w.seen) + len(w.before); kept > 200 {
			t.Fatalf("%d events are remembered", kept)
		}
	}
}
