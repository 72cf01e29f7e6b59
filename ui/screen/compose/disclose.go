package compose

import (
	"context"
	"errors"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/slot"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/fault"
)

// disclosure is the last step before a signature. Cancel has the keys first; no
// single key signs, and no paste is taken but for the passphrase.
type disclosure struct {
	screen *Screen
	ready  readiness
	stops  []stop
	at     int
	scroll int
	below  int // rows that are not shown yet, when it was last drawn
	pass   *secret
	queue  bool
	failed error
	asking *slot.Slot[explore.Signed]
}

// stop is a place of the dialog that can have the keys.
type stop struct {
	kind    stopKind
	field   *draw.Field  // of a target whose first characters are typed
	target  string       // of such a field
	service desk.Service // of a destination
	chosen  bool
}

type stopKind uint8

// The stops, in their order.
const (
	stopCancel stopKind = iota
	stopTarget
	stopService
	stopSign
	stopQueue
)

func newDisclosure(s *Screen, r readiness) *disclosure {
	d := &disclosure{screen: s, ready: r, stops: []stop{{kind: stopCancel}}, asking: slot.New[explore.Signed](s.options.Work)}
	for _, id := range r.shown.Confirm {
		d.stops = append(d.stops, stop{kind: stopTarget, field: draw.NewField(explore.ConfirmLength, ""), target: id.String()})
	}
	if !s.options.Sample {
		for _, service := range r.services {
			d.stops = append(d.stops, stop{kind: stopService, service: service, chosen: true})
		}
	}
	d.stops = append(d.stops, stop{kind: stopSign})
	if !s.options.Sample && len(r.services) > 0 {
		d.stops = append(d.stops, stop{kind: stopQueue})
	}
	return d
}

// Typing is always true: no letter is a key here.
func (d *disclosure) Typing() bool { return true }

// Close ends nothing that was begun: a signature is made as a whole or not at all.
func (d *disclosure) Close() { d.pass.wipe() }

func (d *disclosure) Update(msg tea.Msg) tea.Cmd {
	if signed, err, ok := d.asking.Take(msg); ok {
		return d.answer(signed, err)
	}
	switch msg := msg.(type) {
	case tea.KeyMsg:
		d.key(msg)
	case kit.Paste:
		if d.pass != nil {
			d.pass.add(msg.Text)
			return nil
		}
		return kit.Say("no paste is taken here: type it")
	case kit.Wheel:
		d.scroll = max(d.scroll+msg.Lines, 0)
	}
	return nil
}

func (d *disclosure) key(msg tea.KeyMsg) {
	here := &d.stops[d.at]
	switch {
	case d.pass != nil:
		d.pass.key(msg)
	case msg.String() == "pgdown":
		d.scroll += 5
	case msg.String() == "pgup":
		d.scroll = max(d.scroll-5, 0)
	case here.field != nil:
		here.field.Key(msg)
	case here.kind == stopService && msg.Type == tea.KeySpace:
		here.chosen = !here.chosen
	case msg.Type == tea.KeyLeft:
		d.step(-1)
	case msg.Type == tea.KeyRight:
		d.step(1)
	}
}

func (d *disclosure) step(by int) tea.Cmd {
	if d.pass == nil {
		d.at = (d.at + by + len(d.stops)) % len(d.stops)
	}
	return nil
}

func (d *disclosure) Rows() []kit.Row {
	k := d.screen.options.Keys
	step := func(by int) func() tea.Cmd { return func() tea.Cmd { return d.step(by) } }
	scroll := func(by int) func() tea.Cmd {
		return func() tea.Cmd { d.scroll = max(d.scroll+by, 0); return nil }
	}
	rows := []kit.Row{
		k.Row("cancel", d.cancel).Called("cancel: nothing is signed"),
		k.Row("accept", d.enter).Called("do what is chosen"),
	}
	if d.pass != nil {
		return rows
	}
	return append(rows, k.Row("next-field", step(1)), k.Quiet("previous-field", step(-1)),
		k.Quiet("next-choice", scroll(1)), k.Quiet("previous-choice", scroll(-1)))
}

func (d *disclosure) cancel() tea.Cmd {
	if d.asking.Waiting() {
		return kit.Say("it is being signed; what becomes of it is told in a moment")
	}
	d.screen.options.Now(kit.Shut{})
	return kit.Say("cancelled: nothing was signed; the draft is kept")
}

func (d *disclosure) enter() tea.Cmd {
	if d.asking.Waiting() {
		return nil
	}
	if d.pass != nil {
		return d.sign()
	}
	switch kind := d.stops[d.at].kind; kind {
	case stopCancel:
		return d.cancel()
	case stopService:
		d.stops[d.at].chosen = !d.stops[d.at].chosen
		return nil
	case stopTarget:
		return d.step(1)
	default:
		return d.decide(kind == stopQueue)
	}
}

// decide looks whether everything was read and typed, and asks for the passphrase
// where the key needs one.
func (d *disclosure) decide(queue bool) tea.Cmd {
	for i, s := range d.stops {
		if s.kind == stopTarget && s.field.Value() != s.target[:explore.ConfirmLength] {
			d.at = i
			return kit.Say("type the first characters of this target's ID, as they are shown")
		}
	}
	if queue && len(d.services()) == 0 {
		return kit.Say("no service is chosen; 'Sign only' signs without one")
	}
	if d.below > 0 {
		return kit.Say("there is more to read below: down, or pgdown, shows it")
	}
	d.queue = queue
	if !d.screen.signing.signer.Open {
		d.pass = &secret{}
		return nil
	}
	return d.sign()
}

// services are the origins that were chosen.
func (d *disclosure) services() []string {
	var out []string
	for _, s := range d.stops {
		if s.kind == stopService && s.chosen {
			out = append(out, string(s.service.Origin))
		}
	}
	return out
}

// sign signs exactly the event that is shown.
func (d *disclosure) sign() tea.Cmd {
	request := explore.SignRequest{Shown: d.ready.shown, Own: d.screen.own(), Disclosed: true}
	for mark, may := range d.screen.signing.answered {
		if may {
			request.Answered = append(request.Answered, mark)
		}
	}
	for _, s := range d.stops {
		if s.kind == stopTarget {
			request.Confirmed = append(request.Confirmed, s.field.Value())
		}
	}
	if d.queue {
		request.Services = d.services()
	}
	shared, signer, passphrase := d.screen.shared, d.screen.signing.signer, d.pass.take()
	return d.asking.Ask(func(ctx context.Context) (explore.Signed, error) {
		defer clear(passphrase)
		key, err := unlock(ctx, shared.Keys, signer, passphrase)
		if err != nil {
			return explore.Signed{}, err
		}
		defer key.Wipe()
		request.Key = key
		return shared.Writer.Sign(ctx, request)
	})
}

// answer shows what was signed, or why it was not; the passphrase is typed again.
func (d *disclosure) answer(signed explore.Signed, err error) tea.Cmd {
	if d.failed = err; err != nil {
		if d.pass == nil && code(err) == fault.PermissionDenied { // open when it was chosen, and locked since
			d.pass, d.failed = &secret{}, nil
		}
		return nil
	}
	d.screen.options.Now(kit.Shut{})
	return d.screen.signed(signed)
}

func code(err error) fault.Code {
	var coded fault.Coded
	if errors.As(err, &coded) {
		return coded.FaultCode()
	}
	return ""
}

// lines say in full what will be signed.
func (d *disclosure) lines(w int) []draw.Line {
	var out []draw.Line
	add := func(l draw.Line) { out = append(out, draw.WrapLine(l, w)...) }
	pair := func(name clean.Words, value clean.Text) {
		add(draw.Line{draw.Own(draw.Quiet, name), draw.Gap(10 - len(name)), draw.Say(draw.Normal, value)})
	}
	shown, s := d.ready.shown, d.screen
	p := &shown.Draft.Payload
	pair("event", clean.Line(shown.Draft.Type.String()))
	if p.Verdict != "" {
		pair("verdict", clean.Line(p.Verdict))
	} else if shown.Draft.Type == capsule.Publish {
		pair("kind", clean.Line(p.Kind))
	}
	whose := clean.Words(" (your own name for it)")
	if s.options.Sample {
		whose = " (published: everybody has it)"
	}
	add(draw.Line{draw.Own(draw.Quiet, "key       "), draw.Say(draw.Strong, clean.Line(s.signing.signer.Name)), draw.Own(draw.Quiet, whose)})
	pair("agent id", clean.Line(shown.Draft.Actor.String()))
	for _, t := range shown.Check.Targets {
		pair("target", clean.Line(t.ID.String()))
		if t.Relation != 0 {
			pair("", clean.Line(t.Relation.String()))
		}
		if t.Retracted() || len(t.Successors) > 0 {
			add(append(draw.Line{draw.Gap(10)}, movedLine(t, s.options.Glyphs)...))
		}
		if t.Held && t.Entry.Actor == shown.Draft.Actor && shown.Draft.Type == capsule.Assess {
			add(draw.Line{draw.Gap(10), draw.Own(draw.Warn, "you assess your own capsule"), draw.Own(draw.Normal, ": readers are told so")})
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
	}
	return out
}

// Draw draws what will be signed, what has to be typed, and the buttons.
func (d *disclosure) Draw(f *draw.Frame, area draw.Rect) {
	w := min(area.W-2, 96)
	lines := d.lines(w - 4)
	foot := len(d.stops) - d.buttons() + 1
	if d.pass != nil {
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
	inner := f.Pane(box, draw.Line{draw.Own(draw.Strong, "Sign: public and permanent")}, nil, true)
	room := max(inner.H-foot-1, 1)
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
	if d.pass != nil {
		d.drawPass(f, rest)
		return
	}
	d.drawStops(f, rest)
}

// buttons counts the stops that stand in the last row.
func (d *disclosure) buttons() int {
	n := 0
	for _, s := range d.stops {
		if s.kind != stopTarget && s.kind != stopService {
			n++
		}
	}
	return n
}

func (d *disclosure) drawStops(f *draw.Frame, r draw.Rect) {
	row := 0
	var buttons draw.Line
	for i, s := range d.stops {
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
		case stopService:
			box := clean.Words("[ ] ")
			if s.chosen {
				box = "[x] "
			}
			f.Put(r, 0, row, draw.Line{draw.Own(draw.Key, mark), draw.Own(draw.Strong, box), draw.Say(draw.Strong, clean.Line(s.service.Name)), draw.Gap(2), draw.Say(draw.Normal, clean.Line(string(s.service.Origin)))})
			row++
		default:
			words := map[stopKind]clean.Words{stopCancel: "[ Cancel ]", stopSign: "[ Sign only ]", stopQueue: "[ Sign and queue ]"}[s.kind]
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
