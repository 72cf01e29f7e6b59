package kit

import (
	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/view/clean"
)

// FormLine is one line of a form: a text that is typed, or one of a few choices.
type FormLine struct {
	Label   clean.Words
	Field   *draw.Field // nil for a choice
	Choices []clean.Text
	At      int       // the choice that is made
	Note    draw.Line // what there is to know about it
}

// Form is an overlay of a few lines. Enter accepts it, whichever line has the keys;
// an error stands in it, and nothing that was typed is lost by one.
type Form struct {
	Options Options
	Title   clean.Words
	Lines   []*FormLine
	Accept  func() tea.Cmd
	Failed  error
	at      int
}

// Typing is always true: keys are text.
func (f *Form) Typing() bool { return true }

// Update takes keys and pastes.
func (f *Form) Update(msg tea.Msg) tea.Cmd {
	line := f.Lines[f.at]
	switch msg := msg.(type) {
	case tea.KeyMsg:
		switch {
		case msg.Type == tea.KeyTab:
			return f.move(1)
		case msg.Type == tea.KeyShiftTab:
			return f.move(-1)
		case line.Field != nil:
			line.Field.Key(msg)
		case msg.Type == tea.KeyLeft:
			line.choose(-1)
		case msg.Type == tea.KeyRight || msg.String() == " ":
			line.choose(1)
		}
	case Paste:
		if line.Field != nil {
			line.Field.Paste(msg.Text)
		}
	}
	return nil
}

func (l *FormLine) choose(by int) {
	if n := len(l.Choices); n > 0 {
		l.At = (l.At + by + n) % n
	}
}

func (f *Form) move(by int) tea.Cmd {
	f.at = (f.at + by + len(f.Lines)) % len(f.Lines)
	return nil
}

// Rows are the keys of the form.
func (f *Form) Rows() []Row {
	k := f.Options.Keys
	return []Row{
		k.Row("accept", f.Accept), k.Row("cancel", func() tea.Cmd { return f.Options.Now(Shut{}) }),
		k.Row("next-choice", func() tea.Cmd { return f.move(1) }).Called("next line"),
		k.Row("previous-choice", func() tea.Cmd { return f.move(-1) }).Called("line before"),
	}
}

// labelWidth is the columns of the labels.
const labelWidth = 16

// Draw draws the form in the middle. Where there is no room for every note, only
// that of the line with the keys is shown.
func (f *Form) Draw(frame *draw.Frame, area draw.Rect) {
	w := min(area.W-4, 90)
	rows, focus := f.layout(w-4, true)
	if len(rows) > area.H-4 {
		rows, focus = f.layout(w-4, false)
	}
	h := min(len(rows)+2, area.H-2)
	box := draw.Rect{X: (area.W - w) / 2, Y: max((area.H-h)/3, 1), W: w, H: h}
	frame.Clear(box)
	inner := frame.Pane(box, draw.Line{draw.Own(draw.Strong, f.Title)}, nil, true)
	for i, row := range rows {
		frame.Put(inner, 1, i, row)
	}
	if field := f.Lines[f.at].Field; field != nil {
		field.Draw(frame, draw.Rect{X: inner.X, Y: inner.Y, W: max(inner.W-1, 0), H: inner.H}, 1+labelWidth, focus, draw.Strong)
	}
}

// layout gives the rows of the form, and which of them has the keys.
func (f *Form) layout(w int, all bool) (rows []draw.Line, focus int) {
	for i, l := range f.Lines {
		mark, role := clean.Words("  "), draw.Quiet
		if i == f.at {
			mark, role, focus = "> ", draw.Strong, len(rows)
		}
		row := draw.Line{draw.Own(draw.Key, mark), draw.Own(role, l.Label)}
		row = append(row, draw.Gap(labelWidth-row.Width()))
		switch {
		case l.Field == nil:
			row = append(row, l.choices(i == f.at)...)
		case i != f.at:
			row = append(row, draw.Say(draw.Normal, clean.Line(l.Field.Value())))
		}
		rows = append(rows, row.Cut(w, f.Options.Glyphs.Ellipsis))
		if len(l.Note) > 0 && (all || i == f.at) {
			for _, part := range draw.WrapLine(l.Note, w-2) {
				rows = append(rows, append(draw.Line{draw.Gap(2)}, part...))
			}
		}
	}
	if f.Failed != nil {
		rows = append(rows, nil)
		rows = append(rows, draw.WrapLine(draw.ErrorLine(f.Failed), w)...)
	}
	return rows, focus
}

// choices draws the choice that is made, and that there are others.
func (l *FormLine) choices(focus bool) draw.Line {
	if len(l.Choices) == 0 {
		return draw.Line{draw.Own(draw.Warn, "none")}
	}
	line := draw.Line{draw.Say(draw.Strong, l.Choices[l.At])}
	if focus && len(l.Choices) > 1 {
		line = append(line, draw.Own(draw.Quiet, "   space changes"))
	}
	return line
}
