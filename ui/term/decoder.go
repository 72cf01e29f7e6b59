package term

import (
	"unicode/utf8"
)

const (
	esc = 0x1b
	bel = 0x07
	del = 0x7f

	// maxSequence bounds a control sequence that may be a key or a mouse event;
	// the longest that any terminal sends is about 20 bytes.
	maxSequence = 32
	// maxReply bounds what is kept of a terminal's answer; the rest of a longer
	// one is swallowed unread.
	maxReply = 256
)

type state uint8

const (
	stateGround   state = iota
	stateRune           // within a UTF-8 character
	stateEscape         // after ESC, or ESC ESC
	stateControl        // after ESC [
	stateSkip           // within a control sequence that is too long
	stateSingle         // after ESC O
	stateConsole        // after ESC [ [, the Linux console's function keys
	stateMouse          // within the three bytes after ESC [ M
	stateString         // within OSC, DCS, APC, PM or SOS
	stateStringST       // after an ESC within one
	statePaste          // between ESC [ 200 ~ and ESC [ 201 ~
)

// decoder turns the bytes of a terminal into bytes that Bubble Tea reads right
// wherever they are cut. It is pure: its output depends on the bytes, on where
// expire and forget are called, and on nothing else.
//
// It never emits the mere beginning of a sequence but in expire, after which a
// read ends. Bytes that follow could complete it otherwise, to a sequence that
// the terminal never sent.
//
// Every byte from 0x80 on is read as UTF-8. The 8-bit forms of control
// sequences are not: no terminal sends them in UTF-8 mode, and 0x9b or 0x9d
// occur inside ordinary characters. Bytes that are not UTF-8, and C1 characters
// in UTF-8, are dropped.
type decoder struct {
	state   state
	seq     []byte // the unfinished sequence with its ESC, or character
	reply   []byte // body of the string sequence, at most maxReply bytes
	matched int    // bytes of the end of a paste seen so far
	paste   paste
	items   items
}

// feed decodes src and appends what Bubble Tea shall read to dst.
func (d *decoder) feed(dst, src []byte) []byte {
	for len(src) > 0 {
		if d.state == statePaste {
			dst, src = d.feedPaste(dst, src)
			continue
		}
		var again bool
		if dst, again = d.step(dst, src[0]); !again {
			src = src[1:]
		}
	}
	return dst
}

// step takes one byte. It asks for the same byte again when the byte ended a
// sequence that it is no part of; the state has changed then.
func (d *decoder) step(dst []byte, b byte) (out []byte, again bool) {
	switch d.state {
	case stateRune:
		return d.stepRune(dst, b)
	case stateEscape:
		return d.stepEscape(dst, b)
	case stateControl:
		return d.stepControl(dst, b)
	case stateSkip:
		return dst, d.skip(b)
	case stateSingle:
		return d.stepSingle(dst, b)
	case stateConsole:
		return d.stepConsole(dst, b)
	case stateMouse:
		return d.stepMouse(dst, b)
	case stateString:
		return d.stepString(dst, b)
	case stateStringST:
		return d.stepStringST(dst, b)
	}
	switch {
	case b == esc:
		d.begin(stateEscape, b)
	case b < utf8.RuneSelf:
		dst = append(dst, b)
	case runeStart(b):
		d.begin(stateRune, b)
	}
	return dst, false
}

// runeStart tells whether b can begin a character of several bytes.
func runeStart(b byte) bool { return b >= 0xc2 && b <= 0xf4 }

func (d *decoder) begin(s state, b byte) {
	d.state, d.seq = s, append(d.seq[:0], b)
}

// drop forgets the unfinished sequence.
func (d *decoder) drop() {
	d.state, d.seq, d.reply = stateGround, d.seq[:0], d.reply[:0]
}

// emit hands the sequence on as it came.
func (d *decoder) emit(dst []byte) []byte {
	dst = append(dst, d.seq...)
	d.drop()
	return dst
}

// escapes is the number of ESC bytes that the sequence begins with, 0 to 2.
func (d *decoder) escapes() int {
	n := 0
	for n < len(d.seq) && d.seq[n] == esc {
		n++
	}
	return n
}

// emitKey hands on a sequence that may have a second ESC before it, as some
// terminals send alt with an arrow. Bubble Tea knows that form for few keys and
// takes the rest of any other for typed text, so the second ESC goes.
func (d *decoder) emitKey(dst []byte) []byte {
	if d.escapes() == 2 {
		arrow := len(d.seq) == 4 && d.seq[3] >= 'A' && d.seq[3] <= 'D'
		if !arrow {
			d.seq = d.seq[1:]
		}
	}
	return d.emit(dst)
}

func (d *decoder) stepRune(dst []byte, b byte) ([]byte, bool) {
	if b < 0x80 || b > 0xbf {
		d.drop()
		return dst, true
	}
	d.seq = append(d.seq, b)
	char := d.seq[d.escapes():]
	if !utf8.FullRune(char) {
		return dst, false
	}
	if r, _ := utf8.DecodeRune(char); r == utf8.RuneError && len(char) != 3 || isC1(r) {
		d.drop()
		return dst, false
	}
	return d.emit(dst), false
}

func isC1(r rune) bool { return r >= 0x80 && r < 0xa0 }

func (d *decoder) stepEscape(dst []byte, b byte) ([]byte, bool) {
	switch {
	case b == esc:
		if len(d.seq) == 2 {
			dst = d.emit(dst)
			d.begin(stateEscape, b)
			return dst, false
		}
		d.seq = append(d.seq, b)
		return dst, false
	case b == '[':
		d.state = stateControl
	case b == 'O':
		d.state = stateSingle
	case b == ']' || b == 'P' || b == '_' || b == '^' || b == 'X':
		d.seq = d.seq[:1]
		d.state = stateString
	case b < utf8.RuneSelf:
		d.seq = append(d.seq, b)
		return d.emit(dst), false
	case runeStart(b):
		d.state = stateRune
	default:
		return dst, false
	}
	d.seq = append(d.seq, b)
	return dst, false
}

func (d *decoder) stepControl(dst []byte, b byte) ([]byte, bool) {
	body := d.seq[d.escapes()+1:]
	switch {
	case b < 0x20 || b >= del:
		d.drop()
		return dst, true
	case b == '[' && len(body) == 0:
		d.seq, d.state = append(d.seq, b), stateConsole
		return dst, false
	case len(d.seq) >= maxSequence:
		d.state = stateSkip
		return dst, true
	}
	d.seq = append(d.seq, b)
	body = d.seq[d.escapes()+1:]
	if b < 0x40 && !isShiftedRxvt(body) {
		return dst, false
	}
	return d.endControl(dst, body), false
}

// isShiftedRxvt knows the keys of rxvt that end in an intermediate byte, as
// ESC [ 7 $ for shift-home.
func isShiftedRxvt(body []byte) bool {
	n := len(body) - 1
	return n >= 1 && n <= 2 && body[n] == '$' && allDigits(body[:n])
}

// endControl decides what becomes of the whole control sequence ESC [ body.
func (d *decoder) endControl(dst, body []byte) []byte {
	switch {
	case string(body) == "200~":
		d.drop()
		d.state, d.matched = statePaste, 0
		d.paste.reset()
		return dst
	case string(body) == "201~":
		d.drop()
		return dst
	case string(body) == "M":
		d.state = stateMouse
		return dst
	case body[0] == '<' && !isMouse(body), body[0] >= '=' && body[0] <= '?', !isControl(body):
		// Answers begin with = > or ?, and no key does.
		d.drop()
		return dst
	}
	return d.emitKey(dst)
}

// isControl checks the order that ECMA-48 asks for and Bubble Tea relies on:
// parameters, intermediates, one final byte.
func isControl(body []byte) bool {
	i, last := 0, len(body)-1
	for i < last && body[i] >= 0x30 && body[i] < 0x40 {
		i++
	}
	for i < last && body[i] >= 0x20 && body[i] < 0x30 {
		i++
	}
	return i == last
}

// isMouse checks an SGR mouse report: three numbers, each of 1 to 5 digits.
func isMouse(body []byte) bool {
	last := len(body) - 1
	if body[last] != 'M' && body[last] != 'm' {
		return false
	}
	numbers, start := 0, 1
	for i := 1; i <= last; i++ {
		if body[i] != ';' && i < last {
			continue
		}
		if n := i - start; n < 1 || n > 5 || !allDigits(body[start:i]) {
			return false
		}
		numbers, start = numbers+1, i+1
	}
	return numbers == 3
}

func allDigits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// skip swallows a control sequence that is too long, and asks for a byte that
// is no part of it again.
func (d *decoder) skip(b byte) (again bool) {
	if b >= 0x20 && b < 0x40 {
		return false
	}
	d.drop()
	return b < 0x20 || b >= del
}

func (d *decoder) stepSingle(dst []byte, b byte) ([]byte, bool) {
	if b < 0x20 || b >= del {
		d.drop()
		return dst, true
	}
	if b == 'H' || b == 'F' {
		// Home and End in application mode, which Bubble Tea knows in the
		// other form only.
		d.seq[len(d.seq)-1] = '['
	}
	d.seq = append(d.seq, b)
	return d.emitKey(dst), false
}

func (d *decoder) stepConsole(dst []byte, b byte) ([]byte, bool) {
	if b < 'A' || b > 'E' {
		d.drop()
		return dst, b < 0x20 || b >= del
	}
	d.seq = append(d.seq, b)
	return d.emitKey(dst), false
}

func (d *decoder) stepMouse(dst []byte, b byte) ([]byte, bool) {
	if b < 0x20 {
		d.drop()
		return dst, true
	}
	d.seq = append(d.seq, b)
	if len(d.seq)-d.escapes() < len("[Mbxy") {
		return dst, false
	}
	return d.emitKey(dst), false
}

// ambiguous tells whether the bytes so far are a whole key as well as the
// beginning of a longer sequence: only time can tell which.
func (d *decoder) ambiguous() bool {
	switch d.state {
	case stateEscape, stateSingle:
		return true
	case stateControl:
		return len(d.seq) == d.escapes()+1
	case stateString, stateStringST:
		return len(d.reply) == 0
	}
	return false
}

// expire ends an ambiguous sequence as the key that it is.
func (d *decoder) expire(dst []byte) []byte {
	switch {
	case !d.ambiguous():
		return dst
	case d.state == stateEscape:
		return d.emit(dst)
	case d.state == stateStringST:
		return append(d.emit(dst), esc)
	}
	return d.emitKey(dst)
}

// forget drops what has waited for its rest too long to be the same sequence.
// A paste is kept: its rest, read as keys, would press Enter at each line.
func (d *decoder) forget() {
	if d.state != statePaste {
		d.drop()
	}
}
