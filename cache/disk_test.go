package cache

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"akx/view"
	"akx/view/fault"
	"akx/view/wire"
)

func TestReadingMakesNothing(t *testing.T) {
	home := filepath.Join(t.TempDir(), "a", "home")
	c := mustOpen(t, home, Options{})
	err := c.Read(t.Context(), func(s view.Snapshot) error {
		rows := 0
		err := s.Scan(t.Context(), view.Query{}, func([]uint64) bool { rows++; return true })
		if rows > 0 || s.Scope().Checkpoint != 0 || s.Scope().Origin != view.ThisCache || !s.Scope().Complete {
			t.Errorf("an empty home has rows, or no scope: %+v", s.Scope())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	refusal := fault.Refuse(fault.StepParse, "", "torn")
	out, err := c.Accept(t.Context(), fromFile, []wire.Item{{Refusal: refusal}, {}})
	if err != nil || out[0].Refusal != refusal || out[1].Status != wire.Refused {
		t.Errorf("refused input gave %+v, %v", out, err)
	}
	if n, err := c.DropPending(t.Context(), nil); n != 0 || err != nil {
		t.Errorf("dropping nothing gave %d, %v", n, err)
	}
	if state, err := c.LoadState(t.Context()); state != nil || err != nil {
		t.Errorf("no state gave %q, %v", state, err)
	}
	if found, err := Check(t.Context(), home); len(found) > 0 || err != nil {
		t.Errorf("Check: %v, %v", found, err)
	}
	if before, after, err := Compact(t.Context(), home, Options{}); before+after != 0 || err != nil {
		t.Errorf("Compact: %d, %d, %v", before, after, err)
	}
	if _, err := os.Stat(filepath.Dir(home)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading made something: %v", err)
	}
}

func TestModesOfAHome(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	c := mustOpen(t, home, Options{})
	importFew(t, c)
	if err := c.SaveState(t.Context(), []byte("place")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{"": 0o700, cacheName: 0o600, ownName: 0o600, cacheName + ".lock": 0o600, cacheName + ".queue": 0o600} {
		info, err := os.Stat(filepath.Join(home, name))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%q: %v, %v", name, info.Mode(), err)
		}
	}
	if err := os.Chmod(home, 0o755); err != nil {
		t.Fatal(err)
	}
	if found, err := Check(t.Context(), home); err != nil || len(found) != 1 || found[0].Code != "" || found[0].Hint == "" {
		t.Errorf("Check of an open home: %+v, %v", found, err)
	}
}

func TestStateOfTheScreen(t *testing.T) {
	home := t.TempDir()
	c := mustOpen(t, home, Options{})
	for _, state := range []string{"first", "", "second"} {
		if err := c.SaveState(t.Context(), []byte(state)); err != nil {
			t.Fatal(err)
		}
		got, err := mustOpen(t, home, Options{}).LoadState(t.Context())
		if err != nil || string(got) != state {
			t.Errorf("%q, %v", got, err)
		}
	}
	if err := c.SaveState(t.Context(), make([]byte, maxState+1)); codeOf(err) != fault.UsageCode {
		t.Errorf("too large a state gave %v", err)
	}
	if _, err := os.Stat(filepath.Join(home, cacheName)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the state of the screen made a cache: %v", err)
	}
}

func TestRoles(t *testing.T) {
	home := t.TempDir()
	importFew(t, mustOpen(t, home, Options{Role: Service}))
	if _, err := Open(t.Context(), home, Options{}); codeOf(err) != fault.UsageCode {
		t.Errorf("a reader opened a service's home: %v", err)
	}
	mustOpen(t, home, Options{Role: Service})
	if _, err := Open(t.Context(), "", Options{}); codeOf(err) != fault.UsageCode {
		t.Errorf("no home: %v", err)
	}
}

func TestReadOnlyOption(t *testing.T) {
	home := t.TempDir()
	items := importFew(t, mustOpen(t, home, Options{}))
	c := mustOpen(t, home, Options{ReadOnly: true})
	_, acceptErr := c.Accept(t.Context(), fromFile, items)
	_, dropErr := c.DropPending(t.Context(), nil)
	for _, err := range []error{acceptErr, dropErr, c.SaveState(t.Context(), nil), c.Withhold(t.Context(), items[0].Offer.Envelope().ID(), true)} {
		if codeOf(err) != fault.ReadOnly {
			t.Errorf("got %v", err)
		}
	}
}

func TestClosed(t *testing.T) {
	home := t.TempDir()
	c := mustOpen(t, home, Options{})
	importFew(t, c)
	c.Close()
	c.Close()
	if _, err := c.Stats(t.Context()); err != nil && codeOf(err) != fault.UsageCode {
		t.Errorf("got %v", err)
	}
	if _, err := c.Accept(t.Context(), fromFile, few(t, 1)); codeOf(err) != fault.UsageCode {
		t.Errorf("got %v", err)
	}
}

func TestCompact(t *testing.T) {
	home := t.TempDir()
	c := mustOpen(t, home, Options{})
	items := few(t, 100)
	for i := range items {
		accept(t, c, items[i:i+1], wire.Added)
	}
	want, _ := readAll(t, c, items)
	before, after, err := Compact(t.Context(), home, Options{})
	if err != nil || after >= before || after == 0 {
		t.Errorf("from %d to %d bytes, %v", before, after, err)
	}
	got, damage := readAll(t, c, items)
	if damage > 0 || len(got.events) != len(want.events) || len(got.links) != len(want.links) {
		t.Errorf("%d damages, %d events", damage, len(got.events))
	}
	out := accept(t, c, few(t, 101)[100:], wire.Added)
	if out[0].Number != 101 {
		t.Errorf("the next number is %d", out[0].Number)
	}
	sound(t, home)
}

// Events that come one at a time take no more room than those of one import.
func TestSmallTransactionsFillPacks(t *testing.T) {
	items := few(t, 120)
	sizes := make(map[int]int64)
	for _, size := range []int{1, 120} {
		home := t.TempDir()
		c := mustOpen(t, home, Options{})
		for i := 0; i < len(items); i += size {
			accept(t, c, items[i:i+size], wire.Added)
		}
		_, after, err := Compact(t.Context(), home, Options{})
		if err != nil {
			t.Fatal(err)
		}
		sizes[size] = after
		sound(t, home)
	}
	if sizes[1] > sizes[120]*11/10 {
		t.Errorf("%d bytes one at a time, %d at once", sizes[1], sizes[120])
	}
}

// mounted gives a folder on a small disk of its own.
func mounted(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("no disk can be mounted here: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	return dir
}

func TestReadOnlyDisk(t *testing.T) {
	for _, locks := range []bool{true, false} {
		disk := mounted(t, "size=16m")
		home := filepath.Join(disk, "home")
		c := mustOpen(t, home, Options{})
		items := importFew(t, c)
		c.Close()
		if !locks {
			for _, name := range []string{cacheName + ".queue", cacheName + ".lock"} {
				if err := os.Remove(filepath.Join(home, name)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if out, err := exec.Command("mount", "-o", "remount,ro", disk).CombinedOutput(); err != nil {
			t.Skipf("no disk can be made read-only here: %v: %s", err, out)
		}
		c = mustOpen(t, home, Options{})
		if all, damage := readAll(t, c, items); damage > 0 || len(all.events) != len(items) {
			t.Errorf("%d damages, %d events", damage, len(all.events))
		}
		_, err := c.Accept(t.Context(), fromFile, items)
		var u *fault.Unavailable
		if !errors.As(err, &u) || u.Code != fault.ReadOnly || u.Hint == "" {
			t.Errorf("writing gave %v", err)
		}
		if err := c.SaveState(t.Context(), nil); codeOf(err) != fault.ReadOnly {
			t.Errorf("saving the state gave %v", err)
		}
		if _, err := Check(t.Context(), home); err != nil {
			t.Errorf("Check: %v", err)
		}
		other := mustOpen(t, filepath.Join(disk, "new"), Options{})
		if _, err := other.Accept(t.Context(), fromFile, items); codeOf(err) != fault.ReadOnly {
			t.Errorf("a new home there gave %v", err)
		}
		c.Close()
	}
}

func TestFullDisk(t *testing.T) {
	disk := mounted(t, "size=4m")
	home := filepath.Join(disk, "home")
	c := mustOpen(t, home, Options{})
	kept := importFew(t, c)
	ballast := filepath.Join(disk, "ballast")
	fill(t, ballast)
	more := few(t, 2000)[60:]
	var err error
	for i := 0; i+100 <= len(more) && err == nil; i += 100 {
		if _, err = c.Accept(t.Context(), fromFile, more[i:i+100]); err == nil {
			kept = append(kept, more[i:i+100]...)
		}
	}
	var u *fault.Unavailable
	if !errors.As(err, &u) || u.Code != fault.UnavailableCode || !u.Retry || u.Hint == "" || !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("a full disk gave %v", err)
	}
	if all, damage := readAll(t, c, kept); damage > 0 || len(all.events) != len(kept) {
		t.Errorf("%d damages, %d events of %d", damage, len(all.events), len(kept))
	}
	if _, _, err := Compact(t.Context(), home, Options{}); err != nil && !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("compacting gave %v", err)
	}
	sound(t, home)
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	next := len(kept)
	accept(t, c, few(t, next+10)[next:], wire.Added)
	sound(t, home)
}

// fill writes zeros until the disk is full.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for block := make([]byte, 64<<10); len(block) > 0; {
		if _, err := f.Write(block); err != nil {
			block = block[:len(block)/2]
		}
	}
}

// A home that another user may not read. The test binary and its folders may lie
// below folders that only root enters, so the child runs from a descriptor.
func TestNoPermission(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can become another user")
	}
	home := mounted(t, "size=8m,mode=755")
	c := mustOpen(t, home, Options{})
	importFew(t, c)
	c.Close()
	before, err := os.ReadFile(filepath.Join(home, cacheName))
	if err != nil {
		t.Fatal(err)
	}
	// The folder of the mount is below t.TempDir: let others come to it.
	for dir := filepath.Dir(home); dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	binary, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Skipf("no /proc here: %v", err)
	}
	defer binary.Close()
	cmd := exec.Command("/proc/self/fd/3", home)
	cmd.ExtraFiles, cmd.Dir = []*os.File{binary}, "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	other := start(t, cmd, "open")
	if got := other.line(); got != "read unavailable" {
		t.Errorf("another user: %q", got)
	}
	other.finish()
	after, err := os.ReadFile(filepath.Join(home, cacheName))
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file changed: %v", err)
	}
}
