package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"akx/cache/keyring"
	"akx/cmd/akx/report"
	"akx/view/clean"
	"akx/view/fault"
)

func (a *app) keyImportCommand() *cobra.Command {
	name := &once{check: keyring.CheckName, value: keyName}
	cmd := &cobra.Command{
		Use:   "import FILE|-",
		Short: "Bring a key from elsewhere",
		Long: `Bring an Ed25519 key from elsewhere and encrypt it under a passphrase: a seed of 32
bytes as hex or base64url, PKCS#8 PEM, or an OpenSSH key. Published test seeds are
refused: anybody can sign with them. The passphrase of an encrypted OpenSSH file is
asked for, or comes from --file-passphrase-fd.

` + passphraseHelp,
		Example: "  akx key import ann.pem --name ann\n  akx key import ~/.ssh/id_ed25519 --name ssh\n  AKX_PASSPHRASE_FILE=pass.txt akx key import - < seed.hex",
		Args:    oneArg("file"),
	}
	cmd.Flags().Var(name, "name", "1 to 32 of a-z, 0-9, '_' and '-'")
	fd := addPassphrase(cmd)
	fileFD := &once{check: between(0, 1<<20)}
	cmd.Flags().Var(fileFD, "file-passphrase-fd", "read the passphrase of the file itself from this descriptor")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if args[0] == "-" && (fd.value == "0" || fileFD.value == "0") {
			return &fault.Usage{Detail: "the standard input holds the key, so that no passphrase can come from it", Hint: "use another descriptor, such as 3"}
		}
		ring, err := a.changingRing("key import")
		if err != nil {
			return err
		}
		secret, err := a.readKey(cmd.Context(), args[0], fileFD)
		if err != nil {
			return err
		}
		defer secret.Wipe()
		passphrase, err := a.passphrase(cmd.Context(), fd, "New passphrase of key "+name.value+": ", true)
		defer clear(passphrase)
		if err != nil {
			return err
		}
		info, err := ring.Import(cmd.Context(), name.value, secret, passphrase)
		if err != nil {
			return err
		}
		return a.emit(&report.KeyChanged{Done: "imported", Key: keyOf(info)}, nil)
	}
	return cmd
}

// readKey takes the key out of a file.
func (a *app) readKey(ctx context.Context, path string, fd *once) (keyring.Secret, error) {
	in, err := a.describe(path)
	if err != nil {
		return keyring.Secret{}, err
	}
	f, err := a.openInput(ctx, in)
	if err != nil {
		return keyring.Secret{}, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, keyring.MaxImport+1))
	defer clear(text)
	if err != nil {
		return keyring.Secret{}, fileError(label(path), err)
	}
	form, err := keyring.Inspect(text)
	if err != nil {
		return keyring.Secret{}, err
	}
	var passphrase []byte
	if form == keyring.FormOpenSSHEncrypted {
		switch {
		case fd.given:
			passphrase, err = a.passphraseFrom(ctx, fd.value)
		case !a.asks():
			err = &fault.Usage{Detail: "the file is encrypted under a passphrase of its own, and there is nobody to ask for it", Hint: "--file-passphrase-fd N reads that one, such as 4, with 4<FILE at the end of the command"}
		default:
			passphrase, err = a.askHidden(ctx, "Passphrase of "+clean.Line(in.name).String()+": ")
		}
		defer clear(passphrase)
		if err != nil {
			return keyring.Secret{}, err
		}
	}
	return keyring.Read(text, passphrase)
}

func (a *app) keyExportCommand() *cobra.Command {
	confirm := &once{}
	cmd := &cobra.Command{
		Use:   "export NAME",
		Short: "Write a private key in the clear, after its name was typed again",
		Long: `Write a private key as PKCS#8 PEM, not encrypted, to a file or a pipe. Whoever has it
can sign as you. The name has to be typed again, or be given with --confirm. To move a
key to another home of akx, copy its file in keys/ instead: that one is encrypted.

` + passphraseHelp,
		Example: "  (umask 077; akx key export ann > ann.pem)\n  AKX_PASSPHRASE_FILE=pass.txt akx key export ann --confirm ann | openssl pkey -text",
		Args:    oneArg("name"),
	}
	cmd.Flags().Var(confirm, "confirm", "the name once more, for scripts")
	fd := addPassphrase(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case a.flags.json:
			return &fault.Usage{Detail: "a private key never stands in an event", Hint: "leave --json out, and send the output to a file"}
		case term.IsTerminal(int(a.stdout.Fd())):
			return &fault.Usage{Detail: "a private key is not shown on a terminal", Hint: "send it to a file: (umask 077; akx key export NAME > FILE)"}
		}
		ring, err := a.changingRing("key export")
		if err != nil {
			return err
		}
		if _, err := findKey(cmd.Context(), ring, args[0]); err != nil {
			return err
		}
		if err := a.typed(cmd.Context(), confirm, "Whoever has the file can sign as you. Type the name of the key to export it: ", args[0]); err != nil {
			return err
		}
		passphrase, err := a.passphrase(cmd.Context(), fd, "Passphrase of key "+args[0]+": ", false)
		defer clear(passphrase)
		if err != nil {
			return err
		}
		exported, err := ring.Export(cmd.Context(), args[0], passphrase)
		if err != nil {
			return err
		}
		defer exported.Wipe()
		_, err = exported.WriteTo(a.stdout)
		return err
	}
	return cmd
}
