package desk

import "akx/view/fault"

// NextStep is what a user can do about a delivery; zero is nothing.
type NextStep uint8

// The steps.
const (
	StepWait         NextStep = iota + 1 // akx tries again by itself
	StepResend                           // the same bytes again, when the user wants
	StepSendMissing                      // the missing envelopes first, shown before
	StepFixTarget                        // a new draft with another target
	StepFixClock                         // the clock of this machine, then resend
	StepShorten                          // a new draft with less in it
	StepAskService                       // the service's policy; or another service
	StepNewDraft                         // a new draft without what was refused
	StepAuthenticate                     // turn request tokens on for this service, or off
	StepReport                           // nothing that a user can mend
)

// Advice is what to say and to offer about a delivery.
type Advice struct {
	Sentence string // why, in one sentence
	Action   string // what to do, in one sentence; empty for nothing
	Step     NextStep
}

// adviceRow is one code's advice; again says that akx may try again by itself.
type adviceRow struct {
	Advice
	again bool
}

var adviceTable = map[fault.Code]adviceRow{
	fault.MissingDependency: {Advice{
		"The service does not hold all that this event points at.",
		"Send the missing events first; akx shows which of them it holds.", StepSendMissing}, false},
	fault.InvalidTarget: {Advice{
		"The service holds the target, and an event like this may not point at it.",
		"Check the type, the kind, the author and the nonce of the target, and write a new draft.", StepFixTarget}, false},
	fault.TimestampOutside: {Advice{
		"For the service this event is signed in the future.",
		"Check the clock of this machine; when the time has come, the same bytes can be sent again.", StepFixClock}, false},
	fault.PayloadTooLarge: {Advice{
		"The event is larger than this service takes.",
		"Send it to a service with a larger limit, or split it into smaller capsules.", StepShorten}, false},
	fault.RateLimited: {Advice{
		"The service takes no more for the moment.",
		"akx waits and sends the same bytes again.", StepWait}, true},
	fault.PermissionDenied: {Advice{
		"The service does not take this event under its own policy; that does not make it invalid.",
		"Read the policy of the service or ask who runs it, or send the event to another service.", StepAskService}, false},
	fault.QueryUnavailable: {Advice{
		"The service cannot answer for the moment.",
		"akx waits and sends the same bytes again.", StepWait}, true},
	fault.UnavailableCode: {Advice{
		"The service was not reached, or cannot answer for the moment.",
		"akx waits and sends the same bytes again.", StepWait}, true},
	fault.InvalidToken: {Advice{
		"The service did not take the request token, or wants one.",
		"Check whether request tokens are on for this service and whether the clock is right, then send again.", StepAuthenticate}, false},
	fault.InvalidEvent: {Advice{
		"The service says that the event breaks a rule of the protocol.",
		"akx found no fault with it: compare the reason with the event, and write a new draft if the service is right.", StepNewDraft}, false},
	fault.InvalidEventHash: {Advice{
		"The service says that the ID is not that of the event: the bytes were changed on the way, or the service is wrong.",
		"Send again; if it stays, tell who runs the service.", StepResend}, false},
	fault.InvalidSignature: {Advice{
		"The service says that the signature does not belong to the event: the bytes were changed on the way, or the service is wrong.",
		"Send again; if it stays, tell who runs the service.", StepResend}, false},
	fault.InvalidActor: {Advice{
		"The service does not take the Agent ID.",
		"Send to another service, or tell who runs this one.", StepReport}, false},
	fault.NonceNotGreater: {Advice{
		"The service applies a rule for nonces that this protocol does not have.",
		"Tell who runs the service: such events have no nonce window.", StepReport}, false},
	fault.InvalidRequest: {Advice{
		"The service did not understand the request.",
		"Check the address of the service with 'akx service', or tell who runs it.", StepReport}, false},
	fault.NotFound: {Advice{
		"There is nothing at the address to which events are sent.",
		"Read the discovery document of the service again, then send again.", StepResend}, false},
	fault.InvalidResponse: {Advice{
		"The answer of the service is not one of this protocol, so whether it took the event is not known.",
		"Sending the same bytes again is safe; if it stays, tell who runs the service.", StepResend}, false},
	fault.OtherRefusal: {Advice{
		"The service refused the event with a reason that this protocol does not have.",
		"Read its words and ask who runs the service; akx does not send it again by itself.", StepAskService}, false},
}

var otherAdvice = adviceRow{Advice{
	"The service gave a reason that akx does not know.",
	"Read its words; the same bytes can be sent again at no risk.", StepResend}, false}

// unknownBecause says how it came about that an envelope is unknown.
var unknownBecause = map[fault.Code]string{
	fault.InvalidResponse: "The answer of the service is not one of this protocol, so whether it took the event is not known.",
	fault.ServerError:     "The service answered with an error of its own, from which nothing follows: it may hold the event.",
	fault.Cancelled:       "It was ended before an answer: the service may hold the event.",
}

func unknownSentence(c fault.Code) string {
	if words, ok := unknownBecause[c]; ok {
		return words
	}
	return "The connection was lost before an answer: the service may hold the event."
}

func adviceOf(c fault.Code) adviceRow {
	if row, ok := adviceTable[c]; ok {
		return row
	}
	return otherAdvice
}

// Advice says how a delivery stands and what comes next.
func (d Delivery) Advice() Advice {
	switch {
	case d.State == Accepted:
		return Advice{Sentence: "The service has accepted the event."}
	case d.State == Sending:
		return Advice{Sentence: "The event is on its way."}
	case d.State == Unknown && d.NextTry > 0:
		return Advice{unknownSentence(d.Code), "akx sends the same bytes again.", StepWait}
	case d.State == Unknown:
		return Advice{unknownSentence(d.Code), "Send the same bytes again; nothing is doubled by that.", StepResend}
	case d.State == NotSent && d.Code == "":
		return Advice{"Nothing was sent yet.", "Send it when you want.", StepResend}
	}
	row := adviceOf(d.Code)
	switch {
	case row.again && d.NextTry == 0 && d.Tries >= MaxTries:
		return Advice{row.Sentence, "akx has tried often enough and waits for you: send again when you want.", StepResend}
	case row.again && d.NextTry == 0:
		return Advice{row.Sentence, "Send the same bytes again when you want.", StepResend}
	}
	return row.Advice
}
