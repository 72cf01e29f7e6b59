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
			go program.Send(tea.Suspend())
			return
		}
		if t.allowStop() {
			_ = syscall.Kill(syscall.Getpid(), syscall.SIGTSTP)
		}
	case syscall.SIGCONT:
		if stopped := t.catchStop(); !stopped && !lent {
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

// allowStop lets the next SIGTSTP stop the process. It refuses where nobody
// could wake it up again: the kernel drops the signal then, and Bubble Tea
// would wait for ever.
func (t *Terminal) allowStop() bool {
	session, err := unix.Getsid(0)
	if err != nil || session == syscall.Getpgrp() {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.suspending = true
	signal.Reset(syscall.SIGTSTP)
	return true
}

// catchStop takes SIGTSTP over again, and tells whether it was let go.
func (t *Terminal) catchStop() (was bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	was, t.suspending = t.suspending, false
	if was {
		signal.Notify(t.signals, syscall.SIGTSTP)
	}
	return was
}
