package browse

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

// facets is the panel that narrows the list. Its counts are those of the rows that
// choosing a value would leave.
type facets struct {
	screen *Screen
	asking *slot.Slot[view.Facets]
	lines  []facetLine
	cursor kit.Cursor
	failed error
}

// facetLine is a heading (no value) or a value with its count.
type facetLine struct {
	name  clean.Words // the filter of 9.3, or "month"
	value string
	count int
	on    bool
}

func (s *Screen) openFacets() tea.Cmd {
	p := &facets{screen: s, asking: slot.New[view.Facets](s.options.Work)}
	return s.options.Now(kit.Open{Overlay: p, Then: p.ask()})
}

func (p *facets) ask() tea.Cmd {
	set, list := p.screen.set, p.screen.list
	return p.asking.Ask(func(ctx context.Context) (view.Facets, error) { return count(ctx, set, list) })
}

// count counts each facet over the rows that the other filters leave, so that a
// chosen value can be changed for its neighbour.
func count(ctx context.Context, set explore.Set, list kit.List) (view.Facets, error) {
	q, err := list.Query()
	if err != nil {
		return view.Facets{}, err
	}
	all, err := set.Facets(ctx, q)
	if err != nil {
		return all, err
	}
	for _, facet := range []string{"kind", "type", "verdict", "tag", "language", "actor", "month"} {
		open := list
		if open.Filter, err = choose(list.Filter, facet, "", false); err != nil || open == list {
			continue
		}
		if q, err = open.Query(); err != nil {
			return all, err
		}
		counts, err := set.Facets(ctx, q)
		if err != nil {
			return all, err
		}
		*group(&all, facet) = *group(&counts, facet)
	}
	return all, nil
}

// group is the values of one facet.
func group(f *view.Facets, facet string) *[]view.Facet {
	return map[string]*[]view.Facet{
		"kind": &f.Kinds, "type": &f.Types, "verdict": &f.Verdicts, "tag": &f.Tags,
		"language": &f.Languages, "actor": &f.Actors, "month": &f.Months,
	}[facet]
}

// height is how many lines are shown: the whole frame without the panel's edges
// and a row above and below it.
func (p *facets) height() int { return max(p.screen.size.H-2, 1) }

func (p *facets) Typing() bool { return false }
func (p *facets) Close()       { p.asking.Cancel() }

func (p *facets) Update(msg tea.Msg) tea.Cmd {
	if counts, err, ok := p.asking.Take(msg); ok {
		p.failed = err
		p.fill(counts)
		return nil
	}
	if w, ok := msg.(kit.Wheel); ok {
		p.cursor.Wheel(w.Lines, len(p.lines), p.height())
	}
	return nil
}

// fill makes the lines; chosen values come even where they count nothing.
func (p *facets) fill(counts view.Facets) {
	p.lines = nil
	filter := p.screen.list.Filter
	for _, group := range []struct {
		name   clean.Words
		values []view.Facet
	}{
		{"kind", counts.Kinds}, {"type", counts.Types}, {"verdict", counts.Verdicts}, {"tag", counts.Tags},
		{"language", counts.Languages}, {"actor", counts.Actors}, {"month", counts.Months},
	} {
		if len(group.values) == 0 {
			continue
		}
		p.lines = append(p.lines, facetLine{name: group.name})
		for i, v := range group.values {
			if i == maxValues {
				break
			}
			on := chosen(filter, string(group.name), v.Value)
			p.lines = append(p.lines, facetLine{group.name, v.Value, v.Count, on})
		}
	}
	p.cursor.Clamp(len(p.lines), p.height())
}

// maxValues bounds the values of one facet; counts are sorted, so the rest is rarer.
const maxValues = 40

func (p *facets) Rows() []kit.Row {
	k := p.screen.options.Keys
	rows := []kit.Row{k.Row("toggle", p.toggle), p.nameRow(), k.Row("clear", p.clear), k.Row("close", func() tea.Cmd { return p.screen.options.Now(kit.Shut{}) })}
	return append(rows, p.cursor.MoveRows(k, func() int { return len(p.lines) }, p.height, func() tea.Cmd { return nil })...)
}

// nameRow names the Agent ID under the cursor.
func (p *facets) nameRow() kit.Row {
	why := clean.Words("this is no Agent ID; the group actor lists them")
	actor, ok := p.actor()
	if ok {
		why = ""
	}
	return p.screen.options.NameRow(actor, why)
}

// actor is the Agent ID under the cursor.
func (p *facets) actor() (identity.Actor, bool) {
	if p.cursor.Row >= len(p.lines) || p.lines[p.cursor.Row].name != "actor" {
		return identity.Actor{}, false
	}
	actor, err := identity.ParseActor(p.lines[p.cursor.Row].value)
	return actor, err == nil
}

func (p *facets) clear() tea.Cmd { return tea.Batch(p.screen.clear(), p.ask()) }

// toggle chooses the value under the cursor, or drops it when it is chosen.
func (p *facets) toggle() tea.Cmd {
	if p.cursor.Row >= len(p.lines) || p.lines[p.cursor.Row].value == "" {
		return nil
	}
	line, list := p.lines[p.cursor.Row], p.screen.list
	filter, err := choose(list.Filter, string(line.name), line.value, !line.on)
	if err != nil {
		return kit.Send(kit.Fail{Err: err})
	}
	list.Filter = filter
	change := p.screen.change(list)
	return tea.Batch(change, p.ask())
}

func (p *facets) Draw(f *draw.Frame, area draw.Rect) {
	w := min(area.W-4, 56)
	box := draw.Rect{X: area.W - w, Y: 1, W: w, H: area.H - 2}
	f.Clear(box)
	inner := f.Pane(box, draw.Line{draw.Own(draw.Strong, "Narrow the list")}, p.screen.count(), true)
	p.cursor.Clamp(len(p.lines), p.height())
	if p.failed != nil {
		f.Put(inner, 1, 0, draw.ErrorLine(p.failed))
	}
	for i := 0; i < inner.H && p.cursor.Scroll+i < len(p.lines); i++ {
		line := p.lines[p.cursor.Scroll+i]
		f.Put(inner, 0, i, p.line(line, inner.W))
		if p.cursor.Scroll+i == p.cursor.Row {
			f.Fill(inner, i, draw.Reversed)
		}
	}
}

func (p *facets) line(l facetLine, w int) draw.Line {
	if l.value == "" {
		return draw.Line{draw.Own(draw.Strong, " "), draw.Own(draw.Strong, l.name)}
	}
	mark := draw.Own(draw.Normal, "   [ ] ")
	if l.on {
		mark = draw.Own(draw.Strong, "   [x] ")
	}
	count := draw.Int(l.count)
	room := w - 9 - draw.Width(count)
	value := clean.Line(l.value)
	if actor, err := identity.ParseActor(l.value); l.name == "actor" && err == nil {
		if name := p.screen.options.Petname(actor); name.String() != "" { // the ID is cut, not the name
			value = clean.Join(draw.Cut(name, room/2, p.screen.options.Glyphs.Ellipsis), clean.Own(" "), value)
		}
	}
	value = draw.Cut(value, room, p.screen.options.Glyphs.Ellipsis)
	return draw.Line{mark, draw.Say(draw.Normal, value), draw.Gap(room - draw.Width(value) + 1), draw.Say(draw.Normal, count)}
}
