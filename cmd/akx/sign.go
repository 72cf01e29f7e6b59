package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"akx/cache/keyring"
	"akx/cmd/akx/report"
	"akx/explore"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// consent is what the user says beside the draft: who signs, where it goes, and that
// it may be public for good.
type consent struct {
	key            *once
	to, allow      *many
	yes, yesTarget bool
	fd             *once
}

func addConsent(cmd *cobra.Command) *consent {
	c := &consent{key: &once{check: keyring.CheckName}, to: &many{}, allow: &many{}}
	cmd.Flags().Var(c.key, "key", "the key that signs (default: that of the draft's Agent ID, else the default key)")
	cmd.Flags().Var(c.to, "to", "queue it for this service, by name or origin; may be given several times")
	cmd.Flags().Var(c.allow, "allow-finding", "say that the place with this mark may be public; may be given several times")
	cmd.Flags().BoolVar(&c.yes, "yes-publish", false, "sign: this makes it public and permanent, and I may disclose it")
	cmd.Flags().BoolVar(&c.yesTarget, "yes-target", false, "sign although the target was corrected or retracted")
	c.fd = addPassphrase(cmd)
	return c
}

const signHelp = `Signing is public and permanent: whoever has the signed text can keep it, show it and
prove who signed it, and a retraction later cannot remove copies. Nothing is sent by
signing: --to queues it for services, akx submit sends.

Without --yes-publish nothing is signed: what would be signed and disclosed is shown.
Each place that may hold a secret or private material has to be answered with
--allow-finding MARK, and a target that was corrected or retracted with --yes-target.

` + passphraseHelp

func (a *app) signCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sign DRAFT",
		Short: "Sign a draft, which makes it public and permanent",
		Long: `Sign a draft as the exact event that its check and its preview stand for. The envelope
is kept in the outbox and in the cache. A draft is signed once: the same command again
gives the event of the first time.

` + signHelp,
		Example: "  akx sign 7\n  akx sign 7 --to hub --yes-publish\n  AKX_PASSPHRASE_FILE=pass.txt akx --json sign 7 --key bot --yes-publish",
		Args:    oneArg("draft"),
	}
	c := addConsent(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		id, err := draftNumber(args[0])
		if err != nil {
			return err
		}
		u, err := a.openAuthor(cmd.Context(), "sign", true)
		if err != nil {
			return err
		}
		defer u.end()
		if before, ok, err := u.writer.SignedAs(cmd.Context(), id); err != nil || ok {
			if err != nil {
				return err
			}
			return a.signedBefore(cmd.Context(), u, before, c)
		}
		d, err := u.writer.Draft(cmd.Context(), id)
		if err != nil {
			return err
		}
		return a.signDraft(cmd.Context(), u, d, c)
	}
	return cmd
}

// signedBefore reports what a draft was signed as, and queues it for services that
// were not named then.
func (a *app) signedBefore(ctx context.Context, u *author, id identity.ID, c *consent) error {
	event, err := u.session.Event(ctx, id)
	if err != nil {
		return err
	}
	entry, err := u.writer.OutboxEntry(ctx, id)
	var absent *fault.NotHeld
	if len(c.to.values) > 0 {
		entry, err = u.writer.Queue(ctx, id, c.to.values)
	}
	if err != nil && !errors.As(err, &absent) {
		return err
	}
	names, err := u.names(ctx)
	return a.emit(report.SignedOf(event, report.SentOf(entry, names), true), err)
}

// signDraft shows what signing a draft discloses and, where all of it was agreed to,
// signs it. A draft without a number is stored first.
func (a *app) signDraft(ctx context.Context, u *author, d desk.Draft, c *consent) error {
	key, err := u.signer(ctx, c.key.value, d.Actor)
	if err != nil {
		return err
	}
	own, err := u.own(ctx)
	if err != nil {
		return err
	}
	services, err := u.origins(ctx, c.to.values)
	if err != nil {
		return err
	}
	shown, err := u.writer.Preview(ctx, d, key.Actor, own)
	if err != nil {
		return err
	}
	disclosure := report.DisclosureOf(shown, key.Name, services)
	if err := c.covers(shown.Check); err != nil {
		return &short{disclosure, err}
	}
	if !a.flags.json && term.IsTerminal(int(a.stderr.Fd())) {
		p := a.printer(a.stderr)
		disclosure.Text(p)
		if err := p.Flush(); err != nil {
			return err
		}
	}
	secret, err := a.unlock(ctx, u, key.Name, c.fd)
	if err != nil {
		return err
	}
	defer secret.Wipe()
	if d.ID == 0 {
		opened, err := u.writer.NewDraft(ctx, explore.Start{Draft: &d})
		if err != nil {
			return err
		}
		d = opened.Draft
	}
	return a.signNow(ctx, u, d, c, secret, own)
}

// signNow signs a stored draft with a key that was unlocked.
func (a *app) signNow(ctx context.Context, u *author, d desk.Draft, c *consent, secret identity.Key, own []identity.Actor) error {
	shown, err := u.writer.Preview(ctx, d, secret.Actor(), own)
	if err != nil {
		return err
	}
	// What is in the library may have changed while the passphrase was typed.
	if err := c.covers(shown.Check); err != nil {
		return err
	}
	r := explore.SignRequest{Shown: shown, Key: secret, Own: own, Answered: c.allow.values, Disclosed: c.yes, Services: c.to.values}
	for _, id := range shown.Confirm {
		// Whoever wrote the draft wrote these IDs in full.
		r.Confirmed = append(r.Confirmed, id.String()[:explore.ConfirmLength])
	}
	signed, err := u.writer.Sign(ctx, r)
	if signed.Event == nil {
		return err
	}
	names, named := u.names(ctx)
	return a.emit(report.SignedOf(signed.Event, report.SentOf(signed.Entry, names), signed.Again), errors.Join(err, named))
}

// covers checks that nothing stands against a signature but what was agreed to.
func (c *consent) covers(check explore.DraftCheck) error {
	if err := blocked(check.Problems, check.More); err != nil {
		return err
	}
	if !c.yes {
		return &fault.Usage{Detail: "nothing was signed: signing is public and permanent, and --yes-publish was not given",
			Hint: "read what is disclosed; if you may disclose it, add --yes-publish"}
	}
	var open []string
	for _, f := range check.Findings {
		if !slices.Contains(c.allow.values, f.Mark) {
			open = append(open, f.Mark)
		}
	}
	if len(open) > 0 {
		return &fault.Usage{Detail: "nothing was signed: the draft may hold a secret or private material",
			Hint: "take it out or, if it may be public, add --allow-finding " + strings.Join(slices.Compact(open), " --allow-finding ")}
	}
	for _, t := range report.DraftTargetsOf(check.Targets) {
		if t.Stale && !c.yesTarget {
			return &fault.Usage{Detail: "nothing was signed: the target " + t.ID + " was corrected or retracted, as far as is known here",
				Hint: "point the draft at another event or, if this one is meant, add --yes-target"}
		}
	}
	return nil
}

// unlock opens a key with its passphrase; the caller wipes it.
func (a *app) unlock(ctx context.Context, u *author, name string, fd *once) (identity.Key, error) {
	passphrase, err := a.passphrase(ctx, fd, "Passphrase of key "+name+": ", false)
	defer clear(passphrase)
	if err != nil {
		return identity.Key{}, err
	}
	return u.keys.Unlock(ctx, name, passphrase)
}

// names gives the user's names of services by their origins.
func (u *author) names(ctx context.Context) (map[string]string, error) {
	all, err := u.session.ListServices(ctx)
	names := make(map[string]string, len(all))
	for _, s := range all {
		names[string(s.Service.Origin)] = s.Service.Name
	}
	return names, err
}

// origins gives the origins of services by name or origin.
func (u *author) origins(ctx context.Context, typed []string) ([]string, error) {
	var out []string
	for _, name := range typed {
		service, err := u.session.Service(ctx, name)
		if err != nil {
			return nil, err
		}
		if origin := string(service.Origin); !slices.Contains(out, origin) {
			out = append(out, origin)
		}
	}
	return out, nil
}
