package service

import (
	"fmt"
	"io"
	"mime"
	"strings"
	"time"

	"akx/view/fault"
	"akx/view/identity"
)

// Caps of POST bodies. A batch of 100 IDs and a search text of 1024 characters, each
// written as escapes, stay far below the second.
const (
	maxEnvelope = identity.MaxEnvelopeBytes
	maxReadBody = 64 << 10
)

// wrongMedia is a body of a type that is not taken: invalid_request with 415.
type wrongMedia struct {
	*fault.Refusal
	coded bool // for its content coding
}

// Unwrap lets the refusal be found.
func (w *wrongMedia) Unwrap() error { return w.Refusal }

func refuseMedia(detail string) error {
	return &wrongMedia{Refusal: &fault.Refusal{Step: fault.StepShape, Code: fault.InvalidRequest, Detail: detail}}
}

// readBody reads the body of a call that takes one.
func (h *Handler) readBody(c *call) (err error) {
	switch c.route {
	case toEvents:
		if h.o.NoSubmit {
			return &fault.Refusal{Step: fault.StepPolicy, Code: fault.PermissionDenied, Detail: "this service takes no submissions"}
		}
		c.body, err = c.readJSON(maxEnvelope)
	case toBatch, toSearch:
		c.body, err = c.readJSON(maxReadBody)
	}
	return err
}

// readJSON reads a body as it is, at most limit bytes. One that says that it is
// longer is refused before a byte of it is read.
func (c *call) readJSON(limit int64) ([]byte, error) {
	kinds := c.Header.Values("Content-Type")
	if len(kinds) != 1 || !isJSON(kinds[0]) {
		return nil, refuseMedia("the body must be application/json in UTF-8")
	}
	if coding := strings.Join(c.Header.Values("Content-Encoding"), ","); coding != "" && !strings.EqualFold(coding, "identity") {
		return nil, &wrongMedia{coded: true, Refusal: &fault.Refusal{Step: fault.StepShape, Code: fault.InvalidRequest,
			Detail: "the body must not be compressed"}}
	}
	if c.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	body, err := io.ReadAll(io.LimitReader(c.Body, limit+1))
	switch {
	case err != nil:
		return nil, &fault.Refusal{Step: fault.StepParse, Code: fault.InvalidRequest, Detail: "the body did not come whole"}
	case int64(len(body)) > limit:
		return nil, tooLarge(limit)
	}
	c.read = true
	return body, nil
}

func tooLarge(limit int64) error {
	return &fault.Refusal{Step: fault.StepLimit, Code: fault.PayloadTooLarge,
		Detail: fmt.Sprintf("the body is longer than %d bytes", limit)}
}

func isJSON(contentType string) bool {
	kind, params, err := mime.ParseMediaType(contentType)
	charset, given := params["charset"]
	return err == nil && kind == "application/json" && (!given || strings.EqualFold(charset, "utf-8"))
}

// checkToken judges a request JWT (Agent Identity 7). One that is sent must be
// valid; whose it is does not matter (8.1).
func (h *Handler) checkToken(c *call, now time.Time) error {
	sent := c.Header.Values("Authorization")
	if len(sent) == 0 {
		if h.o.RequireToken && c.route == toEvents {
			return badToken("submissions here need a request token")
		}
		return nil
	}
	scheme, token, _ := strings.Cut(sent[0], " ")
	if len(sent) > 1 || !strings.EqualFold(scheme, "Bearer") {
		return badToken("one Bearer token is taken, and nothing else")
	}
	_, err := identity.OpenRequest(strings.TrimLeft(token, " "), h.core.o.Origin, now.Unix(), 0)
	return err
}

func badToken(detail string) error {
	return &fault.Refusal{Step: fault.StepShape, Code: fault.InvalidToken, Detail: detail}
}
