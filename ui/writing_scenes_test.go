package ui_test

import (
	"testing"

	"akx/explore"
	"akx/explore/sample"
	"akx/ui/kit"
)

const (
	superseded = "Paired requests, flushed between"
)

// fresh starts on a sample of its own, into which a scene may sign, unless the test
// has put another library in its place.
func fresh(t testing.TB) func(*setup) {
	return func(s *setup) {
		if shared, err := sampleLibrary(); err != nil || s.lib != explore.Library(shared) {
			return
		}
		lib, err := sample.Library()
		if err != nil {
			t.Fatal(err)
		}
		s.lib = lib
	}
}

// writingScenes are the screens and overlays of drafts, signatures and the outbox.
func writingScenes(t testing.TB) []scene {
	one := func(name string, start func(*setup), keys string) scene {
		return scene{name, []func(*setup){start}, keys}
	}
	browse := from(kit.Route{Screen: kit.Browse})
	const body = " 'A_title tab 'One_claim. tab tab tab 'Here tab tab tab 'We_looked."
	return []scene{
		one("menu-new", page(t, hub), "c"),
		one("compose", browse, "c down enter"),
		one("compose-typed", browse, "c enter"+body),
		one("compose-preview", browse, "c enter"+body+" alt+p"),
		one("compose-event", page(t, withdrawn), "X enter 'Withdrawn_twice. alt+i"),
		one("compose-problems", browse, "c enter ctrl+x"),
		one("compose-menu", browse, "c enter f2"),
		one("compose-key", browse, "c enter shift+tab shift+tab"),
		one("compose-keys", browse, "c enter alt+k"),
		one("compose-choice", page(t, hub), "A enter"),
		one("compose-steps", page(t, rich), "A alt+c"),
		one("compose-superseded", page(t, superseded), "A"),
		one("compose-relation", page(t, hub), "c enter shift+tab shift+tab shift+tab shift+tab shift+tab shift+tab"),
		one("compose-target", page(t, hub), "c enter shift+tab shift+tab shift+tab shift+tab shift+tab shift+tab enter"),
		one("correct-which", page(t, hub), "S down space"),
		one("compose-correction", page(t, hub), "S enter"),
		one("sign-key", browse, "c enter"+body+" ctrl+x"),
		one("sign", page(t, hub), "X 'It_was_wrong. ctrl+x tab 'cG"),
		one("finding", browse, "c enter"+body+" '_Mail_me@bench.net ctrl+x enter"),
		one("drafts-none", browse, "d"),
		one("drafts", browse, "c enter"+body+" esc c down down enter 'Second esc d j"),
		one("trash", browse, "c enter 'Gone esc d x t"),
		{"outbox-sample", []func(*setup){fresh(t), browse}, "c enter" + body + " alt+i ctrl+x enter tab enter end enter pgdown pgdown pgdown enter d"},
	}
}
