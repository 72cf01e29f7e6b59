package explore

import (
	"context"
	"iter"

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

// Follower is the store that keeps what services gave. What it keeps of one service
// changes nothing for another; seq values of different services are never compared.
//
// An event that a service gave counts from the smallest seq under which it did: one
// that was accepted again with a larger seq was given all the time (8.3).
type Follower interface {
	// Follow gives how far a service was followed; the zero Follow for one that never was.
	Follow(ctx context.Context, origin identity.Origin) (desk.Follow, error)
	// AcceptPage takes the items of one page and the new state in one transaction:
	// events, acceptance records, exceptions and faults of the service; items may be
	// empty. The outcomes are those of Library.Accept with the source
	// {FromService, origin}. An error means that nothing of the page was kept.
	//
	// An item that is refused or waits becomes the exception of its seq, with Since of
	// the first time and one more try; one that is held ends the exception of its seq.
	// Whoever accepts an event ends its exceptions at all services, in the same
	// transaction: it counts as given under their seq. (Those of a service that went
	// back in its seq may stay until Settle.) While desk.MaxExceptions or more are
	// kept, a page whose next.Reached goes on is a *fault.Unavailable with the code
	// partial.
	//
	// The stored state is next, but Exceptions is counted here, Faults are those stored
	// and those new in next or seen here (seq_back, seq_shared), and of two writers the
	// one that came further counts: Checkpoint (with AsOf and Complete) and Reached
	// never move back; an earlier AsOf of the same Checkpoint counts where the one before
	// is ahead of this machine's clock. It returns the state as stored.
	AcceptPage(ctx context.Context, origin identity.Origin, items []wire.Item, next desk.Follow) ([]wire.Outcome, desk.Follow, error)
	// AcceptAnswer takes the items of any other answer of a service, and the faults
	// that the caller saw in it, in one transaction: events, acceptance records and
	// faults. It moves no other part of the state, and makes and ends no exception.
	AcceptAnswer(ctx context.Context, origin identity.Origin, items []wire.Item, faults []desk.ServiceFault) ([]wire.Outcome, error)
	// LastSeqs gives the n largest seq values under which a service gave an event, in
	// ascending order; fewer where there are fewer.
	LastSeqs(ctx context.Context, origin identity.Origin, n int) ([]uint64, error)
	// Exceptions lists records that are not events here, by seq, after one.
	Exceptions(ctx context.Context, origin identity.Origin, after uint64, limit int) ([]desk.Exception, error)
	// Settle ends the exceptions of these seq values, and gives the state as stored. An
	// event that is held by now, from wherever it came, counts as given under the seq of
	// its exception.
	Settle(ctx context.Context, origin identity.Origin, seqs []uint64) (desk.Follow, error)
	// Forget drops the state of a service, its exceptions and faults, and which events
	// it gave. The events stay, and so do their claims.
	Forget(ctx context.Context, origin identity.Origin) error
}

// Describer keeps how services described themselves last (9.2): hints that outlive a
// session.
type Describer interface {
	// Described gives the discovery document of a service that was kept last, as text to
	// be read again, and when it was read, in ms; nil where none is kept.
	Described(ctx context.Context, origin identity.Origin) (text []byte, at int64, err error)
	// Describe keeps a document in the place of the one before. Follower.Forget drops it.
	Describe(ctx context.Context, origin identity.Origin, text []byte, at int64) error
}

// ServiceBook is where the user's services are kept.
type ServiceBook interface {
	// Services lists them by name.
	Services(ctx context.Context) ([]desk.Service, error)
	// PutService adds a service, or replaces the one of that origin. A *fault.Usage for
	// a name that is malformed or another service's, and for one over desk.MaxServices.
	PutService(ctx context.Context, s desk.Service) error
	// RemoveService forgets a service; one that is not there is no error.
	RemoveService(ctx context.Context, origin identity.Origin) error
}

// Network is what a session needs to speak to services: how to reach one, and who
// keeps what it gave. The zero Network has no services.
type Network struct {
	Book  ServiceBook
	Store Follower
	// Describer may be nil: descriptions are known in one session alone then.
	Describer Describer
	Reach     func(desk.Service) (Remote, error)
	// Offline forbids every question.
	Offline bool
}

// Bounds of what a session does at services by itself; a zero member means its default.
type Bounds struct {
	Syncs   int // services that are followed at a time: 4
	Checks  int // services that are asked about an event at a time: 8
	Retries int // exceptions of a service that one sync tries again: 1000
	// What is fetched because others wait for it (8.2): 1000 events, through 8 events
	// that wait for each other, 16 MiB.
	Dependencies int
	Depth        int
	Bytes        int64
}

func (b Bounds) filled() Bounds {
	for _, d := range []struct {
		at  *int
		def int
	}{{&b.Syncs, 4}, {&b.Checks, 8}, {&b.Retries, 1000}, {&b.Dependencies, 1000}, {&b.Depth, 8}} {
		if *d.at <= 0 {
			*d.at = d.def
		}
	}
	if b.Bytes <= 0 {
		b.Bytes = 16 << 20
	}
	return b
}
