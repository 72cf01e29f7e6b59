package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"akx/cmd/akx/report"
	"akx/explore"
	"akx/view/fault"
	"akx/view/identity"
)

func (a *app) checkCommand() *cobra.Command {
	var names []string
	var cached bool
	cmd := &cobra.Command{
		Use:   "check ID...",
		Short: "Ask services for the lifecycle of events now",
		Long: `Ask every enabled service, or those of --service, for an event and for all that points
at it, to the end, and say what each answers, with its checkpoint and time. Every
envelope is proven and stored.

'missing' is an answer: the service does not have the event, or withholds it. A service
that could not be reached, or whose answer did not come to its end, is PARTIAL with the
reason; one that was not asked is unchecked. Both end in exit code 1. A check at one
service says nothing about another: what one shows and another does not is pointed out.

On a terminal each answer is printed as it comes: a service that is slow holds back no
other. Elsewhere they stand in the order of names.

With --cached, services that you follow answer from the cache, as of their last sync,
and are not asked. Only that counts assessments that were themselves retracted.`,
		Example: `  akx check lDBW8lmtg6Qr
  akx check --cached lDBW8lmtg6Qr
  akx check --service hub --service lab id:-Ab3xyz
  akx --json --sample check lDBW8lmtg6Qr`,
		Args: someArgs("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cached {
				if err := a.checkOnline(); err != nil {
					return err
				}
			}
			return a.withServices(cmd.Context(), names, func(h *held) error { return a.check(cmd.Context(), h, args, names, cached) })
		},
	}
	cmd.Flags().StringArrayVar(&names, "service", nil, "ask this service only (again for more)")
	cmd.Flags().BoolVar(&cached, "cached", false, "let followed services answer from the cache")
	return cmd
}

func (a *app) check(ctx context.Context, h *held, typed, services []string, cached bool) error {
	ids := make([]identity.ID, len(typed))
	for i, text := range typed {
		id, err := anyID(ctx, h.session, text)
		if err != nil {
			return err
		}
		ids[i] = id
	}
	names, err := a.localNames(ctx, h)
	c := &checking{app: a, h: h, r: &report.Checks{}, names: names, wants: explore.Question{Names: services, Cached: cached}}
	if err := c.list(ctx); err != nil {
		return err
	}
	if c.streams = !a.flags.json && term.IsTerminal(int(a.stdout.Fd())); c.streams {
		c.r.Stream()
	}
	c.pulse = a.pulse("checking")
	for i, id := range ids {
		if len(ids) > 1 || a.flags.json {
			c.pulse.see("", report.Activity{Done: uint64(i), Total: uint64(len(ids))})
		}
		if failed := c.event(ctx, id); failed != nil {
			c.pulse.done()
			return &short{c.r, failed}
		}
		if ctx.Err() != nil {
			break
		}
	}
	c.pulse.done()
	if ctx.Err() != nil {
		return &short{c.r, ctx.Err()}
	}
	return a.emit(c.r, errors.Join(c.r.Short(), err))
}

// checkOnline is online with the way that needs no network.
func (a *app) checkOnline() error {
	err := a.online("check")
	var u *fault.Unavailable
	if errors.As(err, &u) {
		told := *u
		told.Hint = "akx check --cached answers for services that you follow, without a network"
		return &told
	}
	return err
}
