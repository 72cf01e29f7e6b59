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
}

// Scope is the scope of everything that the followed service had up to its
// checkpoint. Exceptions make it incomplete: any of them could bear on a check.
func (f Followed) Scope() Scope {
	s := Scope{Origin: string(f.Origin), Checkpoint: f.Checkpoint, AsOf: f.AsOf, Complete: true}
	if f.Exceptions > 0 {
		s = s.partial(exceptionWords(f.Exceptions))
	}
	return s
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
	followed, err := r.Followed()
	if err != nil || len(followed) == 0 {
		return nil, err
	}
	subject, err := entryOf(s, id)
	if err != nil {
		return nil, err
	}
	var out []At
	err = gather(ctx, s, id, MaxIncoming, func(incoming []Incoming, scope Scope) error {
		for _, f := range followed {
			at, err := atService(ctx, s, r, f, subject, incoming)
			if err != nil {
				return err
			}
			if !scope.Complete {
				at.Facts.Scope = at.Facts.Scope.partial("more links than are read at once")
			}
			out = append(out, at)
		}
		return nil
	})
	return out, err
}

func atService(ctx context.Context, s Snapshot, r Records, f Followed, subject Entry, incoming []Incoming) (At, error) {
	held, err := r.Given(f.Origin, []uint64{subject.Number})
	if err != nil {
		return At{}, err
	}
	kept, err := givenBy(r, f.Origin, incoming)
	if err != nil {
		return At{}, err
	}
	for i := range kept {
		if kept[i].Retracted {
			if kept[i].Retracted, err = retractedAt(ctx, s, r, f.Origin, kept[i].Source); err != nil {
				return At{}, err
			}
		}
	}
	facts := Derive(Subject{ID: subject.ID, Actor: subject.Actor, Nonce: subject.Nonce}, kept, f.Scope())
	if !held[0] && facts.Lifecycle != Retracted {
		facts.Lifecycle = Unchecked
	}
	return At{Followed: f, Held: held[0], Facts: facts}, nil
}

// givenBy keeps what a service gave.
func givenBy(r Records, origin identity.Origin, incoming []Incoming) ([]Incoming, error) {
	numbers := make([]uint64, len(incoming))
	for i, in := range incoming {
		numbers[i] = in.Number
	}
	given, err := r.Given(origin, numbers)
	if err != nil {
		return nil, err
	}
	kept := make([]Incoming, 0, len(incoming))
	for i, in := range incoming {
		if given[i] {
			kept = append(kept, in)
		}
	}
	return kept, nil
}

// retractedAt reports whether a service gave a retraction of a source: one that
// another service has does not count in its set.
func retractedAt(ctx context.Context, s Snapshot, r Records, origin identity.Origin, source identity.ID) (bool, error) {
	var retractions []Incoming
	err := s.Incoming(ctx, source, func(batch []Incoming) bool {
		for _, in := range batch {
			if in.Type == capsule.Retract {
				retractions = append(retractions, in)
			}
		}
		return len(retractions) < maxRetractions
	})
	if err != nil {
		return false, err
	}
	kept, err := givenBy(r, origin, retractions)
	return len(kept) > 0, err
}

// maxRetractions bounds how many retractions of one source are looked at.
const maxRetractions = 1000

func exceptionWords(n int) string {
	if n == 1 {
		return "1 of its records is not an event here"
	}
	return strconv.Itoa(n) + " of its records are not events here"
}
