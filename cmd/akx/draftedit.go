package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"

	"github.com/spf13/cobra"

	"akx/cmd/akx/report"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/fault"
)

func (a *app) draftEditCommand() *cobra.Command {
	drop := false
	cmd := &cobra.Command{
		Use:   "edit DRAFT [FILE|-]",
		Short: "Change a draft in your editor, or from a file",
		Long: `Open a draft as YAML in the editor that $VISUAL or $EDITOR names, and take what it saves.
An editor that fails, is killed or saves an empty file changes nothing. A text that has
an error is kept: the next edit of the draft opens it again, and the draft stays as it is
and is not signed until then. --drop drops such a text.
What lacks text that the draft had is taken, and a copy of the draft goes into the trash.

` + draftFileHelp,
		Example: "  akx draft edit 7\n  akx draft edit 7 --drop\n  akx draft edit 7 better.yaml\n  akx draft show 7 --raw | sed s/teh/the/ | akx draft edit 7 -",
		Args:    argAndFile("draft"),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := draftNumber(args[0])
			if err != nil {
				return err
			}
			if drop && len(args) > 1 {
				return &fault.Usage{Detail: "--drop goes without a file"}
			}
			u, err := a.openAuthor(cmd.Context(), "draft edit", true)
			if err != nil {
				return err
			}
			defer u.end()
			if drop {
				return a.dropUnread(cmd.Context(), u, id)
			}
			return a.editDraft(cmd.Context(), u, id, args[1:])
		},
	}
	cmd.Flags().BoolVar(&drop, "drop", false, "drop the text that an earlier edit left and that the draft has not taken")
	return cmd
}

func (a *app) editDraft(ctx context.Context, u *author, id uint64, file []string) error {
	d, err := u.openToWrite(ctx, id)
	if err != nil {
		return err
	}
	expect := desk.Expect{Type: d.Type}
	var content desk.Draft
	done := func() error { return nil }
	if len(file) > 0 {
		content, err = a.readDraft(ctx, file[0], expect)
	} else {
		content, done, err = a.edited(ctx, d, expect)
	}
	if err != nil {
		return err
	}
	what, former := "saved", uint64(0)
	if content.Actor == d.Actor && content.Used == d.Used && content.Payload.Equal(d.Payload) {
		what = "unchanged"
	} else if d, former, err = u.rewrite(ctx, d, content); err != nil {
		return err
	}
	if err := done(); err != nil {
		return err
	}
	targets, err := u.writer.Targets(ctx, d)
	return a.emit(&report.DraftChanged{Done: what, Draft: report.DraftOf(d), Targets: report.DraftTargetsOf(targets), Former: former}, err)
}

// rewrite makes content the draft. Where text of before is lost by that, a copy of it
// goes into the trash, and former is its number.
func (u *author) rewrite(ctx context.Context, d, content desk.Draft) (saved desk.Draft, former uint64, err error) {
	next := d.Rewrite(content, d.Edited)
	if former, err = u.writer.KeepFormer(ctx, d, next); err == nil {
		saved, err = u.writer.SaveDraft(ctx, next)
	}
	return saved, former, err
}

// openToWrite opens a draft that nobody else has.
func (u *author) openToWrite(ctx context.Context, id uint64) (desk.Draft, error) {
	opened, err := u.writer.OpenDraft(ctx, id)
	if err == nil {
		err = opened.Frozen
	}
	if err == nil && opened.Holder != "" {
		err = &fault.Unavailable{Code: fault.Locked, What: "draft " + strconv.FormatUint(id, 10), Detail: "open in " + opened.Holder, Hint: "close it there", Retry: true}
	}
	return opened.Draft, err
}

// edited lets the user's editor change the text of a draft. What the editor saved
// stands in a file of the home until done is called, so that no error and no end of
// akx loses it; the next edit of the draft begins with it.
func (a *app) edited(ctx context.Context, d desk.Draft, expect desk.Expect) (content desk.Draft, done func() error, err error) {
	path, before, err := a.editFile(d)
	if err != nil {
		return desk.Draft{}, nil, err
	}
	if err := a.runEditor(path); err != nil {
		return desk.Draft{}, nil, a.leftBehind(path, before, d.YAML(), err)
	}
	if ctx.Err() != nil {
		return desk.Draft{}, nil, ctx.Err()
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return desk.Draft{}, nil, fileError(path, err)
	}
	if len(bytes.TrimSpace(text)) == 0 {
		err := &fault.Unavailable{Code: fault.Cancelled, What: "the editor saved an empty file", Detail: "the draft is as it was", Retry: true}
		return desk.Draft{}, nil, a.leftBehind(path, before, d.YAML(), err)
	}
	content, err = parseDraft(path, text, expect)
	return content, func() error { return os.Remove(path) }, err
}

// runEditor waits for the editor, which has the terminal meanwhile.
func (a *app) runEditor(path string) error {
	editor := a.getenv("VISUAL")
	if editor == "" {
		editor = a.getenv("EDITOR")
	}
	if editor == "" {
		return &fault.Usage{Detail: "no editor: VISUAL and EDITOR are not set", Hint: "EDITOR=vi akx draft edit …, or give the text in a file"}
	}
	// As other programs do: the variable is a command line of the shell.
	cmd := exec.Command("sh", "-c", editor+` "$1"`, "sh", path)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.stdin, a.stdout, a.stderr
	if a.flags.json {
		cmd.Stdout, cmd.Stderr = nil, nil // they would stand between events
	}
	if err := cmd.Run(); err != nil {
		return &fault.Unavailable{Code: fault.UnavailableCode, What: "the editor", Detail: err.Error(), Retry: true}
	}
	return nil
}

// leftBehind keeps, after an edit that failed, what the draft itself does not have: what
// the editor saved or, where that is nothing, what stood there before.
func (a *app) leftBehind(path string, before, draft []byte, failed error) error {
	text, err := os.ReadFile(path)
	if err != nil || len(bytes.TrimSpace(text)) == 0 {
		text = before
		err = os.WriteFile(path, before, 0o600)
	}
	switch {
	case err != nil:
		return errors.Join(failed, fileError(path, err))
	case bytes.Equal(text, draft):
		return errors.Join(failed, os.Remove(path))
	}
	return errors.Join(failed, a.note(clean.Line("what was written is in "+path+"; the next edit of the draft opens it")))
}
