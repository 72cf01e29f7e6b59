package main

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"

	"akx/cache"
	"akx/ui"
	"akx/ui/term"
	"akx/view/fault"
)

// runScreen shows the explorer until it is left.
func (a *app) runScreen(ctx context.Context, h *held) error {
	setup := ui.Setup{
		In: a.stdin, Out: a.stdout, Getenv: a.getenv, OS: runtime.GOOS,
		Session: h.session, Clock: h.clock, Look: a.look(),
		Forced: func(reason error) { os.Exit(a.finish(ctx, ended(reason))) },
	}
	if store, ok := h.library.(*cache.Cache); ok {
		setup.State, setup.Lost = store.LoadState(ctx)
		if setup.Lost == nil {
			setup.Save = func(state []byte) error { return saveState(store, state) }
		}
	}
	defer a.writeOnScreen(h, &setup)()
	return ended(ui.Run(setup))
}

func (a *app) look() ui.Look {
	s := a.settings
	return ui.Look{
		Theme: s.text("theme"), NoColor: s.text("color") == "never", ASCII: s.flag("ascii"), Mouse: s.flag("mouse"),
		ReadOnly: a.flags.readOnly, PreviewFrom: s.number("preview_from"), Keys: s.keys,
	}
}

// saveState keeps the place for the next start. A home that cannot be written is
// read all the same. The context of the command may have ended by then.
func saveState(store *cache.Cache, state []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	err := store.SaveState(ctx, state)
	var coded fault.Coded
	if errors.As(err, &coded) && coded.FaultCode() == fault.ReadOnly {
		return nil
	}
	return err
}

// signalled is the end of the explorer by a signal; its exit code says which.
type signalled struct{ signal syscall.Signal }

func (s *signalled) Error() string { return "ended by signal: " + s.signal.String() }

// crashed is the end of the explorer by a fault of its own.
func crashed(c *term.Crash) error {
	all := []error{&fault.Damaged{What: "akx " + c.Error(),
		Hint: "this is a fault of akx: please report it with the lines above; what was stored stays"}}
	for line := range strings.Lines(strings.TrimSpace(string(c.Stack))) {
		all = append(all, errors.New(strings.TrimRight(line, "\n")))
	}
	return errors.Join(all...)
}

// ended turns how the explorer ended into an error of this package; nil where its
// user left it.
func ended(err error) error {
	var s *term.Signalled
	if errors.As(err, &s) {
		number, _ := s.Signal.(syscall.Signal)
		return &signalled{number}
	}
	var c *term.Crash
	if errors.As(err, &c) {
		return crashed(c)
	}
	return err
}
