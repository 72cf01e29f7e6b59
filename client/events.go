package client

import (
	"context"
	"errors"
	"iter"
	"strings"

	"akx/client/fetch"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// Batch reads exact events (9.4). IDs that are given twice are asked once; more
// than the 100 of one request, and answers over this client's limits or those of the
// service (query_too_broad, payload_too_large), are split in halves. A page answers a stretch of the IDs, in their order. It ends with the first error;
// pages that came before it stand.
func (c *Client) Batch(ctx context.Context, ids []identity.ID) iter.Seq2[wire.BatchPage, error] {
	return func(yield func(wire.BatchPage, error) bool) {
		parts := split(ids)
		for len(parts) > 0 {
			part := parts[0]
			page, err := c.batch(ctx, part)
			if err != nil && len(part) > 1 && tooLarge(err) {
				parts = append([][]identity.ID{part[:len(part)/2], part[len(part)/2:]}, parts[1:]...)
				continue
			}
			if !yield(page, c.its(err)) || err != nil {
				return
			}
			parts = parts[1:]
		}
	}
}

// split drops repeats and cuts ids into requests.
func split(ids []identity.ID) [][]identity.ID {
	seen := make(map[identity.ID]bool, len(ids))
	var parts [][]identity.ID
	for _, id := range ids {
		if seen[id] {
			continue
		}
		seen[id] = true
		if n := len(parts); n == 0 || len(parts[n-1]) == wire.MaxBatch {
			parts = append(parts, nil)
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], id)
	}
	return parts
}

func (c *Client) batch(ctx context.Context, ids []identity.ID) (wire.BatchPage, error) {
	d, err := c.discovered(ctx)
	if err != nil {
		return wire.BatchPage{}, err
	}
	r := wire.BatchRequest{IDs: ids}
	text, err := c.read(ctx, fetch.Request{URL: d.Endpoints.Batch, Body: r.Append(nil), MaxBytes: c.limits.PageBytes})
	if err != nil {
		return wire.BatchPage{}, err
	}
	return r.Check(c.origin, text)
}

// Event reads one event. An event that the service does not have or withholds is
// *fault.NotHeld; one that failed its proof is an item with the refusal.
func (c *Client) Event(ctx context.Context, id identity.ID) (wire.Item, error) {
	d, err := c.discovered(ctx)
	if err != nil {
		return wire.Item{}, err
	}
	text, err := c.read(ctx, fetch.Request{URL: d.Endpoints.Events + "/" + id.String(), MaxBytes: c.limits.EventBytes})
	var refusal *fault.Refusal
	if errors.As(err, &refusal) && refusal.Code == fault.NotFound {
		return wire.Item{}, &fault.NotHeld{ID: id.String(), Where: string(c.origin)}
	}
	if err != nil {
		return wire.Item{}, c.its(err)
	}
	item, err := record(text, id)
	return item, c.its(err)
}

// record reads the acceptance record of the event id (8.3).
func record(text []byte, id identity.ID) (wire.Item, error) {
	v, err := identity.Parse(text)
	if err != nil {
		return wire.Item{}, recoded(err)
	}
	envelope, _ := v.Get("envelope")
	hash, _ := envelope.Get("hash")
	_, hasSeq := v.Get("seq")
	_, hasTime := v.Get("accepted_at")
	switch {
	case envelope.Kind() != identity.Object || !hasSeq || !hasTime:
		return wire.Item{}, badAnswer("is not an acceptance record")
	case hash.Text() != id.String():
		return wire.Item{}, badAnswer("is not the event that was asked for")
	}
	item := wire.OpenPiece(wire.Piece{Text: text})
	if r := item.Refusal; r != nil && r.Path != "/envelope" && !strings.HasPrefix(r.Path, "/envelope/") {
		return wire.Item{}, recoded(r)
	}
	return item, nil
}

// recoded makes a broken contract of a refusal.
func recoded(err error) error {
	var r *fault.Refusal
	if !errors.As(err, &r) {
		return err
	}
	again := *r
	again.Code = fault.InvalidResponse
	return &again
}
