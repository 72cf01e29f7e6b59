package main

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"time"

	"akx/cache"
	"akx/cache/keyring"
	"akx/explore"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// author is an open home with its user's own work and signing keys.
type author struct {
	*held
	writer *explore.Writer
	keys   *keyring.Ring
}

// authoring refuses what cannot be done in the sample and, where the command changes,
// signs or sends, what --read-only forbids.
func (a *app) authoring(what string, changes bool) error {
	switch {
	case a.flags.sample:
		return &fault.Usage{Detail: what + " works on a home of your own: what is written in the sample lives in memory, and would end with this command",
			Hint: "leave --sample out, or write in the explorer: akx --sample"}
	case changes && a.flags.readOnly:
		return &fault.Usage{Code: fault.ReadOnly, Detail: "--read-only forbids " + what}
	default:
		return nil
	}
}

// openAuthor opens the home for a command of its user's own work. One that changes
// something first brings outbox and cache together after an end in the middle.
func (a *app) openAuthor(ctx context.Context, what string, changes bool) (*author, error) {
	if err := a.authoring(what, changes); err != nil {
		return nil, err
	}
	keys, err := a.ring()
	if err != nil {
		return nil, err
	}
	h, err := a.open(ctx)
	if err != nil {
		return nil, err
	}
	store, ok := h.library.(*cache.Cache)
	if !ok {
		return nil, errors.Join(&fault.Usage{Detail: what + " needs a home"}, h.close())
	}
	o := explore.WriterOptions{ReadOnly: a.flags.readOnly,
		Defaults: desk.Defaults{License: a.settings.text("license"), Language: a.settings.text("language")},
		Unread:   a.unread}
	u := &author{held: h, writer: explore.NewWriter(h.session, store.Desk(), o), keys: keys}
	if !changes {
		return u, nil
	}
	// What is damaged is told by the command that needs it.
	var damaged *fault.Damaged
	if err := u.writer.Recover(ctx); err != nil && !errors.As(err, &damaged) {
		return nil, errors.Join(err, u.end())
	}
	return u, nil
}

// end lets go of open drafts and closes the home.
func (u *author) end() error {
	u.writer.Close()
	return u.held.close()
}

// ring gives the signing keys of the home; no file is touched yet.
func (a *app) ring() (*keyring.Ring, error) {
	dir, _, err := a.homeDir()
	if err != nil {
		return nil, err
	}
	if _, there, err := serviceOf(dir); err != nil || there {
		if err == nil {
			err = &fault.Usage{Detail: dir + " is the home of a service: nothing is written or signed in it", Hint: "name a home of your own with --home DIR"}
		}
		return nil, err
	}
	o := keyring.Options{Cost: a.keyCost}
	if a.command == explorerCommand { // other commands end when they have signed
		o.Keep = time.Duration(a.settings.number("unlock_minutes")) * time.Minute
	}
	return keyring.New(filepath.Join(dir, "keys"), o)
}

// own gives the Agent IDs of the user's keys, those that can be read.
func (u *author) own(ctx context.Context) ([]identity.Actor, error) {
	all, err := u.keys.List(ctx)
	actors := []identity.Actor{}
	for _, k := range all {
		if k.Err == nil {
			actors = append(actors, k.Actor)
		}
	}
	return actors, err
}

// signer chooses the key that signs: the one that was named, else that of actor where
// it is not zero, else the default.
func (u *author) signer(ctx context.Context, name string, actor identity.Actor) (keyring.Info, error) {
	all, err := u.keys.List(ctx)
	if err != nil {
		return keyring.Info{}, err
	}
	if name == "" && actor.IsZero() {
		if name, err = u.keys.Default(ctx); err != nil {
			return keyring.Info{}, err
		}
		if name == "" {
			hint := "choose one with akx key default NAME, or with --key NAME"
			if len(all) == 0 {
				hint = "make one with akx key new"
			}
			return keyring.Info{}, &fault.Usage{Detail: "no key was chosen to sign with", Hint: hint}
		}
	}
	for _, k := range all {
		if name != "" && k.Name == name || name == "" && k.Err == nil && k.Actor == actor {
			return k, k.Err
		}
	}
	if name == "" {
		return keyring.Info{}, &fault.Usage{Code: fault.NotHeldCode, Detail: "you have no key of " + actor.String(), Hint: "akx key import FILE brings one here"}
	}
	return keyring.Info{}, noKeyCalled(name)
}

// draftNumber reads the number of a draft.
func draftNumber(typed string) (uint64, error) {
	n, err := strconv.ParseUint(typed, 10, 64)
	if err != nil || n == 0 {
		return 0, &fault.Usage{Detail: "not the number of a draft: " + typed, Hint: "akx draft list shows the numbers"}
	}
	return n, nil
}

// many is a flag that may be given several times.
type many struct{ values []string }

func (m *many) String() string { return "" }
func (m *many) Type() string   { return "text" }

func (m *many) Set(s string) error {
	if s == "" {
		return errors.New("empty")
	}
	m.values = append(m.values, s)
	return nil
}
