package view

import (
	"cmp"
	"slices"

	"akx/view/identity"
)

// rank gives each 6-bit group its place among the 64 characters of base64url in
// ASCII order: '-', digits, capitals, '_', small letters.
var rank = func() (r [64]uint64) {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	for i := range alphabet {
		for j := range alphabet {
			if alphabet[j] < alphabet[i] {
				r[i]++
			}
		}
	}
	return r
}()

// textKey gives a number that orders IDs as the first 8 characters of their text
// do, so that sorting a hub's links seldom needs the text itself.
func textKey(id identity.ID) uint64 {
	a := uint64(id[0])<<16 | uint64(id[1])<<8 | uint64(id[2])
	b := uint64(id[3])<<16 | uint64(id[4])<<8 | uint64(id[5])
	return key24(a)<<24 | key24(b)
}

func key24(w uint64) uint64 {
	return rank[w>>18]<<18 | rank[w>>12&63]<<12 | rank[w>>6&63]<<6 | rank[w&63]
}

// ref is one incoming fact by its place, with the key that sorts it.
type ref struct {
	key uint64
	at  int
}

// distinct sorts refs by the source's text and keeps one of each source. Of
// several the first in the order of incoming stays.
func distinct(refs []ref, incoming []Incoming) []ref {
	compare := func(a, b ref) int {
		if a.key != b.key {
			return cmp.Compare(a.key, b.key)
		}
		if c := incoming[a.at].Source.Compare(incoming[b.at].Source); c != 0 {
			return c
		}
		return cmp.Compare(a.at, b.at)
	}
	if len(refs) < manyRefs {
		slices.SortFunc(refs, compare)
	} else {
		refs = sortMany(refs, compare)
	}
	return slices.CompactFunc(refs, func(a, b ref) bool {
		return a.key == b.key && incoming[a.at].Source == incoming[b.at].Source
	})
}

// manyRefs is from how many refs on it pays to deal them out by their first two
// characters: what is left to sort in each pile of a hub is a handful.
const (
	manyRefs  = 1024
	pileBits  = 12
	pileShift = 48 - pileBits
)

func sortMany(refs []ref, compare func(a, b ref) int) []ref {
	var ends [1<<pileBits + 1]int
	for _, r := range refs {
		ends[r.key>>pileShift+1]++
	}
	for i := range 1 << pileBits {
		ends[i+1] += ends[i]
	}
	sorted := make([]ref, len(refs))
	for _, r := range refs {
		pile := r.key >> pileShift
		sorted[ends[pile]] = r
		ends[pile]++
	}
	start := 0
	for _, end := range ends[:1<<pileBits] {
		slices.SortFunc(sorted[start:end], compare)
		start = end
	}
	return sorted
}

// sources lists the IDs of refs, in their order; nil when there are none.
func sources(refs []ref, incoming []Incoming) []identity.ID {
	if len(refs) == 0 {
		return nil
	}
	ids := make([]identity.ID, len(refs))
	for i, r := range refs {
		ids[i] = incoming[r.at].Source
	}
	return ids
}
