package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view/capsule"
	"akx/view/clean"
)

// item is one line of a picker: what is shown, what filtering looks at, what it does.
type item struct {
	line   draw.Line
	detail draw.Line // what is shown in full when the line is cut; the line itself where nil
	search string
	keys   string
	do     func() tea.Cmd
}

// chosen is an item to do once its picker is closed.
type chosen struct{ do func() tea.Cmd }

// picker is an overlay with a list that filters as one types; help, palette,
// menus and the list of visited places are pickers.
type picker struct {
	options kit.Options
	title   clean.Words
	items   []item
	field   *draw.Field // nil for a menu that does not filter
	cursor  int
	scroll  int
	rows    int // rows of the list when it was last drawn
	box     draw.Rect
	widest  int // columns of the longest line
}

func newPicker(o kit.Options, title clean.Words, items []item, filter bool) *picker {
	p := &picker{options: o, title: title, items: items, rows: 1}
	for _, i := range items {
		p.widest = max(p.widest, i.line.Width())
	}
	if filter {
		p.field = draw.NewField(200, "")
	}
	return p
}

// newMenu is a short list of choices.
func newMenu(o kit.Options, c kit.Choose) *picker {
	items := make([]item, len(c.Choices))
	for i, choice := range c.Choices {
		items[i] = item{line: choice.Line, search: choice.Search, do: choice.Do}
	}
	p := newPicker(o, c.Title, items, c.Filter)
	if c.Filter {
		p.field.Paste(c.Typed)
	}
	return p
}

func (p *picker) Typing() bool { return p.field != nil }
func (p *picker) Close()       {}

func (p *picker) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		if p.field != nil && p.field.Key(msg) {
			p.cursor, p.scroll = 0, 0
		}
	case kit.Paste:
		if p.field != nil && p.field.Paste(msg.Text) {
			p.cursor, p.scroll = 0, 0
		}
	case kit.Wheel:
		p.moveBy(msg.Lines)
	case kit.Click:
		row := msg.Y - p.listTop() + p.scroll
		if p.box.Contains(msg.X, msg.Y) && row >= 0 && row < len(p.shown()) {
			p.cursor = row
			return p.choose()
		}
	}
	return nil
}

func (p *picker) Rows() []kit.Row {
	k := p.options.Keys
	next, previous := func() tea.Cmd { return p.moveBy(1) }, func() tea.Cmd { return p.moveBy(-1) }
	if p.field != nil {
		return []kit.Row{
			k.Row("accept", p.choose), k.Row("cancel", p.shut),
			k.Row("next-choice", next), k.Row("previous-choice", previous),
		}
	}
	return []kit.Row{
		k.Row("open", p.choose), k.Row("close", p.shut),
		k.Quiet("down", next), k.Quiet("up", previous),
		k.Quiet("half-down", func() tea.Cmd { return p.moveBy(p.rows / 2) }),
		k.Quiet("half-up", func() tea.Cmd { return p.moveBy(-p.rows / 2) }),
	}
}

func (p *picker) shut() tea.Cmd { return p.options.Now(kit.Shut{}) }

func (p *picker) choose() tea.Cmd {
	shown := p.shown()
	if p.cursor >= len(shown) || shown[p.cursor].do == nil {
		return nil
	}
	p.shut()
	p.options.Now(chosen{shown[p.cursor].do})
	return nil
}

func (p *picker) moveBy(by int) tea.Cmd {
	p.cursor = min(max(p.cursor+by, 0), max(len(p.shown())-1, 0))
	return nil
}

// shown are the items that the typed words leave; "@" looks at keys instead.
func (p *picker) shown() []item {
	if p.field == nil {
		return p.items
	}
	typed := p.field.Value()
	if key, ok := strings.CutPrefix(typed, "@"); ok {
		return p.keep(func(i item) bool { return strings.Contains(" "+i.keys+" ", key) })
	}
	words := strings.Fields(capsule.FoldASCII(typed))
	return p.keep(func(i item) bool {
		text := capsule.FoldASCII(i.search)
		for _, w := range words {
			if !strings.Contains(text, w) {
				return false
			}
		}
		return true
	})
}

func (p *picker) keep(ok func(item) bool) []item {
	var out []item
	for _, i := range p.items {
		if ok(i) {
			out = append(out, i)
		}
	}
	return out
}

// head is how many rows stand above the list inside the box.
func (p *picker) head() int {
	if p.field != nil {
		return 1
	}
	return 0
}

// footRows is how many rows below the list show the chosen line in full.
const footRows = 2

// foot is how many of them there are: none where every line fits.
func (p *picker) foot(w int) int {
	if p.widest <= w-4 {
		return 0
	}
	return footRows
}

func (p *picker) listTop() int { return p.box.Y + 1 + p.head() }

func (p *picker) Draw(f *draw.Frame, area draw.Rect) {
	shown := p.shown()
	w := min(area.W-4, 100)
	foot := p.foot(w)
	h := min(len(p.items)+p.head()+foot+2, area.H-4)
	p.box = draw.Rect{X: (area.W - w) / 2, Y: max((area.H-h)/3, 1), W: w, H: h}
	f.Clear(p.box)
	inner := f.Pane(p.box, draw.Line{draw.Own(draw.Strong, p.title)}, p.position(len(shown)), true)
	if p.field != nil {
		f.Put(inner, 1, 0, draw.Line{draw.Own(draw.Key, "> ")})
		p.field.Draw(f, inner, 3, 0, draw.Normal)
	}
	p.rows = max(inner.H-p.head()-foot, 1)
	p.cursor = min(p.cursor, max(len(shown)-1, 0))
	p.scroll = min(max(p.scroll, p.cursor-p.rows+1), p.cursor)
	list := draw.Rect{X: inner.X, Y: inner.Y + p.head(), W: inner.W, H: inner.H - p.head() - foot}
	for i := 0; i < list.H && p.scroll+i < len(shown); i++ {
		f.Put(list, 1, i, shown[p.scroll+i].line.Cut(list.W-2, f.Glyphs.Ellipsis))
		if p.scroll+i == p.cursor {
			f.Fill(list, i, draw.Reversed)
		}
	}
	if len(shown) == 0 {
		f.Put(list, 1, 0, draw.Line{draw.Own(draw.Normal, "nothing matches; esc closes")})
		return
	}
	below := draw.Rect{X: inner.X, Y: list.Y + list.H, W: inner.W, H: foot}
	f.Paragraph(below, 0, p.full(shown[p.cursor]))
}

// full is what stands below the list: the chosen line's own words, or all of it.
func (p *picker) full(i item) draw.Line {
	if len(i.detail) > 0 {
		return i.detail
	}
	return i.line
}

// position says where in the list the cursor is.
func (p *picker) position(total int) draw.Line {
	at := min(p.cursor+1, total)
	return draw.Line{draw.Say(draw.Normal, draw.Int(at)), draw.Own(draw.Normal, "/"), draw.Say(draw.Normal, draw.Int(total))}
}
