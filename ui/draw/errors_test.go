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
		{errors.New("plain"), "plain"},
	} {
		text := ""
		for _, span := range ErrorLine(test.err) {
			text += span.Text.String()
		}
		if text != test.want {
			t.Errorf("%q, want %q", text, test.want)
		}
	}
}
