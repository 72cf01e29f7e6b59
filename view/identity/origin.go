package identity

import (
	"strconv"
	"strings"

	"akx/view/fault"
)

const httpsPrefix = "https://"

// Origin is a canonical HTTPS origin, such as "https://hub.example".
type Origin string

// ParseOrigin accepts canonical spelling only: "https://", a host as the WHATWG
// URL parser prints it, and a port in plain decimal unless it is 443. Errors are
// *fault.Refusal with the code invalid_request.
func ParseOrigin(s string) (Origin, error) {
	authority, ok := strings.CutPrefix(s, httpsPrefix)
	if !ok || strings.ContainsAny(authority, "/\\?#@\t\n\r") {
		return "", originError("not https:// with a host, an optional port and nothing else")
	}
	host, port, ok := parseAuthority(authority)
	if !ok {
		return "", originError("not a host and port by the WHATWG URL rules")
	}
	if canonical := printOrigin(host, port); canonical != s {
		return "", originError("not in canonical spelling, which is " + canonical)
	}
	return Origin(s), nil
}

func originError(detail string) error {
	return &fault.Refusal{Step: fault.StepShape, Code: fault.InvalidRequest, Detail: detail}
}

const httpsPort = 443

func printOrigin(host string, port int) string {
	if port == httpsPort {
		return httpsPrefix + host
	}
	return httpsPrefix + host + ":" + strconv.Itoa(port)
}

// OriginOf gives the origin of a URL that CheckHTTPS accepts.
func OriginOf(url string) (Origin, error) {
	host, port, err := splitHTTPS(url)
	if err != nil {
		return "", err
	}
	return Origin(printOrigin(host, port)), nil
}

// CheckHTTPS reports whether s is an absolute HTTPS URL with a host and without
// userinfo, parsed by WHATWG rules (Agent Knowledge 8.1), that also has the
// structure of the schema's httpsUrl: it starts with "https://" as spelled here,
// has no @ before the path and no line break behind the host. Errors are
// *fault.Refusal with StepPayload.
func CheckHTTPS(s string) error {
	_, _, err := splitHTTPS(s)
	return err
}

// splitHTTPS finds host and port. Behind them nothing can fail: the WHATWG parser
// takes any path, query and fragment.
func splitHTTPS(s string) (host string, port int, err error) {
	rest, ok := strings.CutPrefix(s, httpsPrefix)
	if !ok {
		return "", 0, urlError("not an absolute URL that starts with https://")
	}
	authority, tail := rest, ""
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		authority, tail = rest[:end], rest[end:]
	}
	switch {
	case authority == "":
		return "", 0, urlError("a URL without a host")
	case strings.IndexByte(authority, '@') >= 0:
		return "", 0, urlError("a URL with userinfo")
	case strings.ContainsAny(tail, "\n\r\u2028\u2029"):
		return "", 0, urlError("a line break in a URL")
	}
	if tail == "" {
		authority = strings.TrimRight(authority, trimmed)
	}
	if end := strings.IndexByte(authority, '\\'); end >= 0 {
		authority = authority[:end] // a slash to the WHATWG parser
	}
	if strings.ContainsAny(authority, "\t\n\r") {
		authority = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(authority)
	}
	host, port, ok = parseAuthority(authority)
	if !ok {
		return "", 0, urlError("not a host and port by the WHATWG URL rules")
	}
	return host, port, nil
}

// trimmed is what the WHATWG parser cuts from the end of a URL: C0 and space.
const trimmed = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0b\x0c\r\x0e\x0f" +
	"\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f "

func urlError(detail string) error { return fault.Refuse(fault.StepPayload, "", detail) }

// parseAuthority reads host[:port] without userinfo and gives the host as the
// WHATWG parser prints it, and the port, 443 where there is none.
func parseAuthority(s string) (host string, port int, ok bool) {
	end := portColon(s)
	if host, ok = parseHost(s[:end]); !ok {
		return "", 0, false
	}
	if end+1 >= len(s) {
		return host, httpsPort, true
	}
	for _, c := range []byte(s[end+1:]) {
		if c < '0' || c > '9' {
			return "", 0, false
		}
		if port = port*10 + int(c-'0'); port > 65535 {
			return "", 0, false
		}
	}
	return host, port, true
}

// portColon gives the place of the first colon outside brackets, else len(s).
func portColon(s string) int {
	inside := false
	for i := range len(s) {
		switch s[i] {
		case '[':
			inside = true
		case ']':
			inside = false
		case ':':
			if !inside {
				return i
			}
		}
	}
	return len(s)
}
