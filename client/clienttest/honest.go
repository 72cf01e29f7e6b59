package clienttest

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"akx/client/service"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/memory"
	"akx/view/wire"
)

// Hub is an honest service with a store in memory: what a Lie starts from.
type Hub struct {
	Core *service.Core
	// IDs of its events in seq order: publications, but for every fifth, which is an
	// assessment of the one before.
	IDs []identity.ID

	store *memory.Store
	clock *Clock
	t     testing.TB
}

// NewHub makes a service at origin with n events. Changes edit its options.
func NewHub(t testing.TB, origin identity.Origin, clock *Clock, n int, changes ...func(*service.Options)) *Hub {
	now := func() int64 { return clock.Now().UnixMilli() }
	store := memory.New(string(origin), now)
	o := service.Options{Origin: origin, Clock: clock.Now, Ranked: true, Peers: []identity.Origin{"https://peer.example"}}
	for _, change := range changes {
		change(&o)
	}
	h := &Hub{store: store, clock: clock, t: t, Core: service.New(store, o)}
	for i := range n {
		target := identity.ID{}
		if i%5 == 4 {
			target = h.IDs[i-1]
		}
		h.Add(Event(t, i, target))
	}
	return h
}

// Add lets the hub accept an event.
func (h *Hub) Add(e capsule.Event) {
	h.t.Helper()
	terms := capsule.Terms{Now: h.clock.Now().UnixMilli(), Skew: capsule.DefaultSkew}
	if _, _, err := h.store.Submit(context.Background(), capsule.OfferOf(e), terms); err != nil {
		h.t.Fatal(err)
	}
	h.IDs = append(h.IDs, e.Envelope().ID())
}

// Record is the record of the event number i as a document.
func (h *Hub) Record(i int) []byte {
	r, err := h.store.Record(context.Background(), h.IDs[i])
	if err != nil {
		h.t.Fatal(err)
	}
	return r.Append(nil)
}

const commons = `{"license":"https://creativecommons.org/licenses/by/4.0/","basis":"Made for a test.",` +
	`"context":{"scope":"tests","conditions":[],"limitations":[]},`

// Event signs the event number i: an assessment of target, or a publication where
// target is zero.
func Event(t testing.TB, i int, target identity.ID) capsule.Event {
	typ, payload := "knowledge.publish", commons+`"kind":"observation","title":"Entry `+strconv.Itoa(i)+
		`","statement":"Cache keys of entry `+strconv.Itoa(i)+` lose the language.","language":"en","tags":["entry"]}`
	if !target.IsZero() {
		typ, payload = "knowledge.assess", commons+`"verdict":"supports","summary":"It holds.","target":"`+target.String()+`"}`
	}
	return Sign(t, identity.TestKey(0x21), typ, int64(i)+1, payload)
}

// Sign signs one event; the payload must be valid.
func Sign(t testing.TB, key identity.Key, typ string, nonce int64, payload string) capsule.Event {
	t.Helper()
	v, err := identity.Parse([]byte(payload))
	if err != nil {
		t.Fatal(err)
	}
	envelope, err := identity.Sign(key, identity.Draft{Protocol: capsule.Protocol, Type: typ,
		CreatedAt: 1_770_000_000_000 + nonce, Nonce: nonce, Payload: v}, capsule.Format())
	if err != nil {
		t.Fatal(err)
	}
	offer, err := capsule.Open([]byte(envelope.Text()))
	if err != nil || offer.Event() == nil {
		t.Fatal(err, offer.Refusal())
	}
	return offer.Event()
}

// ServeHTTP answers as 9.1 says, at the default paths.
func (h *Hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	document, err := h.answer(r)
	w.Header().Set("Content-Type", "application/json")
	if err != nil {
		failure := wire.ErrorOf(err)
		w.WriteHeader(failure.Status())
		w.Write(failure.Append(nil))
		return
	}
	w.Write(document.Append(nil))
}

type document interface{ Append([]byte) []byte }

func (h *Hub) answer(r *http.Request) (document, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		return nil, err
	}
	ctx := r.Context()
	switch path := r.URL.Path; {
	case path == wire.DiscoveryPath:
		return h.Core.Discovery(), nil
	case path == wire.QueryPath:
		return h.Core.Query(ctx, params(r.URL.RawQuery))
	case path == wire.BatchPath && r.Method == http.MethodPost:
		return h.Core.Batch(ctx, body)
	case path == wire.SearchPath && r.Method == http.MethodPost:
		return h.Core.Search(ctx, body)
	case strings.HasPrefix(path, wire.EventsPath+"/"):
		return h.Core.Get(ctx, strings.TrimPrefix(path, wire.EventsPath+"/"))
	}
	return nil, &fault.Refusal{Code: fault.NotFound, Detail: "no such endpoint"}
}

func params(query string) []wire.Param {
	var list []wire.Param
	for part := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(part, "=")
		if part == "" {
			continue
		}
		name, _ = url.QueryUnescape(name)
		value, _ = url.QueryUnescape(value)
		list = append(list, wire.Param{Name: name, Value: value})
	}
	return list
}
