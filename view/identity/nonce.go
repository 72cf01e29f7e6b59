package identity

import (
	"strconv"

	"akx/view/fault"
)

// maxNonceJump is how far a Max-Seen-Nonce header may advance a sequence.
const maxNonceJump = 1 << 32

// NextNonce is max(last+1, createdAt) (Agent Identity 6.2), at least 1. Behind the
// last safe integer it gives 2^53, which no event may carry.
func NextNonce(last, createdAt int64) int64 {
	last = min(max(last, 0), MaxSafeInteger)
	return max(last+1, createdAt)
}

// ApplyMaxSeen advances next by a Max-Seen-Nonce header, bounded (Agent Identity
// 6.2). next comes back unchanged with an error, a *fault.Refusal with the code
// invalid_response, when the header is malformed or too far ahead.
func ApplyMaxSeen(next, nowMS int64, header string) (int64, error) {
	seen, err := strconv.ParseInt(header, 10, 64)
	if err != nil || seen < 0 || seen > MaxSafeInteger || strconv.FormatInt(seen, 10) != header {
		return next, maxSeenError("not a decimal safe integer")
	}
	reach := min(max(next, nowMS), MaxSafeInteger-maxNonceJump-1) + maxNonceJump
	if seen > reach {
		return next, maxSeenError("more than 2^32 ahead")
	}
	return max(next, seen+1), nil
}

func maxSeenError(detail string) error {
	return &fault.Refusal{Step: fault.StepShape, Code: fault.InvalidResponse, Detail: "Max-Seen-Nonce: " + detail}
}
