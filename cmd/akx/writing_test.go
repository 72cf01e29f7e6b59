package main

import (
	"os"
	"path/filepath"
	"testing"

	"akx/ui/termtest"
)

// editorScript is an editor that puts a title into the draft.
func editorScript(t *testing.T, home, body string) string {
	t.Helper()
	path := filepath.Join(home, "edit.sh")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// A draft is written on a terminal, in an editor that gets the terminal alone, and is
// there after akx was killed.
func TestDraftOnATerminal(t *testing.T) {
	t.Parallel()
	home := imported(t)
	cmd := program(t, home)
	cmd.Env = append(cmd.Env, "EDITOR="+editorScript(t, home, `echo editing; read -r line; printf 'kind: question\ntitle: From the editor %s\n' "$line" >"$1"`))
	s := termtest.Start(t, cmd, 120, 36)
	s.UntilText(t, "this cache")
	s.Send("c")
	s.UntilText(t, "Begin a draft")
	s.Send("\r")
	s.UntilText(t, "Compose: question")
	s.Send("Typed")
	s.UntilText(t, "* Typed")
	s.Send("\x1be") // alt+e
	s.UntilText(t, "editing")
	s.Send("abc\r")
	s.UntilText(t, "From the editor abc")
	s.UntilText(t, "saved")
	s.Kill()
	s.Wait(t, termtest.Patience)

	again := termtest.Start(t, program(t, home), 120, 36)
	again.UntilText(t, "From the editor abc")
	again.Send("\x1b") // the place was kept: back to where the draft was opened from
	again.UntilText(t, "Browse")
	again.Send("d")
	again.UntilText(t, "Drafts 1")
	again.Send("q")
	if exit := again.Wait(t, termtest.Patience); exit.Code != exitDone {
		t.Errorf("exit %+v\n%s", exit, again.Screen())
	}
}
