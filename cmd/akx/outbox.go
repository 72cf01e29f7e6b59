package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"akx/cache"
	"akx/cmd/akx/report"
	"akx/explore"
	"akx/view/clean"
	"akx/view/fault"
	"akx/view/identity"
)

func (a *app) outboxCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "outbox",
		Short: "List what was signed and where it stands at each service",
		Long: `List what was signed, newest first, and how it stands at each service: not sent, sending,
accepted, refused with the service's reason, or unknown where the answer was lost.
Unknown is no failure: the service may hold the event, and sending the same bytes again
is safe. Nothing is asked of any service.`,
		Example: "  akx outbox\n  akx --json outbox",
		Args:    a.noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			u, err := a.openAuthor(cmd.Context(), "outbox", false)
			if err != nil {
				return err
			}
			defer u.end()
			names, err := u.names(cmd.Context())
			if err != nil {
				return err
			}
			entries, err := u.writer.Outbox(cmd.Context())
			r := &report.Outbox{Damaged: report.DamagedOf(err)}
			for _, e := range entries {
				r.Add(report.SentOf(e, names))
			}
			return a.emitNamed(cmd.Context(), u.held, r, err)
		},
	}
}

// sentState gives how an event of the user's own outbox stands at each service; nil where
// it is not in it. An entry that cannot be read is noted: the event itself can.
func (a *app) sentState(ctx context.Context, h *held, id identity.ID) (*report.PageSent, error) {
	store, ok := h.library.(*cache.Cache)
	if !ok {
		return nil, nil
	}
	entry, err := explore.NewWriter(h.session, store.Desk(), explore.WriterOptions{ReadOnly: a.flags.readOnly}).OutboxEntry(ctx, id)
	var absent *fault.NotHeld
	var damaged *fault.Damaged
	switch {
	case errors.As(err, &absent):
		return nil, nil
	case errors.As(err, &damaged):
		return nil, a.note(clean.Line(err.Error()))
	case err != nil:
		return nil, err
	}
	names, err := serviceNames(ctx, h.session)
	return report.PageSentOf(entry, names), err
}
