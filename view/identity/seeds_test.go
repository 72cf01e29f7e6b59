package identity

import (
	"bytes"
	"encoding/hex"
	"testing"
)

func TestSeedsTable(t *testing.T) {
	if len(testActors) != 256*32 {
		t.Fatalf("%d bytes", len(testActors))
	}
	for b := range 256 {
		a := TestKey(byte(b)).Actor()
		if !bytes.Equal(a[:], testActors[32*b:32*b+32]) {
			t.Fatalf("0x%02x: %s", b, a)
		}
	}
	// The digest's test key.
	a, err := ParseActor("did:agent:iEuIV_TqoWE8YVBNs01L6vNGUXoOMd483dTZtCAdnQs")
	if err != nil {
		t.Fatal(err)
	}
	if name, ok := TestSeedName(a); !ok || name != "seed of 32 bytes 0x21" {
		t.Errorf("named %q, %v", name, ok)
	}
	if name, ok := TestSeedName(NewKey([32]byte{1, 2}).Actor()); ok {
		t.Errorf("another actor named %q", name)
	}
}

// publishedSeeds are the seeds as their documents print them.
var publishedSeeds = map[string]string{
	"RFC 8032 TEST 1, RFC 8037 A.1": "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
	"RFC 8032 TEST 2":               "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
	"RFC 8032 TEST 3":               "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
	"RFC 8032 TEST 1024":            "f5e5767cf153319517630f226876b86c8160cc583bc013744c6bf255f5cc0ee5",
	"RFC 8032 TEST SHA(abc)":        "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
	"RFC 8032 7.2, foo and bar":     "0305334e381af78f141cb666f6199f57bc3495335a256a95bd2a55bf546663f6",
	"RFC 8032 7.2, foo2":            "ab9c2853ce297ddab85c993b3ae14bcad39b2c682beabc27d6d4eb20711d6560",
	"RFC 8410 10.3":                 "d4ee72dbf913584ad5b6d8f1f769f8ad3afe7c28cbf1d4fbe097a88f44755842",
	"RFC 9421 B.1.4":                "9f8362f87a484a954e6e740c5b4c0e84229139a20aa8ab56ff66586f6a7d29c5",
	"bytes 00 01 02 ... 1f":         "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
	"bytes 01 02 03 ... 20":         "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20",
	"SLIP-0010 test vector 1":       "2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7",
	"SLIP-0010 test vector 2":       "171cb88b1b3c1db25add599712e36245d75bc65a1a5c9e18d76f9f2b1eab4012",
	"Substrate //Alice":             "abf8e5bdbe30c65656c0a3cbd181ff8a56294a69dfedd27982aace4a76909115",
}

func TestPublishedSeeds(t *testing.T) {
	if len(published) != len(publishedSeeds) {
		t.Errorf("%d public keys for %d seeds", len(published), len(publishedSeeds))
	}
	for name, text := range publishedSeeds {
		seed, err := hex.DecodeString(text)
		if err != nil || len(seed) != 32 {
			t.Fatalf("%s: %v", name, err)
		}
		if got, ok := TestSeedName(NewKey([32]byte(seed)).Actor()); !ok || got != name {
			t.Errorf("%s is known as %q, %v", name, got, ok)
		}
	}
}
