package services

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/slot"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// form adds a service, or changes one that is known. It asks nothing of it.
type form struct {
	kit.Form
	session *explore.Session
	known   string // the name of the service that is changed; empty adds one
	origin  *kit.FormLine
	name    *kit.FormLine
	private *kit.FormLine
	caFile  *kit.FormLine
	tokens  *kit.FormLine    // nil where there are no keys
	signers []identity.Actor // by the choices of tokens, the first is none
	keeping *slot.Slot[desk.Service]
}

// changed tells the list which service was added or changed.
type changed struct{ name string }

// These bound what is typed; the session checks it strictly.
const (
	maxOrigin = 300
	maxName   = 64
	maxPath   = 4096
)

func newForm(s *explore.Session, o kit.Options) *form {
	f := settingsForm(s, o, desk.Service{})
	f.Title, f.name.Note = "Add a service", note("your own short name for it; left empty, it is made from the host.")
	f.origin = &kit.FormLine{Label: "origin", Field: draw.NewField(maxOrigin, ""), Note: note("its https origin, such as https://hub.example or hub.example:8443, without a path. Nothing is asked of it until you check or follow it.")}
	f.Lines = append([]*kit.FormLine{f.origin}, f.Lines...)
	return f
}

// newEdit makes the form that changes a known service. Its origin stays what it is:
// under another one it would be another service.
func newEdit(s *explore.Session, o kit.Options, v desk.Service) *form {
	f := settingsForm(s, o, v)
	f.Title, f.known, f.name.Note = "Change a service", v.Name, append(note("your own short name for it; its origin stays "), draw.Say(draw.Normal, clean.Line(string(v.Origin))))
	return f
}

func note(w clean.Words) draw.Line { return draw.Line{draw.Own(draw.Quiet, w)} }

// settingsForm has the lines of what can be changed later.
func settingsForm(s *explore.Session, o kit.Options, v desk.Service) *form {
	f := &form{
		session: s, keeping: slot.New[desk.Service](o.Work),
		name: &kit.FormLine{Label: "name", Field: draw.NewField(maxName, v.Name)},
		private: &kit.FormLine{Label: "private", Choices: []clean.Text{clean.Own("no"), clean.Own("yes")},
			Note: note("no: akx never connects to addresses of this machine or of private networks for it. Say yes only for a service of your own network: whoever controls its name could then reach into that network through akx.")},
		caFile: &kit.FormLine{Label: "CA file", Field: draw.NewField(maxPath, v.CAFile),
			Note: note("a file of certificates (PEM) that are trusted for this service alone, beside the system's; left empty, the system's are.")},
	}
	if v.AllowPrivate {
		f.private.At = 1
	}
	f.Form = kit.Form{Options: o, Accept: f.accept, Lines: []*kit.FormLine{f.name, f.private, f.caFile}}
	f.chooseTokens(v.Token)
	return f
}

// chooseTokens adds the line that says whose request tokens the service is shown.
func (f *form) chooseTokens(now identity.Actor) {
	if f.Options.Desk == nil || f.Options.Sample {
		return
	}
	own := f.Options.Desk.Own
	signers := slices.SortedFunc(maps.Keys(own), func(a, b identity.Actor) int { return cmp.Compare(own[a], own[b]) })
	if _, here := own[now]; !here && !now.IsZero() {
		signers = append(signers, now)
	}
	if len(signers) == 0 {
		return
	}
	f.signers = append([]identity.Actor{{}}, signers...)
	f.tokens = &kit.FormLine{Label: "tokens", At: slices.Index(f.signers, now),
		Note: note("none: it is not told who sends. With a key, what you send to it carries a request token of that key, made for this service alone; other services see none.")}
	for _, a := range f.signers {
		name := clean.Line(own[a])
		switch {
		case a.IsZero():
			name = clean.Own("none")
		case own[a] == "":
			name = clean.Own("a key that is not here")
		}
		f.tokens.Choices = append(f.tokens.Choices, name)
	}
	f.Lines = append(f.Lines, f.tokens)
}

// token is whose request tokens were chosen; before is kept where there is no choice.
func (f *form) token(before identity.Actor) identity.Actor {
	if f.tokens == nil {
		return before
	}
	return f.signers[f.tokens.At]
}

func (f *form) accept() tea.Cmd {
	session, known, token := f.session, f.known, f.token
	service := desk.Service{Name: f.name.Field.Value(), AllowPrivate: f.private.At == 1, CAFile: f.caFile.Field.Value()}
	if f.origin != nil {
		service.Origin = identity.Origin(f.origin.Field.Value())
		if !strings.Contains(string(service.Origin), "://") { // there is one scheme only
			service.Origin = "https://" + service.Origin
		}
	}
	return f.keeping.Ask(func(ctx context.Context) (desk.Service, error) {
		var err error
		if service.CAFile, err = fullPath(service.CAFile); err != nil {
			return desk.Service{}, err
		}
		if known == "" {
			service.Token = token(identity.Actor{})
			return session.AddService(ctx, service)
		}
		return session.ChangeService(ctx, known, func(v *desk.Service) {
			v.Name, v.AllowPrivate, v.CAFile, v.Token = service.Name, service.AllowPrivate, service.CAFile, token(v.Token)
		})
	})
}

// fullPath makes a path one that holds from every directory; none stays none.
func fullPath(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return "", &fault.Unavailable{Code: fault.UnavailableCode, What: path, Detail: "the path cannot be made absolute", Hint: "type it from the root on", Err: err}
	}
	return full, nil
}

// Update takes the answer, else what the form takes.
func (f *form) Update(msg tea.Msg) tea.Cmd {
	service, err, ok := f.keeping.Take(msg)
	if !ok {
		return f.Form.Update(msg)
	}
	if f.Failed = err; err != nil {
		return nil
	}
	f.Options.Now(kit.Shut{})
	done := clean.Words("added ")
	if f.known != "" {
		done = "changed "
	}
	return tea.Batch(kit.Send(changed{service.Name}), kit.Send(kit.Notice{Line: draw.Line{
		draw.Own(draw.Normal, done), draw.Say(draw.Strong, clean.Line(service.Name)), draw.Own(draw.Normal, "; nothing was asked of it: f follows it, L checks it"),
	}}))
}

// Close does not end the change: it is kept or refused as a whole.
func (f *form) Close() {}
