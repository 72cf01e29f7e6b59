package main

import (
	"context"
	"sync"

	"github.com/spf13/cobra"

	"akx/cmd/akx/report"
	"akx/explore"
)

func (a *app) serviceCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check [NAME...]",
		Short: "Ask services whether they are there and what they offer",
		Long: `Read the discovery document of services, of every enabled one without names: search
modes, limits and peers. Nothing else is asked, and nothing about what you read.`,
		Example: "  akx service check\n  akx service check hub\n  akx --json service check hub",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.online("service check"); err != nil {
				return err
			}
			return a.withServices(cmd.Context(), args, func(h *held) error {
				r := &report.ServiceChecks{}
				only, err := a.discover(cmd.Context(), h, args, r.Add)
				if err != nil {
					return err
				}
				if ctx := cmd.Context(); ctx.Err() != nil {
					return &short{r, ctx.Err()}
				}
				if only != nil {
					r.Told()
					return a.emit(r, only)
				}
				return a.emit(r, r.Short())
			})
		},
	}
}

func (a *app) peersCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "peers",
		Short: "List the peers that your services name, and contact none of them",
		Long: `Read the discovery document of every enabled service and list the peers in it. Peers
are hints: not proof that a service is there, can be trusted or holds anything. akx
asks none of them; akx service add ORIGIN is your step.`,
		Example: "  akx peers\n  akx --json peers\n  akx --sample peers",
		Args:    a.noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.online("peers"); err != nil {
				return err
			}
			return a.withServices(cmd.Context(), nil, func(h *held) error {
				known, err := h.session.ListServices(cmd.Context())
				if err != nil {
					return err
				}
				r := report.NewPeers(known)
				if _, err := a.discover(cmd.Context(), h, nil, r.Add); err != nil {
					return err
				}
				if ctx := cmd.Context(); ctx.Err() != nil {
					return &short{r, ctx.Err()}
				}
				return a.emit(r, r.Short())
			})
		},
	}
}

// discover reads discovery documents, all at once, and adds each in the order of
// names. Where one service was asked and failed, only is its error.
func (a *app) discover(ctx context.Context, h *held, names []string, add func(explore.ServiceState, *report.Failure)) (only, err error) {
	states, err := named(ctx, h.session, names)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		states = enabled(states)
	}
	p := a.pulse("asking services")
	found, failed := make([]explore.ServiceState, len(states)), make([]error, len(states))
	var all sync.WaitGroup
	for i, s := range states {
		all.Go(func() {
			found[i], failed[i] = h.session.CheckService(ctx, s.Service.Name)
			found[i].Service = s.Service
		})
	}
	all.Wait()
	p.done()
	for i := range states {
		add(found[i], a.failure(ctx, failed[i]))
	}
	if len(states) == 1 {
		only = failed[0]
	}
	return only, nil
}

func enabled(states []explore.ServiceState) []explore.ServiceState {
	var out []explore.ServiceState
	for _, s := range states {
		if s.Service.Enabled {
			out = append(out, s)
		}
	}
	return out
}
