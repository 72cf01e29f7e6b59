package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// editors are what an editor can do to a draft whose title is Mine. All but the first
// leave the draft as it was.
var editors = []struct {
	name, script string
	code         int    // of akx draft edit
	says         string // by akx draft edit, and in the explorer below
	shows        string
	title        string // of the draft after it
	left         string // stands in the file that is kept for the next edit; empty for none
}{
	{"saves", `sed -i 's/Mine/Yours/' "$1"`, exitDone, "saved", "* Yours", "Yours", ""},
	{"saves what is no draft", `sed -i 's/Yours/Wrong/' "$1"; echo 'nonsense: 1' >>"$1"`, exitFailed, "nonsense", "! line ", "Yours", "nonsense"},
	{"fails", `echo 'title: Failed' >"$1"; exit 3`, exitFailed, "exit status 3", "exit status 3", "Yours", "Failed"},
	{"is killed", `echo 'title: Killed' >"$1"; kill -9 $$`, exitFailed, "137", "signal: killed", "Yours", "Killed"},
	{"empties", `: >"$1"`, exitFailed, "empty file", "empty file", "Yours", "Killed"},
	{"mends", `printf 'kind: question\ntitle: Mended\n' >"$1"`, exitDone, "saved", "* Mended", "Mended", ""},
	{"empties at first", `: >"$1"`, exitFailed, "empty file", "empty file", "Mended", ""},
	{"does nothing", `:`, exitDone, "unchanged", "nothing was changed", "Mended", ""},
}

// edited is a home with a draft and an editor that does what mode.sh says.
func editing(t *testing.T) *desktop {
	t.Helper()
	d := newDesktop(t, nil)
	d.env = []string{"EDITOR=" + editorScript(t, d.home, `. "$HOME/mode.sh"`)}
	d.run([]byte(`{"kind": "question", "title": "Mine"}`), "draft", "new", "question", "-")
	return d
}

// holds compares the draft, and what is kept for the next edit.
func (d *desktop) holdsText(name, title, left string) {
	d.t.Helper()
	drafts, _ := d.stored()
	if len(drafts) != 1 || drafts[0].Payload.Title != title {
		d.t.Errorf("%s: the drafts are %+v", name, drafts)
	}
	text, err := os.ReadFile(filepath.Join(d.dir(), "edit", "draft-1.yaml"))
	if left == "" && !os.IsNotExist(err) || left != "" && !strings.Contains(string(text), left) {
		d.t.Errorf("%s: kept for the next edit is %q, %v", name, text, err)
	}
}

// Whatever the editor does, the draft takes what is right, and nothing else is lost.
func TestEditorsOfACommand(t *testing.T) {
	t.Parallel()
	d := editing(t)
	for _, e := range editors {
		writeFile(t, d.home, "mode.sh", []byte(e.script+"\n"))
		text, code := d.command(nil, "draft", "edit", "1")
		if code != e.code || !strings.Contains(text, e.says) {
			t.Errorf("%s: exit code %d\n%s", e.name, code, text)
		}
		d.holdsText(e.name, e.title, e.left)
	}
}

// The same in the explorer; what an editor left is offered again after kill -9.
func TestEditorsOfTheExplorer(t *testing.T) {
	t.Parallel()
	d := editing(t)
	s := d.sit()
	s.shows(" akx ▸ ", "1 draft")
	s.do("d")
	s.shows("Drafts 1")
	s.do("enter")
	s.shows("Compose: question", " saved ")
	s.field("title")
	for _, e := range editors {
		writeFile(t, d.home, "mode.sh", []byte(e.script+"\n"))
		s.do("alt+e")
		s.shows("Compose: question", e.shows)
		if e.left == "nonsense" {
			s.shows("The text is no draft yet", "nonsense")
			s.kill()
			d.holdsText(e.name, e.title, e.left)
			s = d.sit()
			s.shows("The text is no draft yet", "nonsense")
			s.do("esc")
			s.hides("The text is no draft yet")
			s.field("title")
		}
		if e.title != "Yours" || e.left == "" {
			s.shows(" saved ")
		}
		d.holdsText(e.name, e.title, e.left)
	}
}
