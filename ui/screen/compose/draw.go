package compose

import (
	"path"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/desk"
)

// From this many columns on the preview stands beside the form.
const wideFrom = 110

func (s *Screen) wide() bool  { return s.size.W >= wideFrom }
func (s *Screen) height() int { return max(s.size.H-2, 1) }

func (s *Screen) formWidth() int {
	if s.wide() && s.pane.shown != showForm {
		return s.size.W * 56 / 100
	}
	return s.size.W
}

// Draw draws the form, and beside it or in its place what it will be.
func (s *Screen) Draw(f *draw.Frame, area draw.Rect) {
	if !s.doc.open {
		inner := f.Pane(area, draw.Line{draw.Own(draw.Strong, "Draft "), draw.Say(draw.Strong, number(s.id))}, nil, true)
		line := draw.Line{draw.Own(draw.Normal, "opening...")}
		if s.doc.failed != nil {
			line = draw.ErrorLine(s.doc.failed)
		}
		f.Paragraph(inner, 1, line)
		return
	}
	if s.pane.full(s.wide()) {
		s.drawPane(f, area)
		return
	}
	w := s.formWidth()
	s.drawForm(f, draw.Rect{X: area.X, Y: area.Y, W: w, H: area.H})
	if w < area.W {
		s.drawPane(f, draw.Rect{X: area.X + w, Y: area.Y, W: area.W - w, H: area.H})
	}
}

func (s *Screen) drawPane(f *draw.Frame, r draw.Rect) {
	title := draw.Line{draw.Own(draw.Strong, "As readers will see it"), draw.Own(draw.Quiet, " "+s.options.Glyphs.Dot+" "), draw.Say(draw.Normal, What(s.doc.draft))}
	if v := s.doc.draft.Payload.Verdict; v != "" && s.doc.draft.Type == capsule.Assess {
		title = append(title, draw.Own(draw.Normal, ": "), draw.Say(draw.Normal, clean.Line(v)))
	}
	if s.pane.shown == showEvent {
		title = draw.Line{draw.Own(draw.Strong, "The exact event"), draw.Own(draw.Quiet, " (RFC 8785): its ID is the SHA3-256 of this")}
	}
	lines := s.paneLines(max(r.W-4, 1))
	s.pane.total = len(lines)
	s.pane.by(0, max(r.H-2, 1))
	var note draw.Line
	if len(lines) > r.H-2 {
		note = draw.Line{draw.Say(draw.Normal, draw.Int(s.pane.scroll+1)), draw.Own(draw.Normal, "/"), draw.Say(draw.Normal, draw.Int(len(lines)))}
	}
	inner := f.Pane(r, title, note, s.pane.full(s.wide()))
	for i := 0; i < inner.H && s.pane.scroll+i < len(lines); i++ {
		f.Put(inner, 1, i, lines[s.pane.scroll+i])
	}
}

// layout of the form: rows, where each field begins, and the rows of the one with
// the keys.
type layout struct {
	rows     []draw.Line
	starts   []int
	from, to int // of the field with the keys
	area     int // the first row of its text
	height   int // of its text; 0 where there is none
}

// Columns of the form.
const (
	labelColumns = 19
	textRows     = 8 // of the text with the keys, at most
)

func (s *Screen) drawForm(f *draw.Frame, r draw.Rect) {
	head := s.formHead(max(r.W-4, 1))
	inner := f.Pane(r, s.formTitle(), s.formNote(), true)
	for i, line := range head {
		f.Put(inner, 1, i, line)
	}
	body := draw.Rect{X: inner.X, Y: inner.Y + len(head), W: inner.W, H: max(inner.H-len(head), 0)}
	l := s.layout(body.W, min(textRows, max(body.H-3, 1)))
	s.form.starts = l.starts
	s.form.scroll = min(max(s.form.scroll, l.to-body.H), l.from)
	s.form.scroll = max(min(s.form.scroll, len(l.rows)-body.H), 0)
	for i := 0; i < body.H && s.form.scroll+i < len(l.rows); i++ {
		f.Put(body, 0, i, l.rows[s.form.scroll+i])
	}
	if s.form.area != nil && l.height > 0 {
		at := draw.Rect{X: body.X + labelColumns, Y: body.Y + l.area - s.form.scroll, W: body.W - labelColumns, H: min(l.height, body.H)}
		s.form.area.Draw(f, at, draw.Author)
	}
}

func (s *Screen) formTitle() draw.Line {
	line := draw.Line{draw.Own(draw.Strong, "Compose: "), draw.Say(draw.Strong, What(s.doc.draft))}
	for _, t := range s.doc.targets {
		return append(line, draw.Own(draw.Normal, " about "), draw.Say(draw.Normal, kit.ShortID(t.ID, s.options.Glyphs)))
	}
	return line
}

// formNote says whether what is typed is safe, and how much is left to do.
func (s *Screen) formNote() draw.Line {
	line := draw.Line{draw.Own(draw.Normal, "draft "), draw.Say(draw.Normal, number(s.id)), draw.Gap(1)}
	switch {
	case s.readOnly() != "":
		line = append(line, draw.Own(draw.Warn, "READ-ONLY"))
	case s.doc.lost != nil:
		line = append(line, draw.Own(draw.Bad, "NOT SAVED"))
	case s.doc.unsaved:
		line = append(line, draw.Own(draw.Normal, "saving"))
	default:
		line = append(line, draw.Own(draw.Normal, "saved "), draw.Say(draw.Normal, kit.ClockTime(s.doc.saved, s.options.Clock())))
	}
	if s.options.Sample {
		line = append(line, draw.Own(draw.Warn, " in memory only"))
	}
	if !s.doc.checked {
		return line
	}
	if n := count(s.doc.check.Problems, desk.Blocks); n > 0 {
		return append(line, draw.Gap(1), draw.Say(draw.Bad, draw.Int(n)), draw.Own(draw.Bad, plural(n, " error", " errors")))
	}
	return append(append(line, draw.Gap(1)), kit.ReadyLine(len(s.doc.check.Findings))...)
}

// formHead says what is to be known before anything is typed.
func (s *Screen) formHead(w int) []draw.Line {
	var lines []draw.Line
	add := func(l draw.Line) { lines = append(lines, draw.WrapLine(l, w)...) }
	if s.doc.holder != "" {
		add(draw.Line{draw.Own(draw.Warn, "open in "), draw.Say(draw.Normal, clean.Line(s.doc.holder)), draw.Own(draw.Normal, ": read-only here")})
	}
	if s.doc.frozen != nil {
		add(draw.ErrorLine(s.doc.frozen))
	}
	if s.doc.lost != nil {
		add(append(draw.Line{draw.Own(draw.Bad, "NOT SAVED: ")}, draw.ErrorLine(s.doc.lost)...))
	}
	if s.kept != nil {
		add(draw.Line{draw.Own(draw.Warn, "what your editor saved was not taken; "), draw.Own(draw.Key, "alt+e"), draw.Own(draw.Normal, " opens it again")})
	}
	if s.options.Sample {
		add(draw.Line{draw.Own(draw.Warn, "sample"), draw.Own(draw.Normal, ": gone at exit; the keys are public test keys")})
	}
	if s.ownTarget() {
		add(draw.Line{draw.Own(draw.Warn, "your own capsule"), draw.Own(draw.Normal, ": allowed, and readers see that you assess your own work")})
	}
	for _, t := range s.moved() {
		add(append(movedLine(t, s.options.Glyphs), draw.Own(draw.Normal, "; "), draw.Own(draw.Key, "alt+t"), draw.Own(draw.Normal, " chooses another")))
	}
	return lines
}

func (s *Screen) layout(w, most int) layout {
	l := layout{}
	for i, f := range s.form.fields {
		l.starts = append(l.starts, len(l.rows))
		if i != s.form.at {
			l.rows = append(l.rows, s.resting(f, w))
			continue
		}
		l.from = len(l.rows)
		s.focused(&l, f, w, most)
		l.to = len(l.rows)
	}
	return l
}

// label is the left column: a mark for the field with the keys, its name, and a star
// where it is required.
func (s *Screen) label(f desk.Field, focus bool) draw.Line {
	mark, role := clean.Words("  "), draw.Quiet
	if focus {
		mark, role = "> ", draw.Strong
	}
	line := draw.Line{draw.Own(draw.Key, mark)}
	name := f.Label
	if at, ok := itemNumber(f.Path); ok {
		line = append(line, draw.Own(draw.Quiet, " "), draw.Say(draw.Quiet, clean.Line(strconv.Itoa(at+1))), draw.Gap(1))
		if _, err := strconv.Atoi(path.Base(f.Path)); err == nil {
			name = ""
		}
	}
	star := draw.Own(draw.Quiet, " ")
	if f.Required {
		star = draw.Own(draw.Warn, "*")
	}
	line = append(line, draw.Say(role, clean.Line(name))).Cut(labelColumns-2, s.options.Glyphs.Ellipsis)
	return append(line, draw.Gap(labelColumns-2-line.Width()), star, draw.Gap(1))
}

// itemNumber gives which item of a list a path is in.
func itemNumber(p string) (at int, ok bool) {
	for _, part := range strings.Split(p, "/") {
		if n, err := strconv.Atoi(part); err == nil {
			return n, true
		}
	}
	return 0, false
}

// resting is a field without the keys, on one row.
func (s *Screen) resting(f desk.Field, w int) draw.Line {
	line := s.label(f, false)
	words := s.words(f.Path)
	if s.unconfirmed(f.Path) { // its mark says it
		words = nil
	}
	room := w - labelColumns - 1
	if words.Width() > 0 {
		room = max(room-words.Width()-2, 12)
	}
	line = append(line, s.value(f).Cut(room, s.options.Glyphs.Ellipsis)...)
	if words.Width() > 0 {
		line = append(append(line, draw.Gap(2)), words...)
	}
	return line.Cut(w-1, s.options.Glyphs.Ellipsis)
}

// value is what stands in a field, on one row.
func (s *Screen) value(f desk.Field) draw.Line {
	text, _ := s.doc.draft.Text(f.Path)
	switch {
	case f.Path == keyPath:
		return s.keyValue()
	case f.Input == desk.Choice && text == "":
		return draw.Line{draw.Own(draw.Quiet, "[choose "+s.options.Glyphs.Open+"]")}
	case f.Input == desk.Choice:
		return draw.Line{draw.Own(draw.Quiet, "["), draw.Say(draw.Strong, clean.Line(text)), draw.Own(draw.Quiet, " "+s.options.Glyphs.Open+"]")}
	case f.Input == desk.Lines || f.Input == desk.Items:
		if f.Count == 0 {
			return draw.Line{draw.Own(draw.Quiet, "none")}
		}
		return draw.Line{draw.Say(draw.Normal, draw.Int(f.Count))}
	}
	var line draw.Line
	if s.unconfirmed(f.Path) {
		line = append(line, draw.Own(draw.Warn, "[not done yet] "))
	}
	first, _, more := strings.Cut(text, "\n")
	line = append(line, draw.Say(draw.Author, clean.Line(first)))
	if more {
		line = append(line, draw.Own(draw.Quiet, " "+s.options.Glyphs.Ellipsis))
	}
	return line
}

// words say what is wrong with a field; the first problem, and how many more.
func (s *Screen) words(p string) draw.Line {
	var line draw.Line
	more := 0
	for _, problem := range s.doc.check.Problems {
		switch {
		case problem.Path != p:
		case line == nil:
			line = problemLine(problem)
		default:
			more++
		}
	}
	if more > 0 {
		line = append(line, draw.Own(draw.Quiet, " +"), draw.Say(draw.Quiet, draw.Int(more)))
	}
	return line
}

func problemLine(p desk.Problem) draw.Line {
	mark := draw.Own(draw.Bad, "! ")
	switch p.Severity {
	case desk.Exceeds:
		mark = draw.Own(draw.Warn, "over: ")
	case desk.Advises:
		mark = draw.Own(draw.Quiet, "note: ")
	}
	return draw.Line{mark, draw.Say(draw.Normal, clean.Line(p.Words))}
}

// focused lays out the field with the keys: its text, what is wrong with it, its
// help, and its count.
func (s *Screen) focused(l *layout, f desk.Field, w, most int) {
	first := s.label(f, true)
	indent := draw.Gap(labelColumns)
	add := func(line draw.Line) {
		for _, row := range draw.WrapLine(line, max(w-labelColumns-1, 1)) {
			l.rows = append(l.rows, append(draw.Line{indent}, row...))
		}
	}
	if s.form.area == nil {
		l.rows = append(l.rows, append(first, s.value(f)...))
	} else {
		l.area = len(l.rows)
		l.height = min(s.form.area.Height(max(w-labelColumns-1, 1)), most)
		l.rows = append(l.rows, first)
		for range l.height - 1 {
			l.rows = append(l.rows, nil)
		}
	}
	if s.unconfirmed(f.Path) {
		add(draw.Line{draw.Own(draw.Warn, "copied from the target: "), draw.Own(draw.Key, "alt+y"), draw.Own(draw.Normal, " says that you did this; or change or remove it")})
	}
	if s.asksUse(f.Path) {
		add(useLine())
	}
	for _, p := range s.doc.check.Problems {
		if p.Path == f.Path && !s.unconfirmed(f.Path) && !s.asksUse(f.Path) {
			add(problemLine(p))
		}
	}
	if f.Path == stepsPath && f.Count == 0 && s.noCopySteps() == "" {
		add(draw.Line{draw.Own(draw.Key, "alt+c"), draw.Own(draw.Normal, " copies the steps of the target, each to be confirmed as done; nothing else of it is copied")})
	}
	if f.Path == keyPath {
		for _, line := range s.keyLines(max(w-labelColumns-1, 1)) {
			add(line)
		}
	}
	help := draw.Line{draw.Say(draw.Quiet, clean.Line(f.Help))}
	if meant := meaning(f.Path, s.text(f.Path)); meant != "" {
		help = draw.Line{draw.Say(draw.Quiet, clean.Line(meant))}
	}
	add(append(help, s.counted(f)...))
}

func (s *Screen) text(p string) string {
	text, _ := s.doc.draft.Text(p)
	return text
}

// counted says how much stands in a field, and what asks for it.
func (s *Screen) counted(f desk.Field) draw.Line {
	var line draw.Line
	dot := draw.Own(draw.Quiet, " "+s.options.Glyphs.Dot+" ")
	if f.Input != desk.Choice {
		role := draw.Normal
		if f.Limit > 0 && f.Count > f.Limit {
			role = draw.Bad
		}
		line = append(line, dot, draw.Say(role, draw.Int(f.Count)))
		if f.Limit > 0 {
			line = append(line, draw.Own(draw.Quiet, " of "), draw.Say(draw.Normal, draw.Int(f.Limit)))
		}
		line = append(line, draw.Gap(1), draw.Say(draw.Quiet, clean.Line(f.Unit.Of(max(f.Count, f.Limit)))))
	}
	if f.RequiredBy != "" {
		line = append(line, dot, draw.Own(draw.Warn, "required by "), draw.Say(draw.Warn, clean.Line(f.RequiredBy)))
	}
	if open, words := s.opener(); open != nil {
		line = append(line, dot, draw.Own(draw.Key, s.options.Glyphs.Enter), draw.Gap(1), draw.Own(draw.Quiet, words))
	}
	return line
}

func (s *Screen) wheel(w kit.Wheel) {
	if s.pane.full(s.wide()) || w.X >= s.formWidth() {
		s.pane.by(w.Lines, s.height())
		return
	}
	by := 1
	if w.Lines < 0 {
		by = -1
	}
	s.focus(s.form.at + by)
}

// click gives the keys to the field that was clicked.
func (s *Screen) click(c kit.Click) tea.Cmd {
	if s.pane.full(s.wide()) || c.X >= s.formWidth() || !s.doc.open {
		return nil
	}
	row := c.Y - 1 - len(s.formHead(max(s.formWidth()-4, 1))) + s.form.scroll
	at := -1
	for i, start := range s.form.starts {
		if start <= row {
			at = i
		}
	}
	if at >= 0 && row >= 0 && at < len(s.form.fields) && at != s.form.at {
		return s.focus(at)
	}
	return nil
}
