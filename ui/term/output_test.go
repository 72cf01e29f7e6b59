package term

import (
	"os"
	"strings"
	"testing"
	"time"
)

// recorder is an Output that writes into memory, with timers that fire when
// the test says so.
type recorder struct {
	*Output
	wrote  strings.Builder
	timers []func()
}

func record(sync bool) *recorder {
	r := &recorder{Output: NewOutput(nil, sync)}
	r.to = func(p []byte) (int, error) { return r.wrote.Write(p) }
	r.after = func(_ time.Duration, fn func()) { r.timers = append(r.timers, fn) }
	return r
}

func (r *recorder) write(seqs ...string) {
	for _, seq := range seqs {
		if n, err := r.Write([]byte(seq)); n != len(seq) || err != nil {
			panic("a write was cut")
		}
	}
}

// take gives what was written since the last call.
func (r *recorder) take() string {
	defer r.wrote.Reset()
	return r.wrote.String()
}

func (r *recorder) fire() {
	timers := r.timers
	r.timers = nil
	for _, fn := range timers {
		fn()
	}
}

func TestOutputFrames(t *testing.T) {
	r := record(true)
	r.write(altOn, "\x1b[2J", home, cursorOff, pasteOn)
	if got, want := r.take(), altOn+"\x1b[2J"+home+cursorOff+pasteOn; got != want {
		t.Errorf("set-up: got %q", got)
	}
	r.write(home + "frame")
	if got, want := r.take(), syncOn+home+"frame"+syncOff; got != want {
		t.Errorf("frame without caret: got %q", got)
	}
	r.SetCaret(3, 4, true)
	r.write(home + "frame")
	if got, want := r.take(), syncOn+home+"frame\x1b[4;5H"+cursorOn+syncOff; got != want {
		t.Errorf("first frame with caret: got %q", got)
	}
	r.write(home + "frame")
	if got, want := r.take(), syncOn+cursorOff+home+"frame\x1b[4;5H"+cursorOn+syncOff; got != want {
		t.Errorf("next frame with caret: got %q", got)
	}
	r.SetCaret(9, 9, false)
	r.write(home + "frame")
	if got, want := r.take(), syncOn+cursorOff+home+"frame"+cursorOff+syncOff; got != want {
		t.Errorf("caret gone: got %q", got)
	}
	r.fire()
	if got := r.take(); got != "" {
		t.Errorf("the timer wrote %q after the frame had placed the caret", got)
	}
}

func TestOutputWithoutSync(t *testing.T) {
	r := record(false)
	r.write(altOn, home+"frame")
	if got, want := r.take(), altOn+home+"frame"; got != want {
		t.Errorf("got %q", got)
	}
}

func TestOutputCaretWithoutFrame(t *testing.T) {
	r := record(true)
	r.SetCaret(1, 1, true)
	if len(r.timers) != 0 {
		t.Error("a caret is placed before the program has drawn")
	}
	r.write(altOn, pasteOn)
	r.take()
	r.SetCaret(0, 0, true)
	r.SetCaret(-5, 7, true)
	if len(r.timers) != 1 {
		t.Errorf("%d timers run", len(r.timers))
	}
	r.fire()
	if got, want := r.take(), "\x1b[1;8H"+cursorOn; got != want {
		t.Errorf("got %q", got)
	}
	r.SetCaret(2, 2, true)
	r.write(pasteOff, altOff)
	r.take()
	r.fire()
	if got := r.take(); got != "" {
		t.Errorf("the caret was placed on the shell's screen: %q", got)
	}
}

// Bubble Tea v1 switches the mouse off when it lends the terminal, and does not
// switch it on again.
func TestOutputMouseComesBack(t *testing.T) {
	r := record(true)
	r.write(altOn, pasteOn, "\x1b[?1002h", "\x1b[?1006h")
	r.write(pasteOff, cursorOn, "\x1b[?1002l", "\x1b[?1003l", "\x1b[?1006l", altOff)
	if !r.lent() {
		t.Error("the terminal is not lent")
	}
	r.take()
	r.write(cursorOff, altOn, pasteOn)
	if got, want := r.take(), cursorOff+altOn+pasteOn+"\x1b[?1002h\x1b[?1006h"; got != want {
		t.Errorf("got %q", got)
	}
	r.write("\x1b[?1002l", "\x1b[?1003l", "\x1b[?1006l", pasteOff)
	r.take()
	r.write(pasteOn)
	if got := r.take(); got != pasteOn {
		t.Errorf("a released mouse came back: %q", got)
	}
}

func TestOutputAsksOnce(t *testing.T) {
	r := record(true)
	r.asking = askBackground
	r.write(altOn, pasteOn)
	if got, want := r.take(), altOn+pasteOn+askBackground; got != want {
		t.Errorf("got %q", got)
	}
	if !r.askedWithin(time.Hour) {
		t.Error("the question is not noted")
	}
	r.write(pasteOff, pasteOn)
	if got, want := r.take(), pasteOff+pasteOn; got != want {
		t.Errorf("got %q", got)
	}
}

func TestOutputRestore(t *testing.T) {
	r := record(true)
	r.restore(false)
	if got := r.take(); got != "" {
		t.Errorf("an unused terminal got %q", got)
	}
	r.write(altOn, pasteOn, home+"frame")
	r.take()
	r.restore(false)
	if got := r.take(); !strings.HasSuffix(got, altOff+cursorOn) || !strings.Contains(got, syncOff) {
		t.Errorf("got %q", got)
	}
	r.restore(true)
	if got := r.take(); strings.Contains(got, altOff) {
		t.Errorf("the alternate screen is left twice: %q", got)
	}
	r.write(home + "late frame")
	r.restore(true)
	if got := r.take(); got != "" {
		t.Errorf("written after the end: %q", got)
	}
	if err := r.send("x"); err != os.ErrClosed {
		t.Errorf("send after the end: %v", err)
	}
}
