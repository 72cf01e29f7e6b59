package identity

import (
	"math"
	"slices"
	"strconv"
)

// AppendCanonical appends the RFC 8785 form of v to dst. An Absent value appends
// nothing.
func AppendCanonical(dst []byte, v Value) []byte { return appendValue(dst, &v) }

func appendValue(dst []byte, v *Value) []byte {
	switch v.kind {
	case Null:
		return append(dst, "null"...)
	case Bool:
		return strconv.AppendBool(dst, v.truth)
	case Number:
		return appendNumber(dst, v.number)
	case String:
		if v.plain {
			dst = append(dst, '"')
			dst = append(dst, v.text...)
			return append(dst, '"')
		}
		return appendString(dst, v.text)
	case Array:
		dst = append(dst, '[')
		for i := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendValue(dst, &v.items[i])
		}
		return append(dst, ']')
	case Object:
		return appendObject(dst, v.members)
	}
	return dst
}

func appendObject(dst []byte, members []Member) []byte {
	dst = append(dst, '{')
	var few [smallObject]*Member
	order := few[:0]
	for i := range members {
		order = append(order, &members[i])
	}
	sortMembers(order)
	for i, m := range order {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, m.Name)
		dst = append(dst, ':')
		dst = appendValue(dst, &m.Value)
	}
	return append(dst, '}')
}

// sortMembers orders members by the UTF-16 code units of their names (RFC 8785
// 3.2.3): small objects by insertion, big ones in n log n.
func sortMembers(order []*Member) {
	if len(order) > smallObject {
		slices.SortFunc(order, func(a, b *Member) int { return compareUTF16(a.Name, b.Name) })
		return
	}
	for i := 1; i < len(order); i++ {
		m, j := order[i], i
		for ; j > 0 && compareUTF16(order[j-1].Name, m.Name) > 0; j-- {
			order[j] = order[j-1]
		}
		order[j] = m
	}
}

// compareUTF16 orders valid UTF-8 strings by their UTF-16 code units. That is the
// order of their bytes, but for one thing: U+E000 to U+FFFF (first bytes EE, EF)
// come after all characters beyond U+FFFF (first bytes F0 and up).
func compareUTF16(a, b string) int {
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		if x == y {
			continue
		}
		if x >= 0xEE && y >= 0xEE && (x >= 0xF0) != (y >= 0xF0) {
			x, y = y, x
		}
		return int(x) - int(y)
	}
	return len(a) - len(b)
}

// appendString writes s with the escapes of RFC 8785 3.2.2.2 and no others.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for {
		end := plainEnd(s, 0)
		dst = append(dst, s[:end]...)
		if end == len(s) {
			return append(dst, '"')
		}
		dst = appendEscape(dst, s[end])
		s = s[end+1:]
	}
}

func appendEscape(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch c {
	case '\b':
		return append(dst, '\\', 'b')
	case '\t':
		return append(dst, '\\', 't')
	case '\n':
		return append(dst, '\\', 'n')
	case '\f':
		return append(dst, '\\', 'f')
	case '\r':
		return append(dst, '\\', 'r')
	case '"', '\\':
		return append(dst, '\\', c)
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

// appendNumber writes the shortest form that ECMAScript prints (RFC 8785 3.2.2.3).
func appendNumber(dst []byte, f float64) []byte {
	if f == math.Trunc(f) && math.Abs(f) <= MaxSafeInteger {
		return strconv.AppendInt(dst, int64(f), 10)
	}
	if a := math.Abs(f); a >= 1e-6 && a < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	if n := len(dst); dst[n-4] == 'e' && dst[n-2] == '0' { // e-07 is e-7 there
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}
