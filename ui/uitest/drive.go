// Package uitest drives the explorer's model in tests: keys go in, commands run,
// and the model is settled when no ask is open and no message waits. It needs no
// terminal and never sleeps. Only tests import it.
package uitest

import (
	"reflect"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
)

// Model is a root that can draw itself into a frame.
type Model interface {
	tea.Model
	Frame() *draw.Frame
}

// Driver runs one model. Its commands run one after the other on the caller's
// goroutine, oldest first, so that every session is the same each time.
type Driver struct {
	model Model
	open  []tea.Cmd
	held  []tea.Msg
	hold  bool
	Quit  bool // the model has asked to quit
}

// Start initialises a model at a size and lets it settle.
func Start(m Model, w, h int) *Driver {
	d := &Driver{model: m}
	d.run(m.Init())
	d.Resize(w, h)
	return d
}

// Resize gives a new size and lets the model settle.
func (d *Driver) Resize(w, h int) { d.Send(tea.WindowSizeMsg{Width: w, Height: h}) }

// Send gives one message and lets the model settle.
func (d *Driver) Send(msg tea.Msg) {
	d.update(msg)
	d.settle()
}

// Press gives keys by their names, such as "j", "enter", "ctrl+d", settling after each,
// and drawing as a terminal does.
func (d *Driver) Press(keys ...string) {
	for _, k := range keys {
		d.Send(Key(k))
		d.model.Frame()
	}
}

// Type gives text as single keys.
func (d *Driver) Type(text string) {
	for _, r := range text {
		d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
}

// Screen is the frame without styles.
func (d *Driver) Screen() string { return d.model.Frame().Plain() }

// Output is what a terminal would get for the frame.
func (d *Driver) Output() string { return d.model.View() }

// Row gives one row of the frame, without trailing blanks.
func (d *Driver) Row(y int) string { return strings.Split(d.Screen(), "\n")[y] }

func (d *Driver) update(msg tea.Msg) {
	if _, ok := msg.(tea.QuitMsg); ok {
		d.Quit = true
		return
	}
	if cmds, sequence, ok := several(msg); ok {
		if sequence {
			for _, c := range cmds {
				d.run(c)
				d.settle()
			}
			return
		}
		for _, c := range cmds {
			d.run(c)
		}
		return
	}
	_, cmd := d.model.Update(msg)
	d.run(cmd)
}

func (d *Driver) run(cmd tea.Cmd) {
	if cmd != nil {
		d.open = append(d.open, cmd)
	}
}

func (d *Driver) settle() {
	for len(d.open) > 0 {
		cmd := d.open[0]
		d.open = d.open[1:]
		msg := cmd()
		switch {
		case msg == nil:
		case d.hold && !opens(msg):
			d.held = append(d.held, msg)
		default:
			d.update(msg)
		}
	}
}

// Hold runs commands from now on, but keeps back what they answer.
func (d *Driver) Hold() { d.hold = true }

// Release gives the answers that were kept back, the newest first, as a slow and
// unfair network would.
func (d *Driver) Release() {
	d.hold = false
	for len(d.held) > 0 {
		last := len(d.held) - 1
		msg := d.held[last]
		d.held = d.held[:last]
		d.Send(msg)
	}
}

// opens reports whether msg only carries further commands.
func opens(msg tea.Msg) bool {
	_, _, ok := several(msg)
	return ok
}

// several opens the messages of Batch and Sequence, whose types are a library's own.
func several(msg tea.Msg) (cmds []tea.Cmd, sequence, ok bool) {
	if batch, is := msg.(tea.BatchMsg); is {
		return batch, false, true
	}
	v := reflect.ValueOf(msg)
	if v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return nil, false, false
	}
	for i := range v.Len() {
		cmds = append(cmds, v.Index(i).Interface().(tea.Cmd))
	}
	return cmds, true, true
}

// Key makes the message of a key by its Bubble Tea name.
func Key(name string) tea.KeyMsg {
	if t, ok := named[name]; ok {
		return tea.KeyMsg{Type: t}
	}
	if rest, ok := strings.CutPrefix(name, "alt+"); ok {
		k := Key(rest)
		k.Alt = true
		return k
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// named are the keys that are not text, found by asking the library for their names.
var named = func() map[string]tea.KeyType {
	out := map[string]tea.KeyType{}
	for t := tea.KeyType(-200); t < 128; t++ {
		name := tea.KeyMsg{Type: t}.String()
		if name != "" && t != tea.KeyRunes {
			out[name] = t
		}
	}
	return out
}()
