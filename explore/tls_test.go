package explore_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"akx/client"
	"akx/client/clienttest"
	"akx/client/fetch"
	"akx/explore"
	"akx/view"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/memory"
)

// wired is a session and one service over TLS, whose honesty a test may change.
type wired struct {
	*explore.Session
	store   *memory.Store
	clock   *clienttest.Clock
	hub     *clienttest.Hub
	handler atomic.Pointer[http.Handler]
}

func (w *wired) serve(h http.Handler) { w.handler.Store(&h) }

func newWired(t *testing.T, events int) *wired { return newWiredWith(t, events, client.Limits{}) }

func newWiredWith(t *testing.T, events int, limits client.Limits) *wired {
	t.Helper()
	network := clienttest.NewNetwork(t)
	w := &wired{clock: clienttest.NewClock(t, time.Hour)}
	w.hub = clienttest.NewHub(t, hub, w.clock, events)
	w.serve(w.hub)
	network.Serve(hub, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { (*w.handler.Load()).ServeHTTP(rw, r) }))
	w.store = memory.New(view.ThisCache, func() int64 { return w.clock.Now().UnixMilli() })
	day := 24 * time.Hour
	w.Session = explore.New(w.store, explore.Options{Clock: w.clock.Now, Network: explore.Network{
		Book: w.store, Store: w.store,
		Reach: func(s desk.Service) (explore.Remote, error) {
			transport, err := fetch.New(s.Origin, fetch.Options{Version: "1", CA: network.CA, Resolver: network, Dial: network.Dial,
				Clock: w.clock, Random: func() float64 { return 0 },
				Limits: fetch.Limits{Connect: day, TLS: 2 * day, Answer: 3 * day, Idle: 4 * day, Whole: 5 * day}})
			if err != nil {
				return nil, err
			}
			t.Cleanup(transport.Close)
			return client.New(s.Origin, transport, limits), nil
		},
	}})
	t.Cleanup(w.Close)
	if _, err := w.AddService(t.Context(), desk.Service{Name: "hub", Origin: hub}); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *wired) sync(t *testing.T) explore.Synced {
	t.Helper()
	synced, err := w.Sync(t.Context(), "hub", nil)
	if err != nil {
		t.Fatal(err)
	}
	return synced
}

// What is good is kept, what is wrong is told, and an honest answer heals it.
func TestSyncOverTLSOutlivesLies(t *testing.T) {
	const events = 25
	tamper := clienttest.Text(func(body []byte) []byte {
		return []byte(strings.Replace(string(body), `"signature":"`, `"signature":"A`, 1))
	})
	query := func(l clienttest.Lie) clienttest.Lie { return clienttest.At("/v1/knowledge/query", l) }
	for _, test := range []struct {
		name       string
		lie        clienttest.Lie
		code       fault.Code // of the first sync
		exceptions int
	}{
		{"an honest service", func(h http.Handler) http.Handler { return h }, "", 0},
		{"a tampered signature", query(tamper), "", 1},
		{"another service's name", query(clienttest.Set("service", "https://lab.example.org")), fault.InvalidResponse, 0},
		{"a truncated body", query(clienttest.Only(0, clienttest.Truncate(500))), "", 0}, // a read is tried again
		{"an HTML error", query(clienttest.Status(500, "text/html", "<h1>\x1b[31mno</h1>")), fault.UnavailableCode, 0},
		{"a cursor that leads nowhere", query(clienttest.Set("next_cursor", "again")), fault.InvalidCursor, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWired(t, events)
			w.serve(test.lie(w.hub))
			first := w.sync(t)
			if code(first.Err) != test.code || first.After.Exceptions != test.exceptions || first.After.Complete != (test.code == "") {
				t.Errorf("first: %v, %+v", first.Err, first.After)
			}
			w.serve(w.hub)
			second := w.sync(t)
			want := desk.Follow{Checkpoint: events, Complete: true, Reached: events}
			got := second.After
			got.AsOf, got.Tried = 0, 0
			if second.Err != nil || got.Checkpoint != want.Checkpoint || got.Reached != want.Reached || !got.Complete ||
				got.Exceptions != 0 || got.Trouble != want.Trouble || got.Faults != nil {
				t.Errorf("second: %v, %+v", second.Err, got)
			}
			stats, err := w.Stats(t.Context())
			if err != nil || stats.Events != events || stats.Pending != 0 {
				t.Errorf("%+v, %v", stats, err)
			}
		})
	}
}

func TestAResetServiceOverTLSIsNamed_8_3(t *testing.T) {
	w := newWired(t, 20)
	if s := w.sync(t); s.Err != nil {
		t.Fatal(s.Err)
	}
	w.serve(clienttest.NewHub(t, hub, w.clock, 5))
	s := w.sync(t)
	if s.Err == nil || len(s.After.Faults) != 1 || s.After.Faults[0].Kind != desk.AfterRefused || s.After.Checkpoint != 20 {
		t.Errorf("%v, %+v", s.Err, s.After)
	}
}

// One record that is larger than a page may be is an exception at its seq, by the name
// that it gives itself; everything behind it is followed (9.3.1, 9.6).
func TestSyncOverTLSPassesAHugeRecord_9_3_1(t *testing.T) {
	const events, huge = 25, "5"
	w := newWiredWith(t, events, client.Limits{PageBytes: 200_000})
	w.serve(clienttest.At("/v1/knowledge/query", clienttest.Document(func(doc map[string]any) {
		for _, record := range doc["result"].([]any) {
			if record := record.(map[string]any); fmt.Sprint(record["seq"]) == huge {
				record["envelope"].(map[string]any)["more"] = strings.Repeat("x", 300_000)
			}
		}
	}))(w.hub))
	for range 2 {
		s := w.sync(t)
		if s.Err != nil || !s.After.Complete || s.After.Checkpoint != events || s.After.Exceptions != 1 {
			t.Fatalf("%v, %+v", s.Err, s.After)
		}
	}
	left, err := w.Exceptions(t.Context(), "hub", 0, 10)
	if err != nil || len(left) != 1 {
		t.Fatalf("%v, %v", left, err)
	}
	if e := left[0]; e.Seq != 5 || e.Code != fault.PayloadTooLarge || !e.ID.IsZero() || e.Claimed != w.hub.IDs[4] || e.Tries != 2 {
		t.Errorf("%+v", e)
	}
	page, err := w.Page(t.Context(), w.hub.IDs[9])
	if err != nil || page.Shown.At[0].Facts.Lifecycle != view.Partial {
		t.Errorf("beside an exception: %+v, %v", page.Shown.At, err)
	}
	w.serve(w.hub)
	if s := w.sync(t); s.Err != nil || s.After.Exceptions != 0 {
		t.Errorf("healed: %v, %+v", s.Err, s.After)
	}
}

func TestARegrownServiceOverTLSIsNamed_8_3(t *testing.T) {
	w := newWired(t, 20)
	if s := w.sync(t); s.Err != nil {
		t.Fatal(s.Err)
	}
	regrown := clienttest.NewHub(t, hub, w.clock, 10)
	for i := 40; i < 60; i++ {
		regrown.Add(clienttest.Event(t, i, identity.ID{}))
	}
	w.serve(regrown)
	s := w.sync(t)
	if len(s.After.Faults) == 0 || s.After.Faults[0].Kind != desk.SeqShared || s.After.Checkpoint != 30 {
		t.Errorf("%v, %+v", s.Err, s.After)
	}
}

func TestCheckOverTLS_9_6(t *testing.T) {
	w := newWired(t, 20)
	ids := w.hub.IDs
	out, err := w.Check(t.Context(), ids[3])
	if err != nil || out[0].Facts.Lifecycle != view.Active || len(out[0].Facts.Assessments) != 1 || out[0].Record.Seq != 4 {
		t.Fatalf("%+v, %v", out, err)
	}
	if out, err = w.Check(t.Context(), identity.ID{1}); err != nil || !out[0].Missing || out[0].Err != nil {
		t.Errorf("%+v, %v", out, err)
	}
	state, err := w.CheckService(t.Context(), "hub")
	if err != nil || len(state.Discovery.Peers) != 1 {
		t.Errorf("%+v, %v", state, err)
	}
}

var _ explore.Remote = (*client.Client)(nil)
