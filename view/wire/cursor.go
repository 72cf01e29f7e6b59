package wire

import (
	"encoding/base64"
	"encoding/binary"
	"strconv"

	"akx/view/fault"
	"akx/view/identity"
)

// Cursor is where a page of a query ends. Its text carries everything that the
// next page needs, so that a service keeps no state (9.3.1).
type Cursor struct {
	Checkpoint uint64
	AsOf       int64
	Last       uint64 // the seq of the last record that went out
}

const (
	cursorVersion = 1
	cursorNumbers = 1 + 3*8
	cursorBytes   = cursorNumbers + 32
)

// Text gives the cursor's text for the query q at service. It binds the filters,
// the effective limit and after_seq.
func (c Cursor) Text(service identity.Origin, q Query) string {
	b := make([]byte, 0, cursorBytes)
	b = append(b, cursorVersion)
	b = binary.BigEndian.AppendUint64(b, c.Checkpoint)
	b = binary.BigEndian.AppendUint64(b, uint64(c.AsOf))
	b = binary.BigEndian.AppendUint64(b, c.Last)
	sum := cursorSum(b, service, q)
	return base64.RawURLEncoding.EncodeToString(append(b, sum[:]...))
}

// cursorSum is the digest over a cursor's numbers and the request it belongs to.
func cursorSum(numbers []byte, service identity.Origin, q Query) [32]byte {
	q.Cursor = ""
	members := []identity.Member{
		{Name: "numbers", Value: identity.StringValue(base64.RawURLEncoding.EncodeToString(numbers))},
		{Name: "service", Value: identity.StringValue(string(service))},
		{Name: "limit", Value: identity.StringValue(strconv.Itoa(q.Limit))},
		{Name: "after_seq", Value: identity.StringValue(strconv.FormatUint(q.AfterSeq, 10))},
	}
	for _, p := range q.Params() {
		members = append(members, identity.Member{Name: "?" + p.Name, Value: identity.StringValue(p.Value)})
	}
	return identity.SHA3(identity.AppendCanonical(nil, identity.ObjectValue(members...)))
}

// OpenCursor reads q.Cursor. A malformed one, and one of other parameters or of
// another service, is refused with invalid_cursor. current is the checkpoint now.
func OpenCursor(service identity.Origin, q Query, current uint64) (Cursor, error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(q.Cursor)
	if err != nil || len(b) != cursorBytes || b[0] != cursorVersion {
		return Cursor{}, badCursor("is no cursor of this service")
	}
	if cursorSum(b[:cursorNumbers], service, q) != [32]byte(b[cursorNumbers:]) {
		return Cursor{}, badCursor("belongs to other parameters")
	}
	c := Cursor{
		Checkpoint: binary.BigEndian.Uint64(b[1:]),
		AsOf:       int64(binary.BigEndian.Uint64(b[9:])),
		Last:       binary.BigEndian.Uint64(b[17:]),
	}
	if c.Checkpoint > current || c.Last > c.Checkpoint || c.Last < q.AfterSeq || c.AsOf < 0 {
		return Cursor{}, badCursor("belongs to another state of this service")
	}
	return c, nil
}

func badCursor(detail string) error {
	return &fault.Refusal{Step: fault.StepShape, Code: fault.InvalidCursor, Path: "/cursor", Detail: detail}
}
