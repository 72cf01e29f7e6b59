package service

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/memory"
	"akx/view/wire"
)

// recorder is a ResponseWriter that keeps everything.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Write(p []byte) (int, error) { return r.body.Write(p) }

func (r *recorder) text() string { return r.body.String() }

// testCall is a request of a test; header holds pairs.
type testCall struct {
	method, target, body string
	header               []string
	from                 string
}

func get(target string) testCall { return testCall{method: "GET", target: target} }

func post(target, body string) testCall {
	return testCall{method: "POST", target: target, body: body, header: []string{"Content-Type", "application/json"}}
}

func (c testCall) request(t testing.TB) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), c.method, string(origin)+c.target, strings.NewReader(c.body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(c.header); i += 2 {
		r.Header.Add(c.header[i], c.header[i+1])
	}
	r.RemoteAddr = c.from
	return r
}

func do(t testing.TB, h http.Handler, c testCall) *recorder {
	t.Helper()
	out := &recorder{header: http.Header{}}
	h.ServeHTTP(out, c.request(t))
	if length := out.header.Get("Content-Length"); c.method != "HEAD" && length != strconv.Itoa(out.body.Len()) {
		t.Errorf("%s %s: Content-Length %s of %d bytes", c.method, c.target, length, out.body.Len())
	}
	if out.header.Get("Content-Type") != "application/json" || out.header.Get("X-Content-Type-Options") != "nosniff" || out.header.Get("Cache-Control") == "" {
		t.Errorf("%s %s: headers %v", c.method, c.target, out.header)
	}
	return out
}

// refused checks an error answer: its status, its code, and that a client reads it.
func refused(t testing.TB, name string, out *recorder, status int, code fault.Code) {
	t.Helper()
	e, err := wire.ParseError(out.body.Bytes())
	if err != nil || out.status != status || e.Code != code || e.Message == "" {
		t.Errorf("%s: status %d, %q, %v; want %d %s", name, out.status, out.text(), err, status, code)
	}
}

// counted is a store that counts its calls and can fail.
type counted struct {
	Store
	calls int
	err   error
	wait  func()
}

func (c *counted) enter() error {
	c.calls++
	if c.wait != nil {
		c.wait()
	}
	return c.err
}

func (c *counted) Submit(ctx context.Context, o capsule.Offer, t capsule.Terms) (wire.Record, bool, error) {
	if err := c.enter(); err != nil {
		return wire.Record{}, false, err
	}
	return c.Store.Submit(ctx, o, t)
}

func (c *counted) Record(ctx context.Context, id identity.ID) (wire.Record, error) {
	if err := c.enter(); err != nil {
		return wire.Record{}, err
	}
	return c.Store.Record(ctx, id)
}

func (c *counted) Records(ctx context.Context, r wire.Range) ([]wire.Record, bool, error) {
	if err := c.enter(); err != nil {
		return nil, false, err
	}
	return c.Store.Records(ctx, r)
}

func (c *counted) Checkpoint(ctx context.Context) (uint64, error) {
	if err := c.enter(); err != nil {
		return 0, err
	}
	return c.Store.Checkpoint(ctx)
}

// site is a bench with a handler over its store, and the log of that.
type site struct {
	*bench
	handler *Handler
	store   *counted
	log     []Access
}

func newSite(t *testing.T, o HandlerOptions, change func(*Options)) *site {
	b := &bench{T: t, now: 1_000_000}
	s := &site{bench: b}
	s.store = &counted{Store: memory.New(string(origin), func() int64 { return b.now })}
	core := Options{Origin: origin, Ranked: true, Clock: func() time.Time { return time.UnixMilli(b.now) }}
	if change != nil {
		change(&core)
	}
	b.core = New(s.store, core)
	o.Log = func(a Access) { s.log = append(s.log, a) }
	s.handler = NewHandler(b.core, o)
	return s
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }
