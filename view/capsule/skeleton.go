package capsule

import (
	"akx/view/fault"
	"akx/view/identity"
)

// DefaultSkew is the allowance for clocks that run ahead, in ms (8.1 step 4).
const DefaultSkew = 300_000

// Format is what identity.Open needs to know of Knowledge envelopes (8.1 step 1).
func Format() identity.Format { panic("skeleton") }

// Decode validates the payload of a proven envelope (8.1 step 3). Errors are
// *fault.Refusal with StepPayload and the JSON pointer of the member at fault.
func Decode(e identity.Envelope) (Event, error) { panic("skeleton") }

// Proven reports whether e came from Decode; false for nil and zero events.
func Proven(e Event) bool { panic("skeleton") }

// Offer is an envelope on its way into a store: its envelope is proven (steps 1
// of 8.1), its payload is Event or Refusal. The zero Offer is refused everywhere.
type Offer struct {
	envelope identity.Envelope
	event    Event
	refusal  *fault.Refusal
}

// Open proves foreign text up to the payload. The error is a *fault.Refusal of
// the envelope's proof; a payload that fails stands in the Offer, because a store
// answers resubmissions before it looks at payloads.
func Open(text []byte) (Offer, error) { panic("skeleton") }

// OpenValue is Open for an envelope inside a larger parsed text.
func OpenValue(text []byte, v identity.Value) (Offer, error) { panic("skeleton") }

// OfferOf offers an event that is proven already.
func OfferOf(e Event) Offer { panic("skeleton") }

func (o Offer) Envelope() identity.Envelope { return o.envelope }

// Event gives the valid event; nil where the payload was refused.
func (o Offer) Event() Event { return o.event }

// Refusal gives why the payload was refused; nil where it is valid.
func (o Offer) Refusal() *fault.Refusal { return o.refusal }

// Dependencies lists the distinct direct dependencies of e, sorted (8.2).
func Dependencies(e Event) []identity.ID { panic("skeleton") }

// Links lists the outgoing links of e: relations of a publication; for an
// assessment or a retraction one Link with a zero Relation.
func Links(e Event) []Link { panic("skeleton") }

// Target is what the target rules need to know of a retained event.
type Target struct {
	Type  Type
	Kind  Kind // zero unless a publication
	Actor identity.Actor
	Nonce int64
}

// TargetOf gives the facts of an event.
func TargetOf(e Event) Target { panic("skeleton") }

// Resolver looks an event up among the retained ones.
type Resolver func(identity.ID) (t Target, ok bool, err error)

// CheckTarget applies the target rule of one link of source (6.1, 6.2, 7.1).
func CheckTarget(source Event, link Link, t Target) *fault.Refusal { panic("skeleton") }

// Admit is acceptance without a store: clock, dependencies, target rules (8.1
// steps 4 and 5). now and skew are in ms. Refusals carry StepClock,
// StepDependencies (with Missing) or StepTarget; other errors come from resolve.
func Admit(e Event, now, skew int64, resolve Resolver) error { panic("skeleton") }

// Tx is what acceptance needs of a store's write transaction.
type Tx interface {
	// Held reports whether an envelope with this hash is retained.
	Held(identity.ID) (bool, error)
	// Resolve looks up a retained event, withheld ones included.
	Resolve(identity.ID) (Target, bool, error)
	// Keep stores the event and its index entries and gives it the next number.
	Keep(Event) (number uint64, err error)
}

// Terms are the conditions of acceptance that are not the store's.
type Terms struct {
	Now  int64 // ms
	Skew int64 // ms
	// Policy is local admission policy, asked last; nil admits everything.
	Policy func(Event) error
}

// Accept runs 8.1 steps 2 to 7 in their order over one transaction: held is true
// for a resubmission. A refusal changes nothing.
func Accept(tx Tx, o Offer, terms Terms) (number uint64, held bool, err error) { panic("skeleton") }

// Bound is an optional time bound in ms.
type Bound struct {
	Set bool
	MS  int64
}

// Filter is the exact filter of 9.3; zero members match everything. It is comparable.
type Filter struct {
	Actor         identity.Actor
	Type          Type
	Kind          Kind
	Target        identity.ID
	Relation      Relation
	Tag           string
	Profile       identity.Digest
	Language      string
	Verdict       Verdict
	CreatedFrom   Bound
	CreatedBefore Bound
}

// Match reports whether e passes every filter (9.3).
func (f Filter) Match(e Event) bool { panic("skeleton") }

// ParseFilter sets one parameter by its wire name from its wire text; known is
// false for names that are not filters of 9.3. Errors are *fault.Refusal with
// code invalid_request. It refuses a parameter that is set already.
func (f *Filter) ParseFilter(name, value string) (known bool, err error) { panic("skeleton") }

// Check applies the rules between members (created_from < created_before).
func (f Filter) Check() error { panic("skeleton") }

// FilterNames lists the wire names of the filters, in the order of 9.3's table.
func FilterNames() []string { panic("skeleton") }

// FilterText gives the wire text of one parameter; empty when it is not set.
func (f Filter) FilterText(name string) string { panic("skeleton") }

// Terms of portable lexical matching (9.5.1): split on ASCII whitespace, ASCII
// folded, repeats kept. MaxTerms and MaxTextScalars bound a lexical request.
const (
	MaxTerms       = 16
	MaxTextScalars = 1024
)

// ParseTerms splits text; lexical applies the bound of 16 terms. Errors are
// *fault.Refusal with code invalid_request.
func ParseTerms(text string, lexical bool) ([]string, error) { panic("skeleton") }

// Fields gives the eligible fields of e, as signed (9.5.1).
func Fields(e Event) []string { panic("skeleton") }

// Lexical reports whether every folded term occurs in at least one field of e.
func Lexical(e Event, terms []string) bool { panic("skeleton") }

// FoldASCII lower-cases A to Z and nothing else.
func FoldASCII(s string) string { panic("skeleton") }

// EvidenceState is the local result of an evidence check (5.1); zero is unchecked.
type EvidenceState uint8

// The evidence states.
const (
	Unchecked EvidenceState = iota
	Matched
	Mismatched
	Unavailable
)

func (s EvidenceState) String() string { panic("skeleton") }

// CheckEvidence compares the complete representation with a digest. have is false
// when the representation could not be obtained. A zero digest is unchecked.
func CheckEvidence(d identity.Digest, representation []byte, have bool) EvidenceState {
	panic("skeleton")
}

// Shape is the structural definition of one $defs name of the protocol's schema.
type Shape func(v identity.Value) *fault.Refusal

// Shapes gives the shapes of events by their $defs name. Package wire adds those
// of requests and responses.
func Shapes() map[string]Shape { panic("skeleton") }
