package fetch_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"akx/client/fetch"
)

func TestTryAgain(t *testing.T) {
	date := func(d time.Duration) string {
		return time.Date(2026, 3, 14, 9, 41, 0, 0, time.UTC).Add(d).Format(http.TimeFormat)
	}
	s := func(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }
	usual := []time.Duration{s(0.375), s(0.75), s(1.5)}
	cases := []struct {
		name       string
		status     int
		retryAfter string
		post       bool
		waits      []time.Duration // until the attempts are used up
	}{
		{"429", 429, "", false, usual},
		{"502", 502, "", false, usual},
		{"503", 503, "", false, usual},
		{"504", 504, "", false, usual},
		{"a read by POST", 503, "", true, usual},
		{"seconds", 429, "2", false, []time.Duration{s(2), s(2), s(2)}},
		{"date", 503, date(20 * time.Second), false, []time.Duration{s(20), s(0.75), s(1.5)}},
		{"zero", 429, "0", false, usual},
		{"at the bound", 429, "30", false, []time.Duration{s(30), s(30), s(30)}},
		{"over the bound", 429, "31", false, nil},
		{"date over the bound", 503, date(time.Hour), false, nil},
		{"400", 400, "1", false, nil}, {"401", 401, "1", false, nil}, {"403", 403, "1", false, nil},
		{"404", 404, "1", false, nil}, {"409", 409, "1", false, nil}, {"413", 413, "1", false, nil},
		{"422", 422, "1", false, nil}, {"451", 451, "1", false, nil}, {"500", 500, "1", false, nil},
		{"501", 501, "1", false, nil}, {"505", 505, "1", false, nil}, {"599", 599, "1", false, nil},
		{"200", 200, "1", false, nil}, {"204", 204, "", false, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
				if body, _ := io.ReadAll(r.Body); c.post != (string(body) == "{}") {
					t.Errorf("body %q", body)
				}
				if c.retryAfter != "" {
					w.Header().Set("Retry-After", c.retryAfter)
				}
				w.WriteHeader(c.status)
			})
			request := fetch.Request{URL: string(hub) + "/x", Read: true, MaxBytes: 9}
			if c.post {
				request.Body = []byte("{}")
			}
			answer, err := w.client.Do(t.Context(), request)
			if err != nil || answer.Status != c.status {
				t.Fatalf("%+v, %v", answer, err)
			}
			if got := w.clock.Waits(); !slices.Equal(got, c.waits) || len(w.server.Requests()) != len(c.waits)+1 {
				t.Errorf("waits %v, requests %d", got, len(w.server.Requests()))
			}
			request.Read = false
			before := len(w.server.Requests())
			if _, err := w.client.Do(t.Context(), request); err != nil || len(w.server.Requests()) != before+1 {
				t.Errorf("what is not a read was sent %d times (%v)", len(w.server.Requests())-before, err)
			}
		})
	}
}

func TestTryAgainUntilItWorks(t *testing.T) {
	var n atomic.Int32
	w := newWorld(t, func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1) < 3 {
			w.WriteHeader(503)
		}
	})
	if answer, err := w.get(t.Context()); err != nil || answer.Status != 200 || n.Load() != 3 {
		t.Errorf("%+v, %v after %d", answer, err, n.Load())
	}
}

// refusing dials nobody; which failure it gives decides about another try.
func TestFailedCalls(t *testing.T) {
	cases := map[string]struct {
		err   error
		kind  fetch.Kind
		calls int
	}{
		"refused":     {syscall.ECONNREFUSED, fetch.Refused, 4},
		"unreachable": {syscall.EHOSTUNREACH, fetch.Unreachable, 4},
		"no network":  {syscall.ENETUNREACH, fetch.Unreachable, 4},
	}
	for name, c := range cases {
		w := newWorld(t, func(http.ResponseWriter, *http.Request) {})
		calls := 0
		o := options(w.Network, w.clock)
		o.Dial = func(context.Context, string, string) (net.Conn, error) {
			calls++
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: c.err}
		}
		w.client = clientOf(t, hub, o)
		_, err := w.get(t.Context())
		if f := failed(t, err); f.Kind != c.kind || calls != c.calls {
			t.Errorf("%s: %v after %d calls", name, err, calls)
		}
	}
}

type resolver struct {
	addrs []netip.Addr
	err   error
	n     *int
}

func (r resolver) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	*r.n++
	return r.addrs, r.err
}

func TestNames(t *testing.T) {
	for name, c := range map[string]struct {
		r     resolver
		kind  fetch.Kind
		calls int
	}{
		"no such name": {resolver{err: &net.DNSError{Err: "\x1b[2Jno such host", IsNotFound: true}}, fetch.NoName, 1},
		"no answer":    {resolver{err: &net.DNSError{Err: "server misbehaving", IsTemporary: true}}, fetch.NoResolver, 4},
		"no addresses": {resolver{}, fetch.NoName, 1},
		"zero address": {resolver{addrs: []netip.Addr{{}}}, fetch.NotAllowed, 1},
	} {
		w := newWorld(t, func(http.ResponseWriter, *http.Request) {})
		c.r.n = new(int)
		o := options(w.Network, w.clock)
		o.Resolver = c.r
		w.client = clientOf(t, hub, o)
		_, err := w.get(t.Context())
		if f := failed(t, err); f.Kind != c.kind || *c.r.n != c.calls || len(w.Dialled()) > 0 {
			t.Errorf("%s: %v after %d look-ups, dialled %q", name, err, *c.r.n, w.Dialled())
		}
	}
}

// Each pause is told before it begins: whether the service asked for it, and which try
// follows.
func TestWaitsAreTold(t *testing.T) {
	var n atomic.Int32
	w := newWorld(t, func(w http.ResponseWriter, _ *http.Request) {
		switch n.Add(1) {
		case 1:
			w.Header().Set("Retry-After", "3")
			w.WriteHeader(429)
		case 2:
			w.WriteHeader(503)
		}
	})
	var told []fetch.Wait
	o := options(w.Network, w.clock)
	o.Waiting = func(wait fetch.Wait) { told = append(told, wait) }
	w.client = clientOf(t, hub, o)
	answer, err := w.get(t.Context())
	want := []fetch.Wait{{For: 3 * time.Second, Asked: true, Try: 2, Of: 4}, {For: 750 * time.Millisecond, Try: 3, Of: 4}}
	if err != nil || answer.Status != 200 || !slices.Equal(told, want) || answer.Took != 3750*time.Millisecond {
		t.Errorf("%+v, %v, told %+v", answer, err, told)
	}
}

// In no minute more requests go out than the service says that it takes.
func TestRequestsKeepAPace(t *testing.T) {
	for _, c := range []struct {
		pace   fetch.Pace
		within time.Duration // of 20 requests
	}{
		{fetch.Pace{}, 0},
		{fetch.Pace{PerMinute: 60, AtOnce: 5}, 16 * time.Second},
		{fetch.Pace{PerMinute: 10}, 192 * time.Second},
		{fetch.Pace{PerMinute: 10, AtOnce: 1000}, 192 * time.Second},
		{fetch.Pace{PerMinute: 4}, 570 * time.Second},
		// No service holds a request longer than by asking for that.
		{fetch.Pace{PerMinute: 1}, 600 * time.Second},
	} {
		w := newWorld(t, func(http.ResponseWriter, *http.Request) {})
		begun := w.clock.Now()
		var at []time.Time
		var spent time.Duration
		for range 20 {
			answer, err := w.client.Do(t.Context(), fetch.Request{URL: string(hub) + "/x", Read: true, MaxBytes: 9, Pace: c.pace})
			if err != nil {
				t.Fatal(err)
			}
			spent += answer.Took
			at = append(at, w.clock.Now())
		}
		if took := w.clock.Now().Sub(begun).Round(time.Second); took != c.within || spent.Round(time.Second) != took {
			t.Errorf("%+v: 20 requests in %v, said to be %v", c.pace, took, spent)
		}
		for i, from := range at {
			n := 0
			for _, later := range at[i:] {
				if later.Sub(from) < time.Minute {
					n++
				}
			}
			if most := c.pace.PerMinute; most > 1 && c.pace.AtOnce == 0 && int64(n) > most {
				t.Errorf("%+v: %d in a minute", c.pace, n)
			}
		}
	}
}
