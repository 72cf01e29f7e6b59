package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"akx/cache"
	"akx/view/fault"
)

// explorerCommand is the command line that opens the explorer.
const explorerCommand = "akx"

// explore opens the explorer: on the home if anything is kept in it, else on the
// sample.
func (a *app) explore(cmd *cobra.Command, _ []string) error {
	if err := a.screenful(); err != nil {
		return err
	}
	h, err := a.openForScreen(cmd.Context())
	if err != nil {
		return err
	}
	defer h.close()
	return a.runScreen(cmd.Context(), h)
}

// screenful refuses to open the explorer where it cannot be seen or steered.
func (a *app) screenful() error {
	hint := "commands work without one: akx list, akx show ID, akx search TEXT, akx import FILE; akx --help lists all"
	switch {
	case a.flags.json:
		return &fault.Usage{Detail: "--json goes with a command", Hint: "such as akx --json list; akx --help lists all"}
	case a.flags.plain:
		return &fault.Usage{Detail: "--plain goes with a command: the explorer draws boxes", Hint: hint}
	case !term.IsTerminal(int(a.stdin.Fd())), !term.IsTerminal(int(a.stdout.Fd())):
		return &fault.Usage{Detail: "the explorer needs a terminal on standard input and output", Hint: hint}
	case a.dumb():
		return &fault.Usage{Detail: "the explorer needs a terminal that can place text, and TERM says it cannot", Hint: hint}
	default:
		return nil
	}
}

// openForScreen opens the home where anything is kept in it, else the sample.
func (a *app) openForScreen(ctx context.Context) (*held, error) {
	dir, _, err := a.homeDir()
	if a.flags.sample || err != nil || !exists(dir) {
		return a.openSample()
	}
	h, err := a.open(ctx)
	if err != nil {
		return nil, err
	}
	kept, err := h.keeps(ctx)
	if err == nil && kept {
		return h, nil
	}
	if err := errors.Join(err, h.close()); err != nil {
		return nil, err
	}
	return a.openSample()
}

// keeps reports whether anything is kept in a home: an event, also one that waits, a
// service, a draft or something signed. What cannot be read is kept, too.
func (h *held) keeps(ctx context.Context) (bool, error) {
	stats, err := h.session.Stats(ctx)
	if err != nil || stats.Events > 0 || stats.Pending > 0 {
		return err == nil, err
	}
	store, ok := h.library.(*cache.Cache)
	if !ok {
		return false, nil
	}
	own := store.Desk()
	for _, count := range []func() (int, error){
		func() (int, error) { services, err := store.Services(ctx); return len(services), err },
		func() (int, error) { drafts, err := own.Drafts(ctx); return len(drafts), err },
		func() (int, error) { entries, err := own.Entries(ctx); return len(entries), err },
	} {
		n, err := count()
		var damaged *fault.Damaged
		if n > 0 || errors.As(err, &damaged) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}
