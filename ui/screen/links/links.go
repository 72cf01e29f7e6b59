// Package links shows what points at one event: relations, assessments and
// retractions, grouped, with their own lifecycle.
package links

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/slot"
	"akx/view"
	"akx/view/identity"
)

// Screen is the reverse links of one event. Counts come from index facts; titles
// are read for the rows on the screen only.
type Screen struct {
	set     explore.Set // whose links
	options kit.Options
	id      identity.ID
	size    kit.Size
	links   *view.Links
	failed  error
	byActor bool
	open    map[string]bool // groups that are unfolded
	filter  string
	typing  *draw.Field
	kept    string // the filter before it was typed in
	rows    []row
	cursor  kit.Cursor
	entries map[identity.ID]view.Entry
	reading *slot.Slot[view.Links]
	titling *slot.Slot[[]view.Entry]
}

// row is a group's heading, or one link.
type row struct {
	group *group
	link  *view.Incoming // nil for a heading
}

// New makes the screen for a route's event.
func New(s *explore.Session, o kit.Options, r kit.Route) *Screen {
	id, err := identity.ParseID(r.ID)
	return &Screen{
		set: s.SeenBy(identity.Origin(r.SeenBy)), options: o, id: id, failed: err, byActor: r.Query == "actor", open: map[string]bool{},
		cursor: kit.Cursor{Row: r.Cursor, Scroll: r.Scroll}, entries: map[identity.ID]view.Entry{},
		reading: slot.New[view.Links](o.Work), titling: slot.New[[]view.Entry](o.Work),
	}
}

// Route keeps the event, the grouping and the place.
func (s *Screen) Route() kit.Route {
	r := kit.Route{Screen: kit.Links, ID: s.id.String(), Cursor: s.cursor.Row, Scroll: s.cursor.Scroll, SeenBy: string(s.set.Service())}
	if s.byActor {
		r.Query = "actor"
	}
	if s.links != nil {
		return r.Named(s.links.Subject.Title)
	}
	return r
}

// Crumb names the place.
func (s *Screen) Crumb() draw.Line {
	return draw.Line{draw.Own(draw.Chrome, "Links to "), draw.Say(draw.Normal, kit.ShortID(s.id, s.options.Glyphs))}
}

// Typing reports whether the filter is typed.
func (s *Screen) Typing() bool { return s.typing != nil }

// Show reads the links when they are not read yet.
func (s *Screen) Show(size kit.Size) tea.Cmd {
	s.size = size
	if s.links != nil || s.failed != nil {
		return s.titles()
	}
	return s.ask()
}

// Hide ends what is asked.
func (s *Screen) Hide() {
	s.reading.Cancel()
	s.titling.Cancel()
}

func (s *Screen) ask() tea.Cmd {
	set, id := s.set, s.id
	return s.reading.Ask(func(ctx context.Context) (view.Links, error) { return set.Links(ctx, id) })
}

// maxFiltered bounds how many titles are read for a filter; beyond it links are
// still found by all that the index says of them.
const maxFiltered = 2000

// titles reads the titles that are needed and not read yet: those of the rows on
// the screen, and for a filter those of every link.
func (s *Screen) titles() tea.Cmd {
	s.cursor.Clamp(len(s.rows), s.height())
	var ids []identity.ID
	need := func(l *view.Incoming) {
		if _, ok := s.entries[l.Source]; !ok && len(ids) < maxFiltered {
			ids = append(ids, l.Source)
		}
	}
	for i := s.cursor.Scroll; i < min(s.cursor.Scroll+s.height(), len(s.rows)); i++ {
		if l := s.rows[i].link; l != nil {
			need(l)
		}
	}
	if s.links != nil && (s.typing != nil || s.filter != "") && len(s.entries) < maxFiltered {
		for _, g := range s.links.Groups {
			for i := range g.Links {
				need(&g.Links[i])
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	set := s.set
	return s.titling.Ask(func(ctx context.Context) ([]view.Entry, error) {
		entries, ok, err := set.Entries(ctx, ids)
		var held []view.Entry
		for i := range ok {
			if ok[i] {
				held = append(held, entries[i])
			}
		}
		return held, err
	})
}

// Update takes answers, keys of the filter, and the mouse.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	if l, err, ok := s.reading.Take(msg); ok {
		s.failed = err
		if err != nil {
			if kit.NotFollowed(err) { // what is shown is of no set now
				s.links, s.rows = nil, nil
			}
			return kit.FailRead(err)
		}
		first := s.links == nil
		s.links = &l
		s.entries = map[identity.ID]view.Entry{}
		if first {
			s.unfoldSmall()
		}
		s.arrange()
		return s.titles()
	}
	if entries, err, ok := s.titling.Take(msg); ok {
		for _, e := range entries {
			s.entries[e.ID] = e
		}
		if err != nil {
			return kit.FailRead(err)
		}
		if s.filter != "" {
			s.arrange()
			return s.titles()
		}
		return nil
	}
	switch msg := msg.(type) {
	case tea.KeyMsg:
		if s.typing != nil && s.typing.Key(msg) {
			return s.refilter()
		}
	case kit.Paste:
		if s.typing != nil && s.typing.Paste(msg.Text) {
			return s.refilter()
		}
	case kit.Wheel:
		s.cursor.Wheel(msg.Lines, len(s.rows), s.height())
		return s.titles()
	case kit.Click:
		if i := s.cursor.Scroll + msg.Y - 2; msg.Y >= 2 && i < len(s.rows) {
			s.cursor.Row = i
			return s.openRow()
		}
	}
	return nil
}

func (s *Screen) refilter() tea.Cmd {
	s.filter = s.typing.Value()
	s.arrange()
	return s.titles()
}

// height is how many rows are shown.
func (s *Screen) height() int { return max(s.size.H-3, 1) }

func (s *Screen) under() (row, bool) {
	if s.cursor.Row < 0 || s.cursor.Row >= len(s.rows) {
		return row{}, false
	}
	return s.rows[s.cursor.Row], true
}

// openRow folds a group, or opens the page of a source.
func (s *Screen) openRow() tea.Cmd {
	r, ok := s.under()
	if !ok {
		return nil
	}
	if r.link == nil {
		return s.fold()
	}
	return s.options.Now(kit.Go{Route: kit.Route{Screen: kit.Page, ID: r.link.Source.String()}})
}

// fold folds or unfolds the group under the cursor.
func (s *Screen) fold() tea.Cmd {
	r, ok := s.under()
	if !ok {
		return nil
	}
	s.open[r.group.key] = !s.open[r.group.key]
	s.arrange()
	for i := range s.rows {
		if s.rows[i].link == nil && s.rows[i].group.key == r.group.key {
			s.cursor.Row = i
		}
	}
	return s.titles()
}
