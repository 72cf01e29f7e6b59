package main

import (
	"net/http"
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
		_, list, _ := l.run("service", "list")
		_, set, _ := l.run("list", "--seen-by", "hub", "--limit", "1")
		failed := want == exitFailed
		if strings.Contains(list, "hub: last sync, ") != failed || strings.Contains(set, "STALE: the last sync failed") != failed {
			t.Errorf("%s: the list says\n%s\nand the set\n%s", name, list, set)
		}
	}
}

// A service that was reset names one way on, everywhere and once, however often it is
// looked at; that way keeps its settings (8.3).
func TestAResetServiceIsFollowedAnew_8_3(t *testing.T) {
	t.Parallel()
	l := newLair(t, 12, nil)
	if code, _, stderr := l.run("sync", "hub"); code != exitDone {
		t.Fatal(stderr)
	}
	l.run("service", "set", "hub", "--ask", "never")
	reset := clienttest.NewHub(t, hubOrigin, l.clock, 3)
	l.Serve(hubOrigin, http.HandlerFunc(reset.ServeHTTP))
	id := "id:" + reset.IDs[0].String()
	for range 3 {
		code, stdout, stderr := l.run("sync", "hub")
		text := stdout + stderr
		if code != exitFailed || strings.Count(text, "akx service refollow hub") != 1 || strings.Contains(text, "remove") ||
			strings.Contains(text, "goes on from there") || strings.Count(text, "contradicts itself") != 1 {
			t.Errorf("a sync: %d\n%s", code, text)
		}
		if _, stdout, _ = l.run("check", "--service", "hub", id); strings.Contains(stdout, " times") {
			t.Errorf("one cause is more than one:\n%s", stdout)
		}
	}
	if _, stdout, _ := l.run("service", "list"); strings.Count(stdout, "contradicts itself, seen") != 1 || strings.Count(stdout, "akx service refollow hub") != 1 {
		t.Errorf("the list:\n%s", stdout)
	}
	changed := l.ends("result", "service", "refollow", "hub")
	holds(t, changed, map[string]any{"done": "reset", "name": "hub", "ask": "never", "ca_file": filepath.Join(l.home, "ca.pem")})
	code, stdout, stderr := l.run("sync", "hub")
	if code != exitDone || !strings.Contains(stdout, "hub: followed up to #3, ") {
		t.Errorf("anew: %d\n%s%s", code, stdout, stderr)
	}
}
