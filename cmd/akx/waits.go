package main

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"akx/client/fetch"
	"akx/cmd/akx/report"
)

// waits are the pauses before requests to services that are under way: a pulse tells
// them, as long as they last. It is used from several goroutines; its zero value is
// ready.
type waits struct {
	mu sync.Mutex
	of map[string]waited // by the name of the service, the last of each
}

type waited struct {
	words string
	until time.Time
	told  bool // as an event
}

// shortWait is what nobody needs to be told.
const shortWait = time.Second

// note takes a pause that begins now.
func (w *waits) note(name string, x fetch.Wait, now time.Time) {
	if x.For < shortWait {
		return
	}
	words := fmt.Sprintf("waits %d s", int64((x.For+time.Second-1)/time.Second))
	switch {
	case x.Asked:
		words += ", as it asks"
	case x.Try == 0:
		words += ", to keep the pace it asks for"
	}
	if x.Try > 0 {
		words += fmt.Sprintf(" (try %d of %d)", x.Try, x.Of)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of == nil {
		w.of = make(map[string]waited)
	}
	w.of[name] = waited{words: words, until: now.Add(x.For)}
}

// line says the pauses of now, in ASCII; empty for none.
func (w *waits) line(now time.Time) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	line := ""
	for _, name := range slices.Sorted(maps.Keys(w.of)) {
		if x := w.of[name]; x.until.After(now) {
			line += "  " + name + " " + x.words
		}
	}
	return line
}

// fresh gives the pauses of now that were not given before, by the name of the service.
func (w *waits) fresh(now time.Time) []report.Pause {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []report.Pause
	for _, name := range slices.Sorted(maps.Keys(w.of)) {
		x := w.of[name]
		if x.told || !x.until.After(now) {
			continue
		}
		x.told = true
		w.of[name] = x
		all = append(all, report.Pause{Message: x.words, Service: name, Until: x.until.UnixMilli()})
	}
	return all
}
