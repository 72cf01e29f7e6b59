package compose

import (
	"context"
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/slot"
	"akx/view/desk"
	"akx/view/fault"
)

// disclosure is the last step before a signature. Cancel has the keys first; no
// single key signs, and no paste is taken but for the passphrase.
type disclosure struct {
	screen  *Screen
	ready   readiness
	stops   []stop
	at      int
	scroll  int
	below   int  // rows that are not shown yet, when it was last drawn
	room    int  // rows of what is read, when it was last drawn
	reading bool // the whole text stands in the place of what is asked
	pass    *secret
	queue   bool
	failed  error
	asking  *slot.Slot[explore.Signed]
}

// stop is a place of the dialog that can have the keys.
type stop struct {
	kind    stopKind
	field   *draw.Field         // of a target whose first characters are typed
	target  string              // of such a field
	service desk.Service        // of a destination
	moved   explore.TargetFacts // a target that was corrected or retracted
	chosen  bool                // or answered with yes
	place   draw.Rect           // where it was drawn last
}

type stopKind uint8

// The stops, in their order.
const (
	stopCancel stopKind = iota
	stopText
	stopMoved
	stopTarget
	stopService
	stopSign
	stopQueue
)

func newDisclosure(s *Screen, r readiness) *disclosure {
	d := &disclosure{screen: s, ready: r, stops: []stop{{kind: stopCancel}}, asking: slot.New[explore.Signed](s.options.Work)}
	d.stops = append(d.stops, s.stopsToAnswer(r)...)
	for _, id := range r.shown.Confirm {
		d.stops = append(d.stops, stop{kind: stopTarget, field: draw.NewField(explore.ConfirmLength, ""), target: id.String()})
	}
	if !s.options.Sample {
		for _, service := range r.services {
			d.stops = append(d.stops, stop{kind: stopService, service: service})
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
		return d.key(msg)
	case kit.Click:
		return d.click(msg)
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

// pastedRunes is how many characters that arrive in one piece are a paste of a terminal
// that does not mark pastes. Keys of a slow link may come two at a time.
const pastedRunes = 3

func (d *disclosure) key(msg tea.KeyMsg) tea.Cmd {
	here := &d.stops[d.at]
	switch {
	case d.pass != nil:
		d.pass.key(msg)
	case d.reading:
		return d.readKey(msg.String())
	case msg.String() == "pgdown":
		d.scroll += 5
	case msg.String() == "pgup":
		d.scroll = max(d.scroll-5, 0)
	case here.field != nil && len(msg.Runes) >= pastedRunes:
		return kit.Say("these characters came all at once, as a paste does: type them one by one")
	case here.field != nil:
		here.field.Key(msg)
	case here.kind == stopText && msg.Type == tea.KeySpace:
		return d.readText()
	case (here.kind == stopService || here.kind == stopMoved) && msg.Type == tea.KeySpace:
		here.chosen = !here.chosen
	case msg.Type == tea.KeyLeft:
		return d.step(-1)
	case msg.Type == tea.KeyRight:
		return d.step(1)
	}
	return nil
}

// click gives the keys to what was clicked, and chooses a service. It never signs.
func (d *disclosure) click(c kit.Click) tea.Cmd {
	for i := range d.stops {
		if d.pass != nil || d.reading || !d.stops[i].place.Contains(c.X, c.Y) {
			continue
		}
		d.at = i
		switch d.stops[i].kind {
		case stopService:
			d.stops[i].chosen = !d.stops[i].chosen
		case stopText:
			return d.readText()
		case stopSign, stopQueue:
			return kit.Say("no click signs: enter does what has the keys now")
		case stopCancel:
			return kit.Say("enter cancels")
		}
	}
	return nil
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
	if d.reading {
		return []kit.Row{
			k.Row("cancel", d.closeText).Called("back: nothing is signed"), k.Row("accept", d.readOn).Called("read on"),
			k.Quiet("next-choice", scroll(1)), k.Quiet("previous-choice", scroll(-1)),
		}
	}
	rows := []kit.Row{
		k.Row("cancel", d.cancel).Called("cancel: nothing is signed"),
		k.Row("accept", d.enter).Called("do what is chosen"),
	}
	if d.pass != nil {
		return rows
	}
	if d.screen.noRetarget() == "" {
		rows = append(rows, k.Row("retarget", d.retarget))
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
	case stopText:
		return d.readText()
	case stopService, stopMoved:
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
	if cmd, open := d.unanswered(); open {
		return cmd
	}
	for i, s := range d.stops {
		if s.kind == stopTarget && s.field.Value() != s.target[:explore.ConfirmLength] {
			d.at = i
			return kit.Say("type the first characters of this target's ID, as they are shown")
		}
	}
	if queue && len(d.services()) == 0 {
		return kit.Say("no service is chosen: space on its row chooses it; 'Sign only' signs without one")
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
