package main

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf16"

	"akx/view/capsule"
)

// Lines spells events as JSON Lines: Chinese and emoji as they are, characters
// that no reader could see as \uXXXX. Each line is proven again before it counts.
func Lines(events []Signed) ([]byte, error) {
	var out bytes.Buffer
	for _, s := range events {
		line := visible(s.Event.Envelope().Text())
		offer, err := capsule.Open(line)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Key, err)
		}
		if offer.Envelope().ID() != s.Event.ID() || offer.Event() == nil {
			return nil, fmt.Errorf("%s: its line is another event", s.Key)
		}
		out.Write(line)
		out.WriteByte('\n')
	}
	return out.Bytes(), nil
}

// visible escapes format and control characters and variation selectors in JSON
// text; they only ever stand within strings, whose value stays the same.
func visible(text string) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range text {
		if !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector) {
			out = append(out, string(r)...)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			out = fmt.Appendf(out, `\u%04x`, unit)
		}
	}
	return out
}
