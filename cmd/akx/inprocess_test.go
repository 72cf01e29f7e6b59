package main

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"akx/client"
	"akx/client/fetch"
	"akx/client/service"
	"akx/explore/sample"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/memory"
	"akx/view/wire"
)

// sampleService is the sample as a service without a network.
func sampleService(t *testing.T, o service.HandlerOptions) *inProcess {
	t.Helper()
	clock := func() time.Time { return time.UnixMilli(sample.Now) }
	store := memory.New(string(hubOrigin), func() int64 { return sample.Now })
	core := service.New(store, service.Options{Origin: hubOrigin, Clock: clock, Ranked: true, PageBytes: 20_000})
	for _, line := range lines(string(sample.Text())) {
		if _, _, err := core.Submit(t.Context(), line); err != nil {
			t.Fatal(err)
		}
	}
	return &inProcess{origin: hubOrigin, handler: service.NewHandler(core, o)}
}

func TestClientInProcess(t *testing.T) {
	t.Parallel()
	c := client.New(hubOrigin, sampleService(t, service.HandlerOptions{}), client.Limits{})
	if d, err := c.Discover(t.Context()); err != nil || !d.Ranked() {
		t.Fatal(d, err)
	}
	if got := follow(t, c, 0); got != 101 {
		t.Errorf("checkpoint %d", got)
	}
	page, err := c.Search(t.Context(), wire.SearchRequest{Text: "cache", Mode: wire.Lexical, Limit: 3})
	if err != nil || len(page.Hits) != 3 {
		t.Fatal(len(page.Hits), err)
	}
	id := page.Hits[0].Item.Offer.Envelope().ID()
	for batch, err := range c.Batch(t.Context(), []identity.ID{{1}, id}) {
		if err != nil || len(batch.Items) != 1 || len(batch.Missing) != 1 {
			t.Error(batch, err)
		}
	}
	query := wire.Query{Filter: capsule.Filter{Target: id}}
	for _, err := range c.Query(t.Context(), query) {
		if err != nil {
			t.Error(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Event(ctx, id); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestInProcessBounds(t *testing.T) {
	t.Parallel()
	p := sampleService(t, service.HandlerOptions{Rate: 0.1, Burst: 3})
	var u *fault.Unavailable
	if _, err := p.Do(t.Context(), fetch.Request{URL: string(hubOrigin) + wire.QueryPath, MaxBytes: 100}); !errors.As(err, &u) || u.Code != fault.PayloadTooLarge {
		t.Errorf("a long answer: %v", err)
	}
	for _, url := range []string{"https://other.example" + wire.QueryPath, "http://hub.example/", "https://hub.example:444/", "::", ""} {
		if _, err := p.Do(t.Context(), fetch.Request{URL: url, MaxBytes: 1 << 20}); !errors.As(err, &u) {
			t.Errorf("%q: %v", url, err)
		}
	}
	missing := fetch.Request{URL: string(hubOrigin) + "/none", MaxBytes: 1 << 20}
	if answer, err := p.Do(t.Context(), missing); err != nil || answer.Status != 404 || answer.Type != "application/json" || len(answer.Body) == 0 {
		t.Errorf("%+v, %v", answer, err)
	}
	submitted := fetch.Request{URL: string(hubOrigin) + wire.EventsPath, Body: []byte("{"), MaxBytes: 1 << 20}
	if answer, err := p.Do(t.Context(), submitted); err != nil || answer.Status != 400 {
		t.Errorf("%+v, %v", answer, err)
	}
	if answer, err := p.Do(t.Context(), missing); err != nil || answer.Status != 429 || answer.RetryAfter != 10*time.Second {
		t.Errorf("%+v, %v", answer, err)
	}
	long := &inProcess{origin: hubOrigin, handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(500)
		_, _ = w.Write([]byte(strings.Repeat("x", maxErrorText+1)))
	})}
	if answer, err := long.Do(t.Context(), missing); err != nil || answer.Status != 500 || answer.Body != nil {
		t.Errorf("%d, %d bytes, %v", answer.Status, len(answer.Body), err)
	}
}
