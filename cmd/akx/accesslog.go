package main

import (
	"crypto/tls"
	"io"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"akx/client/service"
	"akx/cmd/akx/report"
	"akx/view/fault"
)

// accessLog writes one strict log event a request, and counts them. It tells nobody's
// address, and what was asked for only where questions is set.
type accessLog struct {
	questions bool

	mu sync.Mutex
	to io.Writer

	requests, accepted, failed atomic.Uint64
}

// logHead begins the payload of its events.
type logHead struct {
	Level   string `json:"level"`
	Message string `json:"message"`
	At      int64  `json:"timestamp_epoch_ms"`
	Process int    `json:"process_id"`
}

func head(level, message string) logHead {
	return logHead{Level: level, Message: message, At: time.Now().UnixMilli(), Process: os.Getpid()}
}

// servingEntry tells of the service as a whole.
type servingEntry struct {
	logHead
	Origin  string `json:"origin,omitempty"`
	Address string `json:"listen_address,omitempty"`
	// License is any, or the licence URLs that are taken.
	License string `json:"license_policy,omitempty"`
}

// requestEntry tells of one request.
type requestEntry struct {
	logHead
	Operation string `json:"operation,omitempty"`
	Method    string `json:"method"`
	Status    int    `json:"http_status"`
	Code      string `json:"code,omitempty"`
	Bytes     int    `json:"response_bytes"`
	Took      int64  `json:"duration_us"`
	Accepted  string `json:"event_id,omitempty"`
	Seq       uint64 `json:"seq,omitempty"`
	Question  string `json:"query,omitempty"`
}

// accessLog goes to the file of --log, else to the error stream.
func (a *app) accessLog(questions bool) *accessLog {
	l := &accessLog{questions: questions, to: a.stderr}
	if a.log != nil {
		l.to = a.log
	}
	return l
}

// write appends one event. A log that cannot be written must not end the service.
func (l *accessLog) write(e any) {
	line := report.AppendLog(nil, e)
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = l.to.Write(line)
}

func (l *accessLog) note(level, message string) {
	l.write(servingEntry{logHead: head(level, message)})
}

// begun tells where the service listens, and what may be wrong with its certificate.
func (l *accessLog) begun(s report.Served, certificate tls.Certificate, licenses []string) {
	policy := "any"
	if len(licenses) > 0 {
		policy = strings.Join(licenses, " ")
	}
	l.write(servingEntry{logHead: head("info", "serving"), Origin: s.Origin, Address: s.Address, License: policy})
	origin, err := url.Parse(s.Origin)
	if err != nil || certificate.Leaf == nil {
		return
	}
	if certificate.Leaf.VerifyHostname(origin.Hostname()) != nil {
		l.note("warning", "the certificate does not prove the host of the origin")
	}
	if now := time.Now(); now.After(certificate.Leaf.NotAfter) || now.Before(certificate.Leaf.NotBefore) {
		l.note("warning", "the certificate is not valid now")
	}
}

func (l *accessLog) access(a service.Access) {
	l.requests.Add(1)
	e := requestEntry{logHead: head("info", "request"), Operation: a.Operation, Method: a.Method, Status: a.Status,
		Code: string(a.Code), Bytes: a.Bytes, Took: a.Took.Microseconds()}
	if !a.Accepted.IsZero() {
		l.accepted.Add(1)
		e.Accepted, e.Seq = a.Accepted.String(), a.Seq
	}
	if l.questions {
		e.Question = a.Question
	}
	if a.Code == fault.QueryUnavailable {
		l.failed.Add(1)
		e.Level = "warning"
	}
	l.write(e)
	if a.Panic != "" {
		l.note("error", "a fault of akx: "+a.Panic)
	}
}

func (l *accessLog) counts() (requests, accepted, failed uint64) {
	return l.requests.Load(), l.accepted.Load(), l.failed.Load()
}
