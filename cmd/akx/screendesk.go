package main

import (
	"context"
	"path/filepath"

	"akx/cache"
	"akx/cache/keyring"
	"akx/explore"
	"akx/explore/sample"
	"akx/ui"
	"akx/ui/screen/compose"
	"akx/view/desk"
	"akx/view/identity"
	"akx/view/memory"
)

// writeOnScreen lets the explorer write. On the sample drafts live in memory, and its
// published test keys sign. end lets go of open drafts and forgets keys.
func (a *app) writeOnScreen(h *held, setup *ui.Setup) (end func()) {
	o := explore.WriterOptions{ReadOnly: a.flags.readOnly,
		Defaults: desk.Defaults{License: a.settings.text("license"), Language: a.settings.text("language")}}
	store, ok := h.library.(*cache.Cache)
	if !ok {
		setup.Writer, setup.Keys = explore.NewWriter(h.session, memory.NewDesk(), o), compose.TestKeys(sample.Seeds())
		return setup.Writer.Close
	}
	ring, err := a.ring()
	if err != nil { // the home of a service: nothing is written there
		return func() {}
	}
	keys := screenKeys{ring}
	o.Unlocked = keys.unlocked
	setup.Writer, setup.Keys = explore.NewWriter(h.session, store.Desk(), o), keys
	if dir, _, err := a.homeDir(); err == nil {
		setup.EditDir = filepath.Join(dir, editFolder)
	}
	return func() {
		setup.Writer.Close()
		ring.LockAll()
	}
}

// screenKeys are the keys of the home for the explorer.
type screenKeys struct{ ring *keyring.Ring }

// Signers lists the keys, those that cannot be read with the reason why.
func (k screenKeys) Signers(ctx context.Context) ([]compose.Signer, error) {
	all, err := k.ring.List(ctx)
	var out []compose.Signer
	for _, i := range all {
		if i.Err != nil {
			out = append(out, compose.Signer{Name: i.Name, Err: i.Err})
			continue
		}
		key, open := k.ring.Key(i.Name)
		key.Wipe()
		out = append(out, compose.Signer{Name: i.Name, Actor: i.Actor, Default: i.Default, Open: open})
	}
	return out, err
}

// unlocked gives the key of an Agent ID if it is open.
func (k screenKeys) unlocked(ctx context.Context, a identity.Actor) (identity.Key, bool) {
	all, err := k.ring.List(ctx)
	if err != nil {
		return identity.Key{}, false
	}
	for _, i := range all {
		if i.Err != nil || i.Actor != a {
			continue
		}
		if key, open := k.ring.Key(i.Name); open && key.Actor() == a {
			return key, true
		}
	}
	return identity.Key{}, false
}

// Create makes a key, which is open then.
func (k screenKeys) Create(ctx context.Context, name string, passphrase []byte) (compose.Signer, error) {
	made, err := k.ring.Create(ctx, name, passphrase)
	if err != nil {
		return compose.Signer{}, err
	}
	key, err := k.ring.Unlock(ctx, name, passphrase)
	key.Wipe()
	return compose.Signer{Name: made.Name, Actor: made.Actor, Default: made.Default, Open: err == nil}, nil
}

// Unlock opens a key; without a passphrase it takes one that is open already.
func (k screenKeys) Unlock(ctx context.Context, name string, passphrase []byte) (identity.Key, error) {
	if len(passphrase) == 0 {
		if key, ok := k.ring.Key(name); ok {
			return key, nil
		}
	}
	return k.ring.Unlock(ctx, name, passphrase)
}
