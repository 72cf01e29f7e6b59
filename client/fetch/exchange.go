package fetch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync"
	"time"
)

// watch cancels an attempt whose stage takes too long.
type watch struct {
	clock  Clock
	cancel context.CancelCauseFunc
	mu     sync.Mutex
	over   bool
	stop   func() bool
}

// stage begins a stage and ends the one before.
func (w *watch) stage(d time.Duration, late *Failure) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stop != nil {
		w.stop()
	}
	if !w.over {
		w.stop = w.clock.AfterFunc(d, func() { w.cancel(late) })
	}
}

// end ends the last stage.
func (w *watch) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	if w.stop != nil {
		w.stop()
	}
}

// exchange makes one attempt: one request and its whole answer.
func (c *Client) exchange(ctx context.Context, r Request, target *url.URL) (Response, error) {
	own, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := &watch{clock: c.clock, cancel: cancel}
	defer w.end()
	stop := c.clock.AfterFunc(c.limits.Whole, func() {
		cancel(timedOut(Whole, "the whole answer did not come in time"))
	})
	defer stop()

	answer, err := c.send(own, r, target, w)
	if ctx.Err() != nil {
		return Response{}, ctx.Err()
	}
	// A service can end its answer in order while the connection is being closed on
	// it: what came after the deadline does not count.
	var f *Failure
	late := errors.As(context.Cause(own), &f)
	if err == nil && !late {
		return answer, nil
	}
	if !late && !errors.As(err, &f) {
		f = &Failure{Kind: Malformed, text: "its answer is not HTTP, or its header is too large"}
		if cutOff(err) {
			f = &Failure{Kind: CutOff, Brief: true, text: "the connection ended before the answer did"}
		}
	}
	return Response{}, unavailable(c.origin, f)
}

func (c *Client) send(ctx context.Context, r Request, target *url.URL, w *watch) (Response, error) {
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) {
		if r.Going != nil {
			r.Going()
		}
		w.stage(c.limits.Answer, timedOut(Answering, "no answer came in time"))
	}}
	request, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, trace), http.MethodGet, target.String(), nil)
	if err != nil {
		return Response{}, &Failure{Kind: OffOrigin, text: "the URL of the request cannot be used"}
	}
	request.Header = http.Header{
		"User-Agent":      {c.agent},
		"Accept":          {"application/json"},
		"Accept-Encoding": {"gzip"},
	}
	if r.Token != "" {
		request.Header.Set("Authorization", "Bearer "+r.Token)
	}
	if r.Body != nil {
		request.Method = http.MethodPost
		request.Header.Set("Content-Type", "application/json")
		request.ContentLength = int64(len(r.Body))
		request.Body = io.NopCloser(bytes.NewReader(r.Body))
		request.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(r.Body)), nil }
	}
	// The bare transport follows no redirect and keeps no cookie.
	response, err := c.transport.RoundTrip(request)
	if err != nil {
		return Response{}, err
	}
	defer response.Body.Close()
	return c.receive(response, r, w)
}

// receive reads an answer's body and tells redirects apart.
func (c *Client) receive(response *http.Response, r Request, w *watch) (Response, error) {
	answer := Response{Status: response.StatusCode, Type: response.Header.Get("Content-Type"),
		RetryAfter: retryAfter(response.Header.Get("Retry-After"), c.clock.Now())}
	switch status := response.StatusCode; {
	case status < 200 || status > 599:
		return Response{}, &Failure{Kind: Malformed, text: "its answer has a status that HTTP does not know"}
	case status >= 300 && status < 400:
		return Response{}, &Failure{Kind: Redirected, Status: status, text: "it redirects elsewhere, which is not followed"}
	}
	source := &watched{r: response.Body, w: w, idle: c.limits.Idle}
	if answer.Status < 300 {
		read := io.ReadAll
		if r.Skim != nil {
			read = r.Skim
		}
		body, err := readBody(source, response.Header.Values("Content-Encoding"), r.MaxBytes, read)
		if err != nil {
			return Response{}, err
		}
		answer.Body = body
		return answer, nil
	}
	// The status says enough: a bad body of an error changes nothing about it.
	if body, err := readBody(source, response.Header.Values("Content-Encoding"), maxErrorBytes, io.ReadAll); err == nil {
		answer.Body = body
	}
	return answer, nil
}

// cutOff reports whether err is the connection's end rather than nonsense on it.
func cutOff(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || networkError(err)
}
