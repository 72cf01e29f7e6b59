package cache

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each file of a home has its own way out, and a check sends nobody to the check.
func TestWayOutFitsTheFile(t *testing.T) {
	for _, test := range []struct {
		file, with, hint string
	}{
		{cacheName, "", outCache},
		{ownName, "", outOwn},
		{cacheName, sequenceName, outService},
	} {
		home := t.TempDir()
		for _, name := range []string{test.file, test.with} {
			if name == "" {
				continue
			}
			if err := os.WriteFile(filepath.Join(home, name), []byte("no database"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		found, err := Check(t.Context(), home)
		if err != nil || !slices.ContainsFunc(found, func(f Finding) bool { return f.Hint == test.hint }) {
			t.Errorf("%s with %q: %v, %v", test.file, test.with, found, err)
		}
		for _, f := range found {
			if strings.Contains(f.Hint, "akx doctor") {
				t.Errorf("%s: doctor sends to doctor: %s", test.file, f.Hint)
			}
		}
	}
}
