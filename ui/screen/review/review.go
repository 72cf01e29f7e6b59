// Package review shows the assessments of exactly one capsule version: each with
// its own conditions, retracted ones apart, and no score.
package review

import (
	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/identity"
)

// Screen is the assessments of one capsule.
type Screen struct {
	kit.Subject[view.Review]
	options kit.Options
	size    kit.Size
	cursor  kit.Cursor
}

// New makes the screen for a route's capsule.
func New(s *explore.Session, o kit.Options, r kit.Route) *Screen {
	return &Screen{
		Subject: kit.NewSubject(o, r, s.SeenBy(identity.Origin(r.SeenBy)).Review), options: o, cursor: kit.Cursor{Row: r.Cursor, Scroll: r.Scroll},
	}
}

// Route keeps the capsule and the place.
func (s *Screen) Route() kit.Route {
	r := kit.Route{Screen: kit.Review, ID: s.ID.String(), Cursor: s.cursor.Row, Scroll: s.cursor.Scroll, SeenBy: s.SeenBy}
	if s.Value != nil {
		return r.Named(s.Value.Subject.Title)
	}
	return r
}

// Crumb names the place.
func (s *Screen) Crumb() draw.Line {
	return draw.Line{draw.Own(draw.Chrome, "Assessments of "), draw.Say(draw.Normal, kit.ShortID(s.ID, s.options.Glyphs))}
}

// Typing is never true here.
func (s *Screen) Typing() bool { return false }

// Show reads the assessments when they are not read yet.
func (s *Screen) Show(size kit.Size) tea.Cmd {
	s.size = size
	return s.AskOnce()
}

// Update takes the assessments and the mouse.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	if _, cmd, ok := s.Take(msg); ok {
		s.cursor.Clamp(s.total(), s.height())
		return cmd
	}
	switch msg := msg.(type) {
	case kit.Wheel:
		s.cursor.Wheel(msg.Lines, s.total(), s.height())
	case kit.Click:
		if i := s.cursor.Scroll + msg.Y - 3; msg.Y >= 3 && i < s.total() {
			if i == s.cursor.Row {
				return s.open()
			}
			s.cursor.Row = i
		}
	}
	return nil
}

func (s *Screen) total() int {
	if s.Value == nil {
		return 0
	}
	return len(s.Value.Reports)
}

// height is how many reports are listed: the list has the upper part, the report
// under the cursor the rest.
func (s *Screen) height() int { return max(s.listHeight()-4, 1) }

func (s *Screen) listHeight() int {
	return max(min(s.total()+4, s.size.H/2), 6)
}

// Rows are the keys of the list.
func (s *Screen) Rows() []kit.Row {
	k := s.options.Keys
	rows := []kit.Row{k.Row("open", s.open), k.Row("copy", s.copy), k.Row("versions", s.visit(kit.Versions)), k.Row("reverse-links", s.visit(kit.Links)), k.Quiet("refresh", s.Ask), s.options.SeenByRow(s.SeenBy)}
	if s.total() == 0 {
		rows[0] = rows[0].Unless("there is no assessment here")
	}
	rows = append(rows, s.options.WriteRows(s.about())...)
	return append(rows, s.cursor.MoveRows(k, s.total, s.height, func() tea.Cmd { return nil })...)
}

func (s *Screen) under() (view.Report, bool) {
	if s.cursor.Row < 0 || s.cursor.Row >= s.total() {
		return view.Report{}, false
	}
	return s.Value.Reports[s.cursor.Row], true
}

// about is the assessment under the cursor, of which a draft can be; what is assessed
// is the capsule of all of them.
func (s *Screen) about() kit.About {
	a := kit.About{Why: "there is no assessment under the cursor"}
	if s.Value != nil {
		a.Subject = s.Value.Subject
	}
	if r, ok := s.under(); ok {
		a.Entry, a.Why = r.Entry, ""
	}
	return a
}

func (s *Screen) open() tea.Cmd {
	r, ok := s.under()
	if !ok {
		return nil
	}
	return s.options.Now(kit.Go{Route: kit.Route{Screen: kit.Page, ID: r.Entry.ID.String()}})
}

func (s *Screen) visit(screen string) func() tea.Cmd {
	return func() tea.Cmd { return s.options.Now(kit.Go{Route: kit.Route{Screen: screen, ID: s.ID.String()}}) }
}

func (s *Screen) copy() tea.Cmd {
	r, ok := s.under()
	if !ok {
		return nil
	}
	return kit.Send(kit.Copy{Text: r.Entry.ID.String(), What: "the event ID"})
}

// Draw draws the list of reports and the one under the cursor.
func (s *Screen) Draw(f *draw.Frame, area draw.Rect) {
	upper := draw.Rect{X: area.X, Y: area.Y, W: area.W, H: min(s.listHeight(), area.H)}
	s.drawList(f, upper)
	lower := draw.Rect{X: area.X, Y: area.Y + upper.H, W: area.W, H: area.H - upper.H}
	if r, ok := s.under(); ok && r.Event != nil && lower.H > 2 {
		s.drawReport(f, lower, r)
	}
}

func (s *Screen) drawList(f *draw.Frame, r draw.Rect) {
	title := draw.Line{draw.Own(draw.Strong, "Assessments of exactly this version")}
	if s.Value != nil {
		title = s.options.ScopeTitle(r.W-4, s.Value.Facts.Scope, title, draw.Line{draw.Own(draw.Strong, "Of exactly this version")})
	}
	inner := f.Pane(r, title, nil, true)
	if s.Value == nil {
		f.Paragraph(inner, 0, s.Missing())
		return
	}
	f.Put(inner, 0, 0, s.tally(inner.W))
	header := draw.Line{draw.Own(draw.Quiet, "verdict         lifecycle   by"), draw.Gap(s.options.WhoColumns(inner.W)), draw.Own(draw.Quiet, "date     evidence  summary")}
	if inner.W < roomy {
		header = draw.Line{draw.Own(draw.Quiet, "verdict         lifecycle   summary")}
	}
	f.Put(inner, 0, 1, header)
	list := draw.Rect{X: inner.X, Y: inner.Y + 2, W: inner.W, H: max(inner.H-2, 0)}
	if s.total() == 0 {
		f.Put(list, 1, 0, draw.Line{draw.Own(draw.Normal, "none in this set; that says nothing about other services")})
	}
	for i := 0; i < list.H && s.cursor.Scroll+i < s.total(); i++ {
		row := s.cursor.Scroll + i
		f.Put(list, 0, i, s.line(s.Value.Reports[row], list.W))
		if row == s.cursor.Row {
			f.Fill(list, i, draw.Reversed)
		}
	}
}

// roomy is the width from which on all columns are shown.
const roomy = 76

// tally counts active reports by verdict. It is not a judgement.
func (s *Screen) tally(w int) draw.Line {
	line := draw.Line{draw.Own(draw.Quiet, "active: ")}
	for _, v := range s.Value.Facts.Verdicts {
		if v.Active == 0 {
			continue
		}
		line = append(line, draw.Say(draw.Normal, clean.Line(v.Verdict.String())), draw.Gap(1), draw.Say(draw.Strong, draw.Int(v.Active)))
		if v.Self > 0 {
			line = append(line, draw.Own(draw.Normal, " ("), draw.Say(draw.Normal, draw.Int(v.Self)), draw.Own(draw.Warn, " self"), draw.Own(draw.Normal, ")"))
		}
		line = append(line, draw.Own(draw.Normal, " "+s.options.Glyphs.Dot+" "))
	}
	if s.Value.More > 0 {
		line = append(line, draw.Say(draw.Warn, draw.Int(s.Value.More)), draw.Own(draw.Warn, " more are not listed "+s.options.Glyphs.Dot+" "))
	}
	last := draw.Own(draw.Quiet, "no score is computed")
	if line.Width()+draw.Width(last.Text) > w {
		last = draw.Own(draw.Quiet, "no score")
	}
	return append(line, last)
}

func (s *Screen) line(r view.Report, w int) draw.Line {
	g := s.options.Glyphs
	verdict := clean.Line(r.Entry.Verdict.String())
	life := kit.Life(capsule.Assess, r.Entry.Lifecycle)
	date := kit.Date(r.Entry.CreatedAt, s.options.Clock())
	line := draw.Line{draw.Say(draw.Strong, verdict), draw.Gap(16 - draw.Width(verdict)), life, draw.Gap(12 - draw.Width(life.Text))}
	if r.Event == nil {
		return append(line, draw.Own(draw.Bad, "DAMAGED here: nothing else is shown; import it again"))
	}
	if w >= roomy {
		evidence := draw.Int(len(r.Event.Payload().Evidence))
		line = append(append(line, s.options.Who(r.Entry.Actor, w)...), draw.Gap(2),
			draw.Say(draw.Normal, date), draw.Gap(9-draw.Width(date)),
			draw.Say(draw.Normal, evidence), draw.Gap(10-draw.Width(evidence)))
	}
	if r.Self {
		line = append(line, draw.Own(draw.Warn, "self "))
	}
	line = append(append(line, s.options.OwnMark(r.Entry)...), draw.Own(draw.Gutter, g.Gutter))
	return append(line, draw.Say(draw.Author, draw.Cut(clean.Line(r.Entry.Title), max(w-line.Width(), 0), g.Ellipsis)))
}

// drawReport shows the report under the cursor with its own conditions.
func (s *Screen) drawReport(f *draw.Frame, r draw.Rect, report view.Report) {
	title := draw.Line{draw.Own(draw.Strong, "Report under the cursor"), draw.Own(draw.Quiet, " (enter opens its page)")}
	inner := f.Pane(r, title, nil, false)
	p := report.Event.Payload()
	row := 0
	put := func(w clean.Words, text string, limit int) {
		if row >= inner.H {
			return
		}
		f.Put(inner, 0, row, draw.Line{draw.Own(draw.Quiet, w)})
		column := 13
		for _, block := range clean.Block(text) {
			for _, part := range draw.Wrap(block, inner.W-column-2) {
				if limit == 0 || row >= inner.H {
					return
				}
				f.Put(inner, column, row, draw.Line{draw.Own(draw.Gutter, s.options.Glyphs.Gutter), draw.Gap(1), draw.Say(draw.Author, part)})
				row, limit = row+1, limit-1
			}
		}
	}
	put("summary", p.Summary, 3)
	for _, x := range report.Retractions {
		put("withdrawn", x.Payload().Reason, 2)
	}
	put("scope", p.Context.Scope, 2)
	if p.Reproduction == nil {
		put("basis", p.Basis, 6)
		return
	}
	put("environment", p.Reproduction.Environment, 2)
	put("expected", p.Reproduction.Expected, 2)
	put("observed", p.Reproduction.Observed, 3)
	put("basis", p.Basis, 6)
}
