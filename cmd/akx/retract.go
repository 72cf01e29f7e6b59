package main

import (
	"github.com/spf13/cobra"

	"akx/explore"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
)

func (a *app) retractCommand() *cobra.Command {
	reason := &once{}
	cmd := &cobra.Command{
		Use:   "retract ID --reason TEXT",
		Short: "Sign the retraction of an event of your own",
		Long: `Sign the retraction of an event of your own, whose ID is written in full. It cannot be
taken back, and copies elsewhere stay. On a terminal the first characters of the ID are
asked for once more; for a script the ID in full is enough.

` + signHelp,
		Example: "  akx retract lDBW8lmtg6QrvE1bPNjGcVhbHTpFoLE_lRBYvSgn3dU --reason 'The clock was wrong.' --yes-publish\n  akx submit --to hub",
		Args:    oneArg("ID"),
	}
	cmd.Flags().Var(reason, "reason", "why you withdraw it; this is signed and public")
	c := addConsent(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if reason.value == "" {
			return &fault.Usage{Detail: "a retraction says why", Hint: "--reason TEXT"}
		}
		u, err := a.openAuthor(cmd.Context(), "retract", true)
		if err != nil {
			return err
		}
		defer u.end()
		id, err := inFull(cmd.Context(), u.session, args[0])
		if err != nil {
			return err
		}
		target, err := u.session.Event(cmd.Context(), id)
		if err != nil {
			return err
		}
		own, err := u.own(cmd.Context())
		if err != nil {
			return err
		}
		if err := explore.OwnTarget(capsule.Retract, target.Actor(), own); err != nil {
			return err
		}
		d, err := desk.RetractOf(target, target.Actor())
		if err != nil {
			return err
		}
		if err := d.SetText("/reason", reason.value); err != nil {
			return err
		}
		c.named = id
		return a.signDraft(cmd.Context(), u, d, c)
	}
	return cmd
}
