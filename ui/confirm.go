package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/ui/kit"
)

// confirm is a second step. Cancel has the focus, and the key that does it is not
// a neighbour of a common one.
type confirm struct {
	options kit.Options
	asked   kit.Confirm
	yes     bool // the focus is on Yes
}

func newConfirm(o kit.Options, c kit.Confirm) *confirm { return &confirm{options: o, asked: c} }

func (c *confirm) Update(tea.Msg) tea.Cmd { return nil }
func (c *confirm) Typing() bool           { return false }
func (c *confirm) Close()                 {}

func (c *confirm) Rows() []kit.Row {
	k := c.options.Keys
	toggle := func() tea.Cmd {
		c.yes = !c.yes
		return nil
	}
	return []kit.Row{
		k.Row("next-pane", toggle).Called("change"), k.Quiet("previous-pane", toggle), k.Quiet("left", toggle), k.Quiet("right", toggle),
		k.Row("open", func() tea.Cmd {
			c.options.Now(kit.Shut{})
			if !c.yes {
				return nil
			}
			return c.asked.Do()
		}).Called("do what is chosen"),
		k.Row("close", func() tea.Cmd { return c.options.Now(kit.Shut{}) }).Called("cancel"),
	}
}

func (c *confirm) Draw(f *draw.Frame, area draw.Rect) {
	w := min(area.W-4, 96)
	lines := []draw.Line{}
	for _, l := range c.asked.Lines {
		lines = append(lines, draw.WrapLine(l, w-4)...)
	}
	h := min(len(lines)+4, area.H-2)
	box := draw.Rect{X: (area.W - w) / 2, Y: max((area.H-h)/3, 1), W: w, H: h}
	f.Clear(box)
	inner := f.Pane(box, draw.Line{draw.Own(draw.Strong, c.asked.Title)}, nil, true)
	for i, l := range lines {
		if i < inner.H-2 {
			f.Put(inner, 1, i, l)
		}
	}
	cancel, yes := draw.Style{Role: draw.Strong, Reverse: !c.yes}, draw.Style{Role: draw.Strong, Reverse: c.yes}
	f.Put(inner, 1, inner.H-1, draw.Line{
		{Text: draw.Own(draw.Strong, "[ Cancel ]").Text, Style: cancel}, draw.Gap(2),
		draw.Span{Text: draw.Own(draw.Strong, "[ "+c.asked.Yes+" ]").Text, Style: yes},
		draw.Own(draw.Normal, "   tab changes, enter does it"),
	})
}
