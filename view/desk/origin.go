package desk

import (
	"strings"

	"akx/view/fault"
	"akx/view/identity"
)

// Bounds of a host's name (RFC 1035, 2.3.4).
const (
	maxHostLabel = 63
	maxHostName  = 253
)

// ServiceOrigin reads the origin of a service as a user typed it. Its host can be the
// name of one. *fault.Usage names the right spelling, where it can be told.
func ServiceOrigin(typed string) (identity.Origin, error) {
	origin, err := identity.ParseOrigin(typed)
	if err != nil {
		return "", &fault.Usage{Detail: "not an origin: " + typed, Hint: originHint(typed)}
	}
	host := strings.TrimPrefix(string(origin), "https://")
	if strings.HasPrefix(host, "[") { // an address has no labels
		return origin, nil
	}
	host, _, _ = strings.Cut(host, ":")
	long := len(strings.TrimSuffix(host, ".")) > maxHostName
	for label := range strings.SplitSeq(host, ".") {
		long = long || len(label) > maxHostLabel
	}
	if long {
		return "", &fault.Usage{Detail: "no host can be called so: " + typed, Hint: "a name has at most 253 characters, and 63 between two dots"}
	}
	return origin, nil
}

// originHint names the right spelling of what was typed for an origin.
func originHint(typed string) string {
	rest := strings.TrimSpace(typed)
	bare := !strings.Contains(rest, "://")
	for {
		scheme, after, ok := strings.Cut(rest, "://")
		if !ok || !strings.EqualFold(scheme, "https") {
			break
		}
		rest = after
	}
	if bare || rest != strings.TrimSpace(typed) {
		if origin, err := identity.OriginOf("https://" + rest); err == nil {
			return "its spelling as an origin is " + string(origin)
		}
	}
	return "such as https://hub.example: lower case, no path, no slash at the end"
}
