package wire

import (
	"strconv"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// Stamp is what every answer to a read says of itself (9.3.1): local assertions
// of one service.
type Stamp struct {
	Service    identity.Origin
	Checkpoint uint64
	AsOf       int64 // ms
}

// answered reads the stamp of a response that has its shape, and checks that the
// service is the one that was asked.
func answered(v identity.Value, service identity.Origin) (Stamp, error) {
	if member(v, "service").Text() != string(service) {
		return Stamp{}, badAnswer("/service", "is not the service that was asked")
	}
	checkpoint, _ := member(v, "checkpoint").Integer()
	asOf, _ := member(v, "as_of").Integer()
	return Stamp{Service: service, Checkpoint: uint64(checkpoint), AsOf: asOf}, nil
}

// received is one record of a response: its item, and the ID it claims, which is
// proven only where the item is.
type received struct {
	Item
	id identity.ID
}

// event gives the proven and valid event; nil where there is none.
func (r received) event() capsule.Event { return r.Offer.Event() }

// receive opens the record v of a response. What breaks the contract of records
// is an error; an envelope that fails its proof, or whose payload is refused, is
// an item with the refusal.
func receive(text []byte, v identity.Value, path string, checkpoint uint64) (received, error) {
	if r := recordHead(v, path); r != nil {
		return received{}, recode(r, fault.InvalidResponse)
	}
	item := openRecord(text, v, path, 0)
	id, err := identity.ParseID(member(member(v, "envelope"), "hash").Text())
	if err != nil {
		return received{}, badAnswer(path+"/envelope/hash", "is not an event ID")
	}
	if item.Seq > checkpoint {
		return received{}, badAnswer(path+"/seq", "is beyond the checkpoint")
	}
	if r := item.Offer.Refusal(); r != nil {
		item.Refusal, item.Claimed, item.Offer = below(path+"/envelope", r), id, capsule.Offer{}
	}
	item.Where = path
	return received{Item: item, id: id}, nil
}

// receiveAll opens the records of a response, at most limit, none repeated. Each
// of values is the record itself or, with under, the object that has it as member.
func receiveAll(text []byte, values []identity.Value, under string, checkpoint uint64, limit int) ([]received, error) {
	if len(values) > limit {
		return nil, badAnswer("/result", "has more than the "+strconv.Itoa(limit)+" that were asked for")
	}
	all := make([]received, 0, len(values))
	ids := make(map[identity.ID]bool, len(values))
	seqs := make(map[uint64]bool, len(values))
	for i, v := range values {
		path := "/result/" + strconv.Itoa(i)
		if under != "" {
			path += "/" + under
			v = member(v, under)
		}
		r, err := receive(text, v, path, checkpoint)
		if err != nil {
			return nil, err
		}
		if ids[r.id] {
			return nil, badAnswer(path, "repeats an event")
		}
		if seqs[r.Seq] {
			return nil, badAnswer(path+"/seq", "is the sequence number of another event")
		}
		ids[r.id], seqs[r.Seq] = true, true
		all = append(all, r)
	}
	return all, nil
}

func itemsOf(all []received) []Item {
	items := make([]Item, len(all))
	for i := range all {
		items[i] = all[i].Item
	}
	return items
}
