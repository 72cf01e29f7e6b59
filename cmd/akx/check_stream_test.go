package main

import (
	"bufio"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"akx/client/clienttest"
	"akx/client/fetch"
)

// A service that hangs holds back no other: on a terminal what came is printed while it
// is awaited.
func TestCheckPrintsAnswersAsTheyCome(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	hang := func(honest http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-release:
			case <-r.Context().Done():
			}
			honest.ServeHTTP(w, r)
		})
	}
	l := newLair(t, 3, hang)
	l.serve("lab", "https://lab.example", clienttest.NewHub(t, "https://lab.example", l.clock, 3), nil)

	read, write, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(write, &pty.Winsize{Rows: 24, Cols: 200}); err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	errs, err := os.Create(filepath.Join(t.TempDir(), "err"))
	if err != nil {
		t.Fatal(err)
	}
	defer errs.Close()
	ended := make(chan int, 1)
	go func() {
		defer write.Close()
		day := 24 * time.Hour
		a := &app{stdin: errs, stdout: write, stderr: errs,
			getenv: func(name string) string { return map[string]string{"AKX_HOME": filepath.Join(l.home, "akx")}[name] },
			transport: fetch.Options{Resolver: l, Dial: l.Dial, Clock: l.clock, Random: func() float64 { return 0 },
				Limits: fetch.Limits{Connect: day, TLS: 2 * day, Answer: 3 * day, Idle: 4 * day, Whole: 5 * day}}}
		ended <- a.execute(context.Background(), []string{"check", l.hub.IDs[0].String()})
	}()
	var printed []string
	released := false
	for lines := bufio.NewScanner(read); lines.Scan(); {
		printed = append(printed, lines.Text())
		if !released && strings.HasPrefix(lines.Text(), "  lab ") {
			released = true
			close(release)
		}
	}
	<-ended
	text := strings.Join(printed, "\n")
	if !released || strings.Count(text, "\n  hub ") != 1 || strings.Index(text, "\n  hub ") < strings.Index(text, "\n  lab ") {
		t.Errorf("printed:\n%s", text)
	}
}
