package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"akx/client/clienttest"
)

// A sync that cannot begin tells how far its service was followed, like any other that
// fails, and counts nothing that did not come.
func TestASyncThatCannotBeginTellsHowFarItCame(t *testing.T) {
	t.Parallel()
	for name, hinder := range map[string]func(*lair) int{
		"the CA file is gone": func(l *lair) int {
			if err := os.Remove(filepath.Join(l.home, "ca.pem")); err != nil {
				t.Fatal(err)
			}
			return exitFailed
		},
		"it is disabled": func(l *lair) int {
			l.run("service", "disable", "hub")
			return exitUsage
		},
		"nothing answers": func(l *lair) int {
			l.Serve(hubOrigin, clienttest.Status(503, "text/plain", "down")(l.hub))
			return exitFailed
		},
	} {
		l := newLair(t, 12, nil)
		if code, _, stderr := l.run("sync", "hub"); code != exitDone {
			t.Fatal(stderr)
		}
		want := hinder(l)
		code, stdout, stderr := l.run("sync", "hub")
		if text := stdout + stderr; code != want || !strings.Contains(text, "hub: followed up to #12, ") ||
			strings.Contains(text, "0 records") || strings.Contains(text, "goes on from there") {
			t.Errorf("%s: code %d\n%s", name, code, text)
		}
		_, _, stderr = l.run("--json", "sync", "hub")
		if !strings.Contains(stderr, `"before_seq":12`) || !strings.Contains(stderr, `"reached_seq":12`) || !strings.Contains(stderr, `"checkpoint":12`) {
			t.Errorf("%s:\n%s", name, stderr)
		}
	}
}
