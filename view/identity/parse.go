package identity

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"akx/view/fault"
)

// Bounds of the strict parser.
const (
	MaxDepth       = 200       // levels of nested arrays and objects
	MaxSafeInteger = 1<<53 - 1 // Agent Identity 4.1
)

const (
	// smallObject is the size up to which names are compared one by one.
	smallObject = 16
	// slabSize is how many values or members one allocation holds at most, unless
	// a single array or object is bigger.
	slabSize = 64
)

// Parse reads exactly one JSON value under the strict rules of Agent Identity 4.1:
// RFC 8259 syntax in valid UTF-8 without a byte order mark, no name twice in one
// object, no unpaired surrogate, no number whose value is an integer beyond the
// safe range or not finite as a double, nothing after the value but whitespace.
// Errors are *fault.Refusal with StepParse (StepLimit when nested too deep or
// longer than 4 GiB); the Value is Absent then.
func Parse(text []byte) (Value, error) {
	v, _, err := parseText(text)
	return v, err
}

// parseText parses and gives the string copy of text that the Value's strings
// are slices of.
func parseText(text []byte) (Value, string, error) {
	if uint64(len(text)) > math.MaxUint32 {
		return Value{}, "", fault.Refuse(fault.StepLimit, "", "the text is longer than 4 GiB")
	}
	if !utf8.Valid(text) {
		return Value{}, "", fault.Refuse(fault.StepParse, "", "the text is not valid UTF-8")
	}
	s := string(text)
	p := parsers.Get().(*parser)
	p.text, p.slab = s, min(bytes.Count(text, []byte{':'}), slabSize)
	v, err := p.document()
	p.release()
	if err != nil {
		return Value{}, "", err
	}
	return v, s, nil
}

// parser walks over one text. Children are gathered on two stacks and copied to
// slices of the right size when their array or object ends.
type parser struct {
	text    string
	pos     int
	depth   int
	slab    int // size of the next slab of members
	items   []Value
	members []Member
	free    []Member // what is left of the current slab
	bytes   []byte   // for strings with escapes
}

var parsers = sync.Pool{New: func() any { return new(parser) }}

// maxKept bounds the stacks that a pooled parser keeps for its next text.
const maxKept = 1024

// release forgets everything that belongs to the text and gives p back.
func (p *parser) release() {
	clear(p.items) // a failure leaves some
	clear(p.members)
	kept := parser{items: p.items[:0], members: p.members[:0], bytes: p.bytes[:0]}
	if cap(kept.items) > maxKept {
		kept.items = nil
	}
	if cap(kept.members) > maxKept {
		kept.members = nil
	}
	if cap(kept.bytes) > maxKept*64 {
		kept.bytes = nil
	}
	*p = kept
	parsers.Put(p)
}

// fail makes the refusal of the text at the current place.
func (p *parser) fail(why string) error {
	return fault.Refuse(fault.StepParse, "", why+" at byte "+strconv.Itoa(p.pos))
}

func (p *parser) document() (v Value, err error) {
	if strings.HasPrefix(p.text, "\uFEFF") {
		return v, p.fail("a byte order mark")
	}
	p.space()
	if p.pos == len(p.text) {
		return v, p.fail("no value")
	}
	if v, err = p.value(); err != nil {
		return v, err
	}
	p.space()
	if p.pos < len(p.text) {
		return v, p.fail("something after the value")
	}
	return v, nil
}

// space skips JSON whitespace.
func (p *parser) space() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\n', '\t', '\r':
			p.pos++
		default:
			return
		}
	}
}

// peek gives the next byte, 0 at the end; a NUL in the text fits no rule either.
func (p *parser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

// value reads one value at the current place, which is not whitespace.
func (p *parser) value() (v Value, err error) {
	v.start = uint32(p.pos)
	switch c := p.peek(); c {
	case '{':
		v.kind = Object
		v.members, err = p.object()
	case '[':
		v.kind = Array
		v.items, err = p.array()
	case '"':
		v.kind = String
		v.text, v.plain, err = p.string()
	case 't':
		v.kind, v.truth = Bool, true
		err = p.word("true")
	case 'f':
		v.kind = Bool
		err = p.word("false")
	case 'n':
		v.kind = Null
		err = p.word("null")
	default:
		if c != '-' && (c < '0' || c > '9') {
			return v, p.fail("no JSON value")
		}
		v.kind = Number
		v.number, err = p.number()
	}
	v.end = uint32(p.pos)
	return v, err
}

func (p *parser) word(w string) error {
	if !strings.HasPrefix(p.text[p.pos:], w) {
		return p.fail("no JSON value")
	}
	p.pos += len(w)
	return nil
}

// descend goes one level deeper, behind the opening byte and what space follows.
func (p *parser) descend() error {
	p.depth++
	if p.depth > MaxDepth {
		return fault.Refuse(fault.StepLimit, "", "JSON nested deeper than "+strconv.Itoa(MaxDepth)+" levels")
	}
	p.pos++
	p.space()
	return nil
}

// array reads an array at its bracket.
func (p *parser) array() ([]Value, error) {
	if err := p.descend(); err != nil {
		return nil, err
	}
	base := len(p.items)
	for more := !p.closes(']'); more; {
		item, err := p.value()
		if err != nil {
			return nil, err
		}
		p.items = append(p.items, item)
		if more, err = p.comma(']'); err != nil {
			return nil, err
		}
	}
	p.depth--
	items := append([]Value(nil), p.items[base:]...)
	clear(p.items[base:])
	p.items = p.items[:base]
	return items, nil
}

// object reads an object at its brace.
func (p *parser) object() ([]Member, error) {
	if err := p.descend(); err != nil {
		return nil, err
	}
	base := len(p.members)
	for more := !p.closes('}'); more; {
		name, err := p.name()
		if err != nil {
			return nil, err
		}
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		p.members = append(p.members, Member{name, v})
		if more, err = p.comma('}'); err != nil {
			return nil, err
		}
	}
	p.depth--
	if name, twice := repeated(p.members[base:]); twice {
		return nil, p.fail("the name " + strconv.Quote(clip(name)) + " twice in the object that ends")
	}
	members := p.keep(p.members[base:])
	clear(p.members[base:])
	p.members = p.members[:base]
	return members, nil
}

// name reads a member's name and what stands between it and the value.
func (p *parser) name() (string, error) {
	if p.peek() != '"' {
		return "", p.fail("no member name")
	}
	name, _, err := p.string()
	if err != nil {
		return "", err
	}
	p.space()
	if p.peek() != ':' {
		return "", p.fail("no colon")
	}
	p.pos++
	p.space()
	return name, nil
}

// closes skips the byte that ends an empty array or object, if it is here.
func (p *parser) closes(closing byte) bool {
	if p.peek() != closing {
		return false
	}
	p.pos++
	return true
}

// comma goes on to the next child; more is false where the closing byte stood.
func (p *parser) comma(closing byte) (more bool, err error) {
	p.space()
	switch p.peek() {
	case ',':
		p.pos++
		p.space()
		return true, nil
	case closing:
		p.pos++
		return false, nil
	}
	return false, p.fail("neither a comma nor the end of an array or object")
}

// keep copies members into the current slab.
func (p *parser) keep(members []Member) []Member {
	n := len(members)
	if n > len(p.free) {
		p.free = make([]Member, max(n, p.slab))
		p.slab = slabSize / 2
	}
	kept := p.free[:n:n]
	p.free = p.free[n:]
	copy(kept, members)
	return kept
}

// repeated finds a name that stands twice.
func repeated(members []Member) (name string, twice bool) {
	if len(members) <= smallObject {
		for i := range members {
			for j := range i {
				if members[i].Name == members[j].Name {
					return members[i].Name, true
				}
			}
		}
		return "", false
	}
	seen := make(map[string]struct{}, len(members))
	for i := range members {
		seen[members[i].Name] = struct{}{}
		if len(seen) <= i {
			return members[i].Name, true
		}
	}
	return "", false
}

// clip shortens foreign text in an error.
func clip(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	cut := most
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
