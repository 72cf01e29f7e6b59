package capsule

import (
	"akx/view/fault"
	"akx/view/identity"
)

// DefaultSkew is the allowance for clocks that run ahead, in ms (8.1 step 4).
const DefaultSkew = 300_000

// Resolver looks an event up among the retained ones.
type Resolver func(identity.ID) (t Target, ok bool, err error)

// Admit is acceptance without a store: clock, dependencies, target rules (8.1
// steps 4 and 5). now and skew are in ms. Refusals carry StepClock,
// StepDependencies (with Missing) or StepTarget; other errors come from resolve.
func Admit(e Event, now, skew int64, resolve Resolver) error {
	if !Proven(e) {
		return unproven()
	}
	if e.CreatedAt()-max(skew, 0) > now {
		return fault.Refuse(fault.StepClock, "/event/created_at", "is later than the clock allows")
	}
	targets, err := resolveAll(e, resolve)
	if err != nil {
		return err
	}
	for _, link := range Links(e) {
		if r := CheckTarget(e, link, targets[link.Target]); r != nil {
			return r
		}
	}
	return nil
}

// resolveAll looks up every dependency, so that a refusal names all that are missing.
func resolveAll(e Event, resolve Resolver) (map[identity.ID]Target, error) {
	ids := Dependencies(e)
	targets := make(map[identity.ID]Target, len(ids))
	var missing []string
	for _, id := range ids {
		t, ok, err := resolve(id)
		if err != nil {
			return nil, err
		}
		if ok {
			targets[id] = t
		} else {
			missing = append(missing, id.String())
		}
	}
	if missing == nil {
		return targets, nil
	}
	r := fault.Refuse(fault.StepDependencies, "", count(len(missing), "target")+" not retained here")
	r.Missing = missing
	return nil, r
}

// Tx is what acceptance needs of a store's write transaction.
type Tx interface {
	// Held reports whether an envelope with this hash is retained.
	Held(identity.ID) (bool, error)
	// Resolve looks up a retained event, withheld ones included.
	Resolve(identity.ID) (Target, bool, error)
	// Keep stores the event and its index entries and gives it the next number.
	Keep(Event) (number uint64, err error)
}

// Terms are the conditions of acceptance that are not the store's.
type Terms struct {
	Now  int64 // ms
	Skew int64 // ms
	// Policy is local admission policy, asked last; nil admits everything.
	Policy func(Event) error
}

// Accept runs 8.1 steps 2 to 7 in their order over one transaction: held is true
// for a resubmission, and number is 0 then. A refusal changes nothing.
func Accept(tx Tx, o Offer, terms Terms) (number uint64, held bool, err error) {
	if o.envelope.IsZero() {
		return 0, false, unproven()
	}
	held, err = tx.Held(o.envelope.ID())
	if err != nil || held {
		return 0, held && err == nil, err
	}
	if o.refusal != nil {
		return 0, false, o.refusal
	}
	if err := Admit(o.event, terms.Now, terms.Skew, tx.Resolve); err != nil {
		return 0, false, err
	}
	if terms.Policy != nil {
		if err := terms.Policy(o.event); err != nil {
			return 0, false, err
		}
	}
	number, err = tx.Keep(o.event)
	if err != nil {
		return 0, false, err
	}
	return number, false, nil
}
