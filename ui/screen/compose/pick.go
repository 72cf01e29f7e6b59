package compose

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/slot"
	"akx/view"
	"akx/view/capsule"
	"akx/view/clean"
)

// targetPicker searches the library for a target. Events that may not be one are
// listed with the reason why.
type targetPicker struct {
	listBox
	screen   *Screen
	path     string
	relation capsule.Relation
	field    *draw.Field
	found    []candidate
	read     bool
	failed   error
	asking   *slot.Slot[[]candidate]
}

// candidate is an event, and why it may not be the target; empty where it may.
type candidate struct {
	entry view.Entry
	why   string
}

// maxFound is how many events a search for a target lists.
const maxFound = 200

func newTargetPicker(s *Screen, path string, r capsule.Relation) *targetPicker {
	return &targetPicker{
		listBox: listBox{options: s.options}, screen: s, path: path, relation: r,
		field: draw.NewField(capsule.MaxTextScalars, ""), asking: slot.New[[]candidate](s.options.Work),
	}
}

// ask searches for what is typed now.
func (p *targetPicker) ask() tea.Cmd {
	session, d, relation := p.screen.shared.Session, p.screen.doc.draft.Clone(), p.relation
	actor := p.screen.author()
	var q view.Query
	if relation != 0 || d.Type == capsule.Assess {
		q.Filter.Type = capsule.Publish
	}
	if terms, err := capsule.ParseTerms(p.field.Value(), true); err == nil {
		q.Terms = terms
	}
	return p.asking.Ask(func(ctx context.Context) ([]candidate, error) {
		w, err := session.Await(ctx, q, 0, maxFound)
		out := make([]candidate, len(w.Rows))
		for i, e := range w.Rows {
			out[i].entry = e
			if refused := d.CheckLink(actor, relation, capsule.Target{Type: e.Type, Kind: e.Kind, Actor: e.Actor, Nonce: e.Nonce}); refused != nil {
				out[i].why = refused.Detail
			}
		}
		return out, err
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
		p.move(msg.Lines, len(p.found))
	}
	return nil
}

func (p *targetPicker) Rows() []kit.Row {
	k := p.options.Keys
	by := func(n int) func() tea.Cmd {
		return func() tea.Cmd { p.move(n, len(p.found)); return nil }
	}
	return []kit.Row{
		k.Row("accept", p.choose).Called("choose"), k.Row("cancel", func() tea.Cmd { return p.options.Now(kit.Shut{}) }),
		k.Row("next-choice", by(1)), k.Row("previous-choice", by(-1)),
	}
}

func (p *targetPicker) choose() tea.Cmd {
	if p.cursor.Row >= len(p.found) {
		return nil
	}
	c := p.found[p.cursor.Row]
	if c.why != "" {
		return kit.Send(kit.Notice{Line: draw.Line{draw.Own(draw.Normal, "this cannot be the target: "), draw.Say(draw.Normal, clean.Line(c.why))}, Bad: true})
	}
	p.options.Now(kit.Shut{})
	return p.screen.put(p.path, c.entry.ID.String())
}

func (p *targetPicker) Draw(f *draw.Frame, area draw.Rect) {
	rows := make([]draw.Line, len(p.found))
	for i, c := range p.found {
		if c.why != "" {
			rows[i] = append(rows[i], draw.Own(draw.Warn, "not this: "), draw.Say(draw.Normal, clean.Line(c.why)), draw.Own(draw.Normal, " - "))
		}
		rows[i] = append(rows[i], entryLine(c.entry, p.options)...)
	}
	foot := draw.Line{draw.Own(draw.Normal, "nothing in the library has these words")}
	switch {
	case p.failed != nil:
		foot = draw.ErrorLine(p.failed)
	case !p.read:
		foot = draw.Line{draw.Own(draw.Normal, "searching...")}
	case p.cursor.Row < len(p.found):
		foot = draw.Line{draw.Own(draw.Quiet, "id "), draw.Say(draw.Normal, clean.Line(p.found[p.cursor.Row].entry.ID.String()))}
	}
	head := p.draw(f, area, "Which event is the target?", 1, rows, []draw.Line{foot})
	f.Put(head, 1, 0, draw.Line{draw.Own(draw.Key, "> ")})
	p.field.Draw(f, head, 3, 0, draw.Normal)
}

// Gatherer lets the user choose which of an actor's own capsules a correction
// supersedes.
type Gatherer struct {
	listBox
	shared *Shared
	want   kit.Gather
	own    []view.Entry
	chosen map[string]bool
	asking *slot.Slot[[]view.Entry]
	read   bool
	failed error
}

// NewGatherer makes it; Ask reads the list.
func NewGatherer(shared *Shared, want kit.Gather) *Gatherer {
	return &Gatherer{
		listBox: listBox{options: shared.Options}, shared: shared, want: want,
		chosen: map[string]bool{want.First.String(): true}, asking: slot.New[[]view.Entry](shared.Options.Work),
	}
}

// maxOwn is how many of an actor's own capsules are listed.
const maxOwn = 1000

// Ask reads the actor's capsules; the first chosen one comes first.
func (g *Gatherer) Ask() tea.Cmd {
	session, want := g.shared.Session, g.want
	return g.asking.Ask(func(ctx context.Context) ([]view.Entry, error) {
		var q view.Query
		q.Filter.Type, q.Filter.Actor = capsule.Publish, want.Actor
		w, err := session.Await(ctx, q, 0, maxOwn)
		var first, rest []view.Entry
		for _, e := range w.Rows {
			if e.ID == want.First {
				first = append(first, e)
			} else {
				rest = append(rest, e)
			}
		}
		return append(first, rest...), err
	})
}

// Typing is never true here.
func (g *Gatherer) Typing() bool { return false }

// Close ends what is asked.
func (g *Gatherer) Close() { g.asking.Cancel() }

// Update takes the list and the wheel.
func (g *Gatherer) Update(msg tea.Msg) tea.Cmd {
	if own, err, ok := g.asking.Take(msg); ok {
		g.own, g.failed, g.read = own, err, true
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
	foot := []draw.Line{
		{draw.Own(draw.Normal, "A correction supersedes all that are chosen. Text comes from the first; what differs in the others is added below it.")},
	}
	switch {
	case g.failed != nil:
		foot = []draw.Line{draw.ErrorLine(g.failed)}
	case !g.read:
		foot = []draw.Line{{draw.Own(draw.Normal, "reading...")}}
	}
	g.draw(f, area, "Correct which of your own capsules?", 0, rows, foot)
}
