package kit

import (
	"fmt"
	"time"

	"akx/ui/draw"
	"akx/view"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/identity"
)

// TypeLetter is the one letter of a row: the kind's for capsules, A for
// assessments, X for retractions.
func TypeLetter(t capsule.Type, k capsule.Kind) clean.Text {
	switch t {
	case capsule.Assess:
		return clean.Own("A")
	case capsule.Retract:
		return clean.Own("X")
	}
	return clean.Line(string(k.Letter()))
}

// What names an event in words: its kind, "assessment" with its verdict, or "retraction".
func What(e view.Entry) clean.Text {
	switch e.Type {
	case capsule.Assess:
		return clean.Line("assessment: " + e.Verdict.String())
	case capsule.Retract:
		return clean.Own("retraction")
	}
	return clean.Line(e.Kind.String())
}

// Life is a lifecycle word in its role. A retraction has no lifecycle of its own.
func Life(t capsule.Type, l view.Lifecycle) draw.Span {
	if t == capsule.Retract {
		return draw.Own(draw.Normal, "final")
	}
	switch l {
	case view.Active:
		return draw.Own(draw.Good, "active")
	case view.Retracted:
		return draw.Own(draw.Bad, "RETRACTED")
	case view.Partial:
		return draw.Own(draw.Warn, "PARTIAL")
	default:
		return draw.Own(draw.Normal, "unchecked")
	}
}

// LifeLine is Life with the number of successors, such as "active, 2 succ".
func LifeLine(e view.Entry) draw.Line {
	line := draw.Line{Life(e.Type, e.Lifecycle)}
	if e.Successors > 0 {
		line = append(line, draw.Own(draw.Normal, ", "), draw.Say(draw.Normal, draw.Int(e.Successors)), draw.Own(draw.Normal, " succ"))
	}
	return line
}

// ScopeName is the name of a scope without its checkpoint: "sample", "this cache",
// or a service's origin.
func ScopeName(s view.Scope) clean.Text { return clean.Line(s.Origin) }

// ScopeLine is a scope in full: name, checkpoint, time, and whether it is complete.
func ScopeLine(s view.Scope) draw.Line {
	line := draw.Line{
		draw.Say(draw.Strong, ScopeName(s)), draw.Own(draw.Normal, " #"), draw.Say(draw.Normal, draw.Int(s.Checkpoint)),
		draw.Gap(1), draw.Say(draw.Normal, DateTime(s.AsOf)), draw.Gap(1),
	}
	if s.Complete {
		return append(line, draw.Own(draw.Good, "complete"))
	}
	line = append(line, draw.Own(draw.Warn, "PARTIAL"))
	for _, reason := range s.Reasons {
		line = append(line, draw.Own(draw.Normal, ": "), draw.Say(draw.Normal, clean.Line(reason)))
	}
	return line
}

// yearLimit is the first ms that time's own layouts cannot print with four digits.
var yearLimit = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()

// Date is a day for lists: 03-14 this year, 2025-03 before or later.
func Date(ms int64, now time.Time) clean.Text {
	if ms >= yearLimit {
		return farYear(ms)
	}
	t := time.UnixMilli(ms).UTC()
	if t.Year() == now.UTC().Year() {
		return clean.Line(t.Format("01-02"))
	}
	return clean.Line(t.Format("2006-01"))
}

// DateTime is a time for pages: 2026-03-14 09:41Z.
func DateTime(ms int64) clean.Text {
	if ms >= yearLimit {
		return farYear(ms)
	}
	return clean.Line(time.UnixMilli(ms).UTC().Format("2006-01-02 15:04Z"))
}

func farYear(ms int64) clean.Text {
	return clean.Line(fmt.Sprintf("year %d", time.UnixMilli(ms).UTC().Year()))
}

// ShortID is the start of an ID, for display only: never compare or type it.
func ShortID(id identity.ID, g draw.Glyphs) clean.Text {
	return clean.Join(clean.Line(id.String()[:8]), clean.Own(g.Ellipsis))
}

// ShortActor is the start of an Agent ID's key, for display only.
func ShortActor(a identity.Actor, g draw.Glyphs) clean.Text {
	return clean.Join(clean.Line(a.String()[len(identity.AgentPrefix):][:8]), clean.Own(g.Ellipsis))
}
