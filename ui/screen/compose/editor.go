package compose

import (
	"bytes"
	"context"
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
// be taken comes again. What the editor saves outlives akx until the draft has taken
// it, or the user drops it.
func (s *Screen) edit() tea.Cmd {
	text, again := s.kept, s.kept != nil
	if !again {
		text = s.doc.draft.YAML()
	}
	id, sent := s.id, string(text)
	return s.options.Now(kit.Edit{Draft: id, Text: text, Again: again, Done: func(saved []byte, err error) tea.Msg {
		return edited{id, sent, saved, err}
	}})
}

// edited takes what the editor saved. Whatever went wrong, the draft stays as it
// was, and the text stays too, for another try.
func (s *Screen) edited(m edited) tea.Cmd {
	if m.draft != s.id {
		return nil
	}
	same, empty := string(m.text) == m.sent, len(bytes.TrimSpace(m.text)) == 0
	switch {
	case m.err != nil:
		if !same && !empty {
			s.kept = m.text
		}
		return tea.Batch(s.putBack(same, empty), failed(m.err))
	case empty:
		return tea.Batch(s.putBack(same, empty), kit.Say("the editor saved an empty file: the draft stays as it was"))
	case same && s.kept == nil:
		return tea.Batch(s.putBack(same, empty), kit.Say("nothing was changed in the editor"))
	}
	s.kept = m.text
	if why := s.readOnly(); why != "" {
		return kit.Say(why)
	}
	return s.takeText()
}

// putBack leaves behind what the draft does not have: what was left before, where the
// editor saved nothing, or else nothing.
func (s *Screen) putBack(same, empty bool) tea.Cmd {
	switch kept := s.kept; {
	case kept == nil:
		return s.dropText()
	case same || empty:
		texts, id := s.shared.Texts, s.id
		return func() tea.Msg { return kit.Fail{Err: texts.Keep(id, kept)} }
	}
	return nil
}

// dropText forgets what stands for the editor.
func (s *Screen) dropText() tea.Cmd {
	texts, id := s.shared.Texts, s.id
	return func() tea.Msg { return kit.Fail{Err: texts.Drop(id)} }
}

// takeText makes the text the draft. It is forgotten once the draft is stored.
func (s *Screen) takeText() tea.Cmd {
	draft, complaints := desk.ReadText(s.kept, desk.Expect{Type: s.doc.draft.Type})
	if len(complaints) > 0 {
		return s.complain(complaints)
	}
	s.kept = nil
	next := s.doc.draft.Rewrite(draft, s.options.Clock().UnixMilli())
	shared, id := s.shared, s.id
	return tea.Sequence(s.keepFormer(next), tea.Batch(s.replace(next), func() tea.Msg {
		saved := shared.Keeper.store(context.Background(), id)
		if _, waits := shared.Keeper.Unsaved(id); waits {
			return saved
		}
		if err := shared.Texts.Drop(id); err != nil {
			return kit.Fail{Err: err}
		}
		return saved
	}))
}

// keepFormer makes the command that copies the draft as it stands into the trash, where
// next lacks text of it.
func (s *Screen) keepFormer(next desk.Draft) tea.Cmd {
	writer, former := s.shared.Writer, s.doc.draft.Clone()
	return func() tea.Msg {
		copied, err := writer.KeepFormer(context.Background(), former, next)
		return keptFormer{copied, err}
	}
}

// keptFormer is the copy of a draft that an edit has replaced; 0 where nothing was lost.
type keptFormer struct {
	draft uint64
	err   error
}

func (m keptFormer) tell() tea.Cmd {
	switch {
	case m.err != nil:
		return failed(m.err)
	case m.draft == 0:
		return nil
	}
	return kit.Send(kit.Notice{Line: draw.Line{
		draw.Own(draw.Normal, "taken; it lacks text of before: "), draw.Own(draw.Key, "ctrl+_"), draw.Own(draw.Normal, " undoes it, and a copy is draft "),
		draw.Say(draw.Strong, number(m.draft)), draw.Own(draw.Normal, " in the trash"),
	}})
}

// offerText asks what is to become of a text that an edit left behind.
func (s *Screen) offerText() tea.Cmd {
	_, complaints := desk.ReadText(s.kept, desk.Expect{Type: s.doc.draft.Type})
	if len(complaints) > 0 {
		return s.complain(complaints)
	}
	take := kit.Choice{
		Line: draw.Line{draw.Own(draw.Strong, "take it"), draw.Own(draw.Normal, "              it becomes the draft, in place of what stands in the form")},
		Do:   s.takeText,
	}
	return s.options.Now(kit.Choose{Title: "An edit left this text, and the draft has not taken it", Choices: append([]kit.Choice{take}, s.textChoices()...)})
}

// textChoices are what can be done with a text that was not taken.
func (s *Screen) textChoices() []kit.Choice {
	return []kit.Choice{
		{Line: draw.Line{draw.Own(draw.Strong, "open the text again"), draw.Own(draw.Normal, "  it is as you saved it")}, Do: s.edit},
		{Line: draw.Line{draw.Own(draw.Strong, "drop the text"), draw.Own(draw.Normal, "        the draft stays as it was before the editor")}, Do: func() tea.Cmd {
			s.kept = nil
			return tea.Batch(s.dropText(), kit.Say("dropped; the draft is as it was"))
		}},
	}
}

// complain lists what is wrong with the text, by line, and what can be done.
func (s *Screen) complain(complaints []desk.Complaint) tea.Cmd {
	choices := s.textChoices()
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
	return s.options.Now(kit.Choose{Title: "The text is no draft yet, and was not taken; it is kept", Choices: choices})
}
