package explore

import (
	"context"
	"iter"

	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/identity"
	"akx/view/wire"
)

// Remote is one service as an answer comes from it: a client over HTTPS, or the
// sample's in-process mount. Every method ends with its context.
type Remote interface {
	Discover(ctx context.Context) (wire.Discovery, error)
	// Follow enumerates everything after a checkpoint, page by page.
	Follow(ctx context.Context, after uint64) iter.Seq2[wire.QueryPage, error]
	// Query enumerates what matches, to the end.
	Query(ctx context.Context, q wire.Query) iter.Seq2[wire.QueryPage, error]
	Batch(ctx context.Context, ids []identity.ID) iter.Seq2[wire.BatchPage, error]
	Event(ctx context.Context, id identity.ID) (wire.Item, error)
	Search(ctx context.Context, r wire.SearchRequest) (wire.SearchPage, error)
}

// Follower is the store that keeps what followed services gave.
type Follower interface {
	// Follow gives how far a service was followed.
	Follow(ctx context.Context, origin identity.Origin) (desk.Follow, error)
	// AcceptPage takes the items of one page and the new state in one transaction:
	// events, acceptance records, exceptions and faults of the service. The state
	// that it returns counts exceptions and holds faults as stored.
	AcceptPage(ctx context.Context, origin identity.Origin, items []wire.Item, next desk.Follow) ([]wire.Outcome, desk.Follow, error)
	// Exceptions lists records that are not events here, by seq, after one.
	Exceptions(ctx context.Context, origin identity.Origin, after uint64, limit int) ([]desk.Exception, error)
	// Forget drops the state of a service, not the events that it gave.
	Forget(ctx context.Context, origin identity.Origin) error
}

// ServiceBook is where the user's services are kept.
type ServiceBook interface {
	Services(ctx context.Context) ([]desk.Service, error)
	// PutService adds a service, or replaces the one of that origin.
	PutService(ctx context.Context, s desk.Service) error
	RemoveService(ctx context.Context, origin identity.Origin) error
}

// ServiceState is one service as the user sees it.
type ServiceState struct {
	Service   desk.Service
	Follow    desk.Follow
	Busy      bool // a sync or a check of it is under way
	Progress  SyncProgress
	Discovery *wire.Discovery // as last read in this session; nil when not read
}

// SyncProgress is how far a sync has come.
type SyncProgress struct {
	Pages, Records                int
	Added, Held, Pending, Refused int
	Reached, Checkpoint           uint64
}

// Synced is what one sync did. Err is nil when the enumeration was completed.
type Synced struct {
	Service  desk.Service
	Before   desk.Follow
	After    desk.Follow
	Progress SyncProgress
	Refusals []Refused // at most MaxListed
	Err      error
}

// Checked is what one service says of one event now.
type Checked struct {
	Service desk.Service
	// Missing is true where the service has not, or withholds, the event.
	Missing  bool
	Facts    view.Facts // with the service's scope; PARTIAL with its reason when not finished
	Record   wire.Claim // seq and accepted_at, when it gave the event
	Followed bool       // answered from the cache, without a question
	Err      error
}

// Found is the answer of a ranked search at a service.
type Found struct {
	Service desk.Service
	Page    wire.SearchPage
}

// Network is what a session needs to speak to services: how to reach one, and who
// keeps what it gave. The zero Network has no services.
type Network struct {
	Book  ServiceBook
	Store Follower
	Reach func(desk.Service) (Remote, error)
	// Offline forbids every question.
	Offline bool
}

// Difference is what one followed service shows of an event and another, whose set
// is complete, does not: said without an accusation.
type Difference struct {
	Event    identity.ID // the retraction, correction or assessment
	Type     capsule.Type
	Relation capsule.Relation
	Shown    []identity.Origin
	Not      []view.Scope // of services that follow completely and lack it
}
