package main

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"akx/cache/keyring"
	"akx/cmd/akx/report"
	"akx/explore"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

func (a *app) submitCommand() *cobra.Command {
	o := &submitFlags{to: &many{}, tokenKey: &once{check: keyring.CheckName}}
	cmd := &cobra.Command{
		Use:   "submit [ID...]",
		Short: "Send signed events to services",
		Long: `Send signed events to services, exactly as they were signed. Without IDs all is sent that
is queued for the services and not accepted there, again where an answer was lost: the
same bytes twice are one event. With nothing left to send that is a success; what stands
refused is named, and only its ID sends it again. With IDs,
written in full, these are sent; without --to to the services that they are queued for.
Any event that is held can be sent, but for those that were signed with keys of the
sample.

Where a service misses what an event points at, that is listed, and sent only with
--with-dependencies. No service is told who sends, unless akx service set --token-key, or
--token-key here, names a key whose request token it is shown, made for it alone.`,
		Example: "  akx submit --to hub\n  akx submit lDBW8lmtg6QrvE1bPNjGcVhbHTpFoLE_lRBYvSgn3dU --to hub --to lab\n  akx --json submit --to hub --with-dependencies",
	}
	cmd.Flags().Var(o.to, "to", "the service, by name or origin; may be given several times")
	cmd.Flags().Var(o.tokenKey, "token-key", "show each service a request token of this key, made for that service alone, or none, whatever its setting says")
	o.fd = addPassphrase(cmd)
	cmd.Flags().BoolVar(&o.with, "with-dependencies", false, "send what the service misses first, as far as it is held here")
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return a.send(cmd.Context(), args, o) }
	return cmd
}

// submitFlags are the flags of akx submit.
type submitFlags struct {
	to       *many
	tokenKey *once
	with     bool
	fd       *once
}

// send sends the named events, or what is queued for the named services.
func (a *app) send(ctx context.Context, args []string, o *submitFlags) error {
	if err := a.authoring("submit", true); err != nil {
		return err
	}
	if len(args) == 0 && len(o.to.values) == 0 {
		return &fault.Usage{Detail: "neither an event nor a service was named", Hint: "akx submit --to NAME sends all that is queued for it; akx outbox lists it"}
	}
	if err := a.online("submit"); err != nil {
		return err
	}
	u, err := a.openAuthor(ctx, "submit", true)
	if err != nil {
		return err
	}
	defer u.end()
	ids := make([]identity.ID, len(args))
	for i, typed := range args {
		if ids[i], err = inFull(ctx, u.session, typed); err != nil {
			return err
		}
	}
	s := &sending{author: u, with: o.with, last: map[identity.ID]desk.Entry{}, report: &report.Submitted{}}
	if o.tokenKey.given && len(o.to.values) == 0 {
		return &fault.Usage{Detail: "--token-key goes with --to", Hint: "name the services that may see who sends"}
	}
	origins, err := s.origins(ctx, o.to.values)
	if err != nil {
		return err
	}
	asked, err := s.goingTo(ctx, ids, origins)
	if err != nil {
		return err
	}
	if len(origins) > 0 {
		asked = slices.DeleteFunc(asked, func(origin string) bool { return !slices.Contains(origins, origin) })
	}
	var wipe func()
	s.options.Authenticate, wipe, err = a.requestTokens(ctx, u, asked, o.tokenKey, o.fd)
	if err != nil {
		return err
	}
	defer wipe()
	return a.submit(ctx, s, ids, origins)
}

// submit sends and reports what every service said, also where it ends early.
func (a *app) submit(ctx context.Context, s *sending, ids []identity.ID, origins []string) error {
	s.report.Asked = origins
	err := s.all(ctx, ids, slices.Clone(origins))
	names, failed := s.names(context.WithoutCancel(ctx))
	for _, id := range s.order {
		s.report.Entries = append(s.report.Entries, report.SentOf(s.last[id], names))
	}
	for _, e := range s.before {
		s.report.RefusedBefore = append(s.report.RefusedBefore, report.SentOf(e, names))
	}
	for _, more := range []error{ctx.Err(), failed, s.report.Short()} {
		if err == nil {
			err = more
		}
	}
	if err != nil && len(s.order) == 0 {
		return err
	}
	return a.emitNamed(context.WithoutCancel(ctx), s.held, s.report, err)
}

// sending is one submit and what came of it.
type sending struct {
	*author
	with    bool
	options explore.SendOptions
	order   []identity.ID
	last    map[identity.ID]desk.Entry
	before  []desk.Entry // that stand refused, with these deliveries alone
	report  *report.Submitted
}

// goingTo gives the services that something is sent to: of those that were named, or else
// of those that the events are queued for, the ones that have not accepted all of it.
func (s *sending) goingTo(ctx context.Context, ids []identity.ID, named []string) ([]string, error) {
	var entries []desk.Entry
	if len(ids) == 0 {
		all, err := s.writer.Outbox(ctx)
		var damaged *fault.Damaged // told by the sending itself
		if err != nil && !errors.As(err, &damaged) {
			return nil, err
		}
		entries, named = all, nil
	}
	for _, id := range ids {
		deliveries, err := s.writer.SentState(ctx, id)
		if err != nil {
			return nil, err
		}
		entries = append(entries, desk.Entry{ID: id, Deliveries: deliveries})
	}
	var origins []string
	add := func(origin string) {
		if !slices.Contains(origins, origin) {
			origins = append(origins, origin)
		}
	}
	for _, e := range entries {
		for _, origin := range named {
			if !slices.ContainsFunc(e.Deliveries, func(d desk.Delivery) bool { return d.Service == origin }) {
				add(origin)
			}
		}
		for _, d := range e.Deliveries {
			if d.State != desk.Accepted {
				add(d.Service)
			}
		}
	}
	return origins, nil
}

func (s *sending) all(ctx context.Context, ids []identity.ID, origins []string) error {
	for _, id := range ids {
		entry, err := s.writer.Submit(ctx, id, origins, s.options)
		if err := s.sent(ctx, []desk.Entry{entry}, origins, err); err != nil {
			return err
		}
	}
	if len(ids) > 0 {
		return nil
	}
	for _, origin := range origins {
		entries, err := s.writer.SubmitQueued(ctx, origin, s.options)
		if err := s.sent(ctx, entries, []string{origin}, err); err != nil {
			return err
		}
	}
	return s.countRefused(ctx, origins)
}

// countRefused counts what was refused before by the services that are sent to, which
// only its ID sends again.
func (s *sending) countRefused(ctx context.Context, origins []string) error {
	entries, err := s.writer.Outbox(ctx)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if _, tried := s.last[e.ID]; tried {
			continue
		}
		var refused []desk.Delivery
		for _, d := range e.Deliveries {
			if d.State == desk.Refused && slices.Contains(origins, d.Service) {
				refused = append(refused, d)
			}
		}
		if n := len(refused); n > 0 {
			s.report.Refused += n
			e.Deliveries = refused
			s.before = append(s.before, e)
		}
	}
	return nil
}

// sent notes entries and sees to what services miss; err is what ended the sending.
func (s *sending) sent(ctx context.Context, entries []desk.Entry, origins []string, err error) error {
	for _, e := range entries {
		if e.ID.IsZero() {
			continue
		}
		s.note(e)
		for _, d := range e.Deliveries {
			asked := len(origins) == 0 || slices.Contains(origins, d.Service)
			if asked && !slices.Contains(s.report.Asked, d.Service) {
				s.report.Asked = append(s.report.Asked, d.Service)
			}
			if err != nil || !asked || d.State != desk.Refused || d.Code != fault.MissingDependency {
				continue
			}
			if err := s.missing(ctx, e.ID, d.Service); err != nil {
				return err
			}
		}
	}
	return err
}

func (s *sending) note(e desk.Entry) {
	if _, ok := s.last[e.ID]; !ok {
		s.order = append(s.order, e.ID)
	}
	s.last[e.ID] = e
}

// missing lists what a service misses, or sends it first where that was asked for.
func (s *sending) missing(ctx context.Context, id identity.ID, service string) error {
	plan, err := s.writer.PlanMissing(ctx, id, service)
	if err != nil {
		return err
	}
	if !s.with || len(plan.NotHeld) > 0 || len(plan.Barred) > 0 || plan.More || len(plan.Send) == 0 {
		s.report.Plans = append(s.report.Plans, report.PlanOf(plan))
		return nil
	}
	entries, err := s.writer.SubmitPlan(ctx, plan, s.options)
	for _, e := range entries {
		s.note(e)
	}
	return err
}
