package keyring

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"akx/view/fault"
	"akx/view/identity"
)

var (
	cheap = Cost{Time: 1, Memory: 64, Threads: 1}
	pass  = []byte("correct horse")
	wrong = []byte("battery staple")
)

// clock is a clock of the test's own, with its timers.
type clock struct {
	mu     sync.Mutex
	at     time.Time
	timers []func()
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) afterFunc(_ time.Duration, f func()) func() bool {
	c.timers = append(c.timers, f)
	return func() bool { return true }
}

func newClock() *clock { return &clock{at: time.UnixMilli(1_748_000_000_000)} }

func newRing(t *testing.T, c *clock) *Ring {
	t.Helper()
	return openRing(t, filepath.Join(t.TempDir(), "keys"), c)
}

func openRing(t *testing.T, dir string, c *clock) *Ring {
	t.Helper()
	r, err := New(dir, Options{Now: c.now, AfterFunc: c.afterFunc, Cost: cheap, Keep: 10 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func create(t *testing.T, r *Ring, name string) Info {
	t.Helper()
	info, err := r.Create(t.Context(), name, pass)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func isUsage(err error) bool {
	var u *fault.Usage
	return errors.As(err, &u)
}

func isDamaged(err error) bool {
	var d *fault.Damaged
	return errors.As(err, &d)
}

func TestCreateListUnlock(t *testing.T) {
	r := newRing(t, newClock())
	if all, err := r.List(t.Context()); err != nil || len(all) != 0 {
		t.Fatalf("an empty home: %v, %v", all, err)
	}
	made := create(t, r, "ann")
	if made.CreatedAt != 1_748_000_000_000 || made.Actor.IsZero() {
		t.Fatalf("made %+v", made)
	}
	all, err := r.List(t.Context())
	if err != nil || len(all) != 1 || all[0].Actor != made.Actor || !all[0].Default || all[0].Exposed {
		t.Fatalf("listed %+v, %v", all, err)
	}
	key, err := r.Unlock(t.Context(), "ann", pass)
	if err != nil || key.Actor() != made.Actor {
		t.Fatalf("unlocked %v, %v", key.Actor(), err)
	}
	draft := identity.Draft{Protocol: "p/1", Type: "t", CreatedAt: 1, Nonce: 1, Payload: identity.ObjectValue()}
	if _, err := identity.Sign(key, draft, identity.Format{Protocol: "p/1"}); err != nil {
		t.Fatalf("the key does not sign: %v", err)
	}
	key.Wipe()
	if kept, ok := r.Key("ann"); !ok || kept.Actor() != made.Actor {
		t.Fatal("wiping the caller's key wiped the kept one")
	}
}

func TestModes(t *testing.T) {
	r := newRing(t, newClock())
	create(t, r, "ann")
	for path, want := range map[string]os.FileMode{r.dir: 0o700, r.path("ann"): 0o600} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, %v", path, info.Mode(), err)
		}
	}
	if err := os.Chmod(r.path("ann"), 0o644); err != nil {
		t.Fatal(err)
	}
	if all, err := r.List(t.Context()); err != nil || !all[0].Exposed {
		t.Errorf("a file that all can read is listed as %+v, %v", all, err)
	}
	if err := os.Chmod(r.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	create(t, r, "bob")
	if info, _ := os.Stat(r.dir); info.Mode().Perm() != 0o700 {
		t.Errorf("the folder stays open: %v", info.Mode())
	}
	left, err := filepath.Glob(filepath.Join(r.dir, tempPrefix+"*"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWrongPassphraseIsNotDamage(t *testing.T) {
	r := newRing(t, newClock())
	create(t, r, "ann")
	_, err := r.Unlock(t.Context(), "ann", wrong)
	if !IsWrongPassphrase(err) || isDamaged(err) {
		t.Fatalf("a wrong passphrase gives %v", err)
	}
	for name, call := range map[string]func() error{
		"export": func() error { _, err := r.Export(t.Context(), "ann", wrong); return err },
		"rename": func() error { return r.Rename(t.Context(), "ann", "bob", wrong) },
	} {
		if err := call(); !IsWrongPassphrase(err) {
			t.Errorf("%s with a wrong passphrase gives %v", name, err)
		}
	}
}

func TestEveryFlippedBitIsDamage(t *testing.T) {
	r := newRing(t, newClock())
	create(t, r, "ann")
	whole, err := os.ReadFile(r.path("ann"))
	if err != nil {
		t.Fatal(err)
	}
	for at := range whole {
		for bit := range 8 {
			text := bytes.Clone(whole)
			text[at] ^= 1 << bit
			if f, err := parseKeyFile("ann.key", text); f != nil || !isDamaged(err) {
				t.Fatalf("bit %d of byte %d flipped gives %v", bit, at, err)
			}
		}
	}
	for n := range whole {
		if _, err := parseKeyFile("ann.key", whole[:n]); !isDamaged(err) {
			t.Fatalf("cut to %d bytes gives %v", n, err)
		}
	}
	if err := os.WriteFile(r.path("ann"), append(whole, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Unlock(t.Context(), "ann", pass); !isDamaged(err) || IsWrongPassphrase(err) {
		t.Errorf("a line more gives %v", err)
	}
	all, err := r.List(t.Context())
	if err != nil || len(all) != 1 || !isDamaged(all[0].Err) {
		t.Errorf("listed as %+v, %v", all, err)
	}
}

// withSum puts a right check sum under body, as somebody who changes a file on
// purpose would.
func withSum(body string) []byte {
	sum := identity.SHA3([]byte(body))
	return []byte(body + sumWord + encode(sum[:]) + "\n")
}

func TestChangedOnPurpose(t *testing.T) {
	r := newRing(t, newClock())
	create(t, r, "ann")
	other := create(t, r, "bob")
	whole, err := os.ReadFile(r.path("ann"))
	if err != nil {
		t.Fatal(err)
	}
	body := string(whole[:bytes.LastIndex(whole, []byte(sumWord))])
	line := func(word, with string) string {
		lines := strings.SplitAfter(body, "\n")
		i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, word) })
		lines[i] = word + with + "\n"
		return strings.Join(lines, "")
	}
	swapped := line("actor ", other.Actor.String())
	if f, err := parseKeyFile("x", withSum(swapped)); err != nil {
		t.Errorf("another Agent ID: %v", err)
	} else if _, err := f.open("x", pass); !IsWrongPassphrase(err) {
		t.Errorf("the Agent ID is not authenticated: %v", err)
	}
	renamed := line("name ", "bob")
	if f, err := parseKeyFile("x", withSum(renamed)); err != nil {
		t.Errorf("another name: %v", err)
	} else if _, err := f.open("x", pass); !IsWrongPassphrase(err) {
		t.Errorf("the name is not authenticated: %v", err)
	}
	newer := strings.Replace(body, magic+"1\n", magic+"2\n", 1)
	var d *fault.Damaged
	if _, err := parseKeyFile("x", withSum(newer)); !errors.As(err, &d) || d.FaultCode() != fault.NewerFormat {
		t.Errorf("a newer format gives %v", err)
	}
	for _, body := range []string{
		line("name ", "../../etc/x"), line("name ", "Ann"), line("name ", ""),
		line("kdf argon2id ", "time=17 memory=64 threads=1 salt=AAAAAAAAAAAAAAAAAAAAAA"),
		line("kdf argon2id ", "time=1 memory=262145 threads=1 salt=AAAAAAAAAAAAAAAAAAAAAA"),
		line("kdf argon2id ", "time=1 memory=64 threads=17 salt=AAAAAAAAAAAAAAAAAAAAAA"),
		line("kdf argon2id ", "time=0 memory=64 threads=1 salt=AAAAAAAAAAAAAAAAAAAAAA"),
		line("kdf argon2id ", "time=1 memory=64 threads=0 salt=AAAAAAAAAAAAAAAAAAAAAA"),
		line("kdf argon2id ", "time=1 memory=7 threads=1 salt=AAAAAAAAAAAAAAAAAAAAAA"),
		line("kdf argon2id ", "time=01 memory=64 threads=1 salt=AAAAAAAAAAAAAAAAAAAAAA"),
		line("created ", "+1"), line("created ", "9999999999999999999999"),
		line("actor ", "did:agent:short"), line("data ", "AAAA"), line("data ", ""),
		body + "more 1\n", "akx-key 1\n", "", "\n",
	} {
		if f, err := parseKeyFile("x", withSum(body)); f != nil || !isDamaged(err) {
			t.Errorf("%q gives %v", body, err)
		}
	}
}

func TestNames(t *testing.T) {
	r := newRing(t, newClock())
	for _, name := range []string{
		"", ".", "..", "../x", "a/b", "/x", "a.key", "Ann", "a b", "a\x00", "é", "-a", "_a", "a\n", strings.Repeat("a", 33), "\u202e",
	} {
		if _, err := r.Create(t.Context(), name, pass); !isUsage(err) {
			t.Errorf("%q gives %v", name, err)
		}
		for _, err := range []error{
			r.Delete(t.Context(), name), r.SetDefault(t.Context(), name), r.Rename(t.Context(), "ann", name, pass),
		} {
			if !isUsage(err) {
				t.Errorf("%q gives %v", name, err)
			}
		}
	}
	if _, err := os.Stat(r.dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a refused name made the folder: %v", err)
	}
	for _, name := range []string{"a", "0", "a-b_c", strings.Repeat("a", 32), "default", "lock"} {
		create(t, r, name)
	}
}

func TestPassphraseRules(t *testing.T) {
	r := newRing(t, newClock())
	for _, p := range [][]byte{nil, {}, bytes.Repeat([]byte{'a'}, MaxPassphrase+1)} {
		if _, err := r.Create(t.Context(), "ann", p); !isUsage(err) {
			t.Errorf("a passphrase of %d bytes gives %v", len(p), err)
		}
	}
	if _, err := r.Create(t.Context(), "ann", []byte("caf\u00e9")); err != nil {
		t.Fatal(err)
	}
	decomposed := []byte("cafe\u0301")
	if _, err := r.Unlock(t.Context(), "ann", decomposed); err != nil {
		t.Errorf("the same letters in another spelling: %v", err)
	}
	if string(decomposed) != "cafe\u0301" {
		t.Error("the caller's passphrase was changed")
	}
}

func TestNeverOverwrites(t *testing.T) {
	r := newRing(t, newClock())
	create(t, r, "ann")
	before, _ := os.ReadFile(r.path("ann"))
	if _, err := r.Create(t.Context(), "ann", pass); !isUsage(err) {
		t.Errorf("the same name again gives %v", err)
	}
	create(t, r, "bob")
	if err := r.Rename(t.Context(), "bob", "ann", pass); !isUsage(err) {
		t.Errorf("renaming onto a name gives %v", err)
	}
	if after, _ := os.ReadFile(r.path("ann")); !bytes.Equal(before, after) {
		t.Error("the file changed")
	}
	s, err := Read([]byte(strings.Repeat("5a", 31)+"5b"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Import(t.Context(), "one", s, pass); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Import(t.Context(), "two", s, pass); !isUsage(err) {
		t.Errorf("the same key under two names gives %v", err)
	}
}

func TestRename(t *testing.T) {
	c := newClock()
	r := newRing(t, c)
	ann := create(t, r, "ann")
	create(t, r, "bob")
	if err := r.SetDefault(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Unlock(t.Context(), "ann", pass); err != nil {
		t.Fatal(err)
	}
	c.at = c.at.Add(time.Hour)
	if err := r.Rename(t.Context(), "ann", "eve", pass); err != nil {
		t.Fatal(err)
	}
	all, err := r.List(t.Context())
	if err != nil || len(all) != 2 || all[1].Name != "eve" || all[1].Actor != ann.Actor || all[1].CreatedAt != ann.CreatedAt || !all[1].Default {
		t.Errorf("listed %+v, %v", all, err)
	}
	if _, ok := r.Key("ann"); ok {
		t.Error("the old name is unlocked still")
	}
	if key, err := r.Unlock(t.Context(), "eve", pass); err != nil || key.Actor() != ann.Actor {
		t.Errorf("the new name does not open: %v", err)
	}
	if err := os.Rename(r.path("bob"), r.path("joe")); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Unlock(t.Context(), "joe", pass); !isDamaged(err) {
		t.Errorf("a file that was moved by hand gives %v", err)
	}
}

func TestDefaultAndDelete(t *testing.T) {
	r := newRing(t, newClock())
	if name, err := r.Default(t.Context()); name != "" || err != nil {
		t.Errorf("no key: %q, %v", name, err)
	}
	if made := create(t, r, "ann"); !made.Default {
		t.Errorf("the first key is made as %+v", made)
	}
	if name, err := r.Default(t.Context()); name != "ann" || err != nil {
		t.Errorf("the only key: %q, %v", name, err)
	}
	if err := os.Remove(filepath.Join(r.dir, defaultFile)); err != nil { // as homes of before have it
		t.Fatal(err)
	}
	create(t, r, "bob")
	if name, err := r.Default(t.Context()); name != "ann" || err != nil {
		t.Errorf("the first of two keys: %q, %v", name, err)
	}
	if err := r.SetDefault(t.Context(), "nobody"); !isUsage(err) {
		t.Errorf("a key that is not there: %v", err)
	}
	if err := r.SetDefault(t.Context(), "bob"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.dir, defaultFile), []byte("../x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Default(t.Context()); !isDamaged(err) {
		t.Errorf("a default that names no key: %v", err)
	}
	if all, err := r.List(t.Context()); err != nil || len(all) != 2 {
		t.Errorf("listed %v, %v", all, err)
	}
	if err := r.SetDefault(t.Context(), "bob"); err != nil {
		t.Fatal(err)
	}
	if err := r.Delete(t.Context(), "bob"); err != nil {
		t.Fatal(err)
	}
	if err := r.Delete(t.Context(), "bob"); !isUsage(err) {
		t.Errorf("deleting twice: %v", err)
	}
	if name, err := r.Default(t.Context()); name != "ann" || err != nil {
		t.Errorf("after deleting the default: %q, %v", name, err)
	}
	if _, err := r.Unlock(t.Context(), "bob", pass); !isUsage(err) {
		t.Errorf("a deleted key: %v", err)
	}
}

func TestUnlockedForATime(t *testing.T) {
	steps := map[string]struct {
		do   func(c *clock, r *Ring)
		held bool
	}{
		"at once":                {func(*clock, *Ring) {}, true},
		"just before":            {func(c *clock, _ *Ring) { c.at = c.at.Add(10*time.Minute - 1) }, true},
		"time is over":           {func(c *clock, _ *Ring) { c.at = c.at.Add(10 * time.Minute) }, false},
		"clock set back":         {func(c *clock, _ *Ring) { c.at = c.at.Add(-time.Second) }, false},
		"timer":                  {func(c *clock, _ *Ring) { c.timers[0]() }, false},
		"locked":                 {func(_ *clock, r *Ring) { r.Lock("ann") }, false},
		"all locked":             {func(_ *clock, r *Ring) { r.LockAll() }, false},
		"late timer, anew":       {func(c *clock, r *Ring) { r.Unlock(context.Background(), "ann", pass); c.timers[0]() }, true},
		"a wrong one after that": {func(_ *clock, r *Ring) { r.Unlock(context.Background(), "ann", wrong) }, true},
	}
	for name, step := range steps {
		t.Run(name, func(t *testing.T) {
			c := newClock()
			r := newRing(t, c)
			create(t, r, "ann")
			if _, ok := r.Key("ann"); ok {
				t.Fatal("unlocked before any passphrase")
			}
			if _, err := r.Unlock(t.Context(), "ann", pass); err != nil {
				t.Fatal(err)
			}
			held := r.held.keys["ann"]
			step.do(c, r)
			if key, ok := r.Key("ann"); ok != step.held || key.Actor().IsZero() == ok {
				t.Errorf("held %v, want %v", ok, step.held)
			}
			if !step.held && **held.secret.seed != [32]byte{} {
				t.Error("the seed is in memory still")
			}
		})
	}
}

func TestKeepNothing(t *testing.T) {
	c := newClock()
	r, err := New(filepath.Join(t.TempDir(), "keys"), Options{Now: c.now, AfterFunc: c.afterFunc, Cost: cheap})
	if err != nil {
		t.Fatal(err)
	}
	create(t, r, "ann")
	if _, err := r.Unlock(t.Context(), "ann", pass); err != nil {
		t.Fatal(err)
	}
	if _, ok := r.Key("ann"); ok {
		t.Error("kept without being asked to")
	}
}

func TestSecretsPrintNothing(t *testing.T) {
	r := newRing(t, newClock())
	s := newSecret([]byte("0123456789abcdefghijklmnopqrstuv"))
	if _, err := r.Import(t.Context(), "ann", s, pass); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Unlock(t.Context(), "ann", pass); err != nil {
		t.Fatal(err)
	}
	exported, err := r.Export(t.Context(), "ann", pass)
	if err != nil {
		t.Fatal(err)
	}
	_, wrongErr := r.Unlock(t.Context(), "ann", wrong)
	_, testErr := Read([]byte(strings.Repeat("21", 32)), nil)
	type wrap struct {
		Open   any
		closed any
	}
	values := map[string]any{
		"secret": s, "pointer": &s, "exported": exported, "ring": r, "held": r.held.keys["ann"], "map": r.held.keys,
		"wrong": wrongErr, "test seed": testErr,
	}
	for name, v := range values {
		for _, v := range []any{v, wrap{v, v}, []any{v}} {
			for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
				noSecret(t, name+" "+verb, fmt.Sprintf(verb, v))
			}
			text, err := json.Marshal(v)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			noSecret(t, name+" JSON", string(text))
		}
	}
}

// noSecret fails when out holds the seed of the test in some spelling.
func noSecret(t *testing.T, what, out string) {
	t.Helper()
	for _, form := range []string{
		"0123456789abc", "30313233343536373839", "48 49 50 51", "0x30, 0x31, 0x32", "MDEyMzQ1Njc4OW", "PRIVATE KEY",
		"48,49,50,51", "33 33 33", "0x21, 0x21", "212121", string(pass), string(wrong),
	} {
		if strings.Contains(out, form) {
			t.Errorf("%s prints %q", what, out)
		}
	}
}

func TestContextEnds(t *testing.T) {
	r := newRing(t, newClock())
	create(t, r, "ann")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err1 := r.Create(ctx, "bob", pass)
	_, err2 := r.List(ctx)
	_, err3 := r.Unlock(ctx, "ann", pass)
	for i, err := range []error{err1, err2, err3, r.Delete(ctx, "ann"), r.Rename(ctx, "ann", "c", pass), r.SetDefault(ctx, "ann")} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("call %d gives %v", i, err)
		}
	}
}

func TestNewRefusesBadOptions(t *testing.T) {
	for _, o := range []Options{{Cost: Cost{Time: 99, Memory: 64, Threads: 1}}, {Cost: Cost{Time: 1}}, {Keep: -1}} {
		if _, err := New("x", o); !isUsage(err) {
			t.Errorf("%+v gives %v", o.Cost, err)
		}
	}
}

// A key file takes 64 MiB and three passes to open, where nothing else is asked for
// (the second choice of RFC 9106, section 4, with two lanes).
func TestKeyFilesAreCostlyByDefault(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	r, err := New(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	create(t, r, "ann")
	files, _ := filepath.Glob(filepath.Join(dir, "*.key"))
	if len(files) != 1 {
		t.Fatalf("%d key files", len(files))
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "\nkdf argon2id time=3 memory=65536 threads=2 salt=") {
		t.Errorf("the file says %s", text)
	}
}
