package fetch

import (
	"akx/view/fault"
	"akx/view/identity"
)

// Kind tells failures apart; zero is invalid.
type Kind uint8

// The kinds of failures.
const (
	NoName      Kind = iota + 1 // the resolver knows no such name
	NoResolver                  // the resolver gave no answer
	NotAllowed                  // an address that may not be dialled
	Refused                     // nothing listens there
	Unreachable                 // no way to the address
	TimedOut                    // a deadline passed; Stage says which
	Certificate                 // the certificate is not valid
	NoTLS                       // the TLS handshake failed otherwise
	Redirected                  // a redirect, which is not followed
	Encoding                    // a content coding that was not asked for
	TooLarge                    // the body is over a cap
	CutOff                      // the connection ended before the answer did
	Malformed                   // not HTTP, or the header is over its cap
	OffOrigin                   // the request is for another place than the client's origin
	WrongName                   // the certificate is for other names than the origin's
	Untrusted                   // the certificate is from an authority that is not trusted here
)

// Stage is where a deadline passed; zero for other kinds.
type Stage uint8

// The stages of one attempt.
const (
	Resolving Stage = iota + 1
	Connecting
	Handshaking
	Answering // from the request to the end of the answer's header
	Idling    // a pause between two pieces of the body
	Whole     // one attempt from end to end
)

// Failure is the cause inside a *fault.Unavailable of this package.
type Failure struct {
	Kind   Kind
	Stage  Stage
	Status int // of a redirect
	// Brief reports that the cause may pass by itself, so that a read is tried again.
	Brief bool
	text  string
}

// Error gives one clause in words of akx's own; nothing foreign stands in it but
// addresses and, of a certificate, host names in plain ASCII.
func (f *Failure) Error() string { return f.text }

// OwnWords is that clause, for who shows nothing of a service's own words.
func (f *Failure) OwnWords() string { return f.text }

func timedOut(stage Stage, text string) *Failure {
	return &Failure{Kind: TimedOut, Stage: stage, text: text}
}

// hints says what to do about a kind, where there is something to do.
var hints = map[Kind]string{
	NoName:      "check the spelling of the origin",
	NoResolver:  "check this machine's network, or try again later",
	NotAllowed:  "allow private addresses for this service if it is meant to be there",
	Refused:     "check the port, or try again later",
	Unreachable: "check this machine's network, or try again later",
	TimedOut:    "try again later; if it stays so, check the origin and its port",
	Certificate: "ask whoever runs the service for a valid certificate",
	NoTLS:       "check the port: a service speaks HTTPS, never plain HTTP",
	WrongName:   "ask the service for its origin, and add it under that one",
	Untrusted:   "a private deployment needs its own CA file, in the settings of this service",
	Redirected:  "add the service under the origin that it redirects to, if you trust that one",
	Encoding:    "tell whoever runs the service: its answers cannot be read",
	TooLarge:    "ask for less, or tell whoever runs the service",
	CutOff:      "try again later; if it stays so, tell whoever runs the service",
	Malformed:   "check the origin and its port: what answers there may be no service",
}

// unavailable wraps a failure at origin.
func unavailable(origin identity.Origin, f *Failure) error {
	code := fault.UnavailableCode
	if f.Kind == TooLarge {
		code = fault.PayloadTooLarge
	}
	return &fault.Unavailable{Code: code, What: string(origin), Hint: hints[f.Kind],
		Retry: f.Brief || f.Kind == TimedOut, Err: f}
}
