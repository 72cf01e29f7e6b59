package identity

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// parseHost is the WHATWG host parser for special schemes: an IPv6 address in
// brackets, an IPv4 address in any spelling, or a domain; printed canonically.
func parseHost(s string) (host string, ok bool) {
	if strings.HasPrefix(s, "[") {
		if !strings.HasSuffix(s, "]") {
			return "", false
		}
		pieces, ok := parseIPv6(s[1 : len(s)-1])
		if !ok {
			return "", false
		}
		return printIPv6(pieces), true
	}
	domain, ok := domainToASCII(percentDecode(s))
	if !ok || domain == "" || strings.ContainsFunc(domain, forbiddenInDomain) {
		return "", false
	}
	if !endsInNumber(domain) {
		return domain, true
	}
	address, ok := parseIPv4(domain)
	if !ok {
		return "", false
	}
	return printIPv4(address), true
}

// percentDecode replaces %XX by its byte wherever both digits are there.
func percentDecode(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				out = append(out, byte(c))
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return string(out)
}

// forbiddenInDomain tells the WHATWG forbidden domain code points.
func forbiddenInDomain(r rune) bool {
	return r <= ' ' || r == 0x7f || r < utf8.RuneSelf && strings.IndexByte("#%/:<>?@[\\]^|", byte(r)) >= 0
}

// lookup is UTS 46 processing with the flags that the WHATWG rules set.
var lookup = idna.New(
	idna.MapForLookup(),
	idna.BidiRule(),
	idna.CheckJoiners(true),
	idna.CheckHyphens(false),
	idna.StrictDomainName(false),
	idna.Transitional(false),
	idna.VerifyDNSLength(false),
)

// domainToASCII is the WHATWG step of that name. ASCII without an xn-- label needs
// no tables.
func domainToASCII(domain string) (string, bool) {
	if isASCII(domain) {
		domain = strings.ToLower(domain)
		if !strings.HasPrefix(domain, "xn--") && !strings.Contains(domain, ".xn--") {
			return domain, true
		}
	} else if !utf8.ValidString(domain) {
		return "", false
	}
	ascii, err := lookup.ToASCII(domain)
	return ascii, err == nil && isASCII(ascii)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
