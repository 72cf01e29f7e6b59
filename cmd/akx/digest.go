package main

import (
	"context"
	"crypto/sha3"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"akx/cmd/akx/report"
	"akx/view/identity"
)

func (a *app) digestCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "digest FILE...",
		Short: "Compute the digest of files, as evidence and profiles name it",
		Long: `Compute the SHA3-256 of files, or of the standard input (-), in the form that evidence and
profiles name it by. Nothing of a file goes anywhere but its digest, to the output.
akx draft evidence puts the digest of a file into a draft.`,
		Example: "  akx digest runs.csv\n  akx --json digest runs.csv table.csv\n  curl -s https://example.org/runs.csv | akx digest -",
		Args:    someArgs("file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r := &report.Digests{}
			for _, path := range args {
				digest, n, err := a.digestOf(cmd.Context(), path)
				if err != nil {
					return &short{r, err}
				}
				r.Files = append(r.Files, report.FileDigest{File: label(path), Digest: digest.String(), Bytes: n})
			}
			return a.emit(r, nil)
		},
	}
}

// digestPiece is how much is read before the progress is told again, in bytes.
const digestPiece = 4 << 20

// digestOf reads a file to its end and gives its digest and its length. How far it has
// come is told where that takes long.
func (a *app) digestOf(ctx context.Context, path string) (digest identity.Digest, n int64, err error) {
	in, err := a.describe(path)
	if err != nil {
		return digest, 0, err
	}
	f, err := a.openInput(ctx, in)
	if err != nil {
		return digest, 0, err
	}
	defer f.Close()
	p := a.pulse("hashing " + in.name)
	defer p.done()
	sum := sha3.New256()
	for {
		more, err := io.CopyN(sum, f, digestPiece)
		n += more
		switch {
		case errors.Is(err, io.EOF):
			sum.Sum(digest[:0])
			return digest, n, nil
		case ctx.Err() != nil:
			return digest, n, ctx.Err()
		case err != nil:
			return digest, n, fileError(label(path), err)
		}
		p.see("", report.Activity{Bytes: n, Done: uint64(n), Total: uint64(in.size)})
	}
}
