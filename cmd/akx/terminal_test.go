package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"akx/cmd/akx/report"
	"akx/explore"
	"akx/explore/sample"
	"akx/ui/termtest"
)

// program is this test binary as akx, with a home of its own and nothing else of
// the environment.
func program(t *testing.T, home string, args ...string) *exec.Cmd {
	t.Helper()
	return programNamed(t, "akx", home, args...)
}

// programNamed is this test binary as one of the programs of TestMain.
func programNamed(t *testing.T, name, home string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	cmd.Env = []string{"HOME=" + home, "TERM=xterm-256color", "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH")}
	cmd.Dir = home
	return cmd
}

// imported is a home with the events of the sample in its cache.
func imported(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	cmd := program(t, home, "import", "-")
	cmd.Stdin = bytes.NewReader(sample.Text())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("import: %v\n%s", err, out)
	}
	return home
}

func TestExplorerOpensOnTheSample(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	s := termtest.Start(t, program(t, home), 100, 30)
	s.UntilText(t, "sample")
	s.Send("q")
	if exit := s.Wait(t, termtest.Patience); exit.Code != exitDone {
		t.Errorf("exit %+v\n%s", exit, s.Screen())
	}
	if left, err := os.ReadDir(home); err != nil || len(left) > 0 {
		t.Errorf("the sample left %v in the home (%v)", left, err)
	}
}

func TestExplorerOpensOnTheCache(t *testing.T) {
	t.Parallel()
	home := imported(t)
	s := termtest.Start(t, program(t, home), 100, 30)
	s.UntilText(t, "this cache")
	s.Send("q")
	if exit := s.Wait(t, termtest.Patience); exit.Code != exitDone {
		t.Errorf("exit %+v\n%s", exit, s.Screen())
	}
	// The place is kept for the next start.
	if _, err := os.Stat(filepath.Join(home, ".local/share/akx/own.db")); err != nil {
		t.Error(err)
	}
}

// Without any home there is still the sample to read.
func TestExplorerWithoutHome(t *testing.T) {
	t.Parallel()
	cmd := program(t, t.TempDir())
	cmd.Env = append(cmd.Env, "HOME=")
	s := termtest.Start(t, cmd, 100, 30)
	s.UntilText(t, "sample")
	s.Send("q")
	if exit := s.Wait(t, termtest.Patience); exit.Code != exitDone {
		t.Errorf("exit %+v\n%s", exit, s.Screen())
	}
}

// A signal ends the explorer with the exit code that shells give it.
func TestExplorerEndsBySignal(t *testing.T) {
	t.Parallel()
	for signal, code := range map[syscall.Signal]int{syscall.SIGTERM: 143, syscall.SIGHUP: 129} {
		s := termtest.Start(t, program(t, t.TempDir()), 100, 30)
		s.UntilText(t, "sample")
		s.Signal(signal)
		if exit := s.Wait(t, termtest.Patience); exit.Code != code {
			t.Errorf("%v: exit %+v", signal, exit)
		}
	}
}

func TestPoorTerminals(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		env, want string
		args      []string
	}{
		"dumb":          {"TERM=dumb", "TERM says it cannot", nil},
		"no TERM":       {"TERM=", "TERM says it cannot", nil},
		"raw":           {"TERM=xterm", "never goes to a terminal", []string{"--sample", "show", "--raw", "AAAAAA"}},
		"json":          {"TERM=xterm", `"code":"usage"`, []string{"--json"}},
		"plain":         {"TERM=xterm", "--plain goes with a command", []string{"--plain"}},
		"dumb and json": {"TERM=dumb", `"code":"usage"`, []string{"--json"}},
	} {
		cmd := program(t, t.TempDir(), c.args...)
		cmd.Env = append(cmd.Env, c.env)
		s := termtest.Start(t, cmd, 80, 24)
		if exit := s.Wait(t, termtest.Patience); exit.Code != exitUsage || !strings.Contains(string(s.Output()), c.want) {
			t.Errorf("%s: exit %+v\n%s", name, exit, s.Output())
		}
	}
}

func TestColourOnATerminal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env  string
		args []string
		want bool
	}{
		{"A=b", nil, true}, {"NO_COLOR=1", nil, false}, {"NO_COLOR=", nil, true}, {"A=b", []string{"--no-color"}, false},
		{"TERM=dumb", nil, false}, {"A=b", []string{"--plain"}, false},
	} {
		cmd := program(t, t.TempDir(), append(c.args, "--sample", "list", "--limit", "0")...)
		cmd.Env = append(cmd.Env, c.env)
		s := termtest.Start(t, cmd, 80, 24)
		s.Wait(t, termtest.Patience)
		if got := bytes.Contains(s.Output(), []byte("\x1b[1;31mRETRACTED")); got != c.want {
			t.Errorf("%s %v: colour %v, want %v", c.env, c.args, got, c.want)
		}
	}
}

// On a terminal no row is wider than it is, and one without a size has no bound.
func TestRowsFitTheTerminal(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {40, 10}, {0, 0}} {
		s := termtest.Start(t, program(t, t.TempDir(), "--sample", "--no-color", "list", "--limit", "0"), size[0], size[1])
		if exit := s.Wait(t, termtest.Patience); exit.Code != exitDone {
			t.Errorf("%v: exit %+v\n%s", size, exit, s.Output())
		}
		for row := range strings.Lines(string(s.Output())) {
			if n := len([]rune(strings.TrimRight(row, "\r\n"))); size[0] > 0 && n > size[0] {
				t.Errorf("%v: %d runes in %q", size, n, row)
			}
		}
	}
}

func TestInterruptedImport(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"--plain", "--json"} {
		home := t.TempDir()
		cmd := program(t, home, flag, "import", "-")
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// The pipe holds less than this, so that akx is reading once it is written.
		if _, err := stdin.Write(sample.Text()); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
			t.Errorf("%s: exit code %d\n%s%s", flag, code, stdout.String(), stderr.String())
		}
		if want := map[string]string{"--plain": "interrupted", "--json": `"code":"cancelled"`}[flag]; !strings.Contains(stderr.String(), want) {
			t.Errorf("%s: %s", flag, stderr.String())
		}
		if out, err := program(t, home, "list").CombinedOutput(); err != nil {
			t.Errorf("the cache after an interruption: %v\n%s", err, out)
		}
	}
}

func TestClosedPipeIsQuiet(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	cmd := program(t, t.TempDir(), "--sample", "list", "--limit", "0")
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = w, &stderr
	_ = cmd.Run()
	w.Close()
	if stderr.Len() > 0 {
		t.Errorf("%s", stderr.String())
	}
}

// Progress is told after the first second: as a bar on a terminal, or as events.
func TestProgress(t *testing.T) {
	t.Parallel()
	out, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	a := &app{stdout: out, stderr: out, settings: defaults(), getenv: os.Getenv}
	a.flags.json = true
	a.events = report.NewStream(out, out)
	m := a.meter("importing", input{name: "big\x1b.jsonl", size: 1000})
	m.see(explore.Progress{Bytes: 1})
	m.started = time.Now().Add(-2 * quietFor)
	m.see(explore.Progress{Bytes: 500, Objects: 7, Added: 6, Refused: 1})
	m.see(explore.Progress{Bytes: 501})
	text, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"kind":"progress","progress":{"message":"importing","file":"big\u001b.jsonl","read_bytes":500,"total_bytes":1000,"object_count":7,"added_count":6,"held_count":0,"pending_count":0,"refused_count":1},"trace":{}}` + "\n"
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	if bar := drawnBar(t); !strings.HasPrefix(bar, "\r\x1b[Kimporting  [##########..........]  50%  7 objects") || !strings.HasSuffix(bar, "\r\x1b[K") {
		t.Errorf("the bar is %q", bar)
	}
	m.started = time.Now().Add(-time.Hour)
	if line := m.line(explore.Progress{Bytes: 500, Objects: 7, Refused: 1}); line != "importing  [##########..........]  50%  7 objects, 0/s, 1 refused" {
		t.Error(line)
	}
}

// drawnBar is what a meter writes to a terminal.
func drawnBar(t *testing.T) string {
	t.Helper()
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	defer ptmx.Close()
	defer tty.Close()
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	a := &app{stderr: tty, settings: defaults(), getenv: func(string) string { return "xterm" }}
	m := a.meter("importing", input{name: "big.jsonl", size: 1000})
	m.started = time.Now().Add(-2 * quietFor)
	m.see(explore.Progress{Bytes: 500, Objects: 7})
	m.done()
	if _, err := tty.WriteString("end"); err != nil {
		t.Fatal(err)
	}
	var text []byte
	for buf := make([]byte, 1024); !bytes.HasSuffix(text, []byte("end")); {
		n, err := ptmx.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, buf[:n]...)
	}
	return strings.TrimSuffix(string(text), "end")
}
