package term

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// What Bubble Tea writes and Output acts on. Each mode comes in a write of its
// own, each frame on the alternate screen in one write that begins with home.
const (
	home      = "\x1b[H"
	altOn     = "\x1b[?1049h"
	altOff    = "\x1b[?1049l"
	pasteOn   = "\x1b[?2004h"
	pasteOff  = "\x1b[?2004l"
	syncOn    = "\x1b[?2026h"
	syncOff   = "\x1b[?2026l"
	cursorOn  = "\x1b[?25h"
	cursorOff = "\x1b[?25l"
)

// mouseModes are the modes that Bubble Tea switches the mouse on with.
var mouseModes = []string{"1002", "1003", "1006"}

// caretTime is how long the caret waits for the frame that belongs to it. A
// frame is due within 17 ms; where nothing but the caret changed none comes.
const caretTime = 25 * time.Millisecond

// Output is a terminal's output for a Bubble Tea v1 program. It draws each
// frame in synchronized output and then puts the real cursor at the caret, so
// that input methods and screen readers find it. It keeps track of what was
// switched on, which [Terminal.Restore] and the return from another program
// need. All methods are safe from several goroutines.
type Output struct {
	file *os.File
	to   func([]byte) (int, error)
	sync bool
	// after runs a function later, as time.AfterFunc.
	after func(time.Duration, func())

	mu      sync.Mutex
	caret   caret
	placed  caret // where the terminal's cursor was put last
	waiting bool  // a timer will place the caret
	modes   modes
	asking  string    // written once, when the program has taken the terminal
	asked   time.Time // when that was written
	shut    bool      // nothing is written any more
}

// modes is what was switched on, as far as it matters here.
type modes struct {
	used   bool // something was written
	alt    bool // the alternate screen is shown
	taken  taken
	mouse  map[string]bool // mouse modes that are on
	resume []string        // mouse modes to switch on again
}

type caret struct {
	row, col int
	shown    bool
}

// taken tells who has the terminal.
type taken uint8

const (
	takenNot  taken = iota // not yet the program
	takenByUs              // the program
	takenLent              // another program, or the shell
)

// NewOutput wraps the terminal f, usually os.Stdout. With sync it brackets
// frames in mode 2026; a terminal that does not know it ignores it.
func NewOutput(f *os.File, sync bool) *Output {
	return &Output{
		file: f, to: f.Write, sync: sync,
		after: func(d time.Duration, fn func()) { time.AfterFunc(d, fn) },
		modes: modes{mouse: map[string]bool{}},
	}
}

// SetCaret says where the text caret is, counted from 0, and whether there is
// one. The cursor goes there with the next frame, or soon, if none is drawn.
func (o *Output) SetCaret(row, col int, visible bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.caret = caret{max(row, 0), max(col, 0), visible}
	if !visible {
		o.caret = caret{}
	}
	if o.caret != o.placed && !o.waiting && o.drawing() {
		o.waiting = true
		o.after(caretTime, o.placeCaret)
	}
}

// drawing tells whether the program's frames are on the screen.
func (o *Output) drawing() bool { return o.modes.alt && !o.shut && o.modes.taken != takenLent }

func (o *Output) placeCaret() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.waiting = false
	if o.caret != o.placed && o.drawing() {
		_, _ = o.to([]byte(o.caretSequence()))
	}
}

// caretSequence moves the cursor to the caret and notes that it is there.
func (o *Output) caretSequence() string {
	o.placed = o.caret
	if !o.caret.shown {
		return cursorOff
	}
	return fmt.Sprintf("\x1b[%d;%dH", o.caret.row+1, o.caret.col+1) + cursorOn
}

// Write implements io.Writer.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.shut {
		return len(p), nil
	}
	o.modes.used = true
	whole := p
	if o.modes.alt && len(p) > len(home) && bytes.HasPrefix(p, []byte(home)) {
		whole = o.frame(p)
	} else if len(p) <= len(altOn) {
		whole = append(append([]byte(nil), p...), o.track(string(p))...)
	}
	if _, err := o.to(whole); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (o *Output) frame(p []byte) []byte {
	framed := make([]byte, 0, len(p)+64)
	if o.sync {
		framed = append(framed, syncOn...)
	}
	if o.placed.shown {
		framed = append(framed, cursorOff...)
	}
	framed = append(framed, p...)
	if o.caret.shown || o.placed.shown {
		framed = append(framed, o.caretSequence()...)
	}
	if o.sync {
		framed = append(framed, syncOff...)
	}
	return framed
}

// track notes the mode that a write switches, and gives what to write after it.
func (o *Output) track(seq string) (extra string) {
	switch seq {
	case altOn:
		o.modes.alt = true
	case altOff:
		o.modes.alt = false
	case cursorOff, cursorOn:
		o.placed = caret{shown: seq == cursorOn, row: -1}
		if seq == cursorOff {
			o.placed = caret{}
		}
	case pasteOn:
		return o.take()
	case pasteOff:
		o.lend()
	}
	for _, mode := range mouseModes {
		switch seq {
		case "\x1b[?" + mode + "h":
			o.modes.mouse[mode] = true
		case "\x1b[?" + mode + "l":
			delete(o.modes.mouse, mode)
		}
	}
	return ""
}

// take is called when Bubble Tea has set the terminal up, at the start and
// after another program had it. It does not switch the mouse on again, so that
// is done here.
func (o *Output) take() (extra string) {
	if o.modes.taken == takenNot && o.asking != "" {
		extra, o.asked = o.asking, time.Now()
	}
	for _, mode := range o.modes.resume {
		extra += "\x1b[?" + mode + "h"
		o.modes.mouse[mode] = true
	}
	o.modes.taken, o.modes.resume = takenByUs, nil
	return extra
}

// lend is called when Bubble Tea begins to give the terminal back: the mouse is
// still on.
func (o *Output) lend() {
	if o.modes.taken != takenByUs {
		return
	}
	o.modes.taken = takenLent
	for _, mode := range mouseModes {
		if o.modes.mouse[mode] {
			o.modes.resume = append(o.modes.resume, mode)
		}
	}
}

// lent tells whether another program has the terminal.
func (o *Output) lent() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.modes.taken == takenLent
}

// send writes a sequence between frames.
func (o *Output) send(seq string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.shut {
		return os.ErrClosed
	}
	_, err := o.to([]byte(seq))
	return err
}

// restoreModes switches off whatever a program may have switched on, also an
// editor that died. It is the same each time, because to switch off what is off
// does nothing; only to leave the alternate screen twice would move the cursor.
var restoreModes = syncOff +
	"\x1b[?1000l\x1b[?1001l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l" + // mouse
	"\x1b[?1004l" + // focus reports
	pasteOff +
	"\x1b[?1l\x1b>" + // cursor keys and keypad
	"\x1b[0m"

// restore brings the terminal's modes back and, with last, writes nothing more
// after that.
func (o *Output) restore(last bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.shut || !o.modes.used {
		o.shut = o.shut || last
		return
	}
	var b strings.Builder
	b.WriteString(restoreModes)
	if o.modes.alt {
		b.WriteString(altOff)
	}
	b.WriteString(cursorOn)
	_, _ = o.to([]byte(b.String()))
	o.modes.alt, o.placed, o.shut = false, caret{}, last
	clear(o.modes.mouse)
}

// Read reads from the terminal; it makes an Output a file in the eyes of Bubble
// Tea, which then finds its size.
func (o *Output) Read(p []byte) (int, error) { return o.file.Read(p) }

// Close closes the terminal.
func (o *Output) Close() error { return o.file.Close() }

// Fd is the terminal's file descriptor.
func (o *Output) Fd() uintptr { return o.file.Fd() }

// Name is the terminal's file name.
func (o *Output) Name() string { return o.file.Name() }

// askedWithin tells whether the background was asked for no longer than d ago.
func (o *Output) askedWithin(d time.Duration) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.asked.IsZero() && time.Since(o.asked) <= d
}
