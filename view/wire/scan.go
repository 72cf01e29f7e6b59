package wire

import (
	"bytes"

	"akx/view/fault"
	"akx/view/identity"
)

// want is what a scan may meet next outside of strings and scalars.
type want uint8

const (
	wantValue want = iota
	wantFirstItem
	wantKey
	wantFirstKey
	wantColon
	wantComma
)

// maxKey bounds the member names that a scan looks at; longer ones are nobody's.
const maxKey = 64

// wrapRoom is what a record or a search hit may add to the envelope it holds.
const wrapRoom = 64 << 10

// object is the scan of one value whose end is looked for. It follows brackets,
// strings, names, colons and commas, and leaves everything inside scalars and
// strings to the strict parser.
type object struct {
	at    spot
	limit int64
	tail  bool // the rest of a response whose records are out already
	plain bool // never taken for a response

	depth  int
	arrays [4]uint64 // which levels are arrays
	want   want
	text   text
	member names

	refusal *fault.Refusal // the first thing wrong
	bad     bool           // the grammar is broken: brackets are only counted
	dropped bool           // too large: nothing is kept
	mark    place          // where the next object may begin, if this one is torn
}

// spot is where an object starts.
type spot struct {
	start  int64 // offset of its first byte
	line   int
	indent int // of that line
	where  string
}

// names is what a scan knows of the members at depth 1.
type names struct {
	key   []byte // raw name of the last one, cut at maxKey+1
	name  string // decoded; empty for what nobody knows
	known bool   // a member of envelopes, records or hits was met
	wraps bool   // so that its limit was raised for the envelope in it
	named bool   // a member name and its colon were met
}

// text tells where a scan stands within strings, scalars and lines.
type text struct {
	str, escaped, isKey bool
	scalar              bool
	fresh               bool // only blanks since the line began
	column              int
}

// place is a point of the stream at which reading can go on.
type place struct {
	set    bool
	offset int64
	line   int
	indent int
}

// ending is how a scan came to its end.
type ending uint8

const (
	closed   ending = iota // at the bracket that closes the value
	streamed               // behind the bracket that opens a response's result
	torn                   // at a line where another object begins
	cutOff                 // at the end of the stream
)

func (o *object) isArray(level int) bool { return o.arrays[level>>6]&(1<<(level&63)) != 0 }

// fail notes what is wrong; only the first counts.
func (o *object) fail(why string) {
	if o.refusal == nil {
		o.refusal = fault.Refuse(fault.StepParse, "", why)
	}
	o.bad = true
}

// open goes one level deeper.
func (o *object) open(c byte) {
	if !o.bad && o.want != wantValue && o.want != wantFirstItem {
		o.fail("a bracket stands where none may")
	}
	if o.depth >= identity.MaxDepth && !o.bad {
		o.refusal = fault.Refuse(fault.StepLimit, "", "nested deeper than the limit of 200 levels")
		o.bad = true
	}
	if !o.bad {
		o.want = wantFirstKey
		bit := uint64(1) << (o.depth & 63)
		o.arrays[o.depth>>6] &^= bit
		if c == '[' {
			o.want = wantFirstItem
			o.arrays[o.depth>>6] |= bit
		}
	}
	o.depth++
}

// shut comes back one level.
func (o *object) shut(c byte) {
	if !o.bad {
		array := o.isArray(o.depth - 1)
		switch {
		case array != (c == ']'):
			o.fail("a bracket is closed by the other kind")
		case o.want == wantComma, array && o.want == wantFirstItem, !array && o.want == wantFirstKey:
			o.want = wantComma
		default:
			o.fail("a bracket is closed where a name or a value is missing")
		}
	}
	o.depth--
}

// step takes one byte that stands outside of strings.
func (o *object) step(c byte) {
	scalar := o.text.scalar
	o.text.scalar = false
	switch c {
	case ' ', '\t', '\r', '\n':
	case '"':
		o.quote()
	case '{', '[':
		o.open(c)
	case '}', ']':
		o.shut(c)
	case ':':
		o.colon()
	case ',':
		if !o.bad && o.want != wantComma {
			o.fail("a comma stands where none may")
		}
		if !o.bad {
			o.want = wantKey
			if o.isArray(o.depth - 1) {
				o.want = wantValue
			}
		}
	default:
		o.text.scalar = true
		if scalar || o.bad {
			return
		}
		if o.want != wantValue && o.want != wantFirstItem {
			o.fail("text stands where none may")
		}
		o.want = wantComma
	}
}

// quote begins a string.
func (o *object) quote() {
	o.text.str, o.text.isKey = true, false
	switch o.want {
	case wantKey, wantFirstKey:
		o.text.isKey = true
		o.member.key = o.member.key[:0]
	case wantValue, wantFirstItem:
	default:
		if !o.bad {
			o.fail("a string stands where none may")
		}
	}
}

// unquote ends a string.
func (o *object) unquote() {
	o.text.str = false
	if o.bad {
		return
	}
	o.want = wantComma
	if o.text.isKey {
		o.want = wantColon
	}
}

// colon ends a member's name.
func (o *object) colon() {
	if o.bad {
		return
	}
	if o.want != wantColon {
		o.fail("a colon stands where none may")
		return
	}
	o.want = wantValue
	if o.depth != 1 {
		return
	}
	o.member.named = true
	o.member.name = decodeKey(o.member.key)
	switch o.member.name {
	case "envelope", "record":
		if !o.member.wraps {
			o.limit += wrapRoom
		}
		o.member.known, o.member.wraps = true, true
	case "hash", "event", "signature", "seq", "accepted_at":
		o.member.known = true
	}
}

// inString takes bytes of a string and says how many it took.
func (o *object) inString(b []byte) int {
	for i, c := range b {
		switch {
		case o.text.escaped:
			o.text.escaped = false
			if c == '\n' {
				return o.brokenString(b[:i])
			}
		case c == '\\':
			o.text.escaped = true
		case c == '"':
			o.keep(b[:i])
			o.unquote()
			return i + 1
		case c == '\n':
			return o.brokenString(b[:i])
		}
	}
	o.keep(b)
	return len(b)
}

// brokenString leaves a string at the end of its line, which it may not reach.
func (o *object) brokenString(b []byte) int {
	o.text.str, o.text.escaped = false, false
	o.fail("a line ends inside a string")
	return len(b)
}

// keep collects the name of a member at depth 1.
func (o *object) keep(b []byte) {
	if o.text.isKey && o.depth == 1 && len(o.member.key) <= maxKey {
		o.member.key = append(o.member.key, b[:min(len(b), maxKey+1-len(o.member.key))]...)
	}
}

// decodeKey gives a member's name; empty for one that is longer than maxKey.
func decodeKey(raw []byte) string {
	if len(raw) > maxKey {
		return ""
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw)
	}
	v, err := identity.Parse([]byte(`"` + string(raw) + `"`))
	if err != nil {
		return ""
	}
	return v.Text()
}

// newLine notes that a line begins.
func (o *object) newLine() {
	o.text.fresh, o.text.column = true, 0
}

// begins takes the first byte of a line that is no blank: an object or an array
// there, no deeper than the line on which this one starts, may be the next one.
func (o *object) begins(c byte, at int64, line int) (resync bool) {
	o.text.fresh = false
	if c != '{' && c != '[' || o.text.column > o.at.indent {
		return false
	}
	resync = o.bad || o.dropped && !o.tail
	if resync || !o.mark.set {
		o.mark = place{set: true, offset: at, line: line, indent: o.text.column}
	}
	return resync
}

// response reports whether the array that c opens is the result of a response.
func (o *object) response(c byte) bool {
	return c == '[' && !o.bad && !o.plain && !o.member.known && o.depth == 1 &&
		o.want == wantValue && o.member.name == "result"
}
