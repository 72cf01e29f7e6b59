package service

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"testing"
	"time"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/memory"
	"akx/view/wire"
)

// FuzzHandler: whatever comes, the answer is a document with a status that goes
// with it, and a refusal changes nothing.
func FuzzHandler(f *testing.F) {
	for _, seed := range [][3]string{
		{"GET", wire.DiscoveryPath, ""}, {"GET", wire.QueryPath + "?limit=1&kind=question", ""}, {"GET", wire.QueryPath + "?cursor=AQ%3d", ""},
		{"HEAD", wire.QueryPath, ""}, {"GET", wire.EventsPath + "/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", ""},
		{"POST", wire.EventsPath, `{"hash":"","event":{},"signature":""}`}, {"POST", wire.BatchPath, `{"hashes":["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}`},
		{"POST", wire.SearchPath, `{"text":"a","mode":"lexical","filters":{"kind":"question"},"limit":1}`}, {"POST", wire.SearchPath, `{"text":"\ud800"}`},
		{"PUT", "/", "x"}, {"", "", ""},
	} {
		f.Add(seed[0], seed[1], []byte(seed[2]))
	}
	now := func() time.Time { return time.UnixMilli(1_000_000) }
	store := memory.New(string(origin), func() int64 { return now().UnixMilli() })
	h := NewHandler(New(store, Options{Origin: origin, Clock: now, Ranked: true}), HandlerOptions{})
	f.Fuzz(func(t *testing.T, method, target string, body []byte) {
		path, query, _ := bytes.Cut([]byte(target), []byte("?"))
		r := &http.Request{Method: method, URL: &url.URL{Path: string(path), RawQuery: string(query)}, Header: http.Header{"Content-Type": {"application/json"}},
			Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body))}
		before, err := store.Checkpoint(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		out := &recorder{header: http.Header{}}
		h.ServeHTTP(out, r.WithContext(t.Context()))
		if method == http.MethodHead {
			if out.body.Len() > 0 {
				t.Fatalf("a body for HEAD: %s", out.text())
			}
			return
		}
		after, err := store.Checkpoint(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if out.status == http.StatusOK {
			if _, err := identity.Parse(out.body.Bytes()); err != nil {
				t.Fatalf("%v in %s", err, out.text())
			}
			return
		}
		e, err := wire.ParseError(out.body.Bytes())
		own := out.status == http.StatusMethodNotAllowed || out.status == http.StatusUnsupportedMediaType
		if err != nil || e.Code == fault.QueryUnavailable || e.Status() != out.status && !own || after != before {
			t.Fatalf("%d %s, %v; checkpoint %d, then %d", out.status, out.text(), err, before, after)
		}
	})
}

// TestSeedsReachTheStore keeps the seeds above from all being refused early.
func TestSeedsReachTheStore(t *testing.T) {
	s := newSite(t, HandlerOptions{}, nil)
	s.add("one", "alpha")
	for _, c := range []testCall{get(wire.QueryPath + "?limit=1&kind=question"), post(wire.SearchPath, `{"text":"a","mode":"lexical","filters":{"kind":"question"},"limit":1}`),
		post(wire.BatchPath, string(wire.BatchRequest{IDs: []identity.ID{{1}}}.Append(nil))), post(wire.EventsPath, s.sign(capsule.Publish, s.now, question("two", "x")))} {
		s.store.calls = 0
		if out := do(t, s, c); out.status != 200 || s.store.calls == 0 {
			t.Errorf("%s %s: %d %s", c.method, c.target, out.status, out.text())
		}
	}
}
