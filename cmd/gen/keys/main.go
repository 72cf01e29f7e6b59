// Command keys writes the key table of the README from the one table of actions.
//
//	go run ./cmd/gen/keys
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"akx/ui/kit"
)

// The marks between which the table stands.
const (
	begin = "<!-- keys:begin -->\n"
	end   = "<!-- keys:end -->"
)

func main() {
	if err := write("README.md"); err != nil {
		fmt.Fprintln(os.Stderr, "keys:", err)
		os.Exit(1)
	}
}

func write(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	replaced, err := replace(text, table(kit.Actions()))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, replaced, 0o644)
}

// replace puts the table between the marks of a text.
func replace(text []byte, table string) ([]byte, error) {
	from, to := bytes.Index(text, []byte(begin)), bytes.Index(text, []byte(end))
	if from < 0 || to < from {
		return nil, errors.New("the marks of the key table are gone")
	}
	from += len(begin)
	return append(append(append([]byte(nil), text[:from]...), table...), text[to:]...), nil
}

// table is the actions as Markdown, one table a group, in the order of the help.
func table(actions []kit.Action) string {
	var groups []string
	rows := map[string][]kit.Action{}
	for _, a := range actions {
		group := string(a.Group)
		if rows[group] == nil {
			groups = append(groups, group)
		}
		rows[group] = append(rows[group], a)
	}
	var b strings.Builder
	for _, group := range groups {
		fmt.Fprintf(&b, "\n**%s**\n\n| keys | name in config | what it does |\n| --- | --- | --- |\n", group)
		for _, a := range rows[group] {
			fmt.Fprintf(&b, "| %s | `%s` | %s |\n", keys(a.Keys), a.ID, a.Effect)
		}
	}
	return b.String() + "\n"
}

func keys(names []string) string {
	shown := make([]string, len(names))
	for i, k := range names {
		shown[i] = "`" + strings.ReplaceAll(kit.KeyText(k), "|", "\\|") + "`"
	}
	return strings.Join(shown, " ")
}
