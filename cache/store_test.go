package cache

import (
	"path/filepath"
	"testing"

	"akx/cache/storetest"
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
