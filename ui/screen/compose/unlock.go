package compose

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/slot"
	"akx/view/clean"
	"akx/view/fault"
)

// Unlocker asks for the passphrase of one key. The keys keep it unlocked for a while;
// nothing is signed here.
type Unlocker struct {
	shared  *Shared
	want    kit.Unlock
	signer  Signer
	known   bool // the key was found
	pass    secret
	failed  error
	finding *slot.Slot[Signer]
	opening *slot.Slot[struct{}]
}

// NewUnlocker makes it; Ask finds the key.
func NewUnlocker(shared *Shared, want kit.Unlock) *Unlocker {
	return &Unlocker{shared: shared, want: want, finding: slot.New[Signer](shared.Options.Work), opening: slot.New[struct{}](shared.Options.Work)}
}

// Ask finds the key among the user's own.
func (u *Unlocker) Ask() tea.Cmd {
	keys, actor := u.shared.Keys, u.want.Actor
	return u.finding.Ask(func(ctx context.Context) (Signer, error) {
		all, err := keys.Signers(ctx)
		for _, k := range all {
			if k.Actor == actor {
				return k, nil
			}
		}
		if err == nil {
			err = &fault.Usage{Code: fault.NotHeldCode, Detail: "you have no key of " + actor.String(), Hint: "bring it here, or change the setting that names it"}
		}
		return Signer{}, err
	})
}

// Typing is always true: keys are the passphrase.
func (u *Unlocker) Typing() bool { return true }

// Close forgets what was typed.
func (u *Unlocker) Close() {
	u.finding.Cancel()
	u.pass.wipe()
}

// Update takes the passphrase and how it ended.
func (u *Unlocker) Update(msg tea.Msg) tea.Cmd {
	if k, err, ok := u.finding.Take(msg); ok {
		u.signer, u.failed, u.known = k, err, err == nil
		return nil
	}
	if _, err, ok := u.opening.Take(msg); ok {
		if u.failed = err; err != nil {
			return nil
		}
		u.shared.Options.Now(kit.Shut{})
		return u.want.Then()
	}
	switch msg := msg.(type) {
	case tea.KeyMsg:
		u.pass.key(msg)
	case kit.Paste:
		u.pass.add(msg.Text)
	}
	return nil
}

// Rows are the keys of the question.
func (u *Unlocker) Rows() []kit.Row {
	k := u.shared.Options.Keys
	return []kit.Row{
		k.Row("accept", u.open).Called("unlock"),
		k.Row("cancel", func() tea.Cmd {
			u.shared.Options.Now(kit.Shut{})
			return kit.Say("cancelled: the key stays locked, and nothing was sent")
		}),
	}
}

func (u *Unlocker) open() tea.Cmd {
	if !u.known || u.opening.Waiting() {
		return nil
	}
	keys, signer, passphrase := u.shared.Keys, u.signer, u.pass.take()
	return u.opening.Ask(func(ctx context.Context) (struct{}, error) {
		defer clear(passphrase)
		key, err := unlock(ctx, keys, signer, passphrase)
		key.Wipe()
		return struct{}{}, err
	})
}

// Draw draws why the key is needed, which one it is in full, and the passphrase as stars.
func (u *Unlocker) Draw(f *draw.Frame, area draw.Rect) {
	w := min(area.W-2, 90)
	lines := draw.WrapLine(u.want.Why, w-4)
	if u.known {
		lines = append(lines, nil, draw.Line{draw.Own(draw.Quiet, "key       "), draw.Say(draw.Strong, clean.Line(u.signer.Name)), draw.Own(draw.Quiet, " (your own name for it)")})
	}
	lines = append(lines, draw.WrapLine(draw.Line{draw.Own(draw.Quiet, "agent id  "), draw.Say(draw.Normal, clean.Line(u.want.Actor.String()))}, w-4)...)
	if u.known {
		lines = append(lines, draw.Line{draw.Own(draw.Quiet, "passphrase "), draw.Say(draw.Normal, u.pass.stars(w-20)), draw.Own(draw.Key, "_")})
	}
	if u.failed != nil {
		lines = append(lines, draw.WrapLine(draw.ErrorLine(u.failed), w-4)...)
	}
	h := min(len(lines)+2, area.H-1)
	box := draw.Rect{X: (area.W - w) / 2, Y: max((area.H-h)/3, 0), W: w, H: h}
	f.Clear(box)
	inner := f.Pane(box, draw.Line{draw.Own(draw.Strong, "Unlock a key")}, nil, true)
	for i, line := range lines {
		if i < inner.H {
			f.Put(inner, 1, i, line)
		}
	}
}
