package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"akx/cmd/akx/report"
	"akx/view/fault"
)

// lax marks commands that run without readable settings, because they report on
// them or need none.
const lax = "lax"

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "akx",
		Short: "Explore signed research capsules",
		Long: `akx reads signed research capsules (Agent Knowledge 1.0), proves each one and
shows what is known about it and from where. Without a command it opens the
explorer: on your home if anything is kept in it, else on the built-in sample.`,
		Example: `  akx                          open the explorer
  akx --sample                 open it on the built-in sample
  akx import capsules.jsonl    prove and store what a file holds
  akx list --kind hypothesis   list what is held
  akx show id:lDBW8lmtg6Qr     show one event, by its ID or the start of it`,
		Args:          a.noArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          a.explore,
	}
	root.SuggestionsMinimumDistance = 2
	root.CompletionOptions.DisableDefaultCmd = true
	root.PersistentPreRunE = a.prepare
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(a.help)
	root.SetHelpCommand(a.helpCommand())
	root.SetOut(a.out)
	root.SetErr(a.stderr)
	flags := root.PersistentFlags()
	flags.StringVar(&a.flags.home, "home", "", "directory of cache, settings and keys (AKX_HOME, $XDG_DATA_HOME/akx)")
	flags.BoolVar(&a.flags.sample, "sample", false, "read the built-in sample instead of the cache")
	flags.BoolVar(&a.flags.json, "json", false, "write Agent-First Data v1 events, one a line")
	flags.BoolVar(&a.flags.noColor, "no-color", false, "no colours (NO_COLOR does the same)")
	flags.BoolVar(&a.flags.ascii, "ascii", false, "draw with ASCII characters only")
	flags.BoolVar(&a.flags.plain, "plain", false, "no boxes or columns: spoken order, one thing a line")
	flags.StringVar(&a.flags.theme, "theme", "", "auto, dark, light or 16")
	flags.BoolVar(&a.flags.readOnly, "read-only", false, "forbid what signs, submits, drops or changes services; importing and syncing go on")
	flags.BoolVar(&a.flags.offline, "offline", false, "forbid the network: ask no service anything (those of --sample live within akx, and answer)")
	flags.StringVar(&a.flags.log, "log", "", "append log events to this file")
	root.AddCommand(a.importCommand(), a.verifyCommand(), a.listCommand(), a.searchCommand(), a.showCommand(),
		a.linksCommand(), a.versionsCommand(), a.assessmentsCommand(), a.pendingCommand(), a.conformanceCommand(),
		a.serviceCommand(), a.syncCommand(), a.queryCommand(), a.checkCommand(), a.peersCommand(),
		a.draftCommand(), a.signCommand(), a.submitCommand(), a.outboxCommand(), a.retractCommand(), a.exportCommand(), a.digestCommand(),
		a.keyCommand(), a.nameCommand(),
		a.serveCommand(), a.withholdCommand(), a.configCommand(), a.doctorCommand(), a.versionCommand(), a.completionCommand())
	return root
}

// prepare runs before every command: settings, then the log.
func (a *app) prepare(cmd *cobra.Command, _ []string) error {
	a.started = true
	a.command = cmd.CommandPath()
	for _, name := range []string{"home", "theme", "log"} {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() == "" {
			return &fault.Usage{Detail: "--" + name + " is given without a value", Hint: "give it one, or leave --" + name + " out"}
		}
	}
	a.settings, a.settled = a.readSettings()
	if a.settled != nil && cmd.Annotations[lax] == "" {
		return a.settled
	}
	log, err := openLog(a.flags.log, a.logLost)
	if err != nil {
		return err
	}
	a.log = log
	a.log.begun(a.command)
	return nil
}

// flagError turns a wrong flag into wrong usage. What begins with '-' looks like a
// flag, so the way to write one is said where a command takes such an argument.
func flagError(cmd *cobra.Command, err error) error {
	hint := cmd.CommandPath() + " --help lists its flags"
	words := strings.FieldsFunc(cmd.Use, func(r rune) bool { return r == ' ' || r == '.' || r == '|' })
	switch {
	case slices.Contains(words, "ID"):
		hint += "; an ID that begins with '-' is written id:-Ab… or stands after --"
	case slices.Contains(words, "TEXT"):
		hint += "; a word that begins with '-' stands after --"
	case slices.Contains(words, "FILE"):
		hint += "; a file whose name begins with '-' is written ./-name"
	}
	return &fault.Usage{Detail: err.Error(), Hint: hint}
}

// help prints the help of a command in the form that was asked for.
func (a *app) help(cmd *cobra.Command, _ []string) {
	if cmd.HasSubCommands() && cmd.Flags().NArg() > 0 { // --help behind no command of cmd's
		a.misasked = a.noArgs(cmd, cmd.Flags().Args())
		return
	}
	text := cmd.Short
	if cmd.Long != "" {
		text = cmd.Long
	}
	r := &report.Help{Command: cmd.CommandPath(), Help: strings.TrimSpace(text) + "\n\n" + cmd.UsageString()}
	_ = a.emit(r, nil) // cobra takes no error of the help's; the output remembers it
}

func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:         "help [COMMAND]",
		Short:       "Show the help of a command",
		Example:     "  akx help list",
		Annotations: map[string]string{lax: "true"},
		RunE: func(cmd *cobra.Command, args []string) error {
			asked, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return &fault.Usage{Detail: "no command " + strings.Join(args, " "), Hint: "akx --help lists the commands"}
			}
			a.help(asked, nil)
			return nil
		},
	}
}

// The validators of arguments: wrong numbers of them are wrong usage.

func (a *app) noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.HasSubCommands() {
		u := &fault.Usage{Detail: "unknown command " + args[0], Hint: cmd.CommandPath() + " --help lists the commands"}
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			u.Hint = "did you mean " + strings.Join(near, " or ") + "?"
		}
		return u
	}
	return &fault.Usage{Detail: cmd.CommandPath() + " takes no arguments", Hint: "see " + cmd.CommandPath() + " --help"}
}

// oneArg asks for exactly one argument, called name.
func oneArg(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			return nil
		}
		return &fault.Usage{Detail: cmd.CommandPath() + " takes one " + name, Hint: "see " + cmd.CommandPath() + " --help"}
	}
}

// someArgs asks for at least one argument, called name.
func someArgs(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return nil
		}
		return &fault.Usage{Detail: cmd.CommandPath() + " needs at least one " + name, Hint: "see " + cmd.CommandPath() + " --help"}
	}
}
