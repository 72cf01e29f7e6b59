package explore

import (
	"context"

	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/identity"
)

// SendOptions say how envelopes are sent.
type SendOptions struct {
	// Authenticate holds the keys that make a request JWT for a service, by its origin;
	// each token is made for that origin alone. Others get none.
	Authenticate map[identity.Origin]identity.Key
}

// Outbox lists what was signed and where it stands, newest first. What another akx is
// sending now is 'sending'; what was being sent when an akx ended is 'unknown'. A
// *fault.Damaged comes beside those that can be read.
func (w *Writer) Outbox(ctx context.Context) ([]desk.Entry, error) { panic("skeleton") }

// OutboxEntry gives one of Outbox: *fault.NotHeld, *fault.Damaged.
func (w *Writer) OutboxEntry(ctx context.Context, id identity.ID) (desk.Entry, error) {
	panic("skeleton")
}

// Queue adds services, by name or origin, to where an event goes. An event that is
// held but not in the outbox is put there: anybody may relay a public event (8.1).
// Nothing is sent.
func (w *Writer) Queue(ctx context.Context, id identity.ID, services []string) (desk.Entry, error) {
	panic("skeleton")
}

// Submit sends an event to services by name or origin, adding those that are not
// queued; no services means all it is queued for. A service that has accepted it is
// not asked again. It is the user's step: what was refused or tried often enough is
// sent again. What each service says stands in the entry; errors are those that kept
// it from being sent at all: *fault.Unavailable (offline, read_only, locked while
// another akx sends it), *fault.Usage (a service that is unknown or disabled, an event
// of the sample), *fault.NotHeld.
func (w *Writer) Submit(ctx context.Context, id identity.ID, services []string, o SendOptions) (desk.Entry, error) {
	panic("skeleton")
}

// SubmitQueued sends all that is queued for one service and is not accepted there, in
// the order of signing, again where the answer is unknown. It gives their entries.
func (w *Writer) SubmitQueued(ctx context.Context, service string, o SendOptions) ([]desk.Entry, error) {
	panic("skeleton")
}

// Retry sends what akx tries again by itself and whose time has come: what the user
// sent before. It gives the entries that it sent, and when to call it again, in ms; 0
// for never.
func (w *Writer) Retry(ctx context.Context, o SendOptions) (sent []desk.Entry, next int64, err error) {
	panic("skeleton")
}

// Plan is what to send to a service before an event that it refused with
// missing_dependency.
type Plan struct {
	ID      identity.ID
	Service string // its origin
	// Send lists envelopes that are held here, in the order of their dependencies. Those
	// that the service is known to hold are left out.
	Send []PlanItem
	// NotHeld lists what is missing there and here.
	NotHeld []identity.ID
	// More says that there is more than a plan may hold.
	More bool
}

// PlanItem is one envelope of a Plan.
type PlanItem struct {
	ID    identity.ID
	Type  capsule.Type
	Actor identity.Actor
	Title string // as signed
	Bytes int
}

// PlanMissing lists what to send first, for the user to see. Nothing is sent or asked.
func (w *Writer) PlanMissing(ctx context.Context, id identity.ID, service string) (Plan, error) {
	panic("skeleton")
}

// SubmitPlan sends what a plan lists, then the event itself. It ends at the first that
// the service did not accept, whose entry is the last one given.
func (w *Writer) SubmitPlan(ctx context.Context, p Plan, o SendOptions) ([]desk.Entry, error) {
	panic("skeleton")
}

// Export gives the exact text of the envelope of an event in the outbox or in the
// library. What was signed in the sample is refused: *fault.Usage.
func (w *Writer) Export(ctx context.Context, id identity.ID) (string, error) { panic("skeleton") }

// RemoveEntry takes an entry out of the outbox; the event stays in the library.
func (w *Writer) RemoveEntry(ctx context.Context, id identity.ID) error { panic("skeleton") }
