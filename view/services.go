package view

import (
	"context"
	"strconv"

	"akx/view/capsule"
	"akx/view/identity"
)

// Followed is a service that this cache follows, as far as it did.
type Followed struct {
	Origin     identity.Origin
	Checkpoint uint64
	AsOf       int64 // ms
	// Exceptions counts its records that are not events here.
	Exceptions int
	// Faults counts the causes for which it contradicted itself.
	Faults int
	Tried  int64 // ms of the last attempt, by this machine's clock; 0 is not known
	// ClockBack says that AsOf was earlier than that of the enumeration before.
	ClockBack bool
	// Failed says that the last attempt to follow it on brought nothing to its end.
	Failed bool
}

// Scope is the scope of everything that the followed service had up to its
// checkpoint. Exceptions make it incomplete: any of them could bear on a check. So
// do contradictions, and a time that cannot be true.
func (f Followed) Scope() Scope {
	s := Scope{
		Origin: string(f.Origin), Checkpoint: f.Checkpoint, AsOf: f.AsOf, Complete: true,
		Seen: f.Seen(), Failed: f.Failed, Exceptions: f.Exceptions,
	}
	if f.Exceptions > 0 {
		s = s.partial(ExceptionWords(f.Exceptions))
	}
	if f.Faults > 0 {
		s = s.partial(ContradictionWords(f.Faults))
	}
	if f.Tried > 0 && Ahead(f.AsOf, f.Tried) {
		s = s.partial(AheadWords)
	}
	if f.ClockBack {
		s = s.partial(BackWords)
	}
	return s
}

// Seen is what the age of what the service showed is told from, in ms: its own time,
// but none that was still to come when it was asked.
func (f Followed) Seen() int64 {
	if f.Tried > 0 {
		return min(f.AsOf, f.Tried)
	}
	return f.AsOf
}

// StaleAfter is the age, in ms, from which what a service showed is called stale.
const StaleAfter = 60 * 60 * 1000

// Reasons for which a service's own time does not count.
const (
	AheadWords = "its clock is ahead of this machine's"
	BackWords  = "its clock went back: its time is earlier than before"
)

// Ahead reports whether a time, in ms, lies further ahead of another than clocks may
// differ (Agent Knowledge 8.1).
func Ahead(ms, of int64) bool { return ms > of && ms-of > capsule.DefaultSkew }

// ContradictionWords says that a service contradicted itself for n causes, and the way
// out.
func ContradictionWords(n int) string {
	times := ""
	if n > 1 {
		times = " " + strconv.Itoa(n) + " times"
	}
	return "it contradicted itself" + times + "; refollow it to follow it anew"
}

// Records says which events services gave a snapshot's store. It is valid as long
// as its snapshot, and its methods are called from one goroutine.
type Records interface {
	// Followed lists the services with a completed enumeration, by origin.
	Followed() ([]Followed, error)
	// Given reports for each local number whether the service's answers up to its
	// completed checkpoint held it: whether the smallest seq under which it ever gave
	// the event is at most the checkpoint. False for services that are not followed.
	Given(origin identity.Origin, numbers []uint64) ([]bool, error)
}

// Recorded is a snapshot of a store that keeps what services gave.
type Recorded interface{ Records() Records }

// RecordsOf gives the records of a snapshot; false where its store keeps none.
func RecordsOf(s Snapshot) (Records, bool) {
	r, ok := s.(Recorded)
	if !ok {
		return nil, false
	}
	return r.Records(), true
}

// At is what one followed service's set says of an event.
type At struct {
	Followed Followed
	Held     bool  // the service gave the event itself
	Facts    Facts // of its set; Unchecked where it did not give the event
}

// LoadServices reads what every followed service's set says of an event, without
// asking any. A service that did not give the event says nothing about its
// lifecycle, but what it gave that points at it is counted.
func LoadServices(ctx context.Context, s Snapshot, r Records, id identity.ID) ([]At, error) {
	shown, err := LoadShown(ctx, s, r, id)
	return shown.At, err
}

// Shown is what followed services show of one event.
type Shown struct {
	At []At // by origin
	// Differences between them, at most MaxDifferences: retractions first, then
	// corrections, then assessments, each in ascending ASCII order. More counts others.
	Differences []Difference
	More        int
}

// LoadShown is LoadServices with the differences between the services.
func LoadShown(ctx context.Context, s Snapshot, r Records, id identity.ID) (Shown, error) {
	followed, err := r.Followed()
	if err != nil || len(followed) == 0 {
		return Shown{}, err
	}
	subject, err := entryOf(s, id)
	if err != nil {
		return Shown{}, err
	}
	var out Shown
	err = gather(ctx, s, id, MaxIncoming, func(incoming []Incoming, scope Scope) error {
		sets := make([][]bool, len(followed))
		for i, f := range followed {
			set := set{ctx, s, r, f}
			if sets[i], err = set.gave(incoming); err != nil {
				return err
			}
			shown, err := set.shows(subject, incoming, sets[i])
			if err != nil {
				return err
			}
			if !scope.Complete {
				shown.Facts.Scope = shown.Facts.Scope.partial(manyLinks)
			}
			out.At = append(out.At, shown)
		}
		out.Differences, out.More = differences(SubjectOf(subject), incoming, out.At, sets)
		return nil
	})
	if err != nil {
		return Shown{}, err
	}
	return out, nil
}

// ExceptionWords says that n records of a service are not events here.
func ExceptionWords(n int) string {
	if n == 1 {
		return "1 of its records is not an event here"
	}
	return strconv.Itoa(n) + " of its records are not events here"
}
