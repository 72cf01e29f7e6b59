package main

import (
	"context"

	"github.com/spf13/cobra"

	"akx/cache"
	"akx/cmd/akx/report"
	"akx/view"
	"akx/view/fault"
	"akx/view/identity"
)

func (a *app) withholdCommand() *cobra.Command {
	var undo, list bool
	cmd := &cobra.Command{
		Use:   "withhold ID | --list",
		Short: "Hide an event from the reads of your service",
		Long: `Hide an event from every read of a service, at once, also while it is served. The
service answers as if it were absent. The event and its acceptance are kept: it can
still be referred to, a resubmission changes nothing, and --undo shows it again under
its old number. --list lists what is hidden, and since when.`,
		Example: `  akx withhold id:lDBW8lmtg6QrpZ0f1oYfGzS8mHfCxkXbPzX2yZtqLqk --home /srv/hub
  akx withhold --list --home /srv/hub`,
	}
	cmd.Flags().BoolVar(&undo, "undo", false, "show it again")
	cmd.Flags().BoolVar(&list, "list", false, "list what is withheld, by the number of its acceptance")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case list && (undo || len(args) > 0):
			return &fault.Usage{Detail: "--list takes no ID and no --undo"}
		case list:
			return a.listWithheld(cmd.Context())
		}
		if err := oneArg("event ID")(cmd, args); err != nil {
			return err
		}
		return a.withhold(cmd.Context(), args[0], !undo)
	}
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

func (a *app) listWithheld(ctx context.Context) error {
	dir, origin, err := a.ownService("withhold --list")
	if err != nil {
		return err
	}
	o := a.serviceOptions(origin)
	o.ReadOnly = true
	store, err := cache.Open(ctx, dir, o)
	if err != nil {
		return err
	}
	defer store.Close()
	hidden, err := store.Withheld(ctx)
	if err != nil {
		return err
	}
	ids := make([]identity.ID, len(hidden))
	for i, h := range hidden {
		ids[i] = h.ID
	}
	var rows []view.Entry
	err = store.Read(ctx, func(snap view.Snapshot) (err error) {
		rows, _, err = view.Rows(snap, ids)
		return err
	})
	if err != nil {
		return err
	}
	r := &report.WithheldList{Origin: string(origin)}
	for i, h := range hidden {
		r.Add(h.Number, h.At, rows[i])
	}
	return a.emit(r, nil)
}
