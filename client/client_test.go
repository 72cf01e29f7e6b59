package client_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"akx/client"
	"akx/client/clienttest"
	"akx/client/fetch"
	"akx/client/service"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

const hubOrigin identity.Origin = "https://hub.example"

// world is a network with one hub behind a lie, and a client of it.
type world struct {
	*clienttest.Network
	clock  *clienttest.Clock
	hub    *clienttest.Hub
	server *clienttest.Server
	client *client.Client
}

func newWorld(t testing.TB, n int, lie clienttest.Lie, limits client.Limits) *world {
	w := &world{Network: clienttest.NewNetwork(t), clock: clienttest.NewClock(t, time.Hour)}
	w.hub = clienttest.NewHub(t, hubOrigin, w.clock, n)
	var handler http.Handler = w.hub
	if lie != nil {
		handler = lie(w.hub)
	}
	w.server = w.Serve(hubOrigin, handler)
	day := 24 * time.Hour
	transport, err := fetch.New(hubOrigin, fetch.Options{Version: "1", CA: w.CA, Resolver: w, Dial: w.Dial, Clock: w.clock,
		Random: func() float64 { return 0 },
		Limits: fetch.Limits{Connect: day, TLS: 2 * day, Answer: 3 * day, Idle: 4 * day, Whole: 5 * day}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(transport.Close)
	w.client = client.New(hubOrigin, transport, limits)
	return w
}

// paths counts the requests to a path.
func (w *world) paths(path string) int {
	n := 0
	for _, r := range w.server.Requests() {
		if strings.Contains(r, " "+path) {
			n++
		}
	}
	return n
}

func idsOf(items []wire.Item) []identity.ID {
	var ids []identity.ID
	for _, item := range items {
		if item.Refusal == nil {
			ids = append(ids, item.Offer.Envelope().ID())
		}
	}
	return ids
}

// query walks to the end and gives what came.
func (w *world) query(ctx context.Context, q wire.Query) (pages []wire.QueryPage, items []wire.Item, err error) {
	for page, err := range w.client.Query(ctx, q) {
		if err != nil {
			return pages, items, err
		}
		pages = append(pages, page)
		items = append(items, page.Items...)
	}
	return pages, items, nil
}

func TestDiscover_9_2(t *testing.T) {
	w := newWorld(t, 1, clienttest.Document(func(doc map[string]any) {
		doc["unknown"] = map[string]any{"a": 1}
		if _, ok := doc["features"]; ok {
			doc["features"] = []any{"ranked-search", "telepathy"}
			doc["search_modes"] = []any{"lexical", "by-smell"}
		}
	}), client.Limits{})
	d, err := w.client.Discover(t.Context())
	if err != nil || !d.Ranked() || !slices.Equal(d.Peers, []identity.Origin{"https://peer.example"}) {
		t.Fatalf("%+v, %v", d, err)
	}
	if _, _, err := w.query(t.Context(), wire.Query{}); err != nil {
		t.Fatal(err)
	}
	if got := w.Elsewhere(w.server); len(got) > 0 {
		t.Errorf("hints were followed to %q", got)
	}
	if n := w.paths(wire.DiscoveryPath); n != 1 {
		t.Errorf("discovery was read %d times", n)
	}
}

// Advertised endpoints replace the default paths (9.1).
func TestEndpoints_9_1(t *testing.T) {
	move := func(honest http.Handler) http.Handler {
		mux := http.NewServeMux()
		mux.Handle("/.well-known/", clienttest.Document(func(doc map[string]any) {
			doc["endpoints"] = map[string]any{"query": "https://hub.example/other/q", "search": "https://hub.example/v1/knowledge/search"}
		})(honest))
		mux.HandleFunc("/other/q", func(w http.ResponseWriter, r *http.Request) {
			r.URL.Path = wire.QueryPath
			honest.ServeHTTP(w, r)
		})
		mux.Handle("/", honest)
		return mux
	}
	w := newWorld(t, 3, move, client.Limits{})
	_, items, err := w.query(t.Context(), wire.Query{})
	if err != nil || len(items) != 3 || w.paths("/other/q") != 1 || w.paths(wire.QueryPath) != 0 {
		t.Errorf("%d items, %v, requests %q", len(items), err, w.server.Requests())
	}
	if _, err := w.client.Event(t.Context(), w.hub.IDs[0]); err != nil {
		t.Errorf("the default path of events: %v", err)
	}
}

func TestQuery_9_3(t *testing.T) {
	w := newWorld(t, 25, nil, client.Limits{})
	filter := func(name, value string) capsule.Filter {
		var f capsule.Filter
		if _, err := f.ParseFilter(name, value); err != nil {
			t.Fatal(err)
		}
		return f
	}
	var assessments []identity.ID
	for i := 4; i < 25; i += 5 {
		assessments = append(assessments, w.hub.IDs[i])
	}
	cases := []struct {
		name  string
		q     wire.Query
		pages int
		want  []identity.ID
	}{
		{"everything", wire.Query{}, 1, w.hub.IDs},
		{"in pages", wire.Query{Limit: 10}, 3, w.hub.IDs},
		{"one a page", wire.Query{Limit: 1}, 25, w.hub.IDs},
		{"after", wire.Query{AfterSeq: 20, Limit: 2}, 3, w.hub.IDs[20:]},
		{"after all", wire.Query{AfterSeq: 25}, 1, nil},
		{"a type", wire.Query{Filter: filter("type", "knowledge.assess"), Limit: 2}, 3, assessments},
		{"a target", wire.Query{Filter: filter("target", w.hub.IDs[3].String())}, 1, assessments[:1]},
		{"an actor", wire.Query{Filter: filter("actor", identity.TestKey(0x21).Actor().String())}, 1, w.hub.IDs},
		{"nothing", wire.Query{Filter: filter("tag", "none")}, 1, nil},
	}
	for _, c := range cases {
		pages, items, err := w.query(t.Context(), c.q)
		if err != nil || len(pages) != c.pages || !slices.Equal(idsOf(items), c.want) {
			t.Errorf("%s: %d pages, %d items, %v", c.name, len(pages), len(items), err)
			continue
		}
		for _, page := range pages {
			if page.Stamp != pages[0].Stamp || page.Checkpoint != 25 {
				t.Errorf("%s: stamp %+v", c.name, page.Stamp)
			}
		}
		for i, item := range items {
			if item.Seq == 0 || item.AcceptedAt == 0 || (i > 0 && item.Seq <= items[i-1].Seq) {
				t.Errorf("%s: item %d has seq %d", c.name, i, item.Seq)
			}
		}
	}
	_, _, err := w.query(t.Context(), wire.Query{AfterSeq: 26})
	var refusal *fault.Refusal
	if !errors.As(err, &refusal) || refusal.Code != fault.InvalidRequest {
		t.Errorf("after_seq beyond the checkpoint: %v", err)
	}
	before := len(w.server.Requests())
	for _, q := range []wire.Query{{Limit: -1}, {Limit: 1001}, {Cursor: "x"}} {
		var usage *fault.Usage
		if _, _, err := w.query(t.Context(), q); !errors.As(err, &usage) {
			t.Errorf("%+v: %v", q, err)
		}
	}
	if len(w.server.Requests()) != before {
		t.Error("a wrong query was sent")
	}
}

// What a caller does not ask for is not fetched.
func TestQueryStopsWithItsCaller(t *testing.T) {
	w := newWorld(t, 20, nil, client.Limits{})
	for range w.client.Query(t.Context(), wire.Query{Limit: 2}) {
		break
	}
	if n := w.paths(wire.QueryPath); n != 1 {
		t.Errorf("%d pages were asked for", n)
	}
}

func TestFollow_9_3_1(t *testing.T) {
	w := newWorld(t, 25, clienttest.At(wire.QueryPath, clienttest.Change(func(r *http.Request, a *clienttest.Answer) {
		if !strings.Contains(r.URL.RawQuery, "limit=1000") {
			t.Errorf("asked for %q", r.URL.RawQuery)
		}
	})), client.Limits{})
	var items []wire.Item
	for page, err := range w.client.Follow(t.Context(), 7) {
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, page.Items...)
	}
	if !slices.Equal(idsOf(items), w.hub.IDs[7:]) {
		t.Errorf("%d items", len(items))
	}
	for range w.client.Follow(t.Context(), 0) {
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var last error
	for _, err := range w.client.Follow(ctx, 0) {
		last = err
	}
	if last != context.Canceled {
		t.Errorf("a cancelled walk ends with %v", last)
	}
}

// The next page is fetched while the one before is used.
func TestFollowReadsAhead(t *testing.T) {
	const n = 10
	second := make(chan bool, n)
	small := func(http.Handler) http.Handler {
		hub := clienttest.NewHub(t, hubOrigin, clienttest.NewClock(t, 0), n, func(o *service.Options) { o.PageBytes = 4_000 })
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.RawQuery, "cursor=") {
				second <- true
			}
			hub.ServeHTTP(w, r)
		})
	}
	w := newWorld(t, 0, small, client.Limits{})
	pages := 0
	for _, err := range w.client.Follow(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if pages++; pages == 1 {
			<-second
		}
	}
	if pages < 2 || len(second) != pages-2 {
		t.Errorf("%d pages, %d more were asked for", pages, len(second))
	}
}

func TestBatch_9_4(t *testing.T) {
	w := newWorld(t, 230, nil, client.Limits{})
	var ids, found, absent []identity.ID
	for i, id := range w.hub.IDs {
		ids = append(ids, id, w.hub.IDs[0])
		found = append(found, id)
		if i%10 == 0 {
			id[0] ^= 1
			ids, absent = append(ids, id), append(absent, id)
		}
	}
	var items []wire.Item
	var missing []identity.ID
	for page, err := range w.client.Batch(t.Context(), ids) {
		if err != nil {
			t.Fatal(err)
		}
		items, missing = append(items, page.Items...), append(missing, page.Missing...)
	}
	if !slices.Equal(idsOf(items), found) || !slices.Equal(missing, absent) || w.paths(wire.BatchPath) != 3 {
		t.Errorf("%d found, %d missing, %d requests", len(items), len(missing), w.paths(wire.BatchPath))
	}
	for range w.client.Batch(t.Context(), nil) {
		t.Error("no IDs have a page")
	}
}

func TestEvent_9_1(t *testing.T) {
	w := newWorld(t, 3, nil, client.Limits{})
	item, err := w.client.Event(t.Context(), w.hub.IDs[1])
	if err != nil || item.Offer.Event().Title() != "Entry 1" || item.Seq != 2 || item.AcceptedAt == 0 {
		t.Errorf("%+v, %v", item, err)
	}
	var absent *fault.NotHeld
	other := w.hub.IDs[1]
	other[5] ^= 1
	if _, err := w.client.Event(t.Context(), other); !errors.As(err, &absent) || absent.ID != other.String() || absent.Where != string(hubOrigin) {
		t.Errorf("an absent event: %v", err)
	}
}

func TestSearch_9_5(t *testing.T) {
	w := newWorld(t, 9, nil, client.Limits{})
	page, err := w.client.Search(t.Context(), wire.SearchRequest{Text: " CACHE 7 ", Mode: wire.Lexical})
	if err != nil || len(page.Hits) != 1 || page.Hits[0].Item.Offer.Event().Title() != "Entry 7" || !page.Coverage.Exhaustive || page.Ranking.ID == "" {
		t.Errorf("%+v, %v", page, err)
	}
	page, err = w.client.Search(t.Context(), wire.SearchRequest{Text: "cache", Mode: wire.Lexical, Limit: 2})
	if err != nil || len(page.Hits) != 2 || page.Coverage.Exhaustive || len(page.Coverage.Reasons) != 1 {
		t.Errorf("%+v, %v", page, err)
	}
	before := w.paths(wire.SearchPath)
	var coded fault.Coded
	for _, mode := range []wire.Mode{wire.Semantic, wire.Hybrid, 0} {
		if _, err := w.client.Search(t.Context(), wire.SearchRequest{Text: "a", Mode: mode}); !errors.As(err, &coded) || coded.FaultCode() != fault.UnsupportedSearchMode || fault.ServiceOf(err) != string(hubOrigin) {
			t.Errorf("mode %d: %v", mode, err)
		}
	}
	for _, r := range []wire.SearchRequest{{Text: "", Mode: wire.Lexical}, {Text: " \t", Mode: wire.Lexical},
		{Text: strings.Repeat("a ", 17), Mode: wire.Lexical}, {Text: "a", Mode: wire.Lexical, Limit: 101}, {Text: "a", Mode: wire.Lexical, Limit: -1}} {
		if _, err := w.client.Search(t.Context(), r); err == nil {
			t.Errorf("%+v is a search", r)
		}
	}
	if w.paths(wire.SearchPath) != before {
		t.Error("a wrong search was sent")
	}
}
