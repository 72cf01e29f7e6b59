package client_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strconv"
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

// One record that is over the limits alone is a refusal at its seq, and the walk goes
// on behind it (9.3.1).
func TestQueryPassesWhatIsTooLarge_9_3_1(t *testing.T) {
	grow := clienttest.At(wire.QueryPath, clienttest.Document(func(doc map[string]any) {
		for _, record := range doc["result"].([]any) {
			if text, _ := json.Marshal(record); len(text) > 20_000 {
				record.(map[string]any)["envelope"].(map[string]any)["more"] = strings.Repeat("x", identity.MaxEnvelopeBytes)
			}
		}
	}))
	for name, w := range map[string]*world{
		"values": newWorld(t, 10, nil, client.Limits{Values: 3_000}),
		"bytes":  newWorld(t, 10, grow, client.Limits{PageBytes: 50_000}),
	} {
		big := []identity.ID{}
		for i := range 3 {
			e := heavy(t, i, 20_000)
			w.hub.Add(e)
			big = append(big, e.ID())
			if i > 0 {
				w.hub.Add(clienttest.Event(t, 40+i, identity.ID{}))
			}
		}
		_, items, err := w.query(t.Context(), wire.Query{})
		if err != nil || len(items) != len(w.hub.IDs) {
			t.Fatalf("%s: %d of %d items, %v", name, len(items), len(w.hub.IDs), err)
		}
		for i, item := range items {
			if item.Seq != uint64(i+1) || item.AcceptedAt == 0 {
				t.Errorf("%s: item %d has seq %d", name, i, item.Seq)
			}
			if !slices.Contains(big, w.hub.IDs[i]) {
				if item.Refusal != nil || item.Offer.Event().ID() != w.hub.IDs[i] {
					t.Errorf("%s: item %d is refused: %v", name, i, item.Refusal)
				}
				continue
			}
			if r := item.Refusal; r == nil || r.Code != fault.PayloadTooLarge || r.Step != fault.StepLimit || item.Claimed != w.hub.IDs[i] {
				t.Errorf("%s: item %d: %v, claims %v", name, i, r, item.Claimed)
			}
			if !item.Offer.Envelope().IsZero() {
				t.Errorf("%s: item %d is both", name, i)
			}
		}
	}
}

// A page that is filled up with what nobody defines loses that, and not its record.
func TestQueryLeavesPaddingOut_9_3_1(t *testing.T) {
	pad := clienttest.At(wire.QueryPath, clienttest.Document(func(doc map[string]any) {
		for _, record := range doc["result"].([]any) {
			record.(map[string]any)["note"] = strings.Repeat("x", 20_000)
		}
		doc["advert"] = strings.Repeat("[", 20_000)
	}))
	w := newWorld(t, 3, pad, client.Limits{PageBytes: 8_000})
	_, items, err := w.query(t.Context(), wire.Query{})
	if err != nil || !slices.Equal(idsOf(items), w.hub.IDs) {
		t.Errorf("%d items, %v", len(items), err)
	}
}

// What cannot be passed is told with the place, and what came before it stands.
func TestQueryStopsAtTheImpassable_9_3_1(t *testing.T) {
	last := func(change func(record map[string]any)) clienttest.Lie {
		return clienttest.At(wire.QueryPath, clienttest.Document(func(doc map[string]any) {
			list := doc["result"].([]any)
			for _, record := range list {
				if record := record.(map[string]any); fmt.Sprint(record["seq"]) == "5" {
					change(record)
				}
			}
		}))
	}
	huge := func(record map[string]any) { record["note"] = strings.Repeat("x", 40_000) }
	seq := func(record map[string]any) { record["accepted_at"] = json.Number("1" + strings.Repeat("0", 1_000_000)) }
	for name, w := range map[string]*world{
		"bytes": newWorld(t, 9, last(huge), client.Limits{PageBytes: 9_000, SkimBytes: 20_000}),
		"frame": newWorld(t, 9, last(seq), client.Limits{PageBytes: 9_000}),
	} {
		_, items, err := w.query(t.Context(), wire.Query{})
		var u *fault.Unavailable
		if !errors.As(err, &u) || u.Code != fault.PayloadTooLarge || u.Hint == "" || len(items) != 4 {
			t.Errorf("%s: %d items, %v", name, len(items), err)
		}
	}
	w := newWorld(t, 0, nil, client.Limits{Values: 3_000, Skims: 2})
	for i := range 3 {
		w.hub.Add(heavy(t, i, 20_000))
	}
	_, items, err := w.query(t.Context(), wire.Query{})
	var u *fault.Unavailable
	if !errors.As(err, &u) || u.Code != fault.Partial || len(items) != 2 {
		t.Errorf("bounded: %d items, %v", len(items), err)
	}
}

// tooBroad refuses requests for more than most records in the words of 9.7.
func tooBroad(code fault.Code, most int) clienttest.Lie {
	return func(honest http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked := 100
			if n, err := strconv.Atoi(r.URL.Query().Get("limit")); err == nil {
				asked = n
			}
			if r.Method == http.MethodPost {
				body, _ := io.ReadAll(r.Body)
				asked = strings.Count(string(body), `"`)/2 - 1
				r.Body = io.NopCloser(bytes.NewReader(body))
			}
			if r.URL.Path == wire.DiscoveryPath || asked <= most {
				honest.ServeHTTP(w, r)
				return
			}
			failure := wire.Error{Code: code, Message: "too much"}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(failure.Status())
			w.Write(failure.Append(nil))
		})
	}
}

// What is too broad for a service is asked for in smaller parts (9.7), down to one.
func TestSmallerRequests_9_7(t *testing.T) {
	for _, code := range []fault.Code{fault.QueryTooBroad, fault.PayloadTooLarge} {
		for _, most := range []int{1, 3, 40} {
			w := newWorld(t, 25, tooBroad(code, most), client.Limits{})
			if _, items, err := w.query(t.Context(), wire.Query{}); err != nil || !slices.Equal(idsOf(items), w.hub.IDs) {
				t.Errorf("%s, %d: a query gives %d items, %v", code, most, len(items), err)
			}
			var ids, found, missing, absent []identity.ID
			for i, id := range w.hub.IDs {
				ids = append(ids, id)
				if i%3 == 0 {
					id[0] ^= 1
					ids, absent = append(ids, id), append(absent, id)
				}
			}
			for page, err := range w.client.Batch(t.Context(), ids) {
				if err != nil {
					t.Fatalf("%s, %d: %v", code, most, err)
				}
				found, missing = append(found, idsOf(page.Items)...), append(missing, page.Missing...)
			}
			if !slices.Equal(found, w.hub.IDs) || !slices.Equal(missing, absent) {
				t.Errorf("%s, %d: a batch gives %d found, %d missing", code, most, len(found), len(missing))
			}
		}
		w := newWorld(t, 5, tooBroad(code, 0), client.Limits{})
		var r *fault.Refusal
		if _, items, err := w.query(t.Context(), wire.Query{}); !errors.As(err, &r) || r.Code != code || len(items) > 0 {
			t.Errorf("%s: nothing helps: %d items, %v", code, len(items), err)
		}
		for _, err := range w.client.Batch(t.Context(), w.hub.IDs) {
			if !errors.As(err, &r) || r.Code != code {
				t.Errorf("%s: nothing helps: %v", code, err)
			}
		}
		if n := w.paths(wire.QueryPath) + w.paths(wire.BatchPath); n > 10 {
			t.Errorf("%s: %d requests where nothing helps", code, n)
		}
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
