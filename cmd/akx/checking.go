package main

import (
	"context"
	"errors"
	"slices"

	"akx/cmd/akx/report"
	"akx/explore"
	"akx/view/capsule"
	"akx/view/identity"
)

// checking is one run of akx check.
type checking struct {
	app   *app
	h     *held
	r     *report.Checks
	names map[string]string // the user's own, by Agent ID
	wants explore.Question
	asked []string // the services that are asked now, by name
	pulse *pulse
	// streams says that answers are printed as they come: on a terminal. Elsewhere they
	// stand in the order of names.
	streams bool
}

// list finds out which services are asked, and which could answer from the cache.
func (c *checking) list(ctx context.Context) error {
	all, err := c.h.session.ListServices(ctx)
	if err != nil {
		return err
	}
	var followed []string
	for _, s := range all {
		v, named := s.Service, len(c.wants.Names) > 0
		if s.Follow.Complete {
			followed = append(followed, v.Name)
		}
		chosen := !named && v.Enabled || slices.Contains(c.wants.Names, v.Name) || slices.Contains(c.wants.Names, string(v.Origin))
		if chosen && !(c.wants.Cached && s.Follow.Complete) {
			c.asked = append(c.asked, v.Name)
		}
	}
	c.r.Follows(followed)
	return nil
}

// event asks about one event.
func (c *checking) event(ctx context.Context, id identity.ID) error {
	c.r.Begin(id)
	c.pulse.await(c.asked)
	var kind capsule.Type
	wants := c.wants
	var lost error
	wants.Told = func(answer explore.Checked) {
		c.pulse.came(answer.Service.Name)
		rows, held, err := c.h.session.Entries(context.WithoutCancel(ctx), []identity.ID{id})
		if err == nil && held[0] {
			kind = rows[0].Type
			c.r.Subject(rows[0])
		}
		c.r.Answer(kind, answer, func(err error) *report.Failure { return c.app.failure(ctx, err) }, c.h.clock().UnixMilli())
		c.r.NameActors(c.names)
		if c.streams && ctx.Err() == nil {
			c.pulse.aside(func() { lost = errors.Join(lost, c.app.printText(c.r)) })
		}
	}
	answers, err := c.h.session.Question(ctx, id, wants)
	c.r.End(answers)
	return errors.Join(err, lost)
}
