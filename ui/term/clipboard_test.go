package term

import (
	"context"
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fakeTools puts shell scripts of the given names on the PATH. Each writes its
// arguments and its input to the file that is returned, or fails if that is
// what its body says.
func fakeTools(t *testing.T, scripts map[string]string) (wrote string) {
	t.Helper()
	dir := t.TempDir()
	wrote = filepath.Join(dir, "wrote")
	t.Setenv("WROTE", wrote)
	for name, body := range scripts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+":/bin:/usr/bin")
	return wrote
}

const (
	recordAll = `{ echo "$0 $*" | sed 's,.*/,,'; cat; } >"$WROTE"`
	failing   = `exit 1`
)

// only finds the named programs on the PATH and no other.
func only(names ...string) func(string) (string, error) {
	return func(name string) (string, error) {
		for _, known := range names {
			if name == known {
				return exec.LookPath(name)
			}
		}
		return "", exec.ErrNotFound
	}
}

func TestCopy(t *testing.T) {
	plain := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte("text")) + "\a"
	here := Caps{Terminal: true, Desktop: true}
	tests := []struct {
		name  string
		caps  Caps
		env   string
		tools map[string]string
		how   string // beginning of the message
		fail  string // beginning of the error
		seq   string
		wrote string
	}{
		{"tool", here, "DISPLAY=:0", map[string]string{"xclip": recordAll}, "copied with xclip", "", "", "xclip -selection clipboard -in\ntext"},
		{"wayland first", here, "DISPLAY=:0 WAYLAND_DISPLAY=w", map[string]string{"xclip": failing, "wl-copy": recordAll}, "copied with wl-copy", "", "", "wl-copy \ntext"},
		{"tool without display", here, "", map[string]string{"xclip": recordAll}, "sent to the terminal's clipboard", "", plain, ""},
		{"tool fails", here, "DISPLAY=:0", map[string]string{"xsel": failing}, "sent to the terminal's clipboard", "", plain, ""},
		{"remote", Caps{Terminal: true, Remote: true}, "DISPLAY=:0", map[string]string{"xclip": recordAll}, "sent to the terminal's clipboard", "", plain, ""},
		{"remote and dumb", Caps{Terminal: true, Remote: true, Dumb: true}, "DISPLAY=:0", map[string]string{"xclip": recordAll}, "copied with xclip", "", "", "xclip -selection clipboard -in\ntext"},
		{"tmux", Caps{Terminal: true, Mux: MuxTmux}, "", nil, "sent to the terminal's clipboard through tmux", "", plain + "\x1bPtmux;\x1b" + plain + "\x1b\\", ""},
		{"screen", Caps{Terminal: true, Mux: MuxScreen}, "", nil, "sent to the terminal's clipboard through screen", "", "\x1bP" + plain + "\x1b\\", ""},
		{"nothing", Caps{Terminal: true, Dumb: true}, "", nil, "", "not copied", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wrote := fakeTools(t, test.tools)
			names := make([]string, 0, len(test.tools))
			for name := range test.tools {
				names = append(names, name)
			}
			sent := ""
			c := Clipboard{Caps: test.caps, Getenv: env(strings.Fields(test.env)...), Look: only(names...),
				Send: func(seq string) error { sent += seq; return nil }}
			how, err := c.Copy(t.Context(), "text")
			if test.fail == "" && err != nil || test.fail != "" && (err == nil || !strings.HasPrefix(err.Error(), test.fail)) {
				t.Errorf("error: %v", err)
			}
			if !strings.HasPrefix(how, test.how) || (test.how == "") != (how == "") {
				t.Errorf("how: %q", how)
			}
			if sent != test.seq {
				t.Errorf("sent %q", sent)
			}
			if got, _ := os.ReadFile(wrote); string(got) != test.wrote {
				t.Errorf("the tool got %q", got)
			}
		})
	}
}

func TestCopyLimits(t *testing.T) {
	sent := ""
	c := Clipboard{Caps: Caps{Terminal: true}, Getenv: env(), Look: only(),
		Send: func(seq string) error { sent = seq; return nil }}
	if _, err := c.Copy(t.Context(), strings.Repeat("x", MaxCopyTerminal)); err != nil || len(sent) < MaxCopyTerminal {
		t.Errorf("at the limit: %v", err)
	}
	sent = ""
	if _, err := c.Copy(t.Context(), strings.Repeat("x", MaxCopyTerminal+1)); err == nil || sent != "" {
		t.Error("over the terminal's limit, and sent")
	}
	wrote := fakeTools(t, map[string]string{"xclip": recordAll})
	c.Getenv, c.Look = env("DISPLAY=:0"), only("xclip")
	if how, err := c.Copy(t.Context(), strings.Repeat("x", MaxCopyTerminal+1)); err != nil || how != "copied with xclip" {
		t.Errorf("a tool has no such limit: %q, %v", how, err)
	}
	if got, _ := os.ReadFile(wrote); len(got) < MaxCopyTerminal {
		t.Errorf("the tool got %d bytes", len(got))
	}
	if _, err := c.Copy(t.Context(), strings.Repeat("x", MaxCopy+1)); err == nil {
		t.Error("over the limit of all")
	}
	c = Clipboard{Caps: Caps{Terminal: true}, Getenv: env(), Look: only(), Send: func(string) error { return os.ErrClosed }}
	if _, err := c.Copy(t.Context(), "x"); err == nil {
		t.Error("a closed terminal took a copy")
	}
}

func TestScreenChunks(t *testing.T) {
	seq := osc52(strings.Repeat("x", 3000), MuxScreen)
	joined := ""
	for _, part := range strings.Split(strings.TrimSuffix(seq, "\x1b\\"), "\x1b\\") {
		inner, found := strings.CutPrefix(part, "\x1bP")
		if !found || len(inner) > screenChunk {
			t.Fatalf("a piece of %d bytes", len(inner))
		}
		joined += inner
	}
	if joined != osc52(strings.Repeat("x", 3000), MuxNone) {
		t.Error("the pieces are not the whole")
	}
}

func TestOpen(t *testing.T) {
	desktop := Caps{Desktop: true}
	const url = "https://example.com/a?b=c&d=$(x);`y`"
	tests := []struct {
		name string
		caps Caps
		url  string
		body string
		ok   bool
	}{
		{"opens", desktop, url, `echo "$1" >"$WROTE"`, true},
		{"fails", desktop, url, failing, false},
		{"no desktop", Caps{}, url, `echo "$1" >"$WROTE"`, false},
		{"file", desktop, "file:///etc/passwd", `echo "$1" >"$WROTE"`, false},
		{"option", desktop, "--help", `echo "$1" >"$WROTE"`, false},
		{"javascript", desktop, "javascript:alert(1)", `echo "$1" >"$WROTE"`, false},
		{"escape", desktop, "https://a/\x1b[2J", `echo "$1" >"$WROTE"`, false},
		{"blank", desktop, "https://a b", `echo "$1" >"$WROTE"`, false},
		{"not ASCII", desktop, "https://ä/", `echo "$1" >"$WROTE"`, false},
		{"no host", desktop, "https://", `echo "$1" >"$WROTE"`, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wrote := fakeTools(t, map[string]string{"xdg-open": test.body})
			err := Opener{Caps: test.caps, Look: only("xdg-open")}.Open(t.Context(), test.url)
			if (err == nil) != test.ok {
				t.Errorf("error: %v", err)
			}
			got, _ := os.ReadFile(wrote)
			if test.ok != (strings.TrimSpace(string(got)) == test.url) {
				t.Errorf("the opener got %q", got)
			}
		})
	}
	if err := (Opener{Caps: desktop, Look: only()}).Open(t.Context(), url); err == nil {
		t.Error("opened without an opener")
	}
}

// A browser that keeps running does not hold anything up once the asker leaves.
func TestOpenDoesNotWaitForTheBrowser(t *testing.T) {
	wrote := fakeTools(t, map[string]string{"open": `exec cat "$WROTE"`})
	if err := syscall.Mkfifo(wrote, 0o600); err != nil {
		t.Fatal(err)
	}
	// The browser reads a pipe that nobody writes to, until the test is over.
	t.Cleanup(func() {
		if pipe, err := os.OpenFile(wrote, os.O_RDWR, 0); err == nil {
			_ = pipe.Close()
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	done := make(chan error, 1)
	go func() { done <- Opener{Caps: Caps{Desktop: true}, Look: only("open")}.Open(ctx, "https://a/") }()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(15 * time.Second):
		t.Error("still waiting for the browser")
	}
}
