package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"akx/cmd/akx/conformance"
	"akx/cmd/akx/report"
	"akx/view/fault"
)

// maxVectors bounds a file of vectors, in bytes.
const maxVectors = 64 << 20

func (a *app) conformanceCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "conformance FILE...|-",
		Short: "Run conformance vectors against akx itself",
		Long: `Run files of conformance vectors of Agent Identity 1.0 and Agent Knowledge 1.0
against akx's own code; cases that need a store run on the one in memory and on the
one on disk, in a temporary home. Files are told apart by their protocol and may have
only some of the sections. An unknown section or member is a failure, not a skip.`,
		Example: `  akx conformance knowledge-vectors.json identity-vectors.json
  akx --json conformance knowledge-vectors.json`,
		Args: someArgs("file"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.conform(cmd.Context(), args) },
	}
}

func (a *app) conform(ctx context.Context, paths []string) error {
	if err := stdinOnce(paths); err != nil {
		return err
	}
	r := &report.Conformance{}
	for _, path := range paths {
		data, err := a.readVectors(ctx, path)
		if err != nil {
			return &short{r, err}
		}
		done, err := conformance.Run(ctx, label(path), data, conformance.Makers())
		switch ran := r.Passed + r.Failed + r.Skipped; {
		case err != nil && ran == 0:
			return err
		case err != nil:
			return &short{r, err}
		}
		r.Passed += done.Passed
		r.Failed += done.Failed
		r.Skipped += done.Skipped
		for _, f := range done.Failures {
			r.Failures = append(r.Failures, report.CaseFail{File: label(path), Section: f.Section, Name: f.Case, Expected: f.Expected, Got: f.Got})
		}
	}
	return a.emit(r, r.Short())
}

func (a *app) readVectors(ctx context.Context, path string) ([]byte, error) {
	in, err := a.describe(path)
	if err != nil {
		return nil, err
	}
	from, err := a.openInput(ctx, in)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	data, err := io.ReadAll(io.LimitReader(from, maxVectors+1))
	switch {
	case err != nil:
		return nil, fileError(path, err)
	case len(data) > maxVectors:
		return nil, &fault.Unavailable{Code: fault.PayloadTooLarge, What: path, Detail: "longer than " + report.Size(maxVectors)}
	}
	return data, nil
}
