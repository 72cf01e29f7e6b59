package main

import (
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"akx/cmd/akx/report"
	"akx/view/fault"
)

func (a *app) exportCommand() *cobra.Command {
	as := &once{check: oneOf("envelope")}
	cmd := &cobra.Command{
		Use:   "export ID --as envelope",
		Short: "Write the exact signed text of an event, to carry it by hand",
		Long: `Write the exact text of an event's envelope, and not a byte more, to a file or a pipe:
what a service takes, and what akx import and akx verify read. The ID is written in full.
What was signed with keys of the sample is refused: they are public test material.`,
		Example: "  akx export lDBW8lmtg6QrvE1bPNjGcVhbHTpFoLE_lRBYvSgn3dU --as envelope > event.json\n  akx --json export id:-Ab3… --as envelope",
		Args:    oneArg("ID"),
	}
	cmd.Flags().Var(as, "as", "the form: envelope")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		id, err := fullID(args[0])
		switch {
		case err != nil:
			return err
		case !as.given:
			return &fault.Usage{Detail: "the form is missing", Hint: "--as envelope"}
		case !a.flags.json && term.IsTerminal(int(a.stdout.Fd())):
			return &fault.Usage{Detail: "the exact text could act on a terminal", Hint: "send it to a file or a pipe; akx show shows the event"}
		}
		u, err := a.openAuthor(cmd.Context(), "export", false)
		if err != nil {
			return err
		}
		defer u.end()
		text, err := u.writer.Export(cmd.Context(), id)
		if err != nil {
			return err
		}
		if a.flags.json {
			return a.emit(&report.Exported{ID: id.String(), Envelope: text}, nil)
		}
		_, err = a.stdout.WriteString(text)
		return err
	}
	return cmd
}
