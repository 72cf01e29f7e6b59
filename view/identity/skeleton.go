package identity

// Bounds of the strict parser and of one envelope.
const (
	MaxDepth         = 200       // levels of nested arrays and objects
	MaxSafeInteger   = 1<<53 - 1 // Agent Identity 4.1
	MaxEnvelopeBytes = 256 << 10 // akx's default local limit
)

// Parse reads exactly one JSON value under the strict rules of Agent Identity 4.1.
// Errors are *fault.Refusal with StepParse (StepLimit when nested too deep).
func Parse(text []byte) (Value, error) { panic("skeleton") }

// Integer gives the integer that v stands for by value: 1.0 is 1, -0 is 0. ok is
// false for any other kind, for fractions and beyond the safe range.
func (v Value) Integer() (n int64, ok bool) { panic("skeleton") }

// Equal reports whether two values are the same by JSON value: member order does
// not matter, 1 equals 1.0.
func (v Value) Equal(w Value) bool { panic("skeleton") }

// AppendCanonical appends the RFC 8785 form of v to dst.
func AppendCanonical(dst []byte, v Value) []byte { panic("skeleton") }

// Builders for values that akx writes itself (signing, wire documents).
func StringValue(s string) Value          { panic("skeleton") }
func IntegerValue(n int64) Value          { panic("skeleton") }
func BoolValue(b bool) Value              { panic("skeleton") }
func ArrayValue(items ...Value) Value     { panic("skeleton") }
func ObjectValue(members ...Member) Value { panic("skeleton") }

// SHA3 hashes bytes with SHA3-256 (FIPS 202).
func SHA3(b []byte) [32]byte { panic("skeleton") }

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
// Errors are *fault.Refusal naming the first step that failed.
func Open(text []byte, format Format) (Envelope, error) { panic("skeleton") }

// OpenValue proves an envelope that stands inside a larger parsed text, such as
// an acceptance record; v is that envelope's value in text.
func OpenValue(text []byte, v Value, format Format) (Envelope, error) { panic("skeleton") }

// Proven is what a store keeps beside a text so that Reopen can take it back
// without verifying the signature again.
type Proven struct {
	ID        ID
	Signature Signature
	Checksum  uint64 // of the exact text, see Envelope.Proven
}

// Proven gives what Reopen needs beside the text.
func (e Envelope) Proven() Proven { panic("skeleton") }

// Reopen takes back text that was proven before on this machine: it is parsed
// again, its hash recomputed, its signature text and checksum compared with p.
// Only package cache may call it. Errors are *fault.Damaged.
func Reopen(text []byte, p Proven, format Format) (Envelope, error) { panic("skeleton") }

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
func (e Envelope) Payload() Value { panic("skeleton") }

// Text is the envelope's text exactly as first received.
func (e Envelope) Text() string { return e.text }

// Canonical gives the canonical event, the bytes that the ID is the hash of.
func (e Envelope) Canonical() []byte { panic("skeleton") }

// Key is a private signing key. Wipe it after use.
type Key struct{ private []byte }

// NewKey makes the key of a 32-byte seed.
func NewKey(seed [32]byte) Key { panic("skeleton") }
func (k Key) Actor() Actor     { panic("skeleton") }
func (k Key) Wipe()            { panic("skeleton") }

// Draft is an event before its signature.
type Draft struct {
	Protocol  string
	Type      string
	CreatedAt int64
	Nonce     int64
	Payload   Value
	Extra     []Member
}

// Sign makes the envelope of d under k and opens it again by the ordinary proof.
func Sign(k Key, d Draft, format Format) (Envelope, error) { panic("skeleton") }

// Verify checks one signature with the four extra rules of Agent Identity 3.
func Verify(a Actor, message []byte, s Signature) bool { panic("skeleton") }

// Origin is a canonical HTTPS origin, such as "https://hub.example".
type Origin string

// ParseOrigin accepts canonical spelling only.
func ParseOrigin(s string) (Origin, error) { panic("skeleton") }

// CheckHTTPS reports whether s is an absolute HTTPS URL with a host and without
// userinfo, parsed by WHATWG rules (Agent Knowledge 8.1).
func CheckHTTPS(s string) error { panic("skeleton") }

// TestSeedName names the published test seed behind a; ok is false for other actors.
func TestSeedName(a Actor) (name string, ok bool) { panic("skeleton") }

// Claims are the claims of a request JWT (Agent Identity 7), times in seconds.
type Claims struct {
	Issuer, Subject Actor
	Audience        Origin
	IssuedAt        int64
	Expires         int64
}

// SignRequest makes a compact request JWT for one origin. ttl is 1 to 300 seconds.
func SignRequest(k Key, aud Origin, nowSecs, ttl int64) (string, error) { panic("skeleton") }

// OpenRequest checks a compact request JWT. Errors carry invalid_token.
func OpenRequest(token string, aud Origin, nowSecs, maxTTL int64) (Claims, error) { panic("skeleton") }

// NextNonce is max(last+1, createdAt) (Agent Identity 6.2).
func NextNonce(last, createdAt int64) int64 { panic("skeleton") }

// ApplyMaxSeen advances next by a Max-Seen-Nonce header, bounded (Agent Identity 6.2).
func ApplyMaxSeen(next, nowMS int64, header string) (int64, error) { panic("skeleton") }
