package client_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"akx/client"
	"akx/client/clienttest"
	"akx/client/fetch"
	"akx/view/fault"
	"akx/view/wire"
)

func TestBadJSON(t *testing.T) {
	doc := func(text string) clienttest.Lie {
		return inSecond(clienttest.Text(func([]byte) []byte { return []byte(text) }))
	}
	stamp := `"service":"https://hub.example","checkpoint":10,"as_of":1`
	for _, c := range []lieCase{
		{"a name twice", askQuery, doc(`{"result":[],"result":[],` + stamp + `}`), 4, 0, fault.InvalidResponse, ""},
		{"a name twice, deep", askQuery, doc(`{"result":[],` + stamp + `,"x":[{"a":1,"a":1}]}`), 4, 0, fault.InvalidResponse, ""},
		{"an unsafe integer", askQuery, doc(`{"result":[],"service":"https://hub.example","checkpoint":9007199254740992,"as_of":1}`), 4, 0, fault.InvalidResponse, ""},
		{"an unsafe integer, ignored", askQuery, doc(`{"result":[],` + stamp + `,"x":1e20}`), 4, 0, fault.InvalidResponse, ""},
		{"an unpaired surrogate", askQuery, doc(`{"result":[],` + stamp + `,"x":"\ud800"}`), 4, 0, fault.InvalidResponse, ""},
		{"not UTF-8", askQuery, doc("{\"x\":\"\xff\"}"), 4, 0, fault.InvalidResponse, ""},
		{"more after it", askQuery, doc(`{"result":[],` + stamp + `}{}`), 4, 0, fault.InvalidResponse, ""},
		{"nothing", askQuery, doc(""), 4, 0, fault.InvalidResponse, ""},
		{"half of it", askQuery, inSecond(clienttest.Text(func(b []byte) []byte { return b[:len(b)/2] })), 4, 0, fault.InvalidResponse, ""},
		{"a byte order mark", askQuery, inSecond(clienttest.Text(func(b []byte) []byte { return append([]byte("\ufeff"), b...) })), 4, 0, fault.InvalidResponse, ""},
		{"100,000 levels", askQuery, doc(strings.Repeat("[", 100_000)), 4, 0, fault.InvalidResponse, ""},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, wire.QueryPath, client.Limits{}) })
	}
}

func TestBadTransfers(t *testing.T) {
	for _, c := range []lieCase{
		{"endless", askQuery, inSecond(clienttest.Endless(`{"result":["`, "a")), 4, 0, fault.PayloadTooLarge, ""},
		{"endless values", askQuery, inSecond(clienttest.Endless(`{"result":[0`, ",0")), 4, 0, fault.PayloadTooLarge, ""},
		{"a bomb", askQuery, inSecond(clienttest.Bomb(64 << 20)), 4, 0, fault.PayloadTooLarge, ""},
		{"truncated", askQuery, inSecond(clienttest.Truncate(500)), 4, 0, fault.UnavailableCode, ""},
		{"truncated at once", askFollow, clienttest.Truncate(0), 0, 0, fault.UnavailableCode, ""},
		{"redirected inward", askQuery, inSecond(clienttest.Redirect(307, "https://10.0.0.1/")), 4, 0, fault.UnavailableCode, ""},
		{"redirected a batch", askBatch, clienttest.Redirect(308, "/elsewhere"), 0, 0, fault.UnavailableCode, ""},
		{"another content type", askQuery, clienttest.Change(func(_ *http.Request, a *clienttest.Answer) {
			a.Header.Set("Content-Type", "text/plain")
		}), 0, 0, fault.InvalidResponse, ""},
		{"no content type", askQuery, clienttest.Change(func(_ *http.Request, a *clienttest.Answer) {
			a.Header["Content-Type"] = nil
		}), 0, 0, fault.InvalidResponse, ""},
		{"a content type with parameters", askQuery, clienttest.Change(func(_ *http.Request, a *clienttest.Answer) {
			a.Header.Set("Content-Type", "Application/JSON ; charset=UTF-8")
		}), 10, 0, "", ""},
		{"an error with the status 200", askQuery, clienttest.Status(200, "application/json", `{"error":{"code":"not_found","message":"x"}}`), 0, 0, fault.InvalidResponse, "/service"},
		{"a success that is not 200", askQuery, clienttest.Change(func(_ *http.Request, a *clienttest.Answer) { a.Status = 206 }), 0, 0, fault.InvalidResponse, ""},
		{"no content", askQuery, clienttest.Status(204, "application/json", ""), 0, 0, fault.InvalidResponse, ""},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, "/v1/", client.Limits{PageBytes: 4 << 20}) })
	}
}

// A hanging service ends with a deadline, and at once with its context.
func TestHangs(t *testing.T) {
	for name, c := range map[string]struct {
		lie   clienttest.Lie
		days  time.Duration
		stage fetch.Stage
	}{
		"no answer":  {clienttest.Hang(), 3, fetch.Answering},
		"stops":      {clienttest.Stall(200), 4, fetch.Idling},
		"never ends": {clienttest.Stall(200), 5, fetch.Whole},
	} {
		for _, cancelled := range []bool{false, true} {
			w := newWorld(t, 10, clienttest.At(wire.QueryPath, inSecond(c.lie)), client.Limits{})
			ctx, cancel := context.WithCancel(t.Context())
			first := make(chan bool)
			result := make(chan error)
			go func() {
				var last error
				once := false
				for _, err := range w.client.Query(ctx, wire.Query{Limit: 4}) {
					if last = err; !once {
						once = true
						close(first)
					}
				}
				result <- last
			}()
			<-first
			w.clock.Await(c.days * 24 * time.Hour)
			if cancelled {
				cancel()
				if err := <-result; err != context.Canceled {
					t.Errorf("%s, cancelled: %v", name, err)
				}
				continue
			}
			w.clock.Pass(c.days * 24 * time.Hour)
			var f *fetch.Failure
			if err := <-result; !errors.As(err, &f) || f.Stage != c.stage {
				t.Errorf("%s: %v", name, err)
			}
			cancel()
		}
	}
}
