package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"time"

	"golang.org/x/term"

	"akx/cache/keyring"
	"akx/client/fetch"
	"akx/cmd/akx/report"
	caps "akx/ui/term"
	"akx/view/clean"
	"akx/view/fault"
)

// The exit codes (Agent-First Data v1).
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

// app is one run of akx: its streams, its global flags and what came of it.
type app struct {
	stdin, stdout, stderr *os.File
	getenv                func(string) string

	flags    globals
	settings *settings
	settled  error // why the settings could not be read
	command  string
	started  bool  // flags and arguments were understood
	misasked error // the help of a command that is none
	events   *report.Stream
	out      *outlet
	// transport says how services are reached; zero is as this machine does.
	transport fetch.Options
	waits     waits
	// keyCost is for key files that are written; zero is the keyring's default.
	keyCost keyring.Cost
	log     *logFile
}

// globals are the flags that every command takes.
type globals struct {
	home, theme, log       string
	sample, json, noColor  bool
	ascii, plain, readOnly bool
	offline                bool
}

// short is an error that ends a command which found something all the same.
type short struct {
	done report.Report
	err  error
}

func (s *short) Error() string { return s.err.Error() }
func (s *short) Unwrap() error { return s.err }

// execute runs one command line and gives its exit code.
func (a *app) execute(ctx context.Context, args []string) int {
	a.out = &outlet{f: a.stdout}
	a.events = report.NewStream(a.out, a.stderr)
	start := time.Now()
	root := a.root()
	// Errors in the flags themselves must be told in the form that was asked for.
	a.flags.json = slices.Contains(before(args, "--"), "--json")
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = a.misasked
	}
	code := a.finish(ctx, err)
	a.log.ended(a.command, code, time.Since(start))
	return code
}

func before(args []string, mark string) []string {
	if i := slices.Index(args, mark); i >= 0 {
		return args[:i]
	}
	return args
}

// emit ends a command with its report: a result where err is nil; else what was
// found stands beside the error.
func (a *app) emit(r report.Report, err error) error {
	if err != nil {
		return &short{r, err}
	}
	if a.flags.json {
		return a.events.Result(r)
	}
	return a.printText(r)
}

func (a *app) printText(r report.Report) error {
	p := a.printer(a.out)
	r.Text(p)
	return p.Flush()
}

// finish tells an error in the form that was asked for and gives the exit code.
func (a *app) finish(ctx context.Context, err error) int {
	if err == nil {
		err = a.out.lost
	}
	if err == nil {
		return exitDone
	}
	if a.out.left {
		return exitFailed
	}
	if !a.started && err != a.out.lost {
		var usage *fault.Usage
		if !errors.As(err, &usage) {
			err = &fault.Usage{Detail: err.Error(), Hint: "akx --help lists commands and flags"}
		}
	}
	code := exitCode(ctx, err)
	failure := report.FailureOf(err, codeOf(ctx, err))
	if code == exitInterrupted {
		failure.Code, failure.Message = string(fault.Cancelled), "interrupted: what was stored before stays"
		failure.Hint, failure.Retryable = "", true
	}
	a.log.failed(failure)
	var partial *short
	if errors.As(err, &partial) {
		failure.Done = partial.done
	}
	if a.flags.json {
		return worst(code, a.events.Fail(failure))
	}
	told := []report.Failure{failure}
	if failure.Done != nil && a.out.lost == nil && a.printText(failure.Done) != nil {
		if a.out.left {
			return exitFailed
		}
		told = append(told, report.FailureOf(a.out.lost, ""))
	}
	p := a.printer(a.stderr)
	for _, f := range told {
		f.Text(p)
	}
	return worst(code, p.Flush())
}

func worst(code int, err error) int {
	if err != nil && code == exitDone {
		return exitFailed
	}
	return code
}

func exitCode(ctx context.Context, err error) int {
	var usage *fault.Usage
	var signal *signalled
	switch {
	case errors.As(err, &signal):
		return 128 + int(signal.signal) // as shells say it
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &usage):
		return exitUsage
	default:
		return exitFailed
	}
}

// codeOf gives a code to errors that are not akx's own: those of files.
func codeOf(ctx context.Context, err error) fault.Code {
	switch {
	case ctx.Err() != nil:
		return fault.Cancelled
	case errors.Is(err, fs.ErrNotExist):
		return fault.NotFound
	case errors.Is(err, fs.ErrPermission):
		return fault.PermissionDenied
	default:
		return fault.UnavailableCode
	}
}

// printer prints to the output or the error stream in the style that fits it.
func (a *app) printer(w io.Writer) *report.Printer {
	if o, ok := w.(*outlet); ok {
		return report.NewPrinter(o, a.style(o.f))
	}
	return report.NewPrinter(w, a.style(a.stderr))
}

func (a *app) style(f *os.File) report.Style {
	s := report.Style{ASCII: a.flags.ascii, Plain: a.flags.plain}
	if a.settings != nil {
		s.ASCII, s.Plain = a.settings.flag("ascii"), a.settings.flag("plain")
	}
	if !caps.Detect(a.getenv, true, runtime.GOOS).UTF8 {
		s.ASCII = true
	}
	if !term.IsTerminal(int(f.Fd())) {
		return s
	}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil {
		s.Width = max(0, width)
	}
	s.Color = !s.Plain && !a.flags.noColor && a.getenv("NO_COLOR") == "" && !a.dumb()
	return s
}

func (a *app) dumb() bool { return a.getenv("TERM") == "dumb" || a.getenv("TERM") == "" }

// note says something beside the report, on the error stream; as an event where
// events were asked for.
func (a *app) note(text clean.Text) error {
	if a.flags.json {
		return a.events.Note(text.String())
	}
	p := a.printer(a.stderr)
	report.Note(p, text)
	return p.Flush()
}
