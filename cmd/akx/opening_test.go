package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"akx/ui/termtest"
	"akx/view/identity"
)

// A home in which everything still waits is a home: the sample is for those without.
func TestExplorerOpensOnPendingAlone(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	cmd := program(t, home, "import", "-")
	cmd.Stdin = strings.NewReader(sign(t1, 9, "An assessment without its target", identity.ID{7}).Text())
	if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("1 pending")) {
		t.Fatalf("import: %v\n%s", err, out)
	}
	s := termtest.Start(t, program(t, home), 100, 30)
	s.UntilText(t, "Browse")
	if s.Screen().Has("sample") {
		t.Errorf("the sample is open\n%s", s.Screen())
	}
	s.Send("q")
	s.Wait(t, termtest.Patience)
	cmd = program(t, home, "import", "-")
	cmd.Stdin = strings.NewReader(sign(t1, 1, "A question", identity.ID{}).Text())
	if text, code := output(program(t, home, "list")); code != exitDone || !strings.Contains(text, "1 more event, in no list, waits for what is not here: akx pending fetch") {
		t.Errorf("exit code %d\n%s", code, text)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("import: %v\n%s", err, out)
	}
	one := termtest.Start(t, program(t, home), 100, 30)
	one.UntilText(t, "┌ 1 capsule · 1 waits (W) ─")
	one.Send("q")
	one.Wait(t, termtest.Patience)
}

// What is one's own cannot be read: that is said at the start, and events are shown.
func TestExplorerWithoutItsOwnFile(t *testing.T) {
	t.Parallel()
	home := imported(t)
	own := filepath.Join(home, ".local", "share", "akx", "own.db")
	if err := os.WriteFile(own, []byte("no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := termtest.Start(t, program(t, home), 100, 30)
	s.UntilText(t, "akx doctor says the way out")
	s.UntilText(t, "72 capsules")
	s.Send("q")
	if exit := s.Wait(t, termtest.Patience); exit.Code != exitDone {
		t.Errorf("exit %+v\n%s", exit, s.Screen())
	}
	if text, err := os.ReadFile(own); err != nil || string(text) != "no database" {
		t.Errorf("the damaged file was changed: %q, %v", text, err)
	}
}
