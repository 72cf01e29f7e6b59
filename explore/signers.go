package explore

import (
	"slices"
	"strconv"

	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// ownOnly says that a draft can be signed with none of the user's keys: only its author
// supersedes or retracts an event (6.1, 7.1). own are the Agent IDs of those keys; nil
// where they are not known, and then nothing is said.
func ownOnly(d desk.Draft, targets []TargetFacts, own []identity.Actor) []desk.Problem {
	if own == nil {
		return nil
	}
	var out []desk.Problem
	for _, t := range targets {
		path, words := "/target", othersWords(capsule.Retract, t.Entry.Actor)
		switch {
		case !t.Held || slices.Contains(own, t.Entry.Actor):
			continue
		case d.Type == capsule.Publish && t.Relation == capsule.Supersedes:
			path, words = linkPath(d, t), othersWords(capsule.Publish, t.Entry.Actor)
		case d.Type != capsule.Retract:
			continue
		}
		out = append(out, desk.Problem{Path: path, Severity: desk.Blocks, Words: words})
	}
	if len(out) == 0 && !d.Actor.IsZero() && !slices.Contains(own, d.Actor) {
		out = append(out, desk.Problem{Severity: desk.Blocks, Words: "is to be signed by " + d.Actor.String() + ", and none of your keys is that one"})
	}
	return out
}

// OwnTarget refuses to begin the correction or the retraction of what signer signed, where
// none of the user's keys is that one: *fault.Usage. own is as in CheckDraft.
func OwnTarget(t capsule.Type, signer identity.Actor, own []identity.Actor) error {
	if own == nil || slices.Contains(own, signer) {
		return nil
	}
	return &fault.Usage{Detail: "the target " + othersWords(t, signer),
		Hint: "assess it, or write a capsule that extends or contradicts it; a key of yours that is elsewhere comes here with akx key import FILE"}
}

// linkPath is where the target of a link stands in the payload.
func linkPath(d desk.Draft, t TargetFacts) string {
	i := slices.Index(d.Payload.Relations, desk.Relation{Relation: t.Relation.String(), Target: t.ID.String()})
	return "/relations/" + strconv.Itoa(i) + "/target"
}

// othersWords says that an event of somebody else is not for the user to withdraw.
func othersWords(t capsule.Type, signer identity.Actor) string {
	verb := "correct"
	if t == capsule.Retract {
		verb = "retract"
	}
	return "was signed by " + signer.String() + ", and none of your keys is that one: only its signer can " + verb + " it"
}
