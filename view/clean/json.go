package clean

import "unicode/utf8"

// AppendJSON appends s as a JSON string in which C0, DEL, C1, bidi, zero-width and
// tag characters, and every other hidden one, are written as \uXXXX: exact as a
// value, harmless as bytes. Bytes that are no UTF-8 become U+FFFD.
func AppendJSON(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		invalid := r == utf8.RuneError && size == 1
		if invalid || r == '"' || r == '\\' || hides(r) {
			dst = append(dst, s[start:i]...)
			dst = appendEscape(dst, r, invalid)
			start = i + size
		}
		i += size
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

func appendEscape(dst []byte, r rune, invalid bool) []byte {
	switch {
	case invalid:
		return append(dst, "\uFFFD"...)
	case r == '"' || r == '\\':
		return append(dst, '\\', byte(r))
	case r == '\n':
		return append(dst, '\\', 'n')
	case r == '\t':
		return append(dst, '\\', 't')
	case r == '\r':
		return append(dst, '\\', 'r')
	case r > 0xffff:
		r -= 0x10000
		return appendUnit(appendUnit(dst, 0xd800+r>>10), 0xdc00+r&0x3ff)
	}
	return appendUnit(dst, r)
}

func appendUnit(dst []byte, unit rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[unit>>12&15], digits[unit>>8&15], digits[unit>>4&15], digits[unit&15])
}
