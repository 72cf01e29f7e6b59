package explore

import (
	"context"
	"io"
	"time"

	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// Options of a session.
type Options struct {
	Clock  func() time.Time
	Sample bool // the library is the built-in sample
}

// Session is one reader's conversation with a library. It is safe for concurrent
// use; every method ends soon after its context does.
type Session struct{}

// New starts a session.
func New(lib Library, o Options) *Session { panic("skeleton") }

// Sample reports whether the session reads the built-in sample.
func (s *Session) Sample() bool { panic("skeleton") }

// Window is a stretch of a list: rows First to First+len(Rows)-1 of Total.
// Complete is false while the scan goes on; then Total only grows.
type Window struct {
	Rows     []view.Entry
	First    int
	Total    int
	Complete bool
	Scope    view.Scope
}

// List gives rows [from, to) of a query as soon as they are known, or all there
// are when the scan is complete. Scans are shared by equal queries and go on in
// the background until the query is asked no more.
func (s *Session) List(ctx context.Context, q view.Query, from, to int) (Window, error) {
	panic("skeleton")
}

// Await returns when the scan of q is complete, with the window [from, to).
func (s *Session) Await(ctx context.Context, q view.Query, from, to int) (Window, error) {
	panic("skeleton")
}

// Position gives the row of an event in a complete list; ok is false where it is not in it.
func (s *Session) Position(ctx context.Context, q view.Query, id identity.ID) (row int, ok bool, err error) {
	panic("skeleton")
}

// Facets counts the rows of a query.
func (s *Session) Facets(ctx context.Context, q view.Query) (view.Facets, error) { panic("skeleton") }

// Resolve reads an ID as typed: 43 characters, a prefix of 6 or more, with or
// without "id:". Errors: *fault.Usage (ambiguous_id with candidates, or malformed),
// *fault.NotHeld.
func (s *Session) Resolve(ctx context.Context, typed string) (view.Known, error) { panic("skeleton") }

// Page reads one event's page, claims included.
func (s *Session) Page(ctx context.Context, id identity.ID) (view.Page, error) { panic("skeleton") }

// Links reads reverse links.
func (s *Session) Links(ctx context.Context, id identity.ID) (view.Links, error) { panic("skeleton") }

// Versions reads the tree of supersedes.
func (s *Session) Versions(ctx context.Context, id identity.ID) (view.Versions, error) {
	panic("skeleton")
}

// Review reads assessments of exactly this version.
func (s *Session) Review(ctx context.Context, id identity.ID) (view.Review, error) { panic("skeleton") }

// Entries gives rows for IDs, in their order; ok[i] is false for what is not held.
func (s *Session) Entries(ctx context.Context, ids []identity.ID) (rows []view.Entry, ok []bool, err error) {
	panic("skeleton")
}

// Event gives one proven event.
func (s *Session) Event(ctx context.Context, id identity.ID) (capsule.Event, error) {
	panic("skeleton")
}

// Pending lists waiting events; see Library.
func (s *Session) Pending(ctx context.Context, after identity.ID, limit int) ([]view.PendingEvent, error) {
	panic("skeleton")
}

// DropPending forgets waiting events; see Library.
func (s *Session) DropPending(ctx context.Context, ids []identity.ID) (int, error) { panic("skeleton") }

// Stats counts what is held.
func (s *Session) Stats(ctx context.Context) (view.Stats, error) { panic("skeleton") }

// Changed reports whether the library has changed since the given local number.
func (s *Session) Changed(ctx context.Context, since uint64) (bool, error) { panic("skeleton") }

// Progress is how far an import or a verification has come.
type Progress struct {
	Bytes                         int64
	Objects                       int
	Added, Held, Pending, Refused int
}

// Refused is one object that was refused, with its place in the file.
type Refused struct {
	Where   string
	ID      identity.ID // zero where unknown
	Refusal *fault.Refusal
}

// Imported is what an import did.
type Imported struct {
	Progress
	// Waiting lists up to MaxListed pending IDs with what they miss; Refusals up to
	// MaxListed refusals. The counts in Progress are complete.
	Waiting  []view.PendingEvent
	Refusals []Refused
}

// MaxListed bounds the lists of Imported; Report gets every one.
const MaxListed = 1000

// ImportOptions of one import.
type ImportOptions struct {
	Source   wire.Source
	MaxBytes int            // of one envelope; 0 means the default
	Batch    int            // events a transaction; 0 means the default
	Progress func(Progress) // called often, from one goroutine; may be nil
	Refused  func(Refused)  // called for every refusal, in order; may be nil
}

// Import splits r, proves each object on all cores and stores what is proven. A
// refused or torn object never stops the others. Memory does not grow with r.
func Import(ctx context.Context, lib Library, r io.Reader, o ImportOptions) (Imported, error) {
	panic("skeleton")
}

// TargetState says where a dependency of a verified object was found.
type TargetState string

// The places of a dependency.
const (
	InInput TargetState = "input"
	InStore TargetState = "held"
	Unknown TargetState = "unknown"
)

// Check is one step of a proof and how it went: ok, failed, or not run.
type Check struct {
	Step fault.Step
	Ran  bool
	OK   bool
}

// Verified is the proof of one object.
type Verified struct {
	Where   string
	ID      identity.ID // zero where unknown
	Event   capsule.Event
	Checks  []Check
	Refusal *fault.Refusal // nil when every check that could run passed
	Targets []VerifiedTarget
}

// VerifiedTarget is one dependency of a verified object.
type VerifiedTarget struct {
	Link    capsule.Link
	State   TargetState
	Refusal *fault.Refusal // the target is known and breaks a target rule
}

// VerifyOptions of one verification.
type VerifyOptions struct {
	Now      int64 // ms, for the clock rule
	MaxBytes int
	Progress func(Progress)
}

// Verify proves each object of r without storing any, and yields each with its
// checks in order. Targets are resolved after the whole input is read, so r is
// asked for twice: open gives a fresh reader each time. lib may be nil.
func Verify(ctx context.Context, lib Library, open func() (io.ReadCloser, error), o VerifyOptions, yield func(Verified) error) (Progress, error) {
	panic("skeleton")
}
