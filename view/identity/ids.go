package identity

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"

	"akx/view/fault"
)

// ID is an event ID: SHA3-256 over the canonical event (Agent Identity 5). The
// zero ID names nothing.
type ID [32]byte

// Digest is a SHA3-256 digest of exact representation bytes (Agent Knowledge 5.1).
type Digest [32]byte

// Actor is the raw Ed25519 public key behind an Agent ID (Agent Identity 3).
type Actor [32]byte

// Signature is R || S of an Ed25519 signature (Agent Identity 3).
type Signature [64]byte

// AgentPrefix starts every Agent ID.
const AgentPrefix = "did:agent:"

// ParseID reads 43 characters of canonical unpadded base64url (Agent Knowledge 3.1).
func ParseID(s string) (ID, error) {
	var id ID
	err := decode(id[:], s, fault.StepHash, "an event ID")
	return id, err
}

// ParseDigest reads 43 characters of canonical unpadded base64url.
func ParseDigest(s string) (Digest, error) {
	var d Digest
	err := decode(d[:], s, fault.StepPayload, "a digest")
	return d, err
}

// ParseActor reads a full Agent ID, "did:agent:" and 43 characters.
func ParseActor(s string) (Actor, error) {
	var a Actor
	rest, ok := strings.CutPrefix(s, AgentPrefix)
	if !ok {
		return a, fault.Refuse(fault.StepActor, "", "an Agent ID starts with "+AgentPrefix)
	}
	err := decode(a[:], rest, fault.StepActor, "an Agent ID's key")
	return a, err
}

// ParseSignature reads 86 characters of canonical unpadded base64url.
func ParseSignature(s string) (Signature, error) {
	var sig Signature
	err := decode(sig[:], s, fault.StepSignature, "a signature")
	return sig, err
}

func (i ID) String() string        { return base64.RawURLEncoding.EncodeToString(i[:]) }
func (d Digest) String() string    { return base64.RawURLEncoding.EncodeToString(d[:]) }
func (a Actor) String() string     { return AgentPrefix + base64.RawURLEncoding.EncodeToString(a[:]) }
func (s Signature) String() string { return base64.RawURLEncoding.EncodeToString(s[:]) }

// IsZero reports whether i names nothing.
func (i ID) IsZero() bool { return i == ID{} }

// IsZero reports whether d is absent.
func (d Digest) IsZero() bool { return d == Digest{} }

// IsZero reports whether a is absent.
func (a Actor) IsZero() bool { return a == Actor{} }

// Compare orders IDs by their 43 characters in ASCII, which differs from the
// order of their bytes (Agent Knowledge 7.2).
func (i ID) Compare(j ID) int {
	for k := range i {
		if i[k] != j[k] {
			var a, b [43]byte
			base64.RawURLEncoding.Encode(a[:], i[:])
			base64.RawURLEncoding.Encode(b[:], j[:])
			return bytes.Compare(a[:], b[:])
		}
	}
	return 0
}

// SortIDs sorts ids in ascending ASCII order of their text and drops repeats.
func SortIDs(ids []ID) []ID {
	slices.SortFunc(ids, ID.Compare)
	return slices.Compact(ids)
}

// decode fills dst from its one canonical spelling; dst is zero after an error.
func decode(dst []byte, s string, step fault.Step, what string) error {
	if len(s) != base64.RawURLEncoding.EncodedLen(len(dst)) {
		return fault.Refuse(step, "", what+" has a wrong length")
	}
	if !decodeBase64(dst, s) {
		clear(dst)
		return fault.Refuse(step, "", what+" is not canonical base64url")
	}
	return nil
}

// alphabet gives the six bits of each character of base64url, plus 1; 0 marks
// every other byte.
var alphabet = func() (table [256]byte) {
	const all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	for i := range len(all) {
		table[all[i]] = byte(i + 1)
	}
	return table
}()

// decodeBase64 decodes unpadded base64url whose length fits dst exactly. Unlike
// encoding/base64 it skips no line break, allocates nothing, and refuses bits
// left over that are not zero.
func decodeBase64(dst []byte, s string) bool {
	var acc uint32
	bits, n := 0, 0
	for i := range len(s) {
		six := alphabet[s[i]]
		if six == 0 {
			return false
		}
		acc = acc<<6 | uint32(six-1)
		if bits += 6; bits >= 8 {
			bits -= 8
			dst[n] = byte(acc >> bits)
			n++
		}
	}
	return acc&(1<<bits-1) == 0
}
