package fault

// AllDamaged lists every *Damaged of an error that joins several, in their order.
func AllDamaged(err error) []*Damaged {
	switch e := err.(type) {
	case *Damaged:
		return []*Damaged{e}
	case interface{ Unwrap() []error }:
		var out []*Damaged
		for _, one := range e.Unwrap() {
			out = append(out, AllDamaged(one)...)
		}
		return out
	case interface{ Unwrap() error }:
		return AllDamaged(e.Unwrap())
	}
	return nil
}
