package main

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"akx/cmd/akx/report"
	"akx/explore"
	"akx/view/clean"
	"akx/view/fault"
)

func (a *app) syncCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "sync [NAME...]",
		Short: "Follow services: take everything new of them into the cache",
		Long: `Take everything that services accepted since the last completed sync, all pages of
it, and keep it in the cache; without names, from every enabled service. A service is
followed once a sync of it was complete: from then on its facts are answered here,
without a question that leaves this machine, up to its checkpoint and with its age.

What was stored stays when a sync is interrupted, and is not fetched again by the next
one; the checkpoint moves only at the very end. A service that brings almost nothing in
15 minutes is left there. Records that are not events here are kept as exceptions of
the service: they are tried again at each sync, and while there is one, every check at
that service is PARTIAL and this command ends in exit code 1.

What records wait for is fetched by its ID from the services that you enabled and let
be asked, within the settings fetch_events, fetch_depth and fetch_bytes.`,
		Example: `  akx sync
  akx sync hub lab
  akx --json sync hub
  akx --sample sync`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.online("sync"); err != nil {
				return err
			}
			return a.withServices(cmd.Context(), args, func(h *held) error { return a.sync(cmd.Context(), h, args) })
		},
	}
}

// withServices opens the library for a command that asks services. No names means
// all that are enabled, of which there must be one.
func (a *app) withServices(ctx context.Context, names []string, f func(*held) error) error {
	h, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer h.close()
	if len(names) == 0 {
		services, err := h.session.ListServices(ctx)
		if err != nil {
			return err
		}
		if !anyEnabled(services) {
			hint := "akx service add ORIGIN adds one; --sample has two without a network"
			if len(services) > 0 {
				hint = "akx service enable " + report.Paste(services[0].Service.Name) + " lets akx ask it again"
			}
			return &fault.Usage{Detail: "no service is enabled", Hint: hint}
		}
	}
	return f(h)
}

func anyEnabled(services []explore.ServiceState) bool {
	for _, s := range services {
		if s.Service.Enabled {
			return true
		}
	}
	return false
}

func (a *app) sync(ctx context.Context, h *held, names []string) error {
	services, err := h.session.ListServices(ctx)
	if err != nil {
		return err
	}
	from := make(map[string]uint64)
	for _, s := range services {
		from[s.Service.Name] = s.Follow.Reached
	}
	p := a.pulse("syncing")
	all, err := h.session.SyncAll(ctx, names, func(name string, s explore.SyncProgress) { p.see(name, synced(from[name], s)) })
	p.done()
	if err != nil {
		return err
	}
	if h.sample {
		if err := a.note(clean.Own("the sample lives in memory: nothing of this is kept")); err != nil {
			return err
		}
	}
	r := &report.Sync{}
	for _, s := range all {
		r.Add(s, a.failure(ctx, s.Err), h.clock().UnixMilli())
		if s.After.Exceptions > 0 {
			unresolved, err := h.session.Unresolved(context.WithoutCancel(ctx), s.Service.Origin)
			if err != nil {
				return err
			}
			r.AddUnresolved(unresolved)
		}
	}
	switch {
	case ctx.Err() != nil:
		return &short{r, ctx.Err()}
	case len(all) == 1 && all[0].Err != nil && all[0].Progress.Pages == 0:
		r.Told()
		return a.emit(r, all[0].Err)
	}
	return a.emit(r, r.Short())
}

// failure describes an error within a report; nil for none.
func (a *app) failure(ctx context.Context, err error) *report.Failure {
	if err == nil {
		return nil
	}
	f := report.FailureOf(err, codeOf(ctx, err))
	f.Message = cmp.Or(f.Message, f.Code)
	if errors.Is(err, context.Canceled) {
		f.Message = "interrupted"
	}
	return &f
}
