package client_test

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"akx/client"
	"akx/client/clienttest"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// heavy is an event with n small values in its annotations.
func heavy(t testing.TB, i, n int) capsule.Event {
	return clienttest.Sign(t, identity.TestKey(0x23), "knowledge.publish", int64(i+1),
		`{"license":"https://a.example/","basis":"B","context":{"scope":"s","conditions":[],"limitations":[]},`+
			`"kind":"question","title":"T","statement":"S","language":"en","extra":{"n":[0`+strings.Repeat(",0", n)+`]}}`)
}

// Pages over a limit are asked for again in smaller ones, and then in larger ones:
// no event is lost or repeated by it, and one author's heavy events stop nobody.
func TestQueryShrinks_9_3_1(t *testing.T) {
	for name, limits := range map[string]client.Limits{
		"values": {Values: 3_000}, "bytes": {PageBytes: 10_000}, "neither": {},
	} {
		w := newWorld(t, 30, nil, limits)
		for i := range 8 {
			w.hub.Add(heavy(t, i, 2_500))
		}
		for i := 40; i < 140; i++ {
			w.hub.Add(clienttest.Event(t, i, identity.ID{}))
		}
		pages, items, err := w.query(t.Context(), wire.Query{Limit: 100})
		if err != nil || !slices.Equal(idsOf(items), w.hub.IDs) {
			t.Errorf("%s: %d of %d items, %v", name, len(items), len(w.hub.IDs), err)
		}
		if shrunk := len(pages) > 2; shrunk != (name != "neither") || len(pages) > 60 {
			t.Errorf("%s: %d pages", name, len(pages))
		}
		items = nil
		for page, err := range w.client.Batch(t.Context(), w.hub.IDs[20:50]) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			items = append(items, page.Items...)
		}
		if !slices.Equal(idsOf(items), w.hub.IDs[20:50]) {
			t.Errorf("%s: %d items in batches", name, len(items))
		}
	}
}

// One record that is over the limits alone ends the walk, with what came before.
func TestQueryTooLarge(t *testing.T) {
	w := newWorld(t, 10, nil, client.Limits{Values: 3_000})
	w.hub.Add(heavy(t, 0, 5_000))
	w.hub.Add(clienttest.Event(t, 40, identity.ID{}))
	_, items, err := w.query(t.Context(), wire.Query{})
	var u *fault.Unavailable
	if !errors.As(err, &u) || u.Code != fault.PayloadTooLarge || len(items) != 10 {
		t.Errorf("%d items, %v", len(items), err)
	}
}

// Commas in texts are no values.
func TestValuesAreCountedOutsideOfTexts(t *testing.T) {
	w := newWorld(t, 0, nil, client.Limits{Values: 200})
	w.hub.Add(clienttest.Sign(t, identity.TestKey(0x23), "knowledge.publish", 1,
		`{"license":"https://a.example/","basis":"B","context":{"scope":"s","conditions":[],"limitations":[]},`+
			`"kind":"question","title":"T","statement":"S\"`+strings.Repeat(",[{", 500)+`\\","language":"en"}`))
	if _, items, err := w.query(t.Context(), wire.Query{}); err != nil || len(items) != 1 {
		t.Errorf("%d items, %v", len(items), err)
	}
}

// Many small values, in whatever form, never take more than a bounded memory.
func TestMemoryIsBounded(t *testing.T) {
	for name, piece := range map[string]string{"numbers": "0,", "arrays": "[],", "objects": "{},", "members": `{"":0},`, "levels": "[[[[[[[],", "texts": `"",`} {
		body := `{"x":[` + strings.Repeat(piece, (4<<20)/len(piece)) + `0]}`
		w := newWorld(t, 1, clienttest.At(wire.QueryPath, clienttest.Status(200, "application/json", body)), client.Limits{})
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		_, _, err := w.query(t.Context(), wire.Query{Limit: 1})
		runtime.ReadMemStats(&after)
		var u *fault.Unavailable
		if !errors.As(err, &u) || u.Code != fault.PayloadTooLarge {
			t.Errorf("%s: %v", name, err)
		}
		// The body as it grows, on both sides of the wire, and no tree of values.
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 80<<20 {
			t.Errorf("%s: %d MiB were taken for %d", name, grown>>20, len(body)>>20)
		}
	}
}

// answerSeeds are bodies that a service may give.
func answerSeeds(t testing.TB, hub *clienttest.Hub) [][]byte {
	page, err := hub.Core.Query(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	hit := `{"result":[{"record":` + string(hub.Record(0)) + `}],"service":"https://hub.example","checkpoint":9,"as_of":9,` +
		`"ranking":{"mode":"lexical","id":"x"},"coverage":{"exhaustive":true,"reasons":[]}}`
	return [][]byte{page.Append(nil), hub.Record(0), hub.Record(2), []byte(hit), []byte("{}"), []byte(`{"result":[`),
		[]byte(`{"result":[],"service":"https://hub.example","checkpoint":1,"as_of":1}`),
		[]byte(`{"result":[],"service":"https://hub.example","checkpoint":1,"as_of":1,"next_cursor":"c"}`),
		[]byte(errorDocument("not_found", "x"))}
}

func TestAnswerSeeds(t *testing.T) {
	if n := len(answerSeeds(t, clienttest.NewHub(t, hubOrigin, clienttest.NewClock(t, 0), 3))); n < 9 {
		t.Errorf("%d seeds", n)
	}
}

func FuzzAnswers(f *testing.F) {
	hub := clienttest.NewHub(f, hubOrigin, clienttest.NewClock(f, 0), 3)
	for _, seed := range answerSeeds(f, hub) {
		f.Add(seed, 200, "application/json")
		f.Add(seed, 404, "application/json; charset=utf-8")
	}
	f.Add([]byte("{}"), 200, "text/html")
	f.Fuzz(func(t *testing.T, body []byte, status int, kind string) {
		c := client.New(hubOrigin, canned{hub, status, kind, body}, client.Limits{Pages: 3})
		for page, err := range c.Query(t.Context(), wire.Query{}) {
			checkItems(t, page.Items, err)
		}
		for page, err := range c.Batch(t.Context(), hub.IDs) {
			checkItems(t, page.Items, err)
		}
		item, err := c.Event(t.Context(), hub.IDs[0])
		if err == nil {
			checkItems(t, []wire.Item{item}, nil)
		}
		if _, err := c.Search(t.Context(), wire.SearchRequest{Text: "a", Mode: wire.Lexical}); err == nil && status != 200 {
			t.Error("an error is a search")
		}
	})
}

// checkItems holds that an item is proven or refused, and an error one of ours.
func checkItems(t *testing.T, items []wire.Item, err error) {
	var coded fault.Coded
	if err != nil && (!errors.As(err, &coded) || len(items) > 0) {
		t.Errorf("%d items beside %v", len(items), err)
	}
	for _, item := range items {
		if (item.Refusal == nil) == item.Offer.Envelope().IsZero() {
			t.Errorf("an item is neither proven nor refused: %+v", item)
		}
	}
}
