// Package service is the other end of the wire: what a conforming service of
// Agent Knowledge 1.0 does with submissions and reads, over a store that it is
// handed. It speaks in the documents of package wire, so that an HTTP handler has
// only to find the operation and to write status and bytes.
package service

import (
	"context"
	"errors"
	"slices"
	"time"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// Store is what the service keeps its records in; view/memory and cache satisfy it.
type Store = wire.RecordStore

// Options of a service. Origin and Clock are required.
type Options struct {
	Origin identity.Origin
	Clock  func() time.Time
	// Skew is how far a signer's clock may run ahead; zero means the default.
	Skew time.Duration
	// Policy is the local admission policy, asked last (8.1 step 6); may be nil.
	Policy func(capsule.Event) error
	// Ranked offers ranked search in lexical mode (9.5).
	Ranked bool
	// Candidates bounds the matches that one search ranks; zero means the default,
	// and fewer than MaxSearchLimit are never used.
	Candidates int
	// PageBytes bounds the envelopes of one answer; zero means the default. A page
	// that is cut by it has a next one.
	PageBytes int
	Peers     []identity.Origin
	// Licenses is published as what Policy says of licences (3.3); see wire.Discovery.
	Licenses []string
}

// Defaults of Options.
const (
	DefaultCandidates = 1000
	DefaultPageBytes  = 8 << 20
)

// MaxBatchBytes bounds the envelopes of one batch, which cannot be cut like a page.
const MaxBatchBytes = 16 << 20

// Core is one service. It is safe for concurrent use, as its store is, and keeps
// no state of its own.
type Core struct {
	store Store
	o     Options
}

// New makes the service of a store.
func New(store Store, o Options) *Core {
	if o.Skew == 0 {
		o.Skew = capsule.DefaultSkew * time.Millisecond
	}
	if o.Candidates <= 0 {
		o.Candidates = DefaultCandidates
	}
	o.Candidates = max(o.Candidates, wire.MaxSearchLimit)
	if o.PageBytes <= 0 {
		o.PageBytes = DefaultPageBytes
	}
	o.Peers = slices.Clone(o.Peers)
	return &Core{store: store, o: o}
}

func (c *Core) now() int64 { return c.o.Clock().UnixMilli() }

// stamp captures the checkpoint and the time of an answer.
func (c *Core) stamp(ctx context.Context) (wire.Stamp, error) {
	checkpoint, err := c.store.Checkpoint(ctx)
	return wire.Stamp{Service: c.o.Origin, Checkpoint: checkpoint, AsOf: c.now()}, err
}

// Discovery is the service's discovery document (9.2).
func (c *Core) Discovery() wire.Discovery {
	d := wire.Discovery{
		Service:  c.o.Origin,
		Peers:    slices.Clone(c.o.Peers),
		Licenses: slices.Clone(c.o.Licenses),
		Limits: []wire.Limit{
			{Name: wire.LimitEnvelope, Value: identity.MaxEnvelopeBytes},
			{Name: "max_json_depth", Value: identity.MaxDepth},
			{Name: wire.LimitPage, Value: wire.MaxQueryLimit},
			{Name: "max_page_bytes", Value: int64(c.o.PageBytes)},
			{Name: "max_batch_bytes", Value: MaxBatchBytes},
		},
	}
	if c.o.Ranked {
		d.Features = []string{wire.RankedSearch}
		d.Modes = c.modes()
	}
	d.Endpoints = wire.DefaultEndpoints(c.o.Origin, c.o.Ranked)
	d.Advertised = d.Endpoints
	return d
}

func (c *Core) modes() []string { return []string{wire.Lexical.String()} }

// Submit accepts the text of one envelope (8.1). held is true for a resubmission,
// whose record is the first one.
func (c *Core) Submit(ctx context.Context, text []byte) (r wire.Record, held bool, err error) {
	offer, err := capsule.Open(text)
	if err != nil {
		return wire.Record{}, false, enveloped(text, err)
	}
	return c.store.Submit(ctx, offer, capsule.Terms{
		Now: c.now(), Skew: c.o.Skew.Milliseconds(), Policy: c.o.Policy})
}

// enveloped says of a body that is refused whether an envelope stands in it: of an
// acceptance record only that is taken (8.1).
func enveloped(text []byte, refused error) error {
	v, err := identity.Parse(text)
	if err != nil {
		return refused
	}
	if inner, ok := v.Get("envelope"); !ok || inner.Kind() != identity.Object {
		return refused
	}
	return fault.Refuse(fault.StepShape, "", "this is a record: only envelopes are taken, such as the one in its member envelope")
}

// Get gives one visible record by the text of its ID: *fault.NotHeld where it is
// absent or withheld, invalid_request where the ID is malformed.
func (c *Core) Get(ctx context.Context, id string) (wire.Record, error) {
	parsed, err := identity.ParseID(id)
	if err != nil {
		return wire.Record{}, &fault.Refusal{Step: fault.StepShape, Code: fault.InvalidRequest, Detail: "not an event ID"}
	}
	return c.store.Record(ctx, parsed)
}

// Query answers one page from decoded parameters (9.3).
func (c *Core) Query(ctx context.Context, params []wire.Param) (wire.QueryResponse, error) {
	q, err := wire.ParseQuery(params)
	if err != nil {
		return wire.QueryResponse{}, err
	}
	return c.Enumerate(ctx, q)
}

// Enumerate answers one page of a query that is parsed already.
func (c *Core) Enumerate(ctx context.Context, q wire.Query) (wire.QueryResponse, error) {
	stamp, err := c.stamp(ctx)
	if err != nil {
		return wire.QueryResponse{}, err
	}
	last := q.AfterSeq
	if q.Cursor != "" {
		cursor, err := wire.OpenCursor(c.o.Origin, q, stamp.Checkpoint)
		if err != nil {
			return wire.QueryResponse{}, err
		}
		stamp.Checkpoint, stamp.AsOf, last = cursor.Checkpoint, cursor.AsOf, cursor.Last
	} else if q.AfterSeq > stamp.Checkpoint {
		return wire.QueryResponse{}, &fault.Refusal{Step: fault.StepShape, Code: fault.InvalidRequest,
			Path: "/after_seq", Detail: "is greater than the checkpoint"}
	}
	records, more, err := c.fill(ctx, wire.Range{
		Filter: q.Filter, After: last, Through: stamp.Checkpoint, Limit: q.Limit})
	if err != nil {
		return wire.QueryResponse{}, err
	}
	page := wire.QueryResponse{Stamp: stamp, Records: records}
	if more && len(records) > 0 {
		cursor := wire.Cursor{Checkpoint: stamp.Checkpoint, AsOf: stamp.AsOf, Last: records[len(records)-1].Seq}
		page.Next = cursor.Text(c.o.Origin, q)
	}
	return page, nil
}

// stretch is how many records are taken from the store at once, so that one
// request never holds more than these and its answer.
const stretch = 64

// fill reads the records of one page: those of r until its limit or PageBytes is
// reached, but one at least. more is true when another match follows.
func (c *Core) fill(ctx context.Context, r wire.Range) (page []wire.Record, more bool, err error) {
	limit, bytes := r.Limit, 0
	for {
		r.Limit = min(stretch, limit-len(page))
		records, more, err := c.store.Records(ctx, r)
		if err != nil {
			return nil, false, err
		}
		for _, record := range records {
			bytes += len(record.Event.Envelope().Text())
			if bytes > c.o.PageBytes && len(page) > 0 {
				return page, true, nil
			}
			page = append(page, record)
		}
		if !more || len(page) == limit {
			return page, more, nil
		}
		r.After = page[len(page)-1].Seq
	}
}

// Batch answers a request for exact events (9.4), or refuses it whole with
// query_too_broad. The checkpoint is captured last, so that it covers every record.
func (c *Core) Batch(ctx context.Context, body []byte) (wire.BatchResponse, error) {
	request, err := wire.ParseBatchRequest(body)
	if err != nil {
		return wire.BatchResponse{}, err
	}
	var page wire.BatchResponse
	bytes := 0
	for _, id := range request.IDs {
		record, err := c.store.Record(ctx, id)
		var absent *fault.NotHeld
		switch {
		case errors.As(err, &absent):
			page.Missing = append(page.Missing, id)
		case err != nil:
			return wire.BatchResponse{}, err
		default:
			page.Records = append(page.Records, record)
			bytes += len(record.Event.Envelope().Text())
		}
		if bytes > MaxBatchBytes {
			return wire.BatchResponse{}, &fault.Refusal{Step: fault.StepLimit, Code: fault.QueryTooBroad,
				Detail: "these events are too long for one answer: ask for fewer"}
		}
	}
	page.Stamp, err = c.stamp(ctx)
	return page, err
}

// Withhold hides an event from every read, or shows it again (7.1).
func (c *Core) Withhold(ctx context.Context, id identity.ID, hide bool) error {
	return c.store.Withhold(ctx, id, hide)
}
