package compose

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
	"akx/view/clean"
	"akx/view/identity"
)

// targetPicker searches the library for a target, by words or by an event ID. Events
// that may not be one come last, with the reason why.
type targetPicker struct {
	listBox
	screen   *Screen
	path     string
	relation capsule.Relation
	field    *draw.Field
	found    explore.Candidates
	read     bool
	failed   error
	asking   *slot.Slot[explore.Candidates]
}

func newTargetPicker(s *Screen, path string, r capsule.Relation) *targetPicker {
	return &targetPicker{
		listBox: listBox{options: s.options}, screen: s, path: path, relation: r,
		field: draw.NewField(capsule.MaxTextScalars, ""), asking: slot.New[explore.Candidates](s.options.Work),
	}
}

// ask searches for what is typed now.
func (p *targetPicker) ask() tea.Cmd {
	writer, d, relation, typed := p.screen.shared.Writer, p.screen.doc.draft.Clone(), p.relation, p.field.Value()
	d.Actor = p.screen.author()
	return p.asking.Ask(func(ctx context.Context) (explore.Candidates, error) {
		return writer.FindTargets(ctx, d, relation, typed)
	})
}

func (p *targetPicker) Typing() bool { return true }
func (p *targetPicker) Close()       { p.asking.Cancel() }

func (p *targetPicker) Update(msg tea.Msg) tea.Cmd {
	if found, err, ok := p.asking.Take(msg); ok {
		p.found, p.failed, p.read = found, err, true
		p.cursor = kit.Cursor{}
		return nil
	}
	switch msg := msg.(type) {
	case tea.KeyMsg:
		if p.field.Key(msg) {
			return p.ask()
		}
	case kit.Paste:
		if p.field.Paste(msg.Text) {
			return p.ask()
		}
	case kit.Wheel:
		p.move(msg.Lines, len(p.found.List))
	}
	return nil
}

func (p *targetPicker) Rows() []kit.Row {
	k := p.options.Keys
	by := func(n int) func() tea.Cmd {
		return func() tea.Cmd { p.move(n, len(p.found.List)); return nil }
	}
	return []kit.Row{
		k.Row("accept", p.choose).Called("choose"), k.Row("cancel", func() tea.Cmd { return p.options.Now(kit.Shut{}) }),
		k.Row("next-choice", by(1)), k.Row("previous-choice", by(-1)),
	}
}

func (p *targetPicker) choose() tea.Cmd {
	if p.cursor.Row >= len(p.found.List) {
		return nil
	}
	c := p.found.List[p.cursor.Row]
	if c.Why != "" {
		return kit.Send(kit.Notice{Line: draw.Line{draw.Own(draw.Normal, "this cannot be the target: "), draw.Say(draw.Normal, clean.Line(c.Why))}, Bad: true})
	}
	p.options.Now(kit.Shut{})
	return p.screen.put(p.path, c.Entry.ID.String())
}

func (p *targetPicker) Draw(f *draw.Frame, area draw.Rect) {
	rows := make([]draw.Line, len(p.found.List))
	for i, c := range p.found.List {
		if c.Why != "" {
			rows[i] = append(rows[i], draw.Own(draw.Warn, "not this: "), draw.Say(draw.Normal, clean.Line(c.Why)), draw.Own(draw.Normal, " - "))
		}
		rows[i] = append(rows[i], entryLine(c.Entry, p.options)...)
	}
	foot := []draw.Line{p.counts(), nil}
	if p.cursor.Row < len(p.found.List) {
		foot[1] = draw.Line{draw.Own(draw.Quiet, "id "), draw.Say(draw.Normal, clean.Line(p.found.List[p.cursor.Row].Entry.ID.String()))}
	}
	head := p.draw(f, area, "Which event is the target?", 1, rows, foot)
	f.Put(head, 1, 0, draw.Line{draw.Own(draw.Key, "> ")})
	p.field.Draw(f, head, 3, 0, draw.Normal)
}

// counts says how many events may be the target, and how many of them are not listed.
func (p *targetPicker) counts() draw.Line {
	c := p.found
	switch {
	case p.failed != nil:
		return draw.ErrorLine(p.failed)
	case !p.read:
		return draw.Line{draw.Own(draw.Normal, "searching...")}
	case len(c.List) == 0:
		return draw.Line{draw.Own(draw.Normal, "nothing held here has these words; an event ID is found from its first 6 characters on")}
	}
	line := draw.Line{draw.Say(draw.Strong, draw.Int(c.May)), draw.Own(draw.Normal, " may be the target")}
	if p.relation != 0 {
		line = append(line, draw.Own(draw.Normal, " of "), draw.Say(draw.Normal, clean.Line(p.relation.String())))
	}
	if c.Left > 0 {
		line = append(line, draw.Own(draw.Normal, ", "), draw.Say(draw.Warn, draw.Int(c.Left)), draw.Own(draw.Warn, " of them not listed"), draw.Own(draw.Normal, ": type words or an event ID"))
	}
	if c.Others > 0 {
		line = append(line, draw.Own(draw.Quiet, "; "), draw.Say(draw.Quiet, draw.Int(c.Others)), draw.Own(draw.Quiet, plural(c.Others, " other may not", " others may not")))
	}
	return line
}

// Gatherer lets the user choose which of an actor's own capsules a correction
// supersedes.
type Gatherer struct {
	listBox
	shared *Shared
	want   kit.Gather
	own    []view.Entry
	chosen map[string]bool
	left   int // of the actor's capsules, that are not listed
	asking *slot.Slot[gathered]
	read   bool
	failed error
}

// gathered are an actor's own capsules, and how many more there are.
type gathered struct {
	own  []view.Entry
	left int
}

// NewGatherer makes it; Ask reads the list.
func NewGatherer(shared *Shared, want kit.Gather) *Gatherer {
	return &Gatherer{
		listBox: listBox{options: shared.Options}, shared: shared, want: want,
		chosen: map[string]bool{want.First.String(): true}, asking: slot.New[gathered](shared.Options.Work),
	}
}

// maxOwn is how many of an actor's own capsules are listed.
const maxOwn = 1000

// Ask reads the actor's capsules; the first chosen one comes first, however many are
// newer.
func (g *Gatherer) Ask() tea.Cmd {
	session, want := g.shared.Session, g.want
	return g.asking.Ask(func(ctx context.Context) (gathered, error) {
		var q view.Query
		q.Filter.Type, q.Filter.Actor = capsule.Publish, want.Actor
		w, err := session.Await(ctx, q, 0, maxOwn)
		if err != nil {
			return gathered{}, err
		}
		first, held, err := session.Entries(ctx, []identity.ID{want.First})
		if err != nil || !held[0] {
			return gathered{}, err
		}
		rest := slices.DeleteFunc(w.Rows, func(e view.Entry) bool { return e.ID == want.First })
		own := append(first, rest...)
		return gathered{own, w.Total - len(own)}, nil
	})
}

// Typing is never true here.
func (g *Gatherer) Typing() bool { return false }

// Close ends what is asked.
func (g *Gatherer) Close() { g.asking.Cancel() }

// Update takes the list and the wheel.
func (g *Gatherer) Update(msg tea.Msg) tea.Cmd {
	if found, err, ok := g.asking.Take(msg); ok {
		g.own, g.left, g.failed, g.read = found.own, found.left, err, true
		return nil
	}
	if w, ok := msg.(kit.Wheel); ok {
		g.move(w.Lines, len(g.own))
	}
	return nil
}

// Rows are the keys of the list: blank chooses, enter begins.
func (g *Gatherer) Rows() []kit.Row {
	k := g.options.Keys
	toggle := k.RowByKey("toggle", g.press).Called("choose; " + clean.Words(g.options.Glyphs.Enter) + " begins")
	return append([]kit.Row{
		toggle, k.Row("close", func() tea.Cmd { return g.options.Now(kit.Shut{}) }).Called("cancel"),
	}, g.cursor.MoveRows(k, func() int { return len(g.own) }, func() int { return max(g.height, 1) }, func() tea.Cmd { return nil })...)
}

func (g *Gatherer) press(key string) tea.Cmd {
	if g.cursor.Row >= len(g.own) {
		return nil
	}
	if key != "enter" {
		id := g.own[g.cursor.Row].ID.String()
		g.chosen[id] = !g.chosen[id]
		return nil
	}
	var d kit.Draft
	for _, e := range g.own {
		if g.chosen[e.ID.String()] {
			d.Correct = append(d.Correct, e.ID)
		}
	}
	if len(d.Correct) == 0 {
		return kit.Say("choose at least one capsule; space chooses")
	}
	g.options.Now(kit.Shut{})
	return g.options.Now(d)
}

// Draw draws the list.
func (g *Gatherer) Draw(f *draw.Frame, area draw.Rect) {
	rows := make([]draw.Line, len(g.own))
	for i, e := range g.own {
		mark := clean.Words("[ ] ")
		if g.chosen[e.ID.String()] {
			mark = "[x] "
		}
		rows[i] = append(draw.Line{draw.Own(draw.Key, mark)}, entryLine(e, g.options)...)
	}
	var foot []draw.Line
	add := func(line draw.Line) { foot = append(foot, draw.WrapLine(line, boxWidth(area)-4)...) }
	add(draw.Line{draw.Own(draw.Normal, "A correction supersedes all that are chosen. Text comes from the first; what differs in the others is added below it.")})
	if g.left > 0 {
		add(draw.Line{
			draw.Own(draw.Warn, "the newest "), draw.Say(draw.Warn, draw.Int(maxOwn)), draw.Own(draw.Warn, " are listed; "), draw.Say(draw.Warn, draw.Int(g.left)),
			draw.Own(draw.Warn, " older not"), draw.Own(draw.Normal, ": begin on the page of one of those, then choose newer ones here"),
		})
	}
	switch {
	case g.failed != nil:
		foot = []draw.Line{draw.ErrorLine(g.failed)}
	case !g.read:
		foot = []draw.Line{{draw.Own(draw.Normal, "reading...")}}
	}
	g.draw(f, area, "Correct which of your own capsules?", 0, rows, foot)
}
