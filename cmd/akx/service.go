package main

import (
	"context"

	"github.com/spf13/cobra"

	"akx/cmd/akx/report"
	"akx/explore"
	"akx/view/fault"
)

func (a *app) serviceCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "service",
		Short: "Say which services akx may ask",
		Long: `The services that you added are the only ones that akx ever asks, and a disabled one
is asked nothing. Peers that a service names are hints: akx peers lists them.`,
		Example: `  akx service add https://hub.example --name hub
  akx service list
  akx service check hub
  akx service disable hub`,
		Args: a.noArgs,
		RunE: func(*cobra.Command, []string) error {
			return &fault.Usage{Detail: "akx service needs a command", Hint: "add, remove, refollow, list, check, enable, disable or set; see akx service --help"}
		},
	}
	cmd.AddCommand(a.serviceAddCommand(), a.serviceSetCommand(), a.serviceRemoveCommand(), a.serviceRefollowCommand(), a.serviceListCommand(), a.serviceCheckCommand(),
		a.serviceSwitchCommand("enable", "Let akx ask a service again", true),
		a.serviceSwitchCommand("disable", "Ask a service nothing until it is enabled", false))
	return cmd
}

func (a *app) serviceListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list [NAME...]",
		Short: "List services and how far they were followed, without asking any",
		Long: `List the services that you added: enabled or not, followed up to which checkpoint and
when, what kept the last sync from finishing, and contradictions of a service. With
names, also the records of these services that are not events here. Nothing is asked
of any service.`,
		Example: "  akx service list\n  akx service list hub\n  akx --json service list",
		RunE: a.reading(func(ctx context.Context, h *held, args []string) (report.Report, error) {
			states, err := named(ctx, h.session, args)
			if err != nil {
				return nil, err
			}
			r, keys := &report.Services{}, a.keyNames(ctx)
			for _, s := range states {
				v := report.ServiceOf(s.Service, s.Follow, h.clock().UnixMilli())
				v.TokenKey = keys[v.TokenActor]
				if s.Follow.Exceptions > 0 {
					unresolved, err := h.session.Unresolved(ctx, s.Service.Origin)
					if err != nil {
						return nil, err
					}
					v.AddUnresolved(unresolved)
				}
				if len(args) > 0 {
					exceptions, err := h.session.Exceptions(ctx, s.Service.Name, 0, explore.MaxListed)
					if err != nil {
						return nil, err
					}
					v.AddExceptions(exceptions)
				}
				r.Services = append(r.Services, v)
			}
			return r, nil
		}),
	}
}

// named gives the services of names in their order; all of them for no names.
func named(ctx context.Context, s *explore.Session, names []string) ([]explore.ServiceState, error) {
	all, err := s.ListServices(ctx)
	if err != nil || len(names) == 0 {
		return all, err
	}
	var out []explore.ServiceState
	for _, name := range names {
		service, err := s.Service(ctx, name)
		if err != nil {
			return nil, err
		}
		for _, state := range all {
			if state.Service.Origin == service.Origin {
				out = append(out, state)
			}
		}
	}
	return out, nil
}
