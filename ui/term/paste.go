package term

import (
	"bytes"
	"fmt"
	"strconv"
	"sync"
	"unicode/utf8"
)

// MaxPaste is the most text that one paste gives, in bytes.
const MaxPaste = 1 << 20

const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// Paste is the text of one bracketed paste: UTF-8, with line feeds for all
// line ends, and with no control character but line feed and tab.
type Paste struct {
	Text    string
	Removed int  // control characters and broken bytes that were taken out
	Cut     bool // there was more than MaxPaste bytes; the rest was dropped
}

// Note says in words what the paste lost, or is empty when it is whole.
func (p Paste) Note() string {
	note := ""
	if p.Cut {
		note = fmt.Sprintf("pasted only the first %d KiB; the rest was cut", MaxPaste>>10)
	}
	if p.Removed > 0 {
		if note != "" {
			note += "; "
		}
		plural := "s"
		if p.Removed == 1 {
			plural = ""
		}
		note += fmt.Sprintf("%d control character%s removed", p.Removed, plural)
	}
	return note
}

// paste collects one paste in linear time.
type paste struct {
	text    []byte
	part    []byte // a character that is not whole yet
	removed int
	cut     bool
	afterCR bool
}

func (p *paste) reset() { *p = paste{} }

func (p *paste) empty() bool {
	return len(p.text) == 0 && len(p.part) == 0 && p.removed == 0 && !p.cut
}

func (p *paste) add(b []byte) {
	if len(p.part) > 0 {
		b = append(p.part, b...)
		p.part = nil
	}
	for len(b) > 0 {
		if !utf8.FullRune(b) {
			p.part = append([]byte(nil), b...)
			return
		}
		r, n := utf8.DecodeRune(b)
		p.addRune(r, b[:n])
		b = b[n:]
	}
}

func (p *paste) addRune(r rune, raw []byte) {
	afterCR := p.afterCR
	p.afterCR = r == '\r'
	switch {
	case r == '\n' && afterCR:
		return
	case r == '\r':
		raw = []byte{'\n'}
	case r == '\n' || r == '\t':
	case r < 0x20 || r == del || isC1(r) || r == utf8.RuneError && len(raw) == 1:
		p.removed++
		return
	}
	if p.cut || len(p.text)+len(raw) > MaxPaste {
		p.cut = true
		return
	}
	p.text = append(p.text, raw...)
}

func (p *paste) end() Paste {
	p.removed += len(p.part)
	done := Paste{Text: string(p.text), Removed: p.removed, Cut: p.cut}
	p.reset()
	return done
}

// feedPaste takes text up to the end of a paste, and gives back what follows
// it. ESC is the only byte of the end that the end begins with, so a broken
// match never hides another one.
func (d *decoder) feedPaste(dst, src []byte) (out, rest []byte) {
	if d.matched == 0 {
		text := src
		if at := bytes.IndexByte(src, esc); at >= 0 {
			text, d.matched = src[:at], 1
			src = src[at+1:]
		} else {
			src = nil
		}
		d.paste.add(text)
		return dst, src
	}
	if src[0] != pasteEnd[d.matched] {
		d.paste.add([]byte(pasteEnd[:d.matched]))
		d.matched = 0
		return dst, src
	}
	if d.matched++; d.matched < len(pasteEnd) {
		return dst, src[1:]
	}
	d.state, d.matched = stateGround, 0
	if d.paste.empty() {
		return dst, src[1:]
	}
	return d.items.put(dst, d.paste.end()), src[1:]
}

// maxItems bounds the items that nobody fetched. Bubble Tea handles one read
// before it starts the next, and one read holds a handful.
const maxItems = 64

// items keeps what travels beside the keys. In the stream of keys its place is
// taken by a paste of a few digits, its ticket, so that it arrives in order
// with the keys around it and at no cost.
type items struct {
	mu   sync.Mutex
	next int
	kept map[int]any
}

// put keeps item and appends its ticket to dst.
func (s *items) put(dst []byte, item any) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil {
		s.kept = map[int]any{}
	}
	ticket := s.next
	s.next = (s.next + 1) % maxTicket
	s.kept[ticket] = item
	delete(s.kept, (ticket-maxItems+maxTicket)%maxTicket)
	dst = append(dst, pasteStart...)
	dst = strconv.AppendInt(dst, int64(ticket), 10)
	return append(dst, pasteEnd...)
}

// maxTicket keeps a ticket shorter than the shortest paste it can stand for.
const maxTicket = 1_000_000

// take gives the item of a ticket once.
func (s *items) take(text string) (item any, ok bool) {
	ticket, err := strconv.Atoi(text)
	if err != nil {
		return nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	item, ok = s.kept[ticket]
	delete(s.kept, ticket)
	return item, ok
}

// any tells whether an item waits to be taken.
func (s *items) any() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.kept) > 0
}
