package main

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"akx/cmd/akx/report"
	"akx/explore"
	"akx/view"
	"akx/view/identity"
)

func (a *app) linksCommand() *cobra.Command {
	limit := &once{check: between(0, 1<<31-1)}
	cmd := &cobra.Command{
		Use:   "links ID",
		Short: "Show what points at an event, grouped",
		Long: `Show what points at an event: publications by relation, assessments by verdict, and
retractions. Groups without a link are shown with zero. A link is its own signer's
claim, and each row has its source's own lifecycle.

With --seen-by, they are those that one followed service showed: zero then means none
at this service up to its checkpoint. The cache answers; no service is asked.`,
		Example: `  akx links lDBW8lmtg6Qr
  akx links --seen-by hub lDBW8lmtg6Qr
  akx links --limit 0 --json lDBW8lmtg6Qr`,
		Args: oneArg("ID"),
	}
	cmd.Flags().Var(limit, "limit", "rows of each group; 0 lists all (default 50)")
	seenBy := addSeenBy(cmd)
	cmd.RunE = a.readingEvent(seenBy, func(ctx context.Context, h *held, set explore.Set, id identity.ID) (report.Report, error) {
		links, err := set.Links(ctx, id)
		if err != nil {
			return nil, err
		}
		rows, err := sources(ctx, set, links, a.limit(limit))
		if err != nil {
			return nil, err
		}
		r := report.LinksOf(links, rows)
		r.Scope = h.aged(r.Scope)
		return r, nil
	})
	return cmd
}

// limit reads a limit flag, else the setting.
func (a *app) limit(flag *once) int {
	if !flag.given {
		return a.settings.number("limit")
	}
	n, _ := strconv.Atoi(flag.value) // checked when it was set
	return n
}

// sources reads the rows of the first links of each group.
func sources(ctx context.Context, set explore.Set, l view.Links, limit int) ([][]view.Entry, error) {
	groups := make([][]view.Entry, 0, len(l.Groups))
	for _, g := range l.Groups {
		n := len(g.Links)
		if limit > 0 {
			n = min(n, limit)
		}
		ids := make([]identity.ID, 0, n)
		for _, link := range g.Links[:n] {
			ids = append(ids, link.Source)
		}
		rows, _, err := set.Entries(ctx, ids)
		if err != nil {
			return nil, err
		}
		groups = append(groups, rows)
	}
	return groups, nil
}

func (a *app) versionsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "versions ID",
		Short: "Show the tree of corrections around a capsule",
		Long: `Show the tree of supersedes around a capsule: its author's corrections, branches and
merges, newest on top. No version is marked latest. With --seen-by, it is the tree that
one followed service showed, from the cache.`,
		Example: `  akx versions lDBW8lmtg6Qr
  akx versions --seen-by hub lDBW8lmtg6Qr
  akx --ascii versions lDBW8lmtg6Qr`,
		Args: oneArg("ID"),
	}
	seenBy := addSeenBy(cmd)
	cmd.RunE = a.readingEvent(seenBy, func(ctx context.Context, h *held, set explore.Set, id identity.ID) (report.Report, error) {
		versions, err := set.Versions(ctx, id)
		if err != nil {
			return nil, err
		}
		r := report.VersionsOf(versions)
		r.Scope = h.aged(r.Scope)
		return r, nil
	})
	return cmd
}

func (a *app) assessmentsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "assessments ID",
		Short: "Show the assessments of exactly one capsule version",
		Long: `Show the assessments of exactly this version, each with its own conditions; those of
other versions are not inherited. Retracted ones are shown and counted apart, and
assessments by the capsule's own signer are marked. No score is computed. With
--seen-by, they are those that one followed service showed, from the cache.`,
		Example: `  akx assessments lDBW8lmtg6Qr
  akx assessments --seen-by hub lDBW8lmtg6Qr
  akx assessments --json lDBW8lmtg6Qr`,
		Args: oneArg("ID"),
	}
	seenBy := addSeenBy(cmd)
	cmd.RunE = a.readingEvent(seenBy, func(ctx context.Context, h *held, set explore.Set, id identity.ID) (report.Report, error) {
		review, err := set.Review(ctx, id)
		if err != nil {
			return nil, err
		}
		r := report.ReviewOf(review)
		r.Scope = h.aged(r.Scope)
		return r, nil
	})
	return cmd
}
