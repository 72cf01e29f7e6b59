package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"akx/cmd/akx/report"
	"akx/view"
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
	r := report.FoundOf(found, rows, scope)
	return a.emit(r, r.Short())
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

// showAt shows one event as a service gives it now.
func (a *app) showAt(ctx context.Context, name, typed string, raw bool) error {
	if raw && !a.flags.json && term.IsTerminal(int(a.stdout.Fd())) {
		return rawToTerminal()
	}
	if err := a.online("show --service"); err != nil {
		return err
	}
	h, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer h.close()
	id, err := anyID(ctx, h.session, typed)
	if err != nil {
		return err
	}
	p := a.pulse("asking " + name)
	shown, err := h.session.Show(ctx, name, id)
	p.done()
	var absent *fault.NotHeld
	if errors.As(err, &absent) {
		return &fault.Unavailable{Code: fault.NotFound, What: name, Detail: "it does not have " + report.Paste(id.String()) + ", or withholds it"}
	}
	if err != nil {
		return err
	}
	event := shown.Item.Offer.Event()
	text := event.Envelope().Text()
	if raw && !a.flags.json {
		_, err := a.stdout.WriteString(text)
		return err
	}
	page := waitingPage(event, string(shown.Service.Origin), shown.Outcome)
	if shown.Outcome.Status != wire.Pending {
		if page, err = h.session.Page(ctx, id); err != nil {
			return err
		}
	}
	r := report.PageOf(page)
	if raw {
		r.Envelope = text
	}
	return a.emit(&report.ServicePage{Page: *r, Given: report.GivenOf(shown)}, nil)
}

func rawToTerminal() error {
	return &fault.Usage{Detail: "--raw is foreign text and never goes to a terminal", Hint: "send it to a file or a pipe, or use --json"}
}

// waitingPage is the page of an event that waits for others: proven, and nothing
// more is known.
func waitingPage(event capsule.Event, origin string, o wire.Outcome) view.Page {
	var missing []string
	for _, id := range o.Missing {
		missing = append(missing, report.Paste(id.String()))
	}
	page := view.Page{Event: event, Entry: view.EntryOf(event)}
	page.Facts = view.Facts{ID: event.ID(), Scope: view.Scope{Origin: origin,
		Reasons: []string{"it waits for " + strings.Join(missing, ", ")}}}
	for _, link := range capsule.Links(event) {
		page.Out = append(page.Out, view.OutLink{Link: link})
	}
	return page
}
