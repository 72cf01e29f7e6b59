package draw

import (
	"errors"
	"testing"

	"akx/view/fault"
)

// An error reads as words. Only codes of the protocol stand beside them.
func TestErrorLineSaysWordsFirst(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{&fault.Usage{Detail: "no service is called nope", Hint: "s lists yours"}, "no service is called nope; s lists yours"},
		{&fault.Unavailable{Code: fault.UnavailableCode, What: "hub", Detail: "no route"}, "hub: no route"},
		{&fault.Unavailable{Code: fault.Offline}, "offline"},
		{&fault.Unavailable{Code: fault.InvalidResponse, What: "hub", Detail: "a page repeats"}, "hub: a page repeats (invalid_response)"},
		{&fault.Refusal{Step: fault.StepShape, Code: fault.InvalidRequest, Path: "/text", Detail: "it is empty"}, "/text: it is empty (invalid_request)"},
		{&fault.Refusal{Step: fault.StepHash, Code: fault.InvalidEventHash}, "refused for its hash (invalid_event_hash)"},
		{&fault.Refusal{Service: "hub", Step: fault.StepShape, Code: fault.RateLimited, Detail: "it says no"}, "hub: it refuses the request: it says no (rate_limited)"},
		{errors.New("plain"), "plain"},
	} {
		if text := lineText(ErrorLine(test.err)); text != test.want {
			t.Errorf("%q, want %q", text, test.want)
		}
	}
}

// Beside the name of a service the name does not stand again.
func TestErrorBesideAServiceDoesNotNameIt(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{&fault.Unavailable{Code: fault.UnavailableCode, What: "hub", Detail: "no route"}, "no route"},
		{&fault.Refusal{Service: "hub", Step: fault.StepShape, Code: fault.PermissionDenied, Detail: "it says no"}, "it refuses the request: it says no (permission_denied)"},
	} {
		if text := lineText(ErrorAt(test.err)); text != test.want {
			t.Errorf("%q, want %q", text, test.want)
		}
	}
}

func lineText(line Line) string {
	text := ""
	for _, span := range line {
		text += span.Text.String()
	}
	return text
}
