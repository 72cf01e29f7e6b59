package identity

import (
	"bytes"
	_ "embed"
	"encoding/hex"
	"fmt"
	"sync"
)

// testActors holds the public keys of the 256 published test seeds whose 32 bytes are
// all the same, in the order of that byte. A test derives them again.
//
//go:embed testactors.bin
var testActors []byte

// published are the public keys of other seeds that stand in specifications and in
// widely used documentation. A test derives them from those seeds.
var published = []struct{ public, name string }{
	{"d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "RFC 8032 TEST 1, RFC 8037 A.1"},
	{"3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "RFC 8032 TEST 2"},
	{"fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "RFC 8032 TEST 3"},
	{"278117fc144c72340f67d0f2316e8386ceffbf2b2428c9c51fef7c597f1d426e", "RFC 8032 TEST 1024"},
	{"ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf", "RFC 8032 TEST SHA(abc)"},
	{"dfc9425e4f968f7f0c29f0259cf5f9aed6851c2bb4ad8bfb860cfee0ab248292", "RFC 8032 7.2, foo and bar"},
	{"0f1d1274943b91415889152e893d80e93275a1fc0b65fd71b4b0dda10ad7d772", "RFC 8032 7.2, foo2"},
	{"19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1", "RFC 8410 10.3"},
	{"26b40b8f93fff3d897112f7ebc582b232dbd72517d082fe83cfb30ddce43d1bb", "RFC 9421 B.1.4"},
	{"03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8", "bytes 00 01 02 ... 1f"},
	{"79b5562e8fe654f94078b112e8a98ba7901f853ae695bed7e0e3910bad049664", "bytes 01 02 03 ... 20"},
	{"a4b2856bfec510abab89753fac1ac0e1112364e7d250545963f135f2a33188ed", "SLIP-0010 test vector 1"},
	{"8fe9693f8fa62a4305a140b9764c5ee01e455963744fe18204b4fb948249308a", "SLIP-0010 test vector 2"},
	{"88dc3417d5058ec4b4503e0c12ea1a0a89be200fe98922423d4334014fa6b0ee", "Substrate //Alice"},
}

var testSeeds = sync.OnceValue(func() map[Actor]string {
	seeds := make(map[Actor]string, 256+len(published))
	for b := range 256 {
		seeds[Actor(testActors[32*b:])] = fmt.Sprintf("seed of 32 bytes 0x%02x", b)
	}
	for _, p := range published {
		public, _ := hex.DecodeString(p.public) // a constant that a test checks
		seeds[Actor(public)] = p.name
	}
	return seeds
})

// TestSeedName names the published test seed behind a, such as "seed of 32 bytes
// 0x21" or "RFC 8032 TEST 1, RFC 8037 A.1": anybody can sign as that actor. ok is false
// for other actors. It is the one table of such seeds: what may not be imported, signed
// with, sent or exported is asked of it.
func TestSeedName(a Actor) (name string, ok bool) {
	name, ok = testSeeds()[a]
	return name, ok
}

// TestKey makes the key of the test seed of 32 bytes b, for samples and tests only.
func TestKey(b byte) Key {
	return NewKey([32]byte(bytes.Repeat([]byte{b}, 32)))
}
