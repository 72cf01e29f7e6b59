// Package outbox lists the user's drafts, their trash, and what was signed: where each
// event goes, how it stands there, and what comes next.
package outbox

import (
	"context"
	"maps"
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/slot"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// Screen is the list, and below it what is known of the row under the cursor.
type Screen struct {
	session   *explore.Session
	writer    *explore.Writer
	texts     Texts
	options   kit.Options
	size      kit.Size
	list      list
	trash     bool   // discarded drafts are shown in place of the others
	discarded uint64 // the draft that was put into the trash last, here; 0 for none
	cursor    kit.Cursor
	scroll    int    // of the lower pane
	want      wanted // what the cursor is to go to, once it is read
	asks
}

// wanted is an entry of the outbox, by its ID; send says that it is to be sent.
type wanted struct {
	id   string
	send bool
}

// asks are what the screen may wait for.
type asks struct {
	reading  *slot.Slot[list]
	changing *slot.Slot[kit.Notice]
	planning *slot.Slot[explore.Plan]
	services *slot.Slot[[]kit.Choice]
	locking  *slot.Slot[locked]
}

// locked is a sending that waits for the key whose request token the service is to see;
// zero where it needs none.
type locked struct {
	actor   identity.Actor
	service string
	then    func() tea.Cmd
}

// list is what was read.
type list struct {
	drafts  []draft
	entries []desk.Entry
	relying explore.Reliance
	names   map[string]string // of the user's services, by origin
	limits  map[string]int    // bytes of an envelope that they say they take, by origin
	read    bool
	damaged []*fault.Damaged // beside what could be read
}

// draft is a draft, how many problems block its signature, and how many places are to be
// answered before it.
type draft struct {
	desk.Draft
	errors, toAnswer int
}

// row is one line: what cannot be read, a draft, or one delivery of an entry; delivery
// is -1 for an entry that goes nowhere.
type row struct {
	damaged  *fault.Damaged
	draft    *draft
	entry    *desk.Entry
	delivery int
}

// Texts are what the user's editor saved and drafts have not taken.
type Texts interface {
	// Drop forgets that of a draft; where there is none that is no error.
	Drop(draft uint64) error
}

// New makes the list at a place.
func New(s *explore.Session, w *explore.Writer, t Texts, o kit.Options, r kit.Route) *Screen {
	return &Screen{
		session: s, writer: w, texts: t, options: o, trash: r.Pane == 1, cursor: kit.Cursor{Row: r.Cursor, Scroll: r.Scroll},
		want: wanted{r.ID, r.Query == kit.SendNow},
		asks: asks{
			reading: slot.New[list](o.Work), changing: slot.New[kit.Notice](o.Work), planning: slot.New[explore.Plan](o.Work),
			services: slot.New[[]kit.Choice](o.Work), locking: slot.New[locked](o.Work),
		},
	}
}

// Route keeps the place.
func (s *Screen) Route() kit.Route {
	r := kit.Route{Screen: kit.Outbox, Cursor: s.cursor.Row, Scroll: s.cursor.Scroll}
	if s.trash {
		r.Pane = 1
	}
	return r
}

// Crumb names the place.
func (s *Screen) Crumb() draw.Line { return draw.Line{draw.Own(draw.Chrome, "Drafts and outbox")} }

// Typing is never true here.
func (s *Screen) Typing() bool { return false }

// Show reads the list.
func (s *Screen) Show(size kit.Size) tea.Cmd {
	s.size = size
	return s.ask()
}

// Hide ends what is read; what was begun to be sent goes on, and stands in the outbox.
func (s *Screen) Hide() {
	s.reading.Cancel()
	s.planning.Cancel()
	s.services.Cancel()
	s.locking.Cancel()
}

func (s *Screen) ask() tea.Cmd {
	session, writer, trash := s.session, s.writer, s.trash
	var own []identity.Actor
	if s.options.Desk != nil {
		own = slices.Collect(maps.Keys(s.options.Desk.Own))
	}
	return s.reading.Ask(func(ctx context.Context) (list, error) {
		l, err := read(ctx, writer, own, trash)
		if err != nil {
			return list{}, err
		}
		return l, l.readServices(ctx, session)
	})
}

// readServices reads how the user's services are called, and what they say they take.
func (l *list) readServices(ctx context.Context, session *explore.Session) error {
	states, err := session.ListServices(ctx)
	l.names, l.limits = make(map[string]string), make(map[string]int)
	for _, state := range states {
		origin := string(state.Service.Origin)
		l.names[origin] = state.Service.Name
		if most, ok := state.MostBytes(); ok {
			l.limits[origin] = most
		}
	}
	return err
}

// name is the user's name of a service, or its host where it was removed since.
func (s *Screen) name(origin string) clean.Text {
	if name := s.list.names[origin]; name != "" {
		return clean.Line(name)
	}
	return kit.Host(origin)
}

// read lists drafts with their problems, and the outbox. What is damaged is told
// beside the rest.
func read(ctx context.Context, w *explore.Writer, own []identity.Actor, trash bool) (list, error) {
	l := list{read: true}
	which := w.Drafts
	if trash {
		which = w.Trash
	}
	drafts, err := which(ctx)
	if err := l.beside(err); err != nil {
		return list{}, err
	}
	for _, d := range drafts {
		n := 0
		for _, p := range d.Check(desk.DefaultLimits) {
			if p.Severity == desk.Blocks {
				n++
			}
		}
		findings, _ := d.Scan(own)
		l.drafts = append(l.drafts, draft{d, n, len(findings)})
	}
	entries, err := w.Outbox(ctx)
	if err := l.beside(err); err != nil {
		return list{}, err
	}
	l.entries = entries
	if l.relying, err = w.Reliance(ctx, drafts, entries); err != nil {
		return list{}, err
	}
	return l, nil
}

// beside keeps damage, which comes with what can be read; other errors are the answer.
func (l *list) beside(err error) error {
	if damaged := fault.AllDamaged(err); len(damaged) > 0 {
		l.damaged = append(l.damaged, damaged...)
		return nil
	}
	return err
}

// Update takes answers and the mouse.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	if l, err, ok := s.reading.Take(msg); ok {
		if err != nil {
			return kit.Send(kit.Fail{Err: err})
		}
		s.list = l
		return s.goTo()
	}
	if notice, err, ok := s.changing.Take(msg); ok {
		if err != nil {
			return tea.Batch(kit.Send(kit.Fail{Err: err}), kit.Send(kit.Written{}))
		}
		return tea.Batch(kit.Send(notice), kit.Send(kit.Written{}))
	}
	if plan, err, ok := s.planning.Take(msg); ok {
		if err != nil {
			return kit.Send(kit.Fail{Err: err})
		}
		return s.confirmPlan(plan)
	}
	if l, err, ok := s.locking.Take(msg); ok {
		if err != nil {
			return kit.Send(kit.Fail{Err: err})
		}
		return s.unlocked(l)
	}
	if choices, err, ok := s.services.Take(msg); ok {
		if err != nil {
			return kit.Send(kit.Fail{Err: err})
		}
		if len(choices) == 0 {
			return kit.Say("no service is enabled; s lists them")
		}
		return s.options.Now(kit.Choose{Title: "Queue for which service? Nothing is sent", Choices: choices})
	}
	switch msg := msg.(type) {
	case kit.Written:
		return s.ask()
	case kit.Wheel:
		if msg.Y >= s.listHeight() {
			s.scroll = max(s.scroll+msg.Lines, 0)
			return nil
		}
		s.cursor.Wheel(msg.Lines, len(s.rows()), s.height())
	case kit.Click:
		return s.click(msg)
	}
	return nil
}

// goTo puts the cursor on the entry that is wanted, where there is one: on what is not
// accepted of it. It sends that, if that is what was asked for.
func (s *Screen) goTo() tea.Cmd {
	want := s.want
	s.want = wanted{}
	found := false
	for i, r := range s.rows() {
		if r.entry == nil || r.entry.ID.String() != want.id {
			continue
		}
		d, _ := r.at()
		if !found || d.State != desk.Accepted {
			s.cursor.Row, found = i, true
		}
		if d.State != desk.Accepted {
			break
		}
	}
	s.cursor.Clamp(len(s.rows()), s.height())
	if !found || !want.send {
		return nil
	}
	if why := s.noSend(); why != "" {
		return kit.Say(why)
	}
	return s.send()
}

func (s *Screen) click(c kit.Click) tea.Cmd {
	i := s.cursor.Scroll + c.Y - 1
	if c.Y < 1 || c.Y > s.height() || i >= len(s.rows()) {
		return nil
	}
	if i == s.cursor.Row {
		return s.open()
	}
	s.cursor.Row, s.scroll = i, 0
	return nil
}

// rows are the lines of the list: damage first, so that no gap is silent, then drafts.
func (s *Screen) rows() []row {
	var out []row
	for _, d := range s.list.damaged {
		out = append(out, row{damaged: d})
	}
	for i := range s.list.drafts {
		out = append(out, row{draft: &s.list.drafts[i]})
	}
	if s.trash {
		return out
	}
	for i := range s.list.entries {
		e := &s.list.entries[i]
		if len(e.Deliveries) == 0 {
			out = append(out, row{entry: e, delivery: -1})
		}
		for k := range e.Deliveries {
			out = append(out, row{entry: e, delivery: k})
		}
	}
	return out
}

// under is the row under the cursor.
func (s *Screen) under() (row, bool) {
	rows := s.rows()
	if s.cursor.Row >= len(rows) {
		return row{}, false
	}
	return rows[s.cursor.Row], true
}

// at is the delivery of a row.
func (r row) at() (desk.Delivery, bool) {
	if r.entry == nil || r.delivery < 0 {
		return desk.Delivery{}, false
	}
	return r.entry.Deliveries[r.delivery], true
}

func (s *Screen) listHeight() int { return max(s.size.H*6/10, 5) }
func (s *Screen) height() int     { return max(s.listHeight()-2, 1) }

func (s *Screen) open() tea.Cmd {
	r, ok := s.under()
	switch {
	case !ok || r.damaged != nil:
		return nil
	case r.draft != nil:
		return s.options.Now(kit.Go{Route: kit.Route{Screen: kit.Compose, Query: strconv.FormatUint(r.draft.ID, 10), Pane: 1}})
	}
	return s.options.Now(kit.Go{Route: kit.Route{Screen: kit.Page, ID: r.entry.ID.String()}})
}
