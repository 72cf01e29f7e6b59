package draw

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"akx/view/clean"
)

// ux.md, bug 3: a cluster whose width terminals disagree on must not move what
// comes after it: the column is set outright.
func TestUncertainWidthDoesNotMoveBorders(t *testing.T) {
	f := NewFrame(20, 1, Unicode())
	f.Put(f.Area(), 0, 0, Line{Own(Border, "│"), Say(Author, clean.Line("⚡️ x")), Gap(1)})
	f.Put(f.Area(), 19, 0, Line{Own(Border, "│")})
	out := f.Render(NewTheme("16", true, NoColor))
	after := strings.Index(out, "⚡")
	if !strings.Contains(out[after:], "\x1b[4G") {
		t.Errorf("no column is set after the doubtful cluster: %q", out)
	}
}

func TestOverlayTearsWideClusters(t *testing.T) {
	f := NewFrame(6, 1, Unicode())
	f.Put(f.Area(), 0, 0, Line{Say(Author, clean.Line("语言语"))})
	f.Put(Rect{X: 1, W: 2, H: 1}, 0, 0, Line{Own(Normal, "ab")})
	if got := f.Plain(); got != " ab 语\n" {
		t.Errorf("frame %q", got)
	}
}

func TestPutClipsToItsArea(t *testing.T) {
	f := NewFrame(10, 3, Unicode())
	area := Rect{X: 2, Y: 1, W: 4, H: 1}
	f.Put(area, 0, 0, Line{Own(Normal, "abcdefgh")})
	f.Put(area, -2, 0, Line{Own(Normal, "XYZ")})
	f.Put(area, 0, 1, Line{Own(Normal, "below")})
	f.Put(area, 0, -1, Line{Own(Normal, "above")})
	f.Put(area, 3, 0, Line{Say(Normal, clean.Line("语"))})
	if got := f.Plain(); got != "\n  Zbcd\n\n" {
		t.Errorf("frame %q", got)
	}
}

// Every size must draw, and give exactly the rows and columns that were asked for.
func TestFrameSizes(t *testing.T) {
	theme := NewTheme("16", true, Colors16)
	for w := range 24 {
		for h := range 8 {
			f := NewFrame(w, h, ASCII())
			inner := f.Pane(f.Area(), Line{Own(Strong, "a long title here")}, Line{Own(Normal, "note")}, true)
			f.Put(inner, 0, 0, Line{Say(Author, clean.Line("语言 and words"))})
			rows := strings.Split(f.Render(theme), "\n")
			if h > 0 && len(rows) != h {
				t.Fatalf("%dx%d gives %d rows", w, h, len(rows))
			}
			for _, row := range rows {
				if got := ansi.StringWidth(row); got > w {
					t.Fatalf("%dx%d: a row of %d columns: %q", w, h, got, row)
				}
			}
		}
	}
	NewFrame(-3, -1, ASCII()).Render(theme)
}

// Meaning stays without colour: NO_COLOR keeps bold, underline and reverse only.
func TestNoColorHasNoColour(t *testing.T) {
	theme := NewTheme("dark", true, NoColor)
	for role := range roleCount {
		for _, s := range []Style{{Role: role}, {Role: role, Reverse: true}} {
			open := strings.TrimSuffix(strings.TrimPrefix(theme.open(s), "\x1b["), "m")
			for _, code := range strings.Split(open, ";") {
				if code != "" && code != "1" && code != "4" && code != "7" {
					t.Errorf("role %d opens with %q", role, theme.open(s))
				}
			}
		}
	}
	if theme.open(Style{Reverse: true}) == "" {
		t.Error("a selection cannot be seen without colour")
	}
}

func TestCaretFollowsField(t *testing.T) {
	f := NewFrame(12, 2, Unicode())
	field := NewField(50, "语言abc")
	field.Draw(f, Rect{X: 1, Y: 1, W: 10, H: 1}, 2, 0, Normal)
	if x, y, ok := f.CaretAt(); !ok || x != 3+7 || y != 1 {
		t.Errorf("caret at %d,%d %v", x, y, ok)
	}
	field.SetValue(strings.Repeat("x", 40))
	field.Draw(f, Rect{X: 1, Y: 1, W: 10, H: 1}, 2, 0, Normal)
	if x, _, ok := f.CaretAt(); !ok || x != 10 {
		t.Errorf("caret of a long text at %d %v", x, ok)
	}
}

func BenchmarkFrame(b *testing.B) {
	theme := NewTheme("dark", true, TrueColor)
	text := clean.Line(strings.Repeat("A rendered greeting cached by user ID alone 语言 ", 3))
	for b.Loop() {
		f := NewFrame(120, 40, Unicode())
		for _, r := range []Rect{{0, 1, 40, 38}, {40, 1, 40, 38}, {80, 1, 40, 38}} {
			inner := f.Pane(r, Line{Own(Strong, "title")}, nil, false)
			for i := range inner.H {
				f.Put(inner, 0, i, Line{Say(Author, text)})
			}
		}
		f.Render(theme)
	}
}
