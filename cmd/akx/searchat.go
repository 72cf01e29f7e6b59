package main

import (
	"context"

	"github.com/spf13/cobra"

	"akx/cmd/akx/report"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/wire"
)

// serviceSearch are the flags of akx search for a service.
type serviceSearch struct{ name, mode *once }

func addServiceSearch(cmd *cobra.Command) *serviceSearch {
	f := &serviceSearch{name: &once{}, mode: &once{check: oneOf(wire.Lexical.String(), wire.Semantic.String(), wire.Hybrid.String())}}
	cmd.Flags().Var(f.name, "service", "ask this service for ranked hits instead of the cache (network)")
	cmd.Flags().Var(f.mode, "mode", "with --service: lexical, semantic or hybrid, as it offers them (default lexical)")
	return f
}

// ask runs a ranked search at a service (9.5).
func (f *serviceSearch) ask(ctx context.Context, a *app, text string, filters *filters, list *listFlags) error {
	if list.after.given || list.sort.given {
		return &fault.Usage{Detail: "--after and --sort are for the cache: a service answers in its own order, on one page", Hint: "raise --limit, up to 100, or add filters"}
	}
	limit := wire.DefaultSearchLimit
	if list.limit.given {
		n, err := searchLimit(list.limit.value)
		if err != nil {
			return err
		}
		limit = n
	}
	mode := wire.Lexical
	if f.mode.given {
		mode, _ = wire.ParseMode(f.mode.value) // checked when it was given
	}
	if _, err := capsule.ParseTerms(text, mode == wire.Lexical); err != nil {
		return &fault.Usage{Detail: "the search text: " + err.Error(), Hint: "1 to 1024 characters; in lexical mode 1 to 16 terms"}
	}
	if err := a.online("search --service"); err != nil {
		return err
	}
	h, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer h.close()
	filter, err := filters.filter(ctx, h.session)
	if err != nil {
		return err
	}
	p := a.pulse("asking " + f.name.value)
	found, err := h.session.Search(ctx, f.name.value, text, mode, filter, limit)
	p.done()
	if err != nil {
		return err
	}
	var events []capsule.Event
	for i, hit := range found.Page.Hits {
		if e := hit.Item.Offer.Event(); e != nil && found.Outcomes[i].Status != wire.Refused {
			events = append(events, e)
		}
	}
	rows, scope, err := rowsOf(ctx, h.library, events)
	if err != nil {
		return err
	}
	r := report.FoundOf(found, rows, scope, limit)
	return a.emitNamed(ctx, h, r, r.Short())
}

func searchLimit(text string) (int, error) {
	if err := between(1, wire.MaxSearchLimit)(text); err != nil {
		return 0, &fault.Usage{Detail: "--limit with --service " + err.Error()}
	}
	n := 0
	for _, digit := range text {
		n = n*10 + int(digit-'0')
	}
	return n, nil
}
