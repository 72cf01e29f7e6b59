package desk

import (
	"akx/view/fault"
	"akx/view/identity"
)

// NextNonce gives the nonce of a new event: the larger of createdAt and one more
// than the largest of last (the last that this actor used here), held (the largest
// of this actor's in the cache) and the targets' own (Agent Identity 6.2, Agent
// Knowledge 6.1, 7.1). 0 stands for none. The error is a *fault.Usage where no safe
// integer is left.
func NextNonce(createdAt, last, held int64, targets ...int64) (int64, error) {
	largest := max(last, held)
	for _, t := range targets {
		largest = max(largest, t)
	}
	next := identity.NextNonce(largest, createdAt)
	if next > identity.MaxSafeInteger {
		return 0, &fault.Usage{
			Detail: "this key cannot sign any more: a nonce would have to be larger than the protocol allows",
			Hint:   "use another key",
		}
	}
	return next, nil
}

// How far a clock may be from what is known before it is doubted. Whoever asks no
// service for a month is told of it, too: the time is signed, and nothing else shows it.
const (
	clockBack  = 10 * minute
	clockAhead = 31 * day
	minute     = int64(60_000) // ms
	day        = 1440 * minute
)

// CheckClock doubts the clock that an event would be signed by: createdAt against known,
// the newest time that a service told (0 for none), and against the nonce that it would
// have, which is larger than the clock where an earlier one was signed with a clock
// ahead. Nothing of it keeps an event from being signed.
func CheckClock(createdAt, nonce, known int64) []Problem {
	var out []Problem
	say := func(words string) { out = append(out, Problem{Severity: Advises, Words: words}) }
	switch ahead := createdAt - known; {
	case known == 0:
	case ahead < -clockBack:
		say("the clock of this machine is " + span(-ahead) + " behind the newest time that a service told: check it, for the time is signed")
	case ahead > clockAhead:
		say("the clock of this machine is " + span(ahead) + " ahead of the newest time that a service told: if that is not how long you asked none, check it, for the time is signed")
	}
	if raised := nonce - createdAt; raised > minute {
		say("the nonce is " + span(raised) + " beyond the clock: this key, or a target, was signed for with a clock that is ahead of this one; it stays so until the clock gets there")
	}
	return out
}

// span says how long a time in ms is, roughly.
func span(ms int64) string {
	switch {
	case ms >= 2*day:
		return plural(int(ms/day), "day")
	case ms >= 120*minute:
		return plural(int(ms/(60*minute)), "hour")
	}
	return plural(int(ms/minute), "minute")
}
