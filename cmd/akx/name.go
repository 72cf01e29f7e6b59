package main

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"akx/cache"
	"akx/cmd/akx/report"
	"akx/view/clean"
	"akx/view/fault"
	"akx/view/identity"
)

func (a *app) nameCommand() *cobra.Command {
	var remove bool
	cmd := &cobra.Command{
		Use:   "name [list | AGENT-ID NAME]",
		Short: "Give Agent IDs names of your own",
		Long: `Give an Agent ID a name of your own. It is kept in your home, signed by nobody and shown
to nobody else; it stands beside the ID and never instead of it. Two Agent IDs never
have one name.`,
		Example: "  akx name did:agent:iEuIV_TqoWE8YVBNs01L6vNGUXoOMd483dTZtCAdnQs ann\n  akx name list\n  akx name did:agent:iEuIV_TqoWE8YVBNs01L6vNGUXoOMd483dTZtCAdnQs --remove",
	}
	cmd.Flags().BoolVar(&remove, "remove", false, "forget the name")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 && !remove || len(args) == 1 && args[0] == "list" && !remove {
			return a.listNames(cmd)
		}
		if remove && len(args) != 1 || !remove && len(args) != 2 {
			return &fault.Usage{Detail: "akx name takes an Agent ID and a name, or an Agent ID and --remove", Hint: "see akx name --help"}
		}
		actor, err := identity.ParseActor(args[0])
		if err != nil {
			return &fault.Usage{Detail: "not an Agent ID: " + args[0], Hint: "it is written in full: did:agent: and 43 characters"}
		}
		name := ""
		if !remove {
			if name = args[1]; name == "" {
				return &fault.Usage{Detail: "the name is empty", Hint: "--remove forgets a name"}
			}
		}
		return a.changeName(cmd, actor, name)
	}
	return cmd
}

func (a *app) listNames(cmd *cobra.Command) error {
	u, err := a.openAuthor(cmd.Context(), "name list", false)
	if err != nil {
		return err
	}
	defer u.end()
	names, err := u.writer.Petnames(cmd.Context())
	r := &report.Petnames{}
	for actor, name := range names {
		r.Names = append(r.Names, report.Petname{Actor: actor.String(), Name: name})
	}
	slices.SortFunc(r.Names, func(x, y report.Petname) int {
		return cmp.Or(cmp.Compare(x.Name, y.Name), cmp.Compare(x.Actor, y.Actor))
	})
	return a.emit(r, err)
}

// changeName names an Agent ID; an empty name forgets it.
func (a *app) changeName(cmd *cobra.Command, actor identity.Actor, name string) error {
	u, err := a.openAuthor(cmd.Context(), "name", true)
	if err != nil {
		return err
	}
	defer u.end()
	before, err := u.writer.Petnames(cmd.Context())
	if err != nil {
		return err
	}
	if err := u.writer.SetPetname(cmd.Context(), actor, name); err != nil {
		return err
	}
	r := &report.PetnameChanged{Done: "named", Petname: report.Petname{Actor: actor.String(), Name: name}}
	if name == "" {
		r.Done, r.Name = "removed", before[actor]
	}
	return a.emit(r, nil)
}

// localNames gives the user's own names by Agent ID. Where they cannot be read, that
// is noted: the events can.
func (a *app) localNames(ctx context.Context, h *held) (map[string]string, error) {
	store, ok := h.library.(*cache.Cache)
	if !ok {
		return nil, nil
	}
	kept, err := store.Desk().Petnames(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	names := make(map[string]string, len(kept))
	for actor, name := range kept {
		names[actor.String()] = name
	}
	if err != nil {
		return names, a.note(clean.Line("your own names of Agent IDs could not be read: " + err.Error()))
	}
	return names, nil
}

// emitNamed is emit with the user's own names beside the Agent IDs of a report that has
// some, and for the services that it tells of.
func (a *app) emitNamed(ctx context.Context, h *held, r report.Report, err error) error {
	if s, tells := r.(interface{ NameServices(map[string]string) }); tells {
		if names, unread := serviceNames(ctx, h.session); unread == nil { // else their origins stand
			s.NameServices(names)
		}
	}
	n, ok := r.(report.Naming)
	if !ok {
		return a.emit(r, err)
	}
	names, failed := a.localNames(ctx, h)
	n.NameActors(names)
	return a.emit(r, errors.Join(err, failed))
}
