package compose

import (
	"strconv"
	"strings"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view/capsule"
	"akx/view/clean"
)

// lines say in full what will be signed.
func (d *disclosure) lines(w int) []draw.Line {
	var out []draw.Line
	add := func(l draw.Line) { out = append(out, draw.WrapLine(l, w)...) }
	pair := func(name clean.Words, value clean.Text) {
		add(draw.Line{draw.Own(draw.Quiet, name), draw.Gap(10 - len(name)), draw.Say(draw.Normal, value)})
	}
	row := func(l draw.Line) { out = append(out, l.Cut(w, d.screen.options.Glyphs.Ellipsis)) }
	shown, s := d.ready.shown, d.screen
	p := &shown.Draft.Payload
	pair("event", clean.Line(shown.Draft.Type.String()))
	if p.Verdict != "" {
		pair("verdict", clean.Line(p.Verdict))
	} else if shown.Draft.Type == capsule.Publish {
		pair("kind", clean.Line(p.Kind))
	}
	title, _, _ := strings.Cut(p.Title, "\n")
	row(draw.Line{draw.Own(draw.Quiet, titleWords[shown.Draft.Type]), draw.Gap(10 - len(titleWords[shown.Draft.Type])), draw.Own(draw.Gutter, s.options.Glyphs.Gutter), draw.Say(draw.Author, clean.Line(title))})
	whose := clean.Words(" (your own name for it)")
	if s.options.Sample {
		whose = " (published: everybody has it)"
	}
	add(draw.Line{draw.Own(draw.Quiet, "key       "), draw.Say(draw.Strong, clean.Line(s.signing.signer.Name)), draw.Own(draw.Quiet, whose)})
	pair("agent id", clean.Line(shown.Draft.Actor.String()))
	if called := s.options.Called(shown.Draft.Actor, false); len(called) > 0 {
		add(append(draw.Line{draw.Gap(10)}, called...))
	}
	for _, t := range shown.Check.Targets {
		pair("target", clean.Line(t.ID.String()))
		if t.Relation != 0 {
			pair("", clean.Line(t.Relation.String()))
		}
		if t.Held {
			row(append(draw.Line{draw.Gap(10)}, about(t, s.options)...))
		}
		if t.Retracted() || len(t.Successors) > 0 {
			add(append(draw.Line{draw.Gap(10)}, movedLine(t, s.options.Glyphs)...))
		}
	}
	if shown.Draft.Type != capsule.Retract {
		pair("licence", clean.Line(p.License))
	}
	pair("new id", clean.Line(shown.ID.String()))
	pair("nonce", clean.Line(strconv.FormatInt(shown.Nonce, 10)))
	add(s.sizeLine(shown.Check))
	for _, problem := range shown.Check.Problems {
		add(append(problemLine(problem), draw.Gap(1), draw.Say(draw.Quiet, clean.Line(problem.Path))))
	}
	add(nil)
	add(draw.Line{draw.Own(draw.Strong, "Signing makes this public, for good. "), draw.Own(draw.Normal, "A retraction later cannot remove copies. Nothing is sent yet.")})
	add(draw.Line{draw.Own(draw.Strong, "May you disclose all of it, and is it yours to license?")})
	if s.options.Sample {
		add(draw.Line{draw.Own(draw.Warn, "Sample: "), draw.Own(draw.Normal, "the key is a public test key, the event stays in memory, and it can be sent nowhere.")})
	} else if len(d.ready.services) == 0 {
		add(draw.Line{draw.Own(draw.Normal, "No service is enabled: it can be queued for one later.")})
	} else if len(d.services()) == 0 {
		add(draw.Line{draw.Own(draw.Normal, "No service is chosen: space chooses one. Without one it is signed and kept here, and can be queued later.")})
	}
	return out
}

// titleWords name the text that stands for a title, by type.
var titleWords = map[capsule.Type]clean.Words{capsule.Publish: "title", capsule.Assess: "summary", capsule.Retract: "reason"}

// about is a target that is held, without its ID.
func about(t explore.TargetFacts, o kit.Options) draw.Line {
	line := draw.Line{draw.Say(draw.Strong, kit.TypeLetter(t.Entry.Type, t.Entry.Kind)), draw.Gap(1)}
	line = append(append(line, kit.LifeLine(t.Entry)...), draw.Gap(1), draw.Own(draw.Gutter, o.Glyphs.Gutter))
	return append(line, draw.Say(draw.Author, clean.Line(t.Entry.Title)))
}

// Draw draws what will be signed, what has to be typed, and the buttons.
func (d *disclosure) Draw(f *draw.Frame, area draw.Rect) {
	w := min(area.W-2, 96)
	lines, title := d.lines(w-4), clean.Words("Sign: public and permanent")
	foot := len(d.stops) - d.buttons() + 1
	switch {
	case d.reading:
		lines, foot, title = d.textLines(w-4), 1, "What you sign, as its readers will see it; nothing is signed yet"
	case d.pass != nil:
		foot = 3
	}
	var trouble []draw.Line
	if d.failed != nil {
		trouble = draw.WrapLine(draw.ErrorLine(d.failed), w-4)
		foot += len(trouble)
	}
	h := min(len(lines)+foot+3, area.H-1)
	box := draw.Rect{X: (area.W - w) / 2, Y: max((area.H-h)/3, 0), W: w, H: h}
	f.Clear(box)
	inner := f.Pane(box, draw.Line{draw.Own(draw.Strong, title)}, nil, true)
	room := max(inner.H-foot-1, 1)
	d.room = room
	d.scroll = max(min(d.scroll, len(lines)-room), 0)
	d.below = max(len(lines)-room-d.scroll, 0)
	for i := 0; i < room && d.scroll+i < len(lines); i++ {
		f.Put(inner, 1, i, lines[d.scroll+i])
	}
	if d.below > 0 {
		f.Put(inner, 1, room, draw.Line{draw.Own(draw.Warn, "more below: "), draw.Say(draw.Warn, draw.Int(d.below)), draw.Own(draw.Normal, plural(d.below, " row", " rows")), draw.Own(draw.Normal, "; down shows them")})
	}
	rest := draw.Rect{X: inner.X, Y: inner.Y + inner.H - foot, W: inner.W, H: foot}
	for i, line := range trouble {
		f.Put(rest, 1, i, line)
	}
	rest.Y, rest.H = rest.Y+len(trouble), rest.H-len(trouble)
	switch {
	case d.reading:
		if d.below == 0 {
			f.Put(rest, 1, 0, draw.Line{draw.Own(draw.Normal, "This is the end. "), draw.Own(draw.Key, f.Glyphs.Enter), draw.Own(draw.Normal, " goes back; nothing is signed by it.")})
		}
		return
	case d.pass != nil:
		d.drawPass(f, rest)
		return
	}
	d.drawStops(f, rest)
}

// buttons counts the stops that stand in the last row.
func (d *disclosure) buttons() int {
	n := 0
	for _, s := range d.stops {
		if s.kind == stopCancel || s.kind == stopSign || s.kind == stopQueue {
			n++
		}
	}
	return n
}

func (d *disclosure) drawStops(f *draw.Frame, r draw.Rect) {
	row := 0
	var buttons draw.Line
	for i := range d.stops {
		s := &d.stops[i]
		s.place = draw.Rect{X: r.X, Y: r.Y + row, W: r.W, H: 1}
		mark, focus := clean.Words("  "), i == d.at
		if focus {
			mark = "> "
		}
		switch s.kind {
		case stopTarget:
			line := draw.Line{draw.Own(draw.Key, mark), draw.Own(draw.Normal, "type the first 4 characters of "), draw.Say(draw.Strong, draw.Cut(clean.Line(s.target), 9, f.Glyphs.Ellipsis)), draw.Own(draw.Normal, ": ")}
			at := f.Put(r, 0, row, line)
			if focus {
				s.field.Draw(f, r, at, row, draw.Strong)
			} else {
				f.Put(r, at, row, draw.Line{draw.Say(draw.Normal, clean.Line(s.field.Value()))})
			}
			row++
		case stopText, stopMoved:
			lines := 0
			if s.kind == stopText {
				lines = len(d.textLines(r.W - 2))
			}
			f.Put(r, 0, row, append(draw.Line{draw.Own(draw.Key, mark)}, d.answerLine(s, lines)...))
			row++
		case stopService:
			box := clean.Words("[ ] ")
			if s.chosen {
				box = "[x] "
			}
			line := draw.Line{draw.Own(draw.Key, mark), draw.Own(draw.Strong, box), draw.Say(draw.Strong, clean.Line(s.service.Name)), draw.Gap(2), draw.Say(draw.Normal, clean.Line(string(s.service.Origin)))}
			if most, ok := d.ready.limits[s.service.Origin]; ok && d.ready.shown.Check.Bytes > most {
				line = append(line, draw.Gap(1), draw.Own(draw.Bad, "takes at most "), draw.Say(draw.Bad, draw.Int(most)), draw.Own(draw.Bad, " bytes"))
			}
			f.Put(r, 0, row, line)
			row++
		default:
			words := map[stopKind]clean.Words{stopCancel: "[ Cancel ]", stopSign: "[ Sign only ]", stopQueue: "[ Sign and queue ]"}[s.kind]
			s.place = draw.Rect{X: r.X + 1 + buttons.Width(), Y: r.Y + r.H - 1, W: len(words), H: 1}
			buttons = append(buttons, draw.Span{Text: clean.Own(words), Style: draw.Style{Role: draw.Strong, Reverse: focus}}, draw.Gap(2))
		}
	}
	if d.asking.Waiting() {
		buttons = draw.Line{draw.Own(draw.Strong, "signing...")}
	}
	f.Put(r, 1, r.H-1, buttons)
}

func (d *disclosure) drawPass(f *draw.Frame, r draw.Rect) {
	f.Put(r, 1, 0, draw.Line{draw.Own(draw.Normal, "The passphrase of "), draw.Say(draw.Strong, clean.Line(d.screen.signing.signer.Name)), draw.Own(draw.Normal, ". Enter signs, esc cancels.")})
	if d.asking.Waiting() {
		f.Put(r, 1, r.H-1, draw.Line{draw.Own(draw.Strong, "signing...")})
		return
	}
	at := f.Put(r, 1, r.H-1, draw.Line{draw.Own(draw.Key, "> "), draw.Say(draw.Normal, d.pass.stars(r.W-6))})
	f.Caret(r.X+at, r.Y+r.H-1)
}
