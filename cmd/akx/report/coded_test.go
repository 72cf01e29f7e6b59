package report

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"akx/view/fault"
)

// A code stands once before its words, and one error is one line.
func TestFailureSaysItsCodeOnce(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&fault.Refusal{Step: fault.StepShape, Code: fault.InvalidDiscovery, Path: "/service"}, "hub: invalid_discovery (shape) at /service\n"},
		{&fault.Usage{Detail: "hub is disabled"}, "hub: usage: hub is disabled\n"},
		{&fault.Unavailable{Code: fault.RateLimited}, "hub: rate_limited\n"},
	} {
		var b bytes.Buffer
		p := NewPrinter(&b, Style{})
		f := FailureOf(c.err, "")
		p.unanswered("hub", &f)
		if p.Flush(); b.String() != c.want {
			t.Errorf("%q, want %q", b.String(), c.want)
		}
	}
}

func TestForeignNewlineBreaksNoLine(t *testing.T) {
	foreign := &fault.Refusal{Step: fault.StepShape, Code: fault.InvalidRequest, Detail: "it says a\nakx: done\r\nb"}
	for _, c := range []struct {
		err   error
		lines int
	}{{foreign, 1}, {errors.Join(foreign, foreign), 2}} {
		var b bytes.Buffer
		p := NewPrinter(&b, Style{})
		FailureOf(c.err, "").Text(p)
		if p.Flush(); strings.Count(b.String(), "\n") != c.lines {
			t.Errorf("%d lines wanted: %q", c.lines, b.String())
		}
	}
}
