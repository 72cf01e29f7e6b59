package main

import (
	"github.com/spf13/cobra"

	"akx/cmd/akx/report"
	"akx/explore"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

func (a *app) draftExtendCommand() *cobra.Command {
	return a.linked("extend", "Begin a capsule that extends another one",
		"Begin a capsule that extends another one, of the same kind unless you say otherwise.", capsule.Extends)
}

func (a *app) draftAnswerCommand() *cobra.Command {
	return a.linked("answer", "Begin a capsule that answers a question",
		"Begin a capsule that addresses a question: a hypothesis, unless you say otherwise.", capsule.Addresses)
}

func (a *app) draftRestateCommand() *cobra.Command {
	return a.linked("restate", "Begin a summary or restatement of another's contribution",
		"Begin a capsule that is derived from another one, such as a summary or a restatement in\nother words: a synthesis, unless you say otherwise. It is no independent observation, and\nderived_from tells readers so.", capsule.DerivedFrom)
}

// linked makes a command that begins a capsule with a relation to another event.
func (a *app) linked(use, short, long string, r capsule.Relation) *cobra.Command {
	return a.targeted(use, short, long, capsule.Publish, func() beginning {
		return beginning{about: func(ids []identity.ID) explore.Start { return explore.Start{Relation: r, Target: ids[0]} }}
	})
}

func (a *app) draftRetargetCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "retarget DRAFT OLD NEW",
		Short: "Point a draft at another event, such as a correction of its target",
		Long: `Point every link of a draft that leads to the event OLD to the event NEW instead. A
capsule is one exact version: a draft stays with the one that it was begun for until you
say otherwise. Of each ID the first 6 characters or more are enough. All else in the
draft stays as it is: read again whether it still holds for NEW.`,
		Example: "  akx draft retarget 7 lDBW8lmtg6QrvE1bPNjGcVhbHTpFoLE_lRBYvSgn3dU VN3sUFp7c09XdbJW9c69f4MH34x9TsIhUXS7SxTgSY4",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 3 {
				return &fault.Usage{Detail: "akx draft retarget takes a draft and two IDs", Hint: "the event that it points at, and the one that is meant instead"}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			number, err := draftNumber(args[0])
			if err != nil {
				return err
			}
			u, err := a.openAuthor(cmd.Context(), "draft retarget", true)
			if err != nil {
				return err
			}
			defer u.end()
			var ids [2]identity.ID
			for i, typed := range args[1:] {
				if ids[i], err = heldID(cmd.Context(), u.session, typed); err != nil {
					return err
				}
			}
			d, targets, err := u.writer.RetargetDraft(cmd.Context(), number, ids[0], ids[1])
			if err != nil {
				return err
			}
			return a.emit(&report.DraftChanged{Done: "saved", Draft: report.DraftOf(d), Targets: report.DraftTargetsOf(targets)}, nil)
		},
	}
}

// staleHint says how a draft is pointed at what corrects its target.
func staleHint(d desk.Draft, t report.DraftTarget) string {
	hint := "if this one is meant, add --yes-target"
	if d.ID != 0 {
		hint += "; to point the draft at another one: " + t.RetargetCommand(d.ID)
	}
	return hint
}
