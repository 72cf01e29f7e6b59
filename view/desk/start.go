package desk

import (
	"slices"
	"strings"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// Defaults fill new drafts; they come from the user's settings.
type Defaults struct {
	License  string
	Language string
}

// New starts a capsule of a kind, with the empty items that the kind requires.
func New(k capsule.Kind, defaults Defaults) Draft {
	d := Draft{Type: capsule.Publish}
	p := &d.Payload
	p.Kind, p.License, p.Language = k.String(), defaults.License, defaults.Language
	switch k {
	case capsule.Resource:
		p.Evidence = []Evidence{{Role: capsule.RoleOutput.String()}}
	case capsule.Collection:
		p.Relations = []Relation{{Relation: capsule.Contains.String()}}
	}
	return d
}

// AssessOf starts an assessment of one exact capsule. Nothing of what was done is
// taken from the target: environment, expected and observed are the assessor's own.
func AssessOf(target *capsule.Publication, defaults Defaults) (Draft, error) {
	if !capsule.Proven(target) {
		return Draft{}, unproven()
	}
	d := Draft{Type: capsule.Assess}
	d.Payload.License, d.Payload.Target = defaults.License, target.ID().String()
	return d, nil
}

// CopySteps puts the steps of target in front of those of d, each unconfirmed.
func (d *Draft) CopySteps(target *capsule.Publication) {
	if !capsule.Proven(target) || target.Payload().Reproduction == nil {
		return
	}
	var copied []Step
	for _, text := range target.Payload().Reproduction.Steps {
		copied = append(copied, Step{Text: text, Unconfirmed: true})
	}
	d.Payload.Reproduction.Steps = append(copied, d.Payload.Reproduction.Steps...)
}

// RetractOf starts a retraction; the target rules of 7.1 but for the nonce are
// applied at once, with a *fault.Refusal.
func RetractOf(target capsule.Event, actor identity.Actor) (Draft, error) {
	if !capsule.Proven(target) {
		return Draft{}, unproven()
	}
	d := Draft{Type: capsule.Retract, Actor: actor}
	d.Payload.Target = target.ID().String()
	if r := d.CheckLink(actor, 0, capsule.TargetOf(target)); r != nil {
		return Draft{}, r
	}
	return d, nil
}

// linkedKind is the kind that a capsule with such a relation most often has; the
// author changes it freely.
var linkedKind = map[capsule.Relation]capsule.Kind{
	capsule.DerivedFrom: capsule.Synthesis,
	capsule.Addresses:   capsule.Hypothesis,
	capsule.Tests:       capsule.Procedure,
	capsule.Supports:    capsule.Observation,
	capsule.Contradicts: capsule.Observation,
	capsule.Contains:    capsule.Collection,
}

// Link starts a capsule with a relation to target: extends for an extension,
// addresses for an answer, derived_from for a restatement. supersedes is Correct's.
// The error is a *fault.Refusal where the relation may not point there.
func Link(r capsule.Relation, target capsule.Event, defaults Defaults) (Draft, error) {
	if !capsule.Proven(target) {
		return Draft{}, unproven()
	}
	if r == capsule.Supersedes {
		return Draft{}, fault.Refuse(fault.StepTarget, "", "a correction starts from the text that it corrects")
	}
	kind := linkedKind[r]
	p, publication := target.(*capsule.Publication)
	if r == capsule.Extends && publication {
		if kind = p.Payload().Kind; kind == capsule.Collection || kind == capsule.Resource {
			kind = capsule.Synthesis
		}
	}
	d := New(kind, defaults)
	if publication {
		d.Payload.Language = p.Payload().Language
	}
	d.Payload.Relations = []Relation{{r.String(), target.ID().String()}}
	if refused := d.CheckLink(identity.Actor{}, r, capsule.TargetOf(target)); refused != nil {
		return Draft{}, refused
	}
	return d, nil
}

// Correct starts a capsule that supersedes one or several of an actor's own. Fields
// come from the first; of the others come lists, and statement and basis where they
// differ, each behind a blank line. Their own supersedes relations stay with them.
// The error is a *fault.Refusal where the actors differ.
func Correct(own ...*capsule.Publication) (Draft, error) {
	if len(own) == 0 {
		return Draft{}, &fault.Usage{Detail: "a correction needs a capsule to correct"}
	}
	for _, o := range own {
		if !capsule.Proven(o) {
			return Draft{}, unproven()
		}
		if o.Actor() != own[0].Actor() {
			return Draft{}, fault.Refuse(fault.StepTarget, relationsPath, "a correction supersedes capsules of one actor only")
		}
	}
	d := FromEvent(own[0])
	for _, o := range own[1:] {
		d.Payload.merge(FromEvent(o).Payload)
	}
	p := &d.Payload
	p.Relations = slices.DeleteFunc(p.Relations, func(r Relation) bool {
		return r.Relation == capsule.Supersedes.String() || p.Kind != capsule.Collection.String() && r.Relation == capsule.Contains.String()
	})
	var supersedes []Relation
	for _, o := range own {
		supersedes = union(supersedes, Relation{capsule.Supersedes.String(), o.ID().String()})
	}
	p.Relations = append(supersedes, p.Relations...)
	return d, nil
}

// merge adds what another capsule of the same author says.
func (p *Payload) merge(o Payload) {
	join := func(a, b string) string {
		if a == b || b == "" || strings.Contains(a, b) {
			return a
		}
		return a + "\n\n" + b
	}
	p.Statement, p.Basis = join(p.Statement, o.Statement), join(p.Basis, o.Basis)
	p.Context.Scope = join(p.Context.Scope, o.Context.Scope)
	p.Context.Conditions = union(p.Context.Conditions, o.Context.Conditions...)
	p.Context.Limitations = union(p.Context.Limitations, o.Context.Limitations...)
	p.Evidence = union(p.Evidence, o.Evidence...)
	p.Relations = union(p.Relations, o.Relations...)
	p.Tags = union(p.Tags, o.Tags...)
	if !p.Reproduction.present() {
		p.Reproduction = o.Reproduction
	}
	for _, binding := range o.Profiles {
		if !slices.ContainsFunc(p.Profiles, func(b Profile) bool { return b.Digest == binding.Digest }) {
			p.Profiles = append(p.Profiles, binding)
		}
	}
	if p.Extra == "" {
		p.Extra = o.Extra
	}
}

func union[T comparable](list []T, more ...T) []T {
	seen := make(map[T]bool, len(list)+len(more))
	for _, v := range list {
		seen[v] = true
	}
	for _, v := range more {
		if !seen[v] {
			seen[v] = true
			list = append(list, v)
		}
	}
	return list
}

// FromEvent takes the payload of a signed event into a draft; the zero Draft for
// an event that proves nothing.
func FromEvent(e capsule.Event) Draft {
	if !capsule.Proven(e) {
		return Draft{}
	}
	d := Draft{Type: e.Type(), Actor: e.Actor()}
	p := &d.Payload
	switch e := e.(type) {
	case *capsule.Publication:
		from := e.Payload()
		p.Kind, p.Title, p.Statement, p.Language = from.Kind.String(), from.Title, from.Statement, from.Language
		p.License, p.Basis, p.Extra = from.License, from.Basis, jsonText(from.Extra)
		p.Tags = slices.Clone(from.Tags)
		for _, l := range from.Relations {
			p.Relations = append(p.Relations, Relation{l.Relation.String(), l.Target.String()})
		}
		p.takeShared(from.Context, from.Evidence, from.Reproduction, from.Profiles)
	case *capsule.Assessment:
		from := e.Payload()
		p.Target, p.Verdict, p.Title = from.Target.String(), from.Verdict.String(), from.Summary
		d.Used = from.Verdict == capsule.VerdictApplied // as it was signed
		p.License, p.Basis, p.Extra = from.License, from.Basis, jsonText(from.Extra)
		p.takeShared(from.Context, from.Evidence, from.Reproduction, from.Profiles)
	case *capsule.Retraction:
		from := e.Payload()
		p.Target, p.Title, p.Extra = from.Target.String(), from.Reason, jsonText(from.Extra)
	}
	return d
}

func (p *Payload) takeShared(c capsule.Context, evidence []capsule.Evidence, r *capsule.Reproduction, profiles []capsule.Profile) {
	p.Context = Context{c.Scope, slices.Clone(c.Conditions), slices.Clone(c.Limitations)}
	for _, e := range evidence {
		item := Evidence{URL: e.URL, Description: e.Description, MediaType: e.MediaType, Role: e.Role.String()}
		if e.HasDigest() {
			item.Digest = e.Digest.String()
		}
		p.Evidence = append(p.Evidence, item)
	}
	if r != nil {
		p.Reproduction = Reproduction{Environment: r.Environment, Expected: r.Expected, Observed: r.Observed}
		for _, text := range r.Steps {
			p.Reproduction.Steps = append(p.Reproduction.Steps, Step{Text: text})
		}
	}
	for _, b := range profiles {
		p.Profiles = append(p.Profiles, Profile{b.URL, b.Digest.String(), jsonText(b.Data)})
	}
}

// jsonText is the text of a JSON value in a field; empty for an absent one.
func jsonText(v identity.Value) string { return string(identity.AppendCanonical(nil, v)) }

func unproven() error { return fault.Refuse(fault.StepParse, "", "nothing here was proven") }
