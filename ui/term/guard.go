package term

import (
	"errors"
	"reflect"
	"runtime/debug"

	tea "github.com/charmbracelet/bubbletea"
)

// Guard runs fn, and turns a panic in it into the end of the program with the
// terminal restored: Run then returns a [*Crash]. Every goroutine that runs
// beside the program's own needs it: go t.Guard(work).
func (t *Terminal) Guard(fn func()) {
	defer t.rescue()
	fn()
}

// rescue is deferred around code that may panic.
func (t *Terminal) rescue() {
	if value := recover(); value != nil {
		t.end(&Crash{Value: value, Stack: debug.Stack()})
	}
}

// end notes why the program has to end, and lets it quit. It is not killed, not
// even after a panic: Bubble Tea closes its reader under the feet of its read
// loop then. A program that does not quit in time is forced to.
func (t *Terminal) end(reason error) (first bool) {
	t.mu.Lock()
	first = t.reason == nil
	if first {
		t.reason = reason
		close(t.ending)
	}
	program := t.program
	t.mu.Unlock()
	if first && program != nil {
		// Bubble Tea takes the message when it is free, or drops it at its end.
		go program.Quit()
	}
	return first
}

// crashed tells whether a panic ends the program: its state is no longer to be
// trusted, and nothing of it runs any more.
func (t *Terminal) crashed() bool {
	var crash *Crash
	return errors.As(t.endReason(), &crash)
}

func (t *Terminal) endReason() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.reason
}

// guarded is a model whose panics, and those of its commands, are rescued.
// Bubble Tea would print them on the alternate screen, which is gone a moment
// later.
type guarded struct {
	t     *Terminal
	model tea.Model
}

func (g guarded) Init() (cmd tea.Cmd) {
	defer g.t.rescue()
	return g.t.guardCmd(g.model.Init())
}

func (g guarded) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	next = g
	if g.t.crashed() {
		return next, nil
	}
	defer g.t.rescue()
	model, cmd := g.model.Update(msg)
	return guarded{g.t, model}, g.t.guardCmd(cmd)
}

func (g guarded) View() (view string) {
	if g.t.crashed() {
		return ""
	}
	defer g.t.rescue()
	return g.model.View()
}

func (t *Terminal) guardCmd(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer t.rescue()
		return t.guardMsg(cmd())
	}
}

// guardMsg guards the commands inside a batch or a sequence. The type of a
// sequence is not exported, but both are slices of commands.
func (t *Terminal) guardMsg(msg tea.Msg) tea.Msg {
	old := reflect.ValueOf(msg)
	if !old.IsValid() || old.Kind() != reflect.Slice || old.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return msg
	}
	list := reflect.MakeSlice(old.Type(), old.Len(), old.Len())
	for i := range old.Len() {
		cmd, _ := old.Index(i).Interface().(tea.Cmd)
		list.Index(i).Set(reflect.ValueOf(t.guardCmd(cmd)))
	}
	return list.Interface()
}
