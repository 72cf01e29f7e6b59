package fetch

import (
	"compress/gzip"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// maxErrorBytes caps the body of an answer that is an error.
const maxErrorBytes = 64 << 10

// watched reads a body under the deadline for pauses.
type watched struct {
	r    io.Reader
	w    *watch
	idle time.Duration
}

func (b *watched) Read(p []byte) (int, error) {
	b.w.stage(b.idle, timedOut(Idling, "its answer stopped half-way"))
	return b.r.Read(p)
}

// capped gives the failure TooLarge in place of the byte after the last allowed.
type capped struct {
	r    io.Reader
	left int64
	max  int64
}

func (c *capped) Read(p []byte) (int, error) {
	if c.left < 0 {
		return 0, tooLarge(c.max)
	}
	if int64(len(p)) > c.left+1 {
		p = p[:c.left+1]
	}
	n, err := c.r.Read(p)
	c.left -= int64(n)
	if c.left < 0 {
		return n - 1, tooLarge(c.max)
	}
	return n, err
}

func tooLarge(limit int64) *Failure {
	return &Failure{Kind: TooLarge, text: "its answer is larger than the limit of " + strconv.FormatInt(limit, 10) + " bytes"}
}

// readBody reads a body by read, at most limit bytes as sent and as decompressed.
// Memory is taken as bytes come, never by what a header promises.
func readBody(source io.Reader, codings []string, limit int64, read func(io.Reader) ([]byte, error)) ([]byte, error) {
	var body io.Reader = &capped{r: source, left: limit, max: limit}
	switch coding := strings.ToLower(strings.TrimSpace(strings.Join(codings, ","))); coding {
	case "", "identity":
		return read(body)
	case "gzip", "x-gzip":
	default:
		return nil, &Failure{Kind: Encoding, text: "its answer has a content coding that was not asked for"}
	}
	plain, err := gzip.NewReader(body)
	if err != nil {
		return nil, gzipFailure(err)
	}
	text, err := read(&capped{r: plain, left: limit, max: limit})
	if err != nil {
		return nil, gzipFailure(err)
	}
	return text, nil
}

// gzipFailure tells a damaged stream from the failures of what carries it.
func gzipFailure(err error) error {
	var f *Failure
	if errors.As(err, &f) || networkError(err) || errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	return &Failure{Kind: Encoding, text: "its answer is damaged inside its compression"}
}

// networkError reports whether err is one of a connection.
func networkError(err error) bool {
	var op *net.OpError
	return errors.As(err, &op)
}
