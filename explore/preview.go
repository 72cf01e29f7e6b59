package explore

import (
	"context"
	"slices"
	"strconv"

	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// DraftCheck is all that is to be said of a draft before it is signed.
type DraftCheck struct {
	Problems []desk.Problem // of the rules, the sizes and the targets
	// Findings are what may not be meant for the public: each needs an answer. More
	// says that there were too many to list; such a draft is not signed.
	Findings []desk.Finding
	More     bool
	Targets  []TargetFacts
	Bytes    int // of the signed envelope
	Limit    int // that services recommend, or less: what LimitOf says that it takes
	// LimitOf names the enabled service that takes the least, where that is less than
	// recommended; empty else.
	LimitOf string
	// Unread is the file with newer words that the draft has not taken; empty for none.
	Unread string
}

// Ready reports whether nothing blocks the signature but findings without an answer.
func (c DraftCheck) Ready() bool { return desk.Ready(c.Problems) && !c.More }

// Preview is the exact event that a signature would make.
type Preview struct {
	Draft     desk.Draft // with Actor set to who signs
	CreatedAt int64      // ms
	Nonce     int64
	Canonical []byte      // the canonical event: the bytes that are hashed
	ID        identity.ID // the event ID that it will have
	// Confirm lists the targets of which ConfirmLength characters have to be typed: of
	// a retraction, and what a correction supersedes.
	Confirm []identity.ID
	Check   DraftCheck
}

// ConfirmLength is how many first characters of a target's ID confirm it.
const ConfirmLength = 4

// CheckDraft checks a draft as it stands: rules, sizes, targets by what the library
// holds, secrets, words that it has not taken. own are the Agent IDs of the user's keys;
// nil where they are not known.
func (w *Writer) CheckDraft(ctx context.Context, d desk.Draft, own []identity.Actor) (DraftCheck, error) {
	check := DraftCheck{Problems: d.Check(w.o.Limits), Bytes: d.EnvelopeBytes(), Limit: w.o.Limits.EnvelopeBytes}
	check.Findings, check.More = d.Scan(own)
	var err error
	if check.Targets, err = w.Targets(ctx, d); err != nil {
		return DraftCheck{}, err
	}
	if check.Unread, err = w.unread(d); err != nil {
		return DraftCheck{}, err
	}
	if check.Unread != "" {
		check.Problems = append(check.Problems, desk.Problem{Severity: desk.Blocks, Words: "newer words for this draft wait unread in " + check.Unread})
	}
	check.Problems = append(check.Problems, selfAssessed(d, check.Targets, own)...)
	check.Problems = append(check.Problems, w.unchanged(ctx, d)...)
	others := ownOnly(d, check.Targets, own)
	check.Problems = append(check.Problems, others...)
	known := make(map[identity.ID]capsule.Target, len(check.Targets))
	for _, t := range check.Targets {
		if t.Held {
			known[t.ID] = targetOf(t.Entry)
		}
	}
	targets := d.CheckTargets(d.Actor, func(id identity.ID) (capsule.Target, bool) {
		t, ok := known[id]
		if d.Actor.IsZero() {
			// Who signs is not known yet: that is checked once it is.
			t.Actor = d.Actor
		}
		return t, ok
	})
	for _, p := range targets {
		if p.Severity == desk.Advises {
			// What is signed is admitted here like everything else (8.2).
			p.Severity, p.Words = desk.Blocks, "is not held here: fetch or import it first"
		}
		if !slices.ContainsFunc(others, func(o desk.Problem) bool { return o.Path == p.Path }) {
			check.Problems = append(check.Problems, p)
		}
	}
	return check, w.limit(ctx, &check)
}

// unread gives the file with newer words for a stored draft.
func (w *Writer) unread(d desk.Draft) (string, error) {
	if w.o.Unread == nil || d.ID == 0 {
		return "", nil
	}
	return w.o.Unread(d)
}

// limit puts in the place of the recommended size of an envelope what an enabled service
// is known to take at most (9.7). It asks nobody.
func (w *Writer) limit(ctx context.Context, check *DraftCheck) error {
	if w.s.sample {
		return nil
	}
	states, err := w.s.ListServices(ctx)
	if err != nil {
		return err
	}
	for _, state := range states {
		if most, ok := state.MostBytes(); ok && state.Service.Enabled && most < check.Limit {
			check.Limit, check.LimitOf = most, state.Service.Name
		}
	}
	if check.LimitOf != "" && check.Bytes > check.Limit {
		check.Problems = append(check.Problems, desk.Problem{Severity: desk.Exceeds,
			Words: "the envelope has " + strconv.Itoa(check.Bytes) + " bytes, and " + check.LimitOf + " takes " + strconv.Itoa(check.Limit) + " at most"})
	}
	return nil
}

// CheckTarget says why a link of d may not point at the event of a row, nil where it
// may: what a picker of targets shows. r is zero for assessments and retractions.
func CheckTarget(d desk.Draft, r capsule.Relation, row view.Entry) *fault.Refusal {
	target := targetOf(row)
	if d.Actor.IsZero() {
		target.Actor = d.Actor
	}
	return d.CheckLink(d.Actor, r, target)
}

// targetOf takes what the target rules need from a row.
func targetOf(row view.Entry) capsule.Target {
	return capsule.Target{Type: row.Type, Kind: row.Kind, Actor: row.Actor, Nonce: row.Nonce}
}

// resolve looks up what the target rules need; what is not held is left out.
func (w *Writer) resolve(ctx context.Context, ids []identity.ID) (map[identity.ID]capsule.Target, error) {
	rows, held, err := w.s.Entries(ctx, ids)
	if err != nil {
		return nil, err
	}
	targets := make(map[identity.ID]capsule.Target, len(ids))
	for i, id := range ids {
		if held[i] {
			targets[id] = targetOf(rows[i])
		}
	}
	return targets, nil
}

// Preview gives the exact event that actor would sign now. A draft that is not ready
// has a preview too. Errors: *fault.Usage where no nonce is left, where the clock of
// this machine cannot be right, and for a draft that another Agent ID is to sign.
func (w *Writer) Preview(ctx context.Context, d desk.Draft, actor identity.Actor, own []identity.Actor) (Preview, error) {
	if !d.Actor.IsZero() && d.Actor != actor {
		return Preview{}, &fault.Usage{Detail: "the draft is to be signed by " + d.Actor.String(), Hint: "choose that key, or change the draft"}
	}
	d = d.Clone()
	d.Actor = actor
	p := Preview{Draft: d, CreatedAt: w.s.now(), Confirm: Confirmable(d)}
	if p.CreatedAt < 0 || p.CreatedAt > identity.MaxSafeInteger {
		return Preview{}, &fault.Usage{Detail: "the clock of this machine shows no time that can be signed", Hint: "set the clock"}
	}
	var err error
	if p.Check, err = w.CheckDraft(ctx, d, own); err != nil {
		return Preview{}, err
	}
	if p.Nonce, err = w.nextNonce(ctx, actor, p.CreatedAt); err != nil {
		return Preview{}, err
	}
	known, err := w.newestTime(ctx)
	if err != nil {
		return Preview{}, err
	}
	p.Check.Problems = append(p.Check.Problems, desk.CheckClock(p.CreatedAt, p.Nonce, known)...)
	p.Canonical = d.Canonical(p.CreatedAt, p.Nonce)
	p.ID = identity.ID(identity.SHA3(p.Canonical))
	return p, nil
}

// nextNonce gives the nonce of an actor's next event: beyond the last that was
// reserved here and beyond every event of that actor in the library, its targets and
// what waits there among them (Agent Identity 6.2, Agent Knowledge 6.1, 7.1). A home
// that was restored from an older copy, or a clock that was ahead, makes the two differ.
func (w *Writer) nextNonce(ctx context.Context, actor identity.Actor, createdAt int64) (int64, error) {
	last, err := w.desk.LastNonce(ctx, actor)
	if err != nil {
		return 0, err
	}
	held, err := w.s.lib.LargestNonce(ctx, actor)
	if err != nil {
		return 0, err
	}
	return desk.NextNonce(createdAt, last, held)
}
