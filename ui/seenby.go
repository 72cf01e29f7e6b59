package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/screen/services"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/fault"
)

// ofSets are the screens that read a set; on them it is chosen.
var ofSets = []string{kit.Browse, kit.Page, kit.Links, kit.Versions, kit.Review}

// within are the screens on which a reader stays within a set: those that read it, and
// those that lead to them.
var within = append([]string{kit.Raw}, ofSets...)

// here is where the reader is. The set that was chosen stays with them on screens that
// show more than it, such as the raw envelope.
func (r *Root) here() kit.Route {
	route := r.screen.Route()
	if slices.Contains(within, route.Screen) {
		route.SeenBy = r.history.current().SeenBy
	}
	return route
}

// inSet gives a new step the set of the place that it is taken from. The list of
// everything, which has no filter, is that of everything held.
func (r *Root) inSet(route kit.Route) kit.Route {
	everything := route.Screen == kit.Browse && route.Query == ""
	if !everything && slices.Contains(within, route.Screen) {
		route.SeenBy = r.history.current().SeenBy
	}
	return route
}

// readSet shows the place in another set: here, or as the list of capsules where no set
// is read here.
func (r *Root) readSet(origin string) tea.Cmd {
	route := r.here()
	if !slices.Contains(ofSets, route.Screen) {
		var capsules kit.List
		capsules.Filter.Type = capsule.Publish
		route = kit.Route{Screen: kit.Browse, Query: capsules.Encode()}
	}
	route.SeenBy = origin
	return r.enter(route)
}

// seenBy reads the set of a service by its name or origin; no name is everything held.
func (r *Root) seenBy(name string) tea.Cmd {
	if name == "" {
		return r.readSet("")
	}
	for _, v := range r.network.states {
		switch {
		case v.Service.Name != name && string(v.Service.Origin) != name:
		case !v.Follow.Complete:
			return notFollowed(v)
		default:
			return r.readSet(string(v.Service.Origin))
		}
	}
	return kit.Send(kit.Fail{Err: &fault.Usage{Detail: "no service is called " + name, Hint: "s lists the services"}})
}

func notFollowed(v explore.ServiceState) tea.Cmd {
	line := draw.Line{draw.Say(draw.Strong, clean.Line(v.Service.Name)),
		draw.Own(draw.Normal, " is not followed to the end, so its set is not known here: s lists the services, f follows one")}
	return kit.Send(kit.Notice{Line: line})
}

// chooseSet opens the menu of what can be read.
func (r *Root) chooseSet() tea.Cmd {
	current := r.here().SeenBy
	choice := func(origin string, line draw.Line, do func() tea.Cmd) kit.Choice {
		mark := clean.Words("  ")
		if origin == current {
			mark = "> "
		}
		return kit.Choice{Line: append(draw.Line{draw.Own(draw.Key, mark)}, line...), Do: do}
	}
	choices := []kit.Choice{choice("", draw.Line{draw.Own(draw.Strong, "everything held")}, func() tea.Cmd { return r.readSet("") })}
	now := r.config.Options.Clock()
	for _, v := range r.network.states {
		line := append(draw.Line{draw.Own(draw.Normal, "seen by ")}, kit.ServiceBrief(services.Now(v), now)...)
		do := func() tea.Cmd { return r.readSet(string(v.Service.Origin)) }
		if !v.Follow.Complete {
			line = append(line, draw.Own(draw.Quiet, ": not followed to the end"))
			do = func() tea.Cmd { return notFollowed(v) }
		}
		choices = append(choices, choice(string(v.Service.Origin), line, do))
	}
	return r.config.Options.Now(kit.Choose{Title: "Whose set to read, from the cache; nothing is asked of any service", Choices: choices})
}

// knowServices takes the states of services, and their names.
func (r *Root) knowServices(states []explore.ServiceState) {
	r.network.states = states
	names := make(map[string]string, len(states))
	for _, v := range states {
		names[string(v.Service.Origin)] = v.Service.Name
	}
	r.config.Options.Services.Know(names)
}
