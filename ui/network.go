package ui

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/screen/found"
	"akx/ui/screen/services"
	"akx/ui/slot"
	"akx/view/clean"
)

// network is what the root knows of services: their states for the top row, and the
// syncs that the user started. A sync goes on whatever screen is shown.
type network struct {
	states  []explore.ServiceState
	reading *slot.Slot[[]explore.ServiceState]
	syncs   map[string]*running
	found   *found.Memory
	beating bool // a pulse is on its way
	told    int  // how much the notice of a sync that stands now matters
}

// running is one sync. Stop ends it; its answer still comes, with what was done.
type running struct {
	asking *slot.Slot[explore.Synced]
	stop   context.CancelFunc
}

// pulse is the time to look how far the syncs have come.
type pulse struct{}

// pulseEvery is how often that is: seldom enough to cost a sync nothing.
const pulseEvery = 500 * time.Millisecond

func newNetwork(o kit.Options, m *found.Memory) network {
	return network{reading: slot.New[[]explore.ServiceState](o.Work), syncs: make(map[string]*running), found: m}
}

// syncing reports whether any sync is under way.
func (n *network) syncing() bool {
	for _, s := range n.syncs {
		if s.asking.Waiting() {
			return true
		}
	}
	return false
}

// look reads the states of the services; it asks none of them.
func (r *Root) look() tea.Cmd { return r.network.reading.Ask(r.config.Session.ListServices) }

// stirred reads again what is known of services, here and on the screen.
func (r *Root) stirred() tea.Cmd { return tea.Batch(r.look(), r.deliver(kit.Stirred{})) }

// beat looks again in a moment, for as long as a sync runs.
func (r *Root) beat() tea.Cmd {
	if r.network.beating || r.config.Poll <= 0 || !r.network.syncing() {
		return nil
	}
	r.network.beating = true
	return tea.Tick(pulseEvery, func(time.Time) tea.Msg { return pulse{} })
}

// sync follows services in the background; no names means every enabled one.
func (r *Root) sync(names []string) tea.Cmd {
	if r.config.Options.Offline {
		return kit.Say(kit.OfflineWords)
	}
	if len(names) == 0 {
		for _, v := range r.network.states {
			if v.Service.Enabled {
				names = append(names, v.Service.Name)
			}
		}
	}
	if len(names) == 0 {
		return kit.Say("no service is enabled; s lists the services")
	}
	var cmds []tea.Cmd
	for _, name := range names {
		cmds = append(cmds, r.syncOne(name))
	}
	return tea.Batch(append(cmds, r.beat(), r.stirred())...)
}

func (r *Root) syncOne(name string) tea.Cmd {
	s := r.network.syncs[name]
	if s != nil && s.asking.Waiting() {
		return kit.Say("a sync of this service runs already; . stops it")
	}
	stopped, stop := context.WithCancel(context.Background())
	s = &running{slot.New[explore.Synced](r.config.Options.Work), stop}
	r.network.syncs[name] = s
	session := r.config.Session
	return s.asking.Ask(func(context.Context) (explore.Synced, error) { return session.Sync(stopped, name, nil) })
}

// stopSync ends a sync; what came stays.
func (r *Root) stopSync(name string) {
	if s := r.network.syncs[name]; s != nil {
		s.stop()
	}
}

func (r *Root) stopSyncs() {
	for _, s := range r.network.syncs {
		s.stop()
	}
}

// answered takes the states of services, and the end of a sync.
func (r *Root) answered(msg tea.Msg) (tea.Cmd, bool) {
	if states, err, ok := r.network.reading.Take(msg); ok {
		if err == nil { // without them reading goes on; the list of services says why
			r.network.states = states
		}
		return nil, true
	}
	for name, s := range r.network.syncs {
		if synced, err, ok := s.asking.Take(msg); ok {
			s.stop()
			delete(r.network.syncs, name)
			r.synced(name, synced, err)
			return r.stirred(), true
		}
	}
	return nil, false
}

// What the end of a sync matters: a lesser one does not take the place of a greater
// one that stands in the footer.
const (
	toldNothing = iota
	toldNew
	toldFailed
)

// tell puts a notice of a sync in the footer.
func (r *Root) tell(matters int, n kit.Notice) {
	if r.notice != nil && matters < r.network.told {
		return
	}
	r.notice, r.network.told = &n, matters
}

// synced tells how a sync ended, in one calm line.
func (r *Root) synced(name string, s explore.Synced, err error) {
	line := draw.Line{draw.Say(draw.Strong, clean.Line(name)), draw.Own(draw.Normal, ": ")}
	if err == nil {
		err = s.Err
	}
	added, matters := draw.Say(draw.Strong, draw.Int(s.Progress.Added)), toldNew
	switch {
	case errors.Is(err, context.Canceled):
		line = append(line, draw.Own(draw.Normal, "stopped, and what came stays: "), added, draw.Own(draw.Normal, " new events; R shows them"))
	case err != nil:
		line = append(append(line, draw.ErrorLine(err)...), draw.Own(draw.Normal, "; s, then f tries again"))
		r.tell(toldFailed, kit.Notice{Line: line, Bad: true})
		return
	case s.Progress.Added == 1:
		line = append(line, draw.Own(draw.Strong, "1"), draw.Own(draw.Normal, " new event: R shows it"))
	case s.Progress.Added > 0:
		line = append(line, added, draw.Own(draw.Normal, " new events: R shows them"))
	default:
		matters = toldNothing
		line = append(line, draw.Own(draw.Normal, "nothing new up to #"), draw.Say(draw.Normal, draw.Int(s.After.Checkpoint)))
	}
	if short := s.Fetched.Short(); short != nil {
		line = append(append(line, draw.Own(draw.Normal, "; ")), draw.ErrorLine(short)...)
	}
	r.tell(matters, kit.Notice{Line: line})
}

// chooser is a screen on which one service is chosen.
type chooser interface{ Chosen() string }

// openSearch opens the form of a ranked search, at the service that is chosen.
func (r *Root) openSearch() tea.Cmd {
	name := ""
	if c, ok := r.screen.(chooser); ok {
		name = c.Chosen()
	}
	form := found.NewForm(r.config.Session, r.config.Options, r.network.found, name)
	r.openOverlay(form)
	return form.Read()
}

// runRemote asks a service for lexical hits: the command search@NAME.
func (r *Root) runRemote(name, text string) tea.Cmd {
	q, err := found.Ask(name, text)
	if err != nil {
		return kit.Send(kit.Fail{Err: err})
	}
	return r.visit(found.Go(r.network.found, q).Route)
}

// serviceLine is the services in the top row, as many as there is room for; none of
// their own words stands in it.
func (r *Root) serviceLine(room int) draw.Line {
	now := r.config.Options.Clock()
	shown := slices.DeleteFunc(slices.Clone(r.network.states), func(v explore.ServiceState) bool {
		return !v.Service.Enabled && !v.Follow.Complete
	})
	var line draw.Line
	for i, v := range shown {
		piece := kit.ServiceBrief(services.Now(v), now)
		if i > 0 {
			piece = append(draw.Line{draw.Own(draw.Quiet, " "+r.config.Options.Glyphs.Dot+" ")}, piece...)
		}
		more := draw.Line{draw.Own(draw.Quiet, " +"), draw.Say(draw.Quiet, draw.Int(len(shown)-i))}
		rest := 0
		if i < len(shown)-1 {
			rest = more.Width()
		}
		if line.Width()+piece.Width()+rest > room {
			if line.Width()+more.Width() <= room {
				line = append(line, more...)
			}
			return line
		}
		line = append(line, piece...)
	}
	return line
}
