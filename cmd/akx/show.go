package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"akx/cmd/akx/report"
	"akx/explore"
	"akx/view/identity"
)

func (a *app) showCommand() *cobra.Command {
	var raw bool
	service := &once{}
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show one event: its checks, its text, its links",
		Long: `Show one event: what was checked, its lifecycle with the scope that it holds for,
the author's text behind a gutter, and its signed links. An ID may be written in
full or by its first 6 characters or more; one that begins with '-' is written
id:-Ab… or after --.

With --service, that service is asked for it now; what it gives is proven and stored.
With --seen-by, lifecycle, links and counts are those that one followed service showed,
from the cache; what the others show still stands beside it.`,
		Example: `  akx show lDBW8lmtg6Qr
  akx show id:-Ab3xyz
  akx show --raw lDBW8lmtg6Qr > capsule.json
  akx show --seen-by lab lDBW8lmtg6Qr
  akx show --service hub lDBW8lmtg6Qr
  akx --json show lDBW8lmtg6Qr`,
		Args: oneArg("ID"),
	}
	cmd.Flags().BoolVar(&raw, "raw", false, "the exact text of the envelope, byte for byte (pipe it; with --json a member)")
	cmd.Flags().Var(service, "service", "ask this service for the event now (network)")
	seenBy := addSeenBy(cmd)
	show := a.readingEvent(seenBy, func(ctx context.Context, h *held, set explore.Set, id identity.ID) (report.Report, error) {
		page, err := set.Page(ctx, id)
		if err != nil {
			return nil, err
		}
		r := report.PageOf(page)
		*r.Scope = h.aged(*r.Scope)
		if r.Sent, err = a.sentState(ctx, h, id); err != nil {
			return nil, err
		}
		if raw {
			r.Envelope = page.Event.Envelope().Text()
		}
		return r, nil
	})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if service.given && seenBy.given {
			return bothWays()
		}
		if service.given {
			return a.showAt(cmd.Context(), service.value, args[0], raw)
		}
		if !raw || a.flags.json {
			return show(cmd, args)
		}
		if term.IsTerminal(int(a.stdout.Fd())) {
			return rawToTerminal()
		}
		return a.raw(cmd.Context(), args[0], seenBy)
	}
	return cmd
}

// raw writes the exact text of an envelope and not a byte more.
func (a *app) raw(ctx context.Context, typed string, seenBy *once) error {
	h, err := a.openReading(ctx)
	if err != nil {
		return err
	}
	defer h.close()
	set, err := h.seenBy(ctx, seenBy)
	if err != nil {
		return err
	}
	id, err := resolve(ctx, h.session, typed)
	if err != nil {
		return err
	}
	event, err := set.Event(ctx, id)
	if err != nil {
		return err
	}
	_, err = io.WriteString(a.out, event.Envelope().Text())
	return err
}
