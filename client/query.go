package client

import (
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"io"
	"iter"
	"net/url"
	"strconv"
	"strings"
	"time"

	"akx/client/fetch"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// Query enumerates what the service has that matches q, to the end (9.3): each
// page is asked for when it is needed. The enumeration is complete only if the
// pages end without an error; pages that came before an error stand.
//
// All pages have the checkpoint of the first, with one exception: where a page is
// over the limits of this client or too broad for the service, the walk goes on
// behind the last record with smaller pages, under the checkpoint of that moment. The
// stamp of the last page is then that of the whole. A single record that is over the
// limits is a refusal in its page, at its seq. Pages are within what the service says
// that it gives (9.7). A walk over the limits of this client on pages, records and time
// ends with the code partial. q.Limit 0 means the default; q.Cursor must be empty.
func (c *Client) Query(ctx context.Context, q wire.Query) iter.Seq2[wire.QueryPage, error] {
	return c.enumerate(ctx, q, false)
}

// enumerate is Query; what is followed has no bound on records and time.
func (c *Client) enumerate(ctx context.Context, q wire.Query, followed bool) iter.Seq2[wire.QueryPage, error] {
	return func(yield func(wire.QueryPage, error) bool) {
		w, err := c.walk(ctx, q)
		if err == nil {
			w.followed = followed
		}
		for more := true; more; {
			var page wire.QueryPage
			if err == nil {
				page, more, err = w.next(ctx)
				err = c.its(err)
			}
			if err != nil {
				yield(wire.QueryPage{}, err)
				return
			}
			if !yield(page, nil) {
				return
			}
		}
	}
}

// Follow enumerates everything after a checkpoint, in the largest pages. One page
// is fetched and proven while the one before is in the caller's hands.
func (c *Client) Follow(ctx context.Context, after uint64) iter.Seq2[wire.QueryPage, error] {
	type result struct {
		page wire.QueryPage
		err  error
	}
	return func(yield func(wire.QueryPage, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		results := make(chan result)
		go func() {
			defer close(results)
			for page, err := range c.enumerate(ctx, wire.Query{AfterSeq: after, Limit: wire.MaxQueryLimit}, true) {
				select {
				case results <- result{page, err}:
				case <-ctx.Done():
					return
				}
			}
		}()
		defer func() {
			cancel()
			for range results {
			}
		}()
		for {
			select {
			case r, more := <-results:
				if !more {
					// A walk that its context ended must not look like a complete one.
					if ctx.Err() != nil {
						yield(wire.QueryPage{}, ctx.Err())
					}
					return
				}
				if !yield(r.page, r.err) || r.err != nil {
					return
				}
			case <-ctx.Done():
				yield(wire.QueryPage{}, ctx.Err())
				return
			}
		}
	}
}

// walk is one enumeration under way.
type walk struct {
	c        *Client
	endpoint string
	query    wire.Query // as asked, with AfterSeq at the last record
	e        *wire.Enumeration
	stamp    wire.Stamp // of the page before
	pages    int
	empty    int // pages without a record, in a row
	small    int // pages since they were made smaller
	skims    int // pages of which only the frame was read
	seed     maphash.Seed
	// Events of this walk, the latest and those before them, as many in each as the limit
	// Seen at most. A repeat of what is forgotten is none to the store either: the smallest
	// seq under which an event was given counts.
	seen, before map[uint64]struct{}
	effort
}

// effort is what a walk cost and brought.
type effort struct {
	followed bool
	records  int
	took     time.Duration // in which its answers were awaited
	window   time.Duration // of took, the part that gained counts for
	gained   int64
}

func (c *Client) walk(ctx context.Context, q wire.Query) (*walk, error) {
	if q.Limit == 0 {
		q.Limit = wire.DefaultQueryLimit
	}
	if q.Limit < 1 || q.Limit > wire.MaxQueryLimit || q.Cursor != "" {
		return nil, &fault.Usage{Detail: "a query begins without a cursor, in pages of 1 to " + strconv.Itoa(wire.MaxQueryLimit)}
	}
	if err := q.Filter.Check(); err != nil {
		return nil, err
	}
	d, err := c.discovered(ctx)
	if err != nil {
		return nil, err
	}
	if most := d.Limit(wire.LimitPage); most > 0 {
		q.Limit = int(min(int64(q.Limit), most))
	}
	return &walk{c: c, endpoint: d.Endpoints.Query, query: q, e: wire.NewEnumeration(c.origin, q),
		seed: maphash.MakeSeed(), seen: make(map[uint64]struct{})}, nil
}

// next gives the next page and whether another one follows.
func (w *walk) next(ctx context.Context) (page wire.QueryPage, more bool, err error) {
	if w.pages++; w.pages > w.c.limits.Pages {
		return wire.QueryPage{}, false, w.stopped("after " + strconv.Itoa(w.c.limits.Pages) + " pages")
	}
	if where := w.tooMuch(w.c.limits); where != "" {
		return wire.QueryPage{}, false, w.stopped(where)
	}
	page, err = w.ask(ctx)
	for err != nil && tooLarge(err) && w.e.Request().Limit > 1 {
		w.restart(max(1, w.e.Request().Limit/10))
		page, err = w.ask(ctx)
	}
	if err != nil && overLimit(err) {
		page, err = w.skim(ctx, err)
	}
	if err != nil {
		return wire.QueryPage{}, false, err
	}
	if err := w.check(page); err != nil {
		return wire.QueryPage{}, false, err
	}
	w.gain(page)
	if page.Next == "" {
		return page, false, nil
	}
	if limit := w.e.Request().Limit; limit < w.query.Limit {
		if w.small++; w.small == 10 {
			w.restart(min(w.query.Limit, limit*10))
		}
	}
	return page, true, nil
}

// ask asks for a page and checks it.
func (w *walk) ask(ctx context.Context) (wire.QueryPage, error) {
	text, took, err := w.c.timed(ctx, fetch.Request{URL: pageURL(w.endpoint, w.e.Request()), MaxBytes: w.c.limits.PageBytes})
	w.spend(took)
	if err != nil {
		return wire.QueryPage{}, err
	}
	return w.e.Page(text)
}

// skim reads a page of one record that is over the limits for what a walk needs to go
// on (9.3.1): its seq, the stamp and the cursor. The record becomes a refusal with
// payload_too_large, which is a limit of this client and no word about the event. A
// page that is over the limit for this too ends the walk with the error large.
func (w *walk) skim(ctx context.Context, large error) (wire.QueryPage, error) {
	if w.skims++; w.skims > w.c.limits.Skims {
		return wire.QueryPage{}, w.stopped("after " + strconv.Itoa(w.c.limits.Skims) + " records that are over the limits")
	}
	left, full := false, false
	text, took, err := w.c.timed(ctx, fetch.Request{URL: pageURL(w.endpoint, w.e.Request()), MaxBytes: w.c.limits.SkimBytes,
		Skim: func(r io.Reader) (text []byte, err error) {
			text, left, err = wire.Skim{Values: w.c.limits.Values / 2}.Page(r)
			full = text == nil && err == nil
			return text, err
		}})
	w.spend(took)
	if f := (*fetch.Failure)(nil); full || errors.As(err, &f) && f.Kind == fetch.TooLarge {
		return wire.QueryPage{}, w.impassable(cmp.Or(err, large))
	}
	if err != nil {
		return wire.QueryPage{}, err
	}
	page, err := w.e.Page(text)
	if err != nil {
		return wire.QueryPage{}, large // as far as it was read it is no page, and of such size
	}
	for i := range page.Items {
		if item := &page.Items[i]; left && item.Refusal != nil {
			item.Refusal = fault.Refuse(fault.StepLimit, item.Refusal.Path, "its record is over what this client takes of one answer: "+
				strconv.FormatInt(w.c.limits.PageBytes, 10)+" bytes, "+strconv.Itoa(w.c.limits.Values)+" JSON values")
		}
	}
	return page, nil
}

// impassable is the end at a place behind which nothing can be asked for: the seq of
// the record there is not known.
func (w *walk) impassable(err error) error {
	return &fault.Unavailable{Code: fault.PayloadTooLarge, What: string(w.c.origin), Err: err,
		Detail: "its answer to a request for the one record behind #" + strconv.FormatUint(w.query.AfterSeq, 10) + " is too large to find out its number",
		Hint:   "what came before it is kept; tell whoever runs the service, as nothing behind it can be read from here"}
}

// restart goes on behind the last record in pages of another size: a cursor binds
// the limit, so that this is a query of its own.
func (w *walk) restart(limit int) {
	q := w.query
	q.Limit = limit
	w.e, w.small = wire.NewEnumeration(w.c.origin, q), 0
}

// check holds a page to what only the whole walk shows.
func (w *walk) check(page wire.QueryPage) error {
	if page.Checkpoint < w.stamp.Checkpoint {
		return &fault.Refusal{Step: fault.StepShape, Code: fault.InvalidResponse, Path: "/checkpoint",
			Detail: "is before that of a page before"}
	}
	for _, item := range page.Items {
		if id := item.Offer.Envelope().ID(); !id.IsZero() && !w.first(id) {
			return &fault.Refusal{Step: fault.StepShape, Code: fault.InvalidResponse, Path: item.Where,
				Detail: "repeats an event of a page before"}
		}
	}
	w.empty++
	if n := len(page.Items); n > 0 {
		w.query.AfterSeq, w.empty = page.Items[n-1].Seq, 0
	}
	if w.empty > w.c.limits.EmptyPages {
		return w.stopped("after " + strconv.Itoa(w.empty) + " pages without a record")
	}
	w.stamp = page.Stamp
	return nil
}

// first notes an event and reports whether it is new to this walk. Its hash under
// a secret seed takes a fifth of its ID's memory, and nobody can aim at collisions.
func (w *walk) first(id identity.ID) bool {
	sum := maphash.Bytes(w.seed, id[:])
	_, known := w.seen[sum]
	_, earlier := w.before[sum]
	if known || earlier {
		return false
	}
	if len(w.seen) >= w.c.limits.Seen {
		w.seen, w.before = make(map[uint64]struct{}), w.seen
	}
	w.seen[sum] = struct{}{}
	return true
}

// spend adds the time in which an answer was awaited.
func (e *effort) spend(took time.Duration) {
	e.took += took
	e.window += took
}

// gain adds what a page brought.
func (e *effort) gain(page wire.QueryPage) {
	e.records += len(page.Items)
	for _, item := range page.Items {
		e.gained += 1 + int64(len(item.Offer.Envelope().Text())>>10)
	}
}

// tooMuch says where a walk is left for what it costs; empty where it goes on. A
// service that drips well-signed records holds nobody for days.
func (e *effort) tooMuch(l Limits) (where string) {
	if !e.followed && e.records >= l.Records {
		return "after " + strconv.Itoa(e.records) + " records"
	}
	if !e.followed && e.took >= l.Time {
		return "after it was awaited for " + l.Time.String()
	}
	if e.window < l.Window {
		return ""
	}
	if e.gained < l.Least {
		return "because too little came in " + l.Window.String()
	}
	e.window, e.gained = 0, 0
	return ""
}

// stopped is the end of a walk by this client's own bound.
func (w *walk) stopped(where string) error {
	return &fault.Unavailable{Code: fault.Partial, What: string(w.c.origin), Detail: "its answer was left " + where,
		Hint: "what came is kept; add filters to ask for less"}
}

// overLimit reports whether an answer broke a limit of this client.
func overLimit(err error) bool {
	var u *fault.Unavailable
	return errors.As(err, &u) && u.Code == fault.PayloadTooLarge
}

// tooLarge reports whether a smaller request may help: an answer is over a limit of
// this client, or the service says that it is over one of its own (9.7).
func tooLarge(err error) bool {
	var r *fault.Refusal
	return overLimit(err) || errors.As(err, &r) && (r.Code == fault.PayloadTooLarge || r.Code == fault.QueryTooBroad)
}

// pageURL is the URL of a query, form-encoded (9.1).
func pageURL(endpoint string, q wire.Query) string {
	var b strings.Builder
	b.WriteString(endpoint)
	for i, p := range q.Params() {
		b.WriteByte("?&"[min(i, 1)])
		b.WriteString(url.QueryEscape(p.Name))
		b.WriteByte('=')
		b.WriteString(url.QueryEscape(p.Value))
	}
	return b.String()
}
