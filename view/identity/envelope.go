package identity

import (
	"crypto/sha3"
	"hash/crc64"
	"slices"
	"strconv"
	"sync"

	"akx/view/fault"
)

// MaxEnvelopeBytes is akx's default local limit for one envelope's text.
const MaxEnvelopeBytes = 256 << 10

// SHA3 hashes bytes with SHA3-256 (FIPS 202).
func SHA3(b []byte) [32]byte { return sha3.Sum256(b) }

// Format says which protocol an envelope must belong to; its shape depends on it.
type Format struct {
	Protocol string   // such as "agent-knowledge/1.0"
	Types    []string // event types that are allowed; empty allows any
	Extra    []string // further top-level event members that must be present
	MaxBytes int      // 0 means MaxEnvelopeBytes
}

// Envelope is a proven signed envelope (Agent Identity 5, 6.1 steps 1 to 5). Only
// Open, Sign and Reopen make one; the zero Envelope proves nothing.
type Envelope struct {
	text      string
	id        ID
	actor     Actor
	signature Signature
	protocol  string
	kind      string
	createdAt int64
	nonce     int64
	event     Value
}

// Open proves text: strict parse, shape, canonical form, hash, actor, signature.
// Errors are *fault.Refusal naming the first step that failed; the Envelope is
// zero then. A text over the format's limit is refused before all else with
// StepLimit, which says nothing about its validity.
func Open(text []byte, format Format) (Envelope, error) {
	if err := format.fits(len(text)); err != nil {
		return Envelope{}, err
	}
	v, s, err := parseText(text)
	if err != nil {
		return Envelope{}, err
	}
	return prove(s, &v, format)
}

// OpenValue proves an envelope that stands inside a larger parsed text, such as
// an acceptance record; v is that envelope's value in text.
func OpenValue(text []byte, v Value, format Format) (Envelope, error) {
	start, end := v.Span()
	if start >= end || end > len(text) {
		return Envelope{}, fault.Refuse(fault.StepShape, "", "the envelope is not part of the text")
	}
	if err := format.fits(end - start); err != nil {
		return Envelope{}, err
	}
	return prove(string(text[start:end]), &v, format)
}

// fits applies the local limit to an envelope of n bytes.
func (f *Format) fits(n int) error {
	limit := f.MaxBytes
	if limit == 0 {
		limit = MaxEnvelopeBytes
	}
	if n <= limit {
		return nil
	}
	return fault.Refuse(fault.StepLimit, "", "the envelope has "+strconv.Itoa(n)+
		" bytes, the local limit is "+strconv.Itoa(limit))
}

// prove runs the steps behind the strict parse. text holds exactly v.
func prove(text string, v *Value, format Format) (Envelope, error) {
	e := Envelope{text: text}
	parts, err := e.shape(v, &format)
	if err != nil {
		return Envelope{}, err
	}
	if err := e.checkHash(parts.hash); err != nil {
		return Envelope{}, err
	}
	if e.actor, err = parsePart(parts.actor, "/event/actor", fault.StepActor, ParseActor); err != nil {
		return Envelope{}, err
	}
	if e.signature, err = parsePart(parts.signature, "/signature", fault.StepSignature, ParseSignature); err != nil {
		return Envelope{}, err
	}
	if !Verify(e.actor, e.id[:], e.signature) {
		return Envelope{}, fault.Refuse(fault.StepSignature, "/signature", "the signature does not belong to this event and actor")
	}
	return e, nil
}

// parts are the members that the steps behind the shape decode.
type parts struct{ hash, actor, signature *Value }

// shape checks the members of envelope and event, their JSON types, and the plain
// ones' values, and fills them into e (Agent Identity 5).
func (e *Envelope) shape(v *Value, format *Format) (parts, error) {
	if err := closed(v, "", envelopeMembers[:], nil); err != nil {
		return parts{}, err
	}
	event := v.member("event")
	if err := closed(event, "/event", eventMembers[:], format.Extra); err != nil {
		return parts{}, err
	}
	protocol, kind := event.member("protocol"), event.member("type")
	if protocol.kind != String || protocol.text != format.Protocol {
		return parts{}, shapeError("/event/protocol", "not "+strconv.Quote(format.Protocol))
	}
	if kind.kind != String || len(format.Types) > 0 && !slices.Contains(format.Types, kind.text) {
		return parts{}, shapeError("/event/type", "not an event type of "+format.Protocol)
	}
	var ok bool
	if e.createdAt, ok = event.member("created_at").Integer(); !ok || e.createdAt < 0 {
		return parts{}, shapeError("/event/created_at", "not an integer from 0 to 2^53-1")
	}
	if e.nonce, ok = event.member("nonce").Integer(); !ok || e.nonce < 1 {
		return parts{}, shapeError("/event/nonce", "not an integer from 1 to 2^53-1")
	}
	if event.member("payload").kind != Object {
		return parts{}, shapeError("/event/payload", "not an object")
	}
	e.protocol, e.kind, e.event = protocol.text, kind.text, *event
	return parts{hash: v.member("hash"), actor: event.member("actor"), signature: v.member("signature")}, nil
}

var (
	envelopeMembers = [...]string{"hash", "event", "signature"}
	eventMembers    = [...]string{"protocol", "type", "actor", "created_at", "nonce", "payload"}
)

// closed checks that v is an object with exactly these members and the extra ones.
func closed(v *Value, path string, names, extra []string) error {
	if v.kind != Object {
		return shapeError(path, "not an object")
	}
	for _, list := range [...][]string{names, extra} {
		for _, name := range list {
			if v.member(name) == nil {
				return shapeError(path+"/"+name, "missing")
			}
		}
	}
	if len(v.members) == len(names)+len(extra) {
		return nil
	}
	for i := range v.members {
		if name := v.members[i].Name; !slices.Contains(names, name) && !slices.Contains(extra, name) {
			return shapeError(path, "a member that the protocol does not define: "+strconv.Quote(clip(name)))
		}
	}
	return nil
}

func shapeError(path, detail string) error {
	return fault.Refuse(fault.StepShape, path, detail)
}

// checkHash computes the event's ID and compares it with the envelope's hash.
func (e *Envelope) checkHash(hash *Value) error {
	claimed, err := parsePart(hash, "/hash", fault.StepHash, ParseID)
	if err != nil {
		return err
	}
	buf := buffers.Get().(*[]byte)
	*buf = appendValue((*buf)[:0], &e.event)
	e.id = SHA3(*buf)
	buffers.Put(buf)
	if claimed != e.id {
		return fault.Refuse(fault.StepHash, "/hash", "not the hash of the event, which is "+e.id.String())
	}
	return nil
}

// buffers holds scratch space for canonical forms.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// parsePart decodes a member that must be a string; the path goes into the refusal.
func parsePart[T any](v *Value, path string, step fault.Step, parse func(string) (T, error)) (T, error) {
	if v.kind != String {
		var zero T
		return zero, fault.Refuse(step, path, "not a string")
	}
	got, err := parse(v.text)
	if refusal, ok := err.(*fault.Refusal); ok {
		refusal.Path = path
	}
	return got, err
}

func (e Envelope) IsZero() bool         { return e.id.IsZero() }
func (e Envelope) ID() ID               { return e.id }
func (e Envelope) Actor() Actor         { return e.actor }
func (e Envelope) Signature() Signature { return e.signature }
func (e Envelope) Protocol() string     { return e.protocol }
func (e Envelope) Type() string         { return e.kind }

// CreatedAt is the signer's claim, in Unix milliseconds.
func (e Envelope) CreatedAt() int64 { return e.createdAt }
func (e Envelope) Nonce() int64     { return e.nonce }

// Payload gives the payload object of the event.
func (e Envelope) Payload() Value {
	v, _ := e.event.Get("payload")
	return v
}

// Event gives the whole event object, its extra members included.
func (e Envelope) Event() Value { return e.event }

// Text is the envelope's text exactly as first received.
func (e Envelope) Text() string { return e.text }

// Canonical gives the canonical event, the bytes that the ID is the hash of.
func (e Envelope) Canonical() []byte { return appendValue(nil, &e.event) }

// Proven is what a store keeps beside a text so that Reopen can take it back
// without verifying the signature again.
type Proven struct {
	ID        ID
	Signature Signature
	Checksum  uint64 // CRC-64 (ECMA) of the exact text
}

// Proven gives what Reopen needs beside the text.
func (e Envelope) Proven() Proven {
	return Proven{ID: e.id, Signature: e.signature, Checksum: checksum([]byte(e.text))}
}

var ecma = crc64.MakeTable(crc64.ECMA)

func checksum(text []byte) uint64 { return crc64.Checksum(text, ecma) }

// Reopen takes back text that was proven before on this machine: it is parsed
// again, its hash recomputed, its signature text and checksum compared with p.
// Only package cache may call it. Errors are *fault.Damaged.
func Reopen(text []byte, p Proven, format Format) (Envelope, error) {
	if checksum(text) != p.Checksum {
		return Envelope{}, damaged(p.ID, "the stored text has changed", nil)
	}
	v, s, err := parseText(text)
	if err != nil {
		return Envelope{}, damaged(p.ID, "the stored text cannot be read", err)
	}
	e := Envelope{text: s}
	parts, err := e.shape(&v, &format)
	if err == nil {
		err = e.checkHash(parts.hash)
	}
	if err == nil {
		e.actor, err = parsePart(parts.actor, "/event/actor", fault.StepActor, ParseActor)
	}
	if err == nil {
		e.signature, err = parsePart(parts.signature, "/signature", fault.StepSignature, ParseSignature)
	}
	if err != nil {
		return Envelope{}, damaged(p.ID, "the stored text is no longer what was proven", err)
	}
	if e.id != p.ID || e.signature != p.Signature {
		return Envelope{}, damaged(p.ID, "the stored text belongs to another event", nil)
	}
	return e, nil
}

func damaged(id ID, detail string, err error) error {
	return &fault.Damaged{What: "event " + id.String(), Detail: detail, Err: err}
}
