package cache

import (
	"path/filepath"
	"testing"

	"akx/cache/storetest"
	"akx/explore"
)

func openStore(t *testing.T, clock func() int64, scope string) storetest.Store {
	t.Helper()
	c, err := Open(t.Context(), filepath.Join(t.TempDir(), "home"), Options{Clock: clock, Origin: scope, Role: Service})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestStore(t *testing.T) { storetest.Run(t, openStore) }

func TestFollower(t *testing.T) {
	storetest.RunFollower(t, func(t *testing.T, clock func() int64) storetest.FollowStore {
		return mustOpen(t, filepath.Join(t.TempDir(), "home"), Options{Clock: clock})
	})
}

func TestServiceBook(t *testing.T) {
	storetest.RunServiceBook(t, func(t *testing.T) explore.ServiceBook {
		return mustOpen(t, filepath.Join(t.TempDir(), "home"), Options{})
	})
}
