package keyring

import (
	"fmt"
	"io"

	"akx/view/fault"
	"akx/view/identity"
)

// hidden is what every value with a secret in it prints.
const hidden = "[secret]"

// Secret is the seed of a signing key in memory. It prints and marshals as
// [secret]. The zero Secret holds nothing.
//
// The seed stands behind two pointers: fmt calls no methods on unexported fields of
// other types, but it prints a pointer to a pointer as an address, for every verb.
type Secret struct{ seed **[32]byte }

// newSecret copies seed; the caller wipes its own.
func newSecret(seed []byte) Secret {
	own := new([32]byte)
	copy(own[:], seed)
	return Secret{seed: &own}
}

// bytes gives the seed itself; nil for a zero Secret.
func (s Secret) bytes() []byte {
	if s.seed == nil {
		return nil
	}
	return (*s.seed)[:]
}

// Key makes a signing key with memory of its own; zero for a zero Secret.
func (s Secret) Key() identity.Key {
	if s.seed == nil {
		return identity.Key{}
	}
	return identity.NewKey(**s.seed)
}

// Actor gives the public side; zero for a zero Secret.
func (s Secret) Actor() identity.Actor {
	k := s.Key()
	defer k.Wipe()
	return k.Actor()
}

// Wipe overwrites the seed, in all copies of s. It is good for nothing afterwards.
func (s Secret) Wipe() { clear(s.bytes()) }

// usable refuses seeds that anybody knows, the wiped one among them.
func (s Secret) usable() error {
	if s.seed == nil {
		return &fault.Usage{Detail: "there is no key here"}
	}
	if name, ok := identity.TestSeedName(s.Actor()); ok {
		return &fault.Usage{
			Detail: "this key is public test material (" + name + "): anybody can sign with it",
			Hint:   "make a key of your own with 'akx key new'",
		}
	}
	return nil
}

// Format prints [secret] for every verb.
func (s Secret) Format(f fmt.State, _ rune) { io.WriteString(f, hidden) }

// MarshalText gives [secret].
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// Exported is a private key as PKCS#8 PEM, not encrypted. It prints and marshals as
// [secret]; WriteTo is the only way out.
type Exported struct{ pem **[]byte }

// WriteTo writes the PEM text to w.
func (e Exported) WriteTo(w io.Writer) (int64, error) {
	if e.pem == nil {
		return 0, nil
	}
	n, err := w.Write(**e.pem)
	return int64(n), err
}

// Wipe overwrites the text, in all copies of e.
func (e Exported) Wipe() {
	if e.pem != nil {
		clear(**e.pem)
	}
}

// Format prints [secret] for every verb.
func (e Exported) Format(f fmt.State, _ rune) { io.WriteString(f, hidden) }

// MarshalText gives [secret].
func (e Exported) MarshalText() ([]byte, error) { return []byte(hidden), nil }
