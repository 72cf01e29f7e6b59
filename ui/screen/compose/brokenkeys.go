package compose

import (
	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view/clean"
)

// takeSigners takes the keys that there are: those that can sign, and beside them those
// that cannot be read, so that nobody makes a new identity for want of a broken file.
func (s *Screen) takeSigners(all []Signer) {
	s.signing.signers, s.signing.broken = nil, nil
	for _, k := range all {
		if k.Err != nil {
			s.signing.broken = append(s.signing.broken, k)
		} else {
			s.signing.signers = append(s.signing.signers, k)
		}
	}
}

// onlyBroken reports whether there are keys, and none of them can be read.
func (s *Screen) onlyBroken() bool { return len(s.signing.signers) == 0 && len(s.signing.broken) > 0 }

// brokenChoices are the keys that cannot be read, each with why.
func (s *Screen) brokenChoices() []kit.Choice {
	var choices []kit.Choice
	for _, k := range s.signing.broken {
		line := draw.Line{draw.Say(draw.Strong, clean.Line(k.Name)), draw.Gap(1), draw.Own(draw.Bad, "cannot be read: ")}
		choices = append(choices, kit.Choice{Line: append(line, draw.ErrorLine(k.Err)...), Do: func() tea.Cmd { return failed(k.Err) }})
	}
	return choices
}
