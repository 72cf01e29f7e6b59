package main

import (
	"os"
	"sync"
	"time"

	"akx/cmd/akx/report"
	"akx/view/clean"
)

// logFile takes log events, one a line. A nil logFile takes none. What cannot be
// written is told once, by lost.
type logFile struct {
	f    *os.File
	lost func(error)
	told sync.Once
}

// logEntry is the payload of a log event.
type logEntry struct {
	Level    string `json:"level"`
	Message  string `json:"message"`
	At       int64  `json:"timestamp_epoch_ms"`
	Process  int    `json:"process_id"`
	Command  string `json:"command,omitempty"`
	Code     string `json:"code,omitempty"`
	ExitCode *int   `json:"exit_code,omitempty"`
	Duration *int64 `json:"duration_ms,omitempty"`
}

func openLog(path string, lost func(error)) (*logFile, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fileError(path, err)
	}
	return &logFile{f: f, lost: lost}, nil
}

// Write appends whole events, from any goroutine.
func (l *logFile) Write(p []byte) (int, error) {
	n, err := l.f.Write(p)
	if err != nil {
		l.told.Do(func() { l.lost(err) })
	}
	return n, err
}

// logLost says that the log is not kept. That does not fail the command which it
// tells about.
func (a *app) logLost(err error) {
	_ = a.note(clean.Join(clean.Own("the log "), clean.Line(a.flags.log), clean.Own(" cannot be written, so it is not complete: "), clean.Line(reason(err))))
}

// write appends one event.
func (l *logFile) write(e logEntry) {
	if l == nil {
		return
	}
	e.At, e.Process = time.Now().UnixMilli(), os.Getpid()
	_, _ = l.Write(report.AppendLog(nil, e))
}

func (l *logFile) begun(command string) {
	l.write(logEntry{Level: "info", Message: "started", Command: command})
}

func (l *logFile) failed(f report.Failure) {
	l.write(logEntry{Level: "error", Message: f.Message, Code: f.Code})
}

func (l *logFile) ended(command string, code int, took time.Duration) {
	ms := took.Milliseconds()
	l.write(logEntry{Level: "info", Message: "ended", Command: command, ExitCode: &code, Duration: &ms})
	if l != nil {
		_ = l.f.Close()
	}
}
