package explore

import (
	"context"
	"errors"
	"io"

	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// TargetState says where a dependency of a verified object was found.
type TargetState string

// The places of a dependency.
const (
	InInput TargetState = "input"
	InStore TargetState = "held"
	Unknown TargetState = "unknown"
)

// Check is one step of a proof and how it went: ok, failed, or not run.
type Check struct {
	Step fault.Step
	Ran  bool
	OK   bool
}

// Verified is the proof of one object.
type Verified struct {
	Where   string
	ID      identity.ID // zero where unknown
	Event   capsule.Event
	Checks  []Check
	Refusal *fault.Refusal // nil when every check that could run passed
	Targets []VerifiedTarget
}

// VerifiedTarget is one dependency of a verified object.
type VerifiedTarget struct {
	Link    capsule.Link
	State   TargetState
	Refusal *fault.Refusal // the target is known and breaks a target rule
}

// VerifyOptions of one verification.
type VerifyOptions struct {
	Now      int64 // ms, for the clock rule
	MaxBytes int
	Progress func(Progress)
}

// MaxVerified bounds the events of the input that are remembered as targets, about
// 150 bytes each. What comes after them is found in the store or is unknown.
const MaxVerified = 1_000_000

// Verify proves each object of r without storing any, and yields each with its
// checks in order. Targets are resolved after the whole input is read, so r is
// asked for twice: open gives a fresh reader each time. lib may be nil.
//
// Checks run from strict JSON to the target rules; a local limit that was hit
// stands before them. Dependencies are checked when all are known, target rules
// when at least one is. An error of yield ends the verification.
func Verify(ctx context.Context, lib Library, open func() (io.ReadCloser, error), o VerifyOptions, yield func(Verified) error) (Progress, error) {
	v := &verifier{lib: lib, o: o, yield: yield, input: make(map[identity.ID]capsule.Target)}
	if err := v.pass(ctx, open, v.collect); err != nil {
		return v.out, err
	}
	v.before = v.out.Bytes
	err := v.pass(ctx, open, func(c *chunk) error { return v.judge(ctx, c) })
	return v.out, err
}

type verifier struct {
	lib    Library
	o      VerifyOptions
	yield  func(Verified) error
	input  map[identity.ID]capsule.Target
	out    Progress
	before int64 // bytes of the first pass
}

func (v *verifier) pass(ctx context.Context, open func() (io.ReadCloser, error), take func(*chunk) error) error {
	r, err := open()
	if err != nil {
		return err
	}
	err = proveAll(ctx, r, v.o.MaxBytes, func(c *chunk) error {
		v.out.Bytes = v.before + c.read
		if err := take(c); err != nil {
			return err
		}
		if v.o.Progress != nil {
			v.o.Progress(v.out)
		}
		return nil
	})
	return errors.Join(err, r.Close())
}

// collect notes what the target rules need to know of each proven event.
func (v *verifier) collect(c *chunk) error {
	for _, item := range c.items {
		if e := item.Offer.Event(); e != nil && len(v.input) < MaxVerified {
			v.input[e.ID()] = capsule.TargetOf(e)
		}
	}
	return nil
}

// judge yields the objects of one chunk.
func (v *verifier) judge(ctx context.Context, c *chunk) error {
	stored, err := v.lookUp(ctx, c)
	if err != nil {
		return err
	}
	for _, item := range c.items {
		object := v.verified(item, stored)
		v.out.Objects++
		switch {
		case object.Refusal != nil:
			v.out.Refused++
		case unknown(object.Targets):
			v.out.Pending++
		default:
			v.out.Added++
		}
		if err := v.yield(object); err != nil {
			return err
		}
	}
	return nil
}

func unknown(targets []VerifiedTarget) bool {
	for _, t := range targets {
		if t.State == Unknown {
			return true
		}
	}
	return false
}

// lookUp reads the facts of dependencies that the input does not hold, for a whole
// chunk at once.
func (v *verifier) lookUp(ctx context.Context, c *chunk) (map[identity.ID]capsule.Target, error) {
	var ids []identity.ID
	for _, item := range c.items {
		if item.Offer.Event() == nil {
			continue
		}
		for _, id := range capsule.Dependencies(item.Offer.Event()) {
			if _, ok := v.input[id]; !ok {
				ids = append(ids, id)
			}
		}
	}
	if v.lib == nil || len(ids) == 0 {
		return nil, nil
	}
	stored := make(map[identity.ID]capsule.Target)
	err := v.lib.Read(ctx, func(snap view.Snapshot) error {
		rows, held, err := view.Rows(snap, ids)
		for i, row := range rows {
			if held[i] {
				stored[row.ID] = capsule.Target{Type: row.Type, Kind: row.Kind, Actor: row.Actor, Nonce: row.Nonce}
			}
		}
		return err
	})
	return stored, err
}

// proofSteps are the steps that the proof of the bytes runs, in order.
var proofSteps = []fault.Step{
	fault.StepParse, fault.StepShape, fault.StepCanonical, fault.StepHash, fault.StepActor, fault.StepSignature, fault.StepPayload,
}

func (v *verifier) verified(item wire.Item, stored map[identity.ID]capsule.Target) Verified {
	event := item.Offer.Event()
	object := Verified{Where: item.Where, ID: item.Offer.Envelope().ID(), Event: event, Refusal: item.Refusal}
	if object.Refusal == nil {
		object.Refusal = item.Offer.Refusal()
	}
	failed := object.Refusal != nil
	object.Checks = proofChecks(object.Refusal)
	clock := Check{Step: fault.StepClock, Ran: !failed}
	dependencies := Check{Step: fault.StepDependencies}
	targets := Check{Step: fault.StepTarget}
	if event != nil && !failed {
		clock.OK = event.CreatedAt()-capsule.DefaultSkew <= v.o.Now
		if !clock.OK {
			object.Refusal = fault.Refuse(fault.StepClock, "/event/created_at", "is later than the clock allows")
		}
		object.Targets = v.targets(event, stored)
		dependencies, targets = targetChecks(object.Targets)
		for _, t := range object.Targets {
			if object.Refusal == nil {
				object.Refusal = t.Refusal
			}
		}
	}
	object.Checks = append(object.Checks, clock, dependencies, targets)
	return object
}

// proofChecks lists the steps of the proof: those before the refusal's passed,
// those behind it did not run.
func proofChecks(refusal *fault.Refusal) []Check {
	checks := make([]Check, 0, len(proofSteps)+4)
	if refusal != nil && refusal.Step < fault.StepParse {
		checks = append(checks, Check{Step: fault.StepLimit, Ran: true})
	}
	for _, step := range proofSteps {
		ran := refusal == nil || step <= refusal.Step
		checks = append(checks, Check{Step: step, Ran: ran, OK: ran && (refusal == nil || step < refusal.Step)})
	}
	return checks
}

// targets finds the dependencies of e and applies the target rules where it can.
func (v *verifier) targets(e capsule.Event, stored map[identity.ID]capsule.Target) []VerifiedTarget {
	links := capsule.Links(e)
	out := make([]VerifiedTarget, len(links))
	for i, link := range links {
		out[i] = VerifiedTarget{Link: link, State: InInput}
		target, ok := v.input[link.Target]
		if !ok {
			out[i].State = InStore
			target, ok = stored[link.Target]
		}
		if !ok {
			out[i].State = Unknown
			continue
		}
		out[i].Refusal = capsule.CheckTarget(e, link, target)
	}
	return out
}

func targetChecks(targets []VerifiedTarget) (dependencies, rules Check) {
	dependencies = Check{Step: fault.StepDependencies, Ran: true, OK: true}
	rules = Check{Step: fault.StepTarget, Ran: len(targets) == 0, OK: true}
	for _, t := range targets {
		if t.State == Unknown {
			dependencies.Ran, dependencies.OK = false, false
			continue
		}
		rules.Ran = true
		rules.OK = rules.OK && t.Refusal == nil
	}
	rules.OK = rules.OK && rules.Ran
	return dependencies, rules
}
