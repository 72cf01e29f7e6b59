package view

import (
	"context"
	"errors"
	"slices"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// OutLink is one signed outgoing link and what the set knows of its target.
type OutLink struct {
	Link  capsule.Link // zero Relation: the target of an assessment or a retraction
	Held  bool
	Entry Entry // valid when Held
}

// Page is everything a page of one event shows.
type Page struct {
	Event capsule.Event
	Entry Entry
	Facts Facts
	Out   []OutLink
	// Withdrawn lists outgoing targets that are retracted in the scope.
	Withdrawn []identity.ID
	// Retractions are the events that withdraw this one, at most MaxRetractions of
	// them; Facts.Retractions lists all.
	Retractions []*capsule.Retraction
	// Beyond are retractions of it that are held, but not in the set that the page is
	// of, at most MaxRetractions: what withdraws an event anywhere is told everywhere.
	Beyond []*capsule.Retraction
	Claims []wire.Claim
	// Shown is what each followed service shows of the event, and how they differ;
	// whose set the page is of changes nothing in it.
	Shown Shown
}

// MaxRetractions bounds the retractions of one event that are read in full.
const MaxRetractions = 16

// LoadPage reads a page of one event. Claims are left to the caller; what services
// show is read where the store keeps it. Errors: *fault.NotHeld, *fault.Damaged.
func LoadPage(ctx context.Context, s Snapshot, id identity.ID) (Page, error) {
	event, err := s.Event(id)
	if err != nil {
		return Page{}, err
	}
	entry, err := entryOf(s, id)
	if err != nil {
		return Page{}, err
	}
	p := Page{Event: event, Entry: entry}
	if p.Facts, err = factsOf(ctx, s, entry); err != nil {
		return Page{}, err
	}
	if p.Out, p.Withdrawn, err = outLinks(s, capsule.Links(event)); err != nil {
		return Page{}, err
	}
	if p.Retractions, err = retractions(s, p.Facts.Retractions); err != nil {
		return Page{}, err
	}
	whole := s
	if t, ok := s.(set); ok {
		whole = t.all
		if p.Beyond, err = beyond(ctx, whole, p.Facts); err != nil {
			return Page{}, err
		}
	}
	if r, ok := RecordsOf(whole); ok {
		if p.Shown, err = LoadShown(ctx, whole, r, id); err != nil {
			return Page{}, err
		}
	}
	return p, nil
}

func outLinks(s Snapshot, links []capsule.Link) (out []OutLink, withdrawn []identity.ID, err error) {
	ids := make([]identity.ID, len(links))
	for i, l := range links {
		ids[i] = l.Target
	}
	rows, held, err := Rows(s, ids)
	if err != nil {
		return nil, nil, err
	}
	out = make([]OutLink, len(links))
	for i, l := range links {
		out[i] = OutLink{Link: l, Held: held[i], Entry: rows[i]}
		if held[i] && rows[i].Lifecycle == Retracted {
			withdrawn = append(withdrawn, l.Target)
		}
	}
	return out, identity.SortIDs(withdrawn), nil
}

// beyond reads the retractions of an event that everything held has, and its set not.
func beyond(ctx context.Context, whole Snapshot, in Facts) ([]*capsule.Retraction, error) {
	row, err := entryOf(whole, in.ID)
	if err != nil || row.Lifecycle != Retracted {
		return nil, err
	}
	all, err := factsOf(ctx, whole, row)
	if err != nil {
		return nil, err
	}
	return retractions(whole, slices.DeleteFunc(all.Retractions, func(id identity.ID) bool {
		return slices.Contains(in.Retractions, id)
	}))
}

// retractions reads the first events of ids in full. A damaged one is left out:
// its ID stays in the facts.
func retractions(s Snapshot, ids []identity.ID) ([]*capsule.Retraction, error) {
	var out []*capsule.Retraction
	for _, id := range ids[:min(len(ids), MaxRetractions)] {
		event, err := s.Event(id)
		var damaged *fault.Damaged
		if errors.As(err, &damaged) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if r, ok := event.(*capsule.Retraction); ok {
			out = append(out, r)
		}
	}
	return out, nil
}
