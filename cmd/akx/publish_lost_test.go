package main

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"akx/client/clienttest"
	"akx/client/service"
	"akx/ui/termtest"
	"akx/view/memory"
	"akx/view/wire"
)

// readyDraft is a draft that can be signed as it stands.
const readyDraft = `{"kind": "question", "title": "What follows?", "statement": "What follows?", "language": "en",
"license": "https://creativecommons.org/licenses/by/4.0/", "basis": "Asked for a test.",
"context": {"scope": "Tests.", "conditions": [], "limitations": []}}`

// signedLair is a lair whose home has one event that is signed and queued for hub,
// whose clock is clock.
func signedLair(t *testing.T, clock func() time.Time, lie clienttest.Lie) *lair {
	t.Helper()
	l := &lair{Network: clienttest.NewNetwork(t), t: t, clock: clienttest.NewClock(t, time.Hour), home: t.TempDir()}
	store := memory.New(string(hubOrigin), func() int64 { return clock().UnixMilli() })
	core := service.New(store, service.Options{Origin: hubOrigin, Clock: clock})
	l.serve("hub", hubOrigin, service.NewHandler(core, service.HandlerOptions{}), lie)
	pass := writeFile(t, l.home, "pass.txt", []byte("correct horse\n"))
	for _, args := range [][]string{{"key", "new"}, {"draft", "new", "question", "-"}, {"sign", "1", "--yes-publish", "--to", "hub"}} {
		cmd := akxCommand(t, l.home, append([]string{"--home", filepath.Join(l.home, "akx")}, args...)...)
		cmd.Env = append(cmd.Env, "AKX_PASSPHRASE_FILE="+pass)
		cmd.Stdin = strings.NewReader(readyDraft)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	return l
}

// The service accepts, and the connection ends before its answer: the result is
// unknown, and the same bytes are sent again.
func TestLostAnswerIsUnknownAndSentAgain(t *testing.T) {
	t.Parallel()
	var bodies [][]byte
	lie := func(honest http.Handler) http.Handler {
		lost := clienttest.At(wire.EventsPath, clienttest.Only(0, clienttest.Truncate(7)))(honest)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost && r.URL.Path == wire.EventsPath {
				body, err := io.ReadAll(r.Body)
				if err != nil {
					t.Error(err)
				}
				bodies = append(bodies, body)
				r.Body = io.NopCloser(bytes.NewReader(body))
			}
			lost.ServeHTTP(w, r)
		})
	}
	l := signedLair(t, time.Now, lie)
	failed := l.ends("error", "submit", "--to", "hub")
	holds(t, failed, map[string]any{"code": "unavailable", "retryable": true})
	delivery := first(t, first(t, failed, "entries"), "deliveries")
	holds(t, delivery, map[string]any{"state": "unknown"})
	if text, _ := delivery["action"].(string); !strings.Contains(text, "same bytes again") {
		t.Errorf("the action is %q", text)
	}
	holds(t, first(t, first(t, l.ends("result", "outbox"), "entries"), "deliveries"), map[string]any{"state": "unknown"})
	again := l.ends("result", "submit", "--to", "hub")
	holds(t, first(t, first(t, again, "entries"), "deliveries"), map[string]any{"state": "accepted", "seq": 1})
	if len(bodies) != 2 || !bytes.Equal(bodies[0], bodies[1]) {
		t.Errorf("%d submissions, or not the same bytes", len(bodies))
	}
	holds(t, l.ends("result", "outbox"), map[string]any{"unsettled_count": 0})
}

// A service is told who sends only where the user says so, by a token that it proves.
func TestRequestTokenOnlyWhenAsked(t *testing.T) {
	t.Parallel()
	var shown []string
	l := signedLair(t, time.Now, func(honest http.Handler) http.Handler {
		lost := clienttest.At(wire.EventsPath, clienttest.Only(0, clienttest.Truncate(7)))(honest)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == wire.EventsPath {
				shown = append(shown, r.Header.Get("Authorization"))
			} else if r.Header.Get("Authorization") != "" {
				t.Errorf("a token for %s", r.URL.Path)
			}
			lost.ServeHTTP(w, r)
		})
	})
	l.ends("error", "submit", "--to", "hub")
	pass, err := syscall.Open(filepath.Join(l.home, "pass.txt"), syscall.O_RDONLY, 0) // akx closes it
	if err != nil {
		t.Fatal(err)
	}
	l.ends("result", "submit", "--to", "hub", "--token-key", "main", "--passphrase-fd", strconv.Itoa(pass))
	if len(shown) != 2 || shown[0] != "" || !strings.HasPrefix(shown[1], "Bearer ") {
		t.Errorf("tokens: %q", shown)
	}
	holds(t, l.ends("error", "submit", "--token-key", "main"), map[string]any{"code": "usage"})
}

// A service whose clock is behind refuses; the same bytes are taken once it is not.
func TestRefusedByAClockIsSentAgain(t *testing.T) {
	t.Parallel()
	behind := true
	l := signedLair(t, func() time.Time {
		if behind {
			return time.Now().Add(-time.Hour)
		}
		return time.Now()
	}, nil)
	failed := l.ends("error", "submit", "--to", "hub")
	holds(t, failed, map[string]any{"code": "timestamp_out_of_window", "retryable": false})
	code, stdout, stderr := l.run("submit", "--to", "hub")
	if code != exitFailed || !strings.Contains(stdout, "signed in the future") || !strings.Contains(stderr, "Check the clock") {
		t.Errorf("code %d\n%s%s", code, stdout, stderr)
	}
	behind = false
	l.ends("result", "submit", "--to", "hub")
}

// A service that cannot be reached gets nothing, and the event waits.
func TestUnreachableServiceGetsNothing(t *testing.T) {
	t.Parallel()
	l := signedLair(t, time.Now, clienttest.Status(http.StatusServiceUnavailable, "text/plain", "closed"))
	failed := l.ends("error", "submit", "--to", "hub")
	delivery := first(t, first(t, failed, "entries"), "deliveries")
	holds(t, delivery, map[string]any{"state": "not_sent"})
	if failed["retryable"] != true {
		t.Errorf("%v", failed)
	}
}

// On a terminal the passphrase is asked for, twice for a new key, and never shown.
func TestPassphraseIsAskedAndNotShown(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	const secret = "correct-horse"
	s := termtest.Start(t, program(t, home, "key", "new"), 80, 24)
	s.UntilText(t, "New passphrase of key main")
	s.Send(secret + "\r")
	s.UntilText(t, "once more")
	s.Send("another\r")
	if exit := s.Wait(t, termtest.Patience); exit.Code != exitUsage || !strings.Contains(string(s.Output()), "differ") {
		t.Errorf("exit %+v\n%s", exit, s.Output())
	}
	s = termtest.Start(t, program(t, home, "key", "new"), 80, 24)
	s.UntilText(t, "New passphrase of key main")
	s.Send(secret + "\r")
	s.UntilText(t, "once more")
	s.Send(secret + "\r")
	if exit := s.Wait(t, termtest.Patience); exit.Code != exitDone || strings.Contains(string(s.Output()), secret) {
		t.Errorf("exit %+v\n%s", exit, s.Output())
	}
	// An interruption at the question leaves everything as it was.
	s = termtest.Start(t, program(t, home, "key", "rename", "main", "ann"), 80, 24)
	s.UntilText(t, "Passphrase of key main")
	s.Send(termtest.Ctrl('c'))
	if exit := s.Wait(t, termtest.Patience); exit.Code != exitInterrupted {
		t.Errorf("exit %+v\n%s", exit, s.Output())
	}
	// A name has to be typed again before a key goes.
	s = termtest.Start(t, program(t, home, "key", "delete", "main"), 80, 24)
	s.UntilText(t, "Type the name of the key")
	s.Send("man\r")
	if exit := s.Wait(t, termtest.Patience); exit.Code != exitUsage {
		t.Errorf("exit %+v\n%s", exit, s.Output())
	}
	if out := runAkx(t, home, nil, "key", "list"); !strings.HasPrefix(out, "main ") {
		t.Error(out)
	}
}

// On a terminal what is disclosed is shown in full before the passphrase is asked.
func TestDisclosureIsShownBeforeThePassphrase(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	make := akxCommand(t, home, "key", "new")
	make.Env = append(make.Env, "AKX_PASSPHRASE_FILE="+writeFile(t, home, "pass.txt", []byte("horse")))
	if out, err := make.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	runAkx(t, home, []byte(readyDraft), "draft", "new", "question", "-")
	s := termtest.Start(t, program(t, home, "sign", "1", "--yes-publish"), 100, 40)
	sc := s.UntilText(t, "Passphrase of key main")
	for _, want := range []string{"SIGN: public and permanent", "did:agent:", "creativecommons", "queued for", "cannot remove"} {
		if !sc.Has(want) {
			t.Errorf("no %q in\n%s", want, sc)
		}
	}
	s.Send("wrong\r")
	if exit := s.Wait(t, termtest.Patience); exit.Code != exitFailed || !strings.Contains(string(s.Output()), "wrong passphrase") {
		t.Errorf("exit %+v\n%s", exit, s.Output())
	}
	s = termtest.Start(t, program(t, home, "sign", "1", "--yes-publish"), 100, 40)
	s.UntilText(t, "Passphrase of key main")
	s.Send("horse\r")
	if exit := s.Wait(t, termtest.Patience); exit.Code != exitDone || !strings.Contains(string(s.Output()), "signed ") {
		t.Errorf("exit %+v\n%s", exit, s.Output())
	}
}

// On a terminal the first characters of what is withdrawn are typed, whatever stands on
// the command line.
func TestTargetIsTypedOnATerminal(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	pass := "AKX_PASSPHRASE_FILE=" + writeFile(t, home, "pass.txt", []byte("horse"))
	run := func(args ...string) string {
		cmd := akxCommand(t, home, args...)
		cmd.Env = append(cmd.Env, pass)
		cmd.Stdin = strings.NewReader(readyDraft)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	run("key", "new")
	run("draft", "new", "question", "-")
	id := strings.Fields(run("sign", "1", "--yes-publish"))[1]
	first := strings.TrimPrefix(id, "id:")[:4]
	for _, typed := range []string{"wrong", first[:3], first} {
		code := exitUsage
		if typed == first {
			code = exitDone
		}
		cmd := program(t, home, "retract", id, "--reason", "It was wrong.", "--yes-publish")
		cmd.Env = append(cmd.Env, pass)
		s := termtest.Start(t, cmd, 100, 40)
		s.UntilText(t, "First 4 characters of the target")
		s.Send(typed + "\r")
		if exit := s.Wait(t, termtest.Patience); exit.Code != code {
			t.Errorf("%q: exit %+v\n%s", typed, exit, s.Output())
		}
	}
}

// An encrypted OpenSSH key has a passphrase of its own, on a descriptor of its own.
func TestImportOfAnEncryptedKey(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	file, err := filepath.Abs("../../cache/keyring/testdata/openssh-encrypted.pem")
	if err != nil {
		t.Fatal(err)
	}
	for passphrase, code := range map[string]int{"wrong": exitFailed, "open sesame": exitDone} {
		cmd := akxCommand(t, home, "key", "import", file, "--file-passphrase-fd", "3", "--passphrase-fd", "4")
		for name, text := range map[string]string{"3": passphrase, "4": "horse"} {
			writeFile(t, home, name, []byte(text+"\n"))
		}
		for _, name := range []string{"3", "4"} {
			f, err := os.Open(filepath.Join(home, name))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			cmd.ExtraFiles = append(cmd.ExtraFiles, f)
		}
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != code || bytes.Contains(out, []byte(passphrase+"\n")) && code == exitDone {
			t.Errorf("%s: exit code %d\n%s", passphrase, got, out)
		}
	}
	if out := runAkx(t, home, nil, "key", "list"); !strings.HasPrefix(out, "main ") {
		t.Error(out)
	}
}
