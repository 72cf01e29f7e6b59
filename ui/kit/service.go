package kit

import (
	"strconv"
	"time"

	"akx/ui/draw"
	"akx/view"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/fault"
)

// StaleAfter is the age from which what a service showed is called stale.
const StaleAfter = view.StaleAfter * time.Millisecond

// ServiceNow is what is known of one service, without asking it.
type ServiceNow struct {
	Service   desk.Service
	Follow    desk.Follow
	Syncing   bool
	Sync      SyncNow // of the sync that runs, or of the last one
	Seen      uint64  // the last checkpoint that it named; 0 is not known
	Asked     int64   // ms of the last question of this session that ended; 0 never
	Unreached bool    // that question brought no answer
	Answered  int64   // ms of its last answer in this session; 0 never
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
	Down                    // not followed and not reached, or it never answered with what was asked
	Contradictory           // followed, but it contradicted itself
	Disabled                // nothing is asked of it
	Syncing
)

// Condition gives the state at a time.
func (n ServiceNow) Condition(now time.Time) Condition {
	f := n.Follow
	failed := f.Trouble.Code != "" && !n.recovered()
	switch {
	case n.Syncing:
		return Syncing
	case !n.Service.Enabled:
		return Disabled
	case f.Complete && len(f.Faults) > 0:
		return Contradictory
	case f.Trouble.Code != "" && f.Reached > f.Checkpoint, f.Complete && !f.Followed("").Scope().Complete:
		return Partial
	case f.Complete && (failed || Aged(seen(f), now)):
		return Stale
	case f.Complete:
		return Fresh
	case n.Unreached, failed && f.Trouble.Code != fault.Cancelled:
		return Down
	}
	return Live
}

// Attention says how much a service wants its reader's attention: 0 where all is well
// or nothing is known, more where it is in trouble or at work.
func (n ServiceNow) Attention(now time.Time) int {
	switch n.Condition(now) {
	case Contradictory, Down:
		return 4
	case Syncing:
		return 3
	case Partial:
		return 2
	case Stale:
		return 1
	case Fresh:
		if n.Unreached {
			return 2
		}
	}
	return 0
}

// recovered reports whether the service answered since a sync did not reach it.
func (n ServiceNow) recovered() bool {
	f := n.Follow
	return f.Trouble.Code == fault.UnavailableCode && n.Asked > 0 && n.Asked >= f.Tried && !n.Unreached
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
	condition := n.Condition(now)
	switch condition {
	case Syncing:
		return append(append(line, draw.Own(draw.Strong, "syncing ")), n.Sync.brief()...)
	case Disabled:
		return append(line, draw.Own(draw.Normal, "disabled"))
	case Down:
		return append(line, draw.Own(draw.Bad, downWords(n.failure(), "down")))
	case Fresh:
		line = append(line, draw.Say(draw.Normal, ClockTime(n.Follow.AsOf, now)))
		if !n.Unreached {
			return append(line, draw.Own(draw.Good, " ok"))
		}
	case Stale:
		line = append(line, draw.Own(draw.Warn, "STALE "), draw.Say(draw.Normal, Age(seen(n.Follow), now)))
	case Partial:
		line = append(line, draw.Own(draw.Warn, "PARTIAL"))
	case Contradictory:
		line = append(line, draw.Own(draw.Bad, "contradicts itself"))
	default:
		return append(line, draw.Own(draw.Normal, "live"))
	}
	if n.Unreached {
		line = append(line, draw.Own(draw.Bad, " down"))
	}
	return line
}

// ServiceState is the state of a service in words, without the reason, in a number of
// columns where there is a longer and a shorter way to say it.
func ServiceState(n ServiceNow, now time.Time, columns int) draw.Line {
	f := n.Follow
	switch n.Condition(now) {
	case Syncing:
		return n.Sync.words(now, columns)
	case Disabled:
		return draw.Line{draw.Own(draw.Normal, "disabled")}
	case Fresh:
		if n.Unreached {
			return draw.Line{draw.Own(draw.Bad, "not reached")}
		}
		return draw.Line{draw.Own(draw.Good, "ok")}
	case Stale:
		line := draw.Line{draw.Own(draw.Warn, "STALE "), draw.Say(draw.Warn, Age(seen(f), now))}
		if n.Unreached {
			line = append(line, draw.Own(draw.Normal, ", "), draw.Own(draw.Bad, "not reached"))
		}
		return line
	case Partial:
		line := draw.Line{draw.Own(draw.Warn, "PARTIAL")}
		switch {
		case f.Exceptions == 0 && !(f.Trouble.Code != "" && f.Reached > f.Checkpoint):
			return append(line, draw.Own(draw.Normal, ": its clock is off"))
		case f.Trouble.Code == "" || f.Reached <= f.Checkpoint:
			return append(line, draw.Own(draw.Normal, ": exceptions"))
		case n.Sync.Pages > 0:
			return append(line, draw.Own(draw.Normal, " page "), draw.Say(draw.Normal, draw.Int(n.Sync.Pages+1)))
		}
		return append(line, draw.Own(draw.Normal, " after "), draw.Say(draw.Normal, seq(f.Reached)))
	case Contradictory:
		return draw.Line{draw.Own(draw.Bad, "contradicts itself")}
	case Down:
		return draw.Line{draw.Own(draw.Bad, downWords(n.failure(), n.unreached()))}
	}
	if f.Trouble.Code != "" && f.Trouble.Code != fault.Cancelled {
		return draw.Line{draw.Own(draw.Normal, "the last sync failed")}
	}
	return draw.Line{draw.Own(draw.Normal, "not followed")}
}

// failure is the code of what failed last at a service that is down.
func (n ServiceNow) failure() fault.Code {
	if n.Unreached {
		return fault.UnavailableCode
	}
	return n.Follow.Trouble.Code
}

// unreached says of a service that is not followed how it was not reached. One that
// answered before is told by what failed since.
func (n ServiceNow) unreached() clean.Words {
	before := n.Answered > 0 || n.Follow.Reached > 0
	if before && n.Follow.Trouble.Code == fault.UnavailableCode && !n.recovered() {
		return "the last sync failed"
	}
	return "not reached"
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
