package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"akx/cache/keyring"
	"akx/ui/termtest"
)

// TestNoCoreDump: a crash of akx leaves no memory behind, whatever the shell allows.
func TestNoCoreDump(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("reads the limits of a process from /proc")
	}
	var before unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_CORE, &before); err != nil || before.Max == 0 {
		t.Skipf("no core files can be written here: %+v, %v", before, err)
	}
	home := t.TempDir()
	// The shell raises the limit for itself and what it starts.
	inShell := func(path string, args ...string) *exec.Cmd {
		cmd := exec.Command("/bin/sh", append([]string{"-c", `ulimit -S -c "$(ulimit -H -c)"; exec "$0" "$@"`, path}, args...)...)
		cmd.Env = []string{"HOME=" + home, "TERM=xterm-256color", "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH"), "GOTRACEBACK=crash"}
		cmd.Dir = home
		return cmd
	}
	control := inShell("/bin/sh", "-c", "kill -ABRT $$")
	_ = control.Run()
	if status := control.ProcessState.Sys().(syscall.WaitStatus); !status.CoreDump() {
		t.Skipf("no core is written here by any program: %v", control.ProcessState)
	}
	path, err := exec.LookPath("akx")
	if err != nil {
		t.Fatal(err)
	}
	cmd := inShell(path, "key", "new", "--name", "main")
	s := termtest.Start(t, cmd, 80, 24)
	s.UntilText(t, "New passphrase of key main")
	limits, err := os.ReadFile("/proc/" + strconv.Itoa(s.Pid()) + "/limits")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(limits), "Max core file size        0 ") {
		t.Errorf("the limits of akx:\n%s", limits)
	}
	s.Signal(syscall.SIGABRT)
	exit := s.Wait(t, termtest.Patience)
	if exit.Signal != syscall.SIGABRT {
		t.Errorf("exit %+v\n%s", exit, s.Output())
	}
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); status.CoreDump() {
		left, _ := filepath.Glob(filepath.Join(home, "core*"))
		t.Errorf("a core was written: %v", left)
	}
}

// A line of a terminal is read into memory of one piece, and what is too long for a
// passphrase is seen to be so.
func TestReadTyped(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 2*keyring.MaxPassphrase)
	for typed, want := range map[string]string{"a b\nrest": "a b", "\n": "", long + "\n": long[:keyring.MaxPassphrase+1]} {
		got, err := readTyped(strings.NewReader(typed))
		if err != nil || string(got) != want || cap(got) != keyring.MaxPassphrase+1 {
			t.Errorf("%.10q: %.10q, room for %d, %v", typed, got, cap(got), err)
		}
	}
	if got, err := readTyped(bytes.NewReader([]byte("cut"))); err != io.EOF || got != nil {
		t.Errorf("a line that was cut off: %q, %v", got, err)
	}
}
