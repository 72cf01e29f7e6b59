package draw

import (
	"cmp"
	"errors"

	"akx/view/clean"
	"akx/view/fault"
)

// ErrorLine is an error on one line: what failed in words, the code where it is the
// protocol's, and what to do next.
func ErrorLine(err error) Line {
	var coded fault.Coded
	if !errors.As(err, &coded) {
		return Line{Say(Normal, clean.Line(err.Error()))}
	}
	return errorLine(what(err, coded), coded)
}

// errorLine puts the code and the hint behind the words of an error.
func errorLine(words string, coded fault.Coded) Line {
	code := coded.FaultCode()
	line := Line{Say(Normal, clean.Line(words))}
	if code.Protocol() {
		line = append(line, Own(Normal, " ("), Say(Bad, clean.Line(string(code))), Own(Normal, ")"))
	}
	if hint := coded.FaultHint(); hint != "" {
		line = append(line, Own(Normal, "; "), Say(Normal, clean.Line(hint)))
	}
	return line
}

// ErrorAt is ErrorLine beside the name of the service whose error it is, which is not
// named again.
func ErrorAt(err error) Line {
	switch e := err.(type) {
	case *fault.Unavailable:
		if e.Detail != "" || e.Err != nil {
			unnamed := *e
			unnamed.What = ""
			err = &unnamed
		}
	case *fault.Refusal:
		if e.Service != "" {
			return errorLine(e.Words(), e)
		}
	}
	return ErrorLine(err)
}

// what is the error in words, without its code; an error that has none is named by
// that.
func what(err error, coded fault.Coded) string {
	switch e := err.(type) {
	case *fault.Refusal:
		if e.Service != "" {
			return e.Service + ": " + e.Words()
		}
	case *fault.Unavailable:
		if e.Service != "" {
			return e.Error()
		}
	}
	var refusal *fault.Refusal
	if !errors.As(err, &refusal) {
		return cmp.Or(coded.Error(), string(coded.FaultCode()))
	}
	words := cmp.Or(refusal.Detail, "refused for its "+refusal.Step.String())
	if refusal.Path != "" {
		return refusal.Path + ": " + words
	}
	return words
}
