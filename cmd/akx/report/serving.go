package report

import (
	"strconv"

	"akx/view"
	"akx/view/clean"
)

// ServiceMade is a home that was made for a service.
type ServiceMade struct {
	Home   string `json:"home"`
	Origin string `json:"origin"`
}

// Text says what to do next.
func (s *ServiceMade) Text(p *Printer) {
	p.Wrapped(own("made "), plainCell(clean.Line(s.Home)), words(" for the service "), plainCell(clean.Line(s.Origin)))
	p.Line(own("fill it with akx import, or by submissions to akx serve"))
}

// Served is what a service did until it was stopped.
type Served struct {
	Origin   string `json:"origin"`
	Address  string `json:"listen_address"`
	Requests uint64 `json:"request_count"`
	Accepted uint64 `json:"accepted_count"`
	// Failed counts the requests that could not be answered: query_unavailable.
	Failed uint64 `json:"unavailable_count"`
	CutOff bool   `json:"cut_off,omitempty"`
}

// Text prints the counts.
func (s *Served) Text(p *Printer) {
	p.Line(own(Counted(s.Requests, "request") + " answered, " + Counted(s.Accepted, "event") + " accepted, " + Counted(s.Failed, "time") + " unavailable"))
}

// Resumed says behind which number a restored service goes on.
type Resumed struct {
	Home  string `json:"home"`
	After uint64 `json:"after_seq"`
}

// Text prints it.
func (r *Resumed) Text(p *Printer) {
	p.Line(own("the next event gets a number behind #" + strconv.FormatUint(r.After, 10)))
}

// Withheld is the visibility of an event at a service.
type Withheld struct {
	ID       string `json:"event_id"`
	Withheld bool   `json:"withheld"`
}

// Text prints it.
func (w *Withheld) Text(p *Printer) {
	state := " is shown again"
	if w.Withheld {
		state = " is withheld from every read"
	}
	p.Line(own(Paste(w.ID) + state))
}

// WithheldList lists what a service hides from its reads.
type WithheldList struct {
	Origin string          `json:"origin"`
	Events []WithheldEvent `json:"events"`
}

// WithheldEvent is one event that a service hides.
type WithheldEvent struct {
	ID    string `json:"event_id"`
	Type  string `json:"type"`
	Title string `json:"title"`
	Seq   uint64 `json:"seq"`
	// Since is when it was hidden, in ms; absent where that was not kept.
	Since int64 `json:"withheld_epoch_ms,omitempty"`
}

// Add lists one more, by its seq, with the time since when it is hidden, in ms.
func (l *WithheldList) Add(seq uint64, since int64, e view.Entry) {
	l.Events = append(l.Events, WithheldEvent{ID: e.ID.String(), Type: e.Type.String(), Title: e.Title, Seq: seq, Since: since})
}

// Text prints one event a line.
func (l *WithheldList) Text(p *Printer) {
	for _, e := range l.Events {
		since := "at a time that was not kept"
		if e.Since != 0 {
			since = "since " + Moment(e.Since)
		}
		p.Wrapped(own("#"+uints(e.Seq)+" "), words(Paste(e.ID)), gap, words(since), gap, p.Signed(e.Title))
	}
	p.Line(own(Counted(len(l.Events), "event") + " withheld by " + l.Origin))
}
