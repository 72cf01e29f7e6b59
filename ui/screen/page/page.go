// Package page shows one event: the author's text behind its gutter, and beside it
// the checks pane, which no author text can enter or imitate.
package page

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/slot"
	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
)

// The panes.
const (
	bodyPane = iota
	checksPane
)

// Screen is the page of one event.
type Screen struct {
	session *explore.Session
	set     explore.Set // whose lifecycle, links and counts the page shows
	options kit.Options
	id      identity.ID
	size    kit.Size
	page    *view.Page
	failed  error
	pane    int
	scroll  [2]int
	body    kit.Body // laid out for width
	width   int
	find    finder
	around  around
	reading *slot.Slot[reading]
}

// finder looks for a text in the body.
type finder struct {
	field  *draw.Field // while it is typed
	text   string
	before string // the text when the field was opened
	at     int    // the row of the match, -1 where there is none
}

// New makes the page of a route's event.
func New(s *explore.Session, o kit.Options, r kit.Route) *Screen {
	id, err := identity.ParseID(r.ID)
	p := &Screen{session: s, set: s.SeenBy(identity.Origin(r.SeenBy)), options: o, id: id, pane: r.Pane & 1, reading: slot.New[reading](o.Work)}
	p.around.asking = make(map[string]*slot.Slot[explore.Checked])
	p.scroll[bodyPane] = r.Scroll
	p.failed = err
	return p
}

// Route keeps the event, whose set it is shown in, the pane and the scroll.
func (s *Screen) Route() kit.Route {
	r := kit.Route{Screen: kit.Page, ID: s.id.String(), Scroll: s.scroll[bodyPane], Pane: s.pane, SeenBy: string(s.set.Service())}
	if s.page != nil {
		return r.Named(s.page.Entry.Title)
	}
	return r
}

// Crumb names the event by its ID and its kind; author text never stands here.
func (s *Screen) Crumb() draw.Line {
	line := draw.Line{draw.Say(draw.Chrome, kit.ShortID(s.id, s.options.Glyphs))}
	if s.page != nil {
		line = append(line, draw.Gap(1), draw.Say(draw.Normal, kit.What(s.page.Entry)))
	}
	return line
}

// Typing reports whether a text to find is typed.
func (s *Screen) Typing() bool { return s.find.field != nil }

// Show reads the page when it is not read yet, and lays it out again.
func (s *Screen) Show(size kit.Size) tea.Cmd {
	s.size = size
	if s.page != nil || s.failed != nil {
		s.layout()
		return nil
	}
	return s.ask()
}

// Hide ends what is asked.
func (s *Screen) Hide() {
	s.reading.Cancel()
	s.around.cancel()
}

func (s *Screen) ask() tea.Cmd {
	session, set, id := s.session, s.set, s.id
	return s.reading.Ask(func(ctx context.Context) (reading, error) { return read(ctx, session, set, id) })
}

// Update takes the page, keys of the finder, and the mouse.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	if r, err, ok := s.reading.Take(msg); ok {
		return s.take(r, err)
	}
	for _, one := range s.around.asking {
		if c, err, ok := one.Take(msg); ok {
			return s.takeCheck(c, err)
		}
	}
	switch msg := msg.(type) {
	case tea.KeyMsg:
		if s.find.field != nil && s.find.field.Key(msg) {
			s.findTyped()
		}
	case kit.Paste:
		if s.find.field != nil && s.find.field.Paste(msg.Text) {
			s.findTyped()
		}
	case kit.Wheel:
		pane := s.shownPane(msg.X)
		s.scroll[pane] += msg.Lines
		s.clamp()
	case kit.Click:
		return s.click(msg)
	}
	return nil
}

// take shows a page. One that is not held may be had from a service, so the
// services that there are are known then too.
func (s *Screen) take(r reading, err error) tea.Cmd {
	s.around.known = r.services
	s.failed = err
	if err != nil {
		if kit.NotFollowed(err) { // what is shown is of no set now
			s.page = nil
		}
		s.look()
		if s.page == nil { // it stands in place
			return nil
		}
		return kit.Send(kit.Fail{Err: err})
	}
	s.page, s.width = &r.page, 0
	s.look()
	s.layout()
	return s.askOnOpen()
}

// findTyped looks for what stands in the field now.
func (s *Screen) findTyped() {
	s.find.text = s.find.field.Value()
	s.jump(0, s.scroll[bodyPane])
}

func (s *Screen) click(c kit.Click) tea.Cmd {
	pane := s.shownPane(c.X)
	s.pane = pane
	row := s.scroll[pane] + c.Y - 1
	if pane == bodyPane && row >= 0 && row < len(s.body.Follow) && s.body.Follow[row] > 0 {
		return s.followLink(s.body.Follow[row] - 1)
	}
	return nil
}

// wide reports whether both panes are shown.
func (s *Screen) wide() bool { return s.size.W >= 100 }

func (s *Screen) bodyWidth() int {
	if s.wide() {
		return s.size.W * 58 / 100
	}
	return s.size.W
}

func (s *Screen) shownPane(x int) int {
	if !s.wide() {
		return s.pane
	}
	if x >= s.bodyWidth() {
		return checksPane
	}
	return bodyPane
}

// layout breaks the text into rows for the width that it has now.
func (s *Screen) layout() {
	inner := max(s.bodyWidth()-2, 1)
	if s.page == nil || s.width == inner {
		return
	}
	s.width = inner
	s.body = kit.LayBody(kit.TextOf(*s.page), inner, s.options)
	s.clamp()
}

func (s *Screen) clamp() {
	for pane, total := range [2]int{len(s.body.Lines), s.checksHeight()} {
		s.scroll[pane] = max(min(s.scroll[pane], total-s.height()), 0)
	}
}

func (s *Screen) height() int { return max(s.size.H-2, 1) }

func (s *Screen) checksHeight() int {
	if s.page == nil {
		return 0
	}
	return len(s.checks(s.checksWidth()))
}

func (s *Screen) checksWidth() int {
	if s.wide() {
		return max(s.size.W-s.bodyWidth()-3, 1)
	}
	return max(s.size.W-3, 1)
}

// followLink opens the target of an outgoing link.
func (s *Screen) followLink(i int) tea.Cmd {
	if s.page == nil || i >= len(s.page.Out) {
		return kit.Say("no outgoing relation has that number")
	}
	out := s.page.Out[i]
	if !out.Held {
		if s.set.Service() != "" {
			return kit.Say("the target is not in this set; V reads everything held, y copies its ID")
		}
		return kit.Say("the target is not held here; y copies its ID")
	}
	return s.options.Now(kit.Go{Route: kit.Route{Screen: kit.Page, ID: out.Link.Target.String()}})
}

// jump scrolls to the next row that holds the text, from a row on; false when no
// row does.
func (s *Screen) jump(step, from int) bool {
	s.find.at = -1
	text := capsule.FoldASCII(s.find.text)
	if text == "" {
		return false
	}
	total := len(s.body.Plain)
	for i := range total {
		row := (from + step*(i+1) + total*2) % max(total, 1)
		if step == 0 {
			row = (from + i) % total
		}
		if strings.Contains(capsule.FoldASCII(s.body.Plain[row]), text) {
			s.find.at = row
			s.scroll[bodyPane] = max(row-s.height()/3, 0)
			s.clamp()
			return true
		}
	}
	return false
}
