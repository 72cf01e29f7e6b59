package found

import (
	"strconv"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view"
	"akx/view/clean"
	"akx/view/wire"
)

// Draw draws the hits, and below them what the service says, which is neither the
// author's text nor a check.
func (s *Screen) Draw(f *draw.Frame, area draw.Rect) {
	below := min(aboutRows(area.H)+2, area.H)
	top := draw.Rect{X: area.X, Y: area.Y, W: area.W, H: area.H - below}
	inner := f.Pane(top, s.title(top.W-4), s.note(), true)
	if s.total() == 0 {
		f.Paragraph(inner, 0, s.empty())
	} else {
		f.Put(inner, 0, 0, s.header())
	}
	list := draw.Rect{X: inner.X, Y: inner.Y + 1, W: inner.W, H: max(inner.H-1, 0)}
	for i := 0; i < list.H && s.cursor.Scroll+i < s.total(); i++ {
		s.drawHit(f, list, i, s.cursor.Scroll+i)
	}
	s.drawAbout(f, draw.Rect{X: area.X, Y: top.Y + top.H, W: area.W, H: below})
}

func (s *Screen) title(columns int) draw.Line {
	line := draw.Line{draw.Say(draw.Strong, clean.Line(s.asked.Mode.String())), draw.Own(draw.Strong, " hits in what "),
		draw.Say(draw.Strong, clean.Line(s.asked.Service)), draw.Own(draw.Strong, " searched"), draw.Own(draw.Quiet, " "+s.options.Glyphs.Dot+" text:")}
	room := max(columns-line.Width(), 8)
	return append(line, draw.Say(draw.Strong, draw.Cut(clean.Line(s.asked.Text), room, s.options.Glyphs.Ellipsis)))
}

// header names the set that the lifecycle of a hit is from: it is never the
// service's, whose search says nothing about one (9.6).
func (s *Screen) header() draw.Line {
	scope := clean.Words(view.ThisCache)
	if s.options.Sample {
		scope = view.SampleSet
	}
	return draw.Line{draw.Own(draw.Quiet, "   k sig "), draw.Own(draw.Quiet, "in "+scope), draw.Gap(16 - len(scope)), draw.Own(draw.Quiet, "title")}
}

func (s *Screen) note() draw.Line {
	if s.answer == nil {
		return nil
	}
	return draw.Line{draw.Say(draw.Normal, draw.Int(min(s.cursor.Row+1, s.total()))), draw.Own(draw.Normal, "/"), draw.Say(draw.Normal, draw.Int(s.total()))}
}

// empty says why there is no hit. No hit is never no knowledge (9.5).
func (s *Screen) empty() draw.Line {
	name := draw.Say(draw.Strong, clean.Line(s.asked.Service))
	switch {
	case s.failed != nil:
		line := draw.ErrorLine(s.failed)
		return append(line, draw.Own(draw.Quiet, " "+s.options.Glyphs.Dot+" "), draw.Own(draw.Normal, "R asks again"))
	case s.asking.Waiting():
		return draw.Line{draw.Own(draw.Normal, "asking "), name, draw.Own(draw.Normal, "...")}
	case s.answer != nil:
		return draw.Line{draw.Own(draw.Normal, "no hit in what "), name, draw.Own(draw.Normal, " searched; that says nothing about what is known elsewhere, or in other words")}
	case s.options.Offline:
		return draw.Line{draw.Own(draw.Normal, kit.OfflineWords)}
	}
	return draw.Line{draw.Own(draw.Normal, "not asked yet: R sends this text to "), name}
}

// drawHit draws one hit: what it is here, and the author's title in its own column.
func (s *Screen) drawHit(f *draw.Frame, list draw.Rect, row, i int) {
	line := draw.Line{draw.Own(draw.Key, "   ")}
	if i == s.cursor.Row {
		line = draw.Line{draw.Own(draw.Key, " > ")}
	}
	hit, outcome := s.answer.found.Page.Hits[i], s.answer.found.Outcomes[i]
	switch {
	case s.answer.held[i]:
		e := s.answer.entries[i]
		line = append(line, draw.Say(draw.Strong, kit.TypeLetter(e.Type, e.Kind)), draw.Own(draw.Good, " ok  "))
		life := kit.LifeLine(e)
		line = append(append(line, life...), draw.Gap(max(18-life.Width(), 1)), draw.Own(draw.Gutter, f.Glyphs.Gutter))
		line = append(line, draw.Say(draw.Author, draw.Cut(clean.Line(e.Title), max(list.W-line.Width(), 0), f.Glyphs.Ellipsis)))
	case outcome.Status == wire.Pending:
		line = append(line, draw.Own(draw.Warn, "? waits for what it refers to: "), draw.Say(draw.Normal, clean.Line(outcome.ID.String())))
	default:
		line = append(line, draw.Own(draw.Bad, "? REFUSED: nothing of it is shown; #"), draw.Say(draw.Normal, clean.Line(strconv.FormatUint(hit.Item.Seq, 10))))
	}
	f.Put(list, 0, row, line.Cut(list.W, f.Glyphs.Ellipsis))
	if i == s.cursor.Row {
		f.Fill(list, row, draw.Reversed)
	}
}

// drawAbout draws the service's side: what it searched, how it ranked, and its words
// about the chosen hit.
func (s *Screen) drawAbout(f *draw.Frame, r draw.Rect) {
	title := draw.Line{draw.Own(draw.Strong, "The service's side"), draw.Own(draw.Quiet, " (unsigned: neither the author's words nor a check)")}
	inner := f.Pane(r, title, nil, false)
	if s.answer == nil {
		return
	}
	row := 0
	for _, line := range []draw.Line{s.scope(), s.coverage(), s.ranking(), s.explanation(inner.W * 4)} {
		if len(line) > 0 {
			row = f.Paragraph(inner, row, line)
		}
	}
}

// scope says up to where it searched, and when.
func (s *Screen) scope() draw.Line {
	p := s.answer.found.Page
	return draw.Line{
		draw.Own(draw.Quiet, "scope     "), draw.Say(draw.Strong, clean.Line(s.asked.Service)), draw.Own(draw.Normal, " up to #"),
		draw.Say(draw.Normal, clean.Line(strconv.FormatUint(p.Checkpoint, 10))), draw.Own(draw.Normal, ", as of "), draw.Say(draw.Normal, kit.DateTime(p.AsOf)),
	}
}

// coverageWords say each reason of 9.5.
var coverageWords = map[string]clean.Words{
	"candidate_limit": "it looked at some candidates only",
	"index_lag":       "its index is behind",
	"approximate":     "it searches approximately",
	"timeout":         "it ran out of time",
}

// coverage says how much of it was searched.
func (s *Screen) coverage() draw.Line {
	c := s.answer.found.Page.Coverage
	if c.Exhaustive {
		return draw.Line{draw.Own(draw.Quiet, "coverage  "), draw.Own(draw.Good, "exhaustive"), draw.Own(draw.Normal, ", it says: every lexical match that it has")}
	}
	line := draw.Line{draw.Own(draw.Quiet, "coverage  "), draw.Own(draw.Warn, "not exhaustive")}
	for i, reason := range c.Reasons {
		sep := clean.Words(", ")
		if i == 0 {
			sep = ": "
		}
		words, ok := coverageWords[reason]
		if !ok {
			line = append(line, draw.Own(draw.Normal, sep), draw.Say(draw.Normal, clean.Line(reason)))
			continue
		}
		line = append(line, draw.Own(draw.Normal, sep+words))
	}
	return line
}

func (s *Screen) ranking() draw.Line {
	r := s.answer.found.Page.Ranking
	return draw.Line{draw.Own(draw.Quiet, "ranking   "), draw.Say(draw.Normal, clean.Line(r.Mode.String())), draw.Own(draw.Normal, ", "),
		draw.Say(draw.Normal, draw.Cut(clean.Line(r.ID), 40, s.options.Glyphs.Ellipsis)), draw.Own(draw.Quiet, " (relevance; not comparable)")}
}

// explanation is what the service says of the chosen hit, or why it was refused here.
func (s *Screen) explanation(room int) draw.Line {
	if s.cursor.Row >= s.total() {
		return nil
	}
	hit, outcome := s.answer.found.Page.Hits[s.cursor.Row], s.answer.found.Outcomes[s.cursor.Row]
	if outcome.Status == wire.Refused && outcome.Refusal != nil {
		return append(draw.Line{draw.Own(draw.Quiet, "refused   ")}, draw.ErrorLine(outcome.Refusal)...)
	}
	if hit.Explanation == "" {
		return draw.Line{draw.Own(draw.Quiet, "it says   "), draw.Own(draw.Normal, "nothing about this hit")}
	}
	return draw.Line{draw.Own(draw.Quiet, "it says   "), draw.Say(draw.Normal, draw.Cut(clean.Line(hit.Explanation), max(room, 1), s.options.Glyphs.Ellipsis))}
}
