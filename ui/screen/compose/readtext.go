package compose

import (
	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view/clean"
)

// textShown reports whether the text as its reader will see it stands on the screen to
// its end.
func (s *Screen) textShown() bool {
	w := s.size.W - s.formWidth()
	switch {
	case s.pane.shown != showText:
		return false
	case s.pane.full(s.wide()):
		w = s.size.W
	case !s.wide():
		return false
	}
	return s.pane.scroll+s.height() >= len(s.paneLines(max(w-4, 1)))
}

// stopsToAnswer are the places of the dialog that want a yes of their own: the whole
// text, where it was not shown, and each target that was corrected or retracted.
func (s *Screen) stopsToAnswer(r readiness) []stop {
	var out []stop
	if !s.textShown() {
		out = append(out, stop{kind: stopText})
	}
	for _, t := range r.shown.Check.Targets {
		if t.Retracted() || len(t.Successors) > 0 {
			out = append(out, stop{kind: stopMoved, moved: t})
		}
	}
	return out
}

// textLines lay out the event as its reader will see it.
func (d *disclosure) textLines(w int) []draw.Line {
	shown := d.ready.shown
	return kit.LayBody(textOf(shown.Draft, shown.Check.Targets), w, d.screen.options).Lines
}

// readText shows the whole text in the place of what is asked.
func (d *disclosure) readText() tea.Cmd {
	d.reading, d.scroll, d.below = true, 0, 1
	return nil
}

// closeText goes back to what is asked. The text counts as read once its end was shown.
func (d *disclosure) closeText() tea.Cmd {
	d.reading, d.scroll = false, 0
	d.stops[d.at].chosen = d.stops[d.at].chosen || d.below == 0
	if d.stops[d.at].chosen {
		return d.step(1)
	}
	return kit.Say("the end of the text was not shown yet")
}

// readOn shows more of the text, and behind its end goes back.
func (d *disclosure) readOn() tea.Cmd {
	if d.below == 0 {
		return d.closeText()
	}
	d.scroll += max(d.room-1, 1)
	return nil
}

// readKey moves in the text.
func (d *disclosure) readKey(name string) tea.Cmd {
	switch name {
	case " ", "pgdown":
		return d.readOn()
	case "pgup":
		d.scroll = max(d.scroll-max(d.room-1, 1), 0)
	case "home":
		d.scroll = 0
	case "end":
		d.scroll = 1 << 20 // drawing puts it to the last row
	}
	return nil
}

// unanswered goes to the first place that still wants its yes, and says which.
func (d *disclosure) unanswered() (tea.Cmd, bool) {
	for i, s := range d.stops {
		if s.chosen {
			continue
		}
		switch s.kind {
		case stopText:
			d.at = i
			return kit.Say("the whole text comes first: enter on its row shows it"), true
		case stopMoved:
			d.at = i
			return kit.Say("this target has changed since: space says that you mean it; alt+t chooses another"), true
		}
	}
	return nil, false
}

// retarget leaves the dialog for the choice of another target.
func (d *disclosure) retarget() tea.Cmd {
	d.screen.options.Now(kit.Shut{})
	return d.screen.retarget()
}

// answerLine is the row of a place that wants a yes of its own.
func (d *disclosure) answerLine(s *stop, lines int) draw.Line {
	box := clean.Words("[ ] ")
	if s.chosen {
		box = "[x] "
	}
	line := draw.Line{draw.Own(draw.Strong, box)}
	g := d.screen.options.Glyphs
	if s.kind == stopText {
		return append(line, draw.Own(draw.Strong, "text read: "), draw.Say(draw.Normal, draw.Int(lines)), draw.Own(draw.Normal, plural(lines, " line, ", " lines, ")), draw.Own(draw.Key, g.Enter), draw.Own(draw.Normal, " shows it as its readers will see it"))
	}
	return append(line, movedAnswer(s.moved, g)...)
}

func movedAnswer(t explore.TargetFacts, g draw.Glyphs) draw.Line {
	line := draw.Line{draw.Own(draw.Strong, "I mean this version: "), draw.Say(draw.Normal, kit.ShortID(t.ID, g)), draw.Own(draw.Normal, " is ")}
	words := clean.Words("superseded")
	if t.Retracted() {
		words = "RETRACTED"
	}
	return append(line, draw.Own(draw.Warn, words), draw.Own(draw.Normal, "; "), draw.Own(draw.Key, "alt+t"), draw.Own(draw.Normal, " chooses another"))
}
