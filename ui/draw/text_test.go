package draw

import (
	"strings"
	"testing"

	"akx/view/clean"
)

// ux.md, bug 4: Han characters without blanks must wrap.
func TestWrapCJKWithoutBlanks(t *testing.T) {
	text := strings.Repeat("语言偏好缓存", 70)[:400*3]
	var joined strings.Builder
	for _, row := range Wrap(clean.Line(text), 40) {
		if w := Width(row); w > 40 {
			t.Errorf("row of %d columns: %q", w, row)
		}
		joined.WriteString(row.String())
	}
	if joined.String() != text {
		t.Error("the rows do not add up to the text")
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns int
		want    []string
	}{
		{"", 10, []string{""}},
		{"one two three", 7, []string{"one two", "three"}},
		{"one two three", 8, []string{"one two", "three"}},
		{"abcdefghij", 4, []string{"abcd", "efgh", "ij"}},
		{"a abcdefghij", 4, []string{"a", "abcd", "efgh", "ij"}},
		{"键 key 键", 5, []string{"键", "key", "键"}},
		{"ab语言cd", 4, []string{"ab语", "言cd"}},
		{"x", 0, []string{"x"}},
		{"two  blanks", 6, []string{"two ", "blanks"}},
	} {
		var got []string
		for _, row := range Wrap(clean.Line(c.text), c.columns) {
			got = append(got, row.String())
		}
		if strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("Wrap(%q, %d) = %q, want %q", c.text, c.columns, got, c.want)
		}
	}
}

func FuzzWrap(f *testing.F) {
	for _, s := range []string{"plain words here", "语言 偏好 mixed text", "👩‍👩‍👧‍👦 family ⚡️ and 🇩🇪", "a  b   c", strings.Repeat("x", 90)} {
		f.Add(s, 12)
		f.Add(s, 1)
	}
	f.Fuzz(func(t *testing.T, text string, columns int) {
		columns = columns%80 + 80
		columns = columns%80 + 2
		harmless := clean.Line(text)
		kept := strings.ReplaceAll(harmless.String(), " ", "")
		var joined strings.Builder
		for _, row := range Wrap(harmless, columns) {
			if w := Width(row); w > columns {
				t.Fatalf("%d columns in a row of %d: %q", w, columns, row)
			}
			joined.WriteString(row.String())
		}
		if strings.ReplaceAll(joined.String(), " ", "") != kept {
			t.Fatalf("lost text: %q became %q", harmless, joined.String())
		}
	})
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns int
		want    string
	}{
		{"short", 10, "short"}, {"exactly", 7, "exactly"}, {"too long here", 8, "too lon…"},
		{"语言偏好", 5, "语言…"}, {"语言偏好", 4, "语…"}, {"abc", 0, ""}, {"abc", 1, "…"},
	} {
		if got := Cut(clean.Line(c.text), c.columns, "…").String(); got != c.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.text, c.columns, got, c.want)
		}
	}
}

func TestWrapLineKeepsStyles(t *testing.T) {
	line := Line{Own(Strong, "bold words "), Own(Bad, "and bad ones that are longer")}
	rows := WrapLine(line, 12)
	var text []string
	for _, row := range rows {
		var b strings.Builder
		for _, s := range row {
			b.WriteString(s.Text.String())
		}
		text = append(text, b.String())
		if row.Width() > 12 {
			t.Errorf("row too wide: %q", b.String())
		}
	}
	if got := strings.Join(text, "|"); got != "bold words|and bad ones|that are|longer" {
		t.Errorf("rows %q", got)
	}
	if rows[0][0].Style.Role != Strong || rows[1][0].Style.Role != Bad {
		t.Error("a style moved to another text")
	}
}

func TestInt(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000", -12: "-12"} {
		if got := Int(n).String(); got != want {
			t.Errorf("Int(%d) = %q, want %q", n, got, want)
		}
	}
}
