package services

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/slot"
	"akx/view/clean"
	"akx/view/desk"
)

// listed is how many exceptions are read at most.
const listed = 1000

// Exceptions lists the records of one service that are not events here.
type Exceptions struct {
	session *explore.Session
	options kit.Options
	name    string
	size    kit.Size
	rows    []desk.Exception
	read    bool
	failed  error
	cursor  kit.Cursor
	reading *slot.Slot[[]desk.Exception]
}

// NewExceptions makes the list of the service that the route names.
func NewExceptions(s *explore.Session, o kit.Options, r kit.Route) *Exceptions {
	return &Exceptions{
		session: s, options: o, name: r.Query, cursor: kit.Cursor{Row: r.Cursor, Scroll: r.Scroll},
		reading: slot.New[[]desk.Exception](o.Work),
	}
}

// Route keeps the place.
func (s *Exceptions) Route() kit.Route {
	return kit.Route{Screen: kit.Exceptions, Query: s.name, Cursor: s.cursor.Row, Scroll: s.cursor.Scroll}
}

// Crumb names the place.
func (s *Exceptions) Crumb() draw.Line {
	return draw.Line{draw.Own(draw.Chrome, "Exceptions of "), draw.Say(draw.Chrome, clean.Line(s.name))}
}

// Typing is never true here.
func (s *Exceptions) Typing() bool { return false }

// Show reads the list.
func (s *Exceptions) Show(size kit.Size) tea.Cmd {
	s.size = size
	return s.ask()
}

// Hide ends what is asked.
func (s *Exceptions) Hide() { s.reading.Cancel() }

func (s *Exceptions) ask() tea.Cmd {
	session, name := s.session, s.name
	return s.reading.Ask(func(ctx context.Context) ([]desk.Exception, error) {
		return session.Exceptions(ctx, name, 0, listed)
	})
}

// Update takes the answer and the mouse.
func (s *Exceptions) Update(msg tea.Msg) tea.Cmd {
	if rows, err, ok := s.reading.Take(msg); ok {
		s.failed, s.read = err, true
		if err != nil {
			return kit.Send(kit.Fail{Err: err})
		}
		s.rows = rows
		s.cursor.Clamp(len(rows), s.height())
		return nil
	}
	switch msg := msg.(type) {
	case kit.Stirred:
		return s.ask()
	case kit.Wheel:
		s.cursor.Wheel(msg.Lines, len(s.rows), s.height())
	case kit.Click:
		if i := s.cursor.Scroll + msg.Y - 1; msg.Y >= 1 && i < len(s.rows) {
			s.cursor.Row = i
		}
	}
	return nil
}

// aboutRows is what stands below the list: the chosen record in full.
const aboutRows = 6

func (s *Exceptions) height() int { return max(s.size.H-2-aboutRows, 1) }

// Rows are the keys of the list.
func (s *Exceptions) Rows() []kit.Row {
	k := s.options.Keys
	sync := k.Row("sync", func() tea.Cmd { return s.options.Now(kit.Sync{Names: []string{s.name}}) }).Called("try again")
	if s.options.Offline {
		sync = sync.Unless(kit.OfflineWords)
	}
	copied := k.Row("copy", func() tea.Cmd {
		e := s.rows[s.cursor.Row]
		switch {
		case !e.ID.IsZero():
			return kit.Send(kit.Copy{Text: e.ID.String(), What: "the event ID"})
		case !e.Claimed.IsZero():
			return kit.Send(kit.Copy{Text: e.Claimed.String(), What: "the ID that it claims"})
		}
		return kit.Say("the record has no ID")
	})
	if len(s.rows) == 0 {
		copied = copied.Unless("there is no exception")
	}
	rows := []kit.Row{sync, copied, k.Quiet("refresh", s.ask)}
	return append(rows, s.cursor.MoveRows(k, func() int { return len(s.rows) }, s.height, func() tea.Cmd { return nil })...)
}

// Draw draws the list, and the chosen record in full.
func (s *Exceptions) Draw(f *draw.Frame, area draw.Rect) {
	title := draw.Line{draw.Own(draw.Strong, "Records of "), draw.Say(draw.Strong, clean.Line(s.name)), draw.Own(draw.Strong, " that are not events here")}
	note := draw.Line{draw.Say(draw.Normal, draw.Int(len(s.rows)))}
	if len(s.rows) == listed {
		note = append(note, draw.Own(draw.Normal, " shown; there may be more"))
	}
	inner := f.Pane(area, title, note, true)
	if len(s.rows) == 0 {
		f.Paragraph(inner, 1, s.empty())
		return
	}
	list := draw.Rect{X: inner.X, Y: inner.Y, W: inner.W, H: min(s.height(), inner.H)}
	for i := 0; i < list.H && s.cursor.Scroll+i < len(s.rows); i++ {
		e := s.rows[s.cursor.Scroll+i]
		line := append(field(draw.Line{draw.Gap(1), draw.Own(draw.Normal, "#"), number(e.Seq)}, 12, f.Glyphs),
			errorCode(e.Code), draw.Gap(1), draw.Say(draw.Normal, clean.Line(e.Detail)))
		f.Put(list, 0, i, line.Cut(list.W, f.Glyphs.Ellipsis))
		if s.cursor.Scroll+i == s.cursor.Row {
			f.Fill(list, i, draw.Reversed)
		}
	}
	s.drawChosen(f, draw.Rect{X: inner.X, Y: inner.Y + list.H, W: inner.W, H: inner.H - list.H})
}

func (s *Exceptions) empty() draw.Line {
	switch {
	case s.failed != nil:
		return draw.ErrorLine(s.failed)
	case !s.read:
		return draw.Line{draw.Own(draw.Normal, "reading...")}
	}
	return draw.Line{draw.Own(draw.Normal, "every record that it gave is an event here")}
}

func (s *Exceptions) drawChosen(f *draw.Frame, r draw.Rect) {
	e := s.rows[min(s.cursor.Row, len(s.rows)-1)]
	id := draw.Line{draw.Own(draw.Quiet, "id     "), draw.Own(draw.Normal, "none that is proven")}
	switch {
	case !e.ID.IsZero():
		id = draw.Line{draw.Own(draw.Quiet, "id     "), draw.Say(draw.Normal, clean.Line(e.ID.String()))}
	case !e.Claimed.IsZero():
		id = draw.Line{draw.Own(draw.Quiet, "claims "), draw.Say(draw.Normal, clean.Line(e.Claimed.String())), draw.Own(draw.Quiet, " (not proven)")}
	}
	f.Put(r, 1, 1, id)
	f.Put(r, 1, 2, draw.Line{draw.Own(draw.Quiet, "since  "), draw.Say(draw.Normal, kit.DateTime(e.Since)),
		draw.Own(draw.Quiet, "  tried "), draw.Say(draw.Normal, draw.Int(e.Tries)), draw.Own(draw.Quiet, " times; every sync tries again")})
	f.Paragraph(r, 3, draw.Line{errorCode(e.Code), draw.Gap(1), draw.Say(draw.Normal, clean.Line(e.Detail))})
}
