package fetch_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"akx/client/clienttest"
	"akx/client/fetch"
	"akx/view/identity"
)

func TestCertificates(t *testing.T) {
	serve := func(names ...string) world {
		n := clienttest.NewNetwork(t)
		w := world{Network: n, clock: clienttest.NewClock(t, time.Hour)}
		w.server = n.Serve(hub, http.NotFoundHandler(), names...)
		w.client = clientOf(t, hub, options(n, w.clock))
		return w
	}
	other, right, stranger, early := serve("other.example"), serve(), serve(), serve()
	o := options(stranger.Network, stranger.clock)
	o.CA = clienttest.NewNetwork(t).CA
	stranger.client = clientOf(t, hub, o)
	late := serve()
	late.client = clientOf(t, hub, options(late.Network, late.clock))
	late.clock.AfterFunc(9000*time.Hour, func() {})
	late.clock.Pass(9000 * time.Hour)
	early.client = clientOf(t, hub, func() fetch.Options {
		o := options(early.Network, early.clock)
		o.Clock = earlier{early.clock}
		return o
	}())
	for name, c := range map[string]struct {
		world
		kind fetch.Kind
	}{"another name": {other, fetch.WrongName}, "unknown authority": {stranger, fetch.Untrusted},
		"expired": {late, fetch.Certificate}, "not yet": {early, fetch.Certificate}, "right": {right, 0}} {
		answer, err := c.get(t.Context())
		if c.kind == 0 {
			if err != nil || answer.Status != 404 {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if f := failed(t, err); f.Kind != c.kind || f.Brief || len(c.Dialled()) != 1 || len(c.server.Requests()) > 0 {
			t.Errorf("%s: %v, dialled %q", name, err, c.Dialled())
		}
	}
}

// earlier is a clock a year behind.
type earlier struct{ *clienttest.Clock }

func (c earlier) Now() time.Time { return c.Clock.Now().AddDate(-1, 0, 0) }

func TestNotHTTP(t *testing.T) {
	head := "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"
	for name, c := range map[string]struct {
		text  string
		kind  fetch.Kind
		calls int
	}{
		"nonsense":           {"\x1b[2Jhello\r\n\r\n", fetch.Malformed, 1},
		"nothing":            {"", fetch.CutOff, 4},
		"half of a header":   {"HTTP/1.1 200 OK\r\nX: a\r\n", fetch.CutOff, 4},
		"a large header":     {head + "X: " + strings.Repeat("a", 1<<20) + "\r\n\r\n{}", fetch.Malformed, 1},
		"many headers":       {head + strings.Repeat("X: a\r\n", 1<<17) + "\r\n{}", fetch.Malformed, 1},
		"two lengths":        {head + "Content-Length: 3\r\n\r\n{} ", fetch.Malformed, 1},
		"a status of 99":     {"HTTP/1.1 99 X\r\n\r\n", fetch.Malformed, 1},
		"a status of 600":    {"HTTP/1.1 600 X\r\nContent-Length: 0\r\n\r\n", fetch.Malformed, 1},
		"another protocol":   {"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n", fetch.Malformed, 1},
		"endless 1xx":        {strings.Repeat("HTTP/1.1 103 Early Hints\r\nX: a\r\n\r\n", 1<<16), fetch.Malformed, 1},
		"a truncated body":   {head + "\r\n{", fetch.CutOff, 4},
		"a truncated chunk":  {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{", fetch.CutOff, 4},
		"a malformed chunk":  {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}", fetch.Malformed, 1},
		"a huge length":      {"HTTP/1.1 200 OK\r\nContent-Length: 9000000000000000000\r\n\r\n{", fetch.CutOff, 4},
		"until it is closed": {"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}", 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			n := clienttest.NewNetwork(t)
			w := world{Network: n, clock: clienttest.NewClock(t, time.Hour)}
			w.server = n.ServeRaw(hub, func(conn net.Conn) {
				secure := n.Secure(conn, hub)
				defer secure.Close()
				secure.Read(make([]byte, 4096))
				io.WriteString(secure, c.text)
			})
			w.client = clientOf(t, hub, options(n, w.clock))
			answer, err := w.get(t.Context())
			if c.kind == 0 {
				if err != nil || string(answer.Body) != "{}" {
					t.Errorf("%+v, %v", answer, err)
				}
				return
			}
			if f := failed(t, err); f.Kind != c.kind || len(w.Dialled()) != c.calls {
				t.Errorf("%v (kind %d) after %d calls", err, f.Kind, len(w.Dialled()))
			}
		})
	}
}

func TestNotTLS(t *testing.T) {
	n := clienttest.NewNetwork(t)
	w := world{Network: n, clock: clienttest.NewClock(t, time.Hour)}
	w.server = n.ServeRaw(hub, func(conn net.Conn) {
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
		conn.Close()
	})
	w.client = clientOf(t, hub, options(n, w.clock))
	_, err := w.get(t.Context())
	if f := failed(t, err); f.Kind != fetch.NoTLS {
		t.Error(err)
	}
}

func TestConcurrentRequestsAreBounded(t *testing.T) {
	const all = 20
	var now, most atomic.Int32
	arrived, release := make(chan bool, all), make(chan bool)
	w := newWorld(t, func(http.ResponseWriter, *http.Request) {
		most.Store(max(most.Load(), now.Add(1)))
		arrived <- true
		<-release
		now.Add(-1)
	})
	results := make(chan error, all)
	for range all {
		go func() {
			_, err := w.get(t.Context())
			results <- err
		}()
	}
	for range 4 {
		<-arrived
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.get(ctx); err != context.Canceled {
		t.Errorf("a request in the queue: %v", err)
	}
	close(release)
	for range all {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	if most.Load() != 4 || len(w.Dialled()) > 4 {
		t.Errorf("%d at once over %d connections", most.Load(), len(w.Dialled()))
	}
}

func TestPortsAndLiterals(t *testing.T) {
	n := clienttest.NewNetwork(t)
	clock := clienttest.NewClock(t, time.Hour)
	for i, want := range []string{"93.184.216.1:8443", "[2606:4700::1]:9", "93.184.216.3:443"} {
		origin := []string{"https://93.184.216.1:8443", "https://[2606:4700::1]:9", "https://93.184.216.3"}[i]
		c := clientOf(t, identity.Origin(origin), options(n, clock))
		c.Do(t.Context(), fetch.Request{URL: origin + "/"})
		if got := n.Dialled(); got[len(got)-1] != want {
			t.Errorf("%s: dialled %s", origin, got[len(got)-1])
		}
	}
}
