package main

import (
	"context"
	"errors"

	"akx/client"
	"akx/client/fetch"
	"akx/cmd/akx/report"
	"akx/view/desk"
	"akx/view/fault"
)

// hinting is the way to one service of the user's. What fails on it names the command
// that changes what is set for the service, where that may help.
type hinting struct {
	client.Transport
	service desk.Service
}

// Do sends a request; errors are as of fetch.
func (h hinting) Do(ctx context.Context, r fetch.Request) (fetch.Response, error) {
	answer, err := h.Transport.Do(ctx, r)
	var cause *fetch.Failure
	var u *fault.Unavailable
	if errors.As(err, &cause) && errors.As(err, &u) {
		if hint := h.hint(cause.Kind); hint != "" {
			told := *u
			told.Hint = hint
			return answer, &told
		}
	}
	return answer, err
}

func (h hinting) hint(kind fetch.Kind) string {
	set := "akx service set " + report.Paste(h.service.Name)
	switch {
	case h.service.Name == "":
		return ""
	case kind == fetch.NotAllowed && !h.service.AllowPrivate:
		return set + " --allow-private lets it be there, if it is meant to"
	case kind == fetch.Untrusted && h.service.CAFile != "":
		return "the CA file of this service, " + h.service.CAFile + ", does not hold that authority: " + set + " --ca-file FILE names another"
	case kind == fetch.Untrusted:
		return "a private deployment needs its authority: " + set + " --ca-file FILE"
	default:
		return ""
	}
}
