// Package waiting lists proven events that wait for what they refer to. They have
// no effect on any view.
package waiting

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/slot"
	"akx/view"
	"akx/view/clean"
	"akx/view/identity"
)

// limit is how many waiting events are listed.
const limit = 1000

// Screen is the list.
type Screen struct {
	session  *explore.Session
	options  kit.Options
	size     kit.Size
	at       string
	events   []view.PendingEvent
	read     bool
	failed   error
	cursor   kit.Cursor
	reading  *slot.Slot[[]view.PendingEvent]
	dropping *slot.Slot[int]
	fetching *slot.Slot[explore.Fetched]
}

// New makes the list.
func New(s *explore.Session, o kit.Options, r kit.Route) *Screen {
	return &Screen{
		session: s, options: o, at: r.At, cursor: kit.Cursor{Row: r.Cursor, Scroll: r.Scroll},
		reading: slot.New[[]view.PendingEvent](o.Work), dropping: slot.New[int](o.Work), fetching: slot.New[explore.Fetched](o.Work),
	}
}

// Route keeps the place.
func (s *Screen) Route() kit.Route {
	return kit.Route{Screen: kit.Waiting, Cursor: s.cursor.Row, Scroll: s.cursor.Scroll}
}

// Crumb names the place.
func (s *Screen) Crumb() draw.Line { return draw.Line{draw.Own(draw.Chrome, "Waiting")} }

// Typing is never true here.
func (s *Screen) Typing() bool { return false }

// Show reads the list.
func (s *Screen) Show(size kit.Size) tea.Cmd {
	s.size = size
	return s.ask()
}

// Hide ends what is asked.
func (s *Screen) Hide() {
	s.reading.Cancel()
	s.fetching.Cancel()
}

func (s *Screen) ask() tea.Cmd {
	session := s.session
	return s.reading.Ask(func(ctx context.Context) ([]view.PendingEvent, error) {
		return session.Pending(ctx, identity.ID{}, limit)
	})
}

// Update takes answers and the mouse.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	if events, err, ok := s.reading.Take(msg); ok {
		s.failed, s.read = err, true
		if err != nil {
			return kit.Send(kit.Fail{Err: err})
		}
		s.events = events
		for i, e := range events {
			if e.ID.String() == s.at {
				s.cursor.Row = i
			}
		}
		s.at = ""
		s.cursor.Clamp(len(events), s.height())
		return nil
	}
	if _, err, ok := s.dropping.Take(msg); ok {
		if err != nil {
			return kit.Send(kit.Fail{Err: err})
		}
		return tea.Batch(s.ask(), kit.Say("forgotten; importing its file again brings it back"))
	}
	if f, err, ok := s.fetching.Take(msg); ok {
		return s.fetched(f, err)
	}
	switch msg := msg.(type) {
	case kit.Wheel:
		s.cursor.Wheel(msg.Lines, len(s.events), s.height())
	case kit.Click:
		if i := s.cursor.Scroll + msg.Y - 1; msg.Y >= 1 && i < len(s.events) {
			s.cursor.Row = i
		}
	}
	return nil
}

// height is how many rows are shown; below them stands what the chosen one misses.
func (s *Screen) height() int { return max(s.size.H-9, 1) }

// Rows are the keys of the list.
func (s *Screen) Rows() []kit.Row {
	k := s.options.Keys
	drop, copied := k.Row("drop", s.confirmDrop), k.Row("copy", s.copy)
	if len(s.events) == 0 {
		drop, copied = drop.Unless("nothing waits"), copied.Unless("nothing waits")
	}
	rows := []kit.Row{k.Row("fetch-missing", s.fetch).Unless(s.noFetch()), drop, copied, k.Quiet("refresh", s.ask)}
	return append(rows, s.cursor.MoveRows(k, func() int { return len(s.events) }, s.height, func() tea.Cmd { return nil })...)
}

func (s *Screen) copy() tea.Cmd {
	return kit.Send(kit.Copy{Text: s.events[s.cursor.Row].ID.String(), What: "the event ID"})
}

func (s *Screen) forget(id identity.ID) tea.Cmd {
	session := s.session
	return s.dropping.Ask(func(ctx context.Context) (int, error) {
		return session.DropPending(ctx, []identity.ID{id})
	})
}

func (s *Screen) confirmDrop() tea.Cmd {
	id := s.events[s.cursor.Row].ID
	return s.options.Now(kit.Confirm{
		Title: "Forget this waiting event?", Yes: "Forget it", Do: func() tea.Cmd { return s.forget(id) },
		Lines: []draw.Line{{draw.Say(draw.Normal, clean.Line(id.String()))}, {draw.Own(draw.Normal, "It has no effect while it waits. Its file can be imported again.")}},
	})
}

// Draw draws the list, and what the chosen event misses.
func (s *Screen) Draw(f *draw.Frame, area draw.Rect) {
	inner := f.Pane(area, draw.Line{draw.Own(draw.Strong, "Waiting for what they refer to"), draw.Own(draw.Quiet, " (proven, without effect)")},
		draw.Line{draw.Say(draw.Normal, draw.Int(len(s.events)))}, true)
	if len(s.events) == 0 {
		line := draw.Line{draw.Own(draw.Normal, "nothing waits")}
		if s.failed != nil {
			line = draw.ErrorLine(s.failed)
		} else if !s.read {
			line = draw.Line{draw.Own(draw.Normal, "reading...")}
		}
		f.Paragraph(inner, 1, line)
		return
	}
	list := draw.Rect{X: inner.X, Y: inner.Y, W: inner.W, H: min(s.height(), inner.H)}
	for i := 0; i < list.H && s.cursor.Scroll+i < len(s.events); i++ {
		e := s.events[s.cursor.Scroll+i]
		line := draw.Line{
			draw.Say(draw.Normal, kit.DateTime(e.Since)), draw.Own(draw.Normal, " misses "), draw.Say(draw.Warn, draw.Int(len(e.Missing))),
			draw.Gap(1), draw.Own(draw.Gutter, s.options.Glyphs.Gutter),
		}
		room := max(list.W-line.Width(), 0)
		f.Put(list, 0, i, append(line, draw.Say(draw.Author, draw.Cut(clean.Line(e.Title), room, s.options.Glyphs.Ellipsis))))
		if s.cursor.Scroll+i == s.cursor.Row {
			f.Fill(list, i, draw.Reversed)
		}
	}
	s.drawMissing(f, draw.Rect{X: inner.X, Y: inner.Y + list.H, W: inner.W, H: inner.H - list.H})
}

func (s *Screen) drawMissing(f *draw.Frame, r draw.Rect) {
	e := s.events[min(s.cursor.Row, len(s.events)-1)]
	f.Put(r, 0, 1, draw.Line{draw.Own(draw.Quiet, "id      "), draw.Say(draw.Normal, clean.Line(e.ID.String()))})
	for i, id := range e.Missing {
		f.Put(r, 0, 2+i, draw.Line{draw.Own(draw.Quiet, "misses  "), draw.Say(draw.Normal, clean.Line(id.String()))})
	}
}
