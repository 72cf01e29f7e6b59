package capsule

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// MaxTerms and MaxTextScalars bound a lexical request (9.5, 9.5.1).
const (
	MaxTerms       = 16
	MaxTextScalars = 1024
)

// ParseTerms splits text into terms (9.5.1): at ASCII white space, ASCII folded,
// repeats kept. lexical applies the bound of 16 terms. Errors are *fault.Refusal
// with code invalid_request.
func ParseTerms(text string, lexical bool) ([]string, error) {
	const path = "/text"
	if !utf8.ValidString(text) {
		return nil, badRequest(path, "is not valid Unicode text")
	}
	if n := utf8.RuneCountInString(text); n > MaxTextScalars {
		return nil, badRequest(path, "takes at most "+count(MaxTextScalars, "character"))
	}
	terms := strings.FieldsFunc(FoldASCII(text), isASCIISpace)
	if len(terms) == 0 {
		return nil, badRequest(path, "needs a character that is not white space")
	}
	if lexical && len(terms) > MaxTerms {
		return nil, badRequest(path, "takes at most "+count(MaxTerms, "term"))
	}
	return terms, nil
}

// isASCIISpace is U+0009 to U+000D and U+0020.
func isASCIISpace(r rune) bool { return r >= '\t' && r <= '\r' || r == ' ' }

// Fields gives the eligible fields of e, as signed (9.5.1).
func Fields(e Event) []string {
	if !Proven(e) {
		return nil
	}
	switch e := e.(type) {
	case *Publication:
		return contextFields(e.payload.Context, e.payload.Title, e.payload.Statement, e.payload.Basis)
	case *Assessment:
		return contextFields(e.payload.Context, e.payload.Summary, e.payload.Basis)
	case *Retraction:
		return []string{e.payload.Reason}
	}
	return nil
}

func contextFields(c Context, texts ...string) []string {
	fields := make([]string, 0, len(texts)+1+len(c.Conditions)+len(c.Limitations))
	fields = append(append(fields, texts...), c.Scope)
	return append(append(fields, c.Conditions...), c.Limitations...)
}

// fieldEnd stands between the fields of a search text. It is no part of UTF-8, so
// that no term can span fields.
const fieldEnd = 0xff

// AppendSearchText appends the folded fields of e to dst, each with an end mark:
// what MatchText takes, for stores that keep it.
func AppendSearchText(dst []byte, e Event) []byte {
	for _, field := range Fields(e) {
		dst = append(appendFolded(dst, field), fieldEnd)
	}
	return dst
}

// MatchText reports whether every folded term occurs within one field of a text
// that AppendSearchText made.
func MatchText(text []byte, terms []string) bool {
	for _, term := range terms {
		if !utf8.ValidString(term) || !bytes.Contains(text, []byte(term)) {
			return false
		}
	}
	return true
}

// Lexical reports whether every folded term occurs in at least one field of e.
func Lexical(e Event, terms []string) bool {
	return Proven(e) && MatchText(AppendSearchText(nil, e), terms)
}

// FoldASCII lower-cases A to Z and nothing else.
func FoldASCII(s string) string {
	for i := 0; i < len(s); i++ {
		if isUpper(s[i]) {
			return string(appendFolded(make([]byte, 0, len(s)), s))
		}
	}
	return s
}

func appendFolded(dst []byte, s string) []byte {
	start := len(dst)
	dst = append(dst, s...)
	for i := start; i < len(dst); i++ {
		if isUpper(dst[i]) {
			dst[i] += 'a' - 'A'
		}
	}
	return dst
}

func equalFoldASCII(a, b string) bool {
	return len(a) == len(b) && FoldASCII(a) == FoldASCII(b)
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
