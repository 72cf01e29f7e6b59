package compose

import (
	"bytes"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view/clean"
	"akx/view/desk"
)

// edited is what the user's editor saved of a draft.
type edited struct {
	draft uint64
	sent  string
	text  []byte
	err   error
}

// edit opens the draft as YAML in the user's editor; text of before that could not
// be taken comes again.
func (s *Screen) edit() tea.Cmd {
	text := s.kept
	if text == nil {
		text = s.doc.draft.YAML()
	}
	id, sent := s.id, string(text)
	return s.options.Now(kit.Edit{Text: text, Done: func(saved []byte, err error) tea.Msg {
		return edited{id, sent, saved, err}
	}})
}

// edited takes what the editor saved. Whatever went wrong, the draft stays as it
// was, and the text stays too, for another try.
func (s *Screen) edited(m edited) tea.Cmd {
	if m.draft != s.id {
		return nil
	}
	if m.err != nil {
		if len(m.text) > 0 && string(m.text) != m.sent {
			s.kept = m.text
		}
		return failed(m.err)
	}
	if len(bytes.TrimSpace(m.text)) == 0 {
		return kit.Say("the editor saved an empty file: the draft stays as it was")
	}
	if string(m.text) == m.sent && s.kept == nil {
		return kit.Say("nothing was changed in the editor")
	}
	if why := s.readOnly(); why != "" {
		s.kept = m.text
		return kit.Say(why)
	}
	draft, complaints := desk.ReadText(m.text, desk.Expect{Type: s.doc.draft.Type})
	if len(complaints) > 0 {
		s.kept = m.text
		return s.complain(complaints)
	}
	s.kept = nil
	return s.replace(s.doc.draft.Rewrite(draft, s.options.Clock().UnixMilli()))
}

// complain lists what is wrong with the text, by line, and what can be done.
func (s *Screen) complain(complaints []desk.Complaint) tea.Cmd {
	choices := []kit.Choice{
		{Line: draw.Line{draw.Own(draw.Strong, "open the text again"), draw.Own(draw.Normal, "  it is as you saved it")}, Do: s.edit},
		{Line: draw.Line{draw.Own(draw.Strong, "drop the text"), draw.Own(draw.Normal, "        the draft stays as it was before the editor")}, Do: func() tea.Cmd {
			s.kept = nil
			return kit.Say("dropped; the draft is as it was")
		}},
	}
	for _, c := range complaints {
		line := draw.Line{draw.Own(draw.Bad, "! ")}
		if c.Line > 0 {
			line = append(line, draw.Own(draw.Strong, "line "), draw.Say(draw.Strong, clean.Line(strconv.Itoa(c.Line))), draw.Own(draw.Normal, ": "))
		}
		if c.Path != "" {
			line = append(line, draw.Say(draw.Normal, clean.Line(c.Path)), draw.Gap(1))
		}
		choices = append(choices, kit.Choice{Line: append(line, draw.Say(draw.Normal, clean.Line(c.Words))), Do: s.edit})
	}
	return s.options.Now(kit.Choose{Title: "The text is no draft yet, and was not taken", Choices: choices})
}
