// Package ui is the explorer: the root that sorts messages, the registry of its
// screens, the overlays and the frame around them. Only this package knows all
// screens, and only ui/... knows Bubble Tea.
package ui

import (
	"context"
	"errors"
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/screen/compose"
	"akx/ui/screen/found"
	"akx/ui/slot"
	"akx/ui/term"
	"akx/view/fault"
)

// Smallest size that screens are drawn at.
const (
	minColumns = 60
	minRows    = 16
)

// Config is what the explorer needs from the program around it.
type Config struct {
	Session *explore.Session
	Options kit.Options
	// State is what Save was last given; nil at the first start.
	State []byte
	// Save keeps the place for the next start. It is called off the update loop.
	Save func([]byte) error
	// Copy puts text on the clipboard and says how, in akx's own words.
	Copy func(text string) (how string, err error)
	// Visit opens a URL in the user's browser.
	Visit func(url string) error
	// Writer and Keys write, sign and send for the user; without one of them nothing can
	// be written.
	Writer *explore.Writer
	Keys   compose.Keys
	// OpenFile opens a file that the user named, and gives its size.
	OpenFile func(name string) (io.ReadCloser, int64, error)
	// Edit opens a text in the user's own editor, and gives what it saved to Done.
	Edit func(kit.Edit) tea.Cmd
	// Texts keeps what editors saved until drafts have taken it; nil keeps it in memory.
	Texts compose.Texts
	// Caret places the real cursor; visible is false where no text is typed.
	Caret func(x, y int, visible bool)
	// Shade makes the theme for a background that the terminal tells of later; nil
	// keeps the theme.
	Shade func(dark bool) *draw.Theme
	// Poll is how often to look whether another process has added events; 0 is never.
	Poll time.Duration
	// Start is where to begin instead of the kept place.
	Start *kit.Route
}

// Root sorts messages: overlay, then a screen that takes text, then the screen's
// rows, then global rows. It does nothing else.
type Root struct {
	config   Config
	builders map[string]builder
	size     kit.Size
	history  history
	screen   kit.Screen
	overlays []kit.Overlay
	notice   *kit.Notice
	lost     error  // why what is the user's own cannot be read, told at the start
	prefix   string // the first key of a sequence
	early    string // a key that came before what it is for was read
	mouse    bool
	saving   *slot.Slot[struct{}]
	outside  *slot.Slot[kit.Notice] // clipboard and browser
	going    *slot.Slot[kit.Route]  // an ID that was typed
	growth   growth
	network  network
	work     ownWork
	quitting bool
}

// New makes the explorer's model.
func New(c Config) *Root {
	c.Options.Queue, c.Options.Services = &kit.Queue{}, &kit.ServiceNames{}
	if c.Writer != nil && c.Keys != nil {
		c.Options.Desk = &kit.Desk{}
	}
	memory, work := found.NewMemory(), newOwnWork(c)
	r := &Root{
		config: c, work: work, builders: registry(c.Session, c.Options, memory, work.shared), mouse: c.Options.Mouse, network: newNetwork(c.Options, memory),
		saving: slot.New[struct{}](c.Options.Work), outside: slot.New[kit.Notice](c.Options.Work),
		going: slot.New[kit.Route](c.Options.Work), growth: growth{asking: slot.New[uint64](c.Options.Work), dot: c.Options.Glyphs.Dot},
	}
	r.restore(c.State)
	if c.Start != nil {
		r.history.push(*c.Start)
	}
	return r
}

// Init shows the first screen; its size comes with the first resize.
func (r *Root) Init() tea.Cmd {
	r.screen = r.build(r.history.current())
	return tea.Batch(r.growth.start(r.config), r.look(), r.recoverWork())
}

// Update sorts one message, and then what it made screens wish for.
func (r *Root) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmds := []tea.Cmd{r.sort(msg)}
	for wish, ok := r.config.Options.Queue.Next(); ok; wish, ok = r.config.Options.Queue.Next() {
		cmds = append(cmds, r.sort(wish))
	}
	return r, tea.Batch(cmds...)
}

// sort handles what comes from the terminal and from the root's own clocks; all else
// is a wish of a screen.
func (r *Root) sort(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		r.size = kit.Size{W: max(msg.Width, 0), H: max(msg.Height, 0)}
		return r.screen.Show(r.area())
	case tea.KeyMsg:
		r.notice, r.early = nil, ""
		return r.keys(msg)
	case term.Paste:
		return r.pasted(msg)
	case term.Background:
		if r.config.Shade != nil {
			r.config.Options.Theme = r.config.Shade(msg.Dark)
		}
		return nil
	case tea.MouseMsg:
		return r.mouseEvent(tea.MouseEvent(msg))
	case chosen:
		return msg.do()
	case tick:
		return tea.Batch(r.growth.ask(r.config.Session), r.look(), r.retry())
	case pulse:
		r.network.beating = false
		return tea.Batch(r.beat(), r.stirred())
	}
	return r.wish(msg)
}

// wish does what a screen or an overlay wants of the root; all else is an answer
// that somebody waits for.
func (r *Root) wish(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case kit.Go:
		return r.visit(msg.Route)
	case kit.Instead:
		return r.move(func(h *history) bool { return h.replace(msg.Route) })
	case kit.Step:
		return r.move(func(h *history) bool { return h.step(msg.By) })
	case kit.Open:
		r.overlays = append(r.overlays, msg.Overlay)
		return msg.Then
	case kit.Shut:
		r.shut()
		return nil
	case kit.Choose:
		r.overlays = append(r.overlays, newMenu(r.config.Options, msg))
		return nil
	case kit.Confirm:
		r.overlays = append(r.overlays, newConfirm(r.config.Options, msg))
		return nil
	case kit.Notice:
		r.notice = &msg
		return nil
	case kit.Fail:
		r.fail(msg.Err)
		return nil
	case kit.Run:
		return r.run(msg.Line)
	case kit.ChooseSet:
		return r.chooseSet()
	case kit.SeenBy:
		return r.seenBy(msg.Name)
	case kit.Sync:
		return r.sync(msg.Names)
	case kit.StopSync:
		r.stopSync(msg.Name)
		return nil
	case kit.Stirred:
		return r.stirred()
	case kit.Later:
		return msg.Cmd
	case kit.Copy:
		return r.copy(msg)
	case kit.Visit:
		return r.browse(msg.URL)
	}
	if cmd, ok := r.writing(msg); ok {
		return cmd
	}
	return r.deliver(msg)
}

// writing does what a screen wants of the user's own work.
func (r *Root) writing(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case kit.Draft:
		return r.begin(msg), true
	case kit.Gather:
		return r.gather(msg), true
	case kit.Unlock:
		return r.unlock(msg), true
	case kit.Name:
		return r.name(msg), true
	case kit.Edit:
		return r.edit(msg), true
	case kit.Saved:
		return r.saved(msg), true
	case kit.Written:
		if msg.Signed {
			r.growth.own()
		}
		return r.written(), true
	}
	return nil, false
}

// deliver hands an answer to whoever waits for it.
func (r *Root) deliver(msg tea.Msg) tea.Cmd {
	if _, err, ok := r.saving.Take(msg); ok {
		r.fail(err)
		return nil
	}
	if notice, err, ok := r.outside.Take(msg); ok {
		r.fail(err)
		if err == nil {
			r.notice = &notice
		}
		return nil
	}
	if cmd, ok := r.grown(msg); ok {
		return cmd
	}
	if cmd, ok := r.answered(msg); ok {
		return cmd
	}
	if cmd, ok := r.workDone(msg); ok {
		return cmd
	}
	if route, err, ok := r.going.Take(msg); ok {
		r.fail(err)
		if err == nil {
			return r.visit(route)
		}
		return nil
	}
	var cmds []tea.Cmd
	for _, o := range r.overlays {
		cmds = append(cmds, o.Update(msg))
	}
	cmds = append(cmds, r.screen.Update(msg))
	return tea.Batch(append(cmds, r.arrived())...)
}

// fail is the one place that decides how an error is shown: quietly dropped when
// the user left, else one line in place with the way out.
func (r *Root) fail(err error) {
	if err == nil || errors.Is(err, context.Canceled) || r.toldAlready(err) {
		return
	}
	r.notice = &kit.Notice{Line: draw.ErrorLine(err), Bad: true}
}

// lose tells, once, that what is the user's own cannot be read or kept.
func (r *Root) lose(err error) {
	if err == nil {
		return
	}
	r.lost = err
	line := draw.Line{draw.Own(draw.Warn, "reading works, but your own place and services cannot be read now; akx doctor says the way out")}
	r.notice = &kit.Notice{Line: line}
}

// toldAlready reports whether err says again what the notice that stands says.
func (r *Root) toldAlready(err error) bool {
	var lost, again *fault.Damaged
	return r.notice != nil && errors.As(r.lost, &lost) && errors.As(err, &again) && lost.What == again.What
}

func (r *Root) shut() {
	if n := len(r.overlays); n > 0 {
		r.overlays[n-1].Close()
		r.overlays = r.overlays[:n-1]
	}
}

func (r *Root) top() kit.Overlay {
	if n := len(r.overlays); n > 0 {
		return r.overlays[n-1]
	}
	return nil
}

// area is what screens have: the frame without akx's own first and last row.
func (r *Root) area() kit.Size { return kit.Size{W: r.size.W, H: max(r.size.H-2, 0)} }
