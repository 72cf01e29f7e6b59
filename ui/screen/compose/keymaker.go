package compose

import (
	"context"
	"crypto/subtle"

	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/slot"
	"akx/view/clean"
	"akx/view/fault"
)

// keyMaker makes a signing key: its name, and a passphrase that is typed twice.
type keyMaker struct {
	screen *Screen
	name   *draw.Field
	pass   [2]secret
	at     int // 0 is the name, then the two passphrases
	failed error
	making *slot.Slot[Signer]
}

// maxKeyName bounds what is typed as a name; the keyring checks it strictly.
const maxKeyName = 64

// makeKey opens the form of a new key.
func (s *Screen) makeKey() tea.Cmd {
	name := ""
	if len(s.signing.signers) == 0 {
		name = "main"
	}
	return s.options.Now(kit.Open{Overlay: &keyMaker{screen: s, name: draw.NewField(maxKeyName, name), making: slot.New[Signer](s.options.Work)}})
}

// Typing is always true: no letter is a key here.
func (m *keyMaker) Typing() bool { return true }

// Close forgets the passphrases. A key is made as a whole or not at all.
func (m *keyMaker) Close() {
	for i := range m.pass {
		m.pass[i].wipe()
	}
}

// Update takes how the key was made, and what is typed.
func (m *keyMaker) Update(msg tea.Msg) tea.Cmd {
	if made, err, ok := m.making.Take(msg); ok {
		if m.failed = err; err != nil {
			return nil
		}
		m.screen.options.Now(kit.Shut{})
		return m.screen.madeKey(made)
	}
	switch msg := msg.(type) {
	case tea.KeyMsg:
		if m.at == 0 {
			m.name.Key(msg)
		} else {
			m.pass[m.at-1].key(msg)
		}
	case kit.Paste:
		if m.at == 0 {
			m.name.Paste(msg.Text)
		} else {
			m.pass[m.at-1].add(msg.Text)
		}
	}
	return nil
}

// Rows are the keys of the form.
func (m *keyMaker) Rows() []kit.Row {
	k := m.screen.options.Keys
	step := func(by int) func() tea.Cmd {
		return func() tea.Cmd { m.at = (m.at + by + 3) % 3; return nil }
	}
	words := clean.Words("next")
	if m.at == 2 {
		words = "make the key"
	}
	return []kit.Row{
		k.Row("accept", m.accept).Called(words), k.Row("cancel", func() tea.Cmd { return m.screen.options.Now(kit.Shut{}) }).Called("cancel: no key is made"),
		k.Row("next-field", step(1)), k.Quiet("previous-field", step(-1)),
		k.Quiet("next-choice", step(1)), k.Quiet("previous-choice", step(-1)),
	}
}

// accept goes to the next line; on the last one it makes the key.
func (m *keyMaker) accept() tea.Cmd {
	if m.at < 2 {
		m.at++
		return nil
	}
	if m.making.Waiting() {
		return nil
	}
	first, second := m.pass[0].take(), m.pass[1].take()
	same := subtle.ConstantTimeCompare(first, second) == 1
	clear(second)
	if !same {
		clear(first)
		m.at, m.failed = 1, &fault.Usage{Detail: "the two passphrases differ", Hint: "type both again; no key was made"}
		return nil
	}
	keys, name := m.screen.shared.Keys, m.name.Value()
	return m.making.Ask(func(ctx context.Context) (Signer, error) {
		defer clear(first)
		return keys.Create(ctx, name, first)
	})
}

// madeKey takes a new key for the draft.
func (s *Screen) madeKey(k Signer) tea.Cmd {
	k.Default = k.Default || len(s.signing.signers) == 0 // the only one needs no choice
	s.signing.signers = append(s.signing.signers, k)
	done := kit.Send(kit.Notice{Line: draw.Line{
		draw.Own(draw.Normal, "the key "), draw.Say(draw.Strong, clean.Line(k.Name)), draw.Own(draw.Normal, " is made. It cannot be had again: keep a copy of keys/ in your home, and remember the passphrase"),
	}})
	var set tea.Cmd
	if s.bound().IsZero() {
		set = s.setKey(k.Actor)
	}
	return tea.Batch(set, done, s.askEvent(), kit.Send(kit.Written{}))
}

// Draw draws the form.
func (m *keyMaker) Draw(f *draw.Frame, area draw.Rect) {
	w := min(area.W-4, 90)
	lines := draw.WrapLine(draw.Line{draw.Own(draw.Normal, "Made here of random numbers. Its Agent ID is public: anybody can see what it signed. The passphrase is asked for at each signature after a while; nobody can have it again for you.")}, w-4)
	var trouble []draw.Line
	switch {
	case m.making.Waiting():
		trouble = []draw.Line{{draw.Own(draw.Strong, "making the key...")}}
	case m.failed != nil:
		trouble = draw.WrapLine(draw.ErrorLine(m.failed), w-4)
	}
	h := min(len(lines)+len(trouble)+6, area.H-2)
	box := draw.Rect{X: (area.W - w) / 2, Y: max((area.H-h)/3, 1), W: w, H: h}
	f.Clear(box)
	inner := f.Pane(box, draw.Line{draw.Own(draw.Strong, "A new signing key")}, nil, true)
	for i, line := range lines {
		f.Put(inner, 1, i, line)
	}
	row := len(lines) + 1
	for i, label := range []clean.Words{"name", "passphrase", "once more"} {
		m.drawLine(f, inner, row+i, i, label)
	}
	for i, line := range trouble {
		f.Put(inner, 1, row+3+i, line)
	}
}

// secretColumns is where the lines begin.
const secretColumns = 16

func (m *keyMaker) drawLine(f *draw.Frame, r draw.Rect, row, i int, label clean.Words) {
	mark, role := clean.Words("  "), draw.Quiet
	if i == m.at {
		mark, role = "> ", draw.Strong
	}
	f.Put(r, 1, row, draw.Line{draw.Own(draw.Key, mark), draw.Own(role, label)})
	if i == 0 && m.at == 0 {
		m.name.Draw(f, draw.Rect{X: r.X, Y: r.Y, W: max(r.W-1, 0), H: r.H}, secretColumns, row, draw.Strong)
		return
	}
	text := clean.Line(m.name.Value())
	if i > 0 {
		text = m.pass[i-1].stars(r.W - secretColumns - 2)
	}
	at := f.Put(r, secretColumns, row, draw.Line{draw.Say(draw.Normal, text)})
	if i == m.at {
		f.Caret(r.X+at, r.Y+row)
	}
}
