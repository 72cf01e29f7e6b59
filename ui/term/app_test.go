package term_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"reflect"
	"strings"
	"syscall"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"
	xterm "golang.org/x/term"

	_ "akx/ui/dark"
	"akx/ui/term"
)

func pipe(t *testing.T) (read, write *os.File) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = read.Close(), write.Close() })
	return read, write
}

// app is a small program on a Terminal. It shows what it was told, and does
// with some keys what a program should not.
func app() int {
	before, err := xterm.GetState(int(os.Stdin.Fd()))
	if err != nil {
		return 9
	}
	report := func(word string, err error) int {
		fmt.Printf("%s: %v\r\n", word, err)
		if after, _ := xterm.GetState(int(os.Stdin.Fd())); reflect.DeepEqual(before, after) {
			fmt.Print("tty restored\r\n")
		}
		return exitCode(err)
	}
	terminal, err := term.Open(term.Config{
		In: os.Stdin, Out: os.Stdout, Getenv: os.Getenv,
		Caps:          term.Detect(os.Getenv, true, "linux"),
		AskBackground: os.Getenv("ASK") != "",
		Forced:        func(reason error) { os.Exit(report("forced", reason)) },
	})
	if err != nil {
		return 9
	}
	_, err = terminal.Run(&model{terminal: terminal, caret: 1}, tea.WithAltScreen(), tea.WithMouseCellMotion(), tea.WithReportFocus())
	return report("ended", err)
}

func exitCode(err error) int {
	var signalled *term.Signalled
	var crash *term.Crash
	switch {
	case errors.As(err, &signalled):
		return 128 + int(signalled.Signal.(syscall.Signal))
	case errors.As(err, &crash):
		return 3
	case err != nil:
		return 4
	}
	return 0
}

type model struct {
	terminal *term.Terminal
	size     string
	keys     string
	runes    int
	mouse    string
	told     string
	typing   bool
	caret    int
	badView  bool
}

type (
	edited  struct{}
	hanging struct{}
)

func (m *model) Init() tea.Cmd { return nil }

func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.size = fmt.Sprintf("%dx%d", msg.Width, msg.Height)
	case tea.MouseMsg:
		m.mouse += fmt.Sprintf("%s %d,%d; ", mouseName(msg), msg.X, msg.Y)
	case term.Paste:
		m.keys += "paste "
		m.told = fmt.Sprintf("paste %d bytes, %d removed, cut=%t", len(msg.Text), msg.Removed, msg.Cut)
	case term.Background:
		m.told = fmt.Sprintf("background dark=%t", msg.Dark)
	case edited:
		m.keys += "edited "
	case hanging:
		select {} // for ever
	case tea.KeyMsg:
		m.runes += len(msg.Runes)
		if msg.String() != "right" {
			m.keys += msg.String() + " "
		}
		return m, m.key(msg.String())
	}
	return m, nil
}

func mouseName(msg tea.MouseMsg) string {
	button := map[tea.MouseButton]string{tea.MouseButtonLeft: "left", tea.MouseButtonWheelUp: "wheel up"}[msg.Button]
	action := map[tea.MouseAction]string{tea.MouseActionPress: "press", tea.MouseActionRelease: "release"}[msg.Action]
	return button + " " + action
}

func (m *model) key(key string) tea.Cmd {
	switch key {
	case "q":
		return tea.Quit
	case "p":
		panic("in Update \x1b[31m")
	case "v":
		m.badView = true
	case "c":
		return tea.Batch(func() tea.Msg { panic("in a command") }, func() tea.Msg { return nil })
	case "d":
		return tea.Sequence(func() tea.Msg { return nil }, func() tea.Msg { panic("in a sequence") })
	case "g":
		go m.terminal.Guard(func() { panic("in a goroutine") })
	case "h":
		m.told = "hanging"
		return func() tea.Msg { return hanging{} }
	case "s":
		return tea.Suspend
	case "e":
		self, _ := os.Executable()
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), "TERMTEST_ROLE=editor")
		return tea.ExecProcess(m.terminal.Attach(cmd), func(error) tea.Msg { return edited{} })
	case "t":
		m.typing = !m.typing
	case "right":
		m.caret++
	}
	return nil
}

func (m *model) View() string {
	if m.badView {
		panic("in View")
	}
	m.terminal.SetCaret(2, m.caret, m.typing)
	keys := m.keys
	if len(keys) > 60 {
		keys = keys[:60]
	}
	return strings.Join([]string{"size " + m.size, "keys " + keys, fmt.Sprintf("runes %d", m.runes), "mouse " + m.mouse, m.told}, "\n")
}

// editor reads three bytes, as an editor would, in raw mode.
func editor() int {
	state, err := xterm.MakeRaw(int(os.Stdin.Fd()))
	if err != nil {
		return 1
	}
	fmt.Print("editor ready\r\n")
	signal.Ignore(syscall.SIGINT)
	read := make([]byte, 0, 3)
	for len(read) < 3 {
		n, err := os.Stdin.Read(read[len(read):3])
		if err != nil {
			return 1
		}
		read = read[:len(read)+n]
	}
	fmt.Printf("editor read %s\r\n", read)
	_ = xterm.Restore(int(os.Stdin.Fd()), state)
	return 0
}

// shell runs app as a job of its own, tells when it has stopped, and brings it
// to the foreground again when a line is typed.
func shell() int {
	self, _ := os.Executable()
	job := exec.Command(self)
	job.Env = append(os.Environ(), "TERMTEST_ROLE=app")
	job.Stdin, job.Stdout, job.Stderr = os.Stdin, os.Stdout, os.Stderr
	job.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Foreground: true, Ctty: 0}
	signal.Ignore(syscall.SIGTTOU)
	pass := make(chan os.Signal, 1)
	signal.Notify(pass, syscall.SIGUSR1)
	if err := job.Start(); err != nil {
		return 1
	}
	pid := job.Process.Pid
	go func() {
		for range pass {
			_ = syscall.Kill(pid, syscall.SIGTSTP)
		}
	}()
	for {
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(pid, &status, syscall.WUNTRACED, nil); err == syscall.EINTR {
			continue
		} else if err != nil {
			return 1
		}
		if !status.Stopped() {
			return status.ExitStatus()
		}
		foreground(syscall.Getpgrp())
		fmt.Print("stopped\r\n")
		line := make([]byte, 16)
		_, _ = os.Stdin.Read(line)
		foreground(pid)
		_ = syscall.Kill(-pid, syscall.SIGCONT)
	}
}

func foreground(group int) {
	_ = unix.IoctlSetPointerInt(int(os.Stdin.Fd()), unix.TIOCSPGRP, group)
}
