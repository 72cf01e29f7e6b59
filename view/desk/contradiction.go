package desk

// Contradiction is one cause for which a service contradicted itself, as far as faults
// tell causes apart: a service that was reset once gives many of its events another seq,
// and each look at it finds more of them.
type Contradiction struct {
	Fault ServiceFault // the one that tells most: that it went back, else the newest
	More  int          // other faults of the same cause
}

// Contradictions gives the causes of the faults, the oldest first. Going back behind what
// it gave is one for each seq that it gave before, and explains every event that has
// another seq since; without it, those are one.
func (f Follow) Contradictions() []Contradiction {
	var causes []Contradiction
	find := func(same func(ServiceFault) bool) int {
		for i, c := range causes {
			if same(c.Fault) {
				return i
			}
		}
		return -1
	}
	add := func(fault ServiceFault, at int) {
		if at < 0 {
			causes = append(causes, Contradiction{Fault: fault})
			return
		}
		causes[at].Fault = fault
		causes[at].More++
	}
	for _, x := range f.Faults {
		if !x.renumbered() {
			add(x, find(func(k ServiceFault) bool {
				return !k.renumbered() && k.wentBack() == x.wentBack() && k.Before == x.Before
			}))
		}
	}
	for _, x := range f.Faults {
		switch at := find(ServiceFault.wentBack); {
		case !x.renumbered():
		case at >= 0:
			causes[at].More++
		default:
			add(x, find(ServiceFault.renumbered))
		}
	}
	return causes
}

// Stuck reports whether the service cannot be followed on: it refused to go on behind
// what it gave, or has less now. It can be followed anew.
func (f Follow) Stuck() bool {
	for _, x := range f.Faults {
		if !x.renumbered() && x.Before == f.Reached && f.Trouble.Code != "" {
			return true
		}
	}
	return false
}

// wentBack reports whether the fault is that the service has less than it gave.
func (x ServiceFault) wentBack() bool { return !x.renumbered() && x.Now < x.Before }

// renumbered reports whether the fault is that a seq stands for something else.
func (x ServiceFault) renumbered() bool { return x.Kind == SeqBack || x.Kind == SeqShared }
