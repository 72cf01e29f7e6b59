package clean

import (
	"unicode"
	"unicode/utf8"
)

// hiddenRunes are the characters that act on a terminal or cannot be seen: C0, DEL,
// C1, everything that is default ignorable (bidi controls, zero-width characters,
// variation selectors, fillers, tags), all format characters, line and paragraph
// separators. Noncharacters come on top.
var hiddenRunes = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x0000, 0x001f, 1}, {0x007f, 0x009f, 1}, {0x00ad, 0x00ad, 1}, {0x034f, 0x034f, 1},
		{0x0600, 0x0605, 1}, {0x061c, 0x061c, 1}, {0x06dd, 0x06dd, 1}, {0x070f, 0x070f, 1},
		{0x0890, 0x0891, 1}, {0x08e2, 0x08e2, 1}, {0x115f, 0x1160, 1}, {0x17b4, 0x17b5, 1},
		{0x180b, 0x180f, 1}, {0x200b, 0x200f, 1}, {0x2028, 0x202e, 1}, {0x2060, 0x206f, 1},
		{0x3164, 0x3164, 1}, {0xfdd0, 0xfdef, 1}, {0xfe00, 0xfe0f, 1}, {0xfeff, 0xfeff, 1},
		{0xffa0, 0xffa0, 1}, {0xfff0, 0xfffb, 1},
	},
	R32: []unicode.Range32{
		{0x110bd, 0x110bd, 1}, {0x110cd, 0x110cd, 1}, {0x13430, 0x1343f, 1},
		{0x1bca0, 0x1bca3, 1}, {0x1d173, 0x1d17a, 1}, {0xe0000, 0xe0fff, 1},
	},
	LatinOffset: 3,
}

// hides reports whether r is shown in words unless it is part of an emoji.
func hides(r rune) bool {
	switch {
	case r < 0xad:
		return r < ' ' || r >= 0x7f && r < 0xa0
	case often(r):
		return false
	}
	return r&0xfffe == 0xfffe || unicode.Is(hiddenRunes, r)
}

// often reports whether r is one of the Han characters and Hangul syllables, which
// fill long texts and need no table.
func often(r rune) bool { return r >= 0x3400 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7a3 }

// combines reports whether r is drawn over, or counted with, the character before
// it: marks, vowel and final letters of Hangul, halfwidth voice marks, skin tones.
func combines(r rune) bool {
	switch {
	case r < 0x300 || often(r):
		return false
	case r >= 0x1160 && r <= 0x11ff || r >= 0xd7b0 && r <= 0xd7ff || r == 0xff9e || r == 0xff9f:
		return true
	}
	return isSkin(r) || unicode.Is(unicode.M, r)
}

// leads reports whether r is a leading letter of Hangul, which joins a row of them.
func leads(r rune) bool { return r >= 0x1100 && r <= 0x115e || r >= 0xa960 && r <= 0xa97f }

const (
	zwj       = '\u200d'
	textVS    = '\ufe0e'
	emojiVS   = '\ufe0f'
	keycap    = '\u20e3'
	skinFirst = '\U0001f3fb'
	skinLast  = '\U0001f3ff'
)

// pictographs are the characters that emoji are built from (Extended_Pictographic).
var pictographs = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x00a9, 0x00ae, 5}, {0x203c, 0x203c, 1}, {0x2049, 0x2049, 1}, {0x2122, 0x2122, 1}, {0x2139, 0x2139, 1},
		{0x2194, 0x2199, 1}, {0x21a9, 0x21aa, 1}, {0x231a, 0x231b, 1}, {0x2328, 0x2328, 1}, {0x2388, 0x2388, 1},
		{0x23cf, 0x23cf, 1}, {0x23e9, 0x23f3, 1}, {0x23f8, 0x23fa, 1}, {0x24c2, 0x24c2, 1}, {0x25aa, 0x25ab, 1},
		{0x25b6, 0x25b6, 1}, {0x25c0, 0x25c0, 1}, {0x25fb, 0x25fe, 1}, {0x2600, 0x2605, 1}, {0x2607, 0x2612, 1},
		{0x2614, 0x2685, 1}, {0x2690, 0x2705, 1}, {0x2708, 0x2712, 1}, {0x2714, 0x2716, 2}, {0x271d, 0x2721, 4},
		{0x2728, 0x2728, 1}, {0x2733, 0x2734, 1}, {0x2744, 0x2747, 3}, {0x274c, 0x274e, 2}, {0x2753, 0x2755, 1},
		{0x2757, 0x2757, 1}, {0x2763, 0x2767, 1}, {0x2795, 0x2797, 1}, {0x27a1, 0x27a1, 1}, {0x27b0, 0x27bf, 15},
		{0x2934, 0x2935, 1}, {0x2b05, 0x2b07, 1}, {0x2b1b, 0x2b1c, 1}, {0x2b50, 0x2b55, 5}, {0x3030, 0x303d, 13},
		{0x3297, 0x3299, 2},
	},
	R32: []unicode.Range32{
		{0x1f000, 0x1f0ff, 1}, {0x1f10d, 0x1f10f, 1}, {0x1f12f, 0x1f12f, 1}, {0x1f16c, 0x1f171, 1}, {0x1f17e, 0x1f17f, 1},
		{0x1f18e, 0x1f18e, 1}, {0x1f191, 0x1f19a, 1}, {0x1f1ad, 0x1f1e5, 1}, {0x1f201, 0x1f20f, 1}, {0x1f21a, 0x1f21a, 1},
		{0x1f22f, 0x1f22f, 1}, {0x1f232, 0x1f23a, 1}, {0x1f23c, 0x1f23f, 1}, {0x1f249, 0x1f3fa, 1}, {0x1f400, 0x1f53d, 1},
		{0x1f546, 0x1f64f, 1}, {0x1f680, 0x1f6ff, 1}, {0x1f774, 0x1f77f, 1}, {0x1f7d5, 0x1f7ff, 1}, {0x1f90c, 0x1f93a, 1},
		{0x1f93c, 0x1f945, 1}, {0x1f947, 0x1faff, 1},
	},
}

func isPictograph(r rune) bool { return r >= 0xa9 && unicode.Is(pictographs, r) }

func isSkin(r rune) bool { return r >= skinFirst && r <= skinLast }

// emojiState follows the text so far: what a joiner or selector would attach to.
type emojiState uint8

const (
	noEmoji   emojiState = iota
	digitBase            // 0-9 # *, the base of a keycap
	picture              // a pictograph
	finished             // a pictograph with its selector or skin tone
	joined               // a joiner between two pictographs
)

// belongs reports whether r, a hidden character, is part of an emoji whose text so
// far gave state e and goes on with rest; such a one may stay.
func (e emojiState) belongs(r rune, rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	switch r {
	case emojiVS, textVS:
		return e == picture || e == digitBase && next == keycap
	case zwj:
		return (e == picture || e == finished) && isPictograph(next)
	}
	return false
}

// then gives the state after r has been kept.
func (e emojiState) then(r rune) emojiState {
	switch {
	case r == zwj:
		return joined
	case r == emojiVS || r == textVS:
		if e == digitBase {
			return noEmoji
		}
		return finished
	case isSkin(r) && e == picture:
		return finished
	case isPictograph(r):
		return picture
	case r >= '0' && r <= '9' || r == '#' || r == '*':
		return digitBase
	}
	return noEmoji
}
