package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"akx/explore"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

const draftFileHelp = `With FILE, or - for the standard input, the content comes from there: YAML or JSON, the
bare payload or {type, actor, payload}. A type or kind that is not that of the command,
an unknown name and a wrong type are errors with their lines, and nothing is taken.`

func (a *app) draftCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "draft",
		Short: "Write events that are not signed yet",
		Long: `A draft is an event that is being written. It is kept in the home, survives whatever
happens, and is seen by nobody else. Nothing is signed by writing: akx sign does that.`,
		Example: `  akx draft new hypothesis
  akx draft new observation - < found.yaml
  akx draft assess lDBW8lmtg6QrvE1bPNjGcVhbHTpFoLE_lRBYvSgn3dU
  akx draft answer id:-Ab3…
  akx draft edit 7
  akx draft check 7
  akx draft list`,
		Args: a.noArgs,
		RunE: func(*cobra.Command, []string) error {
			return &fault.Usage{Detail: "akx draft needs a command", Hint: "new, assess, correct, extend, answer, restate, retract, retarget, list, show, edit, evidence, check, delete or restore; see akx draft --help"}
		},
	}
	cmd.AddCommand(a.draftNewCommand(), a.draftAssessCommand(), a.draftCorrectCommand(), a.draftExtendCommand(), a.draftAnswerCommand(),
		a.draftRestateCommand(), a.draftRetractCommand(), a.draftRetargetCommand(),
		a.draftListCommand(), a.draftShowCommand(), a.draftEditCommand(), a.draftEvidenceCommand(), a.draftCheckCommand(), a.draftDeleteCommand(), a.draftRestoreCommand())
	return cmd
}

func (a *app) draftNewCommand() *cobra.Command {
	var kinds []string
	for _, k := range capsule.Kinds() {
		kinds = append(kinds, k.String())
	}
	return &cobra.Command{
		Use:     "new KIND [FILE|-]",
		Short:   "Begin a capsule of a kind",
		Long:    "Begin a capsule. KIND is one of " + strings.Join(kinds, ", ") + ",\nor its letter.\n\n" + draftFileHelp,
		Example: "  akx draft new question\n  akx draft new H\n  akx --json draft new observation - < found.yaml",
		Args:    argAndFile("kind"),
		RunE: func(cmd *cobra.Command, args []string) error {
			kind, ok := parseKind(args[0])
			if !ok {
				return &fault.Usage{Detail: "no kind " + args[0], Hint: "one of " + strings.Join(kinds, ", ")}
			}
			return a.beginDraft(cmd.Context(), beginning{what: "draft new", start: explore.Start{Kind: kind},
				expect: desk.Expect{Type: capsule.Publish, Kind: kind}, file: args[1:]})
		},
	}
}

func parseKind(typed string) (capsule.Kind, bool) {
	for _, k := range capsule.Kinds() {
		if len(typed) == 1 && strings.EqualFold(typed, string(k.Letter())) {
			return k, true
		}
	}
	return capsule.ParseKind(typed)
}

// argAndFile asks for one argument and perhaps a file.
func argAndFile(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 || len(args) == 2 {
			return nil
		}
		return &fault.Usage{Detail: cmd.CommandPath() + " takes one " + name + ", and perhaps a file", Hint: "see " + cmd.CommandPath() + " --help"}
	}
}

// targeted makes a command that begins a draft about one event.
func (a *app) targeted(use, short, long string, t capsule.Type, begin func() beginning) *cobra.Command {
	return &cobra.Command{
		Use:     use + " ID [FILE|-]",
		Short:   short,
		Long:    long + "\nOf an event that is held, the first 6 characters of its ID or more are enough.\n\n" + draftFileHelp,
		Example: "  akx draft " + use + " lDBW8lmtg6QrvE1bPNjGcVhbHTpFoLE_lRBYvSgn3dU\n  akx draft " + use + " id:-Ab3…\n  akx draft " + use + " lDBW8lmtg6QrvE1bPNjGcVhbHTpFoLE_lRBYvSgn3dU draft.yaml",
		Args:    argAndFile("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			b := begin()
			b.ids = args[:1]
			b.what, b.expect, b.file = "draft "+use, desk.Expect{Type: t}, args[1:]
			return a.beginDraft(cmd.Context(), b)
		},
	}
}

func (a *app) draftAssessCommand() *cobra.Command {
	steps := false
	cmd := a.targeted("assess", "Begin an assessment of one exact capsule",
		"Begin an assessment of one exact capsule. Nothing of what was done is copied from it:\nenvironment, expected and observed describe what you did yourself. --copy-steps takes its\nsteps as a start; each keeps the draft from being signed until its number is taken out of\nunconfirmed_steps, which says that you did it.",
		capsule.Assess, func() beginning {
			return beginning{about: func(ids []identity.ID) explore.Start { return explore.Start{Assess: ids[0]} }, copySteps: steps}
		})
	cmd.Flags().BoolVar(&steps, "copy-steps", false, "begin with the steps of the capsule, to be confirmed one by one")
	return cmd
}

func (a *app) draftRetractCommand() *cobra.Command {
	return a.targeted("retract", "Begin the retraction of an event of your own",
		"Begin the retraction of an event of your own. Its copies elsewhere stay.",
		capsule.Retract, func() beginning {
			return beginning{about: func(ids []identity.ID) explore.Start { return explore.Start{Retract: ids[0]} }}
		})
}

func (a *app) draftCorrectCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "correct ID... [FILE|-]",
		Short: "Begin a correction of one or several capsules of your own",
		Long: `Begin a capsule that supersedes one or several of your own, with their text as a start.
Of each ID the first 6 characters or more are enough. What is superseded stays as it is,
and so do its assessments: they are about that exact capsule.

` + draftFileHelp,
		Example: "  akx draft correct lDBW8lmtg6QrvE1bPNjGcVhbHTpFoLE_lRBYvSgn3dU",
		Args:    someArgs("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ids, file := args, []string(nil)
			if last := len(args) - 1; last > 0 && namesFile(args[last]) {
				ids, file = args[:last], args[last:]
			}
			return a.beginDraft(cmd.Context(), beginning{what: "draft correct", ids: ids, file: file, expect: desk.Expect{Type: capsule.Publish},
				about: func(ids []identity.ID) explore.Start { return explore.Start{Correct: ids} }})
		},
	}
}

// namesFile tells a file that stands behind IDs from one more ID.
func namesFile(typed string) bool {
	if _, err := fullID(typed); err == nil || strings.HasPrefix(typed, "id:") {
		return false
	}
	_, err := os.Stat(typed)
	return err == nil || typed == "-" || strings.ContainsAny(typed, "./")
}
