package services

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/slot"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/identity"
)

// form adds a service. It asks nothing of it.
type form struct {
	kit.Form
	session *explore.Session
	adding  *slot.Slot[desk.Service]
}

// Lines of the form.
const (
	lineOrigin = iota
	lineName
	linePrivate
)

// maxOrigin and maxName bound what is typed; the session checks it strictly.
const (
	maxOrigin = 300
	maxName   = 64
)

func newForm(s *explore.Session, o kit.Options) *form {
	note := func(w clean.Words) draw.Line { return draw.Line{draw.Own(draw.Quiet, w)} }
	f := &form{session: s, adding: slot.New[desk.Service](o.Work)}
	f.Form = kit.Form{
		Options: o, Title: "Add a service", Accept: f.accept,
		Lines: []*kit.FormLine{
			{Label: "origin", Field: draw.NewField(maxOrigin, "https://"), Note: note("its https origin, without a path. Nothing is asked of it until you check or follow it.")},
			{Label: "name", Field: draw.NewField(maxName, ""), Note: note("your own short name for it; left empty, it is made from the host.")},
			{Label: "private", Choices: []clean.Text{clean.Own("no"), clean.Own("yes")},
				Note: note("no: akx never connects to addresses of this machine or of private networks for it. Say yes only for a service of your own network: whoever controls its name could then reach into that network through akx.")},
		},
	}
	return f
}

func (f *form) accept() tea.Cmd {
	session := f.session
	service := desk.Service{
		Origin: identity.Origin(f.Lines[lineOrigin].Field.Value()), Name: f.Lines[lineName].Field.Value(),
		AllowPrivate: f.Lines[linePrivate].At == 1,
	}
	return f.adding.Ask(func(ctx context.Context) (desk.Service, error) { return session.AddService(ctx, service) })
}

// Update takes the answer, else what the form takes.
func (f *form) Update(msg tea.Msg) tea.Cmd {
	service, err, ok := f.adding.Take(msg)
	if !ok {
		return f.Form.Update(msg)
	}
	if f.Failed = err; err != nil {
		return nil
	}
	f.Options.Now(kit.Shut{})
	return tea.Batch(kit.Send(kit.Stirred{}), kit.Send(kit.Notice{Line: draw.Line{
		draw.Own(draw.Normal, "added "), draw.Say(draw.Strong, clean.Line(service.Name)), draw.Own(draw.Normal, "; nothing was asked of it: f follows it, L checks it"),
	}}))
}

// Close does not end the change: it is kept or refused as a whole.
func (f *form) Close() {}
