package compose

import (
	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/ui/kit"
)

// asksUse reports whether the field with a path is the verdict applied, of which nobody
// said yet that the target was actually used (6.2).
func (s *Screen) asksUse(path string) bool { return path == "/verdict" && s.doc.draft.Unused() }

// askUse asks whether the target was actually used; going back is what enter does first.
func (s *Screen) askUse() tea.Cmd {
	return s.options.Now(kit.Choose{Title: "Did you actually use it? Planned use is not applied", Choices: []kit.Choice{
		{Line: draw.Line{draw.Own(draw.Strong, "not yet"), draw.Own(draw.Normal, "           the draft waits, or takes another verdict")}, Do: func() tea.Cmd { return nil }},
		{Line: draw.Line{draw.Own(draw.Strong, "yes, it was used"), draw.Own(draw.Normal, "  and observed says how that went, well or not")}, Do: s.confirmUse},
	}})
}

// confirmUse says that the target was actually used.
func (s *Screen) confirmUse() tea.Cmd {
	s.doc.draft.ConfirmUse()
	return s.changed()
}

// useLine says what is asked, below the verdict.
func useLine() draw.Line {
	return draw.Line{draw.Own(draw.Warn, "did you actually use it? "), draw.Own(draw.Key, "alt+y"), draw.Own(draw.Normal, " says so; planned use does not count")}
}
