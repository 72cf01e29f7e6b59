package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"akx/view/fault"
	"akx/view/identity"
)

// Limits of a Client; a zero member means its default.
type Limits struct {
	Connect     time.Duration // to resolve the name, and again to connect: 10 s
	TLS         time.Duration // 10 s
	Answer      time.Duration // from the request to the end of the answer's header: 30 s
	Idle        time.Duration // the longest pause in a body: 20 s
	Whole       time.Duration // one attempt: 2 min
	HeaderBytes int64         // of an answer: 64 KiB
	Concurrent  int           // requests at the same time: 4
	Attempts    int           // of one read: 4
	Backoff     time.Duration // before the second attempt, doubled each time: 500 ms
	MaxWait     time.Duration // the longest wait between two attempts: 30 s
}

func (l Limits) filled() Limits {
	whole := func(d *time.Duration, standard time.Duration) {
		if *d <= 0 {
			*d = standard
		}
	}
	whole(&l.Connect, 10*time.Second)
	whole(&l.TLS, 10*time.Second)
	whole(&l.Answer, 30*time.Second)
	whole(&l.Idle, 20*time.Second)
	whole(&l.Whole, 2*time.Minute)
	whole(&l.Backoff, 500*time.Millisecond)
	whole(&l.MaxWait, 30*time.Second)
	if l.HeaderBytes <= 0 {
		l.HeaderBytes = 64 << 10
	}
	if l.Concurrent <= 0 {
		l.Concurrent = 4
	}
	if l.Attempts <= 0 {
		l.Attempts = 4
	}
	return l
}

// Options of a Client. Version is required.
type Options struct {
	Version string // of akx, for the User-Agent
	// AllowPrivate opens the special address ranges for this origin.
	AllowPrivate bool
	// CA holds further authorities as PEM certificates, trusted for this origin
	// beside the system's.
	CA     []byte
	Limits Limits
	// Resolver, Dial, Clock and Random (0 to 1, 1 left out) are those of the machine
	// where they are nil. Dial is given addresses that passed the check.
	Resolver Resolver
	Dial     DialFunc
	Clock    Clock
	Random   func() float64
	// Waiting is told of each pause before it begins, from any goroutine; nil for nobody.
	Waiting func(Wait)
}

// Client makes requests to one origin. It is safe for concurrent use; the bound on
// concurrent requests holds per Client, so there is one Client for an origin.
type Client struct {
	origin       identity.Origin
	host         string
	port         uint16
	literal      netip.Addr // where the host is an address
	agent        string
	allowPrivate bool
	limits       Limits
	resolver     Resolver
	dial         DialFunc
	clock        Clock
	random       func() float64
	tls          *tls.Config
	slots        chan struct{}
	transport    *http.Transport
	waiting      func(Wait)
	pacer        pacer
}

// New makes a client of one origin. Errors are *fault.Usage: an origin that is not
// canonical, a CA without a certificate, a version that cannot stand in a header.
func New(origin identity.Origin, o Options) (*Client, error) {
	if _, err := identity.ParseOrigin(string(origin)); err != nil {
		return nil, &fault.Usage{Detail: "a service has a canonical HTTPS origin, such as https://hub.example"}
	}
	if o.Version == "" || strings.ContainsFunc(o.Version, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, &fault.Usage{Detail: "a version is printable ASCII without spaces"}
	}
	roots, err := authorities(o.CA)
	if err != nil {
		return nil, err
	}
	host, port, err := splitOrigin(strings.TrimPrefix(string(origin), "https://"))
	if err != nil {
		return nil, &fault.Usage{Detail: "the port of a service is a number to 65535"}
	}
	c := &Client{
		origin: origin, host: host, port: port, agent: "akx/" + o.Version, allowPrivate: o.AllowPrivate,
		limits: o.Limits.filled(), resolver: o.Resolver, dial: o.Dial, clock: o.Clock, random: o.Random, waiting: o.Waiting,
	}
	c.literal, _ = netip.ParseAddr(host)
	if c.resolver == nil {
		c.resolver = net.DefaultResolver
	}
	if c.dial == nil {
		c.dial = (&net.Dialer{}).DialContext
	}
	if c.clock == nil {
		c.clock = systemClock{}
	}
	if c.random == nil {
		c.random = rand.Float64
	}
	c.slots = make(chan struct{}, c.limits.Concurrent)
	c.tls = &tls.Config{ServerName: host, RootCAs: roots, MinVersion: tls.VersionTLS12,
		NextProtos: []string{"http/1.1"}, Time: c.clock.Now}
	// Proxy stays nil: see the package comment. Only DialTLSContext is set, and only
	// https requests are made, so that there is no unguarded way out.
	c.transport = &http.Transport{
		DialTLSContext:         c.dialTLS,
		DisableCompression:     true,
		MaxIdleConnsPerHost:    c.limits.Concurrent,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: c.limits.HeaderBytes,
	}
	return c, nil
}

// authorities gives the trusted roots; nil means the system's.
func authorities(pem []byte) (*x509.CertPool, error) {
	if len(pem) == 0 {
		return nil, nil
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(pem) {
		return nil, &fault.Usage{Detail: "the CA file holds no certificate in PEM form"}
	}
	return roots, nil
}

// Origin is the origin that the client speaks to.
func (c *Client) Origin() identity.Origin { return c.origin }

// Close lets go of idle connections.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Request is one request. A Body makes it a POST of application/json.
type Request struct {
	URL  string // on the client's origin
	Body []byte
	// Read says that asking again changes nothing: only then is a request repeated.
	Read bool
	// MaxBytes caps the body of the answer, as sent and as decompressed.
	MaxBytes int64
	// Skim reads the body of a success as it comes, and gives what is kept of it: for
	// answers that are too large to be kept whole. Its errors are told as those of
	// reading; nil keeps all.
	Skim func(io.Reader) ([]byte, error)
	// Pace is what the service says about how often it may be asked.
	Pace Pace
	// Token is a request JWT for the client's origin; empty for none.
	Token string
	// Going is called before the first byte of the request may go out; nil for nobody.
	Going func()
}

// Response is an answer of any status but a redirect's. All of it is foreign.
type Response struct {
	Status int
	Type   string // the Content-Type header
	// Body is complete with a status of 2xx. With others it is empty where it could
	// not be read within 64 KiB and the deadlines.
	Body []byte
	// RetryAfter is how long the service asks to wait; 0 where it does not say.
	RetryAfter time.Duration
	// Took is the time from the call to the end of the answer, waits and failed attempts
	// included.
	Took time.Duration
}

// Do sends r, again where that may help, and reads the whole answer. It returns
// within moments when ctx ends, with ctx's error.
func (c *Client) Do(ctx context.Context, r Request) (Response, error) {
	target, err := c.target(r.URL)
	if err != nil {
		return Response{}, err
	}
	var took time.Duration
	for attempt := 1; ; attempt++ {
		kept, err := c.paced(ctx, r.Pace)
		if err != nil {
			return Response{}, err
		}
		took += kept
		begun := c.clock.Now()
		answer, err := c.turn(ctx, r, target)
		if ctx.Err() != nil {
			return Response{}, ctx.Err()
		}
		took += c.clock.Now().Sub(begun)
		answer.Took = took
		wait, again := c.again(r, attempt, answer, err)
		if !again {
			return answer, err
		}
		took += wait
		c.tell(Wait{For: wait, Asked: err == nil && answer.RetryAfter > 0, Try: attempt + 1, Of: c.limits.Attempts})
		if err := pause(ctx, c.clock, wait); err != nil {
			return Response{}, err
		}
	}
}

// turn waits for a free slot and makes one attempt.
func (c *Client) turn(ctx context.Context, r Request, target *url.URL) (Response, error) {
	select {
	case c.slots <- struct{}{}:
	case <-ctx.Done():
		return Response{}, ctx.Err()
	}
	defer func() { <-c.slots }()
	return c.exchange(ctx, r, target)
}

// target holds a URL to the origin. The host that goes out is the origin's own
// spelling, so that no difference between parsers can lead elsewhere.
func (c *Client) target(address string) (*url.URL, error) {
	on, err := identity.OriginOf(address)
	if err != nil || on != c.origin {
		return nil, unavailable(c.origin, &Failure{Kind: OffOrigin, text: "the request is for another origin"})
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.User != nil {
		return nil, unavailable(c.origin, &Failure{Kind: OffOrigin, text: "the URL of the request cannot be used"})
	}
	u.Host = strings.TrimPrefix(string(c.origin), "https://")
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}
