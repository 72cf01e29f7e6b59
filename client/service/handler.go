package service

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"runtime/debug"
	"time"

	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// HandlerOptions say how a service meets the network. Zero members mean the
// defaults, or no.
type HandlerOptions struct {
	// NoSubmit refuses every submission with permission_denied.
	NoSubmit bool
	// RequireToken asks for a request JWT (Agent Identity 7) with submissions, of
	// any Agent ID. Reads never need one (9.1).
	RequireToken bool
	// Rate is how many requests a second one client address may make in the long
	// run, after Burst at once; 0 is no limit.
	Rate  float64
	Burst int // 5 seconds of Rate
	// Clients bounds the addresses whose rate is remembered: 10,000.
	Clients int
	// Concurrent bounds the answers that are being made at a time, 4 for each core;
	// other requests wait, within Deadline.
	Concurrent int
	Deadline   time.Duration // for one request: 30 s
	// Limits are published beside those that the handler keeps: of who listens for it.
	Limits []wire.Limit
	// Log is told of every request when it is answered; may be nil. It is called on
	// the goroutine of the request.
	Log func(Access)
}

// Defaults of HandlerOptions.
const (
	DefaultClients  = 10_000
	DefaultDeadline = 30 * time.Second
)

func (o HandlerOptions) filled() HandlerOptions {
	if o.Burst <= 0 {
		o.Burst = max(1, int(5*o.Rate))
	}
	if o.Clients <= 0 {
		o.Clients = DefaultClients
	}
	if o.Concurrent <= 0 {
		o.Concurrent = 4 * runtime.GOMAXPROCS(0)
	}
	if o.Deadline <= 0 {
		o.Deadline = DefaultDeadline
	}
	return o
}

// Access is one request as a log may tell it. Question is what was asked for: log
// it only where that was announced, for it tells what somebody looks into (11).
type Access struct {
	Operation string // discovery, submit, event, query, batch or search; empty for none
	Method    string
	Status    int
	Code      fault.Code // empty for a success
	Bytes     int        // of the answer's body as sent
	Took      time.Duration
	// Accepted is the event that a submission added; zero for others.
	Accepted identity.ID
	Seq      uint64
	// Question is the query string, the event ID or the body of a read, at most 4 KiB.
	Question string
	// Panic is a fault of the program, with its stack; empty for none.
	Panic string
}

// Handler is the service over HTTP (9.1). It sets no cookies, believes no header
// about where a request came from, and keeps nothing of a request but the rate of
// its address.
type Handler struct {
	core    *Core
	o       HandlerOptions
	limiter *limiter
	slots   chan struct{}
	about   []byte // the discovery document
}

// NewHandler serves core.
func NewHandler(core *Core, o HandlerOptions) *Handler {
	h := &Handler{core: core, o: o.filled()}
	h.limiter = newLimiter(h.o.Rate, h.o.Burst, h.o.Clients)
	h.slots = make(chan struct{}, h.o.Concurrent)
	d := core.Discovery()
	d.Limits = append(d.Limits, wire.Limit{Name: wire.LimitReadBody, Value: maxReadBody})
	if perMinute := int64(h.o.Rate * 60); perMinute > 0 {
		d.Limits = append(d.Limits, wire.Limit{Name: wire.LimitPerMinute, Value: perMinute},
			wire.Limit{Name: wire.LimitAtOnce, Value: int64(h.o.Burst)})
	}
	d.Limits = append(d.Limits, h.o.Limits...)
	h.about = d.Append(nil)
	return h
}

// call is one request under way.
type call struct {
	*http.Request
	route route
	body  []byte
	read  bool // the body was read to its end
	log   Access
}

// ServeHTTP answers one request; whatever it is, the answer is JSON.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	begun := h.core.o.Clock()
	c := &call{Request: r, log: Access{Method: r.Method}}
	a := h.answer(c)
	c.log.Status = a.status
	c.log.Bytes = a.send(w, r)
	a.release()
	c.log.Took = h.core.o.Clock().Sub(begun)
	if h.o.Log != nil {
		h.o.Log(c.log)
	}
}

// answer finds out what to say. A panic is a fault of this program: the one who
// asked is told that the service cannot answer, and the log is told why.
func (h *Handler) answer(c *call) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			c.log.Panic = fmt.Sprintf("%v\n%s", p, debug.Stack())
			a = h.refusal(c, &fault.Unavailable{Code: fault.UnavailableCode})
		}
	}()
	c.route = h.routeOf(c.URL.Path)
	c.log.Operation = routes[c.route].operation
	now := h.core.o.Clock()
	if wait, ok := h.limiter.take(ClientOf(c.RemoteAddr), now); !ok {
		return h.refusal(c, &fault.Refusal{Step: fault.StepLimit, Code: fault.RateLimited,
			Detail: "too many requests from this address"}).after(wait)
	}
	operation, failed := h.find(c)
	if failed != nil {
		return *failed
	}
	if err := h.checkToken(c, now); err != nil {
		return h.refusal(c, err)
	}
	if c.route == toDiscovery {
		return answer{status: http.StatusOK, body: h.about, caching: "public, max-age=300"}
	}
	ctx, cancel := context.WithTimeout(c.Context(), h.o.Deadline)
	defer cancel()
	c.Request = c.WithContext(ctx)
	return h.run(c, operation)
}

// run carries out an operation once there is a free place for it. The body is read
// before: one that comes slowly takes no place.
func (h *Handler) run(c *call, operation operation) answer {
	if err := h.readBody(c); err != nil {
		return h.refusal(c, err)
	}
	select {
	case h.slots <- struct{}{}:
		defer func() { <-h.slots }()
	case <-c.Context().Done():
		return h.refusal(c, busy(c.Context().Err()))
	}
	document, err := operation(c)
	if err != nil {
		return h.refusal(c, err)
	}
	return written(document, acceptsGzip(c.Header.Values("Accept-Encoding")))
}

func busy(err error) error {
	return &fault.Unavailable{Code: fault.UnavailableCode, Detail: "too many requests at the same time", Retry: true, Err: err}
}
