package capsule

import (
	"akx/view/identity"
)

// fewItems is up to how many items are compared pair by pair.
const fewItems = 8

// firstRepeat gives the index of the first item that is the same by JSON value as
// an earlier one, -1 where there is none. Its cost is linear in the size of the
// items: pairs are compared only where a glance can tell them apart, and for a
// few; all else goes through canonical forms.
func firstRepeat(items []identity.Value) int {
	if len(items) < 2 {
		return -1
	}
	if len(items) <= fewItems && allDiffer(items) {
		return -1
	}
	seen := make(map[string]struct{}, len(items))
	var form []byte
	for i := range items {
		form = identity.AppendCanonical(form[:0], items[i])
		if _, repeat := seen[string(form)]; repeat {
			return i
		}
		seen[string(form)] = struct{}{}
	}
	return -1
}

func allDiffer(items []identity.Value) bool {
	for i := range items {
		for j := range items[:i] {
			if !plainlyDiffer(items[i], items[j]) {
				return false
			}
		}
	}
	return true
}

// plainlyDiffer reports whether a and b are certainly different values, by looking
// at no more than their first members. false decides nothing.
func plainlyDiffer(a, b identity.Value) bool {
	if a.Kind() != b.Kind() {
		return true
	}
	switch a.Kind() {
	case identity.String:
		return a.Text() != b.Text()
	case identity.Object:
		x, y := a.Members(), b.Members()
		if len(x) != len(y) {
			return true
		}
		for i := 0; i < len(x) && i < fewItems; i++ {
			if x[i].Name == y[i].Name && x[i].Value.Kind() == identity.String &&
				y[i].Value.Kind() == identity.String && x[i].Value.Text() != y[i].Value.Text() {
				return true
			}
		}
	}
	return false
}
