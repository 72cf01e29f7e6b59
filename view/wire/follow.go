package wire

import (
	"strconv"

	"akx/view/fault"
)

// scan follows o to its end. What it has read stays in the window until it is
// larger than its limit.
func (s *Splitter) scan(o *object) ending {
	if !o.dropped {
		s.w.keep = s.w.pos
	}
	for {
		if !o.dropped && s.w.offset()-o.at.start >= o.limit {
			if !s.tooLarge(o) {
				return s.goTo(o)
			}
		}
		if s.w.pos == len(s.w.buf) && !s.w.more() {
			if o.mark.set && s.canReturn(o) {
				return s.goTo(o)
			}
			return cutOff
		}
		if end, over := s.stretch(o); over {
			return end
		}
	}
}

// stretch follows o through what is in memory, up to its limit.
func (s *Splitter) stretch(o *object) (end ending, over bool) {
	stop := len(s.w.buf)
	if !o.dropped {
		stop = min(stop, int(o.at.start+o.limit-s.w.base))
	}
	limit := o.limit
	for s.w.pos < stop && o.limit == limit {
		if o.text.str {
			s.w.pos += o.inString(s.w.buf[s.w.pos:stop])
			continue
		}
		c := s.w.buf[s.w.pos]
		if o.text.fresh && s.lineBegins(o, c) {
			return s.goTo(o), true
		}
		if c == '\n' {
			s.line++
			o.newLine()
		}
		if o.response(c) && !o.tail {
			o.step(c)
			o.depth--
			s.w.pos++
			s.w.keep = -1
			return streamed, true
		}
		if o.tail && o.member.name == "result" && !o.bad {
			o.fail("a response has two results")
		}
		o.step(c)
		s.w.pos++
		if o.bad && o.mark.set && s.canReturn(o) {
			return s.goTo(o), true
		}
		if o.depth == 0 {
			return closed, true
		}
	}
	return closed, false
}

// lineBegins notes how the line that c is on begins; true when the next object
// begins there.
func (s *Splitter) lineBegins(o *object, c byte) bool {
	switch c {
	case ' ', '\t':
		o.text.column++
	case '\r', '\n', 0: // a crash may leave NUL bytes where a line was torn
	default:
		return o.begins(c, s.w.offset(), s.line)
	}
	return false
}

// tooLarge stops keeping o; false when a line in it may begin the next object, so
// that o is torn rather than large.
func (s *Splitter) tooLarge(o *object) bool {
	if o.mark.set && s.canReturn(o) {
		return false
	}
	o.dropped = true
	s.w.keep = -1
	if o.refusal == nil && !o.tail {
		o.refusal = fault.Refuse(fault.StepLimit, "", "larger than the limit of "+strconv.FormatInt(o.limit, 10)+" bytes for one object")
	}
	return true
}

// canReturn reports whether o's mark is still in memory, and whether going back
// there keeps the work within a constant factor of the input.
func (s *Splitter) canReturn(o *object) bool {
	if o.dropped {
		return false
	}
	return s.rescanned+s.w.offset()-o.mark.offset <= 8*s.w.offset()+1<<20
}

// goTo goes on at o's mark, which ends every array that does not reach there.
func (s *Splitter) goTo(o *object) ending {
	s.rescanned += s.w.offset() - o.mark.offset
	s.w.pos = int(o.mark.offset - s.w.base)
	s.w.keep = -1
	s.line, s.indent, s.fresh = o.mark.line, o.mark.indent, false
	for len(s.frames) > 0 && s.frames[len(s.frames)-1].indent >= s.indent {
		s.frames = s.frames[:len(s.frames)-1]
		s.lost = true
	}
	for i := range s.frames {
		s.frames[i].lost = true
	}
	return torn
}
