package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"akx/cache/keyring"
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
		r := &report.Drafts{Trash: trash, Now: u.clock().UnixMilli(), Damaged: report.DamagedOf(err)}
		for _, d := range drafts {
			r.Drafts = append(r.Drafts, report.DraftOf(d))
		}
		return a.emit(r, err)
	}
	return cmd
}

func (a *app) draftShowCommand() *cobra.Command {
	var raw, preview, event bool
	key := &once{check: keyring.CheckName}
	cmd := &cobra.Command{
		Use:   "show DRAFT",
		Short: "Show one draft as YAML, as its readers will see it, or as the exact event",
		Long: `Show one draft as YAML, with a comment on each field. --raw gives the exact text, to a
file or a pipe; akx draft edit DRAFT FILE takes it back.

--preview shows it as its readers will see it. --event shows the exact canonical event
that the key would sign now: the bytes that are hashed and signed, how many they are, and
the ID and the nonce that the event would have; signed later it has another time, and so
another ID. With --raw, the bytes of the event and nothing else. Nothing is signed.`,
		Example: "  akx draft show 7\n  akx draft show 7 --raw > draft.yaml\n  akx draft show 7 --preview\n  akx draft show 7 --event --key bot\n  akx --json draft show 7 --event",
		Args:    oneArg("draft"),
	}
	cmd.Flags().BoolVar(&raw, "raw", false, "the exact text, byte for byte (pipe it)")
	cmd.Flags().BoolVar(&preview, "preview", false, "as its readers will see it")
	cmd.Flags().BoolVar(&event, "event", false, "the exact canonical event that would be signed now")
	cmd.Flags().Var(key, "key", "with --event, the key that would sign (default: as akx sign chooses it)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		id, err := draftNumber(args[0])
		if err != nil {
			return err
		}
		switch {
		case preview && (raw || event):
			return &fault.Usage{Detail: "--preview goes alone"}
		case key.given && !event:
			return &fault.Usage{Detail: "--key goes with --event"}
		case raw && !a.flags.json && term.IsTerminal(int(a.stdout.Fd())):
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
		switch {
		case event:
			return a.showEvent(cmd.Context(), u, d, key.value, raw)
		case preview:
			targets, err := u.writer.Targets(cmd.Context(), d)
			if err != nil {
				return err
			}
			return a.emit(report.DraftReadingOf(d, targets), nil)
		}
		return a.showText(d, raw)
	}
	return cmd
}

// showText shows a draft as an editor has it.
func (a *app) showText(d desk.Draft, raw bool) error {
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

// showEvent shows the exact event that a signature now would make of a draft.
func (a *app) showEvent(ctx context.Context, u *author, d desk.Draft, name string, raw bool) error {
	key, err := u.signer(ctx, name, d.Actor)
	if err != nil {
		return err
	}
	own, err := u.own(ctx)
	if err != nil {
		return err
	}
	shown, err := u.writer.Preview(ctx, d, key.Actor, own)
	if err != nil {
		return err
	}
	if raw && !a.flags.json {
		_, err := a.stdout.Write(shown.Canonical)
		return err
	}
	return a.emit(report.DraftEventOf(shown, key.Name), nil)
}
