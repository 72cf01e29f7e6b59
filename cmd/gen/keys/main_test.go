package main

import (
	"bytes"
	"os"
	"testing"

	"akx/ui/kit"
)

// The README shows the keys that the program has.
func TestReadmeShowsTheKeys(t *testing.T) {
	text, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	want, err := replace(text, table(kit.Actions()))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, want) {
		t.Error("the key table of README.md is old: go run ./cmd/gen/keys")
	}
}

func TestReplaceNeedsItsMarks(t *testing.T) {
	for _, text := range []string{"", begin, end, end + begin} {
		if _, err := replace([]byte(text), "x"); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}
