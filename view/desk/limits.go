package desk

import (
	"strings"
	"unicode/utf8"

	"akx/view/identity"
)

// Limits are the bounds that services recommend (Agent Knowledge 9.7). Beyond them
// an event is valid, but services may refuse it. Zero means no limit.
type Limits struct {
	Title         int // Unicode scalar values
	Statement     int
	Basis         int
	Evidence      int // items
	Relations     int
	Tags          int
	Steps         int
	Profiles      int
	ExtraBytes    int // serialized
	EnvelopeBytes int // serialized
}

// DefaultLimits are those of 9.7.
var DefaultLimits = Limits{
	Title: 256, Statement: 16384, Basis: 16384, Evidence: 64, Relations: 64, Tags: 32, Steps: 64, Profiles: 16,
	ExtraBytes: 16 << 10, EnvelopeBytes: identity.MaxEnvelopeBytes,
}

// Unit is what a count counts.
type Unit uint8

// The units.
const (
	Characters Unit = iota + 1 // Unicode scalar values
	Entries                    // items of a list
	Bytes
)

var unitWords = [...]string{"", "characters", "items", "bytes"}

func (u Unit) String() string {
	if int(u) >= len(unitWords) {
		return ""
	}
	return unitWords[u]
}

// Of gives the unit in words, for so many of it.
func (u Unit) Of(n int) string {
	if n == 1 {
		return strings.TrimSuffix(u.String(), "s")
	}
	return u.String()
}

// of gives the limit of a field; 0 for none.
func (l Limits) of(path string) int {
	switch path {
	case titlePath:
		return l.Title
	case "/statement":
		return l.Statement
	case "/basis":
		return l.Basis
	case evidencePath:
		return l.Evidence
	case relationsPath:
		return l.Relations
	case "/tags":
		return l.Tags
	case stepsPath:
		return l.Steps
	case profilesPath:
		return l.Profiles
	case extraPath:
		return l.ExtraBytes
	}
	return 0
}

// count measures a field in its unit.
func (d *Draft) count(s spec, path string) (n int, unit Unit) {
	if s.input == Lines || s.input == Items {
		n, _ = d.Size(path)
		return n, Entries
	}
	text, _ := d.Text(path)
	if s.input != JSON {
		return utf8.RuneCountInString(text), Characters
	}
	if v, ok := parseObject(text); ok {
		return len(identity.AppendCanonical(nil, v)), Bytes
	}
	return len(text), Bytes
}

// pattern is path with '*' for the numbers of items.
func pattern(path string) string {
	list, _, rest, ok := splitItem(path)
	if !ok {
		return path
	}
	return list + "/*" + strings.TrimSuffix(rest, "/")
}
