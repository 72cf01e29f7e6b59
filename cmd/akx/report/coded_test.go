package report

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"akx/view/fault"
)

// A code stands once before its words, and one error is one line.
func TestFailureSaysItsCodeOnce(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&fault.Refusal{Step: fault.StepShape, Code: fault.InvalidDiscovery, Path: "/service"}, "hub: invalid_discovery (shape) at /service\n"},
		{&fault.Refusal{Service: "hub", Step: fault.StepShape, Code: fault.NotFound, Detail: "it says gone"}, "hub: not_found: it refuses the request: it says gone\n"},
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

// An error quotes what was typed and what is foreign, and neither without end; its last
// words stay.
func TestAFailureSaysNoMoreThanCanBeRead(t *testing.T) {
	long := &fault.Usage{Detail: "no service is called " + strings.Repeat("é", 50_000) + " here"}
	for n, err := range map[int]error{1: long, 2: errors.Join(long, long)} {
		f := FailureOf(err, "")
		if len(f.Message) > n*(maxSaid+20) || !utf8.ValidString(f.Message) || strings.Count(f.Message, "no service is called é") != n ||
			strings.Count(f.Message, "é here") != n || strings.Count(f.Message, "\n") != n-1 {
			t.Errorf("%d errors: %d bytes, %.60q", n, len(f.Message), f.Message)
		}
	}
}

// What is wrong with the answer of a service begins with the service, says what to do,
// and no word of the steps of this program (9.7).
func TestFailureOfAServiceNamesIt_9_7(t *testing.T) {
	for _, c := range []struct {
		refusal fault.Refusal
		want    string
	}{
		{fault.Refusal{Code: fault.InvalidResponse, Detail: "is not of the content type application/json"},
			"hub: its answer breaks the protocol: it is not of the content type application/json"},
		{fault.Refusal{Code: fault.InvalidResponse, Path: "/result/4/seq", Detail: "is not greater than the one before"},
			"hub: its answer breaks the protocol: /result/4/seq is not greater than the one before"},
		{fault.Refusal{Code: fault.InvalidResponse, Path: "/protocol", Detail: "protocol is required"},
			"hub: its answer breaks the protocol: /protocol is required"},
		{fault.Refusal{Code: fault.InvalidDiscovery, Path: "/peers", Detail: "must be an array"},
			"hub: its discovery document breaks the protocol: /peers must be an array"},
		{fault.Refusal{Code: fault.InvalidRequest, Detail: "it says no"}, "hub: it refuses the request: it says no (invalid_request)"},
	} {
		c.refusal.Step, c.refusal.Service = fault.StepShape, "hub"
		f := FailureOf(&c.refusal, "")
		if f.Message != c.want || f.Service != "hub" || f.Hint == "" {
			t.Errorf("%+v", f)
		}
		if line := string(f.appendJSON(nil)); !strings.Contains(line, `"service":"hub"`) {
			t.Errorf("%s", line)
		}
	}
}
