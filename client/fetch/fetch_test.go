package fetch_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"akx/client/clienttest"
	"akx/client/fetch"
	"akx/view/fault"
	"akx/view/identity"
)

const hub identity.Origin = "https://hub.example"

// The deadlines of tests are all different, and longer than every wait, so that a
// test can let exactly one of them pass.
var limits = fetch.Limits{
	Connect: 101 * time.Hour, TLS: 102 * time.Hour, Answer: 103 * time.Hour, Idle: 104 * time.Hour, Whole: 105 * time.Hour,
}

func options(n *clienttest.Network, clock *clienttest.Clock) fetch.Options {
	return fetch.Options{Version: "1.2.3", CA: n.CA, Limits: limits, Resolver: n, Dial: n.Dial, Clock: clock,
		Random: func() float64 { return 0.5 }}
}

func clientOf(t *testing.T, origin identity.Origin, o fetch.Options) *fetch.Client {
	t.Helper()
	c, err := fetch.New(origin, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// world is a network with one service and a client of it.
type world struct {
	*clienttest.Network
	clock  *clienttest.Clock
	server *clienttest.Server
	client *fetch.Client
}

func newWorld(t *testing.T, handler http.HandlerFunc) world {
	n := clienttest.NewNetwork(t)
	w := world{Network: n, clock: clienttest.NewClock(t, time.Hour)}
	w.server = n.Serve(hub, handler)
	w.client = clientOf(t, hub, options(n, w.clock))
	return w
}

func (w world) get(ctx context.Context) (fetch.Response, error) {
	return w.client.Do(ctx, fetch.Request{URL: string(hub) + "/x", Read: true, MaxBytes: 1 << 20})
}

// failed gives the failure in err, which must be unavailable and at hub.
func failed(t *testing.T, err error) *fetch.Failure {
	t.Helper()
	var u *fault.Unavailable
	var f *fetch.Failure
	if !errors.As(err, &u) || !errors.As(err, &f) || u.What != string(hub) {
		t.Fatalf("not a failure at the origin: %v", err)
	}
	if text := err.Error(); strings.ContainsAny(text, "\x1b\n\r") || len(text) > 160 {
		t.Errorf("not one clean sentence: %q", text)
	}
	if u.Hint == "" && f.Kind != fetch.OffOrigin {
		t.Errorf("no next step for %v", err)
	}
	return f
}

func TestRequestTellsNothingElse(t *testing.T) {
	w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "who", Value: "you"})
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		io.Copy(w, r.Body)
	})
	t.Setenv("HTTPS_PROXY", "https://proxy.example:1")
	t.Setenv("https_proxy", "https://proxy.example:1")
	t.Setenv("ALL_PROXY", "socks5://proxy.example:1")
	for range 2 {
		if _, err := w.get(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	answer, err := w.client.Do(t.Context(), fetch.Request{URL: "https://HUB.example:443/post?a=b#f", Body: []byte(`{"a":1}`), MaxBytes: 99})
	if err != nil || answer.Status != 200 || string(answer.Body) != `{"a":1}` || answer.Type != "application/json; charset=utf-8" {
		t.Fatalf("%+v, %v", answer, err)
	}
	if want := []string{"GET /x", "GET /x", "POST /post?a=b"}; !slices.Equal(w.server.Requests(), want) {
		t.Errorf("requests %q", w.server.Requests())
	}
	for i, h := range w.server.Headers() {
		want := http.Header{"User-Agent": {"akx/1.2.3"}, "Accept": {"application/json"}, "Accept-Encoding": {"gzip"}, "Host": {"hub.example"}}
		if i == 2 {
			want.Set("Content-Type", "application/json")
			want.Set("Content-Length", "7")
		}
		if fmt.Sprint(h) != fmt.Sprint(want) {
			t.Errorf("header %v, want %v", h, want)
		}
	}
	if got := w.Elsewhere(w.server); len(got) > 0 || len(w.Dialled()) != 1 {
		t.Errorf("elsewhere %q, dialled %q", got, w.Dialled())
	}
	if w.clock.Open() != 0 {
		t.Errorf("%d timers are left", w.clock.Open())
	}
}

func TestNewRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		origin identity.Origin
		o      fetch.Options
	}{
		"http":           {"http://hub.example", fetch.Options{Version: "1"}},
		"a path":         {"https://hub.example/", fetch.Options{Version: "1"}},
		"userinfo":       {"https://me@hub.example", fetch.Options{Version: "1"}},
		"no version":     {hub, fetch.Options{}},
		"header in name": {hub, fetch.Options{Version: "1\r\nX: y"}},
		"no certificate": {hub, fetch.Options{Version: "1", CA: []byte("not PEM")}},
	} {
		var usage *fault.Usage
		if _, err := fetch.New(c.origin, c.o); !errors.As(err, &usage) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOffOrigin(t *testing.T) {
	w := newWorld(t, func(http.ResponseWriter, *http.Request) {})
	for _, url := range []string{"", "/x", "http://hub.example/x", "https://other.example/", "https://hub.example:444/", "https://hub.example.evil.example/",
		"https://hub.example@evil.example/", "https://evil.example\\@hub.example/", "//hub.example/", "ftp://hub.example/"} {
		_, err := w.client.Do(t.Context(), fetch.Request{URL: url, Read: true, MaxBytes: 9})
		if f := failed(t, err); f.Kind != fetch.OffOrigin {
			t.Errorf("%q: %v", url, err)
		}
	}
	if len(w.Dialled()) > 0 {
		t.Errorf("dialled %q", w.Dialled())
	}
}

// Addresses are judged at each dial, and the judged one is dialled.
func TestAddressCheck(t *testing.T) {
	loopback, private := netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("10.0.0.7")
	mapped := netip.MustParseAddr("::ffff:127.0.0.1")
	for name, addrs := range map[string][]netip.Addr{
		"loopback": {loopback}, "private": {private}, "mapped": {mapped}, "several": {private, loopback, mapped},
	} {
		w := newWorld(t, func(http.ResponseWriter, *http.Request) {})
		w.Name("hub.example", addrs...)
		_, err := w.get(t.Context())
		if f := failed(t, err); f.Kind != fetch.NotAllowed || f.Brief || len(w.Dialled()) > 0 {
			t.Errorf("%s: %v, dialled %q", name, err, w.Dialled())
		}
	}
	t.Run("literal", func(t *testing.T) {
		for _, origin := range []identity.Origin{"https://127.0.0.1:8443", "https://[::1]", "https://[::ffff:7f00:1]:9", "https://169.254.169.254"} {
			n := clienttest.NewNetwork(t)
			c := clientOf(t, origin, options(n, clienttest.NewClock(t, time.Hour)))
			_, err := c.Do(t.Context(), fetch.Request{URL: string(origin) + "/", Read: true})
			var f *fetch.Failure
			if !errors.As(err, &f) || f.Kind != fetch.NotAllowed || len(n.Dialled()) > 0 {
				t.Errorf("%s: %v, dialled %q", origin, err, n.Dialled())
			}
		}
	})
	t.Run("only the allowed ones", func(t *testing.T) {
		w := newWorld(t, func(http.ResponseWriter, *http.Request) {})
		w.Name("hub.example", loopback, w.server.Addr, private)
		if _, err := w.get(t.Context()); err != nil {
			t.Fatal(err)
		}
		if want := []string{w.server.Addr.String() + ":443"}; !slices.Equal(w.Dialled(), want) {
			t.Errorf("dialled %q", w.Dialled())
		}
	})
	t.Run("rebinding", func(t *testing.T) {
		w := newWorld(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Connection", "close") })
		w.Rebind("hub.example", []netip.Addr{w.server.Addr}, []netip.Addr{loopback})
		if _, err := w.get(t.Context()); err != nil {
			t.Fatal(err)
		}
		_, err := w.get(t.Context())
		if f := failed(t, err); f.Kind != fetch.NotAllowed || len(w.Dialled()) != 1 {
			t.Errorf("%v, dialled %q", err, w.Dialled())
		}
	})
	t.Run("allowed for this origin", func(t *testing.T) {
		n := clienttest.NewNetwork(t)
		n.Name("hub.example", private)
		o := options(n, clienttest.NewClock(t, time.Hour))
		o.AllowPrivate = true
		_, err := clientOf(t, hub, o).Do(t.Context(), fetch.Request{URL: string(hub), MaxBytes: 9})
		if f := failed(t, err); f.Kind != fetch.Unreachable || !slices.Equal(n.Dialled(), []string{"10.0.0.7:443"}) {
			t.Errorf("%v, dialled %q", err, n.Dialled())
		}
	})
}

func TestManyAddressesAreBounded(t *testing.T) {
	n := clienttest.NewNetwork(t)
	var addrs []netip.Addr
	for i := range 250 {
		addrs = append(addrs, netip.AddrFrom4([4]byte{5, 5, 5, byte(i)}))
	}
	n.Name("hub.example", addrs...)
	_, err := clientOf(t, hub, options(n, clienttest.NewClock(t, time.Hour))).Do(t.Context(), fetch.Request{URL: string(hub)})
	if f := failed(t, err); f.Kind != fetch.Unreachable || len(n.Dialled()) != 8 {
		t.Errorf("%v, dialled %d", err, len(n.Dialled()))
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	for _, status := range []int{301, 302, 303, 304, 307, 308, 300, 399} {
		for _, to := range []string{"https://127.0.0.1/", "https://evil.example/", "/elsewhere", "http://169.254.169.254/latest"} {
			w := newWorld(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", to)
				w.WriteHeader(status)
			})
			_, err := w.get(t.Context())
			if f := failed(t, err); f.Kind != fetch.Redirected || f.Status != status || len(w.server.Requests()) != 1 {
				t.Errorf("%d to %s: %v, requests %q", status, to, err, w.server.Requests())
			}
			if got := w.Elsewhere(w.server); len(got) > 0 {
				t.Errorf("%d to %s: went to %q", status, to, got)
			}
		}
	}
}

func zipped(text []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(text)
	z.Close()
	return b.Bytes()
}

func TestBodies(t *testing.T) {
	const limit = 1000
	exact, over := bytes.Repeat([]byte{'a'}, limit), bytes.Repeat([]byte{'a'}, limit+1)
	bomb := zipped(make([]byte, 64<<20))
	var members []byte
	for range 200 {
		members = append(members, zipped(nil)...)
	}
	cases := []struct {
		name, coding string
		body         []byte
		want         int // length of the body
		kind         fetch.Kind
	}{
		{"plain", "", []byte("abc"), 3, 0},
		{"empty", "", nil, 0, 0},
		{"at the cap", "", exact, limit, 0},
		{"over the cap", "", over, 0, fetch.TooLarge},
		{"identity", "identity", []byte("abc"), 3, 0},
		{"gzip", "gzip", zipped([]byte("abc")), 3, 0},
		{"x-gzip", " X-GZIP", zipped([]byte("abc")), 3, 0},
		{"gzip at the cap", "gzip", zipped(exact), limit, 0},
		{"gzip over the cap", "gzip", zipped(over), 0, fetch.TooLarge},
		{"bomb", "gzip", bomb, 0, fetch.TooLarge},
		{"many empty members", "gzip", members, 0, fetch.TooLarge},
		{"not gzip", "gzip", []byte("abc"), 0, fetch.CutOff},
		{"not gzip, longer", "gzip", exact, 0, fetch.Encoding},
		{"empty gzip", "gzip", nil, 0, fetch.Encoding},
		{"half of a gzip", "gzip", zipped(exact)[:12], 0, fetch.CutOff},
		{"gzip and more", "gzip", append(zipped(exact), "trailing garbage"...), 0, fetch.Encoding},
		{"gzip with a wrong sum", "gzip", flip(zipped(exact)), 0, fetch.Encoding},
		{"twice", "gzip, gzip", zipped(zipped(exact)), 0, fetch.Encoding},
		{"brotli", "br", []byte("abc"), 0, fetch.Encoding},
		{"deflate", "deflate", []byte("abc"), 0, fetch.Encoding},
		{"zstd", "zstd", []byte("abc"), 0, fetch.Encoding},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, func(w http.ResponseWriter, _ *http.Request) {
				if c.coding != "" {
					w.Header().Set("Content-Encoding", c.coding)
				}
				w.Write(c.body)
			})
			answer, err := w.client.Do(t.Context(), fetch.Request{URL: string(hub) + "/x", MaxBytes: limit})
			if c.kind == 0 {
				if err != nil || len(answer.Body) != c.want {
					t.Fatalf("%d bytes, %v", len(answer.Body), err)
				}
				return
			}
			if f := failed(t, err); f.Kind != c.kind || answer.Body != nil {
				t.Errorf("%v (kind %d), want kind %d", err, f.Kind, c.kind)
			}
			var coded fault.Coded
			if errors.As(err, &coded); (c.kind == fetch.TooLarge) != (coded.FaultCode() == fault.PayloadTooLarge) {
				t.Errorf("code %s", coded.FaultCode())
			}
		})
	}
}

func flip(b []byte) []byte {
	b[len(b)-8] ^= 1
	return b
}

func TestEndlessBodyEnds(t *testing.T) {
	for _, status := range []int{200, 500} {
		var sent atomic.Int64
		w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			for r.Context().Err() == nil {
				n, err := w.Write(make([]byte, 32<<10))
				sent.Add(int64(n))
				if err != nil {
					return
				}
			}
		})
		answer, err := w.client.Do(t.Context(), fetch.Request{URL: string(hub) + "/x", MaxBytes: 1 << 20})
		if status == 200 {
			if f := failed(t, err); f.Kind != fetch.TooLarge {
				t.Error(err)
			}
		} else if err != nil || answer.Status != 500 || answer.Body != nil {
			t.Errorf("%+v, %v", answer, err)
		}
		if sent.Load() > 32<<20 {
			t.Errorf("%d: %d bytes were taken", status, sent.Load())
		}
	}
}
