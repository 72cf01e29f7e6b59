package keyring

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"akx/view/identity"
)

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func actorOf(t *testing.T, base64Key string) identity.Actor {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(base64Key)
	if err != nil || len(raw) < 32 {
		t.Fatal("bad key in the test")
	}
	return identity.Actor(raw[len(raw)-32:])
}

// The fixtures were made by OpenSSH and OpenSSL, which also named the public keys.
const (
	plainPublic     = "AAAAC3NzaC1lZDI1NTE5AAAAILB1XoIa2IuHcHGUlcTAUihwXBnHmnhDDFvippLqkNtU"
	encryptedPublic = "AAAAC3NzaC1lZDI1NTE5AAAAIMg1rp7Xn9LoKuFJUN6rbCHgN4tUjq9Chlj5KzvRVWjU"
	pkcs8Public     = "N4V0p4AAXTZeAbLaVYelMieyVVnKhCWhHrBwMDMqsTY="
)

func TestReadForms(t *testing.T) {
	seed := bytes.Repeat([]byte{7, 8}, 16)
	public := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
	own := base64.StdEncoding.EncodeToString(public)
	cases := map[string]struct {
		text       string
		form       Form
		passphrase string
		public     string
	}{
		"hex":                  {hex.EncodeToString(seed), FormSeed, "", own},
		"hex, capitals":        {strings.ToUpper(hex.EncodeToString(seed)), FormSeed, "", own},
		"hex and a line end":   {hex.EncodeToString(seed) + "\n", FormSeed, "", own},
		"base64url":            {base64.RawURLEncoding.EncodeToString(seed) + "\r\n", FormSeed, "", own},
		"PKCS#8":               {string(fixture(t, "pkcs8.pem")), FormPKCS8, "", pkcs8Public},
		"PKCS#8, text before":  {"a note\n" + string(fixture(t, "pkcs8.pem")), FormPKCS8, "", pkcs8Public},
		"OpenSSH":              {string(fixture(t, "openssh.pem")), FormOpenSSH, "", plainPublic},
		"OpenSSH, no need":     {string(fixture(t, "openssh.pem")), FormOpenSSH, "whatever", plainPublic},
		"OpenSSH, a passphase": {string(fixture(t, "openssh-encrypted.pem")), FormOpenSSHEncrypted, "open sesame", encryptedPublic},
	}
	for name, c := range cases {
		form, err := Inspect([]byte(c.text))
		if err != nil || form != c.form {
			t.Errorf("%s: form %v, %v", name, form, err)
		}
		s, err := Read([]byte(c.text), []byte(c.passphrase))
		if err != nil || s.Actor() != actorOf(t, c.public) {
			t.Errorf("%s: %v, %v", name, s.Actor(), err)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	seed := strings.Repeat("0102", 16)
	openssh := string(fixture(t, "openssh.pem"))
	cases := map[string]string{
		"nothing":               "",
		"words":                 "not a key",
		"hex, a digit short":    seed[1:],
		"hex, a wrong digit":    "x" + seed[1:],
		"base64, trailing bits": base64.RawURLEncoding.EncodeToString(make([]byte, 32))[:42] + "B",
		"base64, padded":        base64.URLEncoding.EncodeToString(bytes.Repeat([]byte{9}, 32)),
		"base64, line break":    strings.Repeat("A", 20) + "\n" + strings.Repeat("A", 22),
		"RSA":                   string(fixture(t, "openssh-rsa.pem")),
		"X25519":                string(fixture(t, "pkcs8-x25519.pem")),
		"encrypted PKCS#8":      string(fixture(t, "pkcs8-encrypted.pem")),
		"no passphrase":         string(fixture(t, "openssh-encrypted.pem")),
		"two keys":              openssh + openssh,
		"a certificate":         strings.ReplaceAll(openssh, typeOpenSSH, "CERTIFICATE"),
		"OpenSSH named PKCS#8":  strings.ReplaceAll(openssh, typeOpenSSH, typePKCS8),
		"PKCS#8 named OpenSSH":  strings.ReplaceAll(string(fixture(t, "pkcs8.pem")), typePKCS8, typeOpenSSH),
		"cut":                   openssh[:200],
		"too large":             strings.Repeat("A", MaxImport+1),
		"many rounds":           withRounds(t, fixture(t, "openssh-encrypted.pem"), 1<<31),
		"rounds over the bound": withRounds(t, fixture(t, "openssh-encrypted.pem"), maxRounds+1),
		"no rounds":             withRounds(t, fixture(t, "openssh-encrypted.pem"), 0),
		"halves that differ":    withOtherPublic(t, fixture(t, "openssh.pem")),
	}
	for name, text := range cases {
		s, err := Read([]byte(text), nil)
		if !isUsage(err) || s.seed != nil {
			t.Errorf("%s gives %v", name, err)
		}
	}
	if _, err := Read(fixture(t, "openssh-encrypted.pem"), wrong); !IsWrongPassphrase(err) {
		t.Errorf("a wrong passphrase gives %v", err)
	}
}

// withRounds changes what an encrypted OpenSSH file asks of bcrypt.
func withRounds(t *testing.T, text []byte, rounds uint32) string {
	t.Helper()
	block, _ := pem.Decode(text)
	at := bytes.Index(block.Bytes, []byte("bcrypt")) + len("bcrypt") + 4 + 4 + 16
	binary.BigEndian.PutUint32(block.Bytes[at:], rounds)
	return string(pem.EncodeToMemory(block))
}

// withOtherPublic flips a bit of the public half inside the private part.
func withOtherPublic(t *testing.T, text []byte) string {
	t.Helper()
	block, _ := pem.Decode(text)
	public := actorOf(t, plainPublic)
	at := bytes.LastIndex(block.Bytes, public[:])
	block.Bytes[at] ^= 1
	return string(pem.EncodeToMemory(block))
}

func TestPublicTestSeedsAreRefused(t *testing.T) {
	r := newRing(t, newClock())
	for b := range 256 {
		seed := bytes.Repeat([]byte{byte(b)}, 32)
		for _, text := range []string{hex.EncodeToString(seed), base64.RawURLEncoding.EncodeToString(seed)} {
			if _, err := Read([]byte(text), nil); !isUsage(err) {
				t.Errorf("%s gives %v", text, err)
			}
		}
		if b%64 == 0 {
			if _, err := r.Import(t.Context(), "ann", newSecret(seed), pass); !isUsage(err) {
				t.Errorf("importing seed %d gives %v", b, err)
			}
		}
	}
	// RFC 8037 A.1, as it prints it, and the key of RFC 8410 10.3 in its own form.
	for _, text := range []string{"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
		"-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----\n"} {
		if _, err := Read([]byte(text), nil); !isUsage(err) {
			t.Errorf("%s gives %v", text, err)
		}
	}
	if _, err := r.Import(t.Context(), "ann", Secret{}, pass); !isUsage(err) {
		t.Errorf("no key at all gives %v", err)
	}
}

func TestExportReadsBack(t *testing.T) {
	r := newRing(t, newClock())
	made := create(t, r, "ann")
	exported, err := r.Export(t.Context(), "ann", pass)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := exported.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	if form, err := Inspect(out.Bytes()); err != nil || form != FormPKCS8 {
		t.Errorf("exported as %v, %v", form, err)
	}
	s, err := Read(out.Bytes(), nil)
	if err != nil || s.Actor() != made.Actor {
		t.Errorf("read back %v, %v", s.Actor(), err)
	}
	exported.Wipe()
	out.Reset()
	if _, err := exported.WriteTo(&out); err != nil || bytes.Contains(out.Bytes(), []byte("BEGIN")) {
		t.Errorf("wiped and there still: %v", err)
	}
}
