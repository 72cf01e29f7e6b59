package found

import (
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/slot"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/fault"
	"akx/view/wire"
)

// Form asks for a text, a service and a mode that the service advertises.
type Form struct {
	kit.Form
	session  *explore.Session
	memory   *Memory
	name     string // the service that it starts with; empty leaves it to the form
	services []explore.ServiceState
	chosen   int // whose modes are offered now
	reading  *slot.Slot[[]explore.ServiceState]
}

// Lines of the form.
const (
	lineText = iota
	lineService
	lineMode
	lineLimit
)

// NewForm makes the form; Read fills in the services.
func NewForm(s *explore.Session, o kit.Options, m *Memory, name string) *Form {
	note := func(w clean.Words) draw.Line { return draw.Line{draw.Own(draw.Quiet, w)} }
	f := &Form{session: s, memory: m, name: name, chosen: -1, reading: slot.New[[]explore.ServiceState](o.Work)}
	f.Form = kit.Form{
		Options: o, Title: "Search at a service [network]", Accept: f.accept,
		Lines: []*kit.FormLine{
			{Label: "text", Field: draw.NewField(capsule.MaxTextScalars, ""), Note: note("this text is sent to the one service below, and to no other.")},
			{Label: "service"}, {Label: "mode"},
			{Label: "hits", Field: draw.NewField(3, strconv.Itoa(defaultLimit)), Note: note("at most so many: 1 to 100.")},
		},
	}
	return f
}

// Read asks which services there are.
func (f *Form) Read() tea.Cmd { return f.reading.Ask(f.session.ListServices) }

// Close ends what it reads.
func (f *Form) Close() { f.reading.Cancel() }

// Update takes the services, else what a form takes.
func (f *Form) Update(msg tea.Msg) tea.Cmd {
	list, err, ok := f.reading.Take(msg)
	if !ok {
		cmd := f.Form.Update(msg)
		f.offerModes()
		return cmd
	}
	if f.Failed = err; err != nil {
		return nil
	}
	line := f.Lines[lineService]
	f.services, line.Choices = nil, nil
	for _, v := range list {
		if v.Service.Enabled {
			f.services = append(f.services, v)
			line.Choices = append(line.Choices, clean.Line(v.Service.Name))
		}
	}
	line.At = f.start()
	if len(f.services) == 0 {
		line.Note = draw.Line{draw.Own(draw.Warn, "no service is enabled; s lists the services")}
	}
	f.offerModes()
	return nil
}

// start is the service that the form begins with: the one that was chosen, else the one
// that was asked last, else the first that is known to rank or may do so.
func (f *Form) start() int {
	for _, name := range []string{f.name, f.memory.last} {
		if i := slices.IndexFunc(f.services, func(v explore.ServiceState) bool { return v.Service.Name == name }); i >= 0 {
			return i
		}
	}
	ranks := func(v explore.ServiceState) bool { return v.Discovery != nil && v.Discovery.Ranked() }
	unread := func(v explore.ServiceState) bool { return v.Discovery == nil }
	for _, able := range []func(explore.ServiceState) bool{ranks, unread} {
		if i := slices.IndexFunc(f.services, able); i >= 0 {
			return i
		}
	}
	return 0
}

// offerModes offers what the chosen service advertised last, in this session or before:
// a hint, which the search itself checks. One that was never checked is asked in lexical
// mode, which every ranked search has (9.2).
func (f *Form) offerModes() {
	at := f.Lines[lineService].At
	if at == f.chosen || at >= len(f.services) {
		return
	}
	f.chosen = at
	line, d, age := f.Lines[lineMode], f.services[at].Discovery, kit.Age(f.services[at].DescribedAt, f.Options.Clock())
	line.At, line.Choices = 0, []clean.Text{clean.Line(wire.Lexical.String())}
	switch {
	case d == nil:
		line.Note = draw.Line{draw.Own(draw.Quiet, "other modes are offered once the service was checked (s, then L).")}
	case !d.Ranked():
		line.Choices, line.Note = nil, draw.Line{draw.Own(draw.Warn, "this service offers no ranked search, as of "), draw.Say(draw.Warn, age), draw.Own(draw.Warn, " ago.")}
	default:
		line.Note = draw.Line{draw.Own(draw.Quiet, "as it advertised "), draw.Say(draw.Quiet, age), draw.Own(draw.Quiet, " ago. Lexical: every term, as typed, stands in each hit.")}
		for _, name := range d.Modes {
			if mode, known := wire.ParseMode(name); known && mode != wire.Lexical {
				line.Choices = append(line.Choices, clean.Line(name))
			}
		}
	}
}

// accept asks: the one step of the user that sends the text.
func (f *Form) accept() tea.Cmd {
	text, mode := f.Lines[lineText].Field.Value(), f.Lines[lineMode]
	if len(f.services) == 0 || len(mode.Choices) == 0 {
		f.Failed = &fault.Usage{Detail: "there is no service that can be asked", Hint: "enable one, or choose another"}
		return nil
	}
	q := Question{Service: f.services[f.Lines[lineService].At].Service.Name, Text: text}
	q.Mode, _ = wire.ParseMode(mode.Choices[mode.At].String())
	q.Limit, f.Failed = parseLimit(f.Lines[lineLimit].Field.Value())
	if f.Failed == nil {
		f.Failed = q.check()
	}
	if f.Failed != nil {
		return nil
	}
	f.Options.Now(kit.Shut{})
	return f.Options.Now(Go(f.memory, q))
}

// Go notes that the user asks a question and gives the step to its answer.
func Go(m *Memory, q Question) kit.Go {
	m.Want(q)
	return kit.Go{Route: kit.Route{Screen: kit.Found, Query: q.Encode()}}
}
