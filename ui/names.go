package ui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/slot"
	"akx/view/clean"
	"akx/view/identity"
)

// namer is the form in which the user names an Agent ID.
type namer struct {
	kit.Form
	writer *explore.Writer
	actor  identity.Actor
	asking *slot.Slot[string]
}

// maxName bounds what is typed, in characters; the writer checks it strictly.
const maxName = 2 * explore.MaxPetname

// name opens the form for an Agent ID.
func (r *Root) name(want kit.Name) tea.Cmd {
	if r.work.shared == nil {
		return kit.Say("nothing can be written here")
	}
	o := r.config.Options
	n := &namer{writer: r.work.shared.Writer, actor: want.Actor, asking: slot.New[string](o.Work)}
	n.Form = kit.Form{Options: o, Title: "Your own name of an Agent ID", Accept: n.accept, Lines: []*kit.FormLine{{
		Label: "name", Field: draw.NewField(maxName, o.Desk.Names[want.Actor]),
		Note: draw.Line{
			draw.Own(draw.Quiet, "of "), draw.Say(draw.Normal, clean.Line(want.Actor.String())),
			draw.Own(draw.Quiet, ". It is kept here, signed by nobody and shown to nobody else; it stands beside the ID as ~name, never instead of it. Left empty, it is forgotten."),
		},
	}}}
	return r.openOverlay(n)
}

func (n *namer) accept() tea.Cmd {
	if n.asking.Waiting() {
		return nil
	}
	writer, actor, name := n.writer, n.actor, n.Lines[0].Field.Value()
	return n.asking.Ask(func(ctx context.Context) (string, error) { return name, writer.SetPetname(ctx, actor, name) })
}

// Close ends nothing: a name is kept or not.
func (n *namer) Close() {}

// Update takes how the name was kept, else what the form takes.
func (n *namer) Update(msg tea.Msg) tea.Cmd {
	name, err, ok := n.asking.Take(msg)
	if !ok {
		return n.Form.Update(msg)
	}
	if n.Failed = err; err != nil {
		return nil
	}
	n.Options.Now(kit.Shut{})
	done := kit.Say("the name is kept; = changes or forgets it")
	if name == "" {
		done = kit.Say("there is no name of yours for this Agent ID now")
	}
	return tea.Batch(done, kit.Send(kit.Written{}))
}
