// Package fault holds what can go wrong, as values: the codes of the protocols
// and of akx itself, the steps of a proof, and the five error types that every
// package returns. Callers find them with errors.As and never read their text.
package fault

// Code is a machine-readable reason. The protocol's own codes keep their wire
// spelling (Agent Identity 8.1, Agent Knowledge 9.7); akx adds a few.
type Code string

// Codes of Agent Identity 8.1.
const (
	InvalidRequest   Code = "invalid_request"
	InvalidEvent     Code = "invalid_event"
	InvalidEventHash Code = "invalid_event_hash"
	InvalidSignature Code = "invalid_signature"
	InvalidActor     Code = "invalid_actor"
	TimestampOutside Code = "timestamp_out_of_window"
	NonceNotGreater  Code = "nonce_not_greater"
	InvalidToken     Code = "invalid_token"
	PermissionDenied Code = "permission_denied"
	NotFound         Code = "not_found"
	RateLimited      Code = "rate_limited"
	PayloadTooLarge  Code = "payload_too_large"
)

// Codes of Agent Knowledge 9.7.
const (
	MissingDependency     Code = "missing_dependency"
	InvalidTarget         Code = "invalid_target"
	InvalidCursor         Code = "invalid_cursor"
	QueryTooBroad         Code = "query_too_broad"
	QueryUnavailable      Code = "query_unavailable"
	UnsupportedSearchMode Code = "unsupported_search_mode"
)

// Findings of a client about a service (conformance README); never wire codes.
const (
	InvalidResponse  Code = "invalid_response"
	InvalidDiscovery Code = "invalid_discovery"
)

// Codes of akx itself.
const (
	Locked      Code = "locked"
	DamagedCode Code = "damaged"
	NewerFormat Code = "newer_format"
	NotHeldCode Code = "not_held"
	AmbiguousID Code = "ambiguous_id"
	ReadOnly    Code = "read_only"
	Partial     Code = "partial"
	PendingFull Code = "pending_full"
	Cancelled   Code = "cancelled"
	// Of a service that answered a submission with an error that has no code of the
	// protocols: one that is for good, and one of its own from which nothing follows.
	OtherRefusal    Code = "other_refusal"
	ServerError     Code = "server_error"
	UsageCode       Code = "usage"
	UnavailableCode Code = "unavailable"
	Offline         Code = "offline"
	NotFollowed     Code = "not_followed"
)

// Protocol reports whether a code is of the specs, or what the conformance documents
// call a client's finding about a service. People who look into what a service does
// need it beside the words; akx's own codes are for programs alone.
func (c Code) Protocol() bool {
	switch c {
	case InvalidRequest, InvalidEvent, InvalidEventHash, InvalidSignature, InvalidActor, TimestampOutside, NonceNotGreater,
		InvalidToken, PermissionDenied, NotFound, RateLimited, PayloadTooLarge,
		MissingDependency, InvalidTarget, InvalidCursor, QueryTooBroad, QueryUnavailable, UnsupportedSearchMode,
		InvalidResponse, InvalidDiscovery:
		return true
	}
	return false
}
