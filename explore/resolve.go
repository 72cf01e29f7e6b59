package explore

import (
	"context"
	"strings"

	"akx/view"
	"akx/view/fault"
	"akx/view/identity"
)

// Bounds of IDs as typed.
const (
	MinPrefix     = 6  // characters of a prefix
	fullID        = 43 // characters of a whole ID
	maxCandidates = 20 // that an ambiguous prefix lists
)

const idAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// Resolve reads an ID as typed: 43 characters, a prefix of 6 or more, with or
// without "id:". Held and pending events are found. Errors: *fault.Usage
// (ambiguous_id with candidates, or malformed), *fault.NotHeld.
func (s *Session) Resolve(ctx context.Context, typed string) (view.Known, error) {
	text, err := typedID(typed)
	if err != nil {
		return view.Known{}, err
	}
	found, err := s.lib.Lookup(ctx, text, maxCandidates+1)
	if err != nil {
		return view.Known{}, err
	}
	switch len(found) {
	case 0:
		return view.Known{}, &fault.NotHeld{ID: text, Where: s.where()}
	case 1:
		return found[0], nil
	}
	ambiguous := &fault.Usage{
		Code:   fault.AmbiguousID,
		Detail: text + " begins more than one event ID",
		Hint:   "type more of it",
	}
	for _, k := range found[:min(len(found), maxCandidates)] {
		ambiguous.Candidates = append(ambiguous.Candidates, k.ID.String())
	}
	return view.Known{}, ambiguous
}

// typedID takes an ID or the start of one out of what was typed: *fault.Usage.
func typedID(typed string) (string, error) {
	text := strings.TrimPrefix(strings.TrimSpace(typed), "id:")
	return text, checkTyped(text)
}

// checkTyped gives a *fault.Usage for what cannot be an ID or the start of one.
func checkTyped(text string) error {
	malformed := func(detail string) error {
		return &fault.Usage{Detail: detail, Hint: "an event ID has 43 characters of A-Z a-z 0-9 - _; its first 6 or more are enough to read"}
	}
	switch {
	case strings.HasPrefix(text, identity.AgentPrefix):
		return malformed("that is an Agent ID, not an event ID")
	case !onlyOf(text, idAlphabet):
		return malformed("an event ID has no such characters")
	case len(text) < MinPrefix:
		return malformed("too short for an event ID")
	case len(text) > fullID:
		return malformed("too long for an event ID")
	}
	if len(text) == fullID {
		if _, err := identity.ParseID(text); err != nil {
			return malformed("its last character belongs to no event ID")
		}
	}
	return nil
}

func onlyOf(text, alphabet string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune(alphabet, r) }) < 0
}

func (s *Session) where() string {
	if s.sample {
		return view.SampleSet
	}
	return view.ThisCache
}
