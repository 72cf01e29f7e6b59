package main

import (
	"fmt"
	"strings"
	"time"

	"golang.org/x/term"

	"akx/cmd/akx/report"
	"akx/explore"
)

// When progress is told: after the first second, then a few times a second on a
// terminal, once a second as events.
const (
	quietFor  = time.Second
	barEvery  = 100 * time.Millisecond
	tellEvery = time.Second
)

// meter tells how far a command has come with one input: a bar on a terminal,
// progress events where events were asked for, else nothing. It is used from one
// goroutine.
type meter struct {
	app     *app
	message string
	in      input
	started time.Time
	last    time.Time
	drawn   bool
}

func (a *app) meter(message string, in input) *meter {
	return &meter{app: a, message: message, in: in, started: time.Now()}
}

// see takes one step of progress and tells it when it is time.
func (m *meter) see(p explore.Progress) {
	now := time.Now()
	every := barEvery
	if m.app.flags.json {
		every = tellEvery
	}
	if now.Sub(m.started) < quietFor || now.Sub(m.last) < every {
		return
	}
	m.last = now
	if m.app.flags.json {
		// A reader of events who went away ends the command at its result.
		_ = m.app.events.Progress(report.ProgressOf(m.message, m.in.name, m.in.size, p))
		return
	}
	m.draw(p)
}

func (m *meter) draw(p explore.Progress) {
	width, _, err := term.GetSize(int(m.app.stderr.Fd()))
	if err != nil || m.app.settings.flag("plain") || m.app.dumb() {
		return
	}
	m.drawn = true
	line := m.line(p)
	if len(line) >= width {
		line = line[:max(0, width-1)]
	}
	fmt.Fprintf(m.app.stderr, "\r\x1b[K%s", line)
}

const barWidth = 20

// line is the bar in ASCII: it is cut to the terminal's width by bytes.
func (m *meter) line(p explore.Progress) string {
	rate := int64(float64(p.Objects) / max(0.001, time.Since(m.started).Seconds()))
	counts := fmt.Sprintf("%s, %d/s", report.Counted(p.Objects, "object"), rate)
	if p.Refused > 0 {
		counts += fmt.Sprintf(", %d refused", p.Refused)
	}
	if m.in.size == 0 {
		return fmt.Sprintf("%s  %s  %s", m.message, report.Size(p.Bytes), counts)
	}
	part := min(1, float64(p.Bytes)/float64(m.in.size))
	full := int(part * barWidth)
	return fmt.Sprintf("%s  [%s%s] %3d%%  %s", m.message, strings.Repeat("#", full), strings.Repeat(".", barWidth-full), int(part*100), counts)
}

// done takes the bar away.
func (m *meter) done() {
	if m.drawn {
		fmt.Fprint(m.app.stderr, "\r\x1b[K")
	}
}
