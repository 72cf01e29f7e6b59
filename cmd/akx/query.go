package main

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"akx/cmd/akx/report"
	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

func (a *app) queryCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "query --service NAME",
		Short: "Ask a service now for all events that match, to the end",
		Long: `Enumerate at one service everything that matches the exact filters of Agent Knowledge
9.3, to the end, and store it. Every envelope is proven, and every filter is checked
again on what comes back. The answer is complete or ends in an error that says what
came before it. One that has a million records, is awaited for an hour, or brings
almost nothing in 15 minutes is left there, and is PARTIAL.

What its records wait for is fetched from the same service, within the settings
fetch_events, fetch_depth and fetch_bytes. While one still waits, or is not an event here,
the answer is PARTIAL and this command ends in exit code 1, like akx sync.

The lifecycle in the list is that of this cache: an answer to a filter does not settle
it. akx check ID asks a service for it. This command moves no checkpoint: akx sync does.`,
		Example: `  akx query --service hub --kind hypothesis --language en
  akx query --service hub --target id:lDBW8lmtg6Qr
  akx query --service hub --created-from 2026-01-01 --limit 0 --json`,
		Args: a.noArgs,
	}
	filters := addFilters(cmd)
	name, limit := &once{}, &once{check: between(0, 1<<31-1)}
	after := &once{check: between(0, identity.MaxSafeInteger)}
	cmd.Flags().Var(name, "service", "the service to ask")
	cmd.Flags().Var(after, "after-seq", "only what the service accepted after this seq of its own")
	cmd.Flags().Var(limit, "limit", "rows to list of what came; 0 lists all (default 50)")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if !name.given {
			return &fault.Usage{Detail: "akx query needs --service NAME", Hint: "akx service list lists them; akx list reads the cache"}
		}
		if err := a.online("query"); err != nil {
			return err
		}
		ctx := cmd.Context()
		h, err := a.open(ctx)
		if err != nil {
			return err
		}
		defer h.close()
		filter, err := filters.filter(ctx, h.session)
		if err != nil {
			return err
		}
		return a.query(ctx, h, name.value, filter, after, a.limit(limit))
	}
	return cmd
}

func (a *app) query(ctx context.Context, h *held, name string, f capsule.Filter, after *once, limit int) error {
	seq, _ := strconv.ParseUint(after.value, 10, 64) // checked when it was set; 0 where it was not
	p := a.pulse("asking")
	var kept []capsule.Event
	var records int
	var bytes int64
	done, err := h.session.Query(ctx, name, f, seq, func(page explore.Answer) error {
		for i, item := range page.Items {
			bytes += int64(len(item.Offer.Envelope().Text()))
			event := item.Offer.Event()
			if event != nil && page.Outcomes[i].Status != wire.Refused && (limit == 0 || len(kept) < limit) {
				kept = append(kept, event)
			}
		}
		records += len(page.Items)
		p.see(name, report.Activity{Records: records, Bytes: bytes})
		return nil
	})
	p.done()
	if err != nil {
		return err
	}
	if done.Err != nil && done.Progress.Pages == 0 && ctx.Err() == nil {
		return done.Err
	}
	rows, scope, err := rowsOf(context.WithoutCancel(ctx), h.library, kept)
	if err != nil {
		return err
	}
	r := report.QueriedOf(done, rows, scope, a.failure(ctx, done.Err))
	if ctx.Err() != nil {
		return &short{r, ctx.Err()}
	}
	return a.emitNamed(ctx, h, r, r.Short())
}

// rowsOf gives rows of events as the library knows them, in their order; one that
// waits is unchecked.
func rowsOf(ctx context.Context, lib explore.Library, events []capsule.Event) (rows []view.Entry, scope view.Scope, err error) {
	ids := make([]identity.ID, len(events))
	for i, e := range events {
		ids[i] = e.ID()
	}
	err = lib.Read(ctx, func(snap view.Snapshot) error {
		var held []bool
		if rows, held, err = view.Rows(snap, ids); err != nil {
			return err
		}
		for i := range rows {
			if !held[i] {
				rows[i] = view.EntryOf(events[i])
			}
		}
		scope = snap.Scope()
		return nil
	})
	return rows, scope, err
}
