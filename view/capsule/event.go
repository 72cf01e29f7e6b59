// Package capsule implements the events of Agent Knowledge 1.0, sections 2 to
// 8.2: payloads, validation, target rules, admission, filters and lexical
// matching. It is pure: the clock and the store come in as arguments.
package capsule

import "akx/view/identity"

// Event is a proven and valid Knowledge event: a *Publication, an *Assessment or
// a *Retraction. Only Decode makes one. A nil or zero event proves nothing and is
// refused everywhere (see Proven).
type Event interface {
	ID() identity.ID
	Actor() identity.Actor
	Type() Type
	CreatedAt() int64 // Unix ms, the signer's claim
	Nonce() int64
	Envelope() identity.Envelope
	// Title is what lists show: title, summary or reason, as signed.
	Title() string
	sealed()
}

type head struct{ envelope identity.Envelope }

func (h *head) ID() identity.ID             { return h.envelope.ID() }
func (h *head) Actor() identity.Actor       { return h.envelope.Actor() }
func (h *head) CreatedAt() int64            { return h.envelope.CreatedAt() }
func (h *head) Nonce() int64                { return h.envelope.Nonce() }
func (h *head) Envelope() identity.Envelope { return h.envelope }
func (h *head) sealed()                     {}

// Publication is a capsule, a signed knowledge.publish (4.1).
type Publication struct {
	head
	payload PublishPayload
}

// Assessment is a signed knowledge.assess (6.2).
type Assessment struct {
	head
	payload AssessPayload
}

// Retraction is a signed knowledge.retract (7.1).
type Retraction struct {
	head
	payload RetractPayload
}

func (p *Publication) Type() Type { return Publish }
func (a *Assessment) Type() Type  { return Assess }
func (r *Retraction) Type() Type  { return Retract }

func (p *Publication) Title() string { return p.payload.Title }
func (a *Assessment) Title() string  { return a.payload.Summary }
func (r *Retraction) Title() string  { return r.payload.Reason }

// Payload gives the decoded payload; its slices are shared and are not written to.
func (p *Publication) Payload() PublishPayload { return p.payload }

// Payload gives the decoded payload; its slices are shared and are not written to.
func (a *Assessment) Payload() AssessPayload { return a.payload }

// Payload gives the decoded payload.
func (r *Retraction) Payload() RetractPayload { return r.payload }

// PublishPayload is the payload of knowledge.publish (4.1).
type PublishPayload struct {
	License      string
	Kind         Kind
	Title        string
	Statement    string
	Language     string
	Context      Context
	Basis        string
	Evidence     []Evidence
	Reproduction *Reproduction // nil when absent
	Relations    []Link
	Tags         []string
	Profiles     []Profile
	Extra        identity.Value // Absent, or an object
}

// AssessPayload is the payload of knowledge.assess (6.2).
type AssessPayload struct {
	License      string
	Target       identity.ID
	Verdict      Verdict
	Summary      string
	Context      Context
	Basis        string
	Evidence     []Evidence
	Reproduction *Reproduction
	Profiles     []Profile
	Extra        identity.Value
}

// RetractPayload is the payload of knowledge.retract (7.1).
type RetractPayload struct {
	Target identity.ID
	Reason string
	Extra  identity.Value
}

// Context says where a contribution applies (4.2).
type Context struct {
	Scope       string
	Conditions  []string // empty: none listed, not none exist
	Limitations []string
}

// Reproduction is a procedure that someone else could attempt (4.3).
type Reproduction struct {
	Environment string
	Steps       []string
	Expected    string
	Observed    string // empty when absent
}

// Evidence is one reference (5.1).
type Evidence struct {
	URL         string
	Description string
	Digest      identity.Digest // zero when absent
	MediaType   string          // empty when absent
	Role        Role            // zero when unspecified

	zeroDigest bool // a digest of 32 zero bytes was signed
}

// HasDigest reports whether the reference is pinned to exact bytes, by whatever
// digest was signed: 32 zero bytes are one too.
func (e Evidence) HasDigest() bool { return e.zeroDigest || !e.Digest.IsZero() }

// Link is one signed outgoing relation (6.1).
type Link struct {
	Relation Relation
	Target   identity.ID
}

// Profile is one application-profile binding (5.3).
type Profile struct {
	URL    string
	Digest identity.Digest
	Data   identity.Value
}
