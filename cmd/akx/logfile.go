package main

import (
	"os"
	"time"

	"akx/cmd/akx/report"
)

// logFile takes log events, one a line. A nil logFile takes none.
type logFile struct{ f *os.File }

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

func openLog(path string) (*logFile, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	return &logFile{f}, nil
}

// write appends one event. A log that cannot be written must not fail the command
// that it tells about.
func (l *logFile) write(e logEntry) {
	if l == nil {
		return
	}
	e.At, e.Process = time.Now().UnixMilli(), os.Getpid()
	_, _ = l.f.Write(report.AppendLog(nil, e))
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
