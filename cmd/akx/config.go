package main

import (
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) configCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "Show the effective settings and where they come from",
		Long: `Show the effective settings and where each comes from. They are read from
config.yaml in the home directory; an unknown name or a wrong value is an error with
its line. Flags win over the environment, which wins over the file.

What is printed is a config.yaml with these settings: keep the lines that you change.

` + settingsHelp(),
		Example: `  akx config
  akx --json config
  akx --home /tmp/other config`,
		Args:        a.noArgs,
		Annotations: map[string]string{lax: "true"},
		RunE: func(*cobra.Command, []string) error {
			if a.settings.unusable != nil {
				return a.settings.unusable
			}
			dir, _, err := a.homeDir()
			if err != nil {
				return err
			}
			return a.emit(a.settings.report(dir), a.settled)
		},
	}
}

// settingsHelp lists the settings with their defaults, as config.yaml would say them.
func settingsHelp() string {
	var b strings.Builder
	b.WriteString("The settings with their defaults:\n")
	for _, v := range defaults().values {
		line := "  " + v.name + ": " + v.value
		b.WriteString(line + strings.Repeat(" ", max(1, 32-len(line))) + "# " + v.about + "\n")
	}
	b.WriteString("  keys:                         # keys of the explorer, by the names that help (?) shows\n    open: [enter, l]")
	return b.String()
}
