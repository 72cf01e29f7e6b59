package keyring

import (
	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/text/unicode/norm"

	"akx/view/fault"
)

// Cost is what deriving a key from a passphrase takes (RFC 9106, argon2id).
type Cost struct {
	Time    uint32 // passes
	Memory  uint32 // KiB
	Threads uint8
}

// DefaultCost takes about 70 ms and 64 MiB.
var DefaultCost = Cost{Time: 3, Memory: 64 << 10, Threads: 2}

// A file may ask for no more than this: it comes from a disk, and must not be able
// to stall akx or eat the machine's memory.
const (
	maxTime    = 16
	maxMemory  = 256 << 10
	maxThreads = 16
	// leastMemory is argon2's own lower bound, in KiB a thread.
	leastMemory = 8
)

func (c Cost) valid() bool {
	return c.Time >= 1 && c.Time <= maxTime && c.Threads >= 1 && c.Threads <= maxThreads &&
		c.Memory >= leastMemory*uint32(c.Threads) && c.Memory <= maxMemory
}

// MaxPassphrase bounds a passphrase, in bytes.
const MaxPassphrase = 1024

// checkPassphrase refuses passphrases that protect nothing or cannot be meant.
func checkPassphrase(passphrase []byte) error {
	switch {
	case len(passphrase) == 0:
		return &fault.Usage{Detail: "the passphrase is empty", Hint: "a key is kept only under a passphrase"}
	case len(passphrase) > MaxPassphrase:
		return &fault.Usage{Detail: "the passphrase is longer than 1,024 bytes"}
	}
	return nil
}

// derive gives the sealing key. Keyboards spell accented letters in two ways; NFC
// makes them one.
func derive(passphrase []byte, c Cost, salt []byte) []byte {
	plain := norm.NFC.Bytes(passphrase)
	key := argon2.IDKey(plain, salt, c.Time, c.Memory, c.Threads, chacha20poly1305.KeySize)
	if len(plain) > 0 && &plain[0] != &passphrase[0] {
		clear(plain)
	}
	return key
}

// seal encrypts s into f, whose header is complete.
func (f *keyFile) seal(s Secret, passphrase []byte) error {
	key := derive(passphrase, f.cost, f.salt[:])
	defer clear(key)
	aead, err := chacha20poly1305.NewX(key)
	if err != nil {
		return err
	}
	f.sealed = [sealedBytes]byte(aead.Seal(nil, f.nonce[:], s.bytes(), f.header()))
	return nil
}

// open gives the secret: *fault.Unavailable with permission_denied for a wrong
// passphrase, *fault.Damaged where the seed is not that of the Agent ID.
func (f *keyFile) open(path string, passphrase []byte) (Secret, error) {
	key := derive(passphrase, f.cost, f.salt[:])
	defer clear(key)
	aead, err := chacha20poly1305.NewX(key)
	if err != nil {
		return Secret{}, err
	}
	seed, err := aead.Open(nil, f.nonce[:], f.sealed[:], f.header())
	if err != nil {
		return Secret{}, wrongPassphrase(f.name)
	}
	defer clear(seed)
	s := newSecret(seed)
	if s.Actor() != f.actor {
		s.Wipe()
		return Secret{}, damaged(path, "it holds another key than its Agent ID says")
	}
	return s, nil
}
