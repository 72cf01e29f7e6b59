package main

import (
	"context"

	"github.com/spf13/cobra"

	"akx/cache/keyring"
	"akx/cmd/akx/report"
	"akx/view/fault"
)

func (a *app) keyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "key",
		Short: "Make and keep signing keys",
		Long: `Your signing keys, each in an encrypted file of its own under keys/ in the home. A key
cannot be had again: keep a copy of its file and remember the passphrase.

` + passphraseHelp,
		Example: `  akx key new --name ann
  akx key list
  akx key default ann
  akx key export ann > ann.pem`,
		Args: a.noArgs,
		RunE: func(*cobra.Command, []string) error {
			return &fault.Usage{Detail: "akx key needs a command", Hint: "new, list, import, export, rename, delete or default; see akx key --help"}
		},
	}
	cmd.AddCommand(a.keyNewCommand(), a.keyListCommand(), a.keyImportCommand(), a.keyExportCommand(),
		a.keyRenameCommand(), a.keyDeleteCommand(), a.keyDefaultCommand())
	return cmd
}

// keyName is the name of a key where none is given.
const keyName = "main"

func (a *app) keyNewCommand() *cobra.Command {
	name := &once{check: keyring.CheckName, value: keyName}
	cmd := &cobra.Command{
		Use:     "new",
		Short:   "Make a signing key and encrypt it under a passphrase",
		Long:    "Make a signing key of random numbers and encrypt it under a passphrase. Its Agent ID is\npublic; anybody can see which events it signed.\n\n" + passphraseHelp,
		Example: "  akx key new\n  akx key new --name ann\n  AKX_PASSPHRASE_FILE=pass.txt akx --json key new --name bot",
		Args:    a.noArgs,
	}
	cmd.Flags().Var(name, "name", "1 to 32 of a-z, 0-9, '_' and '-'")
	fd := addPassphrase(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		ring, err := a.changingRing("key new")
		if err != nil {
			return err
		}
		passphrase, err := a.passphrase(cmd.Context(), fd, "New passphrase of key "+name.value+": ", true)
		defer clear(passphrase)
		if err != nil {
			return err
		}
		info, err := ring.Create(cmd.Context(), name.value, passphrase)
		if err != nil {
			return err
		}
		return a.emit(&report.KeyChanged{Done: "made", Key: keyOf(info)}, nil)
	}
	return cmd
}

func (a *app) changingRing(what string) (*keyring.Ring, error) {
	if err := a.authoring(what, true); err != nil {
		return nil, err
	}
	return a.ring()
}

func (a *app) keyListCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List keys with their Agent IDs",
		Long:    "List the names and Agent IDs of your keys. No passphrase is needed. A file that cannot be\nread is told, and the command fails.",
		Example: "  akx key list\n  akx --json key list",
		Args:    a.noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.authoring("key list", false); err != nil {
				return err
			}
			ring, err := a.ring()
			if err != nil {
				return err
			}
			all, err := ring.List(cmd.Context())
			if err != nil {
				return err
			}
			r := &report.Keys{}
			for _, k := range all {
				r.Keys = append(r.Keys, keyOf(k))
				if err == nil {
					err = k.Err
				}
			}
			return a.emit(r, err)
		},
	}
}

func (a *app) keyDefaultCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "default NAME",
		Short:   "Choose the key that signs where none is named",
		Long:    "Choose the key that signs where none is named. The first key is the default until another is chosen.",
		Example: "  akx key default ann",
		Args:    oneArg("name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.changeKey(cmd.Context(), "key default", "chosen", args[0], func(ring *keyring.Ring, name string) (string, error) {
				return name, ring.SetDefault(cmd.Context(), name)
			})
		},
	}
}

func (a *app) keyRenameCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "rename NAME NEW",
		Short:   "Give a key another name",
		Long:    "Give a key another name; its Agent ID stays. The name is sealed with the key, so the\npassphrase is needed.\n\n" + passphraseHelp,
		Example: "  akx key rename main ann",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return &fault.Usage{Detail: "akx key rename takes a name and a new name", Hint: "see akx key rename --help"}
			}
			return nil
		},
	}
	fd := addPassphrase(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return a.changeKey(cmd.Context(), "key rename", "renamed", args[0], func(ring *keyring.Ring, name string) (string, error) {
			if err := keyring.CheckName(args[1]); err != nil {
				return "", err
			}
			passphrase, err := a.passphrase(cmd.Context(), fd, "Passphrase of key "+name+": ", false)
			defer clear(passphrase)
			if err != nil {
				return "", err
			}
			return args[1], ring.Rename(cmd.Context(), name, args[1], passphrase)
		})
	}
	return cmd
}

func (a *app) keyDeleteCommand() *cobra.Command {
	confirm := &once{}
	cmd := &cobra.Command{
		Use:   "delete NAME",
		Short: "Delete a key for good, after its name was typed again",
		Long: `Delete the file of a key, a damaged one too. Without a copy of it nobody can ever sign
as its Agent ID again: no correction and no retraction of what it signed is possible.
The name has to be typed again, or be given with --confirm.`,
		Example: "  akx key delete old\n  akx key delete old --confirm old",
		Args:    oneArg("name"),
	}
	cmd.Flags().Var(confirm, "confirm", "the name once more, for scripts")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return a.changeKey(cmd.Context(), "key delete", "deleted", args[0], func(ring *keyring.Ring, name string) (string, error) {
			err := a.typed(cmd.Context(), confirm, "This cannot be undone. Type the name of the key to delete it: ", name)
			if err != nil {
				return "", err
			}
			return "", ring.Delete(cmd.Context(), name)
		})
	}
	return cmd
}

// changeKey runs one change of a key that is there and reports the key; change gives
// the name that it has afterwards, empty where it is gone.
func (a *app) changeKey(ctx context.Context, what, done, name string, change func(*keyring.Ring, string) (string, error)) error {
	ring, err := a.changingRing(what)
	if err != nil {
		return err
	}
	before, err := findKey(ctx, ring, name)
	if err != nil {
		return err
	}
	after, err := change(ring, name)
	if err != nil {
		return err
	}
	if after != "" {
		if before, err = findKey(ctx, ring, after); err != nil {
			return err
		}
	}
	before.Default = before.Default && after != ""
	return a.emit(&report.KeyChanged{Done: done, Key: keyOf(before)}, nil)
}

func findKey(ctx context.Context, ring *keyring.Ring, name string) (keyring.Info, error) {
	if err := keyring.CheckName(name); err != nil {
		return keyring.Info{}, err
	}
	all, err := ring.List(ctx)
	if err != nil {
		return keyring.Info{}, err
	}
	for _, k := range all {
		if k.Name == name {
			return k, nil
		}
	}
	return keyring.Info{}, &fault.Usage{Code: fault.NotHeldCode, Detail: "there is no key called " + name, Hint: "akx key list names those that are there"}
}

// keyOf describes a key.
func keyOf(k keyring.Info) report.Key {
	out := report.Key{Name: k.Name, CreatedAt: k.CreatedAt, Default: k.Default, Exposed: k.Exposed}
	if k.Err == nil {
		out.Actor = k.Actor.String()
		return out
	}
	failure := report.FailureOf(k.Err, fault.DamagedCode)
	out.Error = &failure
	return out
}
