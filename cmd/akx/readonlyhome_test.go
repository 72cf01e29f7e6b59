package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// A home that cannot be written is read; what would write is refused in words, and
// leaves nothing half done.
func TestExplorerOnAReadOnlyHome(t *testing.T) {
	t.Parallel()
	dir := disk(t, "16m")
	d := newDesktopIn(t, dir, []byte(sign(t1, 1, "Somebody's question", [32]byte{}).Text()))
	d.run([]byte(readyDraft), "draft", "new", "question", "-")
	d.own("observation", "Mine")
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("cannot make the disk read-only: %v", err)
	}
	files := func() (names []string) {
		err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
			names = append(names, path)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	d.frozen = true
	before := files()
	s := d.sit()
	s.shows("sort: ", "Somebody's question")
	s.do("c")
	s.shows("Begin a draft")
	s.do("enter")
	s.shows("the disk is read-only")
	s.do("d")
	s.shows("Drafts 1", "Outbox 1")
	s.hides("the disk is read-only")
	s.do("x")
	s.shows("the disk is read-only")
	s.do("enter")
	s.shows("Compose: question", "READ-ONLY", "What follows?", "the disk is read-only")
	for _, keys := range []string{"x", "ctrl+x", "alt+e"} {
		s.do(keys)
		s.shows("this home cannot be written")
		s.do("up") // the words go with the next key
		s.hides("this home cannot be written")
	}
	s.do("esc")
	s.shows("Drafts 1")
	s.leave()
	if text, code := d.command(nil, "draft", "edit", "1"); code != exitFailed || !strings.Contains(text, "the disk is read-only") {
		t.Errorf("exit code %d\n%s", code, text)
	}
	if text := d.run(nil, "draft", "show", "1"); !strings.Contains(text, "What follows?") {
		t.Errorf("the draft reads\n%s", text)
	}
	if after := files(); !slices.Equal(before, after) {
		t.Errorf("the home had %v, and has %v", before, after)
	}
	if drafts, entries := d.stored(); len(drafts) != 1 || len(entries) != 1 {
		t.Errorf("%d drafts and %d entries", len(drafts), len(entries))
	}
}
