package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"akx/cmd/akx/report"
	"akx/explore"
	"akx/view/fault"
	"akx/view/identity"
)

// addSeenBy adds the flag of commands that can answer for one followed service.
func addSeenBy(cmd *cobra.Command) *once {
	name := &once{}
	cmd.Flags().Var(name, "seen-by", "only what this followed service showed, with its lifecycles; from the cache, never the network")
	return name
}

// seenBy gives the set that a command reads: what one followed service showed, where
// its flag is given, else everything held. No service is asked.
func (h *held) seenBy(ctx context.Context, flag *once) (explore.Set, error) {
	if !flag.given {
		return h.session.Set, nil
	}
	service, err := h.session.Service(ctx, flag.value)
	if err != nil {
		return explore.Set{}, err
	}
	set := h.session.SeenBy(service.Origin)
	var usage *fault.Usage
	if _, err := set.Followed(ctx); errors.As(err, &usage) {
		return explore.Set{}, &fault.Usage{Code: usage.FaultCode(), Detail: "--seen-by: " + service.Name + " is not followed to the end, so its set is not known here",
			Hint: "akx sync " + service.Name + " follows it; --service asks a service now"}
	} else if err != nil {
		return explore.Set{}, err
	}
	return set, nil
}

// readingEvent is reading for commands about one event, in the set that the flag chooses.
func (a *app) readingEvent(seenBy *once, read func(context.Context, *held, explore.Set, identity.ID) (report.Report, error)) func(*cobra.Command, []string) error {
	return a.reading(func(ctx context.Context, h *held, args []string) (report.Report, error) {
		set, err := h.seenBy(ctx, seenBy)
		if err != nil {
			return nil, err
		}
		id, err := resolve(ctx, h.session, args[0])
		if err != nil {
			return nil, err
		}
		return read(ctx, h, set, id)
	})
}

// aged is a scope of which the age can be told.
func (h *held) aged(s report.Scope) report.Scope { return s.Aged(h.clock().UnixMilli()) }

func bothWays() error {
	return &fault.Usage{Detail: "--seen-by answers from the cache and --service asks a service now: one of them"}
}
