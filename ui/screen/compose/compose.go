// Package compose is where a draft is written, seen as its reader will see it, and
// signed. Nothing that is typed is lost by leaving, and nothing is signed by one key.
package compose

import (
	"context"
	"io"

	"akx/explore"
	"akx/ui/kit"
	"akx/view/fault"
	"akx/view/identity"
)

// Signer is a key of the user, without its secret.
type Signer struct {
	Name    string
	Actor   identity.Actor
	Default bool
	// Open says that it can be used now without a passphrase.
	Open bool
	// Err says why the key cannot be read; then Name alone is known.
	Err error
}

// Keys leads to the user's signing keys.
type Keys interface {
	// Signers lists them; those that cannot be read have an Err.
	Signers(ctx context.Context) ([]Signer, error)
	// Unlock gives a key, which the caller wipes. An empty passphrase takes one that is
	// open. The error of a wrong one is for the user to try again.
	Unlock(ctx context.Context, name string, passphrase []byte) (identity.Key, error)
	// Create makes a key of random numbers under a passphrase, which the caller wipes. It
	// is open then, and stored, durable when this returns. Errors: *fault.Usage for a name
	// or a passphrase that cannot be used, or a name that is taken.
	Create(ctx context.Context, name string, passphrase []byte) (Signer, error)
}

// Shared is what all drafts of one explorer have in common.
type Shared struct {
	Session *explore.Session
	Writer  *explore.Writer
	Keys    Keys
	Options kit.Options
	Keeper  *Keeper
	Texts   Texts
	// OpenFile opens a file of this machine that the user named, and gives its size; nil
	// where none can be read.
	OpenFile func(name string) (io.ReadCloser, int64, error)
}

// NewShared makes it.
func NewShared(s *explore.Session, w *explore.Writer, k Keys, o kit.Options) *Shared {
	return &Shared{Session: s, Writer: w, Keys: k, Options: o, Keeper: NewKeeper(w)}
}

// TestKeys are published test keys, for the sample: everybody can sign with them, so
// they need no passphrase, and what they sign means nothing.
type TestKeys []byte

// Signers lists them; the first is the default.
func (k TestKeys) Signers(context.Context) ([]Signer, error) {
	out := make([]Signer, len(k))
	for i, seed := range k {
		actor := identity.TestKey(seed).Actor()
		name, _ := identity.TestSeedName(actor)
		out[i] = Signer{Name: name, Actor: actor, Default: i == 0, Open: true}
	}
	return out, nil
}

// Unlock gives one of them.
func (k TestKeys) Unlock(_ context.Context, name string, _ []byte) (identity.Key, error) {
	for _, seed := range k {
		key := identity.TestKey(seed)
		if known, _ := identity.TestSeedName(key.Actor()); known == name {
			return key, nil
		}
	}
	return identity.Key{}, noKey(name)
}

// Create makes none: everybody has these.
func (k TestKeys) Create(context.Context, string, []byte) (Signer, error) {
	return Signer{}, &fault.Usage{Detail: "the sample has its own keys, which are public", Hint: "open your own cache"}
}
