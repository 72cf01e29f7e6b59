package view

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// SetOf narrows a snapshot to what one followed service gave up to its completed
// checkpoint: it answers like the service, without a question to it (Agent Knowledge
// 9.6), in the service's scope. What the service did not give is not held in it, and
// its lifecycles are those of its own events alone: what another one knows of a
// retraction is not in it. ctx is that of the read which gave the snapshot. Errors:
// *fault.Usage with the code not_followed where no enumeration of the service was
// completed.
func SetOf(ctx context.Context, s Snapshot, origin identity.Origin) (Snapshot, Followed, error) {
	if records, ok := RecordsOf(s); ok {
		all, err := records.Followed()
		if err != nil {
			return nil, Followed{}, err
		}
		for _, f := range all {
			if f.Origin == origin {
				return set{ctx, s, records, f}, f, nil
			}
		}
	}
	return nil, Followed{}, &fault.Usage{
		Code: fault.NotFollowed, Detail: string(origin) + " is not followed, so its set is not known here", Hint: "sync it first, to the end",
	}
}

// set is one followed service's set while it is read.
type set struct {
	ctx      context.Context // Entries takes none
	all      Snapshot
	records  Records
	followed Followed
}

// Scope is the service's.
func (t set) Scope() Scope { return t.followed.Scope() }

// Find gives local numbers; 0 for what the service did not give.
func (t set) Find(ids []identity.ID) ([]uint64, error) {
	numbers, err := t.all.Find(ids)
	if err != nil {
		return nil, err
	}
	given, err := t.records.Given(t.followed.Origin, numbers)
	if err != nil {
		return nil, err
	}
	for i := range numbers {
		if !given[i] {
			numbers[i] = 0
		}
	}
	return numbers, nil
}

// Event gives an event that the service gave.
func (t set) Event(id identity.ID) (capsule.Event, error) {
	numbers, err := t.Find([]identity.ID{id})
	if err != nil {
		return nil, err
	}
	if numbers[0] == 0 {
		return nil, t.missing(id)
	}
	return t.all.Event(id)
}

// missing says that the service did not give an event, which may be held all the same.
func (t set) missing(id identity.ID) error {
	scope := t.Scope()
	where := "the set that " + scope.Origin + " showed up to #" + strconv.FormatUint(scope.Checkpoint, 10)
	return &fault.NotHeld{ID: id.String(), Where: where, Hint: "the service may not have it, withhold it, or have it since; everything held may have it"}
}

// Entries gives rows with the lifecycle and the successors that the set has. It reads
// the links of rows that have any.
func (t set) Entries(numbers []uint64) ([]Entry, error) {
	rows, err := t.all.Entries(numbers)
	if err != nil {
		return nil, err
	}
	untouched := lifecycle(t.Scope(), false)
	for i := range rows {
		if rows[i].Lifecycle != Retracted && rows[i].Successors == 0 {
			rows[i].Lifecycle = untouched
		} else if err := t.settle(&rows[i]); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// settle gives a row its lifecycle and its successors, which the other links do not bear on.
func (t set) settle(row *Entry) error {
	return gather(t.ctx, t.all, row.ID, MaxIncoming, func(incoming []Incoming, whole Scope) error {
		found := slices.DeleteFunc(incoming, func(in Incoming) bool {
			return in.Type != capsule.Retract && in.Relation != capsule.Supersedes
		})
		given, err := t.gave(found)
		if err != nil {
			return err
		}
		kept := found[:0]
		for i, in := range found {
			if given[i] {
				kept = append(kept, in)
			}
		}
		scope := t.Scope()
		if !whole.Complete {
			scope = scope.partial(manyLinks)
		}
		facts := Derive(SubjectOf(*row), kept, scope)
		row.Lifecycle, row.Successors = facts.Lifecycle, len(facts.Successors)
		return nil
	})
}

// manyLinks is why a set of what points at an event is not complete.
const manyLinks = "more links than are read at once"

// Scan yields what the service gave of a query's events.
func (t set) Scan(ctx context.Context, q Query, yield func([]uint64) bool) error {
	inner := q
	if q.Lifecycle != Retracted { // what is retracted here is retracted in the whole, too
		inner.Lifecycle = Unchecked
	}
	var failed error
	err := t.all.Scan(ctx, inner, func(numbers []uint64) bool {
		var kept []uint64
		if kept, failed = t.keep(numbers, q.Lifecycle); failed != nil {
			return false
		}
		return len(kept) == 0 || yield(kept)
	})
	return cmp.Or(failed, err)
}

// keep gives the numbers that the service gave, and of those the events in this
// state; unchecked is any.
func (t set) keep(numbers []uint64, state Lifecycle) ([]uint64, error) {
	given, err := t.records.Given(t.followed.Origin, numbers)
	if err != nil {
		return nil, err
	}
	kept := make([]uint64, 0, len(numbers))
	for i, n := range numbers {
		if given[i] {
			kept = append(kept, n)
		}
	}
	if state == Unchecked || len(kept) == 0 {
		return kept, nil
	}
	rows, err := t.Entries(kept)
	if err != nil {
		return nil, err
	}
	kept = kept[:0]
	for _, row := range rows {
		if row.Lifecycle == state {
			kept = append(kept, row.Number)
		}
	}
	return kept, nil
}

// Tally counts rows; what they say of themselves is the same in every set.
func (t set) Tally() Tally { return t.all.Tally() }

// Incoming yields what the service gave that points at target.
func (t set) Incoming(ctx context.Context, target identity.ID, yield func([]Incoming) bool) error {
	var failed error
	buffer := buffers.Get().(*[]Incoming)
	defer buffers.Put(buffer)
	err := t.all.Incoming(ctx, target, func(batch []Incoming) bool {
		var given []bool
		if given, failed = t.gave(batch); failed != nil {
			return false
		}
		var kept []Incoming
		if kept, failed = t.narrow((*buffer)[:0], batch, given); failed != nil {
			return false
		}
		*buffer = kept
		return len(kept) == 0 || yield(kept)
	})
	return cmp.Or(failed, err)
}

// gave reports which sources of incoming the service gave.
func (t set) gave(incoming []Incoming) ([]bool, error) {
	numbers := make([]uint64, len(incoming))
	for i, in := range incoming {
		numbers[i] = in.Number
	}
	return t.records.Given(t.followed.Origin, numbers)
}

// narrow copies what was given of incoming into the empty kept, retracted where the set
// says so.
func (t set) narrow(kept, incoming []Incoming, given []bool) ([]Incoming, error) {
	var retracted []uint64
	for i, in := range incoming {
		if !given[i] {
			continue
		}
		if in.Retracted {
			retracted = append(retracted, in.Number)
		}
		kept = append(kept, in)
	}
	if len(retracted) == 0 {
		return kept, nil
	}
	here, err := t.retracted(retracted)
	if err != nil {
		return nil, err
	}
	for i := range kept {
		kept[i].Retracted = kept[i].Retracted && here[kept[i].Number]
	}
	return kept, nil
}

// retracted finds those of some events of which the service gave a retraction: one that
// another service has does not count in its set.
func (t set) retracted(numbers []uint64) (map[uint64]bool, error) {
	all, err := t.Retractions(numbers)
	here := make(map[uint64]bool, len(all))
	for _, r := range all {
		here[r.Target] = true
	}
	return here, err
}

// Retractions gives the retractions of events that the service gave.
func (t set) Retractions(numbers []uint64) ([]Retraction, error) {
	all, err := t.all.Retractions(numbers)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	sources := make([]uint64, len(all))
	for i, r := range all {
		sources[i] = r.Number
	}
	given, err := t.records.Given(t.followed.Origin, sources)
	if err != nil {
		return nil, err
	}
	kept := all[:0]
	for i, r := range all {
		if given[i] {
			kept = append(kept, r)
		}
	}
	return kept, nil
}

// shows derives what the set says of a subject that the cache holds, from all that
// points at it and which of that the service gave.
func (t set) shows(subject Entry, incoming []Incoming, given []bool) (At, error) {
	held, err := t.records.Given(t.followed.Origin, []uint64{subject.Number})
	if err != nil {
		return At{}, err
	}
	kept, err := t.narrow(make([]Incoming, 0, len(incoming)), incoming, given)
	if err != nil {
		return At{}, err
	}
	facts := Derive(SubjectOf(subject), kept, t.Scope())
	if !held[0] && facts.Lifecycle != Retracted {
		facts.Lifecycle = Unchecked
	}
	return At{Followed: t.followed, Held: held[0], Facts: facts}, nil
}
