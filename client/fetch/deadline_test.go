package fetch_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"akx/client/clienttest"
	"akx/client/fetch"
)

// stuck blocks until its context ends, as a resolver or a dialler.
type stuck struct{}

func (stuck) LookupNetIP(ctx context.Context, _, _ string) ([]netip.Addr, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func (stuck) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// hang is a service that hangs at a stage: once the timer at is set, it is there,
// and the timers of deadlines end the request.
type hang struct {
	world
	stage     fetch.Stage
	at        time.Duration
	deadlines []time.Duration
}

func hangs(t *testing.T) []hang {
	quiet := func(http.ResponseWriter, *http.Request) {}
	wait := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	half := func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "[")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	noName := newWorld(t, quiet)
	o := options(noName.Network, noName.clock)
	o.Resolver = stuck{}
	noName.client = clientOf(t, hub, o)

	noCall := newWorld(t, quiet)
	noCall.Name("hub.example", netip.MustParseAddr("5.5.5.5"), netip.MustParseAddr("5.5.5.6"))
	o = options(noCall.Network, noCall.clock)
	o.Dial = stuck{}.dial
	noCall.client = clientOf(t, hub, o)
	share := limits.Connect / 2

	mute := world{Network: clienttest.NewNetwork(t), clock: clienttest.NewClock(t, time.Hour)}
	mute.server = mute.ServeRaw(hub, func(c net.Conn) { io.Copy(io.Discard, c) })
	mute.client = clientOf(t, hub, options(mute.Network, mute.clock))
	return []hang{
		{noName, fetch.Resolving, limits.Connect, []time.Duration{limits.Connect}},
		{noCall, fetch.Connecting, share, []time.Duration{share, share}},
		{mute, fetch.Handshaking, limits.TLS, []time.Duration{limits.TLS}},
		{newWorld(t, wait), fetch.Answering, limits.Answer, []time.Duration{limits.Answer}},
		{newWorld(t, half), fetch.Idling, limits.Idle, []time.Duration{limits.Idle}},
		{newWorld(t, half), fetch.Whole, limits.Idle, []time.Duration{limits.Whole}},
	}
}

// ask makes a request in the background.
func (h hang) ask(ctx context.Context) <-chan error {
	result := make(chan error, 1)
	go func() {
		_, err := h.get(ctx)
		result <- err
	}()
	h.clock.Await(h.at)
	return result
}

func TestDeadlines(t *testing.T) {
	for _, h := range hangs(t) {
		result := h.ask(t.Context())
		for _, d := range h.deadlines {
			h.clock.Pass(d)
		}
		err := <-result
		if f := failed(t, err); f.Kind != fetch.TimedOut || f.Stage != h.stage || f.Brief {
			t.Errorf("stage %d: %v (kind %d, stage %d)", h.stage, err, f.Kind, f.Stage)
		}
		if n := h.clock.Open(); n != 0 {
			t.Errorf("stage %d: %d timers are left", h.stage, n)
		}
	}
}

// A request ends with its context, at whatever stage it hangs, within 100 ms. The
// best of some tries counts, as other tests take the processor.
func TestCancel(t *testing.T) {
	for _, h := range hangs(t) {
		best := time.Hour
		for range 5 {
			ctx, cancel := context.WithCancel(t.Context())
			result := h.ask(ctx)
			from := time.Now()
			cancel()
			if err := <-result; err != context.Canceled {
				t.Errorf("stage %d: %v", h.stage, err)
			}
			best = min(best, time.Since(from))
		}
		if best > 100*time.Millisecond {
			t.Errorf("stage %d: ended %v after its context", h.stage, best)
		}
	}
}

func TestCancelWhileWaitingToTryAgain(t *testing.T) {
	w := newWorld(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7200")
		w.WriteHeader(503)
	})
	o := options(w.Network, w.clock)
	o.Limits.MaxWait = 3 * time.Hour
	w.client = clientOf(t, hub, o)
	h := hang{world: w, at: 2 * time.Hour}
	ctx, cancel := context.WithCancel(t.Context())
	result := h.ask(ctx)
	cancel()
	if err := <-result; err != context.Canceled || len(w.server.Requests()) != 1 || w.clock.Open() != 0 {
		t.Errorf("%v, requests %q", err, w.server.Requests())
	}
}

// A body that drips feeds the deadline for pauses for ever: the whole one ends it.
func TestDrippingBody(t *testing.T) {
	next := make(chan bool)
	w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
		for range next {
			io.WriteString(w, "a")
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
	})
	h := hang{world: w, at: limits.Answer}
	result := h.ask(t.Context())
	for range 50 {
		next <- true
		w.clock.Await(limits.Idle)
	}
	w.clock.Pass(limits.Whole)
	if f := failed(t, <-result); f.Stage != fetch.Whole {
		t.Errorf("%v", f)
	}
	close(next)
}
