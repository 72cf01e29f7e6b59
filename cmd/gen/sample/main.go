// Command sample writes the built-in sample library of akx, one signed envelope a
// line. Its text stands in content/*.yaml, the files that its evidence names in
// artefacts/. The same sources always give the same bytes.
//
// Every event is signed with a published test seed (32 equal bytes, see signers):
// the signatures are valid, and anybody can make more of them. People, desks and
// counts are invented; the runs of artefacts/tandem-*.py are real.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	out := flag.String("o", "explore/sample/sample.jsonl", "file to write")
	flag.Parse()
	if err := write(*out); err != nil {
		fmt.Fprintln(os.Stderr, "sample:", err)
		os.Exit(1)
	}
}

func write(name string) error {
	signed, err := Build()
	if err != nil {
		return err
	}
	text, err := Lines(signed)
	if err != nil {
		return err
	}
	if err := os.WriteFile(name, text, 0o644); err != nil {
		return err
	}
	fmt.Printf("%s: %d events, %d bytes\n", name, len(signed), len(text))
	return nil
}
