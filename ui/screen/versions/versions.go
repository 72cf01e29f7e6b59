// Package versions shows the tree of supersedes around one capsule: branches and
// merges by the same author, newest on top, and no winner.
package versions

import (
	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view"
	"akx/view/clean"
	"akx/view/identity"
)

// Screen is the version tree of one capsule.
type Screen struct {
	kit.Subject[view.Versions]
	options kit.Options
	size    kit.Size
	lanes   []draw.Line
	cursor  kit.Cursor
}

// New makes the tree of a route's capsule.
func New(s *explore.Session, o kit.Options, r kit.Route) *Screen {
	return &Screen{
		Subject: kit.NewSubject(o, r, s.SeenBy(identity.Origin(r.SeenBy)).Versions), options: o, cursor: kit.Cursor{Row: r.Cursor, Scroll: r.Scroll},
	}
}

// Route keeps the capsule and the place.
func (s *Screen) Route() kit.Route {
	r := kit.Route{Screen: kit.Versions, ID: s.ID.String(), Cursor: s.cursor.Row, Scroll: s.cursor.Scroll, SeenBy: s.SeenBy}
	if s.Value != nil {
		return r.Named(s.Value.Nodes[s.Value.Here].Entry.Title)
	}
	return r
}

// Crumb names the place.
func (s *Screen) Crumb() draw.Line {
	return draw.Line{draw.Own(draw.Chrome, "Versions of "), draw.Say(draw.Normal, kit.ShortID(s.ID, s.options.Glyphs))}
}

// Typing is never true here.
func (s *Screen) Typing() bool { return false }

// Show reads the tree when it is not read yet.
func (s *Screen) Show(size kit.Size) tea.Cmd {
	s.size = size
	return s.AskOnce()
}

// Update takes the tree and the mouse.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	first := s.Value == nil
	if fresh, cmd, ok := s.Take(msg); ok {
		if fresh && first && s.cursor.Row == 0 {
			s.cursor.Row = s.Value.Here
		}
		if fresh {
			s.lanes = layLanes(*s.Value, s.options.Glyphs.Tree)
		}
		s.cursor.Clamp(s.total(), s.height())
		return cmd
	}
	switch msg := msg.(type) {
	case kit.Wheel:
		s.cursor.Wheel(msg.Lines, s.total(), s.height())
	case kit.Click:
		if i := s.cursor.Scroll + msg.Y - 1; msg.Y >= 1 && i < s.total() {
			if i == s.cursor.Row {
				return s.open()
			}
			s.cursor.Row = i
		}
	}
	return nil
}

func (s *Screen) total() int {
	if s.Value == nil {
		return 0
	}
	return len(s.Value.Nodes)
}

// height is how many versions are shown; a row below says what the tree does not.
func (s *Screen) height() int { return max(s.size.H-3, 1) }

// Rows are the keys of the tree.
func (s *Screen) Rows() []kit.Row {
	k := s.options.Keys
	rows := []kit.Row{
		k.Row("open", s.open), k.Row("reverse-links", s.visit(kit.Links)), k.Row("assessments", s.visit(kit.Review)),
		k.Row("copy", s.copy), k.Quiet("refresh", s.Ask), s.options.SeenByRow(s.SeenBy),
	}
	rows = append(rows, s.options.WriteRows(s.about())...)
	return append(rows, s.cursor.MoveRows(k, s.total, s.height, func() tea.Cmd { return nil })...)
}

func (s *Screen) under() (identity.ID, bool) {
	if s.cursor.Row < 0 || s.cursor.Row >= s.total() {
		return identity.ID{}, false
	}
	return s.Value.Nodes[s.cursor.Row].Entry.ID, true
}

// about is the version under the cursor, of which a draft can be.
func (s *Screen) about() kit.About {
	if s.cursor.Row < 0 || s.cursor.Row >= s.total() {
		return kit.About{Why: "the tree is not read yet"}
	}
	return kit.About{Entry: s.Value.Nodes[s.cursor.Row].Entry}
}

func (s *Screen) open() tea.Cmd { return s.visit(kit.Page)() }

func (s *Screen) visit(screen string) func() tea.Cmd {
	return func() tea.Cmd {
		id, ok := s.under()
		if !ok {
			return nil
		}
		return s.options.Now(kit.Go{Route: kit.Route{Screen: screen, ID: id.String()}})
	}
}

func (s *Screen) copy() tea.Cmd {
	id, ok := s.under()
	if !ok {
		return nil
	}
	return kit.Send(kit.Copy{Text: id.String(), What: "the event ID"})
}

// Draw draws the tree.
func (s *Screen) Draw(f *draw.Frame, area draw.Rect) {
	short := draw.Line{draw.Own(draw.Strong, "Versions")}
	title := append(short, draw.Own(draw.Quiet, " by the same author, newest on top"))
	if s.Value != nil {
		title = s.options.ScopeTitle(area.W-4, s.Value.Scope, title, short)
	}
	inner := f.Pane(area, title, nil, true)
	if s.Value == nil {
		f.Paragraph(inner, 1, s.Missing())
		return
	}
	list := draw.Rect{X: inner.X, Y: inner.Y, W: inner.W, H: max(inner.H-1, 0)}
	for i := 0; i < list.H && s.cursor.Scroll+i < len(s.Value.Nodes); i++ {
		row := s.cursor.Scroll + i
		f.Put(list, 0, i, s.line(row, list.W))
		if row == s.cursor.Row {
			f.Fill(list, i, draw.Reversed)
		}
	}
	f.Put(inner, 1, inner.H-1, append(s.foot(), s.by()...).Cut(inner.W-2, s.options.Glyphs.Ellipsis))
}

func (s *Screen) foot() draw.Line {
	if s.Value.Omitted > 0 {
		return draw.Line{draw.Say(draw.Warn, draw.Int(s.Value.Omitted)), draw.Own(draw.Warn, " more versions are not drawn (bound of 1,000)")}
	}
	if len(s.Value.Nodes) == 1 {
		return draw.Line{draw.Own(draw.Quiet, "no other version in this set")}
	}
	return draw.Line{draw.Own(draw.Quiet, "no winner: retracting one brings no predecessor back")}
}

// by is how the user calls the author of all versions; empty where there is no name.
func (s *Screen) by() draw.Line {
	e := s.Value.Nodes[s.Value.Here].Entry
	called := s.options.Called(e.Actor, s.options.Mine(e))
	if len(called) == 0 {
		return nil
	}
	return append(draw.Line{draw.Own(draw.Quiet, " "+s.options.Glyphs.Dot+" by "), draw.Say(draw.Normal, kit.ShortActor(e.Actor, s.options.Glyphs)), draw.Gap(1)}, called...)
}

// line is one version: its lane, state, date and nonce, then author text.
func (s *Screen) line(i, w int) draw.Line {
	n := s.Value.Nodes[i]
	e, g := n.Entry, s.options.Glyphs
	line := append(draw.Line{draw.Gap(1)}, s.lanes[i].Cut(w/3, g.Ellipsis)...)
	line = append(line, draw.Gap(1), draw.Say(draw.Normal, clean.Line(e.ID.String()[:8])), draw.Gap(1), draw.Say(draw.Strong, kit.TypeLetter(e.Type, e.Kind)), draw.Gap(1))
	life := kit.LifeLine(e)
	line = append(append(line, life...), draw.Gap(max(17-life.Width(), 1)))
	if w >= 90 {
		line = append(line, draw.Say(draw.Normal, kit.DateTime(e.CreatedAt)), draw.Gap(1))
	} else if w >= 70 {
		date := kit.Date(e.CreatedAt, s.options.Clock())
		line = append(line, draw.Say(draw.Normal, date), draw.Gap(8-draw.Width(date)))
	}
	if w >= 70 {
		line = append(line, draw.Own(draw.Quiet, "assessed "), draw.Say(draw.Normal, draw.Int(n.Assessments)), draw.Gap(1))
		if n.Retracted > 0 {
			line = append(line, draw.Own(draw.Normal, "("), draw.Say(draw.Bad, draw.Int(n.Retracted)), draw.Own(draw.Bad, " RETR."), draw.Own(draw.Normal, ") "))
		}
	}
	if i == s.Value.Here {
		line = append(line, draw.Own(draw.Key, "here "))
	}
	line = append(append(line, s.options.OwnMark(e)...), draw.Own(draw.Gutter, g.Gutter))
	return append(line, draw.Say(draw.Author, draw.Cut(clean.Line(e.Title), max(w-line.Width(), 0), g.Ellipsis)))
}
