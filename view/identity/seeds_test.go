package identity

import (
	"bytes"
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
