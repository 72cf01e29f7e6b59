package capsule

import "akx/view/identity"

// EvidenceState is the local result of an evidence check (5.1); zero is unchecked.
type EvidenceState uint8

// The evidence states.
const (
	Unchecked EvidenceState = iota
	Matched
	Mismatched
	Unavailable
)

var evidenceStates = []string{"unchecked", "matched", "mismatched", "unavailable"}

func (s EvidenceState) String() string { return name(evidenceStates, s) }

// CheckEvidence compares the complete representation with a digest. have is false
// when the representation could not be obtained. A zero digest is unchecked.
func CheckEvidence(d identity.Digest, representation []byte, have bool) EvidenceState {
	if d.IsZero() || !have {
		return CheckEvidenceSum(d, identity.Digest{}, have)
	}
	return CheckEvidenceSum(d, identity.SHA3(representation), true)
}

// CheckEvidenceSum is CheckEvidence for a representation that was hashed as it
// streamed; have is false unless it was complete.
func CheckEvidenceSum(d, sum identity.Digest, have bool) EvidenceState {
	switch {
	case d.IsZero():
		return Unchecked
	case !have:
		return Unavailable
	case d == sum:
		return Matched
	default:
		return Mismatched
	}
}
