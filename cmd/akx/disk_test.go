package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"akx/explore/sample"
)

// asRoot skips where the test may not do what it needs.
func asRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root: it mounts a disk or changes the user")
	}
}

// disk mounts a small disk in memory and takes it away at the end.
func disk(t *testing.T, size string) string {
	t.Helper()
	asRoot(t)
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("cannot mount a disk in memory: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Errorf("unmount %s: %v", dir, err)
		}
	})
	return dir
}

func output(cmd *exec.Cmd) (text string, code int) {
	out, _ := cmd.CombinedOutput()
	return string(out), cmd.ProcessState.ExitCode()
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := disk(t, "96k")
	cmd := program(t, t.TempDir(), "--home", filepath.Join(dir, "akx"), "import", "-")
	cmd.Stdin = bytes.NewReader(sample.Text())
	if text, code := output(cmd); code != exitFailed || !strings.Contains(text, "the disk is full") || !strings.Contains(text, "free some space") {
		t.Errorf("exit code %d\n%s", code, text)
	}
}

func TestReadOnlyDisk(t *testing.T) {
	t.Parallel()
	dir := disk(t, "16m")
	home := filepath.Join(dir, "akx")
	cmd := program(t, t.TempDir(), "--home", home, "import", "-")
	cmd.Stdin = bytes.NewReader(sample.Text())
	if text, code := output(cmd); code != exitDone {
		t.Fatalf("exit code %d\n%s", code, text)
	}
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("cannot make the disk read-only: %v", err)
	}
	if text, code := output(program(t, t.TempDir(), "--home", home, "list", "--limit", "1")); code != exitDone || !strings.Contains(text, "1 of 101 events") {
		t.Errorf("reading: exit code %d\n%s", code, text)
	}
	cmd = program(t, t.TempDir(), "--json", "--home", home, "import", "-")
	cmd.Stdin = strings.NewReader(sign(t1, 1, "one more", [32]byte{}).Text())
	if text, code := output(cmd); code != exitFailed || !strings.Contains(text, `"code":"read_only"`) {
		t.Errorf("writing: exit code %d\n%s", code, text)
	}
}

// Everybody is root in many test environments, and root reads everything: another
// user is needed to see a refusal.
func TestNoPermission(t *testing.T) {
	t.Parallel()
	asRoot(t)
	dir, err := os.MkdirTemp("/tmp", "akx-permission-")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	open, secret := filepath.Join(dir, "open.json"), filepath.Join(dir, "secret.json")
	home := filepath.Join(dir, "home")
	for _, err := range []error{
		os.Chmod(dir, 0o755), os.Mkdir(home, 0o700), os.Chown(home, nobody, nobody),
		os.WriteFile(open, []byte(sign(t1, 1, "readable", [32]byte{}).Text()), 0o644),
		os.WriteFile(secret, sample.Text(), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	text, code := output(asNobody(t, home, "import", secret, open))
	if code != exitFailed || !strings.Contains(text, "secret.json: permission denied") || !strings.Contains(text, "1 added") {
		t.Errorf("exit code %d\n%s", code, text)
	}
	if err := os.Chown(filepath.Join(home, ".local/share/akx"), 0, 0); err != nil {
		t.Fatal(err)
	}
	if text, code := output(asNobody(t, home, "list")); code != exitFailed || !strings.Contains(text, "permission denied") {
		t.Errorf("a home of another user: exit code %d\n%s", code, text)
	}
}

const nobody = 65534

// asNobody runs akx as a user without rights. The test binary stands in a folder
// that only root can enter, so it is handed over as an open file.
func asNobody(t *testing.T, home string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { self.Close() })
	return &exec.Cmd{
		Path: "/proc/self/fd/3", Args: append([]string{"akx"}, args...), Dir: "/", ExtraFiles: []*os.File{self},
		Env:         []string{"HOME=" + home, "TERM=xterm"},
		SysProcAttr: &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}},
	}
}

// One line of 2 GB is refused, and what follows it is kept.
func TestHugeLine(t *testing.T) {
	t.Parallel()
	size := int64(2 << 30)
	if testing.Short() {
		size = 64 << 20
	}
	home := t.TempDir()
	path := filepath.Join(home, "huge.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	event := sign(t1, 1, "after it", [32]byte{}).Text()
	// The hole of a sparse file reads as zero bytes.
	for at, text := range map[int64]string{0: `{"hash":"`, size: "\"}\n" + event + "\n"} {
		if _, err := f.WriteAt([]byte(text), at); err != nil {
			t.Fatal(err)
		}
	}
	f.Close()
	text, code := output(program(t, home, "import", path))
	if code != exitFailed || !strings.Contains(text, "1 added, 0 already held, 0 pending, 1 refused") {
		t.Errorf("exit code %d\n%s", code, text)
	}
}

// An envelope over the local limit is told as that: it is not invalid.
func TestLocalLimit(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	verify := func(title int) (string, int) {
		cmd := program(t, home, "verify", "-")
		cmd.Stdin = strings.NewReader(sign(t1, 1, strings.Repeat("x", title), [32]byte{}).Text())
		return output(cmd)
	}
	if text, code := verify(300_000); code != exitFailed || !strings.Contains(text, "payload_too_large (local limit)") {
		t.Errorf("exit code %d\n%s", code, text)
	}
	if text, code := verify(3_000); code != exitDone || !strings.Contains(text, "1 proven") {
		t.Errorf("exit code %d\n%s", code, text)
	}
	config := filepath.Join(home, ".local/share/akx/config.yaml")
	for _, err := range []error{os.MkdirAll(filepath.Dir(config), 0o700), os.WriteFile(config, []byte("max_envelope_bytes: 2000\n"), 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if text, code := verify(3_000); code != exitFailed || !strings.Contains(text, "payload_too_large (local limit)") {
		t.Errorf("with a lower limit: exit code %d\n%s", code, text)
	}
}

// Two imports into one home at once both end well.
func TestTwoImportsShareAHome(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	done := make(chan string)
	for i := range 2 {
		cmd := program(t, home, "import", "-")
		cmd.Stdin = bytes.NewReader(sample.Text())
		go func() {
			text, code := output(cmd)
			done <- fmt.Sprintf("%d %d %s", i, code, text)
		}()
	}
	for range 2 {
		if text := <-done; !strings.Contains(text, " 0 ") || !strings.Contains(text, "0 refused") {
			t.Error(text)
		}
	}
	if text, _ := output(program(t, home, "list", "--limit", "1")); !strings.Contains(text, "1 of 101 events") {
		t.Error(text)
	}
}
