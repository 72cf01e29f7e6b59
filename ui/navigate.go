package ui

import (
	"context"
	"encoding/json"
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view/clean"
	"akx/view/fault"
	"akx/view/identity"
)

// builder makes a screen at a place.
type builder func(kit.Route) kit.Screen

// build makes the screen of a route; an unknown one is Browse, so that a state
// written by another version still opens.
func (r *Root) build(route kit.Route) kit.Screen {
	make, ok := r.builders[route.Screen]
	if !ok {
		make, route = r.builders[kit.Browse], kit.Route{Screen: kit.Browse}
	}
	return make(route)
}

// visit takes a new step within the set that is read here.
func (r *Root) visit(route kit.Route) tea.Cmd { return r.enter(r.inSet(route)) }

// enter takes a new step.
func (r *Root) enter(route kit.Route) tea.Cmd {
	return r.move(func(h *history) bool {
		h.push(route)
		return true
	})
}

// move leaves the screen, changes the history and shows where that leads.
func (r *Root) move(change func(*history) bool) tea.Cmd {
	r.history.keep(r.here())
	r.choseService()
	if !change(&r.history) {
		return kit.Say("nowhere to go that way")
	}
	r.screen.Hide()
	r.growth.caughtUp()
	r.early = ""
	for len(r.overlays) > 0 {
		r.shut()
	}
	r.screen = r.build(r.history.current())
	return tea.Batch(r.screen.Show(r.area()), r.save())
}

// state is what the next start comes back to.
type state struct {
	Visits []kit.Route `json:"visits"`
	At     int         `json:"at"`
}

// State gives the place as it is now.
func (r *Root) State() []byte {
	visits := append([]kit.Route(nil), r.history.visits...)
	if r.screen != nil {
		visits[r.history.at] = r.here()
	}
	data, err := json.Marshal(state{visits, r.history.at})
	if err != nil {
		return nil
	}
	return data
}

// restore reads a kept place; one that makes no sense is left.
func (r *Root) restore(data []byte) {
	r.history.push(kit.Route{Screen: kit.Browse})
	var s state
	if json.Unmarshal(data, &s) != nil || len(s.Visits) == 0 || len(s.Visits) > maxVisits || s.At < 0 || s.At >= len(s.Visits) {
		return
	}
	r.history = history{visits: s.Visits, at: s.At, last: s.At}
}

// save keeps the place off the update loop, so that a crash costs nothing.
func (r *Root) save() tea.Cmd {
	if r.config.Save == nil {
		return nil
	}
	data, keep := r.State(), r.config.Save
	return r.saving.Ask(func(context.Context) (struct{}, error) { return struct{}{}, keep(data) })
}

// copy puts text on the clipboard off the update loop and says how.
func (r *Root) copy(c kit.Copy) tea.Cmd {
	put := r.config.Copy
	if put == nil {
		return kit.Say("copying is not available here")
	}
	return r.outside.Ask(func(context.Context) (kit.Notice, error) {
		how, err := put(c.Text)
		line := draw.Line{draw.Own(draw.Normal, "copied "), draw.Own(draw.Strong, c.What), draw.Own(draw.Normal, " "), draw.Say(draw.Normal, clean.Line(how))}
		return kit.Notice{Line: line}, err
	})
}

// browse opens a URL in the user's browser.
func (r *Root) browse(url string) tea.Cmd {
	open := r.config.Visit
	if open == nil {
		return kit.Say("no browser can be opened here; copy the URL instead")
	}
	return r.outside.Ask(func(context.Context) (kit.Notice, error) {
		line := draw.Line{draw.Own(draw.Normal, "asked the browser to open "), draw.Say(draw.Normal, clean.Line(url))}
		return kit.Notice{Line: line}, open(url)
	})
}

// resolve turns an ID as typed into a step to its page. A full ID needs not be held: its
// page offers to ask services for it.
func resolve(ctx context.Context, s *explore.Session, typed string) (kit.Route, error) {
	known, err := s.Resolve(ctx, typed)
	var absent *fault.NotHeld
	if errors.As(err, &absent) {
		if id, full := identity.ParseID(absent.ID); full == nil {
			return kit.Route{Screen: kit.Page, ID: id.String()}, nil
		}
	}
	if err != nil {
		return kit.Route{}, err
	}
	if known.Pending {
		return kit.Route{Screen: kit.Waiting, At: known.ID.String()}, nil
	}
	return kit.Route{Screen: kit.Page, ID: known.ID.String()}, nil
}
