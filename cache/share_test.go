package cache

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"akx/view"
	"akx/view/fault"
)

func codeOf(err error) fault.Code {
	var coded fault.Coded
	if errors.As(err, &coded) {
		return coded.FaultCode()
	}
	return ""
}

func mustOpen(t testing.TB, home string, o Options) *Cache {
	t.Helper()
	c, err := Open(t.Context(), home, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// sound expects that Check and bbolt's own check find nothing in a home.
func sound(t testing.TB, home string) {
	t.Helper()
	found, err := Check(t.Context(), home)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if f.Code != "" {
			t.Errorf("%s: %s (%d): %s", f.What, f.Detail, f.Count, f.Hint)
		}
	}
	if _, err := os.Stat(filepath.Join(home, cacheName)); errors.Is(err, os.ErrNotExist) {
		return
	}
	db, err := bolt.Open(filepath.Join(home, cacheName), 0o600, &bolt.Options{ReadOnly: true, Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.View(func(tx *bolt.Tx) error {
		var all error
		for err := range tx.Check() {
			all = errors.Join(all, err)
		}
		return all
	})
	if err != nil {
		t.Error(err)
	}
}

func TestReaderBesideImporter(t *testing.T) {
	const batch, events = 100, 2000
	home := filepath.Join(t.TempDir(), "home")
	importer := startChild(t, "import", home, corpusOfSeed(t, events, 1), fmt.Sprint(batch), "0")
	importer.line()
	importer.line() // the home exists now
	c := mustOpen(t, home, Options{Command: "akx list"})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		importer.finish()
	}()
	reads, last := 0, uint64(0)
	for running := true; running; {
		select {
		case <-ended:
			running = false
		default:
		}
		err := c.Read(t.Context(), func(s view.Snapshot) error {
			now := s.Scope().Checkpoint
			if now < last || now%batch != 0 {
				t.Errorf("a read saw %d events after %d, in batches of %d", now, last, batch)
			}
			last = now
			rows := 0
			err := s.Scan(t.Context(), view.Query{}, func(numbers []uint64) bool {
				rows += len(numbers)
				return true
			})
			if uint64(rows) != now {
				t.Errorf("a list had %d rows of %d", rows, now)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		reads++
	}
	if last != events || reads < 10 {
		t.Errorf("%d reads, the last one of %d events", reads, last)
	}
	sound(t, home)
}

func TestTwoImportersShare(t *testing.T) {
	const events = 1000
	home := filepath.Join(t.TempDir(), "home")
	files := []string{corpusOfSeed(t, events, 1), corpusOfSeed(t, events, 2)}
	a := startChild(t, "import", home, files[0], "50", "0")
	b := startChild(t, "import", home, files[1], "50", "0")
	for _, c := range []*child{a, b} {
		if got, want := c.finish(), fmt.Sprintf("done %d %d", events, events); got != want {
			t.Errorf("a child ended with %q, not %q", got, want)
		}
	}
	c := mustOpen(t, home, Options{})
	stats, err := c.Stats(t.Context())
	if err != nil || stats.Events != 2*events || stats.LastNumber != 2*events {
		t.Errorf("%+v, %v", stats, err)
	}
	sound(t, home)
}

func TestLockedSaysWhoHoldsIt(t *testing.T) {
	home := t.TempDir()
	c := mustOpen(t, home, Options{})
	if err := c.SaveState(t.Context(), []byte("x")); err != nil {
		t.Fatal(err)
	}
	importFew(t, c)
	c.Close()
	holder := startChild(t, "hold", home)
	if holder.line() != "held" {
		t.Fatal("the child does not hold the lease")
	}

	_, err := Open(t.Context(), home, Options{Patience: 20 * time.Millisecond})
	var locked *fault.Unavailable
	want := fmt.Sprintf("akx hold (process %d)", holder.cmd.Process.Pid)
	if !errors.As(err, &locked) || locked.Code != fault.Locked || !locked.Retry || locked.Hint == "" || !strings.Contains(locked.Detail, want) {
		t.Errorf("got %v, want locked by %s", err, want)
	}

	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := Open(ctx, home, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled wait gave %v", err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := Open(ctx, home, Options{}); codeOf(err) != fault.Locked || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a wait that ran out gave %v", err)
	}

	holder.stdin.Close()
	mustOpen(t, home, Options{})
	holder.finish()
}

// A write within a read of the same goroutine cannot go on; it ends all the same.
func TestWritingWithinARead(t *testing.T) {
	home := t.TempDir()
	writer := mustOpen(t, home, Options{})
	importFew(t, writer)
	writer.Close()
	c := mustOpen(t, home, Options{Patience: 20 * time.Millisecond})
	err := c.Read(t.Context(), func(view.Snapshot) error {
		_, err := c.DropPending(t.Context(), nil)
		return err
	})
	if codeOf(err) != fault.Locked {
		t.Errorf("got %v", err)
	}
	if _, err := c.Stats(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestAHolderThatWasKilledHoldsNothing(t *testing.T) {
	home := t.TempDir()
	holder := startChild(t, "hold", home)
	holder.line()
	holder.kill()
	l := lease{base: filepath.Join(home, cacheName)}
	if got := l.holders(); len(got) > 0 {
		t.Errorf("a dead process holds the lease: %v", got)
	}
	held, err := l.acquire(t.Context(), true, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	held.release()
}

// Kill -9 at any moment loses at most the transaction that was going on.
func TestKilledImportLosesAtMostOneBatch(t *testing.T) {
	rounds, events := 12, 2500
	if testing.Short() {
		rounds, events = 6, 2000
	}
	const batch = 7
	file := corpusOfSeed(t, events, 3)
	home := filepath.Join(t.TempDir(), "home")
	var held uint64
	for round := range rounds {
		if held >= uint64(events)-batch {
			break
		}
		importer := startChild(t, "import", home, file, fmt.Sprint(batch), fmt.Sprint(held))
		done := held
		for range 1 + round*5%37 {
			if _, err := fmt.Sscanf(importer.line(), "done %d", &done); err != nil && done != held {
				break
			}
		}
		importer.kill()
		stats := statsOf(t, home)
		if stats.LastNumber < done || stats.Events != stats.LastNumber {
			t.Fatalf("round %d: %d lines were said to be kept, %+v is", round, done, stats)
		}
		if (stats.LastNumber-held)%batch != 0 && stats.LastNumber != uint64(events) {
			t.Fatalf("round %d: a part of a batch was kept: %d after %d", round, stats.LastNumber, held)
		}
		held = stats.LastNumber
		if round%6 == 5 {
			sound(t, home)
		}
	}
	if held == 0 {
		t.Fatal("no round kept anything")
	}
	sound(t, home)
}

// A process that dies while it makes a home leaves one that works.
func TestKilledAtCreation(t *testing.T) {
	file := corpusOfSeed(t, 20, 4)
	for range 6 {
		home := filepath.Join(t.TempDir(), "home")
		importer := startChild(t, "import", home, file, "20", "0")
		importer.line()
		for {
			if _, err := os.Stat(home); err == nil || importer.line() == "" {
				break
			}
		}
		importer.kill()
		again := startChild(t, "import", home, file, "20", "0")
		again.finish()
		if got := statsOf(t, home).Events; got != 20 {
			t.Fatalf("%d events", got)
		}
		sound(t, home)
	}
}

func statsOf(t testing.TB, home string) view.Stats {
	t.Helper()
	c, err := Open(t.Context(), home, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	stats, err := c.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return stats
}
