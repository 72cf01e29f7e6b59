package identity

import (
	"bytes"
	_ "embed"
	"fmt"
	"sync"
)

// testActors holds the public keys of the 256 published test seeds, those whose 32
// bytes are all the same, in the order of that byte. A test derives them again.
//
//go:embed testactors.bin
var testActors []byte

var testSeeds = sync.OnceValue(func() map[Actor]byte {
	seeds := make(map[Actor]byte, 256)
	for b := range 256 {
		seeds[Actor(testActors[32*b:])] = byte(b)
	}
	return seeds
})

// TestSeedName names the published test seed behind a, such as "seed of 32 bytes
// 0x21": anybody can sign as that actor. ok is false for other actors.
func TestSeedName(a Actor) (name string, ok bool) {
	b, ok := testSeeds()[a]
	if !ok {
		return "", false
	}
	return fmt.Sprintf("seed of 32 bytes 0x%02x", b), true
}

// TestKey makes the key of a published test seed, for samples and tests only.
func TestKey(b byte) Key {
	return NewKey([32]byte(bytes.Repeat([]byte{b}, 32)))
}
