package kit

import (
	"slices"
	"strings"

	"akx/view/fault"
)

// CheckKeys refuses rebound keys that cannot work: an unknown action, no key, or a
// key that now means two things that may be shown together.
func CheckKeys(rebound map[string][]string) error {
	for id, keys := range rebound {
		if _, ok := find(id); !ok {
			return &fault.Usage{Detail: "no action is called " + id, Hint: "akx config lists the actions"}
		}
		if len(keys) == 0 || slices.Contains(keys, "") {
			return &fault.Usage{Detail: id + " has no key", Hint: "give it one, or leave the line out"}
		}
	}
	all := bound(rebound)
	for i, a := range all {
		for _, b := range all[i+1:] {
			if key, clash := shared(a, b); clash && !together(a.ID, b.ID, key) {
				return &fault.Usage{Detail: "the key " + key + " means both " + a.ID + " and " + b.ID, Hint: "rebind one of them"}
			}
		}
	}
	return nil
}

func bound(rebound map[string][]string) []Action {
	all := slices.Clone(actions)
	for i := range all {
		if keys, ok := rebound[all[i].ID]; ok {
			all[i].Keys = keys
		}
	}
	return all
}

// shared gives a key of both actions; typing and not typing never meet.
func shared(a, b Action) (string, bool) {
	if (a.Group == groupText) != (b.Group == groupText) {
		return "", false
	}
	for _, k := range a.Keys {
		if slices.ContainsFunc(b.Keys, func(other string) bool {
			return k == other || strings.HasPrefix(other, k+" ") || strings.HasPrefix(k, other+" ")
		}) {
			return k, true
		}
	}
	return "", false
}

// together reports whether two actions share a key by default: they are never
// shown at the same time.
func together(a, b, key string) bool {
	x, _ := find(a)
	y, _ := find(b)
	return slices.Contains(x.Keys, key) && slices.Contains(y.Keys, key)
}
