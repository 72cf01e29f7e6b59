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
