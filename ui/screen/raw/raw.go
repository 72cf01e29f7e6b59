// Package raw shows an envelope's exact text, hidden characters in words, and the
// canonical event that its ID is the hash of.
package raw

import (
	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view/capsule"
	"akx/view/clean"
)

// Screen is the text of one envelope.
type Screen struct {
	kit.Subject[capsule.Event]
	options   kit.Options
	size      kit.Size
	canonical bool
	lines     []clean.Text
	width     int
	cursor    kit.Cursor
}

// New makes the screen for a route's event.
func New(s *explore.Session, o kit.Options, r kit.Route) *Screen {
	return &Screen{
		Subject: kit.NewSubject(o, r, s.Event), options: o, canonical: r.Pane == 1,
		cursor: kit.Cursor{Row: r.Scroll, Scroll: r.Scroll},
	}
}

// Route keeps the event, the form and the scroll.
func (s *Screen) Route() kit.Route {
	r := kit.Route{Screen: kit.Raw, ID: s.ID.String(), Scroll: s.cursor.Scroll}
	if s.canonical {
		r.Pane = 1
	}
	if s.Value != nil {
		return r.Named((*s.Value).Title())
	}
	return r
}

// Crumb names the place.
func (s *Screen) Crumb() draw.Line {
	return draw.Line{draw.Own(draw.Chrome, "Raw "), draw.Say(draw.Normal, kit.ShortID(s.ID, s.options.Glyphs))}
}

// Typing is never true here.
func (s *Screen) Typing() bool { return false }

// Show reads the event when it is not read yet, and breaks it again.
func (s *Screen) Show(size kit.Size) tea.Cmd {
	s.size = size
	s.layout()
	return s.AskOnce()
}

// Update takes the event and the mouse.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	if _, cmd, ok := s.Take(msg); ok {
		s.width = 0
		s.layout()
		return cmd
	}
	if w, ok := msg.(kit.Wheel); ok {
		s.by(w.Lines)
	}
	return nil
}

// text is what is shown, exactly.
func (s *Screen) text() string {
	if s.canonical {
		return string((*s.Value).Envelope().Canonical())
	}
	return (*s.Value).Envelope().Text()
}

func (s *Screen) layout() {
	w := max(s.size.W-2, 1)
	if s.Value == nil || s.width == w {
		return
	}
	s.width, s.lines = w, nil
	for _, block := range clean.Block(s.text()) {
		s.lines = append(s.lines, draw.Fold(block, w)...)
	}
	s.by(0)
}

func (s *Screen) height() int { return max(s.size.H-2, 1) }

func (s *Screen) by(n int) tea.Cmd {
	s.cursor.Wheel(n, len(s.lines), s.height())
	return nil
}

// Rows are the keys of the screen.
func (s *Screen) Rows() []kit.Row {
	k := s.options.Keys
	by := func(n int) func() tea.Cmd { return func() tea.Cmd { return s.by(n) } }
	half := max(s.height()/2, 1)
	return []kit.Row{
		k.Row("canonical", s.toggle), k.Row("copy", s.copy),
		k.Quiet("down", by(1)), k.Quiet("up", by(-1)), k.Quiet("half-down", by(half)), k.Quiet("half-up", by(-half)),
		k.Quiet("top", by(-1<<30)), k.Quiet("bottom", by(1<<30)),
	}
}

func (s *Screen) toggle() tea.Cmd {
	s.canonical, s.width, s.cursor = !s.canonical, 0, kit.Cursor{}
	s.layout()
	return nil
}

func (s *Screen) copy() tea.Cmd {
	if s.Value == nil {
		return nil
	}
	what := clean.Words("the exact envelope text")
	if s.canonical {
		what = "the canonical event"
	}
	return kit.Send(kit.Copy{Text: s.text(), What: what})
}

// Draw draws the text. All of it is foreign, so all of it stands in one pane.
func (s *Screen) Draw(f *draw.Frame, area draw.Rect) {
	title := draw.Line{draw.Own(draw.Strong, "Exact envelope text"), draw.Own(draw.Quiet, " (hidden characters in words)")}
	if s.canonical {
		title = draw.Line{draw.Own(draw.Strong, "Canonical event"), draw.Own(draw.Quiet, " (RFC 8785): the ID is its SHA3-256")}
	}
	var note draw.Line
	if s.Value != nil {
		last := min(s.cursor.Scroll+s.height(), len(s.lines))
		note = draw.Line{
			draw.Say(draw.Normal, draw.Int(len(s.text()))), draw.Own(draw.Normal, " bytes "+s.options.Glyphs.Dot+" "), draw.Say(draw.Normal, draw.Int(s.cursor.Scroll+1)),
			draw.Own(draw.Normal, "-"), draw.Say(draw.Normal, draw.Int(last)), draw.Own(draw.Normal, "/"), draw.Say(draw.Normal, draw.Int(len(s.lines))),
		}
	}
	inner := f.Pane(area, title, note, true)
	if s.Value == nil {
		f.Paragraph(inner, 1, s.Missing())
		return
	}
	for i := 0; i < inner.H && s.cursor.Scroll+i < len(s.lines); i++ {
		f.Put(inner, 0, i, draw.Line{draw.Say(draw.Author, s.lines[s.cursor.Scroll+i])})
	}
}
