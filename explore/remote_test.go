package explore_test

import (
	"context"
	"iter"
	"sync"
	"testing"
	"time"

	"akx/cache/storetest"
	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/memory"
	"akx/view/wire"
)

const (
	hub identity.Origin = "https://hub.example.org"
	lab identity.Origin = "https://lab.example.org"
)

// remote is a service that a test programs.
type remote struct {
	origin identity.Origin

	mu         sync.Mutex
	records    []wire.Item // by seq
	checkpoint uint64
	asOf       int64
	pageSize   int
	hidden     map[identity.ID]bool
	// before is called before each answer with its name and its number from 1; an
	// error is the answer.
	before func(ctx context.Context, call string, n int) error
	calls  map[string]int
	served map[uint64]int // records of follow pages, by seq
	asked  []identity.ID  // by batch
	// lenient answers an after_seq that is too large with an empty page.
	lenient bool
	// refuseAfter is an after_seq that is refused, whatever the checkpoint; 0 for none.
	refuseAfter uint64
}

func newRemote(origin identity.Origin, items ...wire.Item) *remote {
	r := &remote{origin: origin, pageSize: 7, asOf: storetest.Now - 60_000, hidden: make(map[identity.ID]bool),
		calls: make(map[string]int), served: make(map[uint64]int)}
	r.add(items...)
	return r
}

// add puts records at the end; the checkpoint is the last seq.
func (r *remote) add(items ...wire.Item) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.records = append(r.records, items...)
	if n := len(r.records); n > 0 {
		r.checkpoint = r.records[n-1].Seq
	}
	r.asOf += 1000
}

func (r *remote) called(call string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.calls[call]
}

func (r *remote) questions() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, c := range r.calls {
		n += c
	}
	return n
}

func (r *remote) answer(ctx context.Context, call string) error {
	r.mu.Lock()
	r.calls[call]++
	n, before := r.calls[call], r.before
	r.mu.Unlock()
	if before != nil {
		if err := before(ctx, call, n); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (r *remote) stamp() wire.Stamp {
	return wire.Stamp{Service: r.origin, Checkpoint: r.checkpoint, AsOf: r.asOf}
}

func (r *remote) Discover(ctx context.Context) (wire.Discovery, error) {
	if err := r.answer(ctx, "discover"); err != nil {
		return wire.Discovery{}, err
	}
	return wire.Discovery{Service: r.origin, Peers: []identity.Origin{"https://peer.example.org"}}, nil
}

func (r *remote) Follow(ctx context.Context, after uint64) iter.Seq2[wire.QueryPage, error] {
	return r.walk(ctx, "follow", wire.Query{AfterSeq: after, Limit: r.pageSize})
}

func (r *remote) Query(ctx context.Context, q wire.Query) iter.Seq2[wire.QueryPage, error] {
	q.Limit = min(q.Limit, r.pageSize)
	return r.walk(ctx, "query", q)
}

func (r *remote) walk(ctx context.Context, call string, q wire.Query) iter.Seq2[wire.QueryPage, error] {
	return func(yield func(wire.QueryPage, error) bool) {
		var stamp wire.Stamp
		for more := true; more; {
			if err := r.answer(ctx, call); err != nil {
				yield(wire.QueryPage{}, err)
				return
			}
			r.mu.Lock()
			if stamp.Service == "" {
				stamp = r.stamp()
			}
			page := wire.QueryPage{Stamp: stamp}
			page.Items, more = r.matching(q, stamp.Checkpoint)
			r.mu.Unlock()
			if q.AfterSeq > stamp.Checkpoint && !r.lenient || q.AfterSeq != 0 && q.AfterSeq == r.refuseAfter {
				yield(wire.QueryPage{}, &fault.Refusal{Step: fault.StepShape, Code: fault.InvalidRequest, Detail: "after_seq is too large"})
				return
			}
			if more {
				page.Next = "more"
				q.AfterSeq = page.Items[len(page.Items)-1].Seq
			}
			if call == "follow" {
				r.count(page.Items)
			}
			if !yield(page, nil) {
				return
			}
		}
	}
}

func (r *remote) matching(q wire.Query, through uint64) (items []wire.Item, more bool) {
	for _, item := range r.records {
		id := item.Offer.Envelope().ID()
		event := item.Offer.Event()
		switch {
		case item.Seq <= q.AfterSeq || item.Seq > through || r.hidden[id]:
		case q.Filter != (capsule.Filter{}) && event != nil && !q.Filter.Match(event):
		case len(items) == q.Limit:
			return items, true
		default:
			items = append(items, item)
		}
	}
	return items, false
}

func (r *remote) count(items []wire.Item) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, item := range items {
		r.served[item.Seq]++
	}
}

func (r *remote) find(id identity.ID) (wire.Item, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, item := range r.records {
		if item.Offer.Envelope().ID() == id && !r.hidden[id] {
			return item, true
		}
	}
	return wire.Item{}, false
}

func (r *remote) Batch(ctx context.Context, ids []identity.ID) iter.Seq2[wire.BatchPage, error] {
	return func(yield func(wire.BatchPage, error) bool) {
		for len(ids) > 0 {
			part := ids[:min(len(ids), r.pageSize)]
			ids = ids[len(part):]
			if err := r.answer(ctx, "batch"); err != nil {
				yield(wire.BatchPage{}, err)
				return
			}
			page := wire.BatchPage{Stamp: r.stamp()}
			for _, id := range part {
				if item, ok := r.find(id); ok {
					page.Items = append(page.Items, item)
				} else {
					page.Missing = append(page.Missing, id)
				}
			}
			r.mu.Lock()
			r.asked = append(r.asked, part...)
			r.mu.Unlock()
			if !yield(page, nil) {
				return
			}
		}
	}
}

func (r *remote) Event(ctx context.Context, id identity.ID) (wire.Item, error) {
	if err := r.answer(ctx, "event"); err != nil {
		return wire.Item{}, err
	}
	item, ok := r.find(id)
	if !ok {
		return wire.Item{}, &fault.NotHeld{ID: id.String(), Where: string(r.origin)}
	}
	return item, nil
}

func (r *remote) Search(ctx context.Context, q wire.SearchRequest) (wire.SearchPage, error) {
	if err := r.answer(ctx, "search"); err != nil {
		return wire.SearchPage{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	page := wire.SearchPage{Stamp: r.stamp(), Ranking: wire.Ranking{Mode: q.Mode, ID: "test"}}
	for _, item := range r.records {
		page.Hits = append(page.Hits, wire.SearchHit{Item: item, Explanation: "because"})
	}
	return page, nil
}

// numbered gives events seqs from on, each step apart.
func numbered(from, step uint64, events ...capsule.Event) []wire.Item {
	items := make([]wire.Item, len(events))
	for i, e := range events {
		items[i] = storetest.Record(e, from+uint64(i)*step)
	}
	return items
}

// unproven is a record whose proof fails.
func unproven(seq uint64) wire.Item {
	return wire.Item{Refusal: fault.Refuse(fault.StepSignature, "/signature", "does not verify"), Seq: seq}
}

// net is a session with services.
type net struct {
	*explore.Session
	store   *memory.Store
	remotes map[identity.Origin]*remote
	now     int64
}

// failing is a follower whose pages fail from one on.
type failing struct {
	explore.Follower
	mu    sync.Mutex
	pages int
	from  int // 0 never
}

func (f *failing) AcceptPage(ctx context.Context, origin identity.Origin, items []wire.Item, next desk.Follow) ([]wire.Outcome, desk.Follow, error) {
	f.mu.Lock()
	f.pages++
	fails := f.from != 0 && f.pages >= f.from
	f.mu.Unlock()
	if fails {
		return nil, desk.Follow{}, &fault.Unavailable{Code: fault.Locked, What: "the cache"}
	}
	return f.Follower.AcceptPage(ctx, origin, items, next)
}

func connect(t testing.TB, remotes ...*remote) *net {
	t.Helper()
	return connectWith(t, explore.Bounds{}, nil, remotes...)
}

// connectWith makes a session that knows remotes by the first label of their host.
func connectWith(t testing.TB, b explore.Bounds, wrap func(explore.Follower) explore.Follower, remotes ...*remote) *net {
	t.Helper()
	n := &net{remotes: make(map[identity.Origin]*remote), now: storetest.Now}
	n.store = memory.New(view.ThisCache, func() int64 { return n.now })
	var follower explore.Follower = n.store
	if wrap != nil {
		follower = wrap(n.store)
	}
	n.Session = explore.New(n.store, explore.Options{
		Clock:  func() time.Time { return time.UnixMilli(n.now) },
		Bounds: b,
		Network: explore.Network{
			Book: n.store, Store: follower,
			Reach: func(s desk.Service) (explore.Remote, error) {
				r := n.remotes[s.Origin]
				if r == nil {
					return nil, &fault.Unavailable{Code: fault.UnavailableCode, What: s.Name, Detail: "no route"}
				}
				return r, nil
			},
		},
	})
	t.Cleanup(n.Close)
	for _, r := range remotes {
		n.remotes[r.origin] = r
		name := string(r.origin[len("https://") : len("https://")+3])
		if _, err := n.AddService(t.Context(), desk.Service{Name: name, Origin: r.origin}); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

func (n *net) sync(t testing.TB, name string) explore.Synced {
	t.Helper()
	synced, err := n.Sync(t.Context(), name, nil)
	if err != nil {
		t.Fatal(err)
	}
	return synced
}

func (n *net) mustSync(t testing.TB, name string) explore.Synced {
	t.Helper()
	synced := n.sync(t, name)
	if synced.Err != nil {
		t.Fatal(synced.Err)
	}
	return synced
}
