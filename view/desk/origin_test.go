package desk

import (
	"errors"
	"strings"
	"testing"

	"akx/view/fault"
)

func TestServiceOrigin(t *testing.T) {
	label := strings.Repeat("a", 63)
	for _, good := range []string{
		"https://hub.example", "https://127.0.0.1:18443", "https://[::1]:8443", "https://" + label + ".example:8443",
		"https://" + strings.Join([]string{label, label, label, label[:61]}, "."),
	} {
		if origin, err := ServiceOrigin(good); err != nil || string(origin) != good {
			t.Errorf("%s: %q, %v", good, origin, err)
		}
	}
	for typed, hint := range map[string]string{
		"":                                 "such as https://hub.example",
		"hub.example":                      "its spelling as an origin is https://hub.example",
		"http://hub.example":               "such as https://hub.example",
		"HTTPS://Hub.example/":             "its spelling as an origin is https://hub.example",
		" https://hub.example ":            "its spelling as an origin is https://hub.example",
		"https://https://127.0.0.1:18443":  "its spelling as an origin is https://127.0.0.1:18443",
		"https://HTTPS://https://a.b:443/": "its spelling as an origin is https://a.b",
		"https://" + label + "a.example":   "63 between two dots",
		"https://" + strings.Join([]string{label, label, label, label[:62]}, "."): "at most 253",
	} {
		var u *fault.Usage
		if _, err := ServiceOrigin(typed); !errors.As(err, &u) || !strings.Contains(u.Hint, hint) {
			t.Errorf("%q: %v", typed, err)
		}
	}
}
