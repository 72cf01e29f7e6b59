package eventtest

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha3"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
)

// Envelope verifies an envelope with the standard library alone: no code is shared
// with the product (Agent Identity 3 to 6). It knows what signed text can hold here:
// JSON whose numbers are integers. It gives the event ID.
func Envelope(envelope string) (id string, err error) {
	d := json.NewDecoder(strings.NewReader(envelope))
	d.UseNumber()
	var parts struct {
		Hash      string         `json:"hash"`
		Event     map[string]any `json:"event"`
		Signature string         `json:"signature"`
	}
	d.DisallowUnknownFields()
	if err := d.Decode(&parts); err != nil {
		return "", err
	}
	for _, name := range []string{"protocol", "type", "actor", "created_at", "nonce", "payload"} {
		if _, ok := parts.Event[name]; !ok {
			return "", errors.New("no " + name)
		}
	}
	if len(parts.Event) != 6 || parts.Event["protocol"] != "agent-knowledge/1.0" {
		return "", errors.New("not an event of this protocol")
	}
	var text bytes.Buffer
	if err := canonical(&text, parts.Event); err != nil {
		return "", err
	}
	hash := sha3.Sum256(text.Bytes())
	if base64.RawURLEncoding.EncodeToString(hash[:]) != parts.Hash {
		return "", errors.New("the hash is another one")
	}
	actor, _ := parts.Event["actor"].(string)
	key, err := base64.RawURLEncoding.Strict().DecodeString(strings.TrimPrefix(actor, "did:agent:"))
	if err != nil || len(key) != ed25519.PublicKeySize {
		return "", errors.New("no Agent ID")
	}
	signature, err := base64.RawURLEncoding.Strict().DecodeString(parts.Signature)
	if err != nil || !ed25519.Verify(key, hash[:], signature) {
		return "", errors.New("the signature is wrong")
	}
	return parts.Hash, nil
}

// canonical writes the canonical form (RFC 8785) of what a decoder gave.
func canonical(b *bytes.Buffer, v any) error {
	switch v := v.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.SortFunc(names, func(x, y string) int {
			return slices.Compare(utf16.Encode([]rune(x)), utf16.Encode([]rune(y)))
		})
		b.WriteByte('{')
		for i, name := range names {
			if i > 0 {
				b.WriteByte(',')
			}
			canonicalString(b, name)
			b.WriteByte(':')
			if err := canonical(b, v[name]); err != nil {
				return err
			}
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := canonical(b, item); err != nil {
				return err
			}
		}
		b.WriteByte(']')
	case string:
		canonicalString(b, v)
	case json.Number:
		if strings.ContainsAny(string(v), ".eE") {
			return errors.New("a number that is no integer")
		}
		b.WriteString(string(v))
	case bool:
		fmt.Fprint(b, v)
	case nil:
		b.WriteString("null")
	}
	return nil
}

func canonicalString(b *bytes.Buffer, s string) {
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}
	b.WriteByte('"')
	for _, r := range s {
		switch escape, ok := short[r]; {
		case ok:
			b.WriteString(escape)
		case r < 0x20:
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}
