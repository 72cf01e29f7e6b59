package ui_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"akx/ui/kit"
)

var update = flag.Bool("update", false, "write the golden frames anew")

// scene is one screen or overlay in one state: how to start and what to press.
type scene struct {
	name  string
	start []func(*setup)
	keys  string
}

const (
	hub       = "Wrong-language answers at a tram desk" // referred to by many
	rich      = "Paired requests: flush, ask, ask again, judge"
	withdrawn = "Tandem-600, short answers labelled by language"
)

// scenes are all screens and overlays over the sample.
func scenes(t testing.TB) []scene {
	one := func(name string, start func(*setup), keys string) scene {
		return scene{name, []func(*setup){start}, keys}
	}
	browse := from(kit.Route{Screen: kit.Browse})
	return append(slices.Concat(serviceScenes(t), writingScenes(t), setScenes(t)), []scene{
		one("browse", browse, "j j"),
		one("browse-filter", browse, "/ 'cache_key"),
		one("browse-filtered", browse, "/ 'cache enter , ,"),
		one("browse-nothing", browse, "/ 'zzz"),
		one("browse-assessments", browse, "t j"),
		one("browse-retractions", browse, "t t"),
		one("browse-all", browse, "t t t"),
		one("browse-preview", browse, "j p"),
		one("facets", browse, "f j space"),
		one("page", page(t, hub), ""),
		one("page-checks", page(t, hub), "tab"),
		one("page-rich", page(t, rich), "ctrl+d"),
		one("page-retracted", page(t, withdrawn), ""),
		one("page-retracted-checks", page(t, withdrawn), "tab"),
		one("page-assessment", page(t, "The detector agrees with 382"), "r / 'not_repr enter j enter"),
		one("page-assessed", page(t, "Collected again with the cache off"), ""),
		one("page-retraction", page(t, "206 of 600 texts"), ""),
		one("page-retraction-checks", page(t, "206 of 600 texts"), "tab"),
		one("page-find", page(t, hub), "/ 'desk"),
		one("page-find-nothing", page(t, hub), "/ 'zzz"),
		one("menu-copy", page(t, hub), "y"),
		one("menu-links", page(t, rich), "enter"),
		one("menu-urls", page(t, withdrawn), "o"),
		one("confirm-url", page(t, withdrawn), "o enter"),
		one("links", place(t, kit.Links, hub), "j"),
		one("links-filter", place(t, kit.Links, withdrawn), "/ 'not"),
		one("links-actor", place(t, kit.Links, withdrawn), "O"),
		one("versions", place(t, kit.Versions, rich), ""),
		one("versions-one", place(t, kit.Versions, hub), ""),
		one("assessments", place(t, kit.Review, withdrawn), "j"),
		one("assessments-none", place(t, kit.Review, rich), ""),
		one("raw", place(t, kit.Raw, hub), ""),
		one("raw-canonical", place(t, kit.Raw, hub), "C"),
		one("waiting", from(kit.Route{Screen: kit.Waiting}), ""),
		one("help", page(t, hub), "?"),
		one("help-filter", browse, "? 'retr"),
		one("palette", browse, "ctrl+p 'sort"),
		one("command", browse, ": 'ki"),
		one("command-kinds", browse, ": 'kind_"),
		one("command-error", browse, ": 'kind_nonsense enter"),
		one("history", browse, "enter r [ [ H"),
		one("not-held", from(kit.Route{Screen: kit.Page, ID: strings.Repeat("A", 43)}), ""),
	}...)
}

// play starts a scene at a size.
func (s scene) play(t testing.TB, w, h int, more ...func(*setup)) *explorer {
	t.Helper()
	return newExplorer(t, append(append([]func(*setup){at(w, h)}, s.start...), more...)...).do(s.keys)
}

var goldenSizes = [][2]int{{120, 36}, {80, 24}, {60, 16}}

func TestGoldenFrames(t *testing.T) {
	for _, s := range scenes(t) {
		compareGolden(t, s.name, frames(t, s))
	}
}

func TestGoldenFramesInASCII(t *testing.T) {
	for _, s := range scenes(t) {
		switch s.name {
		case "browse", "versions", "page", "services", "page-services", "found", "services-add":
			got := frames(t, s, ascii)
			compareGolden(t, s.name+"-ascii", got)
			for _, glyph := range "┌┐└┘─│▌▸▾…" {
				if strings.ContainsRune(got, glyph) {
					t.Errorf("%s draws %c in ASCII", s.name, glyph)
				}
			}
		}
	}
}

func frames(t *testing.T, s scene, more ...func(*setup)) string {
	t.Helper()
	var b strings.Builder
	for _, size := range goldenSizes {
		fmt.Fprintf(&b, "%dx%d\n%s\n", size[0], size[1], s.play(t, size[0], size[1], more...).Screen())
	}
	return b.String()
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not as in %s (-update writes it anew):\n%s", name, path, got)
	}
}

// With ASCII marks akx writes nothing above U+007F of its own: over events whose
// texts are ASCII, every screen is.
func TestASCIIOnly(t *testing.T) {
	lib, publication, assessment, retraction := hostileLibrary(t, mark+" plain text")
	for _, s := range hostileScenes(publication, assessment, retraction) {
		x := s.play(t, 120, 36, over(lib), ascii)
		for _, keys := range []string{"", "?", "esc esc / 'zzz", "esc esc : 'kind_moon enter", "B / 'zzz"} {
			x.do(keys)
			for _, r := range x.Screen() {
				if r > 0x7e {
					t.Fatalf("%s after %q shows %q:\n%s", s.name, keys, r, x.Screen())
				}
			}
		}
	}
}
