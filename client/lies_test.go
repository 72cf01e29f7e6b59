package client_test

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"akx/client"
	"akx/client/clienttest"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// ask is one call of a client, with the items that came and how many are refused.
type ask func(ctx context.Context, w *world) (good, refused int, err error)

func count(items []wire.Item) (good, refused int) {
	for _, item := range items {
		if item.Refusal != nil || item.Offer.Refusal() != nil {
			refused++
			continue
		}
		good++
	}
	return good, refused
}

// Ten events in pages of four, so that the second page may lie.
func askQuery(ctx context.Context, w *world) (int, int, error) {
	_, items, err := w.query(ctx, wire.Query{Limit: 4})
	good, refused := count(items)
	return good, refused, err
}

func askFollow(ctx context.Context, w *world) (int, int, error) {
	var items []wire.Item
	var last error
	for page, err := range w.client.Follow(ctx, 0) {
		items, last = append(items, page.Items...), err
	}
	good, refused := count(items)
	return good, refused, last
}

// The batch asks for three events and one that is absent.
func askBatch(ctx context.Context, w *world) (int, int, error) {
	absent := w.hub.IDs[0]
	absent[9] ^= 1
	var items []wire.Item
	for page, err := range w.client.Batch(ctx, []identity.ID{w.hub.IDs[5], absent, w.hub.IDs[0], w.hub.IDs[2]}) {
		if err != nil {
			return 0, 0, err
		}
		items = append(items, page.Items...)
	}
	good, refused := count(items)
	return good, refused, nil
}

func askEvent(ctx context.Context, w *world) (int, int, error) {
	item, err := w.client.Event(ctx, w.hub.IDs[0])
	if err != nil {
		return 0, 0, err
	}
	good, refused := count([]wire.Item{item})
	return good, refused, nil
}

func askSearch(ctx context.Context, w *world) (int, int, error) {
	page, err := w.client.Search(ctx, wire.SearchRequest{Text: "cache", Mode: wire.Lexical, Limit: 10})
	var items []wire.Item
	for _, hit := range page.Hits {
		items = append(items, hit.Item)
	}
	good, refused := count(items)
	return good, refused, err
}

func askDiscover(ctx context.Context, w *world) (int, int, error) {
	_, err := w.client.Discover(ctx)
	return 0, 0, err
}

// lieCase is one lie, the call that meets it, and what must come of it.
type lieCase struct {
	name          string
	ask           ask
	lie           clienttest.Lie
	good, refused int
	code          fault.Code // of the error; empty for none
	path          string     // of a refusal
}

func (c lieCase) run(t *testing.T, at string, limits client.Limits) {
	t.Helper()
	w := newWorld(t, 10, clienttest.At(at, c.lie), limits)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	good, refused, err := c.ask(ctx, w)
	if good != c.good || refused != c.refused {
		t.Errorf("%d good and %d refused, want %d and %d", good, refused, c.good, c.refused)
	}
	var coded fault.Coded
	switch {
	case c.code == "" && err != nil:
		t.Errorf("an error: %v", err)
	case c.code != "" && !errors.As(err, &coded):
		t.Fatalf("no error with the code %s: %v", c.code, err)
	case c.code != "":
		if coded.FaultCode() != c.code {
			t.Errorf("code %s, want %s: %v", coded.FaultCode(), c.code, err)
		}
		var refusal *fault.Refusal
		if errors.As(err, &refusal) && refusal.Path != c.path {
			t.Errorf("path %q, want %q: %v", refusal.Path, c.path, err)
		}
		if text := err.Error(); text == "" || len(text) > 800 {
			t.Errorf("not one sentence: %q", text)
		}
	}
	if got := w.Elsewhere(w.server); len(got) > 0 {
		t.Errorf("requests went to %q", got)
	}
}

// envelopeOf gives the envelope of the record number i of a result.
func envelopeOf(list []any, i int) map[string]any {
	return list[i].(map[string]any)["envelope"].(map[string]any)
}

func setSeq(list []any, i int, seq any) []any {
	list[i].(map[string]any)["seq"] = seq
	return list
}

// inSecond lets a lie begin with the second page of a query.
func inSecond(lie clienttest.Lie) clienttest.Lie { return clienttest.From(1, lie) }

func TestLiesAboutRecords_3_1(t *testing.T) {
	tamper := func(edit func(envelope map[string]any)) clienttest.Lie {
		return clienttest.Only(1, clienttest.Results(func(list []any) []any {
			edit(envelopeOf(list, 1))
			return list
		}))
	}
	payload := func(envelope map[string]any) map[string]any {
		return envelope["event"].(map[string]any)["payload"].(map[string]any)
	}
	flip := func(s any) string {
		b := []byte(s.(string))
		if b[3]++; b[3] > 'z' || b[3] == '[' || b[3] == '`' || b[3] == ':' {
			b[3] = 'A'
		}
		return string(b)
	}
	for _, c := range []lieCase{
		// The page of four holds one bad record: nine are good.
		{"tampered text", askQuery, tamper(func(e map[string]any) { payload(e)["basis"] = "Quite another." }), 9, 1, "", ""},
		{"tampered signature", askQuery, tamper(func(e map[string]any) { e["signature"] = flip(e["signature"]) }), 9, 1, "", ""},
		{"malleable signature", askQuery, tamper(func(e map[string]any) {
			b := []byte(e["signature"].(string))
			b[len(b)-1]++ // trailing bits: the same bytes, spelled otherwise
			e["signature"] = string(b)
		}), 9, 1, "", ""},
		{"tampered hash", askQuery, tamper(func(e map[string]any) { e["hash"] = flip(e["hash"]) }), 9, 1, "", ""},
		{"no signature", askQuery, tamper(func(e map[string]any) { delete(e, "signature") }), 9, 1, "", ""},
		{"a further member", askQuery, tamper(func(e map[string]any) { e["more"] = 1 }), 9, 1, "", ""},
		{"another protocol", askQuery, tamper(func(e map[string]any) { e["event"].(map[string]any)["protocol"] = "agent-x/1.0" }), 9, 1, "", ""},
		{"another actor", askQuery, tamper(func(e map[string]any) {
			e["event"].(map[string]any)["actor"] = identity.TestKey(0x22).Actor().String()
		}), 9, 1, "", ""},
		{"envelopes exchanged", askQuery, clienttest.Only(1, clienttest.Results(func(list []any) []any {
			a, b := envelopeOf(list, 0), envelopeOf(list, 1)
			a["event"], b["event"] = b["event"], a["event"]
			return list
		})), 8, 2, "", ""},
		{"no hash", askQuery, tamper(func(e map[string]any) { delete(e, "hash") }), 4, 0, fault.InvalidResponse, "/result/1/envelope/hash"},
		{"in a batch", askBatch, clienttest.Results(func(list []any) []any {
			payload(envelopeOf(list, 1))["basis"] = "Another."
			return list
		}), 2, 1, "", ""},
		{"in a search", askSearch, clienttest.Results(func(list []any) []any {
			payload(list[1].(map[string]any)["record"].(map[string]any)["envelope"].(map[string]any))["title"] = "Better"
			return list
		}), 7, 1, "", ""},
		{"in a single event", askEvent, clienttest.Replace("Entry 0", "Entry 9"), 0, 1, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, "/v1/", client.Limits{}) })
	}
}

func TestLiesAboutPages_9_3_1(t *testing.T) {
	var repeated map[string]any
	for _, c := range []lieCase{
		{"another service", askQuery, inSecond(clienttest.Set("service", "https://lab.example")), 4, 0, fault.InvalidResponse, "/service"},
		{"no service", askQuery, clienttest.Drop("service"), 0, 0, fault.InvalidResponse, "/service"},
		{"no checkpoint", askQuery, clienttest.Drop("checkpoint"), 0, 0, fault.InvalidResponse, "/checkpoint"},
		{"no time", askQuery, clienttest.Drop("as_of"), 0, 0, fault.InvalidResponse, "/as_of"},
		{"no result", askQuery, clienttest.Drop("result"), 0, 0, fault.InvalidResponse, "/result"},
		{"result is null", askQuery, clienttest.Set("result", nil), 0, 0, fault.InvalidResponse, "/result"},
		{"an array", askQuery, clienttest.Text(func([]byte) []byte { return []byte("[]") }), 0, 0, fault.InvalidResponse, ""},
		{"a checkpoint that grows", askQuery, inSecond(clienttest.Set("checkpoint", 11)), 4, 0, fault.InvalidResponse, "/checkpoint"},
		{"a checkpoint that shrinks", askQuery, inSecond(clienttest.Set("checkpoint", 9)), 4, 0, fault.InvalidResponse, "/checkpoint"},
		{"a time that changes", askQuery, inSecond(clienttest.Set("as_of", 5)), 4, 0, fault.InvalidResponse, "/as_of"},
		{"a seq past the checkpoint", askQuery, inSecond(clienttest.Results(func(l []any) []any { return setSeq(l, 3, 11) })), 4, 0, fault.InvalidResponse, "/result/3/seq"},
		{"a seq of an earlier page", askQuery, inSecond(clienttest.Results(func(l []any) []any { return setSeq(l, 0, 4) })), 4, 0, fault.InvalidResponse, "/result/0/seq"},
		{"wrong order", askQuery, inSecond(clienttest.Results(func(l []any) []any { l[0], l[1] = l[1], l[0]; return l })), 4, 0, fault.InvalidResponse, "/result/1/seq"},
		{"one seq twice", askQuery, inSecond(clienttest.Results(func(l []any) []any { return setSeq(l, 1, 5) })), 4, 0, fault.InvalidResponse, "/result/1/seq"},
		{"seq 0", askQuery, clienttest.Results(func(l []any) []any { return setSeq(l, 0, 0) }), 0, 0, fault.InvalidResponse, "/result/0/seq"},
		{"a fraction of a seq", askQuery, clienttest.Results(func(l []any) []any { return setSeq(l, 0, 0.5) }), 0, 0, fault.InvalidResponse, "/result/0/seq"},
		{"one event twice on a page", askQuery, clienttest.Results(func(l []any) []any {
			l[1].(map[string]any)["envelope"] = envelopeOf(l, 0)
			return l
		}), 0, 0, fault.InvalidResponse, "/result/1"},
		{"one event on two pages", askQuery, clienttest.Results(func(l []any) []any {
			if repeated == nil {
				repeated = envelopeOf(l, 0)
				return l
			}
			l[2].(map[string]any)["envelope"] = repeated
			return l
		}), 4, 0, fault.InvalidResponse, "/result/2"},
		{"more than the limit", askQuery, clienttest.Change(func(r *http.Request, a *clienttest.Answer) {
			a.Body = hubPage(t, 5)
		}), 0, 0, fault.InvalidResponse, "/result"},
		{"the same cursor again", askQuery, clienttest.Change(keepCursor()), 8, 0, fault.InvalidResponse, "/result/0/seq"},
		{"an empty cursor", askQuery, clienttest.Set("next_cursor", ""), 0, 0, fault.InvalidResponse, "/next_cursor"},
		{"a cursor that is a number", askQuery, clienttest.Set("next_cursor", 7), 0, 0, fault.InvalidResponse, "/next_cursor"},
		{"unknown members", askQuery, clienttest.Document(func(d map[string]any) {
			d["score"] = 7
			d["result"].([]any)[0].(map[string]any)["verified"] = true
		}), 10, 0, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, wire.QueryPath, client.Limits{}) })
	}
}

// hubPage is a page with n records of a hub of ten.
func hubPage(t *testing.T, n int) []byte {
	w := newWorld(t, 10, nil, client.Limits{})
	page, err := w.hub.Core.Query(t.Context(), []wire.Param{{Name: "limit", Value: strconv.Itoa(n)}})
	if err != nil {
		t.Error(err)
	}
	return page.Append(nil)
}

// keepCursor lets all pages but the first be the second one again.
func keepCursor() func(*http.Request, *clienttest.Answer) {
	var second []byte
	return func(r *http.Request, a *clienttest.Answer) {
		switch {
		case second != nil:
			a.Body = second
		case strings.Contains(r.URL.RawQuery, "cursor="):
			second = a.Body
		}
	}
}

// Empty pages with a cursor are legal, and bounded (9.3.1).
func TestEmptyPages_9_3_1(t *testing.T) {
	empty := func(cursors func(n int) string) clienttest.Lie {
		n := 0
		return clienttest.Document(func(d map[string]any) {
			n++
			d["result"], d["next_cursor"] = []any{}, cursors(n)
			if d["next_cursor"] == "" {
				delete(d, "next_cursor")
			}
		})
	}
	for _, c := range []lieCase{
		{"endless", askQuery, empty(func(n int) string { return "c" + strconv.Itoa(n) }), 0, 0, fault.Partial, ""},
		{"a circle of one", askQuery, empty(func(int) string { return "c" }), 0, 0, fault.InvalidResponse, "/next_cursor"},
		{"a circle of three", askQuery, empty(func(n int) string { return "c" + strconv.Itoa(n%3) }), 0, 0, fault.InvalidResponse, "/next_cursor"},
		{"some, then the end", askQuery, empty(func(n int) string {
			if n > 50 {
				return ""
			}
			return "c" + strconv.Itoa(n)
		}), 0, 0, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			// The honest hub would refuse the invented cursors: it is asked without.
			drop := func(honest http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					r.URL.RawQuery = ""
					honest.ServeHTTP(w, r)
				})
			}
			lie := c.lie
			c.lie = func(honest http.Handler) http.Handler { return lie(drop(honest)) }
			c.run(t, wire.QueryPath, client.Limits{})
		})
	}
}

// A service that goes on and on with proven events is left after some pages.
func TestEndlessPages(t *testing.T) {
	c := lieCase{ask: func(ctx context.Context, w *world) (int, int, error) {
		_, items, err := w.query(ctx, wire.Query{Limit: 1})
		good, refused := count(items)
		return good, refused, err
	}, lie: func(h http.Handler) http.Handler { return h }, good: 7, code: fault.Partial}
	c.run(t, wire.QueryPath, client.Limits{Pages: 7})
}

// Every filter is checked again on what comes back (9.3).
func TestFilters_9_3(t *testing.T) {
	ignore := func(name string) clienttest.Lie {
		return func(honest http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				q := r.URL.Query()
				q.Del(name)
				r.URL.RawQuery = q.Encode()
				honest.ServeHTTP(w, r)
			})
		}
	}
	absent := identity.ID{1}.String()
	for name, value := range map[string]string{
		"actor": identity.TestKey(0x29).Actor().String(), "type": "knowledge.retract", "kind": "question", "tag": "other",
		"language": "zh", "verdict": "challenges", "target": absent, "relation": "extends", "profile": absent,
		"created_from": "1800000000000", "created_before": "7",
	} {
		t.Run(name, func(t *testing.T) {
			c := lieCase{ask: func(ctx context.Context, w *world) (int, int, error) {
				var q wire.Query
				if _, err := q.Filter.ParseFilter(name, value); err != nil {
					t.Fatal(err)
				}
				_, items, err := w.query(ctx, q)
				return len(items), 0, err
			}, lie: ignore(name), code: fault.InvalidResponse, path: "/result/0"}
			c.run(t, wire.QueryPath, client.Limits{})
		})
	}
}
