package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"akx/cmd/akx/report"
	"akx/view/fault"
)

func (a *app) draftDeleteCommand() *cobra.Command {
	var forever bool
	cmd := &cobra.Command{
		Use:     "delete DRAFT...",
		Short:   "Put drafts into the trash",
		Long:    "Put drafts into the trash, from where akx draft restore takes them back. --forever\nremoves them at once, out of the trash too.",
		Example: "  akx draft delete 7\n  akx draft delete 7 --forever",
		Args:    someArgs("draft"),
	}
	cmd.Flags().BoolVar(&forever, "forever", false, "remove for good")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if forever {
			return a.eachDraft(cmd.Context(), "draft delete", "deleted", args, func(u *author, id uint64) error {
				return u.writer.DeleteDraft(cmd.Context(), id)
			})
		}
		return a.eachDraft(cmd.Context(), "draft delete", "trashed", args, func(u *author, id uint64) error {
			return u.writer.Discard(cmd.Context(), id)
		})
	}
	return cmd
}

func (a *app) draftRestoreCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "restore DRAFT...",
		Short:   "Take drafts out of the trash",
		Long:    "Take drafts out of the trash; akx draft list --trash lists what is in it.",
		Example: "  akx draft restore 7",
		Args:    someArgs("draft"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.eachDraft(cmd.Context(), "draft restore", "restored", args, func(u *author, id uint64) error {
				return u.writer.Restore(cmd.Context(), id)
			})
		},
	}
}

// eachDraft changes drafts by number, in their order, and reports those that were
// changed. All of the numbers are looked up before the first change.
func (a *app) eachDraft(ctx context.Context, what, done string, args []string, change func(*author, uint64) error) error {
	ids := make([]uint64, len(args))
	for i, typed := range args {
		var err error
		if ids[i], err = draftNumber(typed); err != nil {
			return err
		}
	}
	u, err := a.openAuthor(ctx, what, true)
	if err != nil {
		return err
	}
	defer u.end()
	drafts := make([]report.DraftChanged, len(ids))
	for i, id := range ids {
		d, err := u.writer.Draft(ctx, id)
		var damaged *fault.Damaged
		switch {
		case errors.As(err, &damaged) && done != "restored":
			// There is nothing that a trash could keep.
			drafts[i] = report.DraftChanged{Done: "deleted", Draft: report.Draft{ID: id}}
		case err != nil:
			return err
		default:
			drafts[i] = report.DraftChanged{Done: done, Draft: report.DraftOf(d)}
		}
	}
	r := &report.DraftsChanged{}
	for i, id := range ids {
		err := error(nil)
		if drafts[i].Done == "deleted" {
			err = u.writer.DeleteDraft(ctx, id)
		} else {
			err = change(u, id)
		}
		if err != nil {
			return &short{r, err}
		}
		r.Drafts = append(r.Drafts, drafts[i])
	}
	return a.emit(r, nil)
}
