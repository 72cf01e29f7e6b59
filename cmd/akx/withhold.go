package main

import (
	"context"

	"github.com/spf13/cobra"

	"akx/cache"
	"akx/cmd/akx/report"
)

func (a *app) withholdCommand() *cobra.Command {
	var undo bool
	cmd := &cobra.Command{
		Use:   "withhold ID",
		Short: "Hide an event from the reads of your service",
		Long: `Hide an event from every read of a service, at once, also while it is served. The
service answers as if it were absent. The event and its acceptance are kept: it can
still be referred to, a resubmission changes nothing, and --undo shows it again under
its old number.`,
		Example: "  akx withhold id:lDBW8lmtg6QrpZ0f1oYfGzS8mHfCxkXbPzX2yZtqLqk --home /srv/hub",
		Args:    oneArg("event ID"),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.withhold(cmd.Context(), args[0], !undo) },
	}
	cmd.Flags().BoolVar(&undo, "undo", false, "show it again")
	return cmd
}

func (a *app) withhold(ctx context.Context, typed string, hide bool) error {
	if err := a.writable("withhold"); err != nil {
		return err
	}
	id, err := fullID(typed)
	if err != nil {
		return err
	}
	dir, origin, err := a.ownService("withhold")
	if err != nil {
		return err
	}
	store, err := cache.Open(ctx, dir, a.serviceOptions(origin))
	if err != nil {
		return err
	}
	defer store.Close()
	if err := store.Withhold(ctx, id, hide); err != nil {
		return err
	}
	return a.emit(&report.Withheld{ID: id.String(), Withheld: hide}, nil)
}
