package service

import (
	"bytes"
	"compress/gzip"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"akx/view/fault"
	"akx/view/wire"
)

// answer is a response before it is sent.
type answer struct {
	status  int
	body    []byte
	caching string // Cache-Control; empty for no-store
	allow   string // methods, with 405
	wait    time.Duration
	sign    bool // a token would help
	plain   bool // a body without a content coding would be taken (RFC 9110, 15.5.16)
	last    bool // the body is left unread: the connection ends
	gzipped bool
	buffer  *[]byte // where body stands, if that is used again
}

// buffers are used again: pages are large, and many come at a time.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// written is the answer that a document makes.
func written(d document, gzipped bool) answer {
	a := answer{status: http.StatusOK, buffer: buffers.Get().(*[]byte)}
	a.body = d.Append((*a.buffer)[:0])
	*a.buffer = a.body
	if !gzipped || len(a.body) < minGzip {
		return a
	}
	small := compress(a.body)
	a.release()
	return answer{status: http.StatusOK, body: *small, buffer: small, gzipped: true}
}

// maxBuffer is the largest buffer that is kept.
const maxBuffer = 8 << 20

// release gives the buffer back; the body is gone then.
func (a *answer) release() {
	if a.buffer != nil && cap(*a.buffer) <= maxBuffer {
		buffers.Put(a.buffer)
	}
	a.body, a.buffer = nil, nil
}

// refusal is the answer to an error (9.7, Agent Identity 8.1).
func (h *Handler) refusal(c *call, err error) answer {
	document := wire.ErrorOf(err)
	c.log.Code = document.Code
	a := answer{status: document.Status(), body: document.Append(nil)}
	a.sign = document.Code == fault.InvalidToken
	a.last = !c.read && c.ContentLength != 0
	var media *wrongMedia
	if errors.As(err, &media) {
		a.status, a.plain = http.StatusUnsupportedMediaType, media.coded
	}
	var coded fault.Coded
	if document.Code == fault.QueryUnavailable && errors.As(err, &coded) && coded.Temporary() {
		a = a.after(unavailableWait)
	}
	return a
}

// unavailableWait is what one who finds the store in other hands is asked to wait.
const unavailableWait = 2 * time.Second

// after asks the other side to wait.
func (a answer) after(wait time.Duration) answer {
	a.wait = max(wait, time.Second)
	return a
}

// send writes the answer and gives the bytes of the body that were sent. An error
// of the connection is that of the other side alone.
func (a answer) send(w http.ResponseWriter, r *http.Request) int {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-store")
	if a.caching != "" {
		header.Set("Cache-Control", a.caching)
	}
	if a.allow != "" {
		header.Set("Allow", a.allow)
	}
	if a.wait > 0 {
		header.Set("Retry-After", strconv.Itoa(int(math.Ceil(a.wait.Seconds()))))
	}
	if a.sign {
		header.Set("WWW-Authenticate", "Bearer")
	}
	if a.plain {
		header.Set("Accept-Encoding", "identity")
	}
	if a.last {
		header.Set("Connection", "close")
	}
	if a.status == http.StatusOK {
		header.Set("Vary", "Accept-Encoding")
	}
	if a.gzipped {
		header.Set("Content-Encoding", "gzip")
	}
	header.Set("Content-Length", strconv.Itoa(len(a.body)))
	w.WriteHeader(a.status)
	if r.Method == http.MethodHead {
		return 0
	}
	n, _ := w.Write(a.body)
	return n
}

// minGzip is the size below which compression gains nothing.
const minGzip = 1400

var gzips = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is a valid one
	return w
}}

// compress gives body compressed, in a buffer of the pool.
func compress(body []byte) *[]byte {
	buffer := buffers.Get().(*[]byte)
	out := bytes.NewBuffer((*buffer)[:0])
	w := gzips.Get().(*gzip.Writer)
	defer gzips.Put(w)
	w.Reset(out)
	// A buffer takes everything.
	_, _ = w.Write(body)
	_ = w.Close()
	*buffer = out.Bytes()
	return buffer
}

// acceptsGzip reads Accept-Encoding (RFC 9110, 12.5.3).
func acceptsGzip(values []string) bool {
	all := false
	for item := range strings.SplitSeq(strings.Join(values, ","), ",") {
		coding, weight, _ := strings.Cut(item, ";")
		accepted := !isZero(weight)
		switch strings.ToLower(strings.TrimSpace(coding)) {
		case "gzip", "x-gzip":
			return accepted
		case "*":
			all = accepted
		}
	}
	return all
}

// isZero reports a weight that says no, such as q=0.0.
func isZero(weight string) bool {
	name, value, _ := strings.Cut(strings.TrimSpace(weight), "=")
	if !strings.EqualFold(strings.TrimSpace(name), "q") {
		return false
	}
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	return err != nil || q <= 0
}
