package term

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/term"
)

// frameRate is the most that Bubble Tea draws a second. Its default of 60 adds
// 8 ms to the way from a key to its frame.
const frameRate = 120

// answerTime is how long the answer to the question for the background counts.
// A later one is swallowed: the colours do not change under a reader's eyes.
const answerTime = 500 * time.Millisecond

// ErrNotTerminal is what [Open] gives when input or output is a file or a pipe.
var ErrNotTerminal = errors.New("not a terminal")

// Config is what a [Terminal] is opened with.
type Config struct {
	In, Out *os.File // usually os.Stdin and os.Stdout
	Caps    Caps
	// AskBackground asks the terminal for its background colour once the
	// program runs; the answer arrives as a [Background] message, if it comes
	// soon, and not at all otherwise.
	AskBackground bool
	// Getenv looks an environment variable up, as os.Getenv.
	Getenv func(string) string
	// Forced is called, with the terminal restored, when the program has to end
	// and does not: reason is a [*Signalled] or a [*Crash]. It should end the
	// process.
	Forced func(reason error)
}

// Terminal is the terminal of one program. Its methods are safe from several
// goroutines.
type Terminal struct {
	in    *Input
	out   *Output
	conf  Config
	saved *term.State

	signals chan os.Signal

	mu       sync.Mutex
	program  *tea.Program
	reason   error         // why the program has to end, the first reason
	ending   chan struct{} // closed when reason is set
	answered bool          // the background is known
}

// Open wraps a terminal. It changes nothing yet; the state that it finds is the
// one that [Terminal.Restore] comes back to.
func Open(conf Config) (*Terminal, error) {
	saved, err := term.GetState(int(conf.In.Fd()))
	if err != nil || !term.IsTerminal(int(conf.Out.Fd())) {
		return nil, ErrNotTerminal
	}
	t := &Terminal{
		in:      NewInput(conf.In),
		out:     NewOutput(conf.Out, conf.Caps.Sync),
		conf:    conf,
		saved:   saved,
		ending:  make(chan struct{}),
		signals: make(chan os.Signal, 16),
	}
	if conf.AskBackground {
		t.out.asking = askBackground
	}
	return t, nil
}

// SetCaret says where the text caret is, counted from 0, and whether there is
// one.
func (t *Terminal) SetCaret(row, col int, visible bool) { t.out.SetCaret(row, col, visible) }

// Run runs a program until it ends, and restores the terminal whatever happens.
// It may be called once. The error is a [*Signalled] when a signal ended the
// program, a [*Crash] when a panic did, and nil when the program quit; the
// model is the last one in each case.
//
// Beside the messages of Bubble Tea the program gets a [Paste] for each paste
// and at most one [Background]. Sizes are never 0, and clicks lie on the
// screen. Options must not set input, output, filter or signal handling.
func (t *Terminal) Run(model tea.Model, opts ...tea.ProgramOption) (last tea.Model, err error) {
	last = model
	opts = append([]tea.ProgramOption{
		tea.WithInput(t.in), tea.WithOutput(t.out), tea.WithFilter(t.filter),
		tea.WithoutSignalHandler(), tea.WithoutCatchPanics(), tea.WithFPS(frameRate),
	}, opts...)
	program := tea.NewProgram(guarded{t: t, model: model}, opts...)
	t.mu.Lock()
	t.program = program
	reason := t.reason
	t.mu.Unlock()
	if reason != nil {
		return last, reason
	}

	stopWatch := t.startWatch(program)
	ended, err := t.runGuarded(program)
	stopWatch()
	t.Restore()

	if g, ok := ended.(guarded); ok {
		last = g.model
	}
	if reason = t.endReason(); reason != nil {
		err = reason
	}
	return last, err
}

// runGuarded runs the program and turns a panic of Bubble Tea itself into a
// crash.
func (t *Terminal) runGuarded(program *tea.Program) (last tea.Model, err error) {
	defer t.rescue()
	return program.Run()
}

// filter sees each message before Bubble Tea handles it.
func (t *Terminal) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		if msg.Paste {
			return t.item(string(msg.Runes))
		}
	case tea.WindowSizeMsg:
		msg.Width, msg.Height = FitSize(msg.Width, msg.Height, t.conf.Getenv)
		return msg
	case tea.MouseMsg:
		if msg.X < 0 || msg.Y < 0 {
			return nil
		}
	case tea.SuspendMsg:
		t.suspend(t.running())
		return tea.ResumeMsg{}
	}
	return msg
}

func (t *Terminal) running() *tea.Program {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.program
}

// item fetches what a ticket stands for, nil if nothing.
func (t *Terminal) item(ticket string) tea.Msg {
	item, _ := t.in.Take(ticket)
	if _, ok := item.(Background); ok {
		first := t.out.askedWithin(answerTime) && !t.answeredNow()
		if !first {
			return nil
		}
	}
	return item
}

// answeredNow notes that the background is known, and tells whether it was.
func (t *Terminal) answeredNow() (before bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	before, t.answered = t.answered, true
	return before
}

// Restore gives the terminal back as [Open] found it: modes, screen and cursor.
// Nothing is drawn after that. To call it again does no harm.
func (t *Terminal) Restore() {
	t.out.restore(true)
	t.mu.Lock()
	open := !t.answered
	t.answered = true
	t.mu.Unlock()
	if open && t.out.askedWithin(answerTime) {
		t.in.drain(drainTime)
	}
	_ = term.Restore(int(t.in.Fd()), t.saved)
}

// Signalled says which signal ended the program.
type Signalled struct{ Signal os.Signal }

func (s *Signalled) Error() string { return "ended by signal: " + s.Signal.String() }

// Crash is a panic. Value may hold foreign text; Error escapes it, so that it
// can be printed.
type Crash struct {
	Value any
	Stack []byte
}

func (c *Crash) Error() string { return fmt.Sprintf("crashed: %+q", fmt.Sprint(c.Value)) }
