package compose

import (
	"path"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/desk"
)

// Rows are the keys of the form; everything else is text.
func (s *Screen) Rows() []kit.Row {
	k := s.options.Keys
	rows := []kit.Row{
		k.Row("next-field", s.step(1)), k.Quiet("previous-field", s.step(-1)),
		k.Row("draft-menu", s.menu), k.Row("sign", s.sign).Unless(s.noSign()),
		k.Row("preview-draft", s.pane.toggle(showText, s)).Called(s.previewWords()),
		k.Row("editor", s.edit).Unless(s.readOnly()),
		k.Row("undo", s.undo).Unless(s.readOnly()),
		k.Row("cancel", s.leave).Called("back (draft kept)"),
		k.Quiet("event-draft", s.pane.toggle(showEvent, s)), k.Quiet("redo", s.redo).Unless(s.readOnly()),
		k.Quiet("scroll-down", s.scrollPane(1)), k.Quiet("scroll-up", s.scrollPane(-1)),
		k.Quiet("choose-key", s.chooseKey).Unless(s.readOnly()),
		k.Quiet("retarget", s.retarget).Unless(s.noRetarget()),
		k.Quiet("copy-steps", s.copySteps).Unless(s.noCopySteps()),
		k.Quiet("add-item", s.addItem).Unless(s.noList()),
		k.Quiet("remove-item", s.removeItem).Unless(s.noItem()),
		k.Quiet("item-up", s.moveItem(-1)).Unless(s.noItem()), k.Quiet("item-down", s.moveItem(1)).Unless(s.noItem()),
	}
	for i := range rows {
		if rows[i].ID == "cancel" {
			rows[i].Effect = "leave the form; the draft is stored as it is"
		}
	}
	if s.pane.full(s.wide()) {
		return rows
	}
	if s.unconfirmed(s.path()) {
		rows = append([]kit.Row{k.Row("confirm-step", s.confirmStep).Called("I did this").Unless(s.readOnly())}, rows...)
	}
	if s.asksUse(s.path()) {
		row := k.Row("confirm-step", s.confirmUse).Called("I used it").Unless(s.readOnly())
		row.Effect = "say that you actually used what this assessment is about"
		rows = append([]kit.Row{row}, rows...)
	}
	if open, words := s.opener(); open != nil {
		row := k.Row("accept", open).Called(words).Unless(s.readOnly())
		row.Effect = openerEffects[words]
		rows = append([]kit.Row{row}, rows...)
	}
	return rows
}

// opener is what enter does on a field that is more than text.
func (s *Screen) opener() (func() tea.Cmd, clean.Words) {
	f := s.field()
	switch {
	case f.Input == desk.Choice:
		return s.listValues, "choose"
	case f.Input == desk.Lines || f.Input == desk.Items:
		return s.addItem, "add"
	case isTarget(f.Path):
		return s.pickTarget, "find target"
	case strings.HasSuffix(f.Path, "/digest") && s.shared.OpenFile != nil:
		return s.digestFile, "of a file"
	case isTag(f.Path):
		return s.completeTag, "complete"
	case f.Path == "/license":
		return s.completeLicence, "list licences"
	}
	return nil, ""
}

// openerEffects say in a line what the words of opener do.
var openerEffects = map[clean.Words]clean.Words{
	"choose":        "list the values of this field, each with what it means",
	"add":           "add an item to this list",
	"find target":   "search the library for the target, by words or an event ID",
	"of a file":     "compute the digest of a file of this machine",
	"list licences": "list the licences of your settings, your own work and the library that begin with what is typed",
	"complete":      "list the tags of the library that begin with what is typed",
}

func (s *Screen) previewWords() clean.Words {
	if s.pane.full(s.wide()) {
		return "form"
	}
	return "preview"
}

func (s *Screen) noSign() clean.Words {
	if why := s.readOnly(); why != "" {
		return why
	}
	return ""
}

// leave goes back to where the draft was opened from.
func (s *Screen) leave() tea.Cmd {
	if s.pane.full(s.wide()) {
		s.pane.fills = false
		return nil
	}
	return s.options.Now(kit.Step{By: -1})
}

// menu lists everything that can be done, for terminals that have no alt key.
func (s *Screen) menu() tea.Cmd {
	var choices []kit.Choice
	for _, row := range s.Rows() {
		if row.ID == "draft-menu" || row.ID == "scroll-down" || row.ID == "scroll-up" || row.Why != "" {
			continue
		}
		line := draw.Line{draw.Say(draw.Key, clean.Line(kit.KeyName(row.Keys[0], s.options.Glyphs)))}
		line = append(line, draw.Gap(12-line.Width()), draw.Own(draw.Strong, row.Words))
		line = append(line, draw.Gap(32-line.Width()), draw.Own(draw.Normal, row.Effect))
		choices = append(choices, kit.Choice{Line: line, Do: row.Act})
	}
	return s.options.Now(kit.Choose{Title: "This draft", Choices: choices})
}

func (s *Screen) listValues() tea.Cmd { return s.chooseValue("") }

// chooseValue lists the values of a field, each with what it means; typing keeps those
// that have what is typed, as typed does at the start.
func (s *Screen) chooseValue(typed string) tea.Cmd {
	if why := s.readOnly(); why != "" {
		return kit.Say(why)
	}
	f := s.field()
	if f.Path == keyPath {
		return s.chooseKey()
	}
	var choices []kit.Choice
	add := func(name clean.Text, value, help string) {
		line := draw.Line{draw.Say(draw.Strong, name)}
		line = append(line, draw.Gap(18-line.Width()), draw.Say(draw.Normal, clean.Line(help)))
		choices = append(choices, kit.Choice{Line: line, Search: name.String(), Do: func() tea.Cmd {
			cmd := s.choose(value)
			if s.asksUse(s.path()) {
				s.askUse()
			}
			return cmd
		}})
	}
	if !f.Required {
		add(clean.Own("none"), "", "")
	}
	for _, c := range f.Choices {
		add(clean.Line(c), c, meaning(f.Path, c))
	}
	return s.options.Now(kit.Choose{Title: "Choose; typing keeps what has these letters", Choices: choices, Filter: true, Typed: typed})
}

func meaning(p, value string) string {
	switch {
	case p == "/kind":
		kind, _ := capsule.ParseKind(value)
		return desk.KindHelp(kind)
	case p == "/verdict":
		verdict, _ := capsule.ParseVerdict(value)
		return desk.VerdictHelp(verdict)
	case path.Base(p) == "relation":
		relation, _ := capsule.ParseRelation(value)
		return desk.RelationHelp(relation)
	case path.Base(p) == "role":
		role, _ := capsule.ParseRole(value)
		return desk.RoleHelp(role)
	}
	return ""
}
