package ui

import (
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view/clean"
)

// View draws the whole frame. It reads the model and nothing else.
func (r *Root) View() string {
	if r.quitting {
		return ""
	}
	return r.Frame().Render(r.config.Options.Theme)
}

// Frame draws the model into a frame of its size and places the real cursor.
func (r *Root) Frame() *draw.Frame {
	f := draw.NewFrame(r.size.W, r.size.H, r.config.Options.Glyphs)
	if r.small() {
		r.tooSmall(f)
	} else {
		r.screen.Draw(f, draw.Rect{X: 0, Y: 1, W: r.size.W, H: r.area().H})
		r.drawTop(f)
		r.drawBottom(f)
		for i, o := range r.overlays {
			if i == len(r.overlays)-1 {
				f.Caret(-1, -1)
			}
			o.Draw(f, f.Area())
		}
	}
	if r.config.Caret != nil {
		x, y, ok := f.CaretAt()
		r.config.Caret(x, y, ok)
	}
	return f
}

func (r *Root) small() bool { return r.size.W < minColumns || r.size.H < minRows }

func (r *Root) tooSmall(f *draw.Frame) {
	line := draw.Line{draw.Own(draw.Strong, "too small: akx needs 60x16")}
	f.Put(f.Area(), max((f.W-line.Width())/2, 0), f.H/2, line)
}

// servicesGap is the columns between the place and the services in the top row.
const servicesGap = 3

// drawTop draws the first row: the place on the left, then the services, and what
// is open on the right.
// No author text ever stands in it.
func (r *Root) drawTop(f *draw.Frame) {
	top := draw.Rect{X: 0, Y: 0, W: f.W, H: 1}
	g := r.config.Options.Glyphs
	left := draw.Line{draw.Own(draw.Chrome, " akx "), draw.Own(draw.Border, g.Crumb), draw.Own(draw.Normal, " ")}
	left = append(left, r.screen.Crumb()...)
	right := r.source(true)
	needed := left.Width() + 1 + right.Width()
	if all := r.serviceLine(1 << 10); len(all) > 0 {
		needed += servicesGap + all.Width()
	}
	if needed > f.W {
		right = r.source(false)
	}
	if work := r.workLine(); left.Width()+1+work.Width()+right.Width() <= f.W {
		right = append(work, right...)
	}
	room := f.W - right.Width()
	at := f.Put(top, 0, 0, left.Cut(room-1, g.Ellipsis)) + servicesGap
	f.Put(top, at, 0, r.serviceLine(room-at-1))
	f.Put(top, max(room, 0), 0, right)
}

// source says what is open, in full where there is room.
func (r *Root) source(full bool) draw.Line {
	line := r.growth.line()
	switch {
	case !r.config.Options.Sample:
		line = append(line, draw.Own(draw.Normal, "this cache "))
	case full:
		line = append(line, draw.Own(draw.Warn, "sample"), draw.Own(draw.Normal, " library, public test keys "))
	default:
		line = append(line, draw.Own(draw.Warn, "sample"), draw.Gap(1))
	}
	if r.config.Options.Offline {
		line = append(line, draw.Own(draw.Warn, "OFFLINE "))
	}
	if r.config.Options.ReadOnly {
		line = append(line, draw.Own(draw.Warn, "READ-ONLY "))
	}
	return line
}

// drawBottom draws the last row: a notice, else the keys that work now.
func (r *Root) drawBottom(f *draw.Frame) {
	bottom := draw.Rect{X: 0, Y: f.H - 1, W: f.W, H: 1}
	if r.notice != nil {
		mark := draw.Own(draw.Warn, " ")
		if r.notice.Bad {
			mark = draw.Own(draw.Bad, " ! ")
		}
		r.drawNotice(f, append(draw.Line{mark}, r.notice.Line...))
		return
	}
	if r.prefix != "" {
		f.Put(bottom, 0, 0, draw.Line{draw.Gap(1), draw.Say(draw.Key, clean.Line(r.prefix)), draw.Own(draw.Normal, " and then?")})
		return
	}
	rows, typing := r.rows(), r.screen.Typing()
	if o := r.top(); o != nil {
		rows, typing = o.Rows(), o.Typing()
	}
	at, room := 1, f.W
	if !typing && r.top() == nil { // the way to everything else never falls off
		help := append(hint(r.config.Options.Keys.Row("help", nil), f.Glyphs), draw.Gap(1))
		room -= help.Width()
		f.Put(bottom, room, 0, help)
	}
	for _, row := range rows {
		if row.ID == "help" && room < f.W {
			continue
		}
		if row.Hidden || row.Why != "" || len(row.Keys) == 0 || typing != row.Typing() {
			continue
		}
		hint := hint(row, f.Glyphs)
		if at+hint.Width() >= room {
			continue
		}
		at = f.Put(bottom, at, 0, hint) + 2
	}
}

// noticeRows is how many rows a long notice may take.
const noticeRows = 3

// drawNotice draws a notice in the last row, and what does not fit above it.
func (r *Root) drawNotice(f *draw.Frame, line draw.Line) {
	rows := draw.WrapLine(line, f.W-4)
	rows = rows[:min(len(rows), noticeRows)]
	for i, row := range rows {
		at := draw.Rect{X: 0, Y: f.H - len(rows) + i, W: f.W, H: 1}
		f.Clear(at)
		f.Put(at, min(i, 1)*3, 0, row)
	}
}

// hint is a key and its words.
func hint(row kit.Row, g draw.Glyphs) draw.Line {
	keys := kit.KeyName(row.Keys[0], g)
	if row.ActKey != nil {
		keys += "-" + kit.KeyName(row.Keys[len(row.Keys)-1], g)
	}
	return draw.Line{
		draw.Say(draw.Key, clean.Line(keys)), draw.Gap(1),
		draw.Say(draw.Normal, clean.Own(row.Words)),
	}
}
