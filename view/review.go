package view

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// Report is one assessment of a capsule, read in full.
type Report struct {
	Entry       Entry
	Event       *capsule.Assessment // nil where Entry is damaged
	Self        bool                // signed by the capsule's own actor
	Retractions []*capsule.Retraction
}

// Review is the assessments of exactly one capsule version.
type Review struct {
	Subject Entry
	Facts   Facts
	Reports []Report // by verdict, then created_at, then ID
	More    int      // reports beyond the bound
}

// LoadReview reads up to limit assessments of id in full.
func LoadReview(ctx context.Context, s Snapshot, id identity.ID, limit int) (Review, error) {
	subject, err := entryOf(s, id)
	if err != nil {
		return Review{}, err
	}
	r := Review{Subject: subject}
	err = gather(ctx, s, id, MaxIncoming, func(incoming []Incoming, scope Scope) error {
		r.Facts = Derive(SubjectOf(subject), incoming, scope)
		return r.load(ctx, s, incoming, limit)
	})
	if err != nil {
		return Review{}, err
	}
	return r, nil
}

// load reads up to limit of the assessments among incoming.
func (r *Review) load(ctx context.Context, s Snapshot, incoming []Incoming, limit int) error {
	found := slices.DeleteFunc(incoming, func(in Incoming) bool { return in.Type != capsule.Assess })
	slices.SortFunc(found, func(a, b Incoming) int {
		return cmp.Or(cmp.Compare(a.Verdict, b.Verdict), cmp.Compare(a.CreatedAt, b.CreatedAt), a.Source.Compare(b.Source))
	})
	shown := min(len(found), max(limit, 0))
	r.More = len(found) - shown
	for _, in := range found[:shown] {
		if err := ctx.Err(); err != nil {
			return err
		}
		report, err := loadReport(ctx, s, in)
		if err != nil {
			return err
		}
		report.Self = in.Actor == r.Subject.Actor
		r.Reports = append(r.Reports, report)
	}
	return nil
}

func loadReport(ctx context.Context, s Snapshot, in Incoming) (Report, error) {
	entry, err := entryOf(s, in.Source)
	if err != nil {
		return Report{}, err
	}
	report := Report{Entry: entry}
	event, err := s.Event(in.Source)
	var damaged *fault.Damaged
	switch {
	case errors.As(err, &damaged):
		report.Entry.Damaged = true
	case err != nil:
		return Report{}, err
	default:
		report.Event, _ = event.(*capsule.Assessment)
	}
	if !in.Retracted {
		return report, nil
	}
	facts, err := factsOf(ctx, s, entry)
	if err != nil {
		return Report{}, err
	}
	report.Retractions, err = retractions(s, facts.Retractions)
	return report, err
}
