package keyring

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/pem"
	"errors"

	"golang.org/x/crypto/ssh"

	"akx/view/fault"
)

// Form is how a key to import is written.
type Form uint8

// The forms that Inspect tells apart.
const (
	FormSeed             Form = iota + 1 // 32 bytes as 64 hex digits or 43 characters of base64url
	FormPKCS8                            // PEM, not encrypted
	FormOpenSSH                          // PEM, not encrypted
	FormOpenSSHEncrypted                 // PEM under a passphrase of its own
)

// MaxImport bounds a file to import, in bytes.
const MaxImport = 64 << 10

// maxRounds bounds the bcrypt rounds of an OpenSSH file, which come from the file:
// ssh-keygen writes 16 to 24, and a hundred already take about a second.
const maxRounds = 256

const (
	typePKCS8   = "PRIVATE KEY"
	typeOpenSSH = "OPENSSH PRIVATE KEY"
)

const importHint = "akx imports a 32-byte seed (hex or base64url), PKCS#8 PEM and OpenSSH keys, Ed25519 only"

func cannotImport(detail string) error { return &fault.Usage{Detail: detail, Hint: importHint} }

// Inspect tells in which form a key is written, without reading the key. The error
// is a *fault.Usage.
func Inspect(text []byte) (Form, error) {
	if len(text) > MaxImport {
		return 0, cannotImport("the file is too large to hold one key")
	}
	block, rest := pem.Decode(text)
	if block == nil {
		if n := len(bytes.TrimSpace(text)); n == 64 || n == 43 {
			return FormSeed, nil
		}
		return 0, cannotImport("this is not a key in a form that akx knows")
	}
	defer clear(block.Bytes)
	if next, _ := pem.Decode(rest); next != nil {
		clear(next.Bytes)
		return 0, cannotImport("the file holds more than one PEM block")
	}
	switch block.Type {
	case typePKCS8:
		return FormPKCS8, nil
	case typeOpenSSH:
		return inspectOpenSSH(block.Bytes)
	case "ENCRYPTED " + typePKCS8:
		return 0, &fault.Usage{
			Detail: "encrypted PKCS#8 is not read",
			Hint:   "decrypt it with 'openssl pkcs8 -topk8 -nocrypt' and pipe the result to 'akx key import -'",
		}
	}
	return 0, cannotImport("the file holds another kind of PEM block than a private key")
}

// inspectOpenSSH reads the head of an openssh-key-v1 block as far as the rounds of
// its key derivation.
func inspectOpenSSH(block []byte) (Form, error) {
	rest, ok := bytes.CutPrefix(block, []byte("openssh-key-v1\x00"))
	cipher, rest, ok1 := sshString(rest)
	kdf, rest, ok2 := sshString(rest)
	options, _, ok3 := sshString(rest)
	if !ok || !ok1 || !ok2 || !ok3 {
		return 0, cannotImport("the OpenSSH key is damaged")
	}
	if string(cipher) == "none" && string(kdf) == "none" {
		return FormOpenSSH, nil
	}
	_, rest, ok = sshString(options)
	if string(kdf) != "bcrypt" || !ok || len(rest) != 4 {
		return 0, cannotImport("the OpenSSH key is encrypted in a way that akx does not know")
	}
	if rounds := binary.BigEndian.Uint32(rest); rounds < 1 || rounds > maxRounds {
		return 0, cannotImport("the OpenSSH key asks for too many rounds of its passphrase")
	}
	return FormOpenSSHEncrypted, nil
}

func sshString(b []byte) (s, rest []byte, ok bool) {
	if len(b) < 4 {
		return nil, nil, false
	}
	n := binary.BigEndian.Uint32(b)
	if uint64(n) > uint64(len(b)-4) {
		return nil, nil, false
	}
	return b[4 : 4+n], b[4+n:], true
}

// Read takes the key out of a text of one of the forms; passphrase is for
// FormOpenSSHEncrypted alone. Published test seeds are refused. Errors are
// *fault.Usage, or *fault.Unavailable with permission_denied for a wrong
// passphrase; none of them says anything about the key.
func Read(text, passphrase []byte) (Secret, error) {
	form, err := Inspect(text)
	if err != nil {
		return Secret{}, err
	}
	var s Secret
	if form == FormSeed {
		s, err = readSeed(bytes.TrimSpace(text))
	} else {
		block, _ := pem.Decode(text)
		defer clear(block.Bytes)
		s, err = readPEM(form, block, passphrase)
	}
	if err != nil {
		return Secret{}, err
	}
	if err := s.usable(); err != nil {
		s.Wipe()
		return Secret{}, err
	}
	return s, nil
}

func readSeed(text []byte) (Secret, error) {
	var seed [32]byte
	defer clear(seed[:])
	if len(text) == hex.EncodedLen(len(seed)) {
		if _, err := hex.Decode(seed[:], text); err == nil {
			return newSecret(seed[:]), nil
		}
	} else if n, err := base64.RawURLEncoding.Strict().Decode(seed[:], text); err == nil && n == len(seed) {
		return newSecret(seed[:]), nil
	}
	return Secret{}, cannotImport("the seed is neither hex nor base64url of 32 bytes")
}

func readPEM(form Form, block *pem.Block, passphrase []byte) (Secret, error) {
	key, err := parsePEM(form, block, passphrase)
	var missing *ssh.PassphraseMissingError
	switch {
	case errors.Is(err, x509.IncorrectPasswordError):
		return Secret{}, wrongPassphrase("in the file")
	case errors.As(err, &missing):
		return Secret{}, &fault.Usage{Detail: "the OpenSSH key is encrypted: its passphrase is needed"}
	case err != nil:
		return Secret{}, cannotImport("the key in the file cannot be read")
	}
	var private ed25519.PrivateKey
	switch key := key.(type) {
	case ed25519.PrivateKey:
		private = key
	case *ed25519.PrivateKey:
		private = *key
	default:
		return Secret{}, cannotImport("the key in the file is not an Ed25519 key")
	}
	defer clear(private)
	if len(private) != ed25519.PrivateKeySize {
		return Secret{}, cannotImport("the key in the file has a wrong length")
	}
	s := newSecret(private.Seed())
	if actor := s.Actor(); !bytes.Equal(actor[:], private[ed25519.SeedSize:]) {
		s.Wipe()
		return Secret{}, cannotImport("the private key in the file does not belong to its public key")
	}
	return s, nil
}

func parsePEM(form Form, block *pem.Block, passphrase []byte) (any, error) {
	if form == FormPKCS8 {
		return x509.ParsePKCS8PrivateKey(block.Bytes)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: block.Type, Bytes: block.Bytes})
	defer clear(text)
	if form == FormOpenSSHEncrypted && len(passphrase) > 0 {
		return ssh.ParseRawPrivateKeyWithPassphrase(text, passphrase)
	}
	return ssh.ParseRawPrivateKey(text)
}

// export gives the key as PKCS#8 PEM.
func (s Secret) export() (Exported, error) {
	private := ed25519.NewKeyFromSeed(s.bytes())
	defer clear(private)
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return Exported{}, &fault.Unavailable{Code: fault.UnavailableCode, What: "key", Detail: "it cannot be written as PKCS#8"}
	}
	defer clear(der)
	text := pem.EncodeToMemory(&pem.Block{Type: typePKCS8, Bytes: der})
	own := &text
	return Exported{pem: &own}, nil
}
