package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"akx/cmd/akx/report"
	"akx/view/fault"
)

// input is one file of a command line, or the standard input.
type input struct {
	path string
	name string // the base name: what sources and progress are called by
	size int64  // 0 where it is not known
}

// describe finds out what can be read at path; "-" is the standard input.
func (a *app) describe(path string) (input, error) {
	if path == "-" {
		return input{path: path, name: label(path)}, nil
	}
	in := input{path: path, name: filepath.Base(path)}
	info, err := os.Stat(path)
	if err != nil {
		return in, fileError(path, err)
	}
	if info.IsDir() {
		return in, fileError(path, syscall.EISDIR)
	}
	if info.Mode().IsRegular() {
		in.size = info.Size()
	}
	return in, nil
}

// openInput opens an input; its reads end soon after ctx does.
func (a *app) openInput(ctx context.Context, in input) (io.ReadCloser, error) {
	if in.path == "-" {
		return &patient{ctx: ctx, from: a.stdin}, nil
	}
	f, err := os.Open(in.path)
	if err != nil {
		return nil, fileError(in.path, err)
	}
	if in.size > 0 {
		return f, nil
	}
	return &patient{ctx: ctx, from: f, close: f.Close}, nil
}

// label names a path of a command line in reports.
func label(path string) string {
	if path == "-" {
		return "standard input"
	}
	return path
}

// fileError says what is wrong with a file and what to do about it.
func fileError(path string, err error) error {
	u := &fault.Unavailable{Code: fault.UnavailableCode, What: path, Detail: reason(err)}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		u.Code, u.Detail = fault.NotFound, "no such file"
	case errors.Is(err, fs.ErrPermission):
		u.Code, u.Detail, u.Hint = fault.PermissionDenied, "permission denied", "let this user read it"
	case errors.Is(err, syscall.EISDIR):
		u.Detail, u.Hint = "is a directory", "name the files in it, such as "+filepath.Join(path, "*.jsonl")
	}
	return u
}

// fileFailure describes an error in the record of its file, which names the file; nil
// for none.
func (a *app) fileFailure(ctx context.Context, path string, err error) *report.Failure {
	var u *fault.Unavailable
	if errors.As(err, &u) && (u.What == path || u.What == label(path)) {
		nameless := *u
		nameless.What = ""
		err = &nameless
	}
	return a.failure(ctx, err)
}

// reason is the innermost words of a file's error, without its path again.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// patient reads from a stream whose reads may block for ever, such as a terminal
// or a pipe, and gives up when its context ends. The read under way is left to
// the operating system.
type patient struct {
	ctx   context.Context
	from  io.Reader
	close func() error
	rest  []byte
	err   error
	ready chan chunk
	buf   []byte
}

type chunk struct {
	n   int
	err error
}

func (p *patient) Read(dst []byte) (int, error) {
	if len(p.rest) == 0 && p.err == nil {
		if err := p.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(dst, p.rest)
	p.rest = p.rest[n:]
	if n > 0 {
		return n, nil
	}
	return 0, p.err
}

func (p *patient) fill() error {
	if p.buf == nil {
		p.buf, p.ready = make([]byte, 64<<10), make(chan chunk, 1)
	}
	if err := p.ctx.Err(); err != nil {
		return err
	}
	go func() {
		n, err := p.from.Read(p.buf)
		p.ready <- chunk{n, err}
	}()
	select {
	case c := <-p.ready:
		p.rest, p.err = p.buf[:c.n], c.err
		return nil
	case <-p.ctx.Done():
		p.err = p.ctx.Err()
		return p.err
	}
}

// Close closes what is under the stream; the standard input stays open.
func (p *patient) Close() error {
	if p.close == nil {
		return nil
	}
	return p.close()
}
