package main

import (
	"bytes"
	"context"
	"crypto/subtle"
	"errors"
	"io"
	"os"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"akx/cache/keyring"
	"akx/view/fault"
)

// passphraseFile names the file that the passphrase is read from where nobody is
// asked. It is never taken from a flag or from the environment itself, which other
// programs can see.
const passphraseFile = "AKX_PASSPHRASE_FILE"

const passphraseHelp = `The passphrase is asked for on a terminal. A script gives it in a file that the
variable AKX_PASSPHRASE_FILE names, or on a descriptor with --passphrase-fd N; a line
end at its end does not count. It is never a flag.`

const passphraseHint = "set AKX_PASSPHRASE_FILE to a file that holds it, or use --passphrase-fd N"

// addPassphrase adds the flag that names a descriptor.
func addPassphrase(cmd *cobra.Command) *once {
	fd := &once{check: between(0, 1<<20)}
	cmd.Flags().Var(fd, "passphrase-fd", "read the passphrase from this descriptor")
	return fd
}

// passphrase gets a passphrase; the caller wipes it. A new one is typed twice.
func (a *app) passphrase(ctx context.Context, fd *once, words string, isNew bool) ([]byte, error) {
	path := a.getenv(passphraseFile)
	switch {
	case fd.given:
		return a.passphraseFrom(ctx, fd.value)
	case path != "":
		return awaited(ctx, func() ([]byte, error) {
			f, err := os.Open(path)
			if err != nil {
				return nil, fileError(path, err)
			}
			defer f.Close()
			return readPassphrase(path, f)
		})
	}
	first, err := a.askHidden(ctx, words)
	if err != nil || !isNew {
		return first, err
	}
	second, err := a.askHidden(ctx, "The same once more: ")
	defer clear(second)
	if err == nil && subtle.ConstantTimeCompare(first, second) != 1 {
		err = &fault.Usage{Detail: "the two passphrases differ", Hint: "try again; nothing was changed"}
	}
	if err != nil {
		clear(first)
		return nil, err
	}
	return first, nil
}

// passphraseFrom reads from a descriptor that was handed to akx, which must be a
// file, a pipe or a socket and no descriptor of akx's own.
func (a *app) passphraseFrom(ctx context.Context, number string) ([]byte, error) {
	n, _ := strconv.Atoi(number) // checked when it was given
	name := "descriptor " + number
	var stat syscall.Stat_t
	if err := syscall.Fstat(n, &stat); err != nil || stat.Mode&syscall.S_IFMT == 0 || n == 1 || n == 2 {
		return nil, &fault.Usage{Detail: "--passphrase-fd: nothing can be read from " + name, Hint: "such as 3, with 3<FILE at the end of the command"}
	}
	return awaited(ctx, func() ([]byte, error) {
		if n == 0 {
			return readPassphrase("standard input", a.stdin)
		}
		f := os.NewFile(uintptr(n), name)
		defer f.Close()
		return readPassphrase(name, f)
	})
}

func readPassphrase(name string, r io.Reader) ([]byte, error) {
	// One byte more than allowed, and a line end: what is too long is refused later.
	text := make([]byte, keyring.MaxPassphrase+3)
	n, err := io.ReadFull(r, text)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		clear(text)
		return nil, fileError(name, err)
	}
	return bytes.TrimSuffix(bytes.TrimSuffix(text[:n], []byte("\n")), []byte("\r")), nil
}

// awaited runs a read that may block for ever and gives up when ctx ends.
func awaited(ctx context.Context, read func() ([]byte, error)) ([]byte, error) {
	type answer struct {
		text []byte
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		text, err := read()
		done <- answer{text, err}
	}()
	select {
	case got := <-done:
		return got.text, got.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// asks reports whether somebody can be asked: questions are no events, and no part
// of a pipe.
func (a *app) asks() bool { return !a.flags.json && term.IsTerminal(int(a.stdin.Fd())) }

// askHidden asks for a passphrase on the terminal, without showing it.
func (a *app) askHidden(ctx context.Context, words string) ([]byte, error) {
	if !a.asks() {
		return nil, &fault.Usage{Detail: "a passphrase is needed, and there is nobody to ask", Hint: passphraseHint}
	}
	fd := int(a.stdin.Fd())
	// Before the question: whoever is quick must not see the answer either.
	restore, err := quiet(fd)
	if err != nil {
		return nil, &fault.Unavailable{Code: fault.UnavailableCode, What: "the terminal", Err: err}
	}
	var text []byte
	if _, err = a.stderr.WriteString(words); err == nil {
		text, err = awaited(ctx, func() ([]byte, error) { return readTyped(a.stdin) })
		_, _ = a.stderr.WriteString("\n") // the question stands there; the answer counts
	}
	if err = errors.Join(err, restore()); err != nil {
		clear(text)
		return nil, err
	}
	return text, nil
}

// readTyped reads one line of a terminal into memory that the caller can overwrite as
// a whole: a buffer that grows leaves copies behind.
func readTyped(r io.Reader) ([]byte, error) {
	// One byte more than allowed: what is too long is refused later.
	line := make([]byte, 0, keyring.MaxPassphrase+1)
	var one [1]byte
	defer clear(one[:])
	for {
		n, err := r.Read(one[:])
		switch {
		case n == 1 && one[0] == '\n':
			return line, nil
		case n == 1 && len(line) < cap(line):
			line = append(line, one[0])
		case err != nil:
			clear(line)
			return nil, err
		}
	}
}

// quiet lets a terminal show nothing of what is typed and give it line by line, until
// restore.
func quiet(fd int) (restore func() error, err error) {
	before, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return nil, err
	}
	hidden := *before
	hidden.Lflag = hidden.Lflag&^unix.ECHO | unix.ICANON | unix.ISIG
	hidden.Iflag |= unix.ICRNL
	if err := unix.IoctlSetTermios(fd, setTermios, &hidden); err != nil {
		return nil, err
	}
	return func() error { return unix.IoctlSetTermios(fd, setTermios, before) }, nil
}

// typed compares a confirmation, from a flag or typed on the terminal, with what has
// to be typed.
func (a *app) typed(ctx context.Context, flag *once, words, want string) error {
	got := flag.value
	if !flag.given {
		if !a.asks() {
			return &fault.Usage{Detail: "this has to be confirmed, and there is nobody to ask", Hint: "repeat the name with --confirm " + want}
		}
		if _, err := a.stderr.WriteString(words); err != nil {
			return err
		}
		line, err := awaited(ctx, a.readLine)
		if err != nil {
			return err
		}
		got = string(line)
	}
	if got != want {
		return &fault.Usage{Detail: "what was typed is not " + want + ": nothing was done"}
	}
	return nil
}

// readLine reads one line of the standard input, and nothing behind it.
func (a *app) readLine() ([]byte, error) {
	const most = 1024
	var line []byte
	var one [1]byte
	for len(line) < most {
		n, err := a.stdin.Read(one[:])
		if n == 1 && one[0] == '\n' || errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		line = append(line, one[:n]...)
	}
	return bytes.TrimSuffix(line, []byte("\r")), nil
}
