package client

import (
	"cmp"
	"net/http"
	"strconv"
	"time"

	"akx/client/fetch"
	"akx/view/fault"
	"akx/view/wire"
)

// maxMessage bounds, in characters, what is kept of a service's own words.
const maxMessage = 300

// refused makes an error of an answer that is not a success (9.7). The code is the
// service's where it is one of the protocol's; other codes are foreign text and go
// into the words.
func (c *Client) refused(answer fetch.Response) error {
	var doc wire.Error
	told := false
	if isJSON(answer.Type) && countValues(answer.Body, c.limits.Values) <= c.limits.Values {
		var err error
		doc, err = wire.ParseError(answer.Body)
		told = err == nil
	}
	if !told {
		return c.unexplained(answer)
	}
	if !onWire(doc.Code) {
		u := c.unexplained(answer)
		u.Detail += "; it says " + cut(string(doc.Code)+": "+doc.Message)
		return u
	}
	words := "it says nothing more"
	if doc.Message != "" {
		words = "it says " + cut(doc.Message)
	}
	if lead := later[doc.Code]; lead != "" {
		if words = lead; doc.Message != "" {
			words += ": it says " + cut(doc.Message)
		}
		return &fault.Unavailable{Code: doc.Code, What: string(c.origin), Detail: words, Hint: cmp.Or(patience(answer.RetryAfter), tryLater), Retry: true}
	}
	return &fault.Refusal{Step: stepOf(doc.Code), Code: doc.Code, Detail: words, Missing: doc.Missing}
}

// later says in plain words what a service cannot do now, and may later.
var later = map[fault.Code]string{
	fault.RateLimited:      "it takes no more requests from here for now",
	fault.QueryUnavailable: "it cannot answer now",
}

// unexplained is an error status without a document that says why.
func (c *Client) unexplained(answer fetch.Response) *fault.Unavailable {
	u := &fault.Unavailable{Code: fault.UnavailableCode, What: string(c.origin),
		Detail: "it answers with the HTTP status " + strconv.Itoa(answer.Status),
		Hint:   patience(answer.RetryAfter), Retry: answer.Status >= 500}
	switch answer.Status {
	case http.StatusNotFound:
		u.Code = fault.NotFound
	case http.StatusRequestEntityTooLarge:
		u.Code = fault.PayloadTooLarge
	case http.StatusUnauthorized, http.StatusForbidden:
		u.Code = fault.PermissionDenied
	case http.StatusTooManyRequests:
		u.Code, u.Retry = fault.RateLimited, true
	}
	if u.Hint == "" {
		u.Hint = nextStep(u)
	}
	return u
}

// nextStep is what helps against a status that says nothing else.
func nextStep(u *fault.Unavailable) string {
	switch {
	case u.Code == fault.RateLimited:
		return tryLater
	case u.Retry:
		return tryLater + "; if it stays so, tell whoever runs the service"
	case u.Code == fault.PayloadTooLarge:
		return "that service takes less at once"
	}
	return "check the origin: what answers there may be no service, or not let you in"
}

const tryLater = "try again later"

// onWire reports whether code is one that a service can answer with.
func onWire(code fault.Code) bool {
	return wire.Error{Code: code}.Status() != http.StatusInternalServerError
}

func stepOf(code fault.Code) fault.Step {
	for _, step := range fault.Steps() {
		if step.Code() == code {
			return step
		}
	}
	return fault.StepShape
}

func patience(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	if d >= fetch.MaxRetryAfter {
		return "it asks to wait a day or more"
	}
	return "it asks to wait " + strconv.FormatInt(int64(d/time.Second), 10) + " seconds"
}

func cut(text string) string {
	n := 0
	for i := range text {
		if n++; n > maxMessage {
			return text[:i] + "…"
		}
	}
	return text
}
