package compose

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/identity"
)

// shown is what stands beside the form, or in its place.
type shown uint8

// What can be shown: nothing but the form, what a reader will see, or the exact event.
const (
	showForm shown = iota
	showText
	showEvent
)

// pane is the part of the screen that shows the draft as it will be.
type pane struct {
	shown  shown
	fills  bool // on a narrow screen it stands in the place of the form
	scroll int
	total  int // rows, when it was last drawn
	event  explore.Preview
	failed error
}

// full reports whether the pane fills the screen: only where it does not fit beside.
func (p *pane) full(wide bool) bool { return !wide && p.fills && p.shown != showForm }

// toggle shows one kind of pane, or what is there without it.
func (p *pane) toggle(to shown, s *Screen) func() tea.Cmd {
	return func() tea.Cmd {
		there := p.shown == to && (s.wide() || p.fills)
		switch {
		case !there:
			p.shown, p.fills = to, true
		case s.wide():
			p.shown = showForm
		default:
			p.fills = false
		}
		p.scroll = 0
		return s.askEvent()
	}
}

func (p *pane) by(lines, height int) {
	p.scroll = max(min(p.scroll+lines, p.total-height), 0)
}

// key scrolls a pane that fills the screen.
func (p *pane) key(name string, height int) {
	switch name {
	case "down", "j", "enter":
		p.by(1, height)
	case "up", "k":
		p.by(-1, height)
	case "pgdown", " ":
		p.by(max(height/2, 1), height)
	case "pgup":
		p.by(-max(height/2, 1), height)
	case "home":
		p.scroll = 0
	case "end":
		p.by(p.total, height)
	}
}

func (s *Screen) scrollPane(by int) func() tea.Cmd {
	return func() tea.Cmd {
		s.pane.by(by*max(s.height()/2, 1), s.height())
		return nil
	}
}

// askEvent asks for the exact event, where that is shown.
func (s *Screen) askEvent() tea.Cmd {
	if s.pane.shown != showEvent || !s.doc.open || s.author().IsZero() {
		return nil
	}
	writer, d, actor, own := s.shared.Writer, s.doc.draft.Clone(), s.author(), s.own()
	return s.asks.event.Ask(func(ctx context.Context) (explore.Preview, error) { return writer.Preview(ctx, d, actor, own) })
}

// author is who is to sign: the draft's own actor, or the default key's.
func (s *Screen) author() identity.Actor {
	if !s.doc.draft.Actor.IsZero() {
		return s.doc.draft.Actor
	}
	for _, k := range s.signing.signers {
		if k.Default {
			return k.Actor
		}
	}
	return identity.Actor{}
}

// paneLines lays out what the pane shows.
func (s *Screen) paneLines(w int) []draw.Line {
	if s.pane.shown == showEvent {
		return s.eventLines(w)
	}
	lines := s.status(w)
	if len(lines) > 0 {
		lines = append(lines, nil)
	}
	return append(lines, kit.LayBody(textOf(s.doc.draft, s.doc.targets), w, s.options).Lines...)
}

// eventLines shows the bytes that are hashed, and how many the envelope has.
func (s *Screen) eventLines(w int) []draw.Line {
	switch {
	case s.onlyBroken():
		return draw.WrapLine(draw.Line{draw.Own(draw.Normal, "your key cannot be read, so there is no exact event: the field key says why")}, w)
	case s.author().IsZero():
		return draw.WrapLine(draw.Line{draw.Own(draw.Normal, "there is no key yet, so there is no exact event: ctrl+x, or the field key, makes one")}, w)
	case s.pane.failed != nil:
		return draw.WrapLine(draw.ErrorLine(s.pane.failed), w)
	case s.pane.event.Canonical == nil:
		return []draw.Line{{draw.Own(draw.Normal, "making the event...")}}
	}
	e := s.pane.event
	lines := draw.WrapLine(s.sizeLine(e.Check), w)
	lines = append(lines, draw.WrapLine(draw.Line{
		draw.Own(draw.Quiet, "signed now, its ID would be "), draw.Say(draw.Normal, clean.Line(e.ID.String())),
	}, w)...)
	lines = append(lines, nil)
	for _, block := range clean.Block(string(e.Canonical)) {
		for _, row := range draw.Fold(block, w) {
			lines = append(lines, draw.Line{draw.Say(draw.Author, row)})
		}
	}
	return lines
}

func (s *Screen) sizeLine(c explore.DraftCheck) draw.Line {
	role := draw.Normal
	if c.Bytes > c.Limit {
		role = draw.Bad
	}
	line := draw.Line{
		draw.Own(draw.Quiet, "size "), draw.Say(role, draw.Int(c.Bytes)), draw.Own(draw.Quiet, " of "),
		draw.Say(draw.Normal, draw.Int(c.Limit)), draw.Own(draw.Quiet, " bytes"),
	}
	if c.LimitOf != "" {
		line = append(line, draw.Own(draw.Quiet, " ("), draw.Say(draw.Normal, clean.Line(c.LimitOf)), draw.Own(draw.Quiet, " limit)"))
	}
	return line
}

// status says what is still to be done, the size, what became of targets, and what
// the scan for secrets found.
func (s *Screen) status(w int) []draw.Line {
	if !s.doc.checked {
		return nil
	}
	var lines []draw.Line
	add := func(l draw.Line) { lines = append(lines, draw.WrapLine(l, max(w, 1))...) }
	c := s.doc.check
	if n := count(c.Problems, desk.Blocks); n > 0 {
		add(draw.Line{draw.Say(draw.Bad, draw.Int(n)), draw.Own(draw.Bad, plural(n, " error", " errors")), draw.Own(draw.Normal, " left; "), draw.Own(draw.Key, "ctrl+x"), draw.Own(draw.Normal, " lists them")})
	} else if len(c.Findings) > 0 {
		add(kit.ReadyLine(len(c.Findings)))
	} else {
		add(append(kit.ReadyLine(0), draw.Own(draw.Normal, " to be signed")))
	}
	for _, p := range c.Problems {
		if p.Severity == desk.Advises && desk.Ready(c.Problems) {
			add(append(problemLine(p), draw.Gap(1), draw.Say(draw.Quiet, clean.Line(p.Path))))
		}
	}
	add(s.sizeLine(c))
	for _, t := range s.moved() {
		if !s.pane.full(s.wide()) { // it stands above the form
			break
		}
		add(append(movedLine(t, s.options.Glyphs), draw.Own(draw.Normal, "; "), draw.Own(draw.Key, "alt+t"), draw.Own(draw.Normal, " chooses another")))
	}
	if n := len(c.Findings); n > 0 {
		add(draw.Line{draw.Say(draw.Warn, draw.Int(n)), draw.Own(draw.Warn, plural(n, " place", " places")), draw.Own(draw.Normal, " may not be meant for the public; each is asked about before the signature")})
	}
	return lines
}

func plural(n int, one, more clean.Words) clean.Words {
	if n == 1 {
		return one
	}
	return more
}

func count(problems []desk.Problem, severity desk.Severity) int {
	n := 0
	for _, p := range problems {
		if p.Severity == severity {
			n++
		}
	}
	return n
}

// textOf gives a draft as its reader will see it.
func textOf(d desk.Draft, targets []explore.TargetFacts) kit.Text {
	t := kit.Text{Payload: d.Reading(), Undigested: make(map[int]bool)}
	for i, profile := range d.Payload.Profiles {
		_, err := identity.ParseDigest(profile.Digest)
		t.Undigested[i] = err != nil
	}
	for _, f := range targets {
		t.Out = append(t.Out, view.OutLink{Link: capsule.Link{Relation: f.Relation, Target: f.ID}, Held: f.Held, Entry: f.Entry})
	}
	return t
}
