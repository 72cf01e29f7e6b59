package wire

import (
	"slices"
	"strconv"

	"akx/view/capsule"
	"akx/view/identity"
)

// BatchRequest asks for exact events (9.4), 1 to MaxBatch distinct IDs.
type BatchRequest struct{ IDs []identity.ID }

// ParseBatchRequest reads a request body strictly; errors carry invalid_request.
func ParseBatchRequest(text []byte) (BatchRequest, error) {
	v, err := parseRequest(text, batchRequestShape)
	if err != nil {
		return BatchRequest{}, err
	}
	items := member(v, "hashes").Items()
	ids := make([]identity.ID, len(items))
	for i, item := range items {
		if ids[i], err = identity.ParseID(item.Text()); err != nil {
			return BatchRequest{}, badRequest("/hashes/"+strconv.Itoa(i), "is not an event ID in canonical base64url")
		}
	}
	return BatchRequest{IDs: ids}, nil
}

// Append appends the request's body.
func (r BatchRequest) Append(dst []byte) []byte {
	w := newWriter(dst)
	w.texts("hashes", idTexts(r.IDs))
	return w.end()
}

// BatchResponse is the answer to a batch as a service gives it.
type BatchResponse struct {
	Stamp
	Records []Record
	Missing []identity.ID
}

// Append appends the document.
func (r BatchResponse) Append(dst []byte) []byte {
	w := newWriter(dst)
	w.list("result", len(r.Records), func(dst []byte, i int) []byte { return r.Records[i].Append(dst) })
	w.texts("missing", idTexts(r.Missing))
	w.stamp(r.Stamp)
	return w.end()
}

func idTexts(ids []identity.ID) []string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	return texts
}

// BatchPage is the answer to a batch as a client takes it.
type BatchPage struct {
	Stamp
	Items   []Item // records whose proof failed stand here as refusals
	Missing []identity.ID
}

var batchPageShape = capsule.All(noCursor, capsule.OpenObject(append(stampFields(),
	capsule.Required("result", capsule.ArrayOf(capsule.AnyObject, 0, MaxBatch, false)),
	capsule.Required("missing", missingShape))...))

// Check holds the answer of service to the contract of 9.4: every requested ID
// exactly once, both partitions in the order of the request. Errors carry
// invalid_response.
func (r BatchRequest) Check(service identity.Origin, text []byte) (BatchPage, error) {
	v, err := parseAnswer(text, batchPageShape)
	if err != nil {
		return BatchPage{}, err
	}
	stamp, err := answered(v, service)
	if err != nil {
		return BatchPage{}, err
	}
	all, err := receiveAll(text, member(v, "result").Items(), "", stamp.Checkpoint, MaxBatch)
	if err != nil {
		return BatchPage{}, err
	}
	found := make([]identity.ID, len(all))
	for i := range all {
		found[i] = all[i].id
	}
	items := member(v, "missing").Items()
	missing := make([]identity.ID, len(items))
	for i, item := range items {
		if missing[i], err = identity.ParseID(item.Text()); err != nil {
			return BatchPage{}, badAnswer("/missing/"+strconv.Itoa(i), "is not an event ID")
		}
	}
	if !partition(r.IDs, found, missing) {
		return BatchPage{}, badAnswer("", "result and missing do not hold each requested ID once, in order")
	}
	return BatchPage{Stamp: stamp, Items: itemsOf(all), Missing: missing}, nil
}

// partition reports whether found and missing together are ids, each in its order.
func partition(ids, found, missing []identity.ID) bool {
	if len(found)+len(missing) != len(ids) {
		return false
	}
	var f, m int
	for _, id := range ids {
		switch {
		case f < len(found) && found[f] == id:
			f++
		case m < len(missing) && missing[m] == id:
			m++
		default:
			return false
		}
	}
	return !slices.ContainsFunc(found, func(id identity.ID) bool { return slices.Contains(missing, id) })
}
