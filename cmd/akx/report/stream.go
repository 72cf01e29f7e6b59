package report

import (
	"cmp"
	"errors"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"

	"akx/view/clean"
	"akx/view/fault"
)

// Stream writes the events of one finite command, strict profile: result to out;
// error, progress and log to err. After a terminal event it writes nothing more; one
// that could not be written is none.
type Stream struct {
	out, err io.Writer
	ended    bool
}

// NewStream writes to out and err.
func NewStream(out, err io.Writer) *Stream { return &Stream{out: out, err: err} }

// ErrEnded says that the stream had its terminal event already.
var ErrEnded = errors.New("the stream has ended")

// Result ends the stream: the command's intent was completely fulfilled.
func (s *Stream) Result(payload any) error {
	return s.write(s.out, "result", AppendJSON(nil, payload), true)
}

// Fail ends the stream with f.
func (s *Stream) Fail(f Failure) error {
	return s.write(s.err, "error", f.appendJSON(nil), true)
}

// Progress tells how far the command has come.
func (s *Stream) Progress(payload any) error {
	return s.write(s.err, "progress", AppendJSON(nil, payload), false)
}

// Note tells something beside the result, as a log event.
func (s *Stream) Note(message string) error {
	note := struct {
		Level   string `json:"level"`
		Message string `json:"message"`
	}{"info", message}
	return s.write(s.err, "log", AppendJSON(nil, note), false)
}

func (s *Stream) write(w io.Writer, kind string, payload []byte, terminal bool) error {
	if s.ended {
		return ErrEnded
	}
	_, err := w.Write(appendEvent(nil, kind, payload))
	s.ended = terminal && err == nil
	return err
}

// AppendLog appends one log event as a line; a log file is a stream of its own.
func AppendLog(dst []byte, entry any) []byte {
	return appendEvent(dst, "log", AppendJSON(nil, entry))
}

func appendEvent(dst []byte, kind string, payload []byte) []byte {
	dst = append(dst, `{"kind":"`...)
	dst = append(dst, kind...)
	dst = append(dst, `","`...)
	dst = append(dst, kind...)
	dst = append(dst, `":`...)
	dst = append(dst, payload...)
	return append(dst, `,"trace":{}}`+"\n"...)
}

// Failure is why a command ended short of its intent.
type Failure struct {
	Code string `json:"code"`
	// Service is the name or origin of the service that the error is about.
	Service   string   `json:"service,omitempty"`
	Message   string   `json:"message"` // foreign text may stand in it
	Hint      string   `json:"hint,omitempty"`
	Retryable bool     `json:"retryable"`
	Missing   []string `json:"missing,omitempty"`
	// Candidates lists IDs that an ambiguous prefix could mean.
	Candidates []string `json:"candidates,omitempty"`
	// Done is what the command found before it failed; its members stand beside the code.
	Done Report `json:"-"`

	lines []string // of the message, one for each of several errors
	words string   // where the message names a service: what it says without that
}

// FailureOf describes an error; code is used where the error has none of its own.
func FailureOf(err error, code fault.Code) Failure {
	f := Failure{Code: string(code), Message: err.Error(), Service: fault.ServiceOf(err), lines: each(err)}
	if r, ok := err.(*fault.Refusal); ok && r.Service != "" {
		f.words = r.Words()
	}
	var coded fault.Coded
	if errors.As(err, &coded) {
		f.Hint, f.Retryable = coded.FaultHint(), coded.Temporary()
		if own := coded.FaultCode(); own != "" {
			f.Code = string(own)
		}
	}
	var usage *fault.Usage
	if errors.As(err, &usage) {
		f.Candidates = usage.Candidates
	}
	var refusal *fault.Refusal
	if errors.As(err, &refusal) {
		f.Missing = refusal.Missing
	}
	if f.Message == "" {
		f.Message = f.Code
	}
	f.shorten()
	return f
}

// shorten bounds what is said: it may quote what was typed and what is foreign.
func (f *Failure) shorten() {
	whole := strings.Join(f.lines, "\n") == f.Message
	for i := range f.lines {
		f.lines[i] = shortened(f.lines[i], maxSaid)
	}
	f.words = shortened(f.words, maxSaid)
	if f.Message = shortened(f.Message, maxSaid); whole {
		f.Message = strings.Join(f.lines, "\n")
	}
}

// maxSaid bounds what one error says, in bytes.
const maxSaid = 2000

// shortened leaves out the middle of a text that is too long: its ends say what it is.
func shortened(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	head, tail := limit*2/3, len(text)-limit/3
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return text[:head] + " … " + text[tail:]
}

// each gives the text of every one of several errors.
func each(err error) []string {
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		var lines []string
		for _, one := range e.Unwrap() {
			lines = append(lines, each(one)...)
		}
		return lines
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil && inner.Error() == err.Error() {
			return each(inner)
		}
	}
	return []string{err.Error()}
}

// coded says code and message in one clause, the code once.
func (f Failure) coded(p *Printer) []Cell {
	code := clean.Line(f.Code)
	rest, led := strings.CutPrefix(f.Message, f.Code)
	switch {
	case f.Message == f.Code:
		return []Cell{p.tone(Bad, code)}
	case f.Code == string(fault.Cancelled): // it says nothing that the words do not
		return []Cell{p.tone(Bad, clean.Line(f.Message))}
	case led && (rest[0] == ' ' || rest[0] == ':'):
		return []Cell{p.tone(Bad, code), plainCell(clean.Line(rest))}
	default:
		return []Cell{p.tone(Bad, clean.Join(code, own(":"))), words(" "), plainCell(clean.Line(cmp.Or(f.words, f.Message)))}
	}
}

func (f Failure) appendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	dst, _ = appendMembers(dst, reflect.ValueOf(f), true)
	if f.Done != nil {
		dst, _ = appendMembers(dst, reflect.Indirect(reflect.ValueOf(f.Done)), false)
	}
	return append(dst, '}')
}

// Text prints the failure for people: the reason with the protocol's code where there
// is one, candidates, the way out.
func (f Failure) Text(p *Printer) {
	lead := clean.Own("akx: ")
	lines := f.lines
	if strings.Join(lines, "\n") != f.Message {
		lines = []string{f.Message}
	}
	if len(lines) == 1 && fault.Code(f.Code).Protocol() && !strings.Contains(lines[0], f.Code) {
		lines = []string{lines[0] + " (" + f.Code + ")"}
	}
	for _, line := range lines {
		p.Wrapped(lead, p.tone(Bad, clean.Line(line)))
		lead = clean.Own("     ")
	}
	for _, c := range f.Candidates {
		p.Wrapped(clean.Own("  "), plainCell(clean.Line(Paste(c))))
	}
	if f.Hint != "" {
		p.Wrapped(clean.Own("akx: "), plainCell(clean.Line(f.Hint)))
	}
}

// Paste gives an ID in a form that a shell and akx take back as one argument.
func Paste(id string) string {
	if len(id) > 0 && id[0] == '-' {
		return "id:" + id
	}
	return id
}
