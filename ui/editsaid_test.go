package ui

import (
	"path/filepath"
	"strings"
	"testing"
)

// What went wrong with a file is said once.
func TestFileErrorsAreSaidOnce(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "nope.csv")
	_, _, opened := openFile(missing, "")
	_, read := readText(missing)
	for _, err := range []error{opened, read, editError(read)} {
		if err == nil || strings.Count(err.Error(), "no such file") != 1 {
			t.Errorf("%v", err)
		}
	}
}
