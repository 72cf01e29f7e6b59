package compose

import (
	"context"
	"path"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/identity"
)

func isTarget(p string) bool {
	return p == "/target" || strings.HasPrefix(p, "/relations/") && path.Base(p) == "target"
}
func isTag(p string) bool { return strings.HasPrefix(p, "/tags/") }

// offer shows a menu that had to be looked up.
func (s *Screen) offer(menu kit.Choose, err error) tea.Cmd {
	if err != nil {
		return failed(err)
	}
	if len(menu.Choices) == 0 {
		return kit.Say("nothing in the library fits")
	}
	return s.options.Now(menu)
}

// pickTarget opens the search for a target.
func (s *Screen) pickTarget() tea.Cmd {
	p := s.path()
	relation, _ := capsule.ParseRelation("")
	if p != "/target" {
		text, _ := s.doc.draft.Text(strings.TrimSuffix(p, "target") + "relation")
		var ok bool
		if relation, ok = capsule.ParseRelation(text); !ok {
			return kit.Say("choose the relation first: it says what may be its target")
		}
	}
	o := newTargetPicker(s, p, relation)
	return s.options.Now(kit.Open{Overlay: o, Then: o.ask()})
}

// maxTags is how many tags are offered.
const maxTags = 30

// completeTag offers the tags of the library that begin with what is typed.
func (s *Screen) completeTag() tea.Cmd {
	session, p := s.shared.Session, s.path()
	typed, _ := s.doc.draft.Text(p)
	return s.asks.choices.Ask(func(ctx context.Context) (kit.Choose, error) {
		facets, err := session.Facets(ctx, view.Query{})
		var choices []kit.Choice
		for _, f := range facets.Tags {
			if !strings.HasPrefix(f.Value, typed) || len(choices) == maxTags {
				continue
			}
			line := draw.Line{draw.Say(draw.Strong, clean.Line(f.Value)), draw.Gap(2), draw.Say(draw.Quiet, draw.Int(f.Count))}
			choices = append(choices, kit.Choice{Line: line, Do: func() tea.Cmd { return s.put(p, f.Value) }})
		}
		return kit.Choose{Title: "Tags of the library", Choices: choices}, err
	})
}

// completeLicence offers the addresses of terms that are in use here, and that begin with
// what is typed; all of them where the field has one of them in full.
func (s *Screen) completeLicence() tea.Cmd {
	writer, own, p, id := s.shared.Writer, s.own(), s.path(), s.id
	typed, _ := s.doc.draft.Text(p)
	return s.asks.choices.Ask(func(ctx context.Context) (kit.Choose, error) {
		all, err := writer.Licences(ctx, id, own)
		if slices.ContainsFunc(all, func(l explore.Licence) bool { return l.URL == typed }) {
			typed = ""
		}
		var choices []kit.Choice
		for _, l := range all {
			if !strings.HasPrefix(l.URL, typed) || len(choices) == maxTags {
				continue
			}
			choices = append(choices, kit.Choice{Line: licenceLine(l), Do: func() tea.Cmd { return s.put(p, l.URL) }})
		}
		return kit.Choose{Title: "Licences of your settings, your own work and the library", Choices: choices}, err
	})
}

// licenceLine is an address of terms, and where it is from.
func licenceLine(l explore.Licence) draw.Line {
	line := draw.Line{draw.Say(draw.Strong, clean.Line(l.URL))}
	if l.Default {
		line = append(line, draw.Gap(2), draw.Own(draw.Quiet, "default"))
	}
	if l.Own > 0 {
		line = append(line, draw.Gap(2), draw.Own(draw.Quiet, "own "), draw.Say(draw.Quiet, draw.Int(l.Own)))
	}
	if l.Others > 0 {
		line = append(line, draw.Gap(2), draw.Own(draw.Quiet, "others "), draw.Say(draw.Quiet, draw.Int(l.Others)))
	}
	return line
}

// put writes a field that the keys may have left meanwhile.
func (s *Screen) put(p, value string) tea.Cmd {
	if s.indexOf(p) < 0 {
		return nil
	}
	s.focusPath(p)
	cmd := s.write(value, len(value), false, false)
	s.focus(s.form.at)
	return cmd
}

// moved are the targets that were superseded or withdrawn, as far as is known here.
func (s *Screen) moved() []explore.TargetFacts {
	var out []explore.TargetFacts
	for _, t := range s.doc.targets {
		if t.Retracted() || len(t.Successors) > 0 {
			out = append(out, t)
		}
	}
	return out
}

func (s *Screen) noRetarget() clean.Words {
	if why := s.readOnly(); why != "" {
		return why
	}
	if len(s.moved()) == 0 {
		return "no target of this draft is known here to be superseded or withdrawn"
	}
	return ""
}

// retarget offers the corrections of each target that has some; keeping the target is
// the first choice, because an event is about one exact version.
func (s *Screen) retarget() tea.Cmd {
	session, moved := s.shared.Session, s.moved()
	return s.asks.choices.Ask(func(ctx context.Context) (kit.Choose, error) {
		var choices []kit.Choice
		for _, t := range moved {
			line := append(draw.Line{draw.Own(draw.Strong, "keep it: ")}, movedLine(t, s.options.Glyphs)...)
			choices = append(choices, kit.Choice{Line: line, Do: func() tea.Cmd { return nil }})
			rows, held, err := session.Entries(ctx, t.Successors)
			if err != nil {
				return kit.Choose{}, err
			}
			for i, e := range rows {
				if held[i] {
					choices = append(choices, kit.Choice{Line: entryLine(e, s.options), Do: func() tea.Cmd { return s.pointTo(t.ID, e.ID) }})
				}
			}
		}
		return kit.Choose{Title: "The target has changed since: which one do you mean?", Choices: choices}, nil
	})
}

// pointTo points the draft at another target. A correction was begun from the text of
// what it superseded until now: whose text it is to have is asked.
func (s *Screen) pointTo(from, to identity.ID) tea.Cmd {
	if !slices.Contains(explore.Supersedes(s.doc.draft), from) {
		return s.replace(explore.Retarget(s.doc.draft, from, to))
	}
	writer, d, g := s.shared.Writer, s.doc.draft.Clone(), s.options.Glyphs
	return s.asks.choices.Ask(func(ctx context.Context) (kit.Choose, error) {
		next, err := writer.Recorrect(ctx, d, from, to)
		if err != nil {
			return kit.Choose{}, err
		}
		return kit.Choose{Title: "It supersedes another capsule then: whose text is it to have?", Choices: []kit.Choice{
			{Line: draw.Line{draw.Own(draw.Strong, "take the text of "), draw.Say(draw.Strong, kit.ShortID(to, g)), draw.Own(draw.Normal, "  the draft begins anew from it")}, Do: func() tea.Cmd { return s.takeSuccessor(next) }},
			{Line: draw.Line{draw.Own(draw.Strong, "keep the text that stands here"), draw.Own(draw.Normal, "  what that one changed is not in it")}, Do: func() tea.Cmd {
				return tea.Batch(s.replace(explore.Retarget(s.doc.draft, from, to)), kit.Send(kit.Notice{Line: draw.Line{
					draw.Own(draw.Warn, "the text stays as it was"), draw.Own(draw.Normal, ": what "), draw.Say(draw.Strong, kit.ShortID(to, g)), draw.Own(draw.Normal, " changed is not in it"),
				}}))
			}},
		}}, nil
	})
}

// takeSuccessor begins the draft anew from another text. What was written in it until
// now can be had again.
func (s *Screen) takeSuccessor(next desk.Draft) tea.Cmd {
	keep := func() tea.Msg { return nil }
	if s.doc.draft.Created != s.doc.draft.Edited || s.form.steps.at > 0 {
		keep = s.keepFormer(next)
	}
	return tea.Sequence(kit.Say("begun anew from its text; ctrl+_ undoes it"), keep, s.replace(next))
}

// movedLine says what became of a target.
func movedLine(t explore.TargetFacts, g draw.Glyphs) draw.Line {
	line := draw.Line{draw.Own(draw.Normal, "target "), draw.Say(draw.Normal, kit.ShortID(t.ID, g)), draw.Own(draw.Normal, " is ")}
	if t.Retracted() {
		line = append(line, draw.Own(draw.Bad, "RETRACTED"), draw.Own(draw.Normal, " by its author"))
		if len(t.Successors) > 0 {
			line = append(line, draw.Own(draw.Normal, " and "))
		}
	}
	if len(t.Successors) > 0 {
		line = append(line, draw.Own(draw.Warn, "superseded by "), draw.Say(draw.Warn, draw.Int(len(t.Successors))))
	}
	return append(line, draw.Own(draw.Normal, " in "), draw.Say(draw.Normal, kit.ScopeName(t.Scope)))
}

// entryLine is one event of the library in a list.
func entryLine(e view.Entry, o kit.Options) draw.Line {
	line := draw.Line{draw.Say(draw.Normal, kit.ShortID(e.ID, o.Glyphs)), draw.Gap(1), draw.Say(draw.Strong, kit.TypeLetter(e.Type, e.Kind)), draw.Gap(1)}
	line = append(line, kit.LifeLine(e)...)
	return append(line, draw.Gap(1), draw.Own(draw.Gutter, o.Glyphs.Gutter), draw.Say(draw.Author, clean.Line(e.Title)))
}

// stepsPath is the field of the steps of a procedure.
const stepsPath = "/reproduction/steps"

// ownTarget reports whether this is an assessment of a capsule by its own author.
func (s *Screen) ownTarget() bool {
	k, ok := s.signer()
	for _, t := range s.doc.targets {
		if ok && s.doc.draft.Type == capsule.Assess && t.Held && t.Entry.Actor == k.Actor {
			return true
		}
	}
	return false
}

func (s *Screen) noCopySteps() clean.Words {
	if why := s.readOnly(); why != "" {
		return why
	}
	if s.doc.draft.Type != capsule.Assess {
		return "only an assessment can start from the steps of its target"
	}
	if _, err := identity.ParseID(s.doc.draft.Payload.Target); err != nil {
		return "there is no target yet"
	}
	return ""
}

// copySteps puts the target's steps in front, each to be confirmed as done. Nothing
// else of what was done is ever copied.
func (s *Screen) copySteps() tea.Cmd {
	session, text := s.shared.Session, s.doc.draft.Payload.Target
	return s.asks.steps.Ask(func(ctx context.Context) ([]desk.Step, error) {
		id, err := identity.ParseID(text)
		if err != nil {
			return nil, err
		}
		e, err := session.Event(ctx, id)
		if err != nil {
			return nil, err
		}
		var d desk.Draft
		if target, ok := e.(*capsule.Publication); ok {
			d.CopySteps(target)
		}
		return d.Payload.Reproduction.Steps, nil
	})
}

// takeSteps puts copied steps in front of those that are there now.
func (s *Screen) takeSteps(steps []desk.Step, err error) tea.Cmd {
	if err != nil {
		return failed(err)
	}
	if len(steps) == 0 {
		return kit.Say("the target describes no steps")
	}
	const list = "/reproduction/steps"
	order := slices.Concat(slices.Repeat([]int{-1}, len(steps)), s.places(list))
	cmd := s.reshape(list, 0, order, func() error {
		p := &s.doc.draft.Payload.Reproduction
		p.Steps = append(steps, p.Steps...)
		return nil
	})
	return tea.Batch(cmd, kit.Say("copied; alt+y on each says that you did it"))
}
