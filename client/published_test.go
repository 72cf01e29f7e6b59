package client_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"akx/client"
	"akx/client/clienttest"
	"akx/client/service"
	"akx/view/fault"
	"akx/view/wire"
)

// publishing makes a service publish limits of its own beside those that it has.
func publishing(limits map[string]any) clienttest.Lie {
	return clienttest.At(wire.DiscoveryPath, clienttest.Document(func(doc map[string]any) {
		for name, value := range limits {
			doc["limits"].(map[string]any)[name] = value
		}
	}))
}

// What a service publishes about itself is respected before it has to refuse; limits
// that nobody knows bind nobody (9.2, 9.7).
func TestPublishedLimitsAreRespected_9_7(t *testing.T) {
	w := newWorld(t, 23, publishing(map[string]any{wire.LimitPage: 7, wire.LimitReadBody: 300, "max_wishes": 1}), client.Limits{})
	pages, items, err := w.query(t.Context(), wire.Query{Limit: 1000})
	if err != nil || len(pages) != 4 || len(items) != 23 {
		t.Errorf("%d pages, %d items, %v", len(pages), len(items), err)
	}
	for _, r := range w.server.Requests() {
		_, query, asked := strings.Cut(r, wire.QueryPath+"?")
		if !asked {
			continue
		}
		query, _, _ = strings.Cut(query, " ")
		if values, err := url.ParseQuery(query); err != nil || values.Get("limit") != "7" {
			t.Errorf("%s, %v", r, err)
		}
	}
	got := 0
	for page, err := range w.client.Batch(t.Context(), w.hub.IDs) {
		if err != nil {
			t.Fatal(err)
		}
		got += len(page.Items)
	}
	if posts := w.paths(wire.BatchPath); got != 23 || posts < 4 || posts > 10 {
		t.Errorf("%d of a batch in %d requests", got, posts)
	}
	_, err = w.client.Search(t.Context(), wire.SearchRequest{Text: strings.Repeat("a", 400), Mode: wire.Lexical})
	var coded fault.Coded
	if !errors.As(err, &coded) || coded.FaultCode() != fault.PayloadTooLarge || w.paths(wire.SearchPath) != 0 {
		t.Errorf("a search that is too long: %v", err)
	}
}

// A batch of one ID that is over the limit cannot be split: that is told.
func TestABatchThatCannotBeSplit_9_7(t *testing.T) {
	w := newWorld(t, 2, publishing(map[string]any{wire.LimitReadBody: 20}), client.Limits{})
	var last error
	for _, err := range w.client.Batch(t.Context(), w.hub.IDs) {
		last = err
	}
	if u := (*fault.Unavailable)(nil); !errors.As(last, &u) || u.Code != fault.PayloadTooLarge || w.paths(wire.BatchPath) != 0 {
		t.Errorf("%v", last)
	}
}

// An envelope that is longer than a service says it takes is not sent, and judged by
// what the service says now (9.7).
func TestSubmitRespectsTheLongestEnvelope_9_7(t *testing.T) {
	w, store := newTaker(t, nil, service.HandlerOptions{})
	honest := service.NewHandler(service.New(store, service.Options{Origin: hubOrigin, Clock: w.clock.Now}), service.HandlerOptions{})
	most := 300
	w.server = w.Serve(hubOrigin, http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		publishing(map[string]any{wire.LimitEnvelope: most})(honest).ServeHTTP(out, r)
	}))
	text := envelope(t)
	_, err := w.client.Submit(t.Context(), text, "")
	var refusal *fault.Refusal
	if !errors.As(err, &refusal) || refusal.Code != fault.PayloadTooLarge || !strings.Contains(refusal.Detail, wire.LimitEnvelope) || w.posts() != 0 {
		t.Fatalf("%v, %d posts", err, w.posts())
	}
	most = len(text)
	if r, err := w.client.Submit(t.Context(), text, ""); err != nil || r.Seq != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

// The pace that a service publishes is kept: it never has to answer 429.
func TestRequestsKeepThePublishedPace_9_7(t *testing.T) {
	w, _ := newTaker(t, nil, service.HandlerOptions{Rate: 2, Burst: 3})
	begun := w.clock.Now()
	id := clienttest.Event(t, 0, [32]byte{})
	for i := range 13 {
		if _, err := w.client.Event(t.Context(), id.ID()); !errors.As(err, new(*fault.NotHeld)) {
			t.Fatalf("request %d: %v", i, err)
		}
	}
	// The bucket gives three at once; discovery took one more before it was known.
	if n, took := len(w.server.Requests()), w.clock.Now().Sub(begun); n != 14 || took < 5*time.Second || took > 7*time.Second {
		t.Errorf("%d requests in %v", n, took)
	}
}

// A service that holds a live question with pages that come as slowly as they may is
// left, and so is one that never ends; what came stays, and the end is PARTIAL (9.3.1).
func TestAWalkIsBoundedInTimeAndRecords_9_3_1(t *testing.T) {
	for name, c := range map[string]struct {
		slow     time.Duration // before each page
		limits   client.Limits
		followed bool
		want     int // records; all are 40, in pages of 2
	}{
		"all of it":                {time.Minute, client.Limits{Least: 1}, false, 40},
		"records":                  {0, client.Limits{Records: 10}, false, 10},
		"time":                     {10 * time.Minute, client.Limits{Least: 1}, false, 12},
		"time, followed":           {10 * time.Minute, client.Limits{Least: 1}, true, 40},
		"too little":               {time.Minute, client.Limits{}, false, 30},
		"too little, followed":     {time.Minute, client.Limits{}, true, 30},
		"records do not end that":  {0, client.Limits{Records: 10}, true, 40},
		"just enough of a drip":    {time.Minute, client.Limits{Least: 60, Window: 15 * time.Minute}, false, 30},
		"more than that is enough": {time.Minute, client.Limits{Least: 10, Window: 15 * time.Minute}, false, 40},
	} {
		t.Run(name, func(t *testing.T) {
			var w *world
			slow := clienttest.At(wire.QueryPath, func(honest http.Handler) http.Handler {
				return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
					w.clock.AfterFunc(c.slow, func() {})
					honest.ServeHTTP(out, r)
				})
			})
			w = newWorld(t, 40, func(honest http.Handler) http.Handler {
				return slow(publishing(map[string]any{wire.LimitPage: 2})(honest))
			}, c.limits)
			pages := w.client.Query(t.Context(), wire.Query{})
			if c.followed {
				pages = w.client.Follow(t.Context(), 0)
			}
			n, last := 0, error(nil)
			for page, err := range pages {
				n, last = n+len(page.Items), err
			}
			var u *fault.Unavailable
			if stopped := errors.As(last, &u) && u.Code == fault.Partial; n != c.want || stopped != (c.want < 40) || last != nil != stopped {
				t.Errorf("%d records, %v", n, last)
			}
		})
	}
}
