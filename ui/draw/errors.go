package draw

import (
	"errors"

	"akx/view/clean"
	"akx/view/fault"
)

// ErrorLine is an error on one line: its code, what failed, and what to do next.
func ErrorLine(err error) Line {
	var coded fault.Coded
	if !errors.As(err, &coded) {
		return Line{Say(Normal, clean.Line(err.Error()))}
	}
	line := Line{Say(Bad, clean.Line(string(coded.FaultCode()))), Gap(1), Say(Normal, clean.Line(what(err, coded)))}
	if hint := coded.FaultHint(); hint != "" {
		line = append(line, Own(Normal, "; "), Say(Normal, clean.Line(hint)))
	}
	return line
}

// what is the error without its code, which is shown apart.
func what(err error, coded fault.Coded) string {
	var refusal *fault.Refusal
	if !errors.As(err, &refusal) {
		return coded.Error()
	}
	if refusal.Path == "" {
		return refusal.Detail
	}
	return refusal.Path + ": " + refusal.Detail
}
