package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"akx/client/fetch"
	"akx/cmd/akx/eventtest"
	"akx/cmd/akx/report"
)

// A pause before a request is told while it lasts: on the bar, and once as an event.
func TestPausesAreTold(t *testing.T) {
	for name, c := range map[string]struct {
		wait fetch.Wait
		want string
	}{
		"asked":    {fetch.Wait{For: 3 * time.Minute, Asked: true, Try: 2, Of: 4}, "hub waits 180 s, as it asks (try 2 of 4)"},
		"patience": {fetch.Wait{For: 90*time.Second + 1, Try: 3, Of: 4}, "hub waits 91 s (try 3 of 4)"},
		"pace":     {fetch.Wait{For: time.Minute}, "hub waits 60 s, to keep the pace it asks for"},
		"short":    {fetch.Wait{For: 999 * time.Millisecond, Asked: true, Try: 2, Of: 4}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			a := &app{events: report.NewStream(&out, &out)}
			a.flags.json = true
			a.waits.note("hub", c.wait, time.Now())
			p := &pulse{app: a, message: "asking", started: time.Now()}
			if line := p.line(time.Second); !strings.HasPrefix(line, "asking  1 s") || !strings.HasSuffix(line, c.want) {
				t.Errorf("the bar: %q", line)
			}
			p.tell()
			p.tell()
			words := strings.TrimPrefix(c.want, "hub ")
			if n := strings.Count(out.String(), `"service":"hub"`); (n == 1) != (c.want != "") || n > 1 || !strings.Contains(out.String(), words) {
				t.Errorf("%d events: %s", n, out.String())
			}
			if err := a.events.Result(&report.Withheld{}); err != nil {
				t.Fatal(err)
			}
			if err := eventtest.Stream(lines(out.String()), true); err != nil {
				t.Error(err)
			}
			if line := a.waits.line(time.Now().Add(time.Hour)); line != "" {
				t.Errorf("a pause that is over: %q", line)
			}
		})
	}
}
