package kit

import (
	"errors"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/view"
	"akx/view/clean"
	"akx/view/fault"
)

// ServiceNames are the user's own names of services. The root fills them; until then
// a service is named by its host.
type ServiceNames struct{ byOrigin map[string]string }

// Know replaces the names, by origin.
func (n *ServiceNames) Know(byOrigin map[string]string) { n.byOrigin = byOrigin }

// Name names a service by its origin.
func (n *ServiceNames) Name(origin string) clean.Text {
	if n != nil && n.byOrigin[origin] != "" {
		return clean.Line(n.byOrigin[origin])
	}
	return clean.Line(strings.TrimPrefix(origin, "https://"))
}

// ChooseSet asks the root for the menu of what can be read: everything held, or what
// one followed service showed.
type ChooseSet struct{}

// SeenBy asks the root to read the set of a service, by its name or its origin; an
// empty name is everything held.
type SeenBy struct{ Name string }

// SeenByRow is the row that chooses whose set a screen reads. Where it is that of one
// service, the row stands in the footer.
func (o Options) SeenByRow(origin string) Row {
	act := func() tea.Cmd { return o.Now(ChooseSet{}) }
	if origin != "" {
		return o.Keys.Row("seen-by", act)
	}
	return o.Keys.Quiet("seen-by", act)
}

// NotFollowed reports whether an error says that the service whose set is read is not
// followed, or no longer. That is no failure: another set can be chosen.
func NotFollowed(err error) bool {
	var coded fault.Coded
	return errors.As(err, &coded) && coded.FaultCode() == fault.NotFollowed
}

// SetGone says calmly what NotFollowed means for a screen, and the way on.
func SetGone() draw.Line {
	return draw.Line{draw.Own(draw.Normal, "this service is not followed now, so what it showed is not told apart here: V reads everything held, or another service's set")}
}

// Unread is why there is nothing to show: the set is gone, or the error.
func Unread(err error) draw.Line {
	if NotFollowed(err) {
		return SetGone()
	}
	return draw.ErrorLine(err)
}

// FailRead hands on what kept a screen from reading its set; one that is gone is told
// in place alone.
func FailRead(err error) tea.Cmd {
	if NotFollowed(err) {
		return nil
	}
	return Send(Fail{Err: err})
}

// ScopeName is the name of a scope without its checkpoint: "sample", "this cache", or
// the user's name of the service whose set it is.
func (o Options) ScopeName(s view.Scope) clean.Text {
	if s.Seen != 0 {
		return o.Services.Name(s.Origin)
	}
	return ScopeName(s)
}

// Lengths of a set in words.
const (
	setFull = iota
	setShort
	setBrief
)

// setLine says whose set it is, its checkpoint, its time, its age, and whether it is
// complete, in words of a length. The age and the last stay in each.
func (o Options) setLine(s view.Scope, length int) draw.Line {
	now := o.Clock()
	line := draw.Line{
		draw.Own(draw.Quiet, " seen by "), draw.Say(draw.Strong, o.ScopeName(s)),
		draw.Own(draw.Normal, "#"), draw.Say(draw.Normal, clean.Line(strconv.FormatUint(s.Checkpoint, 10))), draw.Gap(1),
	}
	switch length {
	case setFull:
		line = append(line, draw.Say(draw.Normal, DateTime(s.AsOf)), draw.Gap(1))
	case setShort:
		line = append(line, draw.Say(draw.Normal, ClockTime(s.AsOf, now)), draw.Gap(1))
	}
	if Aged(s.Seen, now) {
		line = append(line, draw.Own(draw.Warn, "STALE "), draw.Say(draw.Warn, Age(s.Seen, now)))
	} else {
		line = append(line, draw.Say(draw.Normal, Age(s.Seen, now)))
	}
	switch {
	case s.Complete && length == setFull:
		return append(line, draw.Own(draw.Normal, " old: "), draw.Own(draw.Good, "complete"))
	case s.Complete:
		return append(line, draw.Own(draw.Good, " complete"))
	case length == setFull:
		line = append(line, draw.Own(draw.Normal, " old: "), draw.Own(draw.Warn, "PARTIAL"))
		for i, reason := range s.Reasons {
			mark := clean.Words("; ")
			if i == 0 {
				mark = ", "
			}
			line = append(line, draw.Own(draw.Normal, mark), draw.Say(draw.Normal, clean.Line(reason)))
		}
		return line
	}
	line = append(line, draw.Own(draw.Warn, " PARTIAL"))
	if s.Exceptions > 0 {
		line = append(line, draw.Own(draw.Normal, ", "), draw.Say(draw.Normal, draw.Int(s.Exceptions)),
			draw.Own(draw.Normal, plural(s.Exceptions, " exception", " exceptions")))
	}
	return line
}

// ScopeTitle names a thing and its scope in a number of columns. What is left out
// first is the checkpoint with its time, then the longer name; whether the scope is
// complete stays, and of a followed service's set its checkpoint and age.
func (o Options) ScopeTitle(columns int, s view.Scope, long, short draw.Line) draw.Line {
	tries := o.scopeWords(s, long, short)
	for _, parts := range tries {
		if title := joined(parts[0], parts[1]); title.Width() <= columns {
			return title
		}
	}
	last := tries[len(tries)-1]
	return joined(last[0], last[1])
}

// scopeWords are the ways to say a name with its scope, the longest first.
func (o Options) scopeWords(s view.Scope, long, short draw.Line) [][2]draw.Line {
	if s.Seen != 0 {
		full, middle, brief := o.setLine(s, setFull), o.setLine(s, setShort), o.setLine(s, setBrief)
		return [][2]draw.Line{{long, full}, {short, full}, {long, middle}, {short, middle}, {long, brief}, {short, brief}}
	}
	in := draw.Line{draw.Own(draw.Quiet, " in ")}
	brief := joined(in, draw.Line{draw.Say(draw.Strong, ScopeName(s)), draw.Gap(1)})
	if s.Complete {
		brief = append(brief, draw.Own(draw.Good, "complete"))
	} else {
		brief = append(brief, draw.Own(draw.Warn, "PARTIAL"))
	}
	full := joined(in, ScopeLine(s))
	return [][2]draw.Line{{long, full}, {short, full}, {long, brief}, {short, brief}}
}

func joined(a, b draw.Line) draw.Line { return append(append(draw.Line{}, a...), b...) }
