package conformance

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// shared is the folder of the public vectors beside the repository.
var shared = filepath.Join("..", "..", "..", "..", "shared", "conformance", "agent-knowledge")

func run(t *testing.T, path string) Report {
	t.Helper()
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("no conformance data beside the repository")
	}
	if err != nil {
		t.Fatal(err)
	}
	report, err := Run(t.Context(), filepath.Base(path), data, Makers())
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestSharedVectors(t *testing.T) {
	for name, passed := range map[string]int{"knowledge-vectors.json": 246, "identity-vectors.json": 45} {
		t.Run(name, func(t *testing.T) {
			report := run(t, filepath.Join(shared, name))
			for _, f := range report.Failures {
				t.Errorf("%s, %s: expected %s, got %s", f.Section, f.Case, f.Expected, f.Got)
			}
			if report.Passed != passed || report.Failed != 0 || report.Skipped != 0 {
				t.Errorf("%d passed, %d failed, %d skipped; want %d passed", report.Passed, report.Failed, report.Skipped, passed)
			}
		})
	}
}
