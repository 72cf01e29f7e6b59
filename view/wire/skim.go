package wire

import (
	"bufio"
	"errors"
	"io"

	"akx/view/identity"
)

// Skim bounds what is kept of a page that is too large to be kept whole.
type Skim struct {
	Envelope int // bytes of an envelope that is kept; 0 means identity.MaxEnvelopeBytes
	Values   int // JSON values in one that is kept; 0 means any number
}

// skimRoom is what a skimmed page may have beside one envelope, in bytes.
const skimRoom = 64 << 10

// Page reads the page of a query as it comes and gives a smaller text of the same
// page: members that 9.3.1 and 8.3 do not define become 0, and so does nothing
// else; an envelope over the bounds becomes an object with its claimed hash alone,
// which no proof accepts. large reports that this happened. A text that is no page
// stays none, so that the ordinary check refuses it.
//
// It takes memory for one envelope and no more, whatever r holds; the text is nil
// where what would be kept is over that. Errors are those of r.
func (k Skim) Page(r io.Reader) (text []byte, large bool, err error) {
	if k.Envelope <= 0 {
		k.Envelope = identity.MaxEnvelopeBytes
	}
	s := &skimmer{r: bufio.NewReaderSize(r, chunk), Skim: k, room: k.Envelope + skimRoom, envelope: -1}
	s.page()
	switch {
	case s.full:
		return nil, s.large, nil
	case s.err != nil && !errors.Is(s.err, io.EOF):
		return nil, false, s.err
	}
	return s.out, s.large, nil
}

// skimmer is one pass over a page. It stops at the first thing that it does not
// understand: what it wrote until then has open brackets and parses nowhere.
type skimmer struct {
	Skim
	r     *bufio.Reader
	out   []byte
	room  int
	full  bool // what would be kept is over room
	large bool
	err   error // io.EOF at the end

	quiet bool // nothing is written: inside of what is left out
	// envelope is where the envelope under way begins in out, -1 outside of one, and
	// marks counts its values.
	envelope, marks int
}

// next gives the next byte that is not blank, 0 at the end.
func (s *skimmer) next() byte {
	for {
		switch c := s.byte(); c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
}

func (s *skimmer) byte() byte {
	if s.err != nil || s.full {
		return 0
	}
	c, err := s.r.ReadByte()
	if s.err = err; c == 0 && err == nil {
		return 1 // as little JSON as a NUL, which means the end here
	}
	return c
}

// put writes one byte. An envelope that goes over the bounds is taken back.
func (s *skimmer) put(c byte) {
	switch {
	case s.quiet || s.full || c == 0:
	case s.envelope >= 0 && (len(s.out)-s.envelope >= s.Envelope || s.Values > 0 && s.marks > s.Values):
		s.quiet, s.large, s.out = true, true, s.out[:s.envelope]
	case len(s.out) >= s.room:
		s.full = true
	default:
		s.out = append(s.out, c)
	}
}

func (s *skimmer) page() {
	if c := s.next(); c != '{' {
		s.put(c)
		return
	}
	// What follows the page is kept, so that it is refused.
	for ok := s.object(s.pageMember); ok && s.err == nil && !s.full; {
		s.put(s.next())
	}
}

// object writes an object whose bracket was read; member writes the value of each.
func (s *skimmer) object(member func(name string, first byte) bool) bool {
	s.put('{')
	for {
		switch c := s.next(); c {
		case '}', ',':
			s.marks++
			s.put(c)
			if c == '}' {
				return s.err == nil
			}
		case '"':
			name := nameOf(s.text())
			if c := s.next(); c != ':' {
				return false
			}
			s.put(':')
			if !member(name, s.next()) {
				return false
			}
		default:
			return false
		}
	}
}

func (s *skimmer) pageMember(name string, first byte) bool {
	switch name {
	case "service", "checkpoint", "as_of", "next_cursor":
		return s.value(first)
	case "result":
		if first == '[' {
			return s.records()
		}
	}
	return s.skip(first)
}

func (s *skimmer) records() bool {
	s.put('[')
	for {
		switch c := s.next(); c {
		case ']', ',':
			s.put(c)
			if c == ']' {
				return s.err == nil
			}
		case '{':
			if !s.object(s.recordMember) {
				return false
			}
		default:
			return false
		}
	}
}

func (s *skimmer) recordMember(name string, first byte) bool {
	switch name {
	case "seq", "accepted_at":
		return s.value(first)
	case "envelope":
		if first == '{' {
			return s.signed()
		}
	}
	return s.skip(first)
}

// signed keeps an envelope that is within the bounds, and of another one the hash
// that it claims.
func (s *skimmer) signed() bool {
	s.envelope, s.marks = len(s.out), 0
	var claimed string
	ok := s.object(func(name string, first byte) bool {
		if name != "hash" || first != '"' {
			return s.value(first)
		}
		claimed = nameOf(s.text())
		return true
	})
	s.envelope = -1
	if !s.quiet {
		return ok
	}
	s.quiet = false
	if id, err := identity.ParseID(claimed); err == nil {
		claimed = id.String()
	} else {
		claimed = ""
	}
	for _, c := range []byte(`{"hash":"` + claimed + `"}`) {
		s.put(c)
	}
	return ok
}

// skip writes 0 for a value that nobody asked for.
func (s *skimmer) skip(first byte) bool {
	quiet := s.quiet
	s.quiet = true
	ok := s.value(first)
	s.quiet = quiet
	s.put('0')
	return ok
}

// value writes a value whose first byte was read.
func (s *skimmer) value(first byte) bool {
	switch first {
	case 0, ',', ':', ']', '}':
		return false
	case '"':
		s.text()
		return s.err == nil
	case '{', '[':
		return s.nested(first)
	}
	s.put(first)
	for {
		switch c := s.byte(); c {
		case ',', ']', '}', ' ', '\t', '\r', '\n':
			s.err = s.r.UnreadByte()
			return s.err == nil
		case 0:
			return false
		default:
			s.put(c)
		}
	}
}

// nested writes an object or an array to its last bracket.
func (s *skimmer) nested(c byte) bool {
	for depth := 0; ; c = s.byte() {
		switch c {
		case 0:
			return false
		case '"':
			s.text()
			continue
		case '{', '[':
			depth++
			s.marks++
		case '}', ']':
			depth--
		case ',':
			s.marks++
		}
		s.put(c)
		if depth == 0 {
			return true
		}
	}
}

// maxRaw bounds the raw strings that are looked at: every name and hash of a page fits,
// even with each character escaped.
const maxRaw = 6 * maxKey

// nameOf decodes a raw string; one that is longer than maxRaw is nobody's name.
func nameOf(raw string) string {
	v, err := identity.Parse([]byte(`"` + raw + `"`))
	if err != nil || len(raw) > maxRaw {
		return ""
	}
	return v.Text()
}

// text writes a string whose first quote was read, and gives its raw text, cut one
// byte behind maxRaw.
func (s *skimmer) text() string {
	var raw []byte
	s.put('"')
	for escaped := false; ; {
		c := s.byte()
		if c == 0 {
			return ""
		}
		s.put(c)
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '"':
			return string(raw)
		}
		if len(raw) <= maxRaw {
			raw = append(raw, c)
		}
	}
}
