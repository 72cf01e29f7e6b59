package identity

import (
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"akx/view/fault"
)

// string reads a string at its quote. plain tells that it holds no escape, hence
// nothing that canonical form escapes.
func (p *parser) string() (s string, plain bool, err error) {
	start := p.pos + 1
	end := plainEnd(p.text, start)
	if end < len(p.text) && p.text[end] == '"' {
		p.pos = end + 1
		return p.text[start:end], true, nil
	}
	buf := p.bytes[:0]
	for {
		buf = append(buf, p.text[start:end]...)
		p.pos = end
		switch {
		case end == len(p.text):
			return "", false, p.fail("a string without an end")
		case p.text[end] == '"':
			p.pos++
			p.bytes = buf
			return string(buf), false, nil
		case p.text[end] != '\\':
			return "", false, p.fail("a control character in a string")
		}
		if buf, err = p.escape(buf); err != nil {
			return "", false, err
		}
		start = p.pos
		end = plainEnd(p.text, start)
	}
}

// plainEnd gives the place of the first quote, backslash or control at or after i,
// else the end of s. It looks at eight bytes at a time.
func plainEnd(s string, i int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(s); i += 8 {
		w := s[i : i+8]
		x := uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 |
			uint64(w[4])<<32 | uint64(w[5])<<40 | uint64(w[6])<<48 | uint64(w[7])<<56
		quote, slash := x^(ones*'"'), x^(ones*'\\')
		found := (quote-ones)&^quote | (slash-ones)&^slash | (x-ones*0x20)&^x
		if found&tops != 0 {
			break
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c == '"' || c == '\\' || c < 0x20 {
			break
		}
	}
	return i
}

// short maps the letter of a short escape to its byte.
var short = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// escape reads one escape at its backslash, a surrogate pair as one.
func (p *parser) escape(buf []byte) ([]byte, error) {
	if p.pos+1 < len(p.text) {
		if c := short[p.text[p.pos+1]]; c != 0 {
			p.pos += 2
			return append(buf, c), nil
		}
	}
	r, ok := p.unit(p.pos)
	if !ok {
		return buf, p.fail("an unknown escape")
	}
	if utf16.IsSurrogate(r) {
		low, _ := p.unit(p.pos + 6)
		if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
			return buf, p.fail("an unpaired surrogate")
		}
		p.pos += 6
	}
	p.pos += 6
	return utf8.AppendRune(buf, r), nil
}

// unit reads the UTF-16 code unit of a \uXXXX escape at i.
func (p *parser) unit(i int) (r rune, ok bool) {
	if i+6 > len(p.text) || p.text[i] != '\\' || p.text[i+1] != 'u' {
		return 0, false
	}
	for _, c := range []byte(p.text[i+2 : i+6]) {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// number reads a number, which starts with a minus or a digit. It is judged by
// its value as a double; every double beyond the safe range is an integer.
func (p *parser) number() (float64, error) {
	start := p.pos
	if p.peek() == '-' {
		p.pos++
	}
	first := p.pos
	n := p.digits()
	if n == 0 || n > 1 && p.text[first] == '0' {
		return 0, p.fail("a malformed number")
	}
	if c := p.peek(); c != '.' && c != 'e' && c != 'E' && n <= 15 {
		return smallInteger(p.text[start:p.pos]), nil
	}
	if p.peek() == '.' {
		p.pos++
		if p.digits() == 0 {
			return 0, p.fail("a malformed number")
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.pos++
		if c := p.peek(); c == '+' || c == '-' {
			p.pos++
		}
		if p.digits() == 0 {
			return 0, p.fail("a malformed number")
		}
	}
	f, err := strconv.ParseFloat(p.text[start:p.pos], 64)
	if err != nil || math.Abs(f) > MaxSafeInteger {
		return 0, fault.Refuse(fault.StepParse, "", "a number beyond the safe integers at byte "+strconv.Itoa(start))
	}
	if f == 0 {
		return 0, nil // -0 and what is too small for a double
	}
	return f, nil
}

// digits skips decimal digits and counts them.
func (p *parser) digits() int {
	start := p.pos
	for p.pos < len(p.text) && p.text[p.pos]-'0' <= 9 {
		p.pos++
	}
	return p.pos - start
}

// smallInteger gives the value of at most 15 digits behind an optional minus.
func smallInteger(s string) float64 {
	negative := s[0] == '-'
	if negative {
		s = s[1:]
	}
	var n int64
	for i := range len(s) {
		n = n*10 + int64(s[i]-'0')
	}
	if negative {
		n = -n
	}
	return float64(n)
}
