package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"akx/cmd/akx/report"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// readDraft reads the text of a draft from a file. What is wrong with it is told line
// by line.
func (a *app) readDraft(ctx context.Context, path string, expect desk.Expect) (desk.Draft, error) {
	in, err := a.describe(path)
	if err != nil {
		return desk.Draft{}, err
	}
	f, err := a.openInput(ctx, in)
	if err != nil {
		return desk.Draft{}, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, desk.MaxText+1))
	if err != nil {
		return desk.Draft{}, fileError(label(path), err)
	}
	return parseDraft(in.name, text, expect)
}

func parseDraft(name string, text []byte, expect desk.Expect) (desk.Draft, error) {
	d, complaints := desk.ReadText(text, expect)
	if len(complaints) == 0 {
		return d, nil
	}
	_, err := desk.ParseText(text, expect)
	return desk.Draft{}, &short{report.ComplaintsOf(name, complaints), err}
}

func (a *app) draftListCommand() *cobra.Command {
	var trash bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List drafts, last edited first",
		Long:    "List drafts, last edited first, and how many things keep each from being signed. What\nwas signed is in akx outbox.",
		Example: "  akx draft list\n  akx draft list --trash\n  akx --json draft list",
		Args:    a.noArgs,
	}
	cmd.Flags().BoolVar(&trash, "trash", false, "list the discarded ones")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		u, err := a.openAuthor(cmd.Context(), "draft list", false)
		if err != nil {
			return err
		}
		defer u.end()
		list := u.writer.Drafts
		if trash {
			list = u.writer.Trash
		}
		drafts, err := list(cmd.Context())
		r := &report.Drafts{Trash: trash, Now: u.clock().UnixMilli()}
		for _, d := range drafts {
			r.Drafts = append(r.Drafts, report.DraftOf(d))
		}
		return a.emit(r, err)
	}
	return cmd
}

func (a *app) draftShowCommand() *cobra.Command {
	var raw bool
	cmd := &cobra.Command{
		Use:     "show DRAFT",
		Short:   "Show one draft as YAML",
		Long:    "Show one draft as YAML, with a comment on each field. --raw gives the exact text, to a\nfile or a pipe; akx draft edit DRAFT FILE takes it back.",
		Example: "  akx draft show 7\n  akx draft show 7 --raw > draft.yaml\n  akx --json draft show 7",
		Args:    oneArg("draft"),
	}
	cmd.Flags().BoolVar(&raw, "raw", false, "the exact text, byte for byte (pipe it)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		id, err := draftNumber(args[0])
		if err != nil {
			return err
		}
		if raw && !a.flags.json && term.IsTerminal(int(a.stdout.Fd())) {
			return &fault.Usage{Detail: "--raw writes the exact text, which could act on a terminal", Hint: "pipe it, or leave --raw out"}
		}
		u, err := a.openAuthor(cmd.Context(), "draft show", false)
		if err != nil {
			return err
		}
		defer u.end()
		d, err := u.writer.Draft(cmd.Context(), id)
		if err != nil {
			return err
		}
		if raw && !a.flags.json {
			_, err := a.stdout.Write(d.YAML())
			return err
		}
		content, err := identity.Parse(d.JSON())
		if err != nil {
			return err
		}
		return a.emit(&report.DraftShown{Draft: report.DraftOf(d), Content: content, YAML: string(d.YAML())}, nil)
	}
	return cmd
}

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
	drafts := make([]desk.Draft, len(ids))
	for i, id := range ids {
		if drafts[i], err = u.writer.Draft(ctx, id); err != nil {
			return err
		}
	}
	r := &report.DraftsChanged{}
	for i, id := range ids {
		if err := change(u, id); err != nil {
			return &short{r, err}
		}
		r.Drafts = append(r.Drafts, report.DraftChanged{Done: done, Draft: report.DraftOf(drafts[i])})
	}
	return a.emit(r, nil)
}
