package main

import (
	"strings"
	"testing"

	"akx/ui/termtest"
	"akx/view/identity"
)

// Whatever is kept in a home, the explorer opens it: the sample is for those without.
func TestExplorerOpensWhatIsKept(t *testing.T) {
	t.Parallel()
	for what, args := range map[string][]string{
		"a service": {"service", "add", "https://hub.example"},
		"a draft":   {"draft", "new", "question"},
	} {
		home := t.TempDir()
		if text, code := output(program(t, home, args...)); code != exitDone {
			t.Fatalf("%s: exit code %d\n%s", what, code, text)
		}
		s := termtest.Start(t, program(t, home), 100, 30)
		s.UntilText(t, "Browse")
		if s.Screen().Has("sample") {
			t.Errorf("%s: the sample is open\n%s", what, s.Screen())
		}
		s.Send("q")
		s.Wait(t, termtest.Patience)
	}
}

// A list keeps only the start of a long title, and says so; the event has all of it.
func TestLongTitleIsMarkedAsCut(t *testing.T) {
	t.Parallel()
	home, long := t.TempDir(), strings.Repeat("0123456789", 30)
	envelope := sign(t1, 1, long, identity.ID{})
	cmd := program(t, home, "import", "-")
	cmd.Stdin = strings.NewReader(envelope.Text() + "\n" + sign(t1, 2, long[:200], identity.ID{}).Text())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("import: %v\n%s", err, out)
	}
	for _, want := range []struct {
		marked int
		mark   string
		args   []string
	}{
		{1, long[:200] + "…\n", []string{"list"}},
		{1, long[:200] + "...\n", []string{"--ascii", "list"}},
		{1, `"title_cut":true`, []string{"--json", "list"}},
		{0, `"title_cut"`, []string{"--json", "show", envelope.ID().String()}},
	} {
		if text, code := output(program(t, home, want.args...)); code != exitDone || strings.Count(text, want.mark) != want.marked {
			t.Errorf("%v: exit code %d, want %d of %q\n%s", want.args, code, want.marked, want.mark, text)
		}
	}
}

// What is wrong with a service's settings is said with the way out, at once.
func TestServiceHintsNameTheWayOut(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	for _, c := range []struct {
		code  int
		want  string
		args  []string
		after []string // done before
	}{
		{exitUsage, "its spelling as an origin is https://hub.example", []string{"service", "add", "https://HUB.example:443/"}, nil},
		{exitUsage, "its spelling as an origin is https://hub.example", []string{"serve", "init", "--home", home + "/hub", "--origin", "https://hub.example/"}, nil},
		{exitUsage, "missing.pem: no such file", []string{"service", "add", "https://hub.example", "--ca-file", "missing.pem"}, nil},
		{exitUsage, "akx service list names yours", []string{"service", "check", "nobody"}, nil},
		{exitUsage, "akx service add ORIGIN adds one", []string{"sync"}, nil},
		{exitUsage, "akx service enable hub ", []string{"sync"}, []string{"service", "add", "https://hub.example", "--name", "hub"}},
	} {
		if c.after != nil {
			for _, args := range [][]string{c.after, {"service", "disable", "hub"}} {
				if text, code := output(program(t, home, args...)); code != exitDone {
					t.Fatalf("%v: exit code %d\n%s", args, code, text)
				}
			}
		}
		cmd := program(t, home, c.args...)
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(out), c.want) {
			t.Errorf("%v: exit code %d, want %q in\n%s", c.args, code, c.want, out)
		}
	}
}
