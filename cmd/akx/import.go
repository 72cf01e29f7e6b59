package main

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	"github.com/spf13/cobra"

	"akx/cmd/akx/report"
	"akx/explore"
	"akx/view/fault"
	"akx/view/wire"
)

func (a *app) importCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE...|-",
		Short: "Prove the events of files and store them in the cache",
		Long: `Read signed envelopes, acceptance records, JSON arrays of either, query, batch and
search responses, and JSON Lines of any of these; prove each and store it. What is
in a file is told by its shape, not by its name; - is the standard input.

What is refused never stops the rest, and ends in exit code 1. Events whose targets
are not held wait as pending, without effect, until they are. What a file says about
services is kept as unsigned claims of that file.

--read-only does not forbid it: proven events are not your own data. It forbids what
signs, submits or drops, and changes to your services.`,
		Example: `  akx import capsules.jsonl more.json
  curl https://hub.example/v1/knowledge/query | akx import -
  akx --json import capsules.jsonl`,
		Args: someArgs("file"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.importFiles(cmd.Context(), args) },
	}
}

func (a *app) importFiles(ctx context.Context, paths []string) error {
	if a.flags.sample {
		return a.writable("import")
	}
	if err := stdinOnce(paths); err != nil {
		return err
	}
	h, err := a.openEither(ctx)
	if err != nil {
		return err
	}
	defer h.close()
	r := &report.Import{}
	for _, path := range paths {
		done, err := a.importFile(ctx, h, path)
		r.Add(label(path), done, a.fileFailure(ctx, path, err))
		if stops(err) {
			return &short{r, err}
		}
	}
	return a.emit(r, r.Short())
}

func (a *app) importFile(ctx context.Context, h *held, path string) (explore.Imported, error) {
	in, err := a.describe(path)
	if err != nil {
		return explore.Imported{}, err
	}
	from, err := a.openInput(ctx, in)
	if err != nil {
		return explore.Imported{}, err
	}
	defer from.Close()
	m := a.meter("importing", in)
	defer m.done()
	reader := &witness{from: from}
	done, err := explore.Import(ctx, h.library, reader, explore.ImportOptions{
		Source:   wire.Source{Kind: wire.FromFile, Name: in.name},
		MaxBytes: a.settings.number("max_envelope_bytes"),
		Progress: m.see,
	})
	switch {
	case err == nil, ctx.Err() != nil:
		return done, err
	case reader.failed.Load():
		return done, fileError(label(path), err)
	default:
		return done, &storeError{err}
	}
}

// witness remembers that reading failed, so that a file's fault is not taken for
// the store's. The reader is another goroutine, which may outlive an interruption.
type witness struct {
	from   io.Reader
	failed atomic.Bool
}

func (w *witness) Read(p []byte) (int, error) {
	n, err := w.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		w.failed.Store(true)
	}
	return n, err
}

// storeError is an error of the store that an import writes to.
type storeError struct{ err error }

func (s *storeError) Error() string { return s.err.Error() }
func (s *storeError) Unwrap() error { return s.err }

// stops reports whether an error ends the whole command: an interruption, or a
// store that takes nothing more. What is wrong with one file does not.
func stops(err error) bool {
	var store *storeError
	return errors.Is(err, context.Canceled) || errors.As(err, &store)
}

// stdinOnce refuses to read the standard input twice.
func stdinOnce(paths []string) error {
	n := 0
	for _, p := range paths {
		if p == "-" {
			n++
		}
	}
	if n > 1 {
		return &fault.Usage{Detail: "- stands for the standard input and can be given once"}
	}
	return nil
}
