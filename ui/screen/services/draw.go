package services

import (
	"strconv"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view/clean"
)

// Draw draws the list, and below it what is known of the chosen service.
func (s *Screen) Draw(f *draw.Frame, area draw.Rect) {
	h := min(s.listHeight(), area.H)
	top := draw.Rect{X: area.X, Y: area.Y, W: area.W, H: h}
	inner := f.Pane(top, s.title(), draw.Line{draw.Say(draw.Normal, draw.Int(len(s.services)))}, !s.detail)
	if len(s.services) == 0 {
		f.Paragraph(inner, 0, s.empty())
	} else {
		s.drawList(f, inner)
	}
	s.drawDetail(f, draw.Rect{X: area.X, Y: area.Y + h, W: area.W, H: area.H - h})
}

func (s *Screen) title() draw.Line {
	line := draw.Line{draw.Own(draw.Strong, "Services")}
	if s.options.Offline {
		return append(line, draw.Own(draw.Warn, " OFFLINE"), draw.Own(draw.Normal, ": nothing is asked; what they gave is read as ever"))
	}
	return append(line, draw.Own(draw.Quiet, " (each with its own sequence; never compared)"))
}

func (s *Screen) empty() draw.Line {
	switch {
	case s.failed != nil:
		return draw.ErrorLine(s.failed)
	case !s.read:
		return draw.Line{draw.Own(draw.Normal, "reading...")}
	}
	return draw.Line{draw.Own(draw.Normal, "no service is known; + adds one")}
}

// columns of the list; the origin is one of them where there is room.
type columns struct{ name, origin, state int }

func (s *Screen) columns(w int) columns {
	c := columns{name: 6, state: 13}
	for _, v := range s.services {
		c.name = max(c.name, min(len(v.Service.Name), 16))
	}
	if w >= 110 {
		c.origin, c.state = 34, 26
	} else if w >= 76 {
		c.state = 22
	}
	return c
}

// field pads or cuts a line to its column.
func field(l draw.Line, columns int, g draw.Glyphs) draw.Line {
	l = l.Cut(columns, g.Ellipsis)
	return append(l, draw.Gap(columns-l.Width()+1))
}

func (s *Screen) drawList(f *draw.Frame, inner draw.Rect) {
	c := s.columns(inner.W)
	g := s.options.Glyphs
	own := func(w clean.Words, columns int) draw.Line {
		return field(draw.Line{draw.Own(draw.Quiet, w)}, columns, g)
	}
	head := append(draw.Line{draw.Gap(3)}, own("name", c.name)...)
	if c.origin > 0 {
		head = append(head, own("origin", c.origin)...)
	}
	head = append(append(head, own("state", c.state)...), own("up to", 9)...)
	head = append(append(head, own("as of", 7)...), draw.Own(draw.Quiet, "kind     lag exc"))
	f.Put(inner, 0, 0, head)
	list := draw.Rect{X: inner.X, Y: inner.Y + 1, W: inner.W, H: max(inner.H-1, 0)}
	for i := 0; i < list.H && s.cursor.Scroll+i < len(s.services); i++ {
		row := s.cursor.Scroll + i
		mark := clean.Words("   ")
		if row == s.cursor.Row {
			mark = " > "
		}
		f.Put(list, 0, i, append(draw.Line{draw.Own(draw.Key, mark)}, s.row(s.services[row], c)...))
		if row == s.cursor.Row {
			f.Fill(list, i, draw.Reversed)
		}
	}
}

// row is one service. All of it is the user's own words, akx's and numbers.
func (s *Screen) row(v explore.ServiceState, c columns) draw.Line {
	g, now := s.options.Glyphs, Now(v)
	text := func(t clean.Text, columns int) draw.Line {
		return field(draw.Line{draw.Say(draw.Normal, t)}, columns, g)
	}
	line := field(draw.Line{draw.Say(draw.Strong, clean.Line(v.Service.Name))}, c.name, g)
	if c.origin > 0 {
		line = append(line, text(clean.Line(string(v.Service.Origin)), c.origin)...)
	}
	if now.Syncing && !v.Follow.Complete { // nothing stands in the next two columns
		room := c.state + 1 + 9 + 1 + 7
		line = append(line, field(kit.ServiceState(now, s.options.Clock(), room), room, g)...)
		line = append(line, text(clean.Own("live"), 8)...)
		return append(append(line, text(lag(now), 3)...), draw.Say(draw.Normal, draw.Int(v.Follow.Exceptions)))
	}
	line = append(line, field(kit.ServiceState(now, s.options.Clock(), c.state), c.state, g)...)
	up, asOf, kind := clean.Own("-"), clean.Own("-"), clean.Own("live")
	if v.Follow.Complete {
		up = clean.Line("#" + strconv.FormatUint(v.Follow.Checkpoint, 10))
		asOf = kit.ClockTime(v.Follow.AsOf, s.options.Clock())
		kind = clean.Own("followed")
	}
	line = append(append(line, text(up, 9)...), text(asOf, 7)...)
	line = append(line, text(kind, 8)...)
	return append(append(line, text(lag(now), 3)...), draw.Say(draw.Normal, draw.Int(v.Follow.Exceptions)))
}

// lag is how far the followed checkpoint stands behind the last one that this very
// service named; a dash where it was never followed.
func lag(n kit.ServiceNow) clean.Text {
	if !n.Follow.Complete {
		return clean.Own("-")
	}
	return draw.Int(n.Seen - n.Follow.Checkpoint)
}

func (s *Screen) drawDetail(f *draw.Frame, r draw.Rect) {
	title := draw.Line{draw.Own(draw.Strong, "What is known of it")}
	if v, ok := s.under(); ok {
		title = append(title, draw.Own(draw.Normal, " "+s.options.Glyphs.Dot+" "), draw.Say(draw.Strong, clean.Line(v.Service.Name)))
	}
	lines := s.about(r.W - 4)
	s.scroll = max(min(s.scroll, len(lines)-max(r.H-2, 1)), 0)
	var note draw.Line
	if len(lines) > r.H-2 {
		note = draw.Line{draw.Say(draw.Normal, draw.Int(s.scroll+1)), draw.Own(draw.Normal, "-"),
			draw.Say(draw.Normal, draw.Int(min(s.scroll+max(r.H-2, 1), len(lines)))), draw.Own(draw.Normal, "/"), draw.Say(draw.Normal, draw.Int(len(lines)))}
	}
	inner := f.Pane(r, title, note, s.detail)
	for i := 0; i < inner.H && s.scroll+i < len(lines); i++ {
		f.Put(inner, 1, i, lines[s.scroll+i])
	}
}
