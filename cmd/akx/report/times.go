package report

import (
	"strconv"
	"time"

	"akx/view"
)

// Moment writes Unix milliseconds as a page does: 2026-03-14 09:41Z; beyond the
// year 9999 only the year, which created_at allows.
func Moment(ms int64) string {
	t := time.UnixMilli(ms).UTC()
	if t.Year() > 9999 {
		return "year " + strconv.Itoa(t.Year())
	}
	return t.Format("2006-01-02 15:04Z")
}

// Day writes Unix milliseconds as a list does: 03-14 in the year of now, 2025-03
// in any other.
func Day(ms, now int64) string {
	t, year := time.UnixMilli(ms).UTC(), time.UnixMilli(now).UTC().Year()
	switch {
	case t.Year() > 9999:
		return "year " + strconv.Itoa(t.Year())
	case t.Year() == year:
		return t.Format("01-02")
	default:
		return t.Format("2006-01")
	}
}

// Age writes how long ago something was, for scopes: 12 seconds ago, 3 days ago.
func Age(ms, now int64) string {
	seconds := max(0, (now-ms)/1000)
	switch {
	case seconds < 60:
		return ago(seconds, "second")
	case seconds < 3600:
		return ago(seconds/60, "minute")
	case seconds < 48*3600:
		return ago(seconds/3600, "hour")
	default:
		return ago(seconds/86400, "day")
	}
}

// AgeOf is the age of what a service showed, told from when it was seen: where its own
// time cannot be true, in those words.
func AgeOf(asOf, seen, now int64) string {
	if view.Ahead(asOf, seen) {
		return "asked " + Age(seen, now)
	}
	return Age(seen, now)
}

func ago(n int64, unit string) string {
	return ints(n) + " " + unit + ending(n) + " ago"
}

func fixed(f float64, digits int) string { return strconv.FormatFloat(f, 'f', digits, 64) }

func ints(n int64) string { return strconv.FormatInt(n, 10) }
