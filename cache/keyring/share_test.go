package keyring

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// childDir makes the test binary a second process that creates one key.
const childDir = "KEYRING_TEST_DIR"

func TestMain(m *testing.M) {
	dir := os.Getenv(childDir)
	if dir == "" {
		os.Exit(m.Run())
	}
	r, err := New(dir, Options{Cost: cheap})
	if err == nil {
		_, err = r.Create(context.Background(), "ann", pass)
	}
	if err != nil {
		fmt.Println("refused")
		os.Exit(0)
	}
	fmt.Println("created")
}

func TestTwoProcessesOneName(t *testing.T) {
	r := newRing(t, newClock())
	const processes = 6
	var wg sync.WaitGroup
	var mu sync.Mutex
	counts := map[string]int{}
	for range processes {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), childDir+"="+r.dir)
			out, err := cmd.CombinedOutput()
			if err != nil {
				out = []byte(err.Error())
			}
			mu.Lock()
			defer mu.Unlock()
			counts[strings.TrimSpace(string(out))]++
		})
	}
	wg.Wait()
	if counts["created"] != 1 || counts["refused"] != processes-1 {
		t.Fatalf("counts %v", counts)
	}
	if _, err := r.Unlock(t.Context(), "ann", pass); err != nil {
		t.Errorf("the one that was created does not open: %v", err)
	}
}

func TestWaitsForTheLock(t *testing.T) {
	r := newRing(t, newClock())
	create(t, r, "ann")
	lock, err := os.OpenFile(filepath.Join(r.dir, lockFile), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- r.Delete(t.Context(), "ann") }()
	select {
	case err := <-done:
		t.Fatalf("it did not wait: %v", err)
	default:
	}
	lock.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestLeftoversOfACrashAreCleared(t *testing.T) {
	r := newRing(t, newClock())
	create(t, r, "ann")
	left := filepath.Join(r.dir, tempPrefix+"123")
	if err := os.WriteFile(left, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if all, err := r.List(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("listed %v, %v", all, err)
	}
	create(t, r, "bob")
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is there still: %v", err)
	}
}

func TestStrangeFiles(t *testing.T) {
	r := newRing(t, newClock())
	create(t, r, "ann")
	places := map[string]func(path string) error{
		"link":      func(p string) error { return os.Symlink(r.path("ann"), p) },
		"pipe":      func(p string) error { return syscall.Mkfifo(p, 0o600) },
		"folder":    func(p string) error { return os.Mkdir(p, 0o700) },
		"empty":     func(p string) error { return os.WriteFile(p, nil, 0o600) },
		"large":     func(p string) error { return os.WriteFile(p, make([]byte, 1<<20), 0o600) },
		"elsewhere": func(p string) error { return os.Symlink("/etc/hostname", p) },
	}
	for name, place := range places {
		if err := place(r.path(name)); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Unlock(t.Context(), name, pass); !isDamaged(err) {
			t.Errorf("a %s gives %v", name, err)
		}
		if _, err := r.Create(t.Context(), name, pass); !isUsage(err) {
			t.Errorf("a key in the place of a %s gives %v", name, err)
		}
	}
	all, err := r.List(t.Context())
	if err != nil || len(all) != 1+len(places) {
		t.Errorf("listed %v, %v", all, err)
	}
	if err := r.Delete(t.Context(), "link"); err != nil {
		t.Error(err)
	}
	if _, err := r.Unlock(t.Context(), "ann", pass); err != nil {
		t.Errorf("deleting a link deleted what it points at: %v", err)
	}
}
