// Package found shows what a service answers to a ranked search: rows that open
// pages, and apart from them the service's own words and what it searched. It also
// holds the form that asks.
package found

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/slot"
	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
	"akx/view/wire"
)

// answer is what a service gave, and the rows of what is held of it.
type answer struct {
	found   explore.Found
	entries []view.Entry
	held    []bool // one a hit
}

// Memory keeps the last answers of one program run, so that going back asks
// nothing again, and notes which question the user asked but has no answer yet.
type Memory struct {
	order   []string
	answers map[string]answer
	wanted  map[string]bool
	last    string // the name of the service that was asked last
}

// kept is how many answers stay.
const kept = 16

// NewMemory makes an empty one.
func NewMemory() *Memory {
	return &Memory{answers: make(map[string]answer), wanted: make(map[string]bool)}
}

// Want notes that the user asks a question now, and forgets its former answer.
func (m *Memory) Want(q Question) {
	key := q.Encode()
	m.wanted[key], m.last = true, q.Service
	delete(m.answers, key)
	m.order = slices.DeleteFunc(m.order, func(k string) bool { return k == key })
}

func (m *Memory) keep(key string, a answer) {
	delete(m.wanted, key)
	if _, known := m.answers[key]; !known {
		m.order = append(m.order, key)
	}
	m.answers[key] = a
	for len(m.order) > kept {
		delete(m.answers, m.order[0])
		m.order = m.order[1:]
	}
}

// Screen is the answer to one question.
type Screen struct {
	session *explore.Session
	options kit.Options
	memory  *Memory
	asked   Question
	size    kit.Size
	answer  *answer
	failed  error
	cursor  kit.Cursor
	asking  *slot.Slot[answer]
}

// New makes the screen of a route's question.
func New(s *explore.Session, o kit.Options, m *Memory, r kit.Route) *Screen {
	f := &Screen{
		session: s, options: o, memory: m, asked: DecodeQuestion(r.Query),
		cursor: kit.Cursor{Row: r.Cursor, Scroll: r.Scroll}, asking: slot.New[answer](o.Work),
	}
	if a, ok := m.answers[f.asked.Encode()]; ok {
		f.answer = &a
	}
	return f
}

// Route keeps the question and the place.
func (s *Screen) Route() kit.Route {
	return kit.Route{Screen: kit.Found, Query: s.asked.Encode(), Cursor: s.cursor.Row, Scroll: s.cursor.Scroll}
}

// Crumb names the place; what was asked is the user's own and stands in the pane.
func (s *Screen) Crumb() draw.Line { return draw.Line{draw.Own(draw.Chrome, "Search at a service")} }

// Typing is never true here.
func (s *Screen) Typing() bool { return false }

// Show asks only when the user did: a place that is restored or gone back to sends
// nothing by itself.
func (s *Screen) Show(size kit.Size) tea.Cmd {
	s.size = size
	if s.answer == nil && s.memory.wanted[s.asked.Encode()] && !s.asking.Waiting() && s.failed == nil {
		return s.ask()
	}
	s.cursor.Clamp(s.total(), s.height())
	return nil
}

// Hide ends the question; one that was not answered is not asked again by itself.
func (s *Screen) Hide() {
	s.asking.Cancel()
	delete(s.memory.wanted, s.asked.Encode())
}

func (s *Screen) ask() tea.Cmd {
	if s.options.Offline {
		return kit.Say(kit.OfflineWords)
	}
	s.failed = nil
	session, q := s.session, s.asked
	return s.asking.Ask(func(ctx context.Context) (answer, error) {
		found, err := session.Search(ctx, q.Service, q.Text, q.Mode, capsule.Filter{}, q.Limit)
		if err != nil {
			return answer{}, err
		}
		ids := make([]identity.ID, len(found.Outcomes))
		for i, o := range found.Outcomes {
			ids[i] = o.ID
		}
		entries, held, err := session.Entries(ctx, ids)
		return answer{found, entries, held}, err
	})
}

// Update takes the answer and the mouse.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	if a, err, ok := s.asking.Take(msg); ok {
		stirred := kit.Send(kit.Stirred{}) // whether it answers is seen in the top row
		if err != nil {
			s.failed = err
			return stirred
		}
		s.answer = &a
		s.memory.keep(s.asked.Encode(), a)
		s.cursor.Clamp(s.total(), s.height())
		return stirred
	}
	switch msg := msg.(type) {
	case kit.Wheel:
		s.cursor.Wheel(msg.Lines, s.total(), s.height())
	case kit.Click:
		i := s.cursor.Scroll + msg.Y - 2
		if msg.Y < 2 || msg.Y > s.height()+1 || i >= s.total() {
			return nil
		}
		if i == s.cursor.Row {
			return s.open()
		}
		s.cursor.Row = i
	}
	return nil
}

// Chosen is the service that another search from here starts with.
func (s *Screen) Chosen() string { return s.asked.Service }

func (s *Screen) total() int {
	if s.answer == nil {
		return 0
	}
	return len(s.answer.found.Page.Hits)
}

// height is how many hits are shown; below them stands what the service says.
func (s *Screen) height() int { return max(s.size.H-5-aboutRows(s.size.H), 1) }

// aboutRows is the rows of the lower pane.
func aboutRows(h int) int { return max(min(h/3, 9), 5) }

// Rows are the keys of the answer.
func (s *Screen) Rows() []kit.Row {
	k := s.options.Keys
	open, copied := k.Row("open", s.open), k.Row("copy", s.copy)
	if s.total() == 0 {
		open, copied = open.Unless("there is no hit here"), copied.Unless("there is no hit here")
	}
	again := k.Row("refresh", s.ask).Called("ask again")
	if s.options.Offline {
		again = again.Unless(kit.OfflineWords)
	}
	rows := []kit.Row{
		open, again, copied,
	}
	return append(rows, s.cursor.MoveRows(k, s.total, s.height, func() tea.Cmd { return nil })...)
}

// open opens the page of a hit that is held; what waits stands in its own list.
func (s *Screen) open() tea.Cmd {
	i := s.cursor.Row
	outcome := s.answer.found.Outcomes[i]
	switch {
	case s.answer.held[i]:
		return s.options.Now(kit.Go{Route: kit.Route{Screen: kit.Page, ID: outcome.ID.String()}})
	case outcome.Status == wire.Pending:
		return s.options.Now(kit.Go{Route: kit.Route{Screen: kit.Waiting, At: outcome.ID.String()}})
	}
	return kit.Say("this record is not an event here; its reason stands below")
}

func (s *Screen) copy() tea.Cmd {
	id := s.answer.found.Outcomes[s.cursor.Row].ID
	if id.IsZero() {
		return kit.Say("the record has no proven ID")
	}
	return kit.Send(kit.Copy{Text: id.String(), What: "the event ID"})
}
