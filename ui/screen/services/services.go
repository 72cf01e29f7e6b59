// Package services is the list of the services that the user added: what each one
// gave and up to where, and the keys that ask it. It also lists the records of a
// service that are not events here.
package services

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/slot"
	"akx/view/clean"
)

// Screen is the list, and below it what is known of the chosen service.
type Screen struct {
	session  *explore.Session
	options  kit.Options
	size     kit.Size
	at       string // the name under the cursor when the place was kept
	services []explore.ServiceState
	read     bool
	failed   error
	cursor   kit.Cursor
	detail   bool   // the lower pane has the keys
	scroll   int    // of the lower pane
	chosen   string // what was added or renamed just now: the cursor goes there
	changing *slot.Slot[clean.Words]
	checks   map[string]*check
}

// check is a question to one service that the user asked here, and how it ended.
type check struct {
	asking *slot.Slot[explore.ServiceState]
	done   bool
	at     int64 // ms of its end
	failed error
}

// New makes the list at a place.
func New(s *explore.Session, o kit.Options, r kit.Route) *Screen {
	return &Screen{
		session: s, options: o, at: r.Query, cursor: kit.Cursor{Row: r.Cursor, Scroll: r.Scroll},
		changing: slot.New[clean.Words](o.Work), checks: make(map[string]*check),
	}
}

// Now gives what the session knows of a service, as the screens show it.
func Now(s explore.ServiceState) kit.ServiceNow {
	p, c := s.Progress, s.Contact
	return kit.ServiceNow{
		Service: s.Service, Follow: s.Follow, Syncing: s.Syncing, Seen: max(p.Checkpoint, s.Follow.Checkpoint),
		Sync: kit.SyncNow{Pages: p.Pages, Records: p.Records, Bytes: p.Bytes, From: p.From, Reached: p.Reached,
			Checkpoint: p.Checkpoint, Began: s.Began},
		Asked: c.At, Unreached: c.Unreached != "", Answered: c.Answered,
	}
}

// Route keeps the place.
func (s *Screen) Route() kit.Route {
	r := kit.Route{Screen: kit.Services, Cursor: s.cursor.Row, Scroll: s.cursor.Scroll, Query: s.at}
	if v, ok := s.under(); ok {
		r.Query = v.Service.Name
	}
	return r
}

// Crumb names the place.
func (s *Screen) Crumb() draw.Line { return draw.Line{draw.Own(draw.Chrome, "Services")} }

// Typing is never true here: the form is an overlay.
func (s *Screen) Typing() bool { return false }

// Known is one answer about all services. The root reads it, for the top row and for
// this list alike, so that they never say different things.
type Known struct {
	States []explore.ServiceState
	Err    error
}

// Show asks the root to read the list.
func (s *Screen) Show(size kit.Size) tea.Cmd {
	s.size = size
	s.clamp()
	return s.ask()
}

// Hide ends every check; a sync is the root's and goes on.
func (s *Screen) Hide() {
	for _, c := range s.checks {
		c.asking.Cancel()
	}
}

// ask wants the services read again; an error that stands is told again.
func (s *Screen) ask() tea.Cmd {
	s.failed = nil
	return kit.Send(kit.Stirred{})
}

// Update takes answers and the mouse.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	if said, err, ok := s.changing.Take(msg); ok {
		if err != nil {
			return kit.Send(kit.Fail{Err: err})
		}
		return tea.Batch(kit.Say(said), kit.Send(kit.Stirred{}))
	}
	for _, c := range s.checks {
		if _, err, ok := c.asking.Take(msg); ok {
			c.done, c.at, c.failed = true, s.options.Clock().UnixMilli(), err
			return kit.Send(kit.Stirred{})
		}
	}
	switch msg := msg.(type) {
	case Known:
		return s.take(msg.States, msg.Err)
	case changed:
		s.chosen, s.detail, s.scroll = msg.name, false, 0
		return s.ask()
	case kit.Wheel:
		if msg.Y > s.listHeight() {
			s.scrollBy(msg.Lines)
			return nil
		}
		s.cursor.Wheel(msg.Lines, len(s.services), s.rows())
	case kit.Click:
		s.detail = msg.Y >= s.listHeight()
		if i := s.cursor.Scroll + msg.Y - 2; !s.detail && msg.Y >= 2 && i < len(s.services) {
			s.cursor.Row, s.scroll = i, 0
		}
	}
	return nil
}

// take shows a list; the cursor stays on its service, wherever that is now.
func (s *Screen) take(list []explore.ServiceState, err error) tea.Cmd {
	told := s.failed != nil
	s.failed, s.read = err, true
	if err != nil {
		if told { // the root looks again and again: once is enough
			return nil
		}
		return kit.Send(kit.Fail{Err: err})
	}
	name := s.at
	if v, ok := s.under(); ok {
		name = v.Service.Name
	}
	s.services, s.at = list, ""
	if s.find(s.chosen) || s.find(name) {
		s.chosen = ""
	}
	s.clamp()
	return nil
}

// find puts the cursor on a service, if it is in the list.
func (s *Screen) find(name string) bool {
	i := slices.IndexFunc(s.services, func(v explore.ServiceState) bool { return v.Service.Name == name })
	if i >= 0 {
		s.cursor.Row = i
	}
	return i >= 0
}

// under is the service under the cursor.
func (s *Screen) under() (explore.ServiceState, bool) {
	if s.cursor.Row >= len(s.services) {
		return explore.ServiceState{}, false
	}
	return s.services[s.cursor.Row], true
}

// listHeight is the rows of the upper pane: all services where there is room, and
// never more than half.
func (s *Screen) listHeight() int {
	return max(min(len(s.services)+3, s.size.H/2), min(5, s.size.H))
}

// rows is how many services are shown at once.
func (s *Screen) rows() int { return max(s.listHeight()-3, 1) }

func (s *Screen) clamp() {
	if s.read {
		s.cursor.Clamp(len(s.services), s.rows())
	}
	s.scrollBy(0)
}

// scrollBy moves the lower pane.
func (s *Screen) scrollBy(n int) {
	total := len(s.about(s.size.W - 4))
	s.scroll = max(min(s.scroll+n, total-s.detailHeight()), 0)
}

func (s *Screen) detailHeight() int { return max(s.size.H-s.listHeight()-2, 1) }

// change runs one change of the user's services off the update loop.
func (s *Screen) change(f func(context.Context) (clean.Words, error)) tea.Cmd {
	return s.changing.Ask(f)
}
