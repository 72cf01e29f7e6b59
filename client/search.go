package client

import (
	"context"
	"slices"
	"strconv"

	"akx/client/fetch"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/wire"
)

// Search asks for ranked hits (9.5). Limit 0 means the default; Terms are read
// from the text here. A mode that the service does not offer is refused with
// unsupported_search_mode, and no search is sent: no other mode stands in for it.
// Explanations are the service's words, never the author's.
func (c *Client) Search(ctx context.Context, r wire.SearchRequest) (wire.SearchPage, error) {
	if r.Limit == 0 {
		r.Limit = wire.DefaultSearchLimit
	}
	if r.Limit < 1 || r.Limit > wire.MaxSearchLimit {
		return wire.SearchPage{}, &fault.Usage{Detail: "a search at a service gives 1 to " + strconv.Itoa(wire.MaxSearchLimit) + " hits"}
	}
	var err error
	if r.Terms, err = capsule.ParseTerms(r.Text, r.Mode == wire.Lexical); err != nil {
		return wire.SearchPage{}, err
	}
	if err := r.Filter.Check(); err != nil {
		return wire.SearchPage{}, err
	}
	d, err := c.discovered(ctx)
	if err != nil {
		return wire.SearchPage{}, err
	}
	if !d.Ranked() || !slices.Contains(d.Modes, r.Mode.String()) {
		return wire.SearchPage{}, &fault.Unavailable{Code: fault.UnsupportedSearchMode, What: string(c.origin), Service: string(c.origin),
			Detail: "it offers no ranked search in this mode", Hint: "its discovery document says which modes it offers"}
	}
	text, err := c.read(ctx, fetch.Request{URL: d.Endpoints.Search, Body: r.Append(nil), MaxBytes: c.limits.PageBytes})
	if err != nil {
		return wire.SearchPage{}, c.its(err)
	}
	page, err := r.Check(c.origin, text)
	return page, c.its(err)
}
