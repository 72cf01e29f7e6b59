package main

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"akx/cmd/akx/report"
	"akx/explore"
	"akx/view/desk"
	"akx/view/fault"
)

func (a *app) draftCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check DRAFT",
		Short: "Say what keeps a draft from being signed",
		Long: `Check a draft by the rules of the protocol, by the sizes that services recommend, by
what is held of its targets, and for secrets and private material. A draft that cannot
be signed ends in an error; of one that can, the flags that akx sign will ask for are named. Each place that may be private has a mark: akx sign takes
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
	r := &report.DraftChecked{Draft: report.DraftOf(d), DraftCheck: report.DraftCheckOf(check, d)}
	if key, err := u.signer(ctx, "", d.Actor); err == nil {
		signed := d.Clone()
		signed.Actor = key.Actor
		r.ContentMark = signed.ContentMark()
	}
	return a.emit(r, blocked(check, d))
}

// blocked is the first thing that keeps a draft from being signed, with the way out where
// there is a command for it; nil for none.
func blocked(check explore.DraftCheck, d desk.Draft) error {
	if check.Unread != "" {
		return &fault.Usage{Detail: "newer words for draft " + strconv.FormatUint(d.ID, 10) + " wait unread in " + check.Unread, Hint: report.UnreadHint(d.ID)}
	}
	for _, p := range check.Problems {
		if p.Severity == desk.Blocks {
			return fault.Refuse(fault.StepPayload, p.Path, p.Words)
		}
	}
	if check.More {
		return &fault.Usage{Detail: "the draft holds more private material than can be listed", Hint: "take it out"}
	}
	return nil
}
