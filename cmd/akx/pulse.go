package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"akx/cmd/akx/report"
	"akx/explore"
)

// pulse tells how far work at services has come, also while no answer comes: a bar
// on a terminal, progress events where events were asked for, else nothing. Nothing
// is told in the first second. see may be called from several goroutines.
type pulse struct {
	app     *app
	message string
	started time.Time
	stop    chan struct{}
	ended   chan struct{}

	mu    sync.Mutex
	names []string
	wait  []string // services whose answers are awaited, where that is told
	work  map[string]report.Activity
	fresh map[string]bool
	drawn bool
}

func (a *app) pulse(message string) *pulse {
	p := &pulse{app: a, message: message, started: time.Now(), stop: make(chan struct{}), ended: make(chan struct{}),
		work: make(map[string]report.Activity), fresh: make(map[string]bool)}
	go p.run()
	return p
}

func (p *pulse) run() {
	defer close(p.ended)
	every := barEvery
	if p.app.flags.json {
		every = tellEvery
	}
	wait := time.NewTimer(quietFor)
	defer wait.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-wait.C:
			p.tell()
			wait.Reset(every)
		}
	}
}

// see takes how far one service has come; its name may be empty.
func (p *pulse) see(name string, done report.Activity) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.names, name) {
		p.names = append(p.names, name)
		slices.Sort(p.names)
	}
	done.Message, done.Service = p.message, name
	p.work[name], p.fresh[name] = done, true
}

// await tells whose answers are awaited now.
func (p *pulse) await(names []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wait = slices.Clone(names)
}

// came tells that one of them is there.
func (p *pulse) came(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wait = slices.DeleteFunc(p.wait, func(n string) bool { return n == name })
}

// aside runs f while the bar is not on the screen.
func (p *pulse) aside(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drawn {
		fmt.Fprint(p.app.stderr, "\r\x1b[K")
	}
	f()
}

// synced gives a step of a walk over a service; from is where it started.
func synced(from uint64, s explore.SyncProgress) report.Activity {
	a := report.Activity{Records: s.Records, Bytes: s.Bytes}
	if s.Checkpoint > from {
		a.Done, a.Total = max(s.Reached, from)-from, s.Checkpoint-from
	}
	return a
}

func (p *pulse) tell() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.app.flags.json {
		p.draw()
		return
	}
	for _, wait := range p.app.waits.fresh(time.Now()) {
		_ = p.app.events.Progress(wait)
	}
	seconds := time.Since(p.started).Seconds()
	for _, name := range p.names {
		if !p.fresh[name] {
			continue
		}
		done := p.work[name]
		done.Rate = int64(float64(done.Records) / seconds)
		// A reader of events who went away ends the command at its result.
		_ = p.app.events.Progress(done)
		p.fresh[name] = false
	}
}

func (p *pulse) draw() {
	width, _, err := term.GetSize(int(p.app.stderr.Fd()))
	if err != nil || p.app.settings.flag("plain") || p.app.dumb() {
		return
	}
	p.drawn = true
	line := p.line(time.Since(p.started))
	if len(line) >= width {
		line = line[:max(0, width-1)]
	}
	fmt.Fprintf(p.app.stderr, "\r\x1b[K%s", line)
}

// line is the bar in ASCII: it is cut to the terminal's width by bytes. Names of
// services are ASCII.
func (p *pulse) line(took time.Duration) string {
	var all report.Activity
	for _, done := range p.work {
		all.Records += done.Records
		all.Bytes += done.Bytes
		all.Done += done.Done
		all.Total += done.Total
	}
	return p.counts(&all, took) + p.app.waits.line(time.Now())
}

// counts is the part of the line that says how much was done of all.
func (p *pulse) counts(all *report.Activity, took time.Duration) string {
	line := p.message
	if len(p.wait) > 0 {
		line += ", waiting for " + strings.Join(p.wait, ", ")
	}
	if len(p.names) == 1 {
		line = strings.TrimSpace(line + " " + p.names[0])
	} else if len(p.names) > 1 {
		line += fmt.Sprintf(" %d services", len(p.names))
	}
	if all.Total > 0 {
		part := min(1, float64(all.Done)/float64(all.Total))
		full := int(part * barWidth)
		line += fmt.Sprintf("  [%s%s] %3d%%", strings.Repeat("#", full), strings.Repeat(".", barWidth-full), int(part*100))
	}
	if all.Records > 0 {
		rate := int64(float64(all.Records) / max(0.001, took.Seconds()))
		return line + fmt.Sprintf("  %s, %s, %d/s", report.Counted(all.Records, "event"), report.Size(all.Bytes), rate)
	}
	return line + fmt.Sprintf("  %d s", int(took.Seconds()))
}

// done takes the bar away. Nothing is told behind it.
func (p *pulse) done() {
	close(p.stop)
	<-p.ended
	if p.drawn {
		fmt.Fprint(p.app.stderr, "\r\x1b[K")
	}
}
