package keyring

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"akx/view/identity"
)

// keyFileSeeds are whole files, and what is almost one.
func keyFileSeeds(t testing.TB) [][]byte {
	f := &keyFile{name: "ann", actor: identity.TestKey(0x41).Actor(), created: 1_748_000_000_000, cost: cheap}
	if err := f.seal(newSecret(bytes.Repeat([]byte{0x41}, 32)), pass); err != nil {
		t.Fatal(err)
	}
	whole := f.text()
	body := string(f.header())
	return [][]byte{
		whole, whole[:len(whole)-1], whole[:100], append(bytes.Clone(whole), whole...), bytes.ToUpper(whole), nil, []byte("\n"),
		withSum(""), withSum("akx-key 1\n"), withSum("akx-key 2\nwhat ever\n"), withSum(body), withSum(body + "data \n"),
		withSum(body + "data AAAA\nsum x\n"),
	}
}

func FuzzParseKeyFile(f *testing.F) {
	for _, seed := range keyFileSeeds(f) {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, text []byte, sum bool) {
		if sum {
			text = withSum(string(text))
		}
		k, err := parseKeyFile("x", text)
		switch {
		case err != nil && (k != nil || !isDamaged(err)):
			t.Fatalf("refused with %v beside %v", err, k)
		case err == nil && !bytes.Equal(k.text(), text):
			t.Fatalf("accepted %q, which would be written as %q", text, k.text())
		case err == nil && (!k.cost.valid() || CheckName(k.name) != nil):
			t.Fatalf("accepted %+v of %q", k.cost, k.name)
		}
	})
}

func importSeeds(t testing.TB) [][]byte {
	paths, err := filepath.Glob(filepath.Join("testdata", "*.pem"))
	if err != nil {
		t.Fatal(err)
	}
	seeds := [][]byte{
		nil, []byte("-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n"),
		[]byte(hex.EncodeToString(bytes.Repeat([]byte{0x5a, 1}, 16))), []byte("AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA"),
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		seeds = append(seeds, text)
	}
	return seeds
}

func FuzzRead(f *testing.F) {
	for _, seed := range importSeeds(f) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if form, err := Inspect(text); err == nil && form == FormOpenSSHEncrypted {
			t.Skip("its rounds take their time")
		}
		s, err := Read(text, nil)
		if err != nil {
			if s.seed != nil || !isUsage(err) {
				t.Fatalf("refused with %v", err)
			}
			return
		}
		if _, public := identity.TestSeedName(s.Actor()); public || s.Actor().IsZero() {
			t.Fatal("took a key that anybody has")
		}
	})
}

func TestSeedCounts(t *testing.T) {
	if n := len(keyFileSeeds(t)); n < 10 {
		t.Errorf("%d seeds of key files", n)
	}
	if n := len(importSeeds(t)); n < 10 {
		t.Errorf("%d seeds to import", n)
	}
}
