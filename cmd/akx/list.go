package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"akx/cmd/akx/report"
	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/fault"
)

func (a *app) listCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List events that are held, by exact filters",
		Long: `List events by the exact filters of Agent Knowledge 9.3; all of them combine with
AND. Retracted events are listed too and say so. A flag given twice is an error. Events
that wait for others are in no list: their number is told beside it.

With --seen-by, the list is that of one followed service: what it showed up to its
checkpoint, with its lifecycles and its scope. The cache answers; no service is asked.`,
		Example: `  akx list --kind hypothesis --language en
  akx list --type assess --verdict reproduced
  akx list --target id:lDBW8lmtg6Qr --relation supports
  akx list --created-from 2026-01-01 --sort created --limit 0 --json
  akx list --seen-by hub --kind observation`,
		Args: a.noArgs,
	}
	filters, flags, seenBy := addFilters(cmd), addListFlags(cmd, true), addSeenBy(cmd)
	cmd.RunE = a.reading(func(ctx context.Context, h *held, _ []string) (report.Report, error) {
		filter, err := filters.filter(ctx, h.session)
		if err != nil {
			return nil, err
		}
		set, err := h.seenBy(ctx, seenBy)
		if err != nil {
			return nil, err
		}
		r, err := a.list(ctx, h, set, view.Query{Filter: filter, Sort: flags.order(a.settings)}, flags)
		if err != nil {
			return nil, err
		}
		return r, a.hintEmpty(ctx, h)
	})
	return cmd
}

func (a *app) searchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "search TEXT...",
		Short: "Find events whose text has all the given terms",
		Long: `Find events by portable lexical matching (Agent Knowledge 9.5.1): the text is split
at spaces, at most 16 terms; each term must occur, letter by letter, in the title,
statement, basis or context of a capsule, or in the like fields of an assessment or
a retraction. Only A to Z match a to z. There are no wildcards.

The cache answers, and no question leaves this machine, unless --service names one: it
gives its best hits, 1 to 100 by --limit (default 20), in its own order and with what
that covers. The text and the filters go to that service. --seen-by asks none: it keeps
to what one followed service showed.`,
		Example: `  akx search cache language
  akx search 语言 --kind observation
  akx search --sort title -- -v
  akx search cache language --seen-by hub
  akx search cache language --service hub --limit 50`,
		Args: someArgs("term"),
	}
	filters, flags, service, seenBy := addFilters(cmd), addListFlags(cmd, true), addServiceSearch(cmd), addSeenBy(cmd)
	local := a.reading(func(ctx context.Context, h *held, args []string) (report.Report, error) {
		terms, err := capsule.ParseTerms(strings.Join(args, " "), true)
		if err != nil {
			return nil, &fault.Usage{Detail: "the search text: " + err.Error(), Hint: "1 to 16 terms, at most 1024 characters"}
		}
		filter, err := filters.filter(ctx, h.session)
		if err != nil {
			return nil, err
		}
		set, err := h.seenBy(ctx, seenBy)
		if err != nil {
			return nil, err
		}
		return a.list(ctx, h, set, view.Query{Filter: filter, Terms: terms, Sort: flags.order(a.settings)}, flags)
	})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case service.name.given && seenBy.given:
			return bothWays()
		case service.name.given:
			return service.ask(cmd.Context(), a, strings.Join(args, " "), filters, flags)
		case service.mode.given:
			return &fault.Usage{Detail: "--mode goes with --service: the cache matches letter by letter"}
		}
		return local(cmd, args)
	}
	return cmd
}

// list reads one stretch of a list. One row more is asked for, to know whether
// another stretch follows.
func (a *app) list(ctx context.Context, h *held, set explore.Set, q view.Query, flags *listFlags) (*report.List, error) {
	from, err := startRow(ctx, set, q, flags.after)
	if err != nil {
		return nil, err
	}
	const all = 1 << 40
	limit := a.limit(flags.limit)
	to := from + limit + 1
	if limit == 0 {
		limit, to = all, from+all
	}
	w, err := set.Await(ctx, q, from, to)
	if err != nil {
		return nil, err
	}
	more := len(w.Rows) > limit
	rows := w.Rows[:min(limit, len(w.Rows))]
	scope := h.aged(report.ScopeOf(w.Scope))
	r := &report.List{Events: report.EntriesOf(rows, &scope), Scope: scope, Sort: sortNames[q.Sort], Terms: q.Terms}
	if w.Complete {
		r.Total = &w.Total
	}
	if r.Pending, err = set.Waiting(ctx); err != nil {
		return nil, err
	}
	if more {
		r.Next = "id:" + rows[len(rows)-1].ID.String()
	}
	return r, nil
}

// startRow finds the row behind the event that an earlier list ended with.
func startRow(ctx context.Context, set explore.Set, q view.Query, after *once) (int, error) {
	if !after.given {
		return 0, nil
	}
	id, err := fullID(after.value)
	if err != nil {
		return 0, &fault.Usage{Detail: "--after takes what an earlier list printed as next_after"}
	}
	row, ok, err := set.Position(ctx, q, id)
	if err != nil {
		return 0, err
	}
	if !ok {
		return 0, &fault.Usage{Detail: "--after: no such event in this list", Hint: "use the same filters as in the earlier list, or start anew without --after"}
	}
	return row + 1, nil
}

// hintEmpty says what to do with a cache that holds nothing at all.
func (a *app) hintEmpty(ctx context.Context, h *held) error {
	if a.flags.json || h.sample {
		return nil
	}
	stats, err := h.session.Stats(ctx)
	if err != nil || stats.Events > 0 {
		return err
	}
	if stats.Pending > 0 { // the list says so
		return nil
	}
	return a.note(clean.Own("this cache holds nothing yet: akx import FILE fills it, --sample reads the built-in sample"))
}
