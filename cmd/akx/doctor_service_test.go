package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"akx/view/identity"
)

// The doctor says whose home a service's is, and sees a database behind its numbers.
func TestDoctorOfAService(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	home := filepath.Join(base, "hub")
	if text, code := output(program(t, base, "serve", "init", "--home", home, "--origin", "https://hub.example")); code != exitDone {
		t.Fatalf("exit code %d\n%s", code, text)
	}
	db := filepath.Join(home, "cache.db")
	before, err := os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	for n := range int64(2) {
		cmd := program(t, base, "import", "--home", home, "-")
		cmd.Stdin = strings.NewReader(sign(t1, n+1, "A question", identity.ID{}).Text())
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("import: %v\n%s", err, out)
		}
	}
	text, code := output(program(t, base, "doctor", "--home", home))
	if code != exitDone || !strings.Contains(text, "the home of the service https://hub.example") {
		t.Errorf("exit code %d\n%s", code, text)
	}
	if err := os.WriteFile(db, before, 0o600); err != nil {
		t.Fatal(err)
	}
	text, code = output(program(t, base, "doctor", "--home", home))
	if code != exitFailed || !strings.Contains(text, "older than the numbers") {
		t.Errorf("exit code %d\n%s", code, text)
	}
}
