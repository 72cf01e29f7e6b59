package ui_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"akx/ui/kit"
)

// fits fails unless the output has at most h rows of at most w columns each.
func (x *explorer) fits(name string, w, h int) {
	x.t.Helper()
	rows := strings.Split(x.Output(), "\n")
	if len(rows) > max(h, 1) {
		x.t.Fatalf("%s at %dx%d has %d rows", name, w, h, len(rows))
	}
	for y, row := range rows {
		if n := ansi.StringWidth(row); n > w {
			x.t.Fatalf("%s at %dx%d: row %d has %d columns", name, w, h, y, n)
		}
	}
}

// sweep gives every odd size to an explorer.
func (x *explorer) sweep(name string) {
	x.t.Helper()
	for w := range 31 {
		for h := range 13 {
			x.Resize(w, h)
			x.fits(name, w, h)
		}
	}
	for _, size := range [][2]int{
		{59, 16}, {60, 15}, {60, 16}, {61, 17}, {72, 20}, {80, 24}, {99, 24}, {100, 16}, {100, 30}, {101, 30}, {120, 36}, {200, 60}, {400, 200}, {-1, -5},
	} {
		x.Resize(size[0], size[1])
		x.fits(name, max(size[0], 0), max(size[1], 0))
	}
}

// sweep marks a test that draws thousands of frames one after the other: with -short,
// as under the race detector, it would take a minute and show nothing more.
func sweep(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("a sweep of frames, left out of short runs")
	}
}

// ux.md, bug 2: tiny sizes panic. Every screen and overlay, over the sample.
func TestEverySizeOfEveryScreen(t *testing.T) {
	sweep(t)
	for _, s := range scenes(t) {
		s.play(t, 80, 24).sweep(s.name)
	}
}

func TestEverySizeOfAnEmptyLibrary(t *testing.T) {
	sweep(t)
	for _, s := range scenes(t) {
		s.play(t, 80, 24, over(emptyLibrary())).sweep(s.name)
	}
}

func TestEverySizeWithLongTexts(t *testing.T) {
	long := strings.Repeat("语 word ", 60)
	for name, keys := range map[string]string{"filter": "/", "command": ":", "help": "?", "palette": "ctrl+p"} {
		x := newExplorer(t).do(keys)
		x.Type(long)
		x.sweep(name)
	}
	x := newExplorer(t, page(t, hub)).do("/")
	x.Type(long)
	x.sweep("find")
}

// Started at a size that no terminal has yet, as under some multiplexers.
func TestStartWithoutASize(t *testing.T) {
	for _, s := range scenes(t) {
		x := s.play(t, 0, 0)
		x.Resize(80, 24)
		x.fits(s.name, 80, 24)
	}
}

func TestTooSmallSaysSo(t *testing.T) {
	newExplorer(t, at(59, 16)).shows("too small: akx needs 60x16")
	newExplorer(t, at(60, 15)).shows("too small: akx needs 60x16")
	newExplorer(t, at(60, 16)).hides("too small")
}

// ux.md, bug 1: 500 resizes leave no debris.
func TestResizeStormLeavesAFreshFrame(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	for _, start := range []func(*setup){
		from(kit.Route{Screen: kit.Browse}), page(t, hub), place(t, kit.Links, withdrawn), place(t, kit.Versions, rich),
		place(t, kit.Review, withdrawn), place(t, kit.Raw, hub), from(kit.Route{Screen: kit.Waiting}), from(kit.Route{Screen: kit.Services}),
	} {
		x := newExplorer(t, start)
		for range 500 {
			x.Resize(r.IntN(140), r.IntN(50))
		}
		for _, size := range goldenSizes {
			x.Resize(size[0], size[1])
			if want := newExplorer(t, start, at(size[0], size[1])).Output(); x.Output() != want {
				t.Errorf("after 500 resizes, %dx%d is\n%s", size[0], size[1], x.Screen())
			}
		}
	}
}
