package cache

import (
	"bytes"

	"akx/view/capsule"
)

// A hint is a bitmap of the trigrams in a pack's search texts: a pack without one
// of a term's trigrams cannot hold the term and is skipped unread. Terms shorter
// than three bytes have no trigram and skip nothing.
const (
	hintBits  = 16
	hintBytes = 1 << hintBits / 8
)

func trigram(a, b, c byte) uint32 {
	return (uint32(a)<<16 | uint32(b)<<8 | uint32(c)) * 0x9E3779B1 >> (32 - hintBits)
}

func addHint(hint, text []byte) {
	for i := 2; i < len(text); i++ {
		h := trigram(text[i-2], text[i-1], text[i])
		hint[h>>3] |= 1 << (h & 7)
	}
}

// finder tells packs and records that satisfy terms (9.5.1).
type finder struct {
	terms   []string
	longest []byte
	grams   []uint32
}

func newFinder(terms []string) finder {
	f := finder{terms: terms}
	for _, term := range terms {
		if len(term) > len(f.longest) {
			f.longest = []byte(term)
		}
		for i := 2; i < len(term); i++ {
			f.grams = append(f.grams, trigram(term[i-2], term[i-1], term[i]))
		}
	}
	return f
}

// pack reports whether a record of p may match.
func (f *finder) pack(p *pack) bool {
	for _, h := range f.grams {
		if p.hint[h>>3]&(1<<(h&7)) == 0 {
			return false
		}
	}
	return bytes.Contains(p.data, f.longest)
}

// record reports whether a search text matches.
func (f *finder) record(text []byte) bool { return capsule.MatchText(text, f.terms) }
