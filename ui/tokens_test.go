package ui_test

import (
	"context"
	"testing"

	"akx/view/identity"
)

// remembering are keys that stay unlocked once they were.
type remembering struct {
	locked
	open map[identity.Actor]bool
}

func (k remembering) Unlock(ctx context.Context, name string, typed []byte) (identity.Key, error) {
	key, err := k.locked.Unlock(ctx, name, typed)
	k.open[key.Actor()] = err == nil
	return key, err
}

func (k remembering) unlocked(_ context.Context, a identity.Actor) (identity.Key, bool) {
	key := newLocked("ann")["ann"]
	return key, k.open[a] && key.Actor() == a
}

// Whose request tokens a service sees is one line of its form. Where that key is locked,
// sending asks for it first, and nothing goes without (Identity 7).
func TestTokenKeyIsAskedFor_Identity_7(t *testing.T) {
	keys := remembering{newLocked("ann"), map[identity.Actor]bool{}}
	ann := keys.locked["ann"].Actor()
	w, hub := newSending(t, nil, func(s *setup) { s.config.Keys, s.unlocked = keys, keys.unlocked })
	w.queue("Mine")
	clear(keys.open) // its time is over
	w.do("s E")
	w.shows("Change a service", "tokens        none")
	w.do("tab tab tab right")
	w.shows("tokens        ann", "made for this service alone")
	w.do("enter")
	w.shows("changed hub")
	services, err := w.lib.Services(t.Context())
	if err != nil || services[0].Token != ann {
		t.Fatalf("%+v, %v", services, err)
	}
	w.do("d >")
	w.shows("Unlock a key", "is shown a request token", "ann (your own name for it)", ann.String())
	w.do("esc")
	w.shows("the key stays locked, and nothing was sent", "hub: not sent")
	w.do("> 'wrong enter")
	w.shows("Unlock a key", "the passphrase is wrong")
	if len(hub.got) != 0 {
		t.Fatal("something was sent without the token")
	}
	w.Type(passphrase)
	w.hides(passphrase)
	w.do("enter")
	w.shows("accepted #1")
	claims, err := identity.OpenRequest(hub.tokens[0], "https://hub.example", clock().Unix(), 0)
	if err != nil || claims.Issuer != ann {
		t.Errorf("%+v, %v", claims, err)
	}

	// Unlocked once, it is not asked for again.
	w.queue("Mine too")
	w.do("d g g > down >")
	w.shows("accepted #2")
	w.hides("Unlock a key")
}
