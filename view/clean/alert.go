package clean

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// Alert is one kind of hidden character in a text.
type Alert struct {
	Rune  rune   // utf8.RuneError for bytes that are no UTF-8
	Name  string // such as "U+202E", "invalid UTF-8" or "combining marks"
	Count int
}

// ManyMarks stands in an Alert for combining marks beyond what a character may carry.
const ManyMarks rune = -1

// Alerts counts the hidden characters of foreign texts by rune, in the order of
// their code points: what Line shows in words, line breaks and tabs aside.
func Alerts(foreign ...string) []Alert {
	counts := map[rune]int{}
	for _, s := range foreign {
		if plain(s) {
			continue
		}
		c := cleaner{oneLine: true, alerts: counts}
		c.write(s)
		c.flush()
	}
	alerts := make([]Alert, 0, len(counts))
	for r, n := range counts {
		name := runeName(max(r, 0))
		switch r {
		case utf8.RuneError:
			name = "invalid UTF-8"
		case ManyMarks:
			name = "combining marks"
		}
		alerts = append(alerts, Alert{Rune: r, Name: name, Count: n})
	}
	slices.SortFunc(alerts, func(a, b Alert) int { return cmp.Compare(a.Rune, b.Rune) })
	return alerts
}
