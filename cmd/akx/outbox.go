package main

import (
	"github.com/spf13/cobra"

	"akx/cmd/akx/report"
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
			r := &report.Outbox{}
			for _, e := range entries {
				r.Add(report.SentOf(e, names))
			}
			return a.emit(r, err)
		},
	}
}
