package main

import (
	"flag"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"akx/ui/termtest"
)

var update = flag.Bool("update", false, "write the real output and screen into README.md")

const readme = "../../README.md"

// TestReadme runs every command line of the README's console blocks, in one home
// and in their order, and compares what akx prints with what stands there; and the
// screen with a fresh start on the sample.
func TestReadme(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	was := string(text)
	home := t.TempDir()
	blocks := 0
	is := regexp.MustCompile("(?s)```console\n.*?```\n").ReplaceAllStringFunc(was, func(block string) string {
		blocks++
		var b strings.Builder
		b.WriteString("```console\n")
		for line := range strings.Lines(block) {
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				b.WriteString(line + shell(t, home, command))
			}
		}
		return b.String() + "```\n"
	})
	if blocks < 8 {
		t.Errorf("only %d console blocks", blocks)
	}
	is = region(is, "<!-- screen:begin -->\n", "<!-- screen:end -->", "```text\n"+screen(t, home)+"```\n")
	switch {
	case *update:
		if err := os.WriteFile(readme, []byte(is), 0o644); err != nil {
			t.Fatal(err)
		}
	case is != was:
		t.Errorf("README.md differs from what akx prints; see the difference with\n  go test ./cmd/akx -run TestReadme -update && git diff README.md\n%s", firstDifference(was, is))
	}
}

// shell runs a command line of the README. What is printed must not depend on
// where the home of the test is.
func shell(t *testing.T, home, command string) string {
	t.Helper()
	cmd := program(t, home)
	cmd.Path, cmd.Args = "/bin/sh", []string{"sh", "-c", command}
	if path, err := exec.LookPath("sh"); err == nil {
		cmd.Path = path
	}
	out, _ := cmd.CombinedOutput()
	return strings.ReplaceAll(string(out), home, "/home/you")
}

// screen is the explorer on the sample, as it opens.
func screen(t *testing.T, home string) string {
	t.Helper()
	s := termtest.Start(t, program(t, home, "--sample"), 100, 24)
	sc := s.Until(t, func(sc termtest.Screen) bool {
		return sc.Has("72 capsules") && sc.Has("Preview") && sc.Has("▌") && sc.Has("lab#97")
	}, termtest.Patience)
	s.Send("q")
	s.Wait(t, termtest.Patience)
	var b strings.Builder
	for _, row := range sc.Rows {
		b.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	return b.String()
}

func region(text, begin, end, inner string) string {
	head, rest, ok := strings.Cut(text, begin)
	_, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return text
	}
	return head + begin + inner + end + tail
}

func firstDifference(was, is string) string {
	a, b := strings.Split(was, "\n"), strings.Split(is, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "there: " + a[i] + "\nreal:  " + b[i]
		}
	}
	return "one is longer than the other"
}
