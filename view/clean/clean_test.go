package clean

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

var lines = []struct{ name, foreign, want string }{
	{"empty", "", ""},
	{"ascii", "Plain words, ~100 %.", "Plain words, ~100 %."},
	{"accents", "Café naïve Å a\u030a Việt", "Café naïve Å a\u030a Việt"},
	{"scripts", "语言缓存 日本語 한국어 עברית العربية हिन्दी ไทย", "语言缓存 日本語 한국어 עברית العربية हिन्दी ไทย"},
	{"pointed Hebrew", "בְּרֵאשִׁ֖ית", "בְּרֵאשִׁ֖ית"},
	{"flags", "🇩🇪🇨🇳", "🇩🇪🇨🇳"},
	{"emoji", "⚠️ 👍🏽 👩‍👩‍👧‍👦 ❤️‍🔥 1️⃣ ☎︎ 👩🏽‍❤️‍💋‍👩🏿", "⚠️ 👍🏽 👩‍👩‍👧‍👦 ❤️‍🔥 1️⃣ ☎︎ 👩🏽‍❤️‍💋‍👩🏿"},
	{"line breaks", "a\nb\r\nc\rd", "a⏎b⏎c<U+000D>d"},
	{"tab", "a\tb", "a⇥b"},
	{"CSI", "\x1b[2J", "<U+001B>[2J"},
	{"OSC", "\x1b]52;c;aGk=\a", "<U+001B>]52;c;aGk=<U+0007>"},
	{"NUL and DEL", "\x00\x7f", "<U+0000><U+007F>"},
	{"C1", "\u009b2J\u0085", "<U+009B>2J<U+0085>"},
	{"C1 as bytes", "\x9b2J", "<0x9B>2J"},
	{"torn UTF-8", "é\xc3", "é<0xC3>"},
	{"surrogate as bytes", "\xed\xa0\x80", "<0xED><0xA0><0x80>"},
	{"overlong NUL", "\xc0\x80", "<0xC0><0x80>"},
	{"bidi", "\u202eabc\u2066\u2069\u200f\u061c", "<U+202E>abc<U+2066><U+2069><U+200F><U+061C>"},
	{"zero width", "a\u200bb\u200cc\u200dd\ufeff\u2060", "a<U+200B>b<U+200C>c<U+200D>d<U+FEFF><U+2060>"},
	{"soft hyphen and fillers", "a\u00ad\u034f\u3164\u115f\uffa0\u180e", "a<U+00AD><U+034F><U+3164><U+115F><U+FFA0><U+180E>"},
	{"separators", "a\u2028b\u2029", "a<U+2028>b<U+2029>"},
	{"annotation", "\ufff9a\ufffab\ufffb", "<U+FFF9>a<U+FFFA>b<U+FFFB>"},
	{"deprecated format", "\u206a\u206f", "<U+206A><U+206F>"},
	{"tags", "🏴\U000e0067\U000e007f", "🏴<U+E0067><U+E007F>"},
	{"variation selectors", "a\ufe0f 漢\U000e0100 👍\ufe0f\ufe0f", "a<U+FE0F> 漢<U+E0100> 👍\ufe0f<U+FE0F>"},
	{"selector without keycap", "1\ufe0f", "1<U+FE0F>"},
	{"joiner without picture", "👩\u200da 👩\u200d", "👩<U+200D>a 👩<U+200D>"},
	{"noncharacters", "\ufffe\U0010ffff\ufdd0", "<U+FFFE><U+10FFFF><U+FDD0>"},
	{"replacement character", "\ufffd", "\ufffd"},
	{"mark at the start", "\u0301a", "<U+0301>a"},
	{"mark on words", "\x1b\u0338", "<U+001B><U+0338>"},
	{"mark on a break", "a\n\u0338", "a⏎<U+0338>"},
	{"skin tone at the start", "🏽", "<U+1F3FD>"},
	{"vowel of Hangul at the start", "\u1161", "<U+1161>"},
	{"old Hangul", "\u1112\u1161\u11ab", "\u1112\u1161\u11ab"},
	{"storm", "a" + strings.Repeat("\u0301", 43) + "b", "a" + strings.Repeat("\u0301", 6) + "<37 marks>b"},
	{"storm at the end", "a" + strings.Repeat("\u0489", 8), "a" + strings.Repeat("\u0489", 6) + "<2 marks>"},
	{"storm of leading Hangul", strings.Repeat("\u1100", 9), strings.Repeat("\u1100", 7) + "<2 marks>"},
	{"storm of joiners", strings.Repeat("👩\u200d", 6) + "👩", strings.Repeat("👩\u200d", 4) + "👩<U+200D>👩\u200d👩"},
}

func TestLine_EscapeInjection(t *testing.T) {
	for _, c := range lines {
		got := Line(c.foreign)
		if got.String() != c.want {
			t.Errorf("%s: %q, want %q", c.name, got.String(), c.want)
		}
		if (got.Hidden() > 0) != strings.ContainsAny(c.want, "<") {
			t.Errorf("%s: %d hidden", c.name, got.Hidden())
		}
		if got.Empty() != (c.want == "") {
			t.Errorf("%s: empty is %v", c.name, got.Empty())
		}
	}
}

func TestBlock(t *testing.T) {
	for _, c := range []struct {
		foreign string
		want    []string
	}{
		{"", nil},
		{"a", []string{"a"}},
		{"a\nb\r\nc\n", []string{"a", "b", "c", ""}},
		{"\n", []string{"", ""}},
		{"a\rb\r\r\n", []string{"a<U+000D>b<U+000D>", ""}},
		{"\tx\n12345678\ty", []string{"        x", "12345678        y"}},
		{"1234567\tx\ta\tb", []string{"1234567 x       a       b"}},
		{"语言\tx", []string{"语言    x"}},
		{"a\u0301\tx", []string{"a\u0301       x"}},
		{"\x1b\tx", []string{"<U+001B>        x"}},
		{"a\t\u0301", []string{"a       <U+0301>"}},
		{"a\n\u0301", []string{"a", "<U+0301>"}},
	} {
		var got []string
		for _, line := range Block(c.foreign) {
			got = append(got, line.String())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.foreign, got, c.want)
		}
	}
}

func TestJoinAddsUp(t *testing.T) {
	got := Join(Own("by "), Line("a\x00\x00"), Number(-7), Text{})
	if got.String() != "by a<U+0000><U+0000>-7" || got.Hidden() != 2 {
		t.Errorf("%q, %d hidden", got, got.Hidden())
	}
}

func TestAlerts(t *testing.T) {
	got := Alerts("plain", "Café 语言 👩‍👩‍👧 ⚠️\n\t", "\u202e\x80\x1b", "\u202ea"+strings.Repeat("\u0301", 9))
	want := []Alert{{ManyMarks, "combining marks", 3}, {0x1b, "U+001B", 1}, {0x202e, "U+202E", 2}, {utf8.RuneError, "invalid UTF-8", 1}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := Alerts("plain", "Café\u0301 x\r\ny"); len(got) != 0 {
		t.Errorf("an alert about nothing: %v", got)
	}
}

// The table must hold what Go's own Unicode tables call hidden.
func TestHiddenTableIsComplete(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		must := unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point,
			unicode.Variation_Selector, unicode.Noncharacter_Code_Point, unicode.Bidi_Control, unicode.Join_Control)
		if must && !hides(r) {
			t.Errorf("%U is not hidden", r)
		}
		if !must && hides(r) && unicode.IsGraphic(r) && !unicode.Is(unicode.M, r) {
			t.Errorf("%U is visible", r)
		}
		if unicode.Is(unicode.M, r) && !combines(r) {
			t.Errorf("%U combines", r)
		}
	}
}

func TestMegabyteLines(t *testing.T) {
	for _, unit := range []string{"a", "é", "语", "\x80", "\u202e", "\u0301", "a\u0301", "👩\u200d", "\t", "\r", "\n", "\x1b["} {
		foreign := strings.Repeat(unit, 1<<20/len(unit))
		if got := Line(foreign); len(got.String()) < 10 || len(got.String()) > 8<<20 {
			t.Errorf("%q: %d bytes", unit, len(got.String()))
		}
		if got := Block(foreign); len(got) == 0 {
			t.Errorf("%q: no lines", unit)
		}
	}
}
