package main

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"akx/cmd/akx/report"
	"akx/explore"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

func (a *app) signCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sign DRAFT",
		Short: "Sign a draft, which makes it public and permanent",
		Long: `Sign a draft as the exact event that its check and its preview stand for. The envelope
is kept in the outbox and in the cache. A draft is signed once: the same command again
gives the event of the first time.

` + signHelp,
		Example: "  akx sign 7\n  akx sign 7 --if 5nDqQhGhOhT2xqzUjF6h --to hub --yes-publish\n  AKX_PASSPHRASE_FILE=pass.txt akx --json sign 7 --key bot --yes-publish",
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
		d, err := u.writer.Draft(cmd.Context(), id)
		if err != nil {
			before, ok, unknown := u.writer.SignedBefore(cmd.Context(), id)
			switch {
			case !ok:
				return err
			case unknown != nil:
				return unknown
			}
			return a.signedBefore(cmd.Context(), u, before.Event, c)
		}
		return a.signDraft(cmd.Context(), u, d, c)
	}
	return cmd
}

// signedBefore reports what a draft was signed as, and queues it for services that
// were not named then.
func (a *app) signedBefore(ctx context.Context, u *author, event capsule.Event, c *consent) error {
	id := event.ID()
	if err := c.same(desk.FromEvent(event)); err != nil {
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
// signs exactly the event that was shown. A draft without a number is stored only for
// as long as that takes.
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
	confirmUse := c.yesUsed && d.Unused()
	if confirmUse {
		d.ConfirmUse()
	}
	shown, err := u.writer.Preview(ctx, d, key.Actor, own)
	if err != nil {
		return err
	}
	if err := c.covers(d, shown, a.asks()); err != nil {
		return &short{report.DisclosureOf(shown, key.Name, services, false), err}
	}
	if !a.flags.json && term.IsTerminal(int(a.stderr.Fd())) {
		p := a.printer(a.stderr)
		report.DisclosureOf(shown, key.Name, services, true).Text(p)
		if err := p.Flush(); err != nil {
			return err
		}
	}
	confirmed, err := a.confirmed(ctx, c, shown.Confirm)
	if err != nil {
		return err
	}
	secret, err := a.unlock(ctx, u, key.Name, c.fd)
	if err != nil {
		return err
	}
	defer secret.Wipe()
	r := explore.SignRequest{Shown: shown, Key: secret, Own: own, Answered: c.allow.values, Confirmed: confirmed, Disclosed: c.yes, Services: c.to.values}
	if d.ID != 0 {
		if confirmUse {
			if _, err := u.writer.SaveDraft(ctx, d); err != nil {
				return err
			}
		}
		return a.signNow(ctx, u, c, r)
	}
	opened, err := u.writer.NewDraft(ctx, explore.Start{Draft: &d})
	if err != nil {
		return err
	}
	r.Shown.Draft.ID = opened.Draft.ID
	err = a.signNow(ctx, u, c, r)
	if _, signed, unknown := u.writer.SignedAs(context.WithoutCancel(ctx), opened.Draft.ID); err != nil && !signed && unknown == nil {
		// All that stands in it was on the command line.
		err = errors.Join(err, u.writer.DeleteDraft(context.WithoutCancel(ctx), opened.Draft.ID))
	}
	return err
}

// signNow signs a stored draft as it was shown, with a key that was unlocked.
func (a *app) signNow(ctx context.Context, u *author, c *consent, r explore.SignRequest) error {
	// What is in the library may have changed while the passphrase was typed.
	check, err := u.writer.CheckDraft(ctx, r.Shown.Draft, r.Own)
	if err != nil {
		return err
	}
	r.Shown.Check = check
	if err := c.covers(r.Shown.Draft, r.Shown, a.asks()); err != nil {
		return err
	}
	signed, err := u.writer.Sign(ctx, r)
	if signed.Event == nil {
		return err
	}
	names, named := u.names(ctx)
	return a.emit(report.SignedOf(signed.Event, report.SentOf(signed.Entry, names), signed.Again), errors.Join(err, named))
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
	return serviceNames(ctx, u.session)
}

func serviceNames(ctx context.Context, s *explore.Session) (map[string]string, error) {
	all, err := s.ListServices(ctx)
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
