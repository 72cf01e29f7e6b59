package compose

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/identity"
)

// keyPath names the field that says which key signs; no path in a payload is like it.
const keyPath = "key"

// keyField is the first field of every form.
func (s *Screen) keyField() desk.Field {
	return desk.Field{Path: keyPath, Input: desk.Choice, Label: "key", Help: "the key that signs; its Agent ID stands in the event for good"}
}

// signer is the key that signs the draft as it stands: its own, else the default. ok is
// false where it is none of the user's.
func (s *Screen) signer() (Signer, bool) {
	want := s.doc.draft.Actor
	for _, k := range s.signing.signers {
		if k.Actor == want || want.IsZero() && (k.Default || len(s.signing.signers) == 1) {
			return k, true
		}
	}
	return Signer{Actor: want}, false
}

// bound is the only Agent ID that may sign the draft: the author of what it withdraws
// or supersedes (6.1, 7.1). It is zero where anybody may.
func (s *Screen) bound() identity.Actor {
	for _, t := range s.doc.targets {
		if t.Held && (s.doc.draft.Type == capsule.Retract || t.Relation == capsule.Supersedes) {
			return t.Entry.Actor
		}
	}
	return identity.Actor{}
}

// keyValue is the field on one row: name, state, and the Agent ID as far as it goes.
func (s *Screen) keyValue() draw.Line {
	k, ok := s.signer()
	g := s.options.Glyphs
	switch {
	case s.onlyBroken():
		return draw.Line{draw.Own(draw.Bad, "[none can be read "+g.Open+"]"), draw.Own(draw.Normal, " its file is broken")}
	case len(s.signing.signers) == 0:
		return draw.Line{draw.Own(draw.Warn, "[no key yet "+g.Open+"]"), draw.Own(draw.Normal, " nothing can be signed before there is one")}
	case ok:
		line := draw.Line{draw.Own(draw.Quiet, "["), draw.Say(draw.Strong, clean.Line(k.Name)), draw.Own(draw.Quiet, " "+g.Open+"] ")}
		return append(append(line, s.keyState(k)...), draw.Gap(1), draw.Say(draw.Normal, clean.Line(k.Actor.String())))
	case k.Actor.IsZero():
		return draw.Line{draw.Own(draw.Quiet, "[choose "+g.Open+"]"), draw.Own(draw.Normal, " no key is the default")}
	}
	return draw.Line{draw.Own(draw.Bad, "[none of yours "+g.Open+"] "), draw.Say(draw.Normal, clean.Line(k.Actor.String()))}
}

// keyState says whether a key can be used without a passphrase now, and whether it is
// the default.
func (s *Screen) keyState(k Signer) draw.Line {
	var line draw.Line
	switch {
	case s.options.Sample:
		line = draw.Line{draw.Own(draw.Warn, "public test key")}
	case k.Open:
		line = draw.Line{draw.Own(draw.Good, "unlocked")}
	default:
		line = draw.Line{draw.Own(draw.Normal, "locked")}
	}
	if k.Default {
		line = append(line, draw.Own(draw.Quiet, ", default"))
	}
	return line
}

// keyLines say the Agent ID in full in so many columns, and the user's own name of it
// beside it.
func (s *Screen) keyLines(w int) []draw.Line {
	k, _ := s.signer()
	if k.Actor.IsZero() {
		return nil
	}
	lines := []draw.Line{{draw.Say(draw.Normal, clean.Line(k.Actor.String()))}}
	if lines[0].Width() > w { // breaking at the key's own dashes would hide where it ends
		lines = []draw.Line{
			{draw.Say(draw.Normal, clean.Line(identity.AgentPrefix))},
			{draw.Say(draw.Normal, clean.Line(strings.TrimPrefix(k.Actor.String(), identity.AgentPrefix)))},
		}
	}
	if called := s.options.Called(k.Actor, false); len(called) > 0 {
		lines = append(lines, called)
	}
	return lines
}

// chooseKey lists the keys, each with its full Agent ID; those that may not sign this
// draft say why.
func (s *Screen) chooseKey() tea.Cmd {
	if why := s.readOnly(); why != "" {
		return kit.Say(why)
	}
	bound := s.bound()
	var choices []kit.Choice
	for _, k := range s.signing.signers {
		line := draw.Line{draw.Say(draw.Strong, clean.Line(k.Name)), draw.Gap(max(12-len(k.Name), 1)), draw.Say(draw.Normal, clean.Line(k.Actor.String())), draw.Gap(1)}
		do := func() tea.Cmd { return s.setKey(k.Actor) }
		if bound.IsZero() || bound == k.Actor {
			line = append(line, s.keyState(k)...)
		} else {
			line = append(line, draw.Own(draw.Warn, "not the author of the target"))
			do = func() tea.Cmd { return kit.Say(boundWords) }
		}
		if called := s.options.Called(k.Actor, false); len(called) > 0 {
			line = append(append(line, draw.Gap(1)), called...)
		}
		choices = append(choices, kit.Choice{Line: line, Do: do})
	}
	choices = append(choices, s.brokenChoices()...)
	if !s.options.Sample {
		choices = append(choices, kit.Choice{Line: draw.Line{draw.Own(draw.Strong, "a new key"), draw.Own(draw.Normal, "   made here of random numbers, under a passphrase of yours")}, Do: s.makeKey})
	}
	return s.options.Now(kit.Choose{Title: "Which key signs this draft? Nothing is signed by this", Choices: choices})
}

const boundWords clean.Words = "only the key that signed the target may withdraw or supersede it"

// setKey makes a key the one that signs the draft.
func (s *Screen) setKey(a identity.Actor) tea.Cmd {
	if s.doc.draft.Actor == a {
		return nil
	}
	s.doc.draft.Actor = a
	return s.changed()
}

// turnKey goes to a neighbour of the key that signs.
func (s *Screen) turnKey(by int) tea.Cmd {
	n := len(s.signing.signers)
	switch {
	case s.readOnly() != "":
		return kit.Say(s.readOnly())
	case n == 0:
		return s.chooseKey()
	case !s.bound().IsZero():
		return kit.Say(boundWords)
	}
	k, ok := s.signer()
	at := 0
	for i, other := range s.signing.signers {
		if ok && other.Actor == k.Actor {
			at = (i + by + n) % n
		}
	}
	return s.setKey(s.signing.signers[at].Actor)
}
