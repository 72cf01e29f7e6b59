package client_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"akx/client"
	"akx/client/clienttest"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

func TestLiesAboutBatches_9_4(t *testing.T) {
	missing := func(change func([]any) []any) clienttest.Lie {
		return clienttest.Document(func(d map[string]any) { d["missing"] = change(d["missing"].([]any)) })
	}
	stranger := identity.ID{7}.String()
	for _, c := range []lieCase{
		{"none left out", askBatch, func(h http.Handler) http.Handler { return h }, 3, 0, "", ""},
		{"one left out", askBatch, clienttest.Results(func(l []any) []any { return l[1:] }), 0, 0, fault.InvalidResponse, ""},
		{"one more", askBatch, missing(func(l []any) []any { return append(l, stranger) }), 0, 0, fault.InvalidResponse, ""},
		{"another one", askBatch, missing(func([]any) []any { return []any{stranger} }), 0, 0, fault.InvalidResponse, ""},
		{"wrong order", askBatch, clienttest.Results(func(l []any) []any { l[0], l[1] = l[1], l[0]; return l }), 0, 0, fault.InvalidResponse, ""},
		{"twice", askBatch, clienttest.Results(func(l []any) []any { return append(l, l[0]) }), 0, 0, fault.InvalidResponse, "/result/3"},
		{"twice in missing", askBatch, missing(func(l []any) []any { return append(l, l[0]) }), 0, 0, fault.InvalidResponse, "/missing/1"},
		{"in both", askBatch, clienttest.Document(func(d map[string]any) {
			d["missing"] = []any{envelopeOf(d["result"].([]any), 0)["hash"]}
		}), 0, 0, fault.InvalidResponse, ""},
		{"no missing", askBatch, clienttest.Drop("missing"), 0, 0, fault.InvalidResponse, "/missing"},
		{"not an ID", askBatch, missing(func([]any) []any { return []any{"x"} }), 0, 0, fault.InvalidResponse, "/missing/0"},
		{"another service", askBatch, clienttest.Set("service", "https://lab.example"), 0, 0, fault.InvalidResponse, "/service"},
		{"a seq past the checkpoint", askBatch, clienttest.Set("checkpoint", 1), 0, 0, fault.InvalidResponse, "/result/0/seq"},
		{"a cursor", askBatch, clienttest.Set("next_cursor", "x"), 0, 0, fault.InvalidResponse, "/next_cursor"},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, wire.BatchPath, client.Limits{}) })
	}
}

func TestLiesAboutEvents_9_1(t *testing.T) {
	for _, c := range []lieCase{
		{"another event", askEvent, clienttest.Change(func(_ *http.Request, a *clienttest.Answer) { a.Body = anotherRecord(t) }), 0, 0, fault.InvalidResponse, ""},
		{"an envelope alone", askEvent, clienttest.Change(func(_ *http.Request, a *clienttest.Answer) {
			var d map[string]json.RawMessage
			json.Unmarshal(a.Body, &d)
			a.Body = d["envelope"]
		}), 0, 0, fault.InvalidResponse, ""},
		{"a search hit", askEvent, clienttest.Text(func(b []byte) []byte { return fmt.Appendf(nil, `{"record":%s}`, b) }), 0, 0, fault.InvalidResponse, ""},
		{"no seq", askEvent, clienttest.Drop("seq"), 0, 0, fault.InvalidResponse, ""},
		{"seq 0", askEvent, clienttest.Set("seq", 0), 0, 0, fault.InvalidResponse, "/seq"},
		{"no time", askEvent, clienttest.Drop("accepted_at"), 0, 0, fault.InvalidResponse, ""},
		{"a negative time", askEvent, clienttest.Set("accepted_at", -1), 0, 0, fault.InvalidResponse, "/accepted_at"},
		{"null", askEvent, clienttest.Text(func([]byte) []byte { return []byte("null") }), 0, 0, fault.InvalidResponse, ""},
		{"a further member", askEvent, clienttest.Set("verified", true), 1, 0, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, wire.EventsPath, client.Limits{}) })
	}
}

func anotherRecord(t *testing.T) []byte {
	return clienttest.NewHub(t, hubOrigin, clienttest.NewClock(t, 0), 2).Record(1)
}

func TestLiesAboutSearches_9_5(t *testing.T) {
	coverage := func(exhaustive bool, reasons ...any) clienttest.Lie {
		return clienttest.Set("coverage", map[string]any{"exhaustive": exhaustive, "reasons": append([]any{}, reasons...)})
	}
	for _, c := range []lieCase{
		{"honest", askSearch, func(h http.Handler) http.Handler { return h }, 8, 0, "", ""},
		{"a hit that does not match", askSearch, clienttest.Change(func(r *http.Request, a *clienttest.Answer) {
			h := clienttest.NewHub(t, hubOrigin, clienttest.NewClock(t, 0), 5)
			a.Body = fmt.Appendf(nil, `{"result":[{"record":%s}],"service":%q,"checkpoint":9,"as_of":9,`+
				`"ranking":{"mode":"lexical","id":"x"},"coverage":{"exhaustive":true,"reasons":[]}}`, h.Record(4), hubOrigin)
		}), 0, 0, fault.InvalidResponse, "/result/0/record"},
		{"one hit twice", askSearch, clienttest.Results(func(l []any) []any { return append(l[:1], l[0]) }), 0, 0, fault.InvalidResponse, "/result/1/record"},
		{"more hits than asked for", askSearch, clienttest.Results(func(l []any) []any { return append(l, l[0], l[1], l[2]) }), 0, 0, fault.InvalidResponse, "/result"},
		{"a cursor", askSearch, clienttest.Set("next_cursor", "x"), 0, 0, fault.InvalidResponse, "/next_cursor"},
		{"another mode", askSearch, clienttest.Document(func(d map[string]any) {
			d["ranking"] = map[string]any{"mode": "semantic", "id": "x"}
			d["coverage"] = map[string]any{"exhaustive": false, "reasons": []any{"approximate"}}
		}), 0, 0, fault.InvalidResponse, "/ranking/mode"},
		{"exhaustive with a reason", askSearch, coverage(true, "timeout"), 0, 0, fault.InvalidResponse, "/coverage/reasons"},
		{"not exhaustive without a reason", askSearch, coverage(false), 0, 0, fault.InvalidResponse, "/coverage/reasons"},
		{"an unknown reason", askSearch, coverage(false, "mood"), 0, 0, fault.InvalidResponse, "/coverage/reasons/0"},
		{"no coverage", askSearch, clienttest.Drop("coverage"), 0, 0, fault.InvalidResponse, "/coverage"},
		{"no ranking", askSearch, clienttest.Drop("ranking"), 0, 0, fault.InvalidResponse, "/ranking"},
		{"another service", askSearch, clienttest.Set("service", "https://lab.example"), 0, 0, fault.InvalidResponse, "/service"},
		{"a seq past the checkpoint", askSearch, clienttest.Set("checkpoint", 0), 0, 0, fault.InvalidResponse, "/result/0/record/seq"},
		{"an empty explanation", askSearch, clienttest.Results(func(l []any) []any {
			l[0].(map[string]any)["explanation"] = ""
			return l
		}), 0, 0, fault.InvalidResponse, "/result/0/explanation"},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, wire.SearchPath, client.Limits{}) })
	}
}

func TestLiesAboutDiscovery_9_2(t *testing.T) {
	endpoint := func(name, url string) clienttest.Lie {
		return clienttest.Document(func(d map[string]any) { d["endpoints"].(map[string]any)[name] = url })
	}
	for _, c := range []lieCase{
		{"another service", askDiscover, clienttest.Set("service", "https://lab.example"), 0, 0, fault.InvalidDiscovery, "/service"},
		{"another protocol", askDiscover, clienttest.Set("protocol", "agent-knowledge/2.0"), 0, 0, fault.InvalidDiscovery, "/protocol"},
		{"an endpoint elsewhere", askQuery, endpoint("query", "https://lab.example/q"), 0, 0, fault.InvalidDiscovery, "/endpoints/query"},
		{"an endpoint inward", askBatch, endpoint("batch", "https://127.0.0.1/b"), 0, 0, fault.InvalidDiscovery, "/endpoints/batch"},
		{"an endpoint on another port", askSearch, endpoint("search", "https://hub.example:8443/s"), 0, 0, fault.InvalidDiscovery, "/endpoints/search"},
		{"an endpoint with userinfo", askEvent, endpoint("events", "https://hub.example@evil.example/e"), 0, 0, fault.InvalidDiscovery, "/endpoints/events"},
		{"an endpoint without TLS", askEvent, endpoint("events", "http://hub.example/e"), 0, 0, fault.InvalidDiscovery, "/endpoints/events"},
		{"modes without lexical", askDiscover, clienttest.Set("search_modes", []any{"semantic"}), 0, 0, fault.InvalidDiscovery, "/search_modes"},
		{"itself as a peer", askDiscover, clienttest.Set("peers", []any{string(hubOrigin)}), 0, 0, fault.InvalidDiscovery, "/peers/0"},
		{"a limit of 0", askDiscover, clienttest.Set("limits", map[string]any{"max_page": 0}), 0, 0, fault.InvalidDiscovery, "/limits/max_page"},
		{"not JSON", askQuery, clienttest.Text(func([]byte) []byte { return []byte("<html>") }), 0, 0, fault.InvalidDiscovery, ""},
		{"HTML", askQuery, clienttest.Status(200, "text/html", "<html>"), 0, 0, fault.InvalidResponse, ""},
		{"absent", askQuery, clienttest.Status(404, "text/html", "<html>"), 0, 0, fault.NotFound, ""},
		{"a redirect", askQuery, clienttest.Redirect(302, "https://127.0.0.1/"), 0, 0, fault.UnavailableCode, ""},
		{"endless", askQuery, clienttest.Endless(`{"x":"`, "a"), 0, 0, fault.PayloadTooLarge, ""},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, wire.DiscoveryPath, client.Limits{}) })
	}
}
