package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"akx/client/fetch"
	"akx/view/fault"
	"akx/view/identity"
)

// inProcess is a client's way to a service of this process: the same handler, the
// same documents, and no network. A request is carried out on the caller's goroutine.
type inProcess struct {
	origin  identity.Origin
	handler http.Handler
}

// maxErrorText is what is taken of the body of an error, as over a network.
const maxErrorText = 64 << 10

// Do sends one request; see client.Transport. Nothing is sent twice.
func (p *inProcess) Do(ctx context.Context, r fetch.Request) (fetch.Response, error) {
	if err := ctx.Err(); err != nil {
		return fetch.Response{}, err
	}
	request, err := p.request(ctx, r)
	if err != nil {
		return fetch.Response{}, &fault.Unavailable{Code: fault.UnavailableCode, What: string(p.origin), Detail: "the URL of the request cannot be used", Err: err}
	}
	out := &kept{header: http.Header{}, room: r.MaxBytes}
	p.handler.ServeHTTP(out, request)
	if err := ctx.Err(); err != nil {
		return fetch.Response{}, err
	}
	answer := fetch.Response{Status: out.status, Type: out.header.Get("Content-Type"), Body: out.body.Bytes()}
	if seconds, err := strconv.Atoi(out.header.Get("Retry-After")); err == nil && seconds > 0 {
		answer.RetryAfter = time.Duration(seconds) * time.Second
	}
	switch success := answer.Status >= 200 && answer.Status <= 299; {
	case success && out.over:
		return fetch.Response{}, &fault.Unavailable{Code: fault.PayloadTooLarge, What: string(p.origin),
			Detail: "its answer is larger than the limit of " + strconv.FormatInt(r.MaxBytes, 10) + " bytes"}
	case success && r.Skim != nil:
		answer.Body, err = r.Skim(&out.body)
		return answer, err
	case !success && (out.over || len(answer.Body) > maxErrorText):
		answer.Body = nil
	}
	return answer, nil
}

func (p *inProcess) request(ctx context.Context, r fetch.Request) (*http.Request, error) {
	if on, err := identity.OriginOf(r.URL); err != nil || on != p.origin {
		return nil, &fault.Usage{Detail: "the request is for another origin"}
	}
	if r.Body == nil {
		return http.NewRequestWithContext(ctx, http.MethodGet, r.URL, http.NoBody)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.URL, bytes.NewReader(r.Body))
	if err == nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return request, err
}

// kept is a ResponseWriter that keeps an answer within room.
type kept struct {
	header http.Header
	status int
	body   bytes.Buffer
	room   int64
	over   bool
}

func (k *kept) Header() http.Header { return k.header }

func (k *kept) WriteHeader(status int) {
	if k.status == 0 {
		k.status = status
	}
}

func (k *kept) Write(b []byte) (int, error) {
	k.WriteHeader(http.StatusOK)
	if int64(k.body.Len()+len(b)) > k.room {
		k.over = true
		return 0, io.ErrShortWrite
	}
	return k.body.Write(b)
}
