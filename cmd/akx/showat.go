package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"golang.org/x/term"

	"akx/cmd/akx/report"
	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/wire"
)

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
		_, err := io.WriteString(a.out, text)
		return err
	}
	page := waitingPage(event, string(shown.Service.Origin), shown.Outcome)
	if shown.Outcome.Status != wire.Pending {
		if page, err = h.session.Page(ctx, id); err != nil {
			return err
		}
	}
	r := report.PageOf(page)
	if r.Sent, err = a.sentState(ctx, h, id); err != nil {
		return err
	}
	if raw {
		r.Envelope = text
	}
	return a.emitNamed(ctx, h, &report.ServicePage{Page: *r, Given: report.GivenOf(shown)}, nil)
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
