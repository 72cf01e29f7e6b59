package keyring

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"akx/view/identity"
)

// unlocked holds the seeds that need no passphrase for a while, in memory only.
type unlocked struct {
	mu   sync.Mutex
	keys map[string]*unlockedKey
}

type unlockedKey struct {
	secret Secret
	since  time.Time
	until  time.Time
	stop   func() bool // of the timer
}

// over reports whether k's time has passed by the steady clock or by the one on the
// wall, which goes on while the machine sleeps; a wall clock that was set back ends
// it too.
func (k *unlockedKey) over(now time.Time) bool {
	wall := now.Round(0)
	return !now.Before(k.until) || !wall.Before(k.until.Round(0)) || wall.Before(k.since.Round(0))
}

// Unlock opens a key, and keeps it unlocked for the Ring's Keep. The caller wipes
// the key that it gets; the kept one has memory of its own. Errors are a
// *fault.Damaged for a damaged file, a *fault.Unavailable with permission_denied
// for a wrong passphrase (IsWrongPassphrase), a *fault.Usage with not_held.
func (r *Ring) Unlock(ctx context.Context, name string, passphrase []byte) (identity.Key, error) {
	s, _, err := r.open(ctx, name, passphrase)
	if err != nil {
		return identity.Key{}, err
	}
	key := s.Key()
	if r.options.Keep == 0 {
		s.Wipe()
		return key, nil
	}
	r.keep(name, s)
	return key, nil
}

// keep takes over s.
func (r *Ring) keep(name string, s Secret) {
	now := r.options.Now()
	k := &unlockedKey{secret: s, since: now, until: now.Add(r.options.Keep)}
	r.held.mu.Lock()
	defer r.held.mu.Unlock()
	r.held.forget(name)
	if r.held.keys == nil {
		r.held.keys = make(map[string]*unlockedKey)
	}
	r.held.keys[name] = k
	k.stop = r.options.AfterFunc(r.options.Keep, func() { r.expire(name, k) })
}

// expire forgets k unless another took its place.
func (r *Ring) expire(name string, k *unlockedKey) {
	r.held.mu.Lock()
	defer r.held.mu.Unlock()
	if r.held.keys[name] == k {
		r.held.forget(name)
	}
}

// forget wipes a key; mu is held.
func (u *unlocked) forget(name string) {
	k := u.keys[name]
	if k == nil {
		return
	}
	if k.stop != nil {
		k.stop()
	}
	k.secret.Wipe()
	delete(u.keys, name)
}

// Key gives a key that is unlocked still; ok is false where it is not. The caller
// wipes it.
func (r *Ring) Key(name string) (key identity.Key, ok bool) {
	r.held.mu.Lock()
	defer r.held.mu.Unlock()
	k := r.held.keys[name]
	if k == nil {
		return identity.Key{}, false
	}
	if k.over(r.options.Now()) {
		r.held.forget(name)
		return identity.Key{}, false
	}
	return k.secret.Key(), true
}

// Lock forgets an unlocked key at once.
func (r *Ring) Lock(name string) {
	r.held.mu.Lock()
	defer r.held.mu.Unlock()
	r.held.forget(name)
}

// LockAll forgets all unlocked keys, for the end of the program and for a user who
// goes away.
func (r *Ring) LockAll() {
	r.held.mu.Lock()
	defer r.held.mu.Unlock()
	for name := range r.held.keys {
		r.held.forget(name)
	}
}

// Format prints the folder alone, for every verb.
func (r *Ring) Format(f fmt.State, _ rune) { io.WriteString(f, "keyring "+r.dir) }

// MarshalText gives [secret].
func (r *Ring) MarshalText() ([]byte, error) { return []byte(hidden), nil }
