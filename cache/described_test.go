package cache

import (
	"path/filepath"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"akx/view/fault"
)

// How a service described itself is kept with its time until it is forgotten; damage
// of it is as good as none, and the doctor tells it.
func TestDescriptionsAreKept_9_2(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	c := mustOpen(t, home, Options{})
	kept := func(want string, wantAt int64) {
		t.Helper()
		text, at, err := c.Described(t.Context(), hub)
		if err != nil || string(text) != want || at != wantAt {
			t.Errorf("%q at %d, %v", text, at, err)
		}
	}
	kept("", 0)
	describe := func(text string, at int64) {
		t.Helper()
		if err := c.Describe(t.Context(), hub, []byte(text), at); err != nil {
			t.Fatal(err)
		}
	}
	describe(`{"a":1}`, 7)
	if err := c.Describe(t.Context(), "https://lab.example", []byte("other"), 8); err != nil {
		t.Fatal(err)
	}
	kept(`{"a":1}`, 7)
	if err := c.Describe(t.Context(), hub, []byte(strings.Repeat("x", maxDescription+1)), 9); codeOf(err) != fault.UsageCode {
		t.Errorf("a large one: %v", err)
	}
	c.Close()
	sound(t, home)
	if _, _, err := Compact(t.Context(), home, Options{}); err != nil {
		t.Fatal(err)
	}
	c = mustOpen(t, home, Options{})
	kept(`{"a":1}`, 7)
	describe(`{"a":2}`, 9)
	kept(`{"a":2}`, 9)
	acceptPage(t, c, hub, completed(4), recorded(few(t, 4), 1)...)
	kept(`{"a":2}`, 9)
	sound(t, home)
	if err := c.Forget(t.Context(), hub); err != nil {
		t.Fatal(err)
	}
	kept("", 0)

	describe("again", 10)
	err := c.events.write(t.Context(), func(tx *bolt.Tx) (bool, error) {
		b := tx.Bucket([]byte("follow"))
		key := describedKey(serviceKey(tx.Bucket([]byte("source")), hub))
		value := append([]byte{}, b.Get(key)...)
		value[len(value)-1] ^= 1
		return true, b.Put(key, value)
	})
	if err != nil {
		t.Fatal(err)
	}
	kept("", 0)
	c.Close()
	if found, err := Check(t.Context(), home); err != nil || len(found) == 0 {
		t.Errorf("the doctor finds %v, %v", found, err)
	}
}
