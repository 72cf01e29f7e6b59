//go:build unix

package term

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

const (
	// graceTime is how long a program may take to quit after a signal.
	graceTime = 2 * time.Second
	// restoreTime is how long a terminal may take to be restored when the
	// process has to end anyway; one that is stuck never finishes.
	restoreTime = 500 * time.Millisecond
)

// startWatch handles signals until the function that it returns is called.
//
//	INT, TERM, HUP  end the program, the second one at once
//	TSTP            suspends it
//	CONT            repaints it
//
// While another program has the terminal, INT and TSTP are meant for that one:
// the terminal sends them to both.
func (t *Terminal) startWatch(program *tea.Program) (stop func()) {
	signal.Notify(t.signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGTSTP, syscall.SIGCONT)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		t.watch(program, done)
	}()
	return func() {
		close(done)
		<-ended
		signal.Stop(t.signals)
	}
}

func (t *Terminal) watch(program *tea.Program, done <-chan struct{}) {
	ending := t.ending
	overdue := time.NewTimer(graceTime)
	overdue.Stop()
	defer overdue.Stop()
	for {
		select {
		case <-done:
			return
		case <-ending:
			ending = nil
			overdue.Reset(graceTime)
		case <-overdue.C:
			if t.out.lent() {
				overdue.Reset(graceTime)
				continue
			}
			t.force()
		case sig := <-t.signals:
			t.handle(program, sig)
		}
	}
}

func (t *Terminal) handle(program *tea.Program, sig os.Signal) {
	lent := t.out.lent()
	switch sig {
	case syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP:
		if lent && sig == syscall.SIGINT {
			return
		}
		if !t.end(&Signalled{sig}) {
			t.force()
		}
	case syscall.SIGTSTP:
		if !lent {
			go program.Send(tea.SuspendMsg{})
		} else if canStop() {
			_ = syscall.Kill(syscall.Getpid(), syscall.SIGSTOP)
		}
	case syscall.SIGCONT:
		if !lent {
			// Stopped by force: whoever had the terminal since has left it in
			// another state.
			_, _ = term.MakeRaw(int(t.in.Fd()))
			go program.Send(tea.ClearScreen())
		}
	}
}

// force restores the terminal and ends the process, whatever the program does.
func (t *Terminal) force() {
	restored := make(chan struct{})
	go func() {
		defer close(restored)
		t.Restore()
	}()
	select {
	case <-restored:
	case <-time.After(restoreTime):
	}
	t.conf.Forced(t.endReason())
}

// suspend gives the terminal back, stops the process and its group, and takes
// the terminal again once it is continued. Bubble Tea's own way does not stop a
// process that catches SIGTSTP: Go does not go back to the default for it.
func (t *Terminal) suspend(program *tea.Program) {
	if !canStop() || program.ReleaseTerminal() != nil {
		return
	}
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	if syscall.Kill(0, syscall.SIGSTOP) == nil {
		<-continued
	}
	_ = program.RestoreTerminal()
}

// canStop tells whether somebody could continue this process once it has
// stopped: not when its group is the first of its session, as under a terminal
// or ssh that started it without a shell.
func canStop() bool {
	session, err := unix.Getsid(0)
	return err == nil && session != syscall.Getpgrp()
}
