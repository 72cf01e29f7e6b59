package found

import (
	"net/url"
	"strconv"
	"strings"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/wire"
)

// The hits of one answer (9.5).
const (
	defaultLimit = 20
	maxLimit     = 100
)

// Question is what is asked of one service.
type Question struct {
	Service string // its name
	Mode    wire.Mode
	Text    string
	Limit   int // of hits; 0 is the default
}

// Encode writes it as the Query of a route.
func (q Question) Encode() string {
	v := url.Values{}
	v.Set("service", q.Service)
	v.Set("mode", q.Mode.String())
	v.Set("text", q.Text)
	if q.Limit > 0 {
		v.Set("limit", strconv.Itoa(q.Limit))
	}
	return v.Encode()
}

// DecodeQuestion reads the Query of a route; a mode that makes no sense is lexical, and
// such a limit the default.
func DecodeQuestion(query string) Question {
	v, err := url.ParseQuery(query)
	if err != nil {
		v = url.Values{}
	}
	mode, ok := wire.ParseMode(v.Get("mode"))
	if !ok {
		mode = wire.Lexical
	}
	limit, err := strconv.Atoi(v.Get("limit"))
	if err != nil || limit < 1 || limit > maxLimit {
		limit = 0
	}
	return Question{Service: v.Get("service"), Mode: mode, Text: v.Get("text"), Limit: limit}
}

// parseLimit reads how many hits are wanted.
func parseLimit(typed string) (int, error) {
	limit, err := strconv.Atoi(strings.TrimSpace(typed))
	if err != nil || limit < 1 || limit > maxLimit {
		return 0, &fault.Usage{Detail: "the limit is a number from 1 to " + strconv.Itoa(maxLimit)}
	}
	return limit, nil
}

// check holds a question to the bounds of 9.5, before anything is sent.
func (q Question) check() error {
	_, err := capsule.ParseTerms(q.Text, q.Mode == wire.Lexical)
	return err
}

// Ask makes a lexical question; the error is a *fault.Refusal of its text.
func Ask(service, text string) (Question, error) {
	q := Question{Service: service, Mode: wire.Lexical, Text: text}
	return q, q.check()
}
