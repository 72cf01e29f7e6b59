package ui_test

import (
	"context"
	"iter"
	"slices"
	"testing"

	"akx/cache/storetest"
	"akx/explore"
	"akx/explore/sample"
	"akx/ui/kit"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/memory"
	"akx/view/wire"
)

// remote is a service of a test: what it has, and what it does when it is asked.
type remote struct {
	origin  identity.Origin
	items   []wire.Item
	asOf    int64
	down    error                     // every question fails so
	lacks   map[identity.ID]bool      // events that it withholds
	meets   func(ctx context.Context) // before it answers; nil is nothing
	says    string                    // its explanation of every hit
	covers  wire.Coverage
	modes   []string
	peers   []identity.Origin
	asked   int // questions
	sought  []wire.SearchRequest
	pageful int  // records a page; 2 where it is 0
	plain   bool // it offers no ranked search
}

func (r *remote) question(ctx context.Context) error {
	r.asked++
	if r.meets != nil {
		r.meets(ctx)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return r.down
}

func (r *remote) stamp() wire.Stamp {
	checkpoint := uint64(0)
	if n := len(r.items); n > 0 {
		checkpoint = r.items[n-1].Seq
	}
	return wire.Stamp{Service: r.origin, Checkpoint: checkpoint, AsOf: r.asOf}
}

func (r *remote) visible() []wire.Item {
	return slices.DeleteFunc(slices.Clone(r.items), func(i wire.Item) bool { return r.lacks[i.Offer.Envelope().ID()] })
}

func (r *remote) Discover(ctx context.Context) (wire.Discovery, error) {
	if err := r.question(ctx); err != nil {
		return wire.Discovery{}, err
	}
	d := wire.Discovery{Service: r.origin, Features: []string{wire.RankedSearch}, Modes: r.modes, Peers: r.peers}
	if r.plain {
		d.Features, d.Modes = nil, nil
	}
	return d, nil
}

func (r *remote) Follow(ctx context.Context, after uint64) iter.Seq2[wire.QueryPage, error] {
	return r.Query(ctx, wire.Query{AfterSeq: after})
}

func (r *remote) Query(ctx context.Context, q wire.Query) iter.Seq2[wire.QueryPage, error] {
	return func(yield func(wire.QueryPage, error) bool) {
		var match []wire.Item
		for _, item := range r.visible() {
			event := item.Offer.Event()
			if item.Seq > q.AfterSeq && (event == nil || q.Filter.Match(event)) {
				match = append(match, item)
			}
		}
		size := max(r.pageful, 2)
		for {
			if err := r.question(ctx); err != nil {
				yield(wire.QueryPage{}, err)
				return
			}
			page := wire.QueryPage{Stamp: r.stamp(), Items: match[:min(size, len(match))]}
			match = match[len(page.Items):]
			if len(match) > 0 {
				page.Next = "next"
			}
			if !yield(page, nil) || page.Next == "" {
				return
			}
		}
	}
}

func (r *remote) Batch(ctx context.Context, ids []identity.ID) iter.Seq2[wire.BatchPage, error] {
	return func(yield func(wire.BatchPage, error) bool) {
		if err := r.question(ctx); err != nil {
			yield(wire.BatchPage{}, err)
			return
		}
		page := wire.BatchPage{Stamp: r.stamp()}
		for _, id := range ids {
			i := slices.IndexFunc(r.visible(), func(i wire.Item) bool { return i.Offer.Envelope().ID() == id })
			if i < 0 {
				page.Missing = append(page.Missing, id)
				continue
			}
			page.Items = append(page.Items, r.visible()[i])
		}
		yield(page, nil)
	}
}

func (r *remote) Event(ctx context.Context, id identity.ID) (wire.Item, error) {
	if err := r.question(ctx); err != nil {
		return wire.Item{}, err
	}
	for _, item := range r.visible() {
		if item.Offer.Envelope().ID() == id {
			return item, nil
		}
	}
	return wire.Item{}, &fault.NotHeld{ID: id.String(), Where: string(r.origin)}
}

func (r *remote) Search(ctx context.Context, q wire.SearchRequest) (wire.SearchPage, error) {
	r.sought = append(r.sought, q)
	if err := r.question(ctx); err != nil {
		return wire.SearchPage{}, err
	}
	terms, err := capsule.ParseTerms(q.Text, true)
	page := wire.SearchPage{Stamp: r.stamp(), Ranking: wire.Ranking{Mode: q.Mode, ID: "bm25-v1"}, Coverage: r.covers}
	for _, item := range r.visible() {
		if event := item.Offer.Event(); event == nil || capsule.Lexical(event, terms) {
			page.Hits = append(page.Hits, wire.SearchHit{Item: item, Explanation: r.says})
		}
	}
	return page, err
}

// world is a library with four services: hub is followed, lab lags behind and lacks a
// retraction, arc is not followed, and mirror was never reached.
type world struct {
	t                     testing.TB
	store                 *memory.Store
	base, next, withdrawn capsule.Event
	gone, report, fresh   capsule.Event
	remotes               map[string]*remote
	offline               bool
}

const minute = 60_000

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{t: t, store: emptyLibrary(), remotes: make(map[string]*remote)}
	stamp := func(signer byte, nonce int64) storetest.Stamp { return storetest.Stamp{Signer: signer, Nonce: nonce} }
	w.base = storetest.Publish(t, stamp(1, 1), storetest.Titled("Cache keys need the language"), storetest.OfKind(capsule.Hypothesis))
	w.withdrawn = storetest.Publish(t, stamp(2, 1), storetest.Titled("Text-only keys lose preferences"))
	w.next = storetest.Publish(t, stamp(1, 2), storetest.Titled("Keys: language and region"), storetest.OfKind(capsule.Hypothesis), storetest.Relate(capsule.Supersedes, w.base.ID()), storetest.Relate(capsule.DerivedFrom, w.withdrawn.ID()))
	w.report = storetest.Assess(t, stamp(3, 1), w.base.ID(), capsule.VerdictReproduced)
	w.gone = storetest.Retract(t, stamp(2, 2), w.withdrawn.ID())
	w.fresh = storetest.Publish(t, stamp(4, 1), storetest.Titled("Two more desks were counted"))
	w.service("hub", 12*minute, w.base, w.withdrawn, w.next, w.report, w.gone)
	w.service("lab", 120*minute, w.base, w.withdrawn, w.next)
	w.follow("hub", 5, desk.Trouble{}, nil)
	w.follow("lab", 3, desk.Trouble{}, []desk.ServiceFault{{Kind: desk.CheckpointBack, At: sample.Now - 300*minute, Before: 9, Now: 2}})
	w.service("arc", minute, w.base, w.report)
	w.service("mirror", 0)
	refused := &fault.Unavailable{Code: fault.UnavailableCode, What: "mirror", Detail: "connection refused", Retry: true}
	w.remotes["mirror"].down = refused
	w.follow("mirror", 0, desk.Trouble{Code: fault.UnavailableCode, Detail: "connection refused"}, nil)
	return w
}

func origin(name string) identity.Origin { return identity.Origin("https://" + name + ".example") }

// service adds a service that has these events; ago is how old its answers are in ms.
func (w *world) service(name string, ago int64, events ...capsule.Event) {
	w.t.Helper()
	r := &remote{origin: origin(name), asOf: sample.Now - ago, modes: []string{"lexical", "hybrid", "psychic"}, covers: wire.Coverage{Exhaustive: true}}
	r.peers = []identity.Origin{"https://peer-a.example", "https://peer-b.example"}
	for i, e := range events {
		r.items = append(r.items, wire.Item{Offer: capsule.OfferOf(e), Seq: uint64(i + 1), AcceptedAt: sample.Now - ago - 10*minute})
	}
	w.remotes[name] = r
	err := w.store.PutService(w.t.Context(), desk.Service{Name: name, Origin: origin(name), Enabled: true, Added: sample.Now - 900*minute})
	if err != nil {
		w.t.Fatal(err)
	}
}

// ask says when a service is asked about pages.
func (w *world) ask(name string, when desk.AskWhen) {
	w.t.Helper()
	err := w.store.PutService(w.t.Context(), desk.Service{Name: name, Origin: origin(name), Enabled: true, Ask: when})
	if err != nil {
		w.t.Fatal(err)
	}
}

// follow puts the state of a service that was followed up to a checkpoint; 0 is never.
func (w *world) follow(name string, checkpoint uint64, trouble desk.Trouble, faults []desk.ServiceFault) {
	w.t.Helper()
	r := w.remotes[name]
	next := desk.Follow{Checkpoint: checkpoint, Reached: checkpoint, AsOf: r.asOf, Complete: checkpoint > 0, Tried: r.asOf, Trouble: trouble, Faults: faults}
	if checkpoint == 0 {
		next.AsOf, next.Tried = 0, sample.Now-30*minute
	}
	if _, _, err := w.store.AcceptPage(w.t.Context(), r.origin, r.items, next); err != nil {
		w.t.Fatal(err)
	}
}

// give adds an event to what a service has.
func (w *world) give(name string, e capsule.Event) {
	r := w.remotes[name]
	r.items = append(r.items, wire.Item{Offer: capsule.OfferOf(e), Seq: r.stamp().Checkpoint + 1, AcceptedAt: sample.Now})
	r.asOf = sample.Now - minute
}

// refuse adds records to hub that are not events here, and follows it again.
func (w *world) refuse(detail string) *world {
	r := w.remotes["hub"]
	for i := range 3 {
		r.items = append(r.items, wire.Item{Seq: uint64(6 + i), AcceptedAt: sample.Now, Refusal: fault.Refuse(fault.StepSignature, "/signature", detail)})
	}
	w.follow("hub", 8, desk.Trouble{}, nil)
	return w
}

// start makes an explorer over the world.
func (w *world) start(s *setup) {
	if c, ok := s.lib.(*counted); ok {
		c.Library = w.store
	} else {
		s.lib = w.store
	}
	s.config.Options.Sample, s.config.Options.Offline = false, w.offline
	s.network = explore.Network{Book: w.store, Store: w.store, Offline: w.offline, Reach: func(v desk.Service) (explore.Remote, error) {
		for _, r := range w.remotes {
			if r.origin == v.Origin {
				return r, nil
			}
		}
		return nil, &fault.Unavailable{Code: fault.UnavailableCode, What: v.Name, Detail: "no such host"}
	}}
}

// asked counts the questions to all services.
func (w *world) asked() int {
	n := 0
	for _, r := range w.remotes {
		n += r.asked
	}
	return n
}

// inWorld starts a world of its own for each explorer, at a route.
func inWorld(t testing.TB, route func(*world) kit.Route, changes ...func(*world)) func(*setup) {
	return func(s *setup) {
		w := newWorld(t)
		for _, change := range changes {
			change(w)
		}
		w.start(s)
		r := route(w)
		s.config.Start = &r
	}
}

func servicesRoute(*world) kit.Route { return kit.Route{Screen: kit.Services} }

func baseRoute(w *world) kit.Route { return kit.Route{Screen: kit.Page, ID: w.base.ID().String()} }

func withdrawnRoute(w *world) kit.Route {
	return kit.Route{Screen: kit.Page, ID: w.withdrawn.ID().String()}
}

func goOffline(w *world) { w.offline = true }

func excepted(w *world) { w.refuse("the signature does not fit") }

// serviceScenes are the screens and overlays of services.
func serviceScenes(t testing.TB) []scene {
	one := func(name, keys string, route func(*world) kit.Route, changes ...func(*world)) scene {
		return scene{name, []func(*setup){inWorld(t, route, changes...)}, keys}
	}
	browse := func(*world) kit.Route { return kit.Route{Screen: kit.Browse} }
	hub := func(*world) kit.Route { return kit.Route{Screen: kit.Services, Query: "hub"} }
	return []scene{
		one("services", "R", hub, excepted),
		one("services-checked", "L tab", hub),
		one("services-lags", "R", func(*world) kit.Route { return kit.Route{Screen: kit.Services, Query: "lab"} }),
		one("services-down", "j j j", servicesRoute),
		one("services-offline", "j", servicesRoute, goOffline),
		one("services-add", "+", servicesRoute),
		one("services-add-refused", "+ 'http://nowhere tab 'Bad_Name tab space enter", servicesRoute),
		one("services-remove", "x", hub),
		one("exceptions", "j", func(*world) kit.Route { return kit.Route{Screen: kit.Exceptions, Query: "hub"} }, excepted),
		one("page-services", "tab", baseRoute),
		one("page-services-differ", "tab G", withdrawnRoute),
		one("page-rechecked", "L tab G", withdrawnRoute),
		one("search-form", "Q 'cache_keys tab", browse),
		one("found", ": 'search@hub_keys enter j", browse, func(w *world) {
			w.remotes["hub"].says = "two of the words stand in the title"
			w.remotes["hub"].covers = wire.Coverage{Reasons: []string{"candidate_limit", "index_lag"}}
		}),
		one("found-nothing", ": 'search@lab_nonesuch enter", browse),
		one("found-failed", ": 'search@mirror_keys enter", browse),
		one("synced", ": 'sync_hub enter", browse, func(w *world) { w.give("hub", w.fresh) }),
		one("command-search", ": 'se", browse),
	}
}
