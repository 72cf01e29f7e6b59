package main

import (
	"path/filepath"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// What is damaged among drafts and in the outbox is counted and named; the rest is listed.
func TestDamagedOwnWorkIsNamed(t *testing.T) {
	t.Parallel()
	l := &lair{t: t, home: t.TempDir()}
	for range 3 {
		l.ends("result", "draft", "new", "question")
	}
	db, err := bolt.Open(filepath.Join(l.home, "akx", "own.db"), 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bolt.Tx) error {
		drafts := tx.Bucket([]byte("draft"))
		for _, n := range []byte{1, 3} {
			key := []byte{0, 0, 0, 0, 0, 0, 0, n}
			value := append([]byte(nil), drafts.Get(key)...)
			value[len(value)/2] ^= 1
			if err := drafts.Put(key, value); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || db.Close() != nil {
		t.Fatal(err)
	}
	listed := l.ends("error", "draft", "list")
	holds(t, listed, map[string]any{"code": "damaged"})
	holds(t, first(t, listed, "drafts"), map[string]any{"draft_id": 2})
	if names, _ := listed["damaged"].([]any); len(names) != 2 || !strings.Contains(names[1].(string), "draft 3") {
		t.Errorf("named %v", listed["damaged"])
	}
	_, stdout, _ := l.run("draft", "list")
	if !strings.Contains(stdout, "not shown: draft 1 is damaged") || !strings.Contains(stdout, "2 entries are damaged") {
		t.Error(stdout)
	}
	if code, stdout, _ := l.run("doctor"); code != exitFailed || !strings.Contains(stdout, "your drafts") {
		t.Error(code, stdout)
	}
	// A draft that is damaged can be forgotten by its number.
	l.ends("result", "draft", "delete", "1", "--forever")
	l.ends("result", "draft", "delete", "3")
	l.ends("result", "draft", "list")
}
