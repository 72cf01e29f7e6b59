package main

import (
	"regexp"
	"strings"
	"testing"
)

// TestPlainOverAllCommands reads what commands print with --plain as a voice would:
// line by line, without columns, indents or abbreviations. The settings keep the form
// of their file, and the rule for reports that need more is tested in package report.
func TestPlainOverAllCommands(t *testing.T) {
	t.Parallel()
	home := imported(t)
	columnar := regexp.MustCompile(`^ | $|^$|[^ ]   *[^ ]|▌|\bsucc\b`)
	for _, line := range []string{
		"list", "list --type assess", "search cache", "show TgbOIOMHdG45", "show EnCzCnULdPBU", "links TgbOIOMHdG45",
		"versions EnCzCnULdPBU", "assessments VN3sUFp7c09X", "pending", "doctor", "version",
		"--sample service list", "--sample check TgbOIOMHdG45", "--sample sync", "--sample search --service hub cache", "--sample peers",
		"--sample query --service hub --kind question", "--sample service check",
	} {
		text, code := output(program(t, home, append(strings.Fields(line), "--plain")...))
		if code != exitDone && code != exitFailed || len(text) == 0 {
			t.Errorf("%s: exit code %d\n%s", line, code, text)
		}
		for row := range strings.Lines(text) {
			if found := columnar.FindString(strings.TrimSuffix(row, "\n")); found != "" {
				t.Errorf("%s: %q in %q", line, found, row)
			}
		}
	}
}
