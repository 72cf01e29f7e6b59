package wire

import (
	"errors"
	"slices"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// Error is the error document of a service (Agent Identity 8.1, Agent Knowledge 9.7).
type Error struct {
	Code    fault.Code
	Message string
	Missing []string // event IDs, with missing_dependency
}

// ErrorOf makes the error document for what went wrong. Codes that are none of
// the wire's are never sent: those become query_unavailable.
func ErrorOf(err error) Error {
	var refusal *fault.Refusal
	var absent *fault.NotHeld
	switch {
	case errors.As(err, &refusal) && statuses[refusal.Code] != 0:
		message := refusal.Detail
		if refusal.Path != "" {
			message = refusal.Path + ": " + message
		}
		return Error{Code: refusal.Code, Message: message, Missing: refusal.Missing}
	case errors.As(err, &absent):
		return Error{Code: fault.NotFound, Message: "no such event can be read here"}
	}
	return Error{Code: fault.QueryUnavailable, Message: "the service cannot answer now"}
}

// statuses is the recommended HTTP status of every code of the wire.
var statuses = map[fault.Code]int{
	fault.InvalidRequest:        400,
	fault.InvalidEvent:          400,
	fault.InvalidEventHash:      400,
	fault.InvalidSignature:      400,
	fault.InvalidActor:          400,
	fault.TimestampOutside:      400,
	fault.NonceNotGreater:       409,
	fault.InvalidToken:          401,
	fault.PermissionDenied:      403,
	fault.NotFound:              404,
	fault.RateLimited:           429,
	fault.PayloadTooLarge:       413,
	fault.MissingDependency:     409,
	fault.InvalidTarget:         400,
	fault.InvalidCursor:         400,
	fault.QueryTooBroad:         422,
	fault.QueryUnavailable:      503,
	fault.UnsupportedSearchMode: 400,
}

// Status is the HTTP status that goes with e (9.7).
func (e Error) Status() int {
	if s := statuses[e.Code]; s != 0 {
		return s
	}
	return 500
}

// Append appends the document.
func (e Error) Append(dst []byte) []byte {
	w := newWriter(dst)
	w.name("error")
	inner := newWriter(w.dst)
	inner.text("code", string(e.Code))
	inner.text("message", e.Message)
	if e.Code == fault.MissingDependency {
		inner.name("data")
		data := newWriter(inner.dst)
		data.texts("missing", e.Missing)
		inner.dst = data.end()
	}
	w.dst = inner.end()
	return w.end()
}

var errorShape = capsule.OpenObject(capsule.Required("error", capsule.OpenObject(
	capsule.Required("code", textShape),
	capsule.Required("message", capsule.StringShape(func(string) bool { return true }, "")))))

// ParseError reads the error document of a service; unknown members are ignored.
// Code and Message are foreign text. Errors carry invalid_response.
func ParseError(text []byte) (Error, error) {
	v, err := parseAnswer(text, errorShape)
	if err != nil {
		return Error{}, err
	}
	inner, _ := v.Get("error")
	e := Error{Code: fault.Code(member(inner, "code").Text()), Message: member(inner, "message").Text()}
	for _, id := range member(member(inner, "data"), "missing").Items() {
		if _, err := identity.ParseID(id.Text()); err == nil {
			e.Missing = append(e.Missing, id.Text())
		}
	}
	slices.Sort(e.Missing)
	e.Missing = slices.Compact(e.Missing)
	return e, nil
}

// badRequest is what a service finds wrong with a request.
func badRequest(path, detail string) *fault.Refusal {
	return &fault.Refusal{Step: fault.StepShape, Code: fault.InvalidRequest, Path: path, Detail: detail}
}

// badAnswer is what a client finds wrong with a response.
func badAnswer(path, detail string) *fault.Refusal {
	return &fault.Refusal{Step: fault.StepShape, Code: fault.InvalidResponse, Path: path, Detail: detail}
}

// parseRequest reads a request body strictly: errors carry invalid_request.
func parseRequest(text []byte, shape capsule.Shape) (identity.Value, error) {
	return parseAs(text, shape, fault.InvalidRequest)
}

// parseAnswer reads a response: errors carry invalid_response.
func parseAnswer(text []byte, shape capsule.Shape) (identity.Value, error) {
	return parseAs(text, shape, fault.InvalidResponse)
}

func parseAs(text []byte, shape capsule.Shape, code fault.Code) (identity.Value, error) {
	v, err := identity.Parse(text)
	if err != nil {
		return v, recode(refusalOf(err, fault.StepParse), code)
	}
	if r := shape(v); r != nil {
		return v, recode(r, code)
	}
	return v, nil
}

// recode gives a copy of r under another code.
func recode(r *fault.Refusal, code fault.Code) *fault.Refusal {
	again := *r
	again.Code = code
	return &again
}

// member gives a member of an object; Absent where there is none.
func member(v identity.Value, name string) identity.Value {
	m, _ := v.Get(name)
	return m
}
