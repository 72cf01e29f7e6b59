package found

import (
	"net/url"

	"akx/view/capsule"
	"akx/view/wire"
)

// Question is what is asked of one service.
type Question struct {
	Service string // its name
	Mode    wire.Mode
	Text    string
}

// Encode writes it as the Query of a route.
func (q Question) Encode() string {
	v := url.Values{}
	v.Set("service", q.Service)
	v.Set("mode", q.Mode.String())
	v.Set("text", q.Text)
	return v.Encode()
}

// DecodeQuestion reads the Query of a route; a mode that makes no sense is lexical.
func DecodeQuestion(query string) Question {
	v, err := url.ParseQuery(query)
	if err != nil {
		v = url.Values{}
	}
	mode, ok := wire.ParseMode(v.Get("mode"))
	if !ok {
		mode = wire.Lexical
	}
	return Question{Service: v.Get("service"), Mode: mode, Text: v.Get("text")}
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
