// Package browse is the list of what is held, with its filter, facets and preview.
package browse

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/slot"
	"akx/view"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/identity"
)

// Screen is the list. Its rows come in windows around the cursor.
type Screen struct {
	set     explore.Set // what is listed
	options kit.Options
	list    kit.List
	size    kit.Size
	cursor  kit.Cursor
	at      string // the event that the cursor was on when the place was kept
	window  explore.Window
	typing  *draw.Field
	kept    string // the text before it was typed in
	preview preview
	loading *slot.Slot[loaded]
	waits   int // events that wait for others, and are in no list
	whole   *slot.Slot[loaded]
	reading *slot.Slot[view.Page]
	failed  error
}

// preview is the pane beside the list, or over it on narrow screens.
type preview struct {
	wanted bool // shown where there is room
	full   bool // fills the screen
	scroll int
	page   *view.Page
}

// loaded is a window and the list that it answers.
type loaded struct {
	list   kit.List
	window explore.Window
	row    int // where the kept event stands, -1 where it was not asked for
	waits  int // events that wait for others, and are in no list
}

// New makes the screen at a place.
func New(s *explore.Session, o kit.Options, r kit.Route) *Screen {
	b := &Screen{
		set: s.SeenBy(identity.Origin(r.SeenBy)), options: o, list: kit.DecodeList(r.Query), at: r.At,
		cursor: kit.Cursor{Row: r.Cursor, Scroll: r.Scroll}, preview: preview{wanted: r.Pane == 0},
		loading: slot.New[loaded](o.Work), whole: slot.New[loaded](o.Work), reading: slot.New[view.Page](o.Work),
	}
	if r.Query == "" {
		b.list.Filter.Type = capsule.Publish
	}
	return b
}

// Route keeps the filters, the sort and the place.
func (s *Screen) Route() kit.Route {
	r := kit.Route{
		Screen: kit.Browse, Query: s.list.Encode(), Cursor: s.cursor.Row, Scroll: s.cursor.Scroll, SeenBy: string(s.set.Service()),
	}
	if e, ok := s.under(); ok {
		r.At = e.ID.String()
	}
	if r.Query == "" { // of every type, which is not the list that a route without a query is
		r.Query = "type="
	}
	if !s.preview.wanted {
		r.Pane = 1
	}
	return r
}

// Crumb names the place.
func (s *Screen) Crumb() draw.Line { return draw.Line{draw.Own(draw.Chrome, "Browse")} }

// Typing reports whether the filter is typed in.
func (s *Screen) Typing() bool { return s.typing != nil }

// Show reads the rows around the cursor.
func (s *Screen) Show(size kit.Size) tea.Cmd {
	s.size = size
	return s.ask()
}

// Hide ends what is asked.
func (s *Screen) Hide() {
	s.loading.Cancel()
	s.whole.Cancel()
	s.reading.Cancel()
}

// ask reads a window around the cursor; the place that was kept is found again
// once the list is complete.
func (s *Screen) ask() tea.Cmd {
	set, list, from, to := s.set, s.list, s.from(), s.to()
	return s.loading.Ask(func(ctx context.Context) (loaded, error) {
		q, err := list.Query()
		if err != nil {
			return loaded{list: list}, err
		}
		w, err := set.List(ctx, q, from, to)
		if err != nil {
			return loaded{list: list}, err
		}
		waits, err := set.Waiting(ctx)
		return loaded{list, w, -1, waits}, err
	})
}

// refresh reads the list again; the cursor stays on its event, wherever that is now.
func (s *Screen) refresh() tea.Cmd {
	if e, ok := s.under(); ok {
		s.at = e.ID.String()
	}
	return s.ask()
}

func (s *Screen) askWhole() tea.Cmd {
	set, list, from, to, at := s.set, s.list, s.from(), s.to(), s.at
	return s.whole.Ask(func(ctx context.Context) (loaded, error) {
		q, err := list.Query()
		if err != nil {
			return loaded{list: list}, err
		}
		w, err := set.Await(ctx, q, from, to)
		if err != nil {
			return loaded{list: list}, err
		}
		waits, err := set.Waiting(ctx)
		l := loaded{list, w, -1, waits}
		if id, parse := identity.ParseID(at); err == nil && at != "" && parse == nil {
			if row, ok, err := set.Position(ctx, q, id); err == nil && ok {
				l.row = row
			}
		}
		return l, err
	})
}

// from and to bound the rows to read: the screen, and one more each way.
func (s *Screen) from() int { return max(s.cursor.Scroll-s.height(), 0) }
func (s *Screen) to() int   { return max(s.cursor.Scroll, s.cursor.Row) + 2*s.height() }

// height is how many rows of the list are shown.
func (s *Screen) height() int { return max(s.size.H-2-s.head(), 1) }

// Update takes answers, keys of the filter, and the mouse.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	if l, err, ok := s.loading.Take(msg); ok {
		return s.take(l, err, true)
	}
	if l, err, ok := s.whole.Take(msg); ok {
		return s.take(l, err, false)
	}
	if page, err, ok := s.reading.Take(msg); ok {
		s.preview.page = &page
		if err != nil {
			s.preview.page = nil
			return kit.FailRead(err)
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
	case kit.Stirred: // an empty list moves under nobody
		if s.window.Total == 0 {
			return s.ask()
		}
	case kit.Wheel:
		if s.preview.full || msg.X >= s.listWidth() {
			s.preview.scroll = max(s.preview.scroll+msg.Lines, 0)
			return nil
		}
		s.cursor.Wheel(msg.Lines, s.window.Total, s.height())
		return s.moved()
	case kit.Click:
		return s.click(msg)
	}
	return nil
}

// take shows a window; while it is not complete, the rest is waited for.
func (s *Screen) take(l loaded, err error, first bool) tea.Cmd {
	s.failed = err
	if err != nil {
		s.window = explore.Window{Complete: true}
		return kit.FailRead(err)
	}
	if l.list != s.list {
		return nil
	}
	s.window, s.waits = l.window, l.waits
	if l.row >= 0 && l.row != s.cursor.Row {
		s.cursor.Scroll += l.row - s.cursor.Row
		s.cursor.Row = l.row
	}
	if l.window.Complete {
		s.cursor.Clamp(l.window.Total, s.height())
	}
	if e, ok := s.under(); ok && first && s.at != "" && e.ID.String() != s.at {
		return s.askWhole()
	}
	s.at = ""
	if !l.window.Complete {
		return tea.Batch(s.askWhole(), s.read())
	}
	if !s.covered() {
		return s.ask()
	}
	return s.read()
}

// covered reports whether every row on the screen is known.
func (s *Screen) covered() bool {
	last := min(s.cursor.Scroll+s.height(), s.window.Total)
	return s.cursor.Scroll >= last || s.cursor.Scroll >= s.window.First && last <= s.window.First+len(s.window.Rows)
}

// moved follows the cursor: rows that are not known yet, and the preview.
func (s *Screen) moved() tea.Cmd {
	s.cursor.Clamp(s.window.Total, s.height())
	s.preview.scroll = 0
	if !s.covered() {
		return tea.Batch(s.ask(), s.read())
	}
	return s.read()
}

// read asks for the page under the cursor when its preview is shown.
func (s *Screen) read() tea.Cmd {
	e, ok := s.under()
	if !ok {
		s.reading.Cancel()
		s.preview.page = nil
		return nil
	}
	if !s.previewed() || s.preview.page != nil && s.preview.page.Entry.ID == e.ID {
		return nil
	}
	set, id := s.set, e.ID
	return s.reading.Ask(func(ctx context.Context) (view.Page, error) { return set.Page(ctx, id) })
}

// under is the row under the cursor.
func (s *Screen) under() (view.Entry, bool) { return s.row(s.cursor.Row) }

func (s *Screen) row(i int) (view.Entry, bool) {
	i -= s.window.First
	if i < 0 || i >= len(s.window.Rows) {
		return view.Entry{}, false
	}
	return s.window.Rows[i], true
}

// change shows another list from its first row.
func (s *Screen) change(l kit.List) tea.Cmd {
	if l == s.list {
		return nil
	}
	s.list, s.cursor, s.at = l, kit.Cursor{}, ""
	s.whole.Cancel()
	return s.ask()
}

func (s *Screen) refilter() tea.Cmd {
	l := s.list
	l.Text = s.typing.Value()
	return s.change(l)
}

func (s *Screen) click(c kit.Click) tea.Cmd {
	top := 1 + s.head()
	row := s.cursor.Scroll + c.Y - top
	if s.preview.full || c.X >= s.listWidth() || c.Y < top || row >= s.window.Total {
		return nil
	}
	if row == s.cursor.Row {
		return s.open()
	}
	s.cursor.Row = row
	return s.moved()
}

func (s *Screen) open() tea.Cmd {
	e, ok := s.under()
	if !ok {
		return nil
	}
	return s.options.Now(kit.Go{Route: kit.Route{Screen: kit.Page, ID: e.ID.String()}})
}

// filterWords says what the list is narrowed by, in the words of the command line.
func (s *Screen) filterWords() draw.Line {
	var line draw.Line
	add := func(name string, value clean.Text) {
		line = append(line, draw.Say(draw.Quiet, clean.Line(" "+name+":")), draw.Say(draw.Strong, value))
	}
	for _, name := range capsule.FilterNames() {
		value := s.list.Filter.FilterText(name)
		if value == "" || name == "type" { // the title names the type
			continue
		}
		add(name, draw.Cut(clean.Line(value), 24, s.options.Glyphs.Ellipsis))
	}
	if s.list.Lifecycle != view.Unchecked {
		add("lifecycle", clean.Line(s.list.Lifecycle.String()))
	}
	if s.list.Text != "" && s.typing == nil {
		add("text", draw.Cut(clean.Line(s.list.Text), 30, s.options.Glyphs.Ellipsis))
	}
	return line
}
