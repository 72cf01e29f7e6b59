package client_test

import (
	"context"
	"strings"

	"akx/client/clienttest"
	"akx/client/fetch"
	"akx/view/wire"
)

// canned is a transport with one answer to everything but discovery.
type canned struct {
	hub    *clienttest.Hub
	status int
	kind   string
	body   []byte
}

func (c canned) Do(_ context.Context, r fetch.Request) (fetch.Response, error) {
	if strings.HasSuffix(r.URL, wire.DiscoveryPath) {
		return fetch.Response{Status: 200, Type: "application/json", Body: c.hub.Core.Discovery().Append(nil)}, nil
	}
	return fetch.Response{Status: c.status, Type: c.kind, Body: c.body}, nil
}
