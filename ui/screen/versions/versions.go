// Package versions shows the tree of supersedes around one capsule: branches and
// merges by the same author, newest on top, and no winner.
package versions

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

// Screen is the version tree of one capsule.
type Screen struct {
	session *explore.Session
	options kit.Options
	id      identity.ID
	size    kit.Size
	tree    *view.Versions
	lanes   []draw.Line
	failed  error
	cursor  kit.Cursor
	reading *slot.Slot[view.Versions]
}

// New makes the tree of a route's capsule.
func New(s *explore.Session, o kit.Options, r kit.Route) *Screen {
	id, err := identity.ParseID(r.ID)
	return &Screen{
		session: s, options: o, id: id, failed: err, cursor: kit.Cursor{Row: r.Cursor, Scroll: r.Scroll},
		reading: slot.New[view.Versions](o.Work),
	}
}

// Route keeps the capsule and the place.
func (s *Screen) Route() kit.Route {
	r := kit.Route{Screen: kit.Versions, ID: s.id.String(), Cursor: s.cursor.Row, Scroll: s.cursor.Scroll}
	if s.tree != nil {
		return r.Named(s.tree.Nodes[s.tree.Here].Entry.Title)
	}
	return r
}

// Crumb names the place.
func (s *Screen) Crumb() draw.Line {
	return draw.Line{draw.Own(draw.Chrome, "Versions of "), draw.Say(draw.Normal, kit.ShortID(s.id, s.options.Glyphs))}
}

// Typing is never true here.
func (s *Screen) Typing() bool { return false }

// Show reads the tree when it is not read yet.
func (s *Screen) Show(size kit.Size) tea.Cmd {
	s.size = size
	if s.tree != nil || s.failed != nil {
		return nil
	}
	return s.ask()
}

// Hide ends what is asked.
func (s *Screen) Hide() { s.reading.Cancel() }

func (s *Screen) ask() tea.Cmd {
	session, id := s.session, s.id
	return s.reading.Ask(func(ctx context.Context) (view.Versions, error) { return session.Versions(ctx, id) })
}

// Update takes the tree and the mouse.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	if tree, err, ok := s.reading.Take(msg); ok {
		s.failed = err
		if err != nil {
			return kit.Send(kit.Fail{Err: err})
		}
		if s.tree == nil && s.cursor.Row == 0 {
			s.cursor.Row = tree.Here
		}
		s.tree = &tree
		s.lanes = layLanes(tree, s.options.Glyphs.Tree)
		s.cursor.Clamp(len(tree.Nodes), s.height())
		return nil
	}
	switch msg := msg.(type) {
	case kit.Changed:
		return s.ask()
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
	if s.tree == nil {
		return 0
	}
	return len(s.tree.Nodes)
}

// height is how many versions are shown; a row below says what the tree does not.
func (s *Screen) height() int { return max(s.size.H-3, 1) }

// Rows are the keys of the tree.
func (s *Screen) Rows() []kit.Row {
	k := s.options.Keys
	rows := []kit.Row{
		k.Row("open", s.open), k.Row("reverse-links", s.visit(kit.Links)), k.Row("assessments", s.visit(kit.Review)),
		k.Row("copy", s.copy), k.Quiet("refresh", s.ask),
	}
	return append(rows, s.cursor.MoveRows(k, s.total, s.height, func() tea.Cmd { return nil })...)
}

func (s *Screen) under() (identity.ID, bool) {
	if s.cursor.Row >= s.total() {
		return identity.ID{}, false
	}
	return s.tree.Nodes[s.cursor.Row].Entry.ID, true
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
	if s.tree != nil {
		title = kit.ScopeTitle(area.W-4, s.tree.Scope, title, short)
	}
	inner := f.Pane(area, title, nil, true)
	if s.tree == nil {
		line := draw.Line{draw.Own(draw.Normal, "reading...")}
		if s.failed != nil {
			line = draw.ErrorLine(s.failed)
		}
		f.Paragraph(inner, 1, line)
		return
	}
	list := draw.Rect{X: inner.X, Y: inner.Y, W: inner.W, H: max(inner.H-1, 0)}
	for i := 0; i < list.H && s.cursor.Scroll+i < len(s.tree.Nodes); i++ {
		row := s.cursor.Scroll + i
		f.Put(list, 0, i, s.line(row, list.W))
		if row == s.cursor.Row {
			f.Fill(list, i, draw.Reversed)
		}
	}
	f.Put(inner, 1, inner.H-1, s.foot().Cut(inner.W-2, s.options.Glyphs.Ellipsis))
}

func (s *Screen) foot() draw.Line {
	if s.tree.Omitted > 0 {
		return draw.Line{draw.Say(draw.Warn, draw.Int(s.tree.Omitted)), draw.Own(draw.Warn, " more versions are not drawn (bound of 1,000)")}
	}
	if len(s.tree.Nodes) == 1 {
		return draw.Line{draw.Own(draw.Quiet, "no other version in this set")}
	}
	return draw.Line{draw.Own(draw.Quiet, "no winner: retracting one brings no predecessor back")}
}

// line is one version: its lane, state, date and nonce, then author text.
func (s *Screen) line(i, w int) draw.Line {
	n := s.tree.Nodes[i]
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
	if i == s.tree.Here {
		line = append(line, draw.Own(draw.Key, "here "))
	}
	line = append(line, draw.Own(draw.Gutter, g.Gutter))
	return append(line, draw.Say(draw.Author, draw.Cut(clean.Line(e.Title), max(w-line.Width(), 0), g.Ellipsis)))
}
