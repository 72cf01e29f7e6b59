package main

import (
	"context"

	"github.com/spf13/cobra"

	"akx/cmd/akx/report"
	"akx/view/desk"
	"akx/view/fault"
)

func (a *app) draftCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check DRAFT",
		Short: "Say what keeps a draft from being signed",
		Long: `Check a draft by the rules of the protocol, by the sizes that services recommend, by
what is held of its targets, and for secrets and private material. A draft that cannot
be signed ends in an error. Each place that may be private has a mark: akx sign takes
it with --allow-finding, once you have decided that it may be public.`,
		Example: "  akx draft check 7\n  akx --json draft check 7",
		Args:    oneArg("draft"),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := draftNumber(args[0])
			if err != nil {
				return err
			}
			u, err := a.openAuthor(cmd.Context(), "draft check", false)
			if err != nil {
				return err
			}
			defer u.end()
			return a.checkDraft(cmd.Context(), u, id)
		},
	}
}

func (a *app) checkDraft(ctx context.Context, u *author, id uint64) error {
	d, err := u.writer.Draft(ctx, id)
	if err != nil {
		return err
	}
	own, err := u.own(ctx)
	if err != nil {
		return err
	}
	check, err := u.writer.CheckDraft(ctx, d, own)
	if err != nil {
		return err
	}
	return a.emit(&report.DraftChecked{Draft: report.DraftOf(d), DraftCheck: report.DraftCheckOf(check)}, blocked(check.Problems, check.More))
}

// blocked is the first thing that keeps a draft from being signed; nil for none.
func blocked(problems []desk.Problem, more bool) error {
	for _, p := range problems {
		if p.Severity == desk.Blocks {
			return fault.Refuse(fault.StepPayload, p.Path, p.Words)
		}
	}
	if more {
		return &fault.Usage{Detail: "the draft holds more private material than can be listed", Hint: "take it out"}
	}
	return nil
}
