package report

import (
	"fmt"

	"akx/view"
	"akx/view/clean"
)

// List is a stretch of a list of events, or of the events that match a text.
type List struct {
	Events []Entry `json:"events"`
	Scope  Scope   `json:"scope"`
	Sort   string  `json:"sort"`
	// Terms are the folded terms of a search (9.5.1).
	Terms []string `json:"terms,omitempty"`
	// Total counts all events of the list; absent while it is not known.
	Total *int `json:"total_count,omitempty"`
	// Pending counts proven events that wait for others, and are in no list.
	Pending int `json:"pending_count,omitempty"`
	// Next continues the list behind its last event; absent at the end.
	Next string `json:"next_after,omitempty"`
}

// Text prints the rows, then how many there are and how to go on.
func (l *List) Text(p *Printer) {
	if len(l.Events) > 0 {
		p.entries(l.Events, l.Scope)
	}
	count, all := number(len(l.Events)), len(l.Events)
	switch {
	case l.Total != nil && *l.Total != all:
		all = *l.Total
		count += " of " + number(all)
	case l.Total == nil:
		count += " of more"
	}
	p.Line(own(count+" "+plural(all, "event", "events")+" in "), l.Scope.words())
	if l.Pending > 0 {
		p.Line(own(Counted(l.Pending, "more event") + ", in no list, " + plural(l.Pending, "waits", "wait") + " for what is not here: akx pending fetch asks for it"))
	}
	if l.Next != "" {
		p.Line(own("more: --after " + l.Next))
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Counted writes a number with its noun: 1 event, 2 events.
func Counted[N int | int64 | uint64](n N, noun string) string {
	return fmt.Sprint(n) + " " + noun + ending(n)
}

func ending[N int | int64 | uint64](n N) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// Pending is the list of events that wait for their dependencies (8.2).
type Pending struct {
	Events []Waiting `json:"events"`
	Count  int       `json:"pending_count"`
	Bytes  int64     `json:"pending_bytes"`
	Next   string    `json:"next_after,omitempty"`
}

// Waiting is one event that waits, and what for.
type Waiting struct {
	ID      string   `json:"event_id"`
	Type    string   `json:"type"`
	Title   string   `json:"title"`
	Missing []string `json:"missing"`
	Since   int64    `json:"since_epoch_ms"`
	Bytes   int      `json:"envelope_bytes"`
}

// WaitingOf describes an event that waits.
func WaitingOf(p view.PendingEvent) Waiting {
	return Waiting{ID: p.ID.String(), Type: p.Type.String(), Title: p.Title, Missing: idStrings(p.Missing), Since: p.Since, Bytes: p.Bytes}
}

// Text prints each waiting event with the IDs that it misses.
func (l *Pending) Text(p *Printer) {
	for _, w := range l.Events {
		w.text(p)
	}
	p.Line(own(number(l.Count) + " pending, " + Size(l.Bytes)))
	if l.Next != "" {
		p.Line(own("more: --after " + l.Next))
	}
}

func (w Waiting) text(p *Printer) {
	p.Wrapped(clean.Text{}, words(Paste(w.ID)), gap, words(w.Type), gap, words("since "+Moment(w.Since)), gap, p.Signed(w.Title))
	for _, m := range w.Missing {
		p.Wrapped(p.label("  ", "misses", 7), words(Paste(m)))
	}
}

// Dropped says how many pending events were forgotten.
type Dropped struct {
	Count int `json:"dropped_count"`
}

// Text prints the count.
func (d *Dropped) Text(p *Printer) {
	p.Line(own(number(d.Count) + " pending " + plural(d.Count, "event", "events") + " dropped"))
}

// Size writes a number of bytes for people.
func Size(n int64) string {
	units := []string{"byte", "KiB", "MiB", "GiB", "TiB"}
	f, u := float64(n), 0
	for f >= 1024 && u < len(units)-1 {
		f, u = f/1024, u+1
	}
	if u == 0 {
		return Counted(n, "byte")
	}
	return fixed(f, 1) + " " + units[u]
}

// Note is a line beside a report, on the error stream: what a reader should know
// who did not ask.
func Note(p *Printer, text clean.Text) { p.Wrapped(own("akx: "), plainCell(text)) }
