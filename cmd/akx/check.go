package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"akx/cmd/akx/report"
	"akx/explore"
	"akx/view"
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

With --cached, services that you follow answer from the cache, as of their last sync,
and are not asked. Only that counts assessments that were themselves retracted.`,
		Example: `  akx check lDBW8lmtg6Qr
  akx check --cached lDBW8lmtg6Qr
  akx check --service hub --service lab id:-Ab3xyz
  akx --json --sample check lDBW8lmtg6Qr`,
		Args: someArgs("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cached {
				if err := a.online("check"); err != nil {
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

func (a *app) check(ctx context.Context, h *held, typed, names []string, cached bool) error {
	ids := make([]identity.ID, len(typed))
	for i, text := range typed {
		id, err := anyID(ctx, h.session, text)
		if err != nil {
			return err
		}
		ids[i] = id
	}
	ask := h.session.Recheck
	if cached {
		ask = h.session.Check
	}
	r := &report.Checks{}
	p := a.pulse("checking")
	for i, id := range ids {
		p.see("", report.Activity{Done: uint64(i), Total: uint64(len(ids))})
		answers, err := ask(ctx, id, names...)
		if err != nil {
			p.done()
			return &short{r, err}
		}
		rows, held, err := h.session.Entries(ctx, []identity.ID{id})
		if err != nil && ctx.Err() == nil {
			p.done()
			return &short{r, err}
		}
		subject := view.Entry{ID: id}
		if err == nil && held[0] {
			subject = rows[0]
		}
		r.Add(subject, answers, func(err error) *report.Failure { return a.failure(ctx, err) }, h.clock().UnixMilli())
		if ctx.Err() != nil {
			break
		}
	}
	p.done()
	if ctx.Err() != nil {
		return &short{r, ctx.Err()}
	}
	return a.emitNamed(ctx, h, r, r.Short())
}

// anyID reads an ID that need not be held, or the start of one that is held or waits.
func anyID(ctx context.Context, s *explore.Session, typed string) (identity.ID, error) {
	if id, err := fullID(typed); err == nil {
		return id, nil
	}
	known, err := s.Resolve(ctx, typed)
	var absent *fault.NotHeld
	if errors.As(err, &absent) {
		return identity.ID{}, &fault.NotHeld{ID: typed, Where: "this cache: a service is asked by the full ID of 43 characters"}
	}
	return known.ID, err
}
