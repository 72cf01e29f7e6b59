package kit

import (
	"strconv"
	"time"

	"akx/ui/draw"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/fault"
)

// StaleAfter is the age from which what a service showed is called stale.
const StaleAfter = time.Hour

// ServiceNow is what is known of one service, without asking it.
type ServiceNow struct {
	Service        desk.Service
	Follow         desk.Follow
	Syncing        bool
	Pages, Records int    // of the sync that runs, or of the last one
	Seen           uint64 // the last checkpoint that it named; 0 is not known
}

// Condition is the state of a service in one word.
type Condition uint8

// The conditions. Live services are asked now, when the user asks; none of them says
// anything about the claims that a service holds.
const (
	Live          Condition = iota
	Fresh                   // followed to the end, and young
	Stale                   // followed to the end, long ago or with a failed attempt since
	Partial                 // followed in part, or with records that are not events here
	Down                    // never reached, or it never answered with what was asked
	Contradictory           // followed, but it contradicted itself
	Disabled                // nothing is asked of it
	Syncing
)

// Condition gives the state at a time.
func (n ServiceNow) Condition(now time.Time) Condition {
	f := n.Follow
	switch {
	case n.Syncing:
		return Syncing
	case !n.Service.Enabled:
		return Disabled
	case f.Complete && len(f.Faults) > 0:
		return Contradictory
	case f.Trouble.Code != "" && f.Reached > f.Checkpoint, f.Complete && !f.Followed("").Scope().Complete:
		return Partial
	case f.Complete && (f.Trouble.Code != "" || Aged(seen(f), now)):
		return Stale
	case f.Complete:
		return Fresh
	case f.Trouble.Code != "" && f.Trouble.Code != fault.Cancelled:
		return Down
	}
	return Live
}

// seen is what the age of what a service showed is told from, in ms.
func seen(f desk.Follow) int64 { return f.Followed("").Seen() }

// Aged reports whether an answer of that time is stale.
func Aged(asOf int64, now time.Time) bool { return now.UnixMilli()-asOf > StaleAfter.Milliseconds() }

// Age is how long ago a time is, such as 12m, 2h or 3d; a time to come is 0m.
func Age(ms int64, now time.Time) clean.Text {
	minutes := max(now.UnixMilli()-ms, 0) / time.Minute.Milliseconds()
	switch {
	case minutes < 60:
		return clean.Line(strconv.FormatInt(minutes, 10) + "m")
	case minutes < 48*60:
		return clean.Line(strconv.FormatInt(minutes/60, 10) + "h")
	}
	return clean.Line(strconv.FormatInt(minutes/(24*60), 10) + "d")
}

// ClockTime is a time of the last day as 09:41Z, and another one as its date.
func ClockTime(ms int64, now time.Time) clean.Text {
	if age := now.UnixMilli() - ms; age >= 0 && age < 24*time.Hour.Milliseconds() {
		return clean.Line(time.UnixMilli(ms).UTC().Format("15:04Z"))
	}
	return Date(ms, now)
}

// ServiceBrief is a service in the top row: hub#4812 09:41Z ok. The name is the
// user's own; nothing of the service's words is in it.
func ServiceBrief(n ServiceNow, now time.Time) draw.Line {
	line := draw.Line{draw.Say(draw.Normal, clean.Line(n.Service.Name))}
	if n.Follow.Complete && !n.Syncing {
		line = append(line, draw.Own(draw.Normal, "#"), draw.Say(draw.Normal, clean.Line(strconv.FormatUint(n.Follow.Checkpoint, 10))))
	}
	line = append(line, draw.Gap(1))
	switch n.Condition(now) {
	case Syncing:
		return append(line, draw.Own(draw.Strong, "syncing "), draw.Say(draw.Normal, draw.Int(n.Records)))
	case Disabled:
		return append(line, draw.Own(draw.Normal, "disabled"))
	case Fresh:
		return append(line, draw.Say(draw.Normal, ClockTime(n.Follow.AsOf, now)), draw.Own(draw.Good, " ok"))
	case Stale:
		return append(line, draw.Own(draw.Warn, "STALE "), draw.Say(draw.Normal, Age(seen(n.Follow), now)))
	case Partial:
		return append(line, draw.Own(draw.Warn, "PARTIAL"))
	case Contradictory:
		return append(line, draw.Own(draw.Bad, "contradicts itself"))
	case Down:
		return append(line, draw.Own(draw.Bad, downWords(n.Follow.Trouble.Code, "down")))
	}
	return append(line, draw.Own(draw.Normal, "live"))
}

// ServiceState is the state of a service in words, without the reason.
func ServiceState(n ServiceNow, now time.Time) draw.Line {
	f := n.Follow
	switch n.Condition(now) {
	case Syncing:
		return draw.Line{draw.Own(draw.Strong, "syncing: "), draw.Say(draw.Normal, draw.Int(n.Pages)), draw.Own(draw.Normal, plural(n.Pages, " page, ", " pages, ")),
			draw.Say(draw.Normal, draw.Int(n.Records)), draw.Own(draw.Normal, plural(n.Records, " record", " records"))}
	case Disabled:
		return draw.Line{draw.Own(draw.Normal, "disabled")}
	case Fresh:
		return draw.Line{draw.Own(draw.Good, "ok")}
	case Stale:
		return draw.Line{draw.Own(draw.Warn, "STALE "), draw.Say(draw.Normal, Age(seen(f), now))}
	case Partial:
		line := draw.Line{draw.Own(draw.Warn, "PARTIAL")}
		switch {
		case f.Exceptions == 0 && !(f.Trouble.Code != "" && f.Reached > f.Checkpoint):
			return append(line, draw.Own(draw.Normal, ": its clock is off"))
		case f.Trouble.Code == "" || f.Reached <= f.Checkpoint:
			return append(line, draw.Own(draw.Normal, ": exceptions"))
		case n.Pages > 0:
			return append(line, draw.Own(draw.Normal, " page "), draw.Say(draw.Normal, draw.Int(n.Pages+1)))
		}
		return append(line, draw.Own(draw.Normal, " after #"), draw.Say(draw.Normal, draw.Int(f.Reached)))
	case Contradictory:
		return draw.Line{draw.Own(draw.Bad, "contradicts itself")}
	case Down:
		return draw.Line{draw.Own(draw.Bad, downWords(f.Trouble.Code, "never reached"))}
	}
	return draw.Line{draw.Own(draw.Normal, "not followed")}
}

// downWords tell a service that did answer, but not with what was asked, from one
// that was not reached.
func downWords(code fault.Code, unreached clean.Words) clean.Words {
	switch code {
	case fault.UnavailableCode:
		return unreached
	case fault.PermissionDenied, fault.InvalidToken:
		return "refuses"
	}
	return "fails"
}

func plural(n int, one, more clean.Words) clean.Words {
	if n == 1 {
		return one
	}
	return more
}

// OfflineWords say why a row that needs the network does not work.
const OfflineWords clean.Words = "offline: akx was started with --offline, so nothing is asked of any service"
