package ui_test

import (
	"testing"

	"akx/cache/storetest"
	"akx/view/capsule"
	"akx/view/wire"
)

// What waits for others is in no list, and told beside it: the list alone is not all that
// came (8.2).
func TestBrowseTellsWhatWaits_8_2(t *testing.T) {
	w := newWorld(t)
	x := w.at(onBrowse, at(120, 36))
	x.hides("(W)")
	late := storetest.Publish(t, storetest.Stamp{Signer: 5, Nonce: 1}, storetest.Titled("Left alone"), storetest.Relate(capsule.Extends, w.fresh.ID()))
	accept(t, w.store, wire.Pending, late)
	x.do("R")
	x.shows("3 capsules · 1 waits (W)")
	x.do(": 'seen-by_hub enter")
	x.hides("(W)")
}
