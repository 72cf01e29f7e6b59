// Package termtest runs a program on a pseudo-terminal and reads back what a
// person would see, for tests only: nothing but _test files imports it.
//
// A [Session] owns the child process, the terminal and a screen emulator.
// Nothing in it sleeps: every wait is a predicate that is tried again after
// each read from the child, with a deadline that fails the test and prints the
// screen.
//
//	s := termtest.Start(t, termtest.Self(t, "akx"), 80, 24)
//	s.UntilText(t, "Browse")
//	s.Send(termtest.Down, termtest.Enter)
//	s.Until(t, func(sc termtest.Screen) bool { return sc.Has("Capsule") }, termtest.Patience)
//	s.Send("q")
//	exit := s.Wait(t, termtest.Patience)
package termtest

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// Patience is the usual deadline of a wait: far more than a working program
// needs on a busy machine, so that only a broken one reaches it.
const Patience = 30 * time.Second

// Exit says how a child ended.
type Exit struct {
	Code   int            // exit code, -1 when a signal ended it
	Signal syscall.Signal // the signal that ended it, 0 when it exited
}

// Session is a child on a pseudo-terminal. Its methods are safe from several
// goroutines.
type Session struct {
	cmd  *exec.Cmd
	ptmx *os.File
	emu  *vt.Emulator

	mu      sync.Mutex // guards emu, raw, modes, changed and ended
	raw     []byte
	modes   map[ansi.Mode]bool
	changed chan struct{} // closed and replaced after each read
	ended   bool          // the terminal has no more output

	exited  chan struct{} // closed once exit is set
	exit    Exit
	readers sync.WaitGroup
	once    sync.Once
}

// Option changes how a session is started.
type Option func(*options)

type options struct{ answers bool }

// Answering makes the emulator answer the questions that terminals answer
// (device attributes, cursor position, colours). Without it the terminal stays
// silent, as the poorest ones do.
func Answering() Option { return func(o *options) { o.answers = true } }

// Start runs cmd on a new terminal of w columns and h rows; 0 by 0 is a
// terminal that does not know its size. The child is killed when the test
// ends.
func Start(t testing.TB, cmd *exec.Cmd, w, h int, opts ...Option) *Session {
	t.Helper()
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	ptmx, err := startOnTerminal(cmd, w, h)
	if err != nil {
		t.Fatalf("start %s on a pseudo-terminal: %v", cmd.Path, err)
	}
	s := &Session{
		cmd:     cmd,
		ptmx:    ptmx,
		emu:     vt.NewEmulator(max(w, 1), max(h, 1)),
		modes:   map[ansi.Mode]bool{},
		changed: make(chan struct{}),
		exited:  make(chan struct{}),
	}
	s.emu.SetCallbacks(vt.Callbacks{
		EnableMode:  func(m ansi.Mode) { s.modes[m] = true },
		DisableMode: func(m ansi.Mode) { delete(s.modes, m) },
	})
	s.readers.Add(3)
	go s.readOutput()
	go s.drainAnswers(o.answers)
	go s.awaitExit()
	t.Cleanup(s.Close)
	return s
}

// startOnTerminal starts cmd and gives the terminal's own end. That is opened
// anew without blocking: closing a blocking file does not end a read of it, and
// a write to a child that has stopped reading would never end.
func startOnTerminal(cmd *exec.Cmd, w, h int) (*os.File, error) {
	blocking, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(w), Rows: uint16(h)})
	if err != nil {
		return nil, err
	}
	defer blocking.Close()
	fd, err := syscall.Dup(int(blocking.Fd()))
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(fd)
	if err := syscall.SetNonblock(fd, true); err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "ptmx"), nil
}

func (s *Session) setSize(w, h int) {
	// Not through Fd, which would make the file block.
	conn, err := s.ptmx.SyscallConn()
	if err != nil {
		return
	}
	_ = conn.Control(func(fd uintptr) {
		_ = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, &unix.Winsize{Col: uint16(w), Row: uint16(h)})
	})
}

func (s *Session) readOutput() {
	defer s.readers.Done()
	buf := make([]byte, 32<<10)
	for {
		n, err := s.ptmx.Read(buf)
		s.mu.Lock()
		s.raw = append(s.raw, buf[:n]...)
		_, _ = s.emu.Write(buf[:n])
		s.ended = err != nil
		close(s.changed)
		s.changed = make(chan struct{})
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// drainAnswers keeps the emulator's reply pipe empty: a full one would block
// the next write into the emulator for ever.
func (s *Session) drainAnswers(send bool) {
	defer s.readers.Done()
	var to io.Writer = io.Discard
	if send {
		to = s.ptmx
	}
	buf := make([]byte, 4<<10)
	for {
		n, err := s.emu.Read(buf)
		if err != nil {
			return
		}
		if _, err := to.Write(buf[:n]); err != nil {
			to = io.Discard
		}
	}
}

func (s *Session) awaitExit() {
	defer s.readers.Done()
	err := s.cmd.Wait()
	s.exit = Exit{Code: s.cmd.ProcessState.ExitCode()}
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		if status, ok := failed.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			s.exit.Signal = status.Signal()
		}
	}
	close(s.exited)
}

// Send types each of keys, as one write each. It gives up on a child that does
// not read for as long as [Patience].
func (s *Session) Send(keys ...string) {
	_ = s.ptmx.SetWriteDeadline(time.Now().Add(Patience))
	for _, key := range keys {
		// A child that is gone makes the write fail; the wait that follows
		// reports it with the screen.
		_, _ = io.WriteString(s.ptmx, key)
	}
}

// Resize gives the terminal a new size and signals the child.
func (s *Session) Resize(w, h int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emu.Resize(max(w, 1), max(h, 1))
	s.setSize(w, h)
}

// Pid is the child's process ID.
func (s *Session) Pid() int { return s.cmd.Process.Pid }

// Signal sends sig to the child, and to nobody else.
func (s *Session) Signal(sig syscall.Signal) { _ = s.cmd.Process.Signal(sig) }

// Kill ends the child without asking it.
func (s *Session) Kill() { _ = s.cmd.Process.Kill() }

// Hangup closes the terminal's other end, as a closed window does. The screen
// stays readable.
func (s *Session) Hangup() { _ = s.ptmx.Close() }

// Until waits until pred holds for the screen, and fails the test with the
// screen when the deadline passes or the child's output ends first. A frame in
// synchronized output is looked at only when it is whole.
func (s *Session) Until(t testing.TB, pred func(Screen) bool, deadline time.Duration) Screen {
	t.Helper()
	timer := time.NewTimer(deadline)
	defer timer.Stop()
	for late := false; ; {
		screen, changed, whole, ended := s.look()
		if (whole || ended || late) && pred(screen) {
			return screen
		}
		switch {
		case ended:
			t.Fatalf("the program's output ended before the screen was as expected; last screen:\n%s", screen)
		case late:
			t.Fatalf("the screen was not as expected within %v; last screen:\n%s", deadline, screen)
		}
		select {
		case <-changed:
		case <-timer.C:
			late = true
		}
	}
}

// UntilText waits with [Patience] until text stands on one row of the screen.
func (s *Session) UntilText(t testing.TB, text string) Screen {
	t.Helper()
	return s.Until(t, func(sc Screen) bool { return sc.Has(text) }, Patience)
}

// UntilTextOrEnd waits with [Patience] until text stands on one row of the screen,
// or until the child's output ends without it, and tells whether the text stands.
func (s *Session) UntilTextOrEnd(t testing.TB, text string) bool {
	t.Helper()
	found := false
	s.Until(t, func(sc Screen) bool {
		found = sc.Has(text)
		return found || s.Ended()
	}, Patience)
	return found
}

// Ended tells whether all output of the child was read: it has closed its terminal.
func (s *Session) Ended() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// UntilOutput waits with [Patience] until pred holds for all raw bytes written
// so far.
func (s *Session) UntilOutput(t testing.TB, pred func(raw []byte) bool) {
	t.Helper()
	s.Until(t, func(Screen) bool { return pred(s.Output()) }, Patience)
}

// Wait waits until the child has ended and all its output is read.
func (s *Session) Wait(t testing.TB, deadline time.Duration) Exit {
	t.Helper()
	timer := time.NewTimer(deadline)
	defer timer.Stop()
	select {
	case <-s.exited:
	case <-timer.C:
		t.Fatalf("the program had not ended within %v; last screen:\n%s", deadline, s.Screen())
	}
	for {
		screen, changed, _, ended := s.look()
		if ended {
			return s.exit
		}
		select {
		case <-changed:
		case <-timer.C:
			t.Fatalf("the program ended but something holds its terminal open; last screen:\n%s", screen)
		}
	}
}

// Close kills the child if it still runs and frees everything. It may be
// called more than once.
func (s *Session) Close() {
	s.once.Do(func() {
		s.Kill()
		<-s.exited
		_ = s.ptmx.Close()
		// Closing the emulator itself would race with the reader of its
		// replies; closing its pipe ends that reader.
		if pipe, ok := s.emu.InputPipe().(io.Closer); ok {
			_ = pipe.Close()
		}
		s.readers.Wait()
	})
}

func (s *Session) look() (screen Screen, changed <-chan struct{}, whole, ended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.snapshot(), s.changed, !s.modes[ansi.ModeSynchronizedOutput], s.ended
}

// Screen is the screen as it stands now.
func (s *Session) Screen() Screen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.snapshot()
}

// Text is the rows of the screen as they stand now, without trailing blanks.
func (s *Session) Text() []string { return s.Screen().Rows }

// Cell is the cell at column x and row y, counted from 0; the zero Cell
// outside the screen. The right half of a wide character has width 0.
func (s *Session) Cell(x, y int) uv.Cell {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cell := s.emu.CellAt(x, y); cell != nil {
		return *cell
	}
	return uv.Cell{}
}

// Mode tells whether the program has switched a terminal mode on.
func (s *Session) Mode(m ansi.Mode) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.modes[m]
}

// Output is every byte that the child wrote so far.
func (s *Session) Output() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]byte(nil), s.raw...)
}
