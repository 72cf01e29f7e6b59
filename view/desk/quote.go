package desk

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"akx/view/identity"
)

// quote writes s as a string that is the same in JSON and in YAML's double quotes.
// Whatever could not be seen in an editor stands as an escape.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"', r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case visible(r):
			b.WriteRune(r)
		case r > 0xffff:
			b.WriteString(`\U` + hexDigits(r, 8))
		default:
			b.WriteString(`\u` + hexDigits(r, 4))
		}
	}
	b.WriteByte('"')
	return b.String()
}

// quoteJSON is quote for JSON, which knows no \U.
func quoteJSON(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r > 0xffff && !visible(r) }) {
		return quote(s)
	}
	return string(identity.AppendCanonical(nil, identity.StringValue(s)))
}

func hexDigits(r rune, digits int) string {
	s := strconv.FormatInt(int64(r), 16)
	return strings.Repeat("0", digits-len(s)) + s
}

// visible reports whether a character can stand in an editor as it is: letters,
// marks, signs and the plain blank, and the two joiners that scripts and emoji need.
func visible(r rune) bool {
	return r != utf8.RuneError && (r == ' ' || r == '\u200c' || r == '\u200d' || unicode.IsGraphic(r) && !unicode.IsSpace(r))
}

// blockFits reports whether a |- block keeps s exactly. Blocks are for text that an
// editor shows as it is: no hidden characters, no blanks that lines begin or end
// with, no line end at the end.
func blockFits(s string) bool {
	if s == "" || strings.HasSuffix(s, "\n") || strings.HasPrefix(s, "\n") {
		return false
	}
	for line := range strings.SplitSeq(s, "\n") {
		if line == "" {
			continue
		}
		if line != strings.Trim(line, " \t") && (strings.Trim(line, " \t") == "" || line[0] == '\t') {
			return false
		}
		if strings.ContainsFunc(line, func(r rune) bool { return r != '\t' && !visible(r) }) {
			return false
		}
	}
	return s[0] != ' '
}
