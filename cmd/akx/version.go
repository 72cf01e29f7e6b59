package main

import (
	"bytes"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"akx/cmd/akx/report"
	"akx/view/capsule"
	"akx/view/fault"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:         "version",
		Short:       "Show which akx this is",
		Example:     "  akx version\n  akx --json version",
		Args:        a.noArgs,
		Annotations: map[string]string{lax: "true"},
		RunE: func(*cobra.Command, []string) error {
			return a.emit(&report.Build{Version: buildVersion(), Go: runtime.Version(),
				Platform: runtime.GOOS + "/" + runtime.GOARCH, Protocols: []string{"agent-identity/1.0", capsule.Protocol}}, nil)
		},
	}
}

// buildVersion is the module's version, or the commit that it was built from.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "development, commit " + s.Value
		}
	}
	return "development"
}

func (a *app) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print the completion script of a shell",
		Long:  "Print a script that completes commands and flags in bash, zsh, fish or powershell.",
		Example: `  akx completion bash > ~/.local/share/bash-completion/completions/akx
  akx completion zsh > "${fpath[1]}/_akx"
  akx completion fish > ~/.config/fish/completions/akx.fish`,
		Args:        oneArg("shell: bash, zsh, fish or powershell"),
		ValidArgs:   []string{"bash", "zsh", "fish", "powershell"},
		Annotations: map[string]string{lax: "true"},
		RunE: func(cmd *cobra.Command, args []string) error {
			var b bytes.Buffer
			root, err := cmd.Root(), error(nil)
			switch args[0] {
			case "bash":
				err = root.GenBashCompletionV2(&b, true)
			case "zsh":
				err = root.GenZshCompletion(&b)
			case "fish":
				err = root.GenFishCompletion(&b, true)
			case "powershell":
				err = root.GenPowerShellCompletionWithDesc(&b)
			default:
				err = &fault.Usage{Detail: "no completion for " + args[0], Hint: "bash, zsh, fish or powershell"}
			}
			if err != nil {
				return err
			}
			return a.emit(&report.Script{Shell: args[0], Script: b.String()}, nil)
		},
	}
}
