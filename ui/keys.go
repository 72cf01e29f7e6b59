package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/term"
	"akx/view/clean"
	"akx/view/identity"
)

// keys splits keys that arrived in one piece, as they do over a slow link. While a
// field is typed in, they are text and go in whole, as input methods need it.
func (r *Root) keys(msg tea.KeyMsg) tea.Cmd {
	if msg.Type != tea.KeyRunes || len(msg.Runes) < 2 || msg.Alt {
		return r.key(msg)
	}
	var cmds []tea.Cmd
	for i, c := range msg.Runes {
		if r.typing() {
			rest := tea.KeyMsg{Type: tea.KeyRunes, Runes: msg.Runes[i:]}
			return tea.Batch(append(cmds, r.key(rest))...)
		}
		_, cmd := r.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{c}})
		cmds = append(cmds, cmd)
	}
	return tea.Batch(cmds...)
}

// typing reports whether keys are text now.
func (r *Root) typing() bool {
	if o := r.top(); o != nil {
		return o.Typing()
	}
	return r.screen.Typing()
}

// key gives a key to the layer that has them.
func (r *Root) key(msg tea.KeyMsg) tea.Cmd {
	name := msg.String()
	if o := r.top(); o != nil {
		return r.offer(name, msg, o.Typing(), o.Rows(), o.Update)
	}
	return r.offer(name, msg, r.screen.Typing(), r.rows(), r.screen.Update)
}

// pasted hands a paste on and says what it lost.
func (r *Root) pasted(p term.Paste) tea.Cmd {
	r.notice = nil
	cmd := r.paste(p.Text)
	if note := p.Note(); note != "" {
		r.notice = &kit.Notice{Line: draw.Line{draw.Say(draw.Warn, clean.Line(note))}}
	}
	return cmd
}

// paste gives pasted text to the field that is typed in; elsewhere it is nothing,
// so that pasted text can never press keys.
func (r *Root) paste(text string) tea.Cmd {
	if o := r.top(); o != nil {
		if o.Typing() {
			return o.Update(kit.Paste{Text: text})
		}
		return nil
	}
	if r.screen.Typing() {
		return r.screen.Update(kit.Paste{Text: text})
	}
	return kit.Say("nothing takes text here; / filters, : takes commands")
}

// offer tries the rows of one layer. While a field is typed in, only rows for that
// work, and every other key is text.
func (r *Root) offer(name string, msg tea.KeyMsg, typing bool, rows []kit.Row, text func(tea.Msg) tea.Cmd) tea.Cmd {
	if typing {
		for _, row := range rows {
			if row.Typing() && has(row.Keys, name) {
				return r.do(row, name)
			}
		}
		if name == "ctrl+c" {
			return r.quit()
		}
		return text(msg)
	}
	sequence := name
	if r.prefix != "" {
		sequence = r.prefix + " " + name
	}
	r.prefix = ""
	for _, row := range rows {
		if has(row.Keys, sequence) {
			return r.do(row, name)
		}
	}
	for _, row := range rows {
		for _, k := range row.Keys {
			if strings.HasPrefix(k, sequence+" ") {
				r.prefix = sequence
				return nil
			}
		}
	}
	if o := r.top(); o != nil && name == "ctrl+c" {
		return r.quit()
	}
	return nil
}

// do runs a row, or says why it does not work now.
func (r *Root) do(row kit.Row, key string) tea.Cmd {
	if row.Passes() {
		r.early = key
		return nil
	}
	if row.Why != "" {
		return kit.Say(row.Why)
	}
	if row.ID == "refresh" {
		r.growth.caughtUp()
	}
	return row.Do(key)
}

// arrived does what a key asked for before its screen had read what it is for, once
// that is there. Over a slow link keys are typed ahead.
func (r *Root) arrived() tea.Cmd {
	if r.early == "" || r.typing() || r.top() != nil {
		return nil
	}
	for _, row := range r.rows() {
		if !has(row.Keys, r.early) {
			continue
		}
		if row.Passes() {
			return nil
		}
		key := r.early
		r.early = ""
		return r.do(row, key)
	}
	return nil
}

func has(keys []string, name string) bool {
	for _, k := range keys {
		if k == name {
			return true
		}
	}
	return false
}

// rows are the screen's rows and the global ones; a screen's key wins.
func (r *Root) rows() []kit.Row {
	return append(r.screen.Rows(), r.global()...)
}

// global are the rows that work on every screen.
func (r *Root) global() []kit.Row {
	k := r.config.Options.Keys
	go_ := func(screen string) func() tea.Cmd {
		return func() tea.Cmd { return r.visit(kit.Route{Screen: screen}) }
	}
	back, forward := k.Quiet("back", r.stepper(-1)), k.Quiet("forward", r.stepper(1))
	if r.history.at == 0 {
		back.Why = "nothing to go back to"
	}
	if r.history.at == len(r.history.visits)-1 {
		forward.Why = "nothing to go forward to"
	}
	search := k.Quiet("search-service", r.openSearch)
	if r.config.Options.Offline {
		search.Why = kit.OfflineWords
	}
	return []kit.Row{
		k.Row("help", func() tea.Cmd { return r.openOverlay(r.help()) }),
		k.Quiet("form-help", func() tea.Cmd { return r.openOverlay(r.help()) }),
		k.Row("palette", func() tea.Cmd { return r.openOverlay(r.palette()) }),
		k.Quiet("command", func() tea.Cmd { return r.openOverlay(r.newCommand("")) }),
		back, forward,
		k.Quiet("last", func() tea.Cmd {
			return r.move(func(h *history) bool { return h.jump(h.last) })
		}),
		k.Quiet("history", func() tea.Cmd { return r.openOverlay(r.visited()) }),
		k.Quiet("browse", go_(kit.Browse)),
		k.Quiet("pending", go_(kit.Waiting)),
		k.Quiet("services", r.openServices), search,
		k.Quiet("drafts", r.goDrafts).Unless(r.noDrafts()),
		k.Quiet("mouse", r.toggleMouse),
		k.Quiet("close", r.escape),
		k.Quiet("quit", r.quit),
	}
}

func (r *Root) stepper(by int) func() tea.Cmd {
	return func() tea.Cmd { return r.move(func(h *history) bool { return h.step(by) }) }
}

// escape goes up one layer: from a page to where it was opened from. Browse is the lowest
// one: what closes filters there leads nowhere else.
func (r *Root) escape() tea.Cmd {
	if r.screen.Route().Screen == kit.Browse {
		return kit.Say("nothing to close here, and no filter; [ goes back")
	}
	if r.history.at > 0 {
		return r.stepper(-1)()
	}
	return nil
}

// goDrafts goes to drafts and outbox; from the page of an event that is left to be sent,
// to its row.
func (r *Root) goDrafts() tea.Cmd {
	route, here := kit.Route{Screen: kit.Outbox}, r.here()
	id, err := identity.ParseID(here.ID)
	list, _ := r.config.Options.Sent(id)
	if accepted, all := kit.AcceptedBy(list); err == nil && here.Screen == kit.Page && accepted < all {
		route.ID = here.ID
	}
	return r.visit(route)
}

func (r *Root) openOverlay(o kit.Overlay) tea.Cmd {
	r.overlays = append(r.overlays, o)
	return nil
}

// quit leaves akx. Where that would lose what was made in the sample it asks first; a
// second ctrl+c leaves.
func (r *Root) quit() tea.Cmd {
	lost := r.lostAtExit()
	if _, asked := r.top().(*confirm); lost == nil || asked {
		return r.leave()
	}
	return r.config.Options.Now(kit.Confirm{
		Title: "Leave the sample? What was made in it is gone then", Yes: "Leave",
		Lines: []draw.Line{lost, {draw.Own(draw.Normal, "It is kept in memory only. A draft's text can be taken along: alt+e opens it in your editor.")}}, Do: r.leave,
	})
}

// lostAtExit says what of the user's own ends with the program; nil where nothing does.
func (r *Root) lostAtExit() draw.Line {
	d := r.config.Options.Desk
	if !r.config.Options.Sample || d == nil || d.Drafts+len(d.Sent) == 0 {
		return nil
	}
	count := func(n int, one, more clean.Words) draw.Line {
		if n == 1 {
			more = one
		}
		return draw.Line{draw.Say(draw.Strong, draw.Int(n)), draw.Own(draw.Normal, more)}
	}
	line := append(count(d.Drafts, " draft", " drafts"), draw.Own(draw.Normal, " and "))
	return append(append(line, count(len(d.Sent), " signed event", " signed events")...), draw.Own(draw.Normal, " would be lost."))
}

func (r *Root) leave() tea.Cmd {
	r.history.keep(r.here())
	r.screen.Hide()
	r.stopSyncs()
	r.quitting = true
	return tea.Quit
}

func (r *Root) toggleMouse() tea.Cmd {
	r.mouse = !r.mouse
	if r.mouse {
		return tea.Batch(tea.EnableMouseCellMotion, kit.Say("akx has the mouse: click and wheel"))
	}
	return tea.Batch(tea.DisableMouse, kit.Say("the mouse is the terminal's: select and copy as usual"))
}

// mouseEvent turns presses and wheel turns into messages relative to their layer.
func (r *Root) mouseEvent(e tea.MouseEvent) tea.Cmd {
	if !r.mouse || r.small() {
		return nil
	}
	y, to := e.Y-1, r.screen.Update
	if o := r.top(); o != nil {
		y, to = e.Y, o.Update
	} else if y < 0 || y >= r.area().H {
		return nil
	}
	switch {
	case e.Button == tea.MouseButtonWheelUp:
		return to(kit.Wheel{X: e.X, Y: y, Lines: -3})
	case e.Button == tea.MouseButtonWheelDown:
		return to(kit.Wheel{X: e.X, Y: y, Lines: 3})
	case e.Button == tea.MouseButtonLeft && e.Action == tea.MouseActionPress:
		return to(kit.Click{X: e.X, Y: y})
	}
	return nil
}
