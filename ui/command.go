package ui

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/fault"
)

// command is one command of the ":" line.
type command struct {
	name   clean.Words
	takes  takes
	effect clean.Words
	run    func(r *Root, argument string) tea.Cmd
}

// takes says what may follow a command's name.
type takes uint8

const (
	nothing takes = iota
	something
	anything // something or nothing
)

// commands is the one table of the ":" line; the palette lists it too.
func commands() []command {
	return []command{
		{"open", something, "the page of an event: a full ID or its first 6 or more characters", (*Root).runOpen},
		{"search", something, "list what has all these terms in its text", func(r *Root, a string) tea.Cmd { return r.list(kit.List{Text: a}) }},
		{"kind", something, "list capsules of a kind: a name or its letter", (*Root).runKind},
		{"type", something, "list events of a type: publish, assess or retract", (*Root).runType},
		{"tag", something, "list capsules with a tag", filterBy("tag")},
		{"language", something, "list capsules in a language", filterBy("language")},
		{"actor", something, "list events signed by an Agent ID", filterBy("actor")},
		{"verdict", something, "list assessments with a verdict", filterBy("verdict")},
		{"target", something, "list events that point at an ID", filterBy("target")},
		{"relation", something, "list capsules with a relation", filterBy("relation")},
		{"retracted", nothing, "list capsules that their authors withdrew", runLifecycle(view.Retracted)},
		{"active", nothing, "list capsules without a retraction in this set", runLifecycle(view.Active)},
		{"browse", nothing, "list every capsule", func(r *Root, _ string) tea.Cmd { return r.list(kit.List{}) }},
		{seenByName, anything, "read what a followed service showed, by its name; without one, everything held", func(r *Root, a string) tea.Cmd { return r.seenBy(a) }},
		{"services", nothing, "list the services that are known", func(r *Root, _ string) tea.Cmd { return r.openServices() }},
		{"sync", anything, "follow a service by name, or every enabled one [network]", func(r *Root, a string) tea.Cmd { return r.sync(strings.Fields(a)) }},
		{searchAt, anything, "ask a service for ranked hits: its name, then the text [network]", (*Root).runSearchAt},
		{"drafts", nothing, "your drafts, and what you signed", (*Root).runDrafts},
		{"pending", nothing, "list events that wait", func(r *Root, _ string) tea.Cmd { return r.visit(kit.Route{Screen: kit.Waiting}) }},
		{"hist", nothing, "list visited places", func(r *Root, _ string) tea.Cmd { return r.openOverlay(r.visited()) }},
		{"help", nothing, "list keys and words", func(r *Root, _ string) tea.Cmd { return r.openOverlay(r.help()) }},
		{"quit", nothing, "leave akx", func(r *Root, _ string) tea.Cmd { return r.quit() }},
	}
}

// run runs a command line.
func (r *Root) run(line string) tea.Cmd {
	line = strings.TrimSpace(strings.TrimPrefix(line, ":"))
	if rest, ok := strings.CutPrefix(line, searchAt); ok {
		return r.runSearchAt(rest)
	}
	if line == "" {
		return nil
	}
	name, argument, _ := strings.Cut(line, " ")
	argument = strings.TrimSpace(argument)
	for _, c := range commands() {
		if string(c.name) != name {
			continue
		}
		switch {
		case c.takes == something && argument == "":
			return kit.Send(kit.Fail{Err: &fault.Usage{Detail: ":" + name + " takes something: " + string(c.effect)}})
		case c.takes == nothing && argument != "":
			return kit.Send(kit.Fail{Err: &fault.Usage{Detail: ":" + name + " takes nothing after it"}})
		}
		return c.run(r, argument)
	}
	return kit.Send(kit.Fail{Err: &fault.Usage{Detail: "no command is called " + name, Hint: "tab after : lists the commands"}})
}

// seenByName is the command that takes the name of one service.
const seenByName = "seen-by"

// searchAt is the command that has its service's name in its own.
const searchAt = "search@"

// runSearchAt asks the service that is named; what is left out, the form asks for.
func (r *Root) runSearchAt(rest string) tea.Cmd {
	name, text, _ := strings.Cut(strings.TrimSpace(rest), " ")
	switch text = strings.TrimSpace(text); {
	case text == "" && r.config.Options.Offline:
		return kit.Say(kit.OfflineWords)
	case name == "":
		return r.openSearch()
	case text == "":
		return r.searchForm(name)
	}
	return r.runRemote(name, text)
}

// begin is what the ":" line starts with for a command.
func (c command) begin() string {
	if c.name == searchAt {
		return searchAt
	}
	return string(c.name) + " "
}

func (r *Root) runOpen(typed string) tea.Cmd {
	session := r.config.Session
	return r.going.Ask(func(ctx context.Context) (kit.Route, error) { return resolve(ctx, session, typed) })
}

func (r *Root) runKind(name string) tea.Cmd {
	for _, k := range capsule.Kinds() {
		if len(name) == 1 && k.Letter() == strings.ToUpper(name)[0] {
			name = k.String()
		}
	}
	return filterBy("kind")(r, name)
}

func (r *Root) runType(name string) tea.Cmd {
	if !strings.Contains(name, ".") {
		name = "knowledge." + name
	}
	return filterBy("type")(r, name)
}

// filterBy makes a command that lists by one filter of 9.3.
func filterBy(parameter string) func(*Root, string) tea.Cmd {
	return func(r *Root, value string) tea.Cmd {
		var l kit.List
		if _, err := l.Filter.ParseFilter(parameter, value); err != nil {
			return kit.Send(kit.Fail{Err: err})
		}
		switch parameter { // what only one type has
		case "kind", "tag", "language", "relation":
			l.Filter.Type = capsule.Publish
		case "verdict":
			l.Filter.Type = capsule.Assess
		}
		return r.list(l)
	}
}

// runLifecycle makes a command that lists capsules in one state.
func runLifecycle(l view.Lifecycle) func(*Root, string) tea.Cmd {
	return func(r *Root, _ string) tea.Cmd {
		list := kit.List{Lifecycle: l}
		list.Filter.Type = capsule.Publish
		return r.list(list)
	}
}

func (r *Root) list(l kit.List) tea.Cmd {
	return r.visit(kit.Route{Screen: kit.Browse, Query: l.Encode()})
}

// commandLine is the overlay of the ":" line.
type commandLine struct {
	options  kit.Options
	services []string // the names of services, for commands that take one
	field    *draw.Field
}

func (r *Root) newCommand(start string) *commandLine {
	c := &commandLine{options: r.config.Options, field: draw.NewField(400, start)}
	for _, v := range r.network.states {
		c.services = append(c.services, v.Service.Name)
	}
	return c
}

func (c *commandLine) Typing() bool { return true }
func (c *commandLine) Close()       {}

func (c *commandLine) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		if msg.Type == tea.KeyTab {
			c.complete()
			return nil
		}
		c.field.Key(msg)
	case kit.Paste:
		c.field.Paste(msg.Text)
	}
	return nil
}

func (c *commandLine) Rows() []kit.Row {
	k := c.options.Keys
	return []kit.Row{
		k.Row("accept", func() tea.Cmd {
			c.options.Now(kit.Shut{})
			return c.options.Now(kit.Run{Line: c.field.Value()})
		}),
		k.Row("cancel", func() tea.Cmd { return c.options.Now(kit.Shut{}) }),
	}
}

// complete fills in the name when only one command, kind or verdict begins so.
func (c *commandLine) complete() {
	if found := c.candidates(); len(found) == 1 {
		c.field.SetValue(found[0])
	}
}

// candidates are the lines that what is typed may become.
func (c *commandLine) candidates() []string {
	typed := strings.TrimLeft(c.field.Value(), " ")
	name, argument, has := strings.Cut(typed, " ")
	var out []string
	switch {
	case strings.HasPrefix(typed, searchAt):
		before := typed[:len(typed)-len(strings.TrimLeft(typed[len(searchAt):], " "))]
		return c.named(before, typed[len(before):], " ")
	case name == seenByName && has:
		return c.named(seenByName+" ", argument, "")
	case name == "sync" && has:
		before := strings.LastIndex(typed, " ") + 1
		return c.named(typed[:before], typed[before:], "")
	}
	if !has {
		for _, cmd := range commands() {
			if strings.HasPrefix(string(cmd.name), name) {
				out = append(out, cmd.begin())
			}
		}
		return out
	}
	for _, value := range closedSet(name) {
		if strings.HasPrefix(value, argument) && value != argument {
			out = append(out, name+" "+value)
		}
	}
	return out
}

// named are the lines that end in the name of a service which begins so.
func (c *commandLine) named(before, begun, after string) []string {
	var out []string
	for _, service := range c.services {
		if strings.HasPrefix(service, begun) && service+after != begun {
			out = append(out, before+service+after)
		}
	}
	return out
}

// closedSet lists the values that a command can take, where there are few.
func closedSet(name string) []string {
	switch name {
	case "kind":
		return texts(capsule.Kinds())
	case "verdict":
		return texts(capsule.Verdicts())
	case "relation":
		return texts(capsule.Relations())
	case "type":
		return []string{"publish", "assess", "retract"}
	}
	return nil
}

func texts[T interface{ String() string }](values []T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = v.String()
	}
	return out
}

func (c *commandLine) Draw(f *draw.Frame, area draw.Rect) {
	row := draw.Rect{X: 0, Y: area.H - 2, W: area.W, H: 1}
	f.Clear(row)
	f.Put(row, 0, 0, draw.Line{draw.Own(draw.Key, " :")})
	c.field.Draw(f, row, 2, 0, draw.Normal)
	line := draw.Line{draw.Own(draw.Normal, " tab completes: ")}
	for _, candidate := range c.candidates() {
		word := candidate[strings.LastIndex(strings.TrimSpace(candidate), " ")+1:]
		line = append(line, draw.Say(draw.Link, clean.Line(word)), draw.Gap(1))
	}
	rows := draw.WrapLine(line, area.W-2)
	hints := draw.Rect{X: 0, Y: row.Y - len(rows), W: area.W, H: len(rows)}
	f.Clear(hints)
	for i, hint := range rows {
		f.Put(hints, min(i, 1), i, hint)
	}
}
