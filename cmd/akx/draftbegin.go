package main

import (
	"context"
	"errors"
	"slices"

	"akx/cmd/akx/report"
	"akx/explore"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// beginning is how a draft begins.
type beginning struct {
	what  string // the command, for messages
	start explore.Start
	// ids are the events that it is about, as typed; about makes the start of them.
	ids       []string
	about     func([]identity.ID) explore.Start
	expect    desk.Expect // of the content of a file
	file      []string    // at most one path
	copySteps bool        // of the capsule that is assessed
}

// beginDraft makes a draft, with the content of a file where there is one.
func (a *app) beginDraft(ctx context.Context, b beginning) error {
	if err := a.authoring(b.what, true); err != nil {
		return err
	}
	if b.copySteps && len(b.file) > 0 {
		return &fault.Usage{Detail: "--copy-steps goes without a file, whose steps are your own"}
	}
	var content desk.Draft
	var err error
	if len(b.file) > 0 {
		if content, err = a.readDraft(ctx, b.file[0], b.expect); err != nil {
			return err
		}
	}
	u, err := a.openAuthor(ctx, b.what, true)
	if err != nil {
		return err
	}
	defer u.end()
	if err := u.startOf(ctx, &b); err != nil {
		return err
	}
	opened, err := u.writer.NewDraft(ctx, b.start)
	if err != nil {
		return err
	}
	started := opened.Draft.ID
	switch {
	case len(b.file) > 0:
		opened, err = u.fill(ctx, opened, b.start, content)
	case b.copySteps:
		opened.Draft, err = u.copySteps(ctx, opened.Draft, b.start.Assess)
	}
	if err != nil {
		// What was begun holds nothing of the user's.
		return errors.Join(err, u.writer.DeleteDraft(ctx, started))
	}
	r := &report.DraftChanged{Done: "created", Draft: report.DraftOf(opened.Draft), Targets: report.DraftTargetsOf(opened.Targets)}
	if !b.start.Assess.IsZero() {
		for i, t := range opened.Targets {
			r.Targets[i].Self = t.Self(opened.Draft.Actor, b.start.Own)
		}
	}
	return a.emit(r, nil)
}

// startOf completes how a draft begins by what is held here.
func (u *author) startOf(ctx context.Context, b *beginning) error {
	ids := make([]identity.ID, len(b.ids))
	for i, typed := range b.ids {
		var err error
		if ids[i], err = heldID(ctx, u.session, typed); err != nil {
			return err
		}
	}
	if b.about != nil {
		b.start = b.about(ids)
	}
	var err error
	b.start.Own, err = u.own(ctx)
	return err
}

// copySteps begins an assessment with the steps of its target, each to be confirmed.
func (u *author) copySteps(ctx context.Context, d desk.Draft, id identity.ID) (desk.Draft, error) {
	event, err := u.session.Event(ctx, id)
	if err != nil {
		return desk.Draft{}, err
	}
	if target, ok := event.(*capsule.Publication); ok {
		d.CopySteps(target)
	}
	return u.writer.SaveDraft(ctx, d)
}

// fill puts the content of a file into a draft that was just begun. What the command
// itself brought stays: the target, and licence and language where the file has none.
func (u *author) fill(ctx context.Context, opened explore.Opened, start explore.Start, content desk.Draft) (explore.Opened, error) {
	base := opened.Draft
	d := base.Rewrite(content, base.Edited)
	if content.Actor.IsZero() {
		d.Actor = base.Actor
	}
	p, from := &d.Payload, base.Payload
	if p.License == "" {
		p.License = from.License
	}
	if p.Language == "" {
		p.Language = from.Language
	}
	if p.Target == "" {
		p.Target = from.Target
	}
	if p.Target != from.Target {
		return opened, &fault.Usage{Detail: "the file is about another event than the command: " + p.Target, Hint: "leave the target out of the file, or name that event"}
	}
	for _, link := range askedLinks(start) {
		if !slices.Contains(p.Relations, link) {
			p.Relations = append(p.Relations, link)
		}
	}
	saved, err := u.writer.SaveDraft(ctx, d)
	if err != nil {
		return opened, err
	}
	opened.Draft = saved
	opened.Targets, err = u.writer.Targets(ctx, saved)
	return opened, err
}

// askedLinks gives the links that the command itself asks for.
func askedLinks(start explore.Start) []desk.Relation {
	var links []desk.Relation
	for _, id := range start.Correct {
		links = append(links, desk.Relation{Relation: capsule.Supersedes.String(), Target: id.String()})
	}
	if start.Relation != 0 {
		links = append(links, desk.Relation{Relation: start.Relation.String(), Target: start.Target.String()})
	}
	return links
}
