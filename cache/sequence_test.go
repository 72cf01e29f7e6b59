package cache

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/wire"
)

// serviceHome is a home of a service with the first n of a few events, and those.
func serviceHome(t *testing.T, n int) (string, []wire.Item) {
	t.Helper()
	home := filepath.Join(t.TempDir(), "home")
	if err := Create(t.Context(), home, Options{Role: Service}); err != nil {
		t.Fatal(err)
	}
	c := mustOpen(t, home, Options{Role: Service})
	items := few(t, 60)
	accept(t, c, items[:n], wire.Added)
	c.Close()
	return home, items
}

func submit(t *testing.T, c *Cache, item wire.Item) (wire.Record, error) {
	t.Helper()
	r, _, err := c.Submit(t.Context(), item.Offer, capsule.Terms{Now: c.clock(), Skew: capsule.DefaultSkew})
	return r, err
}

func keepFile(t *testing.T, path string) (restore func()) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func wantDamaged(t *testing.T, what string, err error) {
	t.Helper()
	var d *fault.Damaged
	if !errors.As(err, &d) || d.Hint == "" {
		t.Errorf("%s: %v", what, err)
	}
}

// TestRestoredDatabase83: an older copy of the database gives no number again.
func TestRestoredDatabase83(t *testing.T) {
	home, items := serviceHome(t, 10)
	old := keepFile(t, filepath.Join(home, cacheName))
	c := mustOpen(t, home, Options{Role: Service})
	for i := 10; i < 15; i++ {
		if r, err := submit(t, c, items[i]); err != nil || r.Seq != uint64(i+1) {
			t.Fatal(r.Seq, err)
		}
	}
	c.Close()
	old()
	c = mustOpen(t, home, Options{Role: Service})
	_, err := c.Checkpoint(t.Context())
	wantDamaged(t, "checkpoint of an older copy", err)
	_, err = submit(t, c, items[20])
	wantDamaged(t, "submission to an older copy", err)
	if high, err := c.Restored(t.Context()); err != nil || high != 15 {
		t.Fatal(high, err)
	}
	if high, err := c.Checkpoint(t.Context()); err != nil || high != 15 {
		t.Errorf("checkpoint %d, %v: those who followed to 15 could not go on", high, err)
	}
	if r, err := submit(t, c, items[10]); err != nil || r.Seq != 16 {
		t.Errorf("seq %d, %v", r.Seq, err)
	}
	if found, err := Check(t.Context(), home); err != nil || len(found) > 0 {
		t.Errorf("Check: %+v, %v", found, err)
	}
}

// A commit that failed after its numbers were reserved leaves a gap.
func TestReservedNumbersAreNotGivenAgain83(t *testing.T) {
	home, items := serviceHome(t, 10)
	if err := (sequence{reserved: 12, committed: 10, turn: 9}).write(home); err != nil {
		t.Fatal(err)
	}
	c := mustOpen(t, home, Options{Role: Service})
	if high, err := c.Checkpoint(t.Context()); err != nil || high != 10 {
		t.Errorf("checkpoint %d, %v", high, err)
	}
	if r, err := submit(t, c, items[10]); err != nil || r.Seq != 13 {
		t.Errorf("seq %d, %v", r.Seq, err)
	}
	if s, err := readSequence(home); err != nil || s != (sequence{reserved: 13, committed: 10, turn: 10}) {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestBadSequenceFiles83(t *testing.T) {
	for name, bad := range map[string]func(string) error{
		"gone":      os.Remove,
		"empty":     func(p string) error { return os.WriteFile(p, nil, 0o600) },
		"cut":       func(p string) error { return os.Truncate(p, 20) },
		"senseless": func(p string) error { return os.WriteFile(p, make([]byte, 4096), 0o600) },
	} {
		home, items := serviceHome(t, 10)
		if err := bad(filepath.Join(home, sequenceName)); err != nil {
			t.Fatal(err)
		}
		c := mustOpen(t, home, Options{Role: Service})
		_, err := c.Checkpoint(t.Context())
		wantDamaged(t, name, err)
		_, err = submit(t, c, items[10])
		wantDamaged(t, name, err)
		if high, err := c.Restored(t.Context()); err != nil || high != 10+unknownNumbers {
			t.Errorf("%s: %d, %v", name, high, err)
		}
		if r, err := submit(t, c, items[10]); err != nil || r.Seq != 11+unknownNumbers {
			t.Errorf("%s: seq %d, %v", name, r.Seq, err)
		}
	}
}

// Both files from one older copy: nothing here can see it, so the one who knows is
// answered with numbers far ahead.
func TestRestoredHome83(t *testing.T) {
	home, items := serviceHome(t, 10)
	c := mustOpen(t, home, Options{Role: Service})
	if high, err := c.Restored(t.Context()); err != nil || high != 10+unknownNumbers {
		t.Errorf("%d, %v", high, err)
	}
	if r, err := submit(t, c, items[10]); err != nil || r.Seq != 11+unknownNumbers {
		t.Errorf("seq %d, %v", r.Seq, err)
	}
}

func TestTornSequenceWrite(t *testing.T) {
	home := t.TempDir()
	for turn := uint64(1); turn <= 3; turn++ {
		if err := (sequence{reserved: 10 * turn, committed: turn, turn: turn}).write(home); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.OpenFile(filepath.Join(home, sequenceName), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt([]byte("torn"), 3%2*sequencePlace+20)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	if s, err := readSequence(home); err != nil || s != (sequence{reserved: 20, committed: 2, turn: 2}) {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestReadersHaveNoSequence(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	c := mustOpen(t, home, Options{})
	importFew(t, c)
	if _, err := os.Stat(filepath.Join(home, sequenceName)); !os.IsNotExist(err) {
		t.Errorf("a reader's home has a sequence file: %v", err)
	}
	var usage *fault.Usage
	if _, err := c.Restored(t.Context()); !errors.As(err, &usage) {
		t.Errorf("got %v", err)
	}
	if err := Create(t.Context(), home, Options{Role: Service}); !errors.As(err, &usage) {
		t.Errorf("a service over a reader's home: %v", err)
	}
}
