package ui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view/clean"
)

// help lists every key that works here, by group, with what it does.
func (r *Root) help() kit.Overlay {
	items := []item{}
	for _, row := range r.layerRows() {
		items = append(items, r.rowItem(row))
	}
	for _, g := range glossary {
		items = append(items, item{
			line:   draw.Line{draw.Say(draw.Strong, pad(clean.Own(g[0]), 14)), draw.Own(draw.Normal, g[1])},
			search: string(g[0] + " " + g[1]),
		})
	}
	return newPicker(r.config.Options, "Help: type to filter, @ filters by key", items, true)
}

// glossary says what the words on the screen mean.
var glossary = [][2]clean.Words{
	{"sig ok", "the key signed exactly this text; it does not say that the claim is true"},
	{"active", "no retraction is in the named set; another service may know one"},
	{"RETRACTED", "its author withdrew it; copies and links stay"},
	{"PARTIAL", "the check did not finish; the reason stands beside it"},
	{"unchecked", "nobody looked yet"},
	{"successors", "later versions by the same author; no winner among them"},
	{"self", "signed by the author of what it is about"},
	{"accepted 1/2", "you signed it; 1 of the 2 services that it goes to has accepted it"},
	{"~name", "your own local name of an Agent ID; nobody else sees it, and it proves nothing"},
	{"seen by", "only what one followed service showed up to its checkpoint, with the lifecycles that this makes"},
	{"followed", "everything that a service had up to a checkpoint is here; its age stands beside it"},
	{"live", "a service that is not followed: it is asked now, when you ask"},
	{"STALE", "followed more than an hour ago, or the last attempt failed; not wrong, but old"},
	{"missing", "a service answered that it has not, or withholds, the event; unreachable is another thing"},
	{"exceptions", "records that a followed service gave and that are not events here"},
	{"lag", "how far the followed checkpoint is behind the last one that this very service named"},
	{"matched", "the evidence bytes were fetched and have the signed digest"},
	{"sample", "the built-in library; its keys are public test keys"},
	{"this cache", "the events that this machine holds"},
}

// palette lists every action that works here by name.
func (r *Root) palette() kit.Overlay {
	items := []item{}
	for _, row := range r.layerRows() {
		items = append(items, r.rowItem(row))
	}
	for _, c := range commands() {
		items = append(items, item{
			line:   draw.Line{draw.Say(draw.Key, pad(clean.Own(":"+c.name), 14)), draw.Own(draw.Normal, c.effect)},
			search: string(":" + c.name + " " + c.effect),
			do:     func() tea.Cmd { return r.openOverlay(r.newCommand(c.begin())) },
		})
	}
	return newPicker(r.config.Options, "Palette", items, true)
}

// layerRows are the rows that work on the screen now: those for typing, or the others.
func (r *Root) layerRows() []kit.Row {
	var rows []kit.Row
	for _, row := range r.rows() {
		if row.Typing() == r.screen.Typing() {
			rows = append(rows, row)
		}
	}
	return rows
}

func (r *Root) rowItem(row kit.Row) item {
	names := make([]string, len(row.Keys))
	for i, k := range row.Keys {
		names[i] = kit.KeyName(k, r.config.Options.Glyphs)
	}
	if row.ActKey != nil {
		names = []string{names[0] + "-" + names[len(names)-1]}
	}
	names = names[:min(len(names), 2)]
	line := draw.Line{
		draw.Say(draw.Key, pad(clean.Line(strings.Join(names, " ")), 14)), draw.Gap(1),
		draw.Say(draw.Strong, pad(clean.Own(row.Words), 14)), draw.Gap(1),
	}
	detail := draw.Line{draw.Own(draw.Normal, row.Effect)}
	if row.Why != "" {
		detail = draw.Line{draw.Own(draw.Warn, "not now: "), draw.Own(draw.Normal, row.Why)}
	}
	i := item{line: append(line, detail...), detail: detail, search: string(row.Words + " " + row.Effect), keys: strings.Join(row.Keys, " ")}
	if row.Why == "" {
		i.do = func() tea.Cmd { return r.do(row, row.Keys[0]) }
	}
	return i
}

// place says what a step is about: the title of its event, or what a list shows.
func (r *Root) place(v kit.Route) draw.Span {
	if v.Label != "" {
		return draw.Say(draw.Author, clean.Line(v.Label))
	}
	if v.Screen == kit.Browse {
		return draw.Say(draw.Normal, clean.Line(kit.DecodeList(v.Query).Words()))
	}
	return draw.Say(draw.Normal, clean.Line(v.ID+v.Query))
}

// visited lists the steps of the history, newest on top.
func (r *Root) visited() kit.Overlay {
	visits := append([]kit.Route(nil), r.history.visits...)
	visits[r.history.at] = r.here()
	items := []item{}
	for i := len(visits) - 1; i >= 0; i-- {
		v := visits[i]
		mark := clean.Words("  ")
		if i == r.history.at {
			mark = "> "
		}
		line := draw.Line{draw.Own(draw.Key, mark), draw.Say(draw.Normal, pad(clean.Line(v.Screen), 12)), draw.Gap(1), r.place(v)}
		if v.SeenBy != "" && slices.Contains(ofSets, v.Screen) {
			line = append(line, draw.Own(draw.Quiet, " seen by "), draw.Say(draw.Normal, r.config.Options.Services.Name(v.SeenBy)))
		}
		items = append(items, item{line: line, search: v.Screen + " " + v.Label + " " + v.ID + " " + v.Query, do: func() tea.Cmd {
			return r.move(func(h *history) bool { return h.jump(i) })
		}})
	}
	return newPicker(r.config.Options, "Visited on the way here, newest on top", items, true)
}

// pad fills t up to a number of columns.
func pad(t clean.Text, columns int) clean.Text {
	return clean.Join(t, draw.Gap(columns-draw.Width(t)).Text)
}
