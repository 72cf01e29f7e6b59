package ui

import (
	"cmp"
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
)

// network is what the root knows of services: their states for the top row, and the
// syncs that the user started. A sync goes on whatever screen is shown.
type network struct {
	states  []explore.ServiceState
	reading *slot.Slot[[]explore.ServiceState]
	syncs   map[string]*running
	found   *found.Memory
	beating bool // a pulse is on its way
	round   []ended
	told    int // how much the notice of a sync that stands now matters

	// trouble is the service whose sync failed last, until the list of services is
	// opened on it; last is the one that was chosen or synced last.
	trouble, last string
}

// running is one sync. Stop ends it; its answer still comes, with what was done.
type running struct {
	asking *slot.Slot[explore.Synced]
	stop   context.CancelFunc
}

// ended is how one sync ended. A round of them is summed up: those that ran together.
type ended struct {
	name   string
	synced explore.Synced
	err    error
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
	if !r.network.syncing() {
		r.network.round = nil
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
	r.network.syncs[name], r.network.last = s, name
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
			r.knowServices(states)
		}
		return r.deliver(services.Known{States: states, Err: err}), true
	}
	for name, s := range r.network.syncs {
		if synced, err, ok := s.asking.Take(msg); ok {
			s.stop()
			delete(r.network.syncs, name)
			r.network.round = append(r.network.round, ended{name, synced, cmp.Or(err, synced.Err)})
			r.noteTrouble()
			r.tellRound()
			return tea.Batch(r.stirred(), r.written()), true
		}
	}
	return nil, false
}

// noteTrouble notes the first service of a round whose sync failed.
func (r *Root) noteTrouble() {
	r.network.trouble = ""
	for _, e := range r.network.round {
		if e.err != nil && !errors.Is(e.err, context.Canceled) {
			r.network.trouble = e.name
			return
		}
	}
}

// openServices opens the list of services on the one that is in trouble, else on the one
// that was used last; pressed there, it stays where it is.
func (r *Root) openServices() tea.Cmd {
	r.choseService()
	name := cmp.Or(r.network.trouble, r.network.last)
	r.network.trouble = ""
	return r.visit(kit.Route{Screen: kit.Services, Query: name})
}

// choseService notes the service that is chosen on the screen.
func (r *Root) choseService() {
	if c, ok := r.screen.(chooser); ok {
		r.network.last = cmp.Or(c.Chosen(), r.network.last)
	}
}

// chooser is a screen on which one service is chosen.
type chooser interface{ Chosen() string }

// openSearch opens the form of a ranked search, at the service that is chosen.
func (r *Root) openSearch() tea.Cmd {
	name := ""
	if c, ok := r.screen.(chooser); ok {
		name = c.Chosen()
	}
	return r.searchForm(name)
}

// searchForm opens the form at a service; without a name at the one that fits best.
func (r *Root) searchForm(name string) tea.Cmd {
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
	pieces := make([]draw.Line, len(shown))
	width := len(serviceGap) * max(len(shown)-1, 0)
	troubled := 0
	for i, v := range shown {
		pieces[i] = kit.ServiceBrief(services.Now(v), now)
		width += pieces[i].Width()
		if !v.Syncing && services.Now(v).Attention(now) > 0 {
			troubled++
		}
	}
	if width > room { // what wants attention comes first
		slices.SortStableFunc(shown, func(a, b explore.ServiceState) int {
			return cmp.Compare(services.Now(b).Attention(now), services.Now(a).Attention(now))
		})
		for i, v := range shown {
			pieces[i] = kit.ServiceBrief(services.Now(v), now)
		}
	}
	line := r.fit(pieces, room)
	told := draw.Line{draw.Say(draw.Warn, draw.Int(troubled)), draw.Own(draw.Normal, " of "), draw.Say(draw.Normal, draw.Int(len(pieces))), draw.Own(draw.Warn, " in trouble")}
	if troubled > 0 && line.Width() <= r.others(len(pieces)).Width() && told.Width() <= room {
		return told
	}
	return line
}

// others says how many services there is no room for.
func (r *Root) others(n int) draw.Line {
	return draw.Line{draw.Own(draw.Quiet, " +"), draw.Say(draw.Quiet, draw.Int(n))}
}

// serviceGap is what stands between two services in the top row, in its widths.
const serviceGap = " . "

// fit gives the pieces that there is room for, and how many others there are. The name
// in the first is cut rather than the state of its service.
func (r *Root) fit(pieces []draw.Line, room int) draw.Line {
	var line draw.Line
	for i, piece := range pieces {
		if i > 0 {
			piece = append(draw.Line{draw.Own(draw.Quiet, " "+r.config.Options.Glyphs.Dot+" ")}, piece...)
		}
		more := r.others(len(pieces) - i)
		rest := 0
		if i < len(pieces)-1 {
			rest = more.Width()
		}
		if over := line.Width() + piece.Width() + rest - room; i == 0 && over > 0 {
			const shortest = 3
			if name := piece[:1].Width() - over; name >= shortest {
				piece = append(piece[:1].Cut(name, r.config.Options.Glyphs.Ellipsis), piece[1:]...)
			}
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
