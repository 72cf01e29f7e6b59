// Package client speaks to one service of Agent Knowledge 1.0 over HTTPS: it reads
// discovery, queries, batches, single events and ranked search, and holds every
// answer to the contract of the spec (9.1 to 9.7).
//
// Every envelope is proven. A record whose proof fails stays in its page as a
// refusal; an answer that breaks the contract around the records is a
// *fault.Refusal with the code invalid_response and the rule that it broke, and
// nothing of it is used. What a service refuses is a *fault.Refusal with the
// service's code, what it cannot do now a *fault.Unavailable; words of a service
// in either are foreign text. All answers are kept within bytes, JSON values and
// pages, whatever a service sends.
package client

import (
	"bytes"
	"context"
	"errors"
	"mime"
	"net/http"
	"strconv"
	"sync"
	"time"

	"akx/client/fetch"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// Transport carries requests to one origin; *fetch.Client is the one for networks.
type Transport interface {
	Do(ctx context.Context, r fetch.Request) (fetch.Response, error)
}

// Limits of what a client takes from a service; a zero member means its default.
type Limits struct {
	PageBytes  int64 // one answer with several records: 16 MiB
	EventBytes int64 // one answer with one record: 1 MiB
	SkimBytes  int64 // one page of one record that is over PageBytes or Values, of which little is kept: 64 MiB
	Discovery  int64 // bytes of a discovery document: 256 KiB
	Values     int   // JSON values in one answer, about 100 bytes of memory each: 500,000
	Pages      int   // of one query: 100,000
	EmptyPages int   // of one query, in a row: 100
	Skims      int   // pages of one query that are read up to SkimBytes: 100
	// Of a query that is not followed: 1,000,000 records, and 1 hour in which its answers
	// were awaited. What is followed is kept on the way, and goes on at the next time.
	Records int
	Time    time.Duration
	// Least is what the pages of a query bring at the least in each Window of waiting for
	// them, a record and a KiB of text counting as one: 9,000 in 15 minutes.
	Least  int64
	Window time.Duration
	Seen   int // events of one query that are remembered to find repeats, some 40 bytes each: the last 1,000,000 at least
}

func (l Limits) filled() Limits {
	if l.PageBytes <= 0 {
		l.PageBytes = 16 << 20
	}
	if l.EventBytes <= 0 {
		l.EventBytes = 1 << 20
	}
	if l.SkimBytes <= 0 {
		l.SkimBytes = 64 << 20
	}
	if l.Discovery <= 0 {
		l.Discovery = 256 << 10
	}
	if l.Values <= 0 {
		l.Values = 500_000
	}
	if l.Pages <= 0 {
		l.Pages = 100_000
	}
	if l.EmptyPages <= 0 {
		l.EmptyPages = 100
	}
	if l.Skims <= 0 {
		l.Skims = 100
	}
	if l.Records <= 0 {
		l.Records = 1_000_000
	}
	if l.Time <= 0 {
		l.Time = time.Hour
	}
	if l.Seen <= 0 {
		l.Seen = 1_000_000
	}
	if l.Least <= 0 {
		l.Least = 9_000
	}
	if l.Window <= 0 {
		l.Window = 15 * time.Minute
	}
	return l
}

// Client is one service as seen from here. It is safe for concurrent use.
type Client struct {
	origin    identity.Origin
	transport Transport
	limits    Limits

	mu    sync.Mutex
	known *wire.Discovery
}

// New makes a client of the service at origin, which transport must lead to.
func New(origin identity.Origin, transport Transport, limits Limits) *Client {
	return &Client{origin: origin, transport: transport, limits: limits.filled()}
}

// Origin is the service's origin.
func (c *Client) Origin() identity.Origin { return c.origin }

// Discover reads the service's discovery document (9.2) and keeps it for the
// client's other calls. Errors carry invalid_discovery where the document breaks a
// rule. Peers in it are hints: nothing here follows them.
func (c *Client) Discover(ctx context.Context) (wire.Discovery, error) {
	text, err := c.read(ctx, fetch.Request{URL: string(c.origin) + wire.DiscoveryPath, MaxBytes: c.limits.Discovery})
	if err != nil {
		return wire.Discovery{}, c.its(c.absent(err))
	}
	d, err := wire.ParseDiscovery(text, c.origin)
	if err != nil {
		return wire.Discovery{}, c.its(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = &d
	return d, nil
}

// its says of an error that it is about an answer of this service.
func (c *Client) its(err error) error { return fault.AtService(err, "", string(c.origin)) }

// absent says in plain words that an origin has no discovery document.
func (c *Client) absent(err error) error {
	var coded fault.Coded
	if !errors.As(err, &coded) || coded.FaultCode() != fault.NotFound {
		return err
	}
	return &fault.Unavailable{Code: fault.NotFound, What: string(c.origin),
		Detail: "no Agent Knowledge service answers there: its discovery document is not found", Hint: "check the spelling of the origin"}
}

// discovered gives the document that was read last, or reads it.
func (c *Client) discovered(ctx context.Context) (wire.Discovery, error) {
	c.mu.Lock()
	known := c.known
	c.mu.Unlock()
	if known != nil {
		return *known, nil
	}
	return c.Discover(ctx)
}

// limit gives a limit that the service published in the document that was read last; 0
// for none (9.7).
func (c *Client) limit(name string) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		return 0
	}
	return c.known.Limit(name)
}

// pace is how often the service says that it may be asked.
func (c *Client) pace() fetch.Pace {
	return fetch.Pace{PerMinute: c.limit(wire.LimitPerMinute), AtOnce: c.limit(wire.LimitAtOnce)}
}

// fits refuses a body of a read that is longer than what the service says it takes;
// what can be split is split for that.
func (c *Client) fits(body []byte) error {
	limit := c.limit(wire.LimitReadBody)
	if limit == 0 || int64(len(body)) <= limit {
		return nil
	}
	return &fault.Unavailable{Code: fault.PayloadTooLarge, What: string(c.origin), Service: string(c.origin),
		Detail: "the request has " + strconv.Itoa(len(body)) + " bytes, and it says that it takes " + strconv.FormatInt(limit, 10) + " (" + wire.LimitReadBody + "): it was not sent",
		Hint:   "ask for less"}
}

// read sends a read and gives the body of its success.
func (c *Client) read(ctx context.Context, r fetch.Request) ([]byte, error) {
	text, _, err := c.timed(ctx, r)
	return text, err
}

// timed is read, and says how long its answer was awaited.
func (c *Client) timed(ctx context.Context, r fetch.Request) (text []byte, took time.Duration, err error) {
	if err := c.fits(r.Body); err != nil {
		return nil, 0, err
	}
	r.Read, r.Pace = true, c.pace()
	answer, err := c.transport.Do(ctx, r)
	if err != nil {
		return nil, answer.Took, err
	}
	text, err = c.success(answer)
	return text, answer.Took, err
}

// success gives the body of an answer that is one.
func (c *Client) success(answer fetch.Response) ([]byte, error) {
	if answer.Status < 200 || answer.Status > 299 {
		return nil, c.refused(answer)
	}
	if answer.Status != http.StatusOK {
		return nil, badAnswer("has the status " + strconv.Itoa(answer.Status) + " where a success is 200")
	}
	if !isJSON(answer.Type) {
		return nil, badAnswer("is not of the content type application/json")
	}
	if countValues(answer.Body, c.limits.Values) > c.limits.Values {
		return nil, &fault.Unavailable{Code: fault.PayloadTooLarge, What: string(c.origin),
			Detail: "its answer has more than the limit of " + strconv.Itoa(c.limits.Values) + " JSON values"}
	}
	return answer.Body, nil
}

// badAnswer is a broken contract of an answer as a whole.
func badAnswer(detail string) *fault.Refusal {
	return &fault.Refusal{Step: fault.StepShape, Code: fault.InvalidResponse, Detail: detail}
}

func isJSON(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && kind == "application/json"
}

// countValues gives at least the number of JSON values in text, as far as it is
// interesting: a parsed value takes much more memory than the two bytes that a
// small one has on the wire. Commas inside strings are told apart only where they
// would decide.
func countValues(text []byte, limit int) int {
	marks := 1
	for _, mark := range []string{",", "[", "{"} {
		marks += bytes.Count(text, []byte(mark))
	}
	if marks <= limit {
		return marks
	}
	n, inString := 1, false
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case b == '"':
			inString = !inString
		case inString && b == '\\':
			i++
		case !inString && (b == ',' || b == '[' || b == '{'):
			n++
		}
	}
	return n
}
