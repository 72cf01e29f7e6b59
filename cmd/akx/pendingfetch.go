package main

import (
	"context"

	"github.com/spf13/cobra"

	"akx/cmd/akx/report"
)

func (a *app) pendingFetchCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "fetch [NAME...]",
		Short: "Ask services for what pending events miss",
		Long: `Ask services for the events that pending ones miss, by their IDs, and for what those
miss in turn, within the settings fetch_events, fetch_depth and fetch_bytes. Without
names every enabled service is asked, one after the other, for what the ones before
it did not give: the IDs go to each of them. While an event still waits after that, this
command ends in exit code 1.`,
		Example: "  akx pending fetch\n  akx pending fetch hub",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.online("pending fetch"); err != nil {
				return err
			}
			return a.withServices(cmd.Context(), args, func(h *held) error { return a.pendingFetch(cmd.Context(), h, args) })
		},
	}
}

func (a *app) pendingFetch(ctx context.Context, h *held, names []string) error {
	p := a.pulse("fetching")
	done, err := h.session.FetchPending(ctx, names)
	p.done()
	if err != nil && ctx.Err() == nil {
		return err
	}
	stats, lost := h.session.Stats(context.WithoutCancel(ctx))
	if lost != nil {
		return lost
	}
	r := &report.PendingFetched{Fetched: report.FetchedOf(done), Pending: stats.Pending, Error: a.failure(ctx, done.Err)}
	if ctx.Err() != nil {
		return &short{r, ctx.Err()}
	}
	return a.emit(r, r.Short())
}
