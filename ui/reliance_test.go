package ui_test

import (
	"context"
	"errors"
	"testing"

	"akx/cache/storetest"
	"akx/explore"
	"akx/ui/kit"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/memory"
	"akx/view/wire"
)

// Work that relies on a withdrawn event says so in the lists, as soon as that is known.
func TestRelianceIsListed(t *testing.T) {
	w := newWriting(t)
	theirs := w.target.ID()
	w.open(theirs).do("c enter").fill("title", "Signed", "statement", "It is so.", "scope", "s", "basis", "b")
	w.sign()
	w.open(theirs).do("c enter 'Drafted esc d")
	w.hides("RETRACTED")
	accept(t, w.lib, wire.Added, storetest.Retract(t, storetest.Stamp{Signer: 1, Nonce: 5}, theirs))
	w.Send(kit.Written{}) // as after a sync
	w.shows("relies on RETRACTED 1 ▌Drafted", "relies on RETRACTED 1 ▌Signed", "RETRACTED in this cache: extends "+theirs.String(), "Somebody's finding")
	w.do("down")
	w.shows("queued for no service", "RETRACTED in this cache: extends "+theirs.String())
}

// Growth of the library by another akx is enough for that.
func TestRelianceFollowsTheLibrary(t *testing.T) {
	w := newWriting(t)
	w.open(w.target.ID()).do("A esc d")
	w.hides("RETRACTED")
	accept(t, w.lib, wire.Added, storetest.Retract(t, storetest.Stamp{Signer: 1, Nonce: 5}, w.target.ID()))
	w.Send(tick())
	w.shows("relies on RETRACTED 1")
}

// damagedDesk is a desk of which some values cannot be read.
type damagedDesk struct{ *memory.Desk }

func (d damagedDesk) Drafts(ctx context.Context) ([]desk.Draft, error) {
	all, err := d.Desk.Drafts(ctx)
	return all, errors.Join(err, &fault.Damaged{What: "own.db", Detail: "draft 7 is damaged", Hint: "forget it"},
		&fault.Damaged{What: "own.db", Detail: "draft 8 is damaged", Hint: "forget that"})
}

func (d damagedDesk) Entries(ctx context.Context) ([]desk.Entry, error) {
	all, err := d.Desk.Entries(ctx)
	return all, errors.Join(err, &fault.Damaged{What: "own.db", Detail: "the outbox entry of abc is damaged", Hint: "submit it"})
}

// Damage is a row and a number, never a gap; what can be read stays usable.
func TestDamageIsListed(t *testing.T) {
	w := newWriting(t, func(s *setup) { s.desk = explore.Desk(damagedDesk{s.desk.(*memory.Desk)}) })
	w.shows("3 DAMAGED")
	w.do("c enter 'Whole esc d")
	w.shows("Drafts 1 · Outbox 0 · 3 DAMAGED", "DAMAGED draft 7 is damaged", "DAMAGED draft 8", "DAMAGED the outbox entry of abc", "forget it", "Whole")
	for _, key := range []string{"x", ">", "+", "u", "y"} {
		w.do(key).shows("this cannot be read")
	}
	w.do("enter down")
	w.shows("forget that")
	w.do("G enter").shows("Compose: question")
	if len(w.drafts()) != 1 {
		t.Error("a draft is lost")
	}
}

// What one signs oneself is no news, and what comes after it is.
func TestOwnSignatureIsNoNews(t *testing.T) {
	w := newWriting(t)
	w.Send(tick())
	w.do("c enter").fill("title", "Signed", "statement", "It is so.", "scope", "s", "basis", "b")
	w.sign()
	w.shows("signed and held here")
	w.Send(tick())
	w.hides("new: R")
	accept(t, w.lib, wire.Added, storetest.Retract(t, storetest.Stamp{Signer: 1, Nonce: 5}, w.target.ID()))
	w.Send(tick())
	w.shows("+1 new: R")
}
