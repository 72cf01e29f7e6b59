package clean

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"akx/view/identity"
)

// checkHarmless fails where s could act on a terminal, hide something or reach the
// cell before it. It is written apart from the cleaner's tables on purpose.
func checkHarmless(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Fatalf("invalid UTF-8 in %q", s)
	}
	runes := []rune(s)
	for i, r := range runes {
		if unicode.Is(unicode.M, r) && i == 0 {
			t.Fatalf("a mark at the start of %q", s)
		}
		if unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Noncharacter_Code_Point) {
			t.Fatalf("%U in %q", r, s)
		}
		if !unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
			continue
		}
		inside := i > 0 && i+1 < len(runes)
		switch {
		case (r == 0xfe0f || r == 0xfe0e) && i > 0 && (pictorial(runes[i-1]) || unicode.IsDigit(runes[i-1])):
		case r == 0x200d && inside && pictorial(runes[i+1]):
		default:
			t.Fatalf("%U in %q", r, s)
		}
	}
}

// pictorial is a coarse test for what emoji consist of; U+2139 alone is a letter.
func pictorial(r rune) bool {
	return unicode.IsSymbol(r) || unicode.IsPunct(r) || r == 0x2139 || r >= 0x1f000
}

func addSeeds(f *testing.F) {
	for _, c := range lines {
		f.Add(c.foreign)
	}
}

func FuzzLine(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, foreign string) {
		line := Line(foreign)
		checkHarmless(t, line.String())
		again := Line(line.String())
		if again.String() != line.String() || again.Hidden() != 0 {
			t.Fatalf("%q becomes %q, then %q", foreign, line, again)
		}
		total := 0
		for _, alert := range Alerts(foreign) {
			total += alert.Count
		}
		if total != line.Hidden() {
			t.Fatalf("%q: %d hidden, %d in alerts", foreign, line.Hidden(), total)
		}
	})
}

func FuzzBlock(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, foreign string) {
		block := Block(foreign)
		if want := 1 + strings.Count(foreign, "\n"); foreign != "" && len(block) != want {
			t.Fatalf("%q: %d lines, want %d", foreign, len(block), want)
		}
		for _, line := range block {
			checkHarmless(t, line.String())
			if again := Block(line.String()); !line.Empty() && (len(again) != 1 || again[0].String() != line.String()) {
				t.Fatalf("%q becomes %q", line, again)
			}
		}
	})
}

func FuzzAppendJSON(f *testing.F) {
	addSeeds(f)
	f.Add("\"\\/\b\f\n\r\t\u00e9")
	f.Fuzz(func(t *testing.T, s string) {
		text := AppendJSON([]byte("x"), s)[1:]
		for _, r := range string(text) {
			if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point,
				unicode.Variation_Selector, unicode.Noncharacter_Code_Point) {
				t.Fatalf("%U in %q", r, text)
			}
		}
		v, err := identity.Parse(text)
		if err != nil || v.Kind() != identity.String {
			t.Fatalf("%q: %q: %v", s, text, err)
		}
		if want := eachInvalidByte(s); v.Text() != want {
			t.Fatalf("%q comes back as %q", want, v.Text())
		}
	})
}

// eachInvalidByte is s with U+FFFD for every byte that is no UTF-8.
func eachInvalidByte(s string) string {
	return string([]rune(s))
}

func TestSeedCount(t *testing.T) {
	if len(lines) < 35 {
		t.Errorf("only %d seeds", len(lines))
	}
}

func BenchmarkLine(b *testing.B) {
	for name, unit := range map[string]string{"ascii": "plain words ", "han": "语言缓存", "accents": "Việt ", "hidden": "\u202e"} {
		foreign := strings.Repeat(unit, 1<<20/len(unit))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(foreign)))
			for b.Loop() {
				Line(foreign)
			}
		})
	}
}
