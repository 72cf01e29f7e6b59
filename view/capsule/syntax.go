package capsule

import "strings"

// maxTag is the longest tag in characters (4.1).
const maxTag = 64

func isNonEmpty(s string) bool { return s != "" }

// isTag matches [a-z0-9][a-z0-9._-]{0,63} (4.1).
func isTag(s string) bool {
	if s == "" || len(s) > maxTag || !isLowerOrDigit(s[0]) {
		return false
	}
	for i := 1; i < len(s); i++ {
		if c := s[i]; !isLowerOrDigit(c) && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// isLanguage matches [A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})* (4.1).
func isLanguage(s string) bool {
	primary, rest, more := strings.Cut(s, "-")
	if len(primary) < 2 || len(primary) > 8 || !everyByte(primary, isLetter) {
		return false
	}
	for more {
		var part string
		part, rest, more = strings.Cut(rest, "-")
		if len(part) < 1 || len(part) > 8 || !everyByte(part, isLetterOrDigit) {
			return false
		}
	}
	return true
}

// isHTTPSShape matches ^https://[^/?#@]+(?:[/?#].*)?$ where the dot leaves out
// line ends; real parsing is identity.CheckHTTPS.
func isHTTPSShape(s string) bool {
	rest, ok := strings.CutPrefix(s, "https://")
	if !ok {
		return false
	}
	host := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host = rest[:i]
		if strings.ContainsAny(rest[i+1:], "\n\r\u2028\u2029") {
			return false
		}
	}
	return host != "" && !strings.Contains(host, "@")
}

// isEndpointShape matches ^https://[^/?#@]+(?:/[^?#]*)?$.
func isEndpointShape(s string) bool {
	rest, ok := strings.CutPrefix(s, "https://")
	if !ok || strings.ContainsAny(rest, "?#") {
		return false
	}
	host, _, _ := strings.Cut(rest, "/")
	return host != "" && !strings.Contains(host, "@")
}

// isOriginShape matches ^https://[^/?#@\s]+$ but nothing that ends in :443; the
// white space is that of ECMAScript.
func isOriginShape(s string) bool {
	host, ok := strings.CutPrefix(s, "https://")
	return ok && host != "" && !strings.HasSuffix(host, ":443") &&
		!strings.ContainsAny(host, "/?#@") && !strings.ContainsFunc(host, isScriptSpace)
}

// isScriptSpace is ECMAScript's \s.
func isScriptSpace(r rune) bool {
	switch {
	case r >= '\t' && r <= '\r', r == ' ', r == '\u00a0', r == '\u1680', r >= '\u2000' && r <= '\u200a',
		r == '\u2028', r == '\u2029', r == '\u202f', r == '\u205f', r == '\u3000', r == '\ufeff':
		return true
	}
	return false
}

// isCode matches n characters of base64url, canonical or not.
func isCode(s string, n int) bool {
	return len(s) == n && everyByte(s, func(c byte) bool { return isLetterOrDigit(c) || c == '-' || c == '_' })
}

func everyByte(s string, ok func(byte) bool) bool {
	for i := 0; i < len(s); i++ {
		if !ok(s[i]) {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool        { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool         { return c >= '0' && c <= '9' }
func isLetterOrDigit(c byte) bool { return isLetter(c) || isDigit(c) }
func isLowerOrDigit(c byte) bool  { return c >= 'a' && c <= 'z' || isDigit(c) }
