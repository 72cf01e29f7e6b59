package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"akx/cmd/akx/report"
	"akx/explore"
	"akx/view/fault"
)

func (a *app) verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE...|-",
		Short: "Prove the events of files without storing them",
		Long: `Prove each object of the files as import does, and list the checks that were made:
strict JSON, shape, canonical form, hash, actor, signature, payload, clock, and where
its targets were found: in the input, in the cache, or unknown. Nothing is stored.
The text itself need not be canonical: the hash is that of the form computed from it.
As text, the first 1000 objects and 1000 refusals are listed; the counts are complete.
A proof is about the key and the bytes; it does not say that a claim is true.`,
		Example: `  akx verify capsule.json
  akx show --raw lDBW8lmtg6Qr | akx verify -
  akx --json verify capsules.jsonl`,
		Args: someArgs("file"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.verifyFiles(cmd.Context(), args) },
	}
}

func (a *app) verifyFiles(ctx context.Context, paths []string) error {
	if err := stdinOnce(paths); err != nil {
		return err
	}
	library, closeLibrary, err := a.known(ctx)
	if err != nil {
		return err
	}
	defer closeLibrary()
	r := &report.Verify{}
	for _, path := range paths {
		progress, err := a.verifyFile(ctx, library, path, r)
		file := report.VerifyFile{Name: label(path), Bytes: progress.Bytes, Error: a.fileFailure(ctx, path, err)}
		if a.out.lost != nil {
			return a.out.lost
		}
		r.Files = append(r.Files, file)
		if stops(err) {
			return &short{r, err}
		}
	}
	return a.emit(r, r.Short())
}

// known opens the library that targets are looked up in. A home that is not there
// holds nothing and is not made for this.
func (a *app) known(ctx context.Context) (explore.Library, func() error, error) {
	none := func() error { return nil }
	if !a.flags.sample {
		dir, _, err := a.homeDir()
		if err != nil || !exists(dir) {
			return nil, none, nil
		}
	}
	h, err := a.openReading(ctx)
	if err != nil {
		return nil, none, err
	}
	return h.library, h.close, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// verifyFile proves one file. For people objects are printed as they come, within
// the bounds of report.Verify; for programs all are kept for the event.
func (a *app) verifyFile(ctx context.Context, library explore.Library, path string, r *report.Verify) (explore.Progress, error) {
	in, err := a.describe(path)
	if err != nil {
		return explore.Progress{}, err
	}
	open, err := a.reopener(ctx, in)
	if err != nil {
		return explore.Progress{}, err
	}
	m := a.meter("verifying", in)
	defer m.done()
	p := a.printer(a.out)
	o := explore.VerifyOptions{Now: time.Now().UnixMilli(), MaxBytes: a.settings.number("max_envelope_bytes"), Progress: m.see}
	progress, err := explore.Verify(ctx, library, open, o, func(v explore.Verified) error {
		object := report.VerifiedOf(label(path), v)
		detailed := r.Count(object)
		switch {
		case a.flags.json:
			r.Verified = append(r.Verified, object)
		case detailed:
			m.done()
			object.Text(p)
		}
		return a.out.lost
	})
	return progress, errors.Join(err, p.Flush())
}

// maxKept bounds what verify keeps of a stream that can be read only once.
const maxKept = 256 << 20

// reopener gives a function that opens an input anew each time. What can be read
// only once is kept in memory, up to a bound.
func (a *app) reopener(ctx context.Context, in input) (func() (io.ReadCloser, error), error) {
	if in.size > 0 {
		return func() (io.ReadCloser, error) { return a.openInput(ctx, in) }, nil
	}
	from, err := a.openInput(ctx, in)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	kept, err := io.ReadAll(io.LimitReader(from, maxKept+1))
	if err != nil {
		return nil, err
	}
	if len(kept) > maxKept {
		return nil, &fault.Unavailable{Code: fault.PayloadTooLarge, What: in.name,
			Detail: "more than " + report.Size(maxKept) + " in a stream that is read twice", Hint: "write it to a file first"}
	}
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(kept)), nil }, nil
}
