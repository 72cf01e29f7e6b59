package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"akx/view/fault"
)

// explore opens the explorer: on the cache if it has an event, also one that waits,
// else on the sample.
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

// openForScreen opens the cache where it has an event, also one that waits, else the
// sample.
func (a *app) openForScreen(ctx context.Context) (*held, error) {
	dir, _, err := a.homeDir()
	if a.flags.sample || err != nil || !exists(dir) {
		return a.openSample()
	}
	h, err := a.open(ctx)
	if err != nil {
		return nil, err
	}
	stats, err := h.session.Stats(ctx)
	if err == nil && (stats.Events > 0 || stats.Pending > 0) {
		return h, nil
	}
	if err := errors.Join(err, h.close()); err != nil {
		return nil, err
	}
	return a.openSample()
}
