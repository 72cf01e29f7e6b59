package term_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"akx/ui/term"
	"akx/ui/termtest"
)

func TestMain(m *testing.M) {
	termtest.Main(m, map[string]func() int{"app": app, "editor": editor, "shell": shell})
}

func start(t *testing.T, env ...string) *termtest.Session {
	t.Helper()
	s := termtest.Start(t, termtest.Self(t, "app", env), 80, 24)
	s.UntilText(t, "size 80x24")
	return s
}

var privateMode = regexp.MustCompile(`\x1b\[\?(\d+)([hl])`)

// checkRestored looks at everything that the program wrote: each mode that was
// switched on is off at the end, and the cursor is shown.
func checkRestored(t *testing.T, s *termtest.Session) {
	t.Helper()
	on, seen := map[string]bool{"25": true}, map[string]bool{}
	for _, match := range privateMode.FindAllSubmatch(s.Output(), -1) {
		mode := string(match[1])
		on[mode] = string(match[2]) == "h"
		seen[mode] = seen[mode] || on[mode]
	}
	for mode, isOn := range on {
		if isOn != (mode == "25") {
			t.Errorf("mode %s is left on=%t", mode, isOn)
		}
	}
	for _, mode := range []string{"1049", "1002", "1006", "1004", "2004", "2026"} {
		if !seen[mode] {
			t.Errorf("mode %s was never on: the test shows nothing about it", mode)
		}
	}
	screen := s.Screen()
	if screen.Alternate || !screen.CursorShown {
		t.Errorf("the screen is left as\n%s", screen)
	}
	if !screen.Has("tty restored") {
		t.Errorf("the line settings are not as they were:\n%s", screen)
	}
}

func TestTerminalIsRestored(t *testing.T) {
	tests := []struct {
		name string
		keys string
		sigs []syscall.Signal
		code int
		says string
	}{
		{"quit", "q", nil, 0, "ended: <nil>"},
		{"panic in Update", "p", nil, 3, `ended: crashed: "in Update \x1b[31m"`},
		{"panic in View", "v", nil, 3, `ended: crashed: "in View"`},
		{"panic in a command", "c", nil, 3, `ended: crashed: "in a command"`},
		{"panic in a sequence", "d", nil, 3, `ended: crashed: "in a sequence"`},
		{"panic in a goroutine", "g", nil, 3, `ended: crashed: "in a goroutine"`},
		{"SIGINT", "", []syscall.Signal{syscall.SIGINT}, 130, "ended: ended by signal: interrupt"},
		{"SIGTERM", "", []syscall.Signal{syscall.SIGTERM}, 143, "ended: ended by signal: terminated"},
		{"SIGHUP", "", []syscall.Signal{syscall.SIGHUP}, 129, "ended: ended by signal: hangup"},
		{"SIGTERM while it hangs", "h", []syscall.Signal{syscall.SIGTERM}, 143, "forced: ended by signal: terminated"},
		{"two signals while it hangs", "h", []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM}, 0, "forced: ended by signal"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			if test.keys != "" {
				s.Send(test.keys)
			}
			if test.keys == "h" {
				s.UntilText(t, "hanging")
			}
			for _, sig := range test.sigs {
				s.Signal(sig)
			}
			exit := s.Wait(t, termtest.Patience)
			if test.code != 0 && exit.Code != test.code || exit.Code < 0 {
				t.Errorf("exit: %+v, want %d", exit, test.code)
			}
			if !s.Screen().Has(test.says) {
				t.Errorf("%q is missing:\n%s", test.says, s.Screen())
			}
			checkRestored(t, s)
		})
	}
}

// A closed window: the program ends, though nothing can be restored any more.
func TestTerminalHangup(t *testing.T) {
	s := start(t)
	s.Hangup()
	if exit := s.Wait(t, termtest.Patience); exit.Signal != 0 {
		t.Errorf("exit: %+v", exit)
	}
}

func TestKeysArriveWhole(t *testing.T) {
	s := start(t)
	s.Send(termtest.Up, "中", termtest.Esc)
	s.UntilText(t, "keys up 中 esc")
	s.Send("\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;c", termtest.Alt("x"), strings.Repeat("k", 300))
	screen := s.Until(t, func(sc termtest.Screen) bool { return sc.Has("runes 302") }, termtest.Patience)
	if !screen.Has("esc alt+x") {
		t.Errorf("an answer was read as keys:\n%s", screen)
	}
	s.Send(termtest.Click(5, 6), termtest.WheelUp(1, 2))
	s.UntilText(t, "mouse left press 5,6; left release 5,6; wheel up press 1,2;")
}

func TestHugePasteArrivesAsOne(t *testing.T) {
	s := start(t)
	text := strings.Repeat("line \x1b of \x9b text\n", (1<<20)/15)
	s.Send("a", termtest.Paste(text), "b")
	screen := s.UntilText(t, "keys a paste b")
	removed := 2 * strings.Count(text, "\n")
	want := fmt.Sprintf("paste %d bytes, %d removed, cut=false", len(text)-removed, removed)
	if !screen.Has(want) {
		t.Errorf("%q is missing:\n%s", want, screen)
	}
}

func TestResize(t *testing.T) {
	s := start(t)
	for i := range 40 {
		s.Resize(20+i, 5+i%20)
	}
	s.Resize(101, 33)
	s.UntilText(t, "size 101x33")
	s.Resize(0, 0)
	s.UntilOutput(t, func(raw []byte) bool { return bytes.Count(raw, []byte("size 80x24")) == 2 })
}

func TestCaretIsTheRealCursor(t *testing.T) {
	s := start(t)
	at := func(x, y int) func(termtest.Screen) bool {
		return func(sc termtest.Screen) bool { return sc.CursorShown && sc.CursorX == x && sc.CursorY == y }
	}
	if s.Screen().CursorShown {
		t.Error("a cursor without a caret")
	}
	s.Send("t")
	s.Until(t, at(1, 2), termtest.Patience)
	s.Send(termtest.Right) // the view stays the same
	s.Until(t, at(2, 2), termtest.Patience)
	s.Send("z")
	s.Until(t, func(sc termtest.Screen) bool { return sc.Has("keys t z") && at(2, 2)(sc) }, termtest.Patience)
	s.Send("t")
	s.Until(t, func(sc termtest.Screen) bool { return !sc.CursorShown }, termtest.Patience)
}

func TestBackgroundIsAsked(t *testing.T) {
	s := termtest.Start(t, termtest.Self(t, "app", []string{"ASK=1"}), 80, 24, termtest.Answering())
	s.UntilText(t, "background dark=true")
	if asked := bytes.Count(s.Output(), []byte("\x1b]11;?")); asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	s.Send("\x1b]11;rgb:ffff/ffff/ffff\x1b\\", "q")
	s.Wait(t, termtest.Patience)
	checkRestored(t, s)
}

func TestBackgroundIsNotAsked(t *testing.T) {
	s := start(t)
	s.Send("q")
	s.Wait(t, termtest.Patience)
	if bytes.Contains(s.Output(), []byte("\x1b]11")) {
		t.Error("asked all the same")
	}
	if bytes.Contains(s.Output(), []byte(ansi.RequestPrimaryDeviceAttributes)) {
		t.Error("something else was asked")
	}
}

// The editor gets every key that is typed into it, and akx the first after it;
// the mouse is on again, and SIGINT meant for the editor does not end akx.
func TestEditorGetsTheTerminalAlone(t *testing.T) {
	s := start(t)
	s.Send("e")
	s.UntilText(t, "editor ready")
	s.Signal(syscall.SIGINT)
	s.Send("abc")
	s.UntilText(t, "keys e edited")
	s.Send("x")
	screen := s.UntilText(t, "keys e edited x")
	if !screen.Alternate {
		t.Errorf("not on the alternate screen:\n%s", screen)
	}
	if !bytes.Contains(s.Output(), []byte("editor read abc")) {
		t.Error("the editor did not get all its keys")
	}
	if !s.Mode(ansi.ModeMouseButtonEvent) || !s.Mode(ansi.ModeMouseExtSgr) {
		t.Error("the mouse is not on again")
	}
	s.Send("q")
	s.Wait(t, termtest.Patience)
	checkRestored(t, s)
}

// Ctrl-z from within, and kill -TSTP from outside, under a shell with job
// control.
func TestSuspendAndResume(t *testing.T) {
	for _, how := range []string{"s", "signal"} {
		t.Run(how, func(t *testing.T) {
			s := termtest.Start(t, termtest.Self(t, "shell", nil), 80, 24)
			s.UntilText(t, "size 80x24")
			if how == "s" {
				s.Send("s")
			} else {
				s.Signal(syscall.SIGUSR1) // the shell passes it on as SIGTSTP
			}
			screen := s.UntilText(t, "stopped")
			if screen.Alternate || !screen.CursorShown || s.Mode(ansi.ModeMouseButtonEvent) || s.Mode(ansi.ModeBracketedPaste) {
				t.Errorf("the shell got the terminal as\n%s", screen)
			}
			s.Send("fg", termtest.Enter)
			s.Until(t, func(sc termtest.Screen) bool { return sc.Alternate && sc.Has("size 80x24") }, termtest.Patience)
			s.Send("x")
			s.Until(t, func(sc termtest.Screen) bool { return sc.Has("keys s x") || sc.Has("keys x") }, termtest.Patience)
			s.Until(t, func(termtest.Screen) bool { return s.Mode(ansi.ModeMouseButtonEvent) }, termtest.Patience)
			s.Send("q")
			if exit := s.Wait(t, termtest.Patience); exit.Code != 0 {
				t.Errorf("exit: %+v", exit)
			}
			checkRestored(t, s)
		})
	}
}

// As the first process of its session nobody could wake it up.
func TestSuspendIsRefusedWithoutAShell(t *testing.T) {
	s := start(t)
	s.Send("s")
	s.UntilText(t, "keys s")
	s.Send("x")
	s.UntilText(t, "keys s x")
}

func TestOpenRefusesWhatIsNoTerminal(t *testing.T) {
	read, write := pipe(t)
	if _, err := term.Open(term.Config{In: read, Out: write}); err != term.ErrNotTerminal {
		t.Errorf("got %v", err)
	}
}
