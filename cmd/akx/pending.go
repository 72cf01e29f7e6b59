package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"akx/cmd/akx/report"
	"akx/view"
	"akx/view/fault"
	"akx/view/identity"
)

func (a *app) pendingCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "pending",
		Short: "List, fetch for or drop events that wait for what they refer to",
		Long: `Pending events are proven, but what they refer to is not held. They have no effect on
anything until it is: then they are added by themselves.`,
		Example: `  akx pending list
  akx pending fetch
  akx pending drop lDBW8lmtg6Qr
  akx pending drop --all`,
		Args: a.noArgs,
		RunE: a.pendingList(&listFlags{after: &once{}, limit: &once{}}),
	}
	cmd.AddCommand(a.pendingListCommand(), a.pendingFetchCommand(), a.pendingDropCommand())
	return cmd
}

func (a *app) pendingListCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List pending events with the IDs that they miss",
		Example: "  akx pending list\n  akx pending list --limit 0 --json",
		Args:    a.noArgs,
	}
	cmd.RunE = a.pendingList(addListFlags(cmd, false))
	return cmd
}

func (a *app) pendingList(flags *listFlags) func(*cobra.Command, []string) error {
	return a.reading(func(ctx context.Context, h *held, _ []string) (report.Report, error) {
		var after identity.ID
		if flags.after.given {
			id, err := fullID(flags.after.value)
			if err != nil {
				return nil, err
			}
			after = id
		}
		limit := a.limit(flags.limit)
		ask := limit + 1
		if limit == 0 {
			limit, ask = 1<<31-1, 1<<31-1
		}
		list, err := h.session.Pending(ctx, after, ask)
		if err != nil {
			return nil, err
		}
		stats, err := h.session.Stats(ctx)
		if err != nil {
			return nil, err
		}
		return pendingReport(list, limit, stats), nil
	})
}

func pendingReport(list []view.PendingEvent, limit int, stats view.Stats) *report.Pending {
	r := &report.Pending{Count: stats.Pending, Bytes: stats.PendingBytes}
	for _, p := range list[:min(limit, len(list))] {
		r.Events = append(r.Events, report.WaitingOf(p))
	}
	if len(list) > limit {
		r.Next = "id:" + list[limit-1].ID.String()
	}
	return r
}

func (a *app) pendingDropCommand() *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:     "drop ID... | --all",
		Short:   "Forget pending events",
		Example: "  akx pending drop lDBW8lmtg6Qr\n  akx pending drop --all",
	}
	cmd.Flags().BoolVar(&all, "all", false, "forget every pending event")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if all == (len(args) > 0) {
			return &fault.Usage{Detail: "give the IDs to drop, or --all"}
		}
		if err := a.writable("pending drop"); err != nil {
			return err
		}
		return a.over(a.open, a.drop)(cmd, args)
	}
	return cmd
}

func (a *app) drop(ctx context.Context, h *held, args []string) (report.Report, error) {
	ids := make([]identity.ID, 0, len(args))
	for _, typed := range args {
		known, err := h.session.Resolve(ctx, typed)
		var absent *fault.NotHeld
		if errors.As(err, &absent) {
			return nil, &fault.Unavailable{Code: fault.NotHeldCode, Detail: report.Paste(absent.ID) + " is not pending", Hint: "akx pending list lists what is"}
		}
		if err != nil {
			return nil, err
		}
		if !known.Pending {
			return nil, &fault.Usage{Detail: report.Paste(known.ID.String()) + " is held, not pending"}
		}
		ids = append(ids, known.ID)
	}
	n, err := h.session.DropPending(ctx, ids)
	return &report.Dropped{Count: n}, err
}
