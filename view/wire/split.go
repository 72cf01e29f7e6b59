package wire

import (
	"io"
	"strconv"
	"strings"

	"akx/view/fault"
	"akx/view/identity"
)

// Piece is one object cut out of a stream: the text of an envelope, of an
// acceptance record or of a search hit, or the refusal of a torn or oversized one.
type Piece struct {
	Text   []byte // valid until the next call
	Where  string
	Offset int64 // of the first byte in the stream
	Err    error // *fault.Refusal: StepParse (torn, not JSON) or StepLimit
	// MaxBytes is the local limit of one envelope; 0 means the default.
	MaxBytes int
}

// maxFrames bounds arrays and responses within each other.
const maxFrames = 8

// Splitter cuts a stream of envelopes, acceptance records, JSON arrays of either,
// query, batch and search responses, and JSON Lines of any of these into Pieces.
// It recognises shapes, not names, and keeps at most one object in memory.
//
// A torn object is refused and reading goes on at the next line that can begin
// another one. Consecutive text that is no object at all is refused once.
type Splitter struct {
	w      window
	max    int64
	line   int // of the next byte, from 1
	indent int // of the current line
	fresh  bool
	frames []frame
	last   struct{ line, count int } // objects that began on one line
	run    *junk
	held   Piece // goes out behind the run that came before it
	holds  bool
	bom    bool // the next object follows a byte order mark
	lost   bool // stray brackets and commas of a torn array may follow
	cut    bool // the end of the stream tore something, and that is told
	done   bool
	// rescanned counts bytes that were read again after a torn object.
	rescanned int64
}

// frame is one array of objects that is being walked through.
type frame struct {
	want   want // wantFirstItem, wantValue or wantComma
	items  int
	line   int
	indent int
	lost   bool    // items can no longer be counted
	tail   *object // the response around it
}

// NewSplitter reads from r; maxBytes bounds one object (0 means the default), to
// which a record or a hit around an envelope may add 64 KiB.
func NewSplitter(r io.Reader, maxBytes int) *Splitter {
	if maxBytes <= 0 {
		maxBytes = identity.MaxEnvelopeBytes
	}
	return &Splitter{w: window{r: r, keep: -1}, max: int64(maxBytes), line: 1, fresh: true}
}

// Next gives the next piece; io.EOF after the last; other errors are the reader's.
func (s *Splitter) Next() (Piece, error) {
	if s.holds {
		s.holds = false
		return s.held, nil
	}
	for {
		p, ok := s.advance()
		if ok && s.run != nil {
			s.held, s.holds = p, true
			return s.endRun(), nil
		}
		if ok {
			return p, nil
		}
		if !s.done {
			continue
		}
		if s.run != nil {
			return s.endRun(), nil
		}
		if err := s.w.failed(); err != nil {
			return Piece{}, err
		}
		return Piece{}, io.EOF
	}
}

// advance takes one step; ok is true when it made a piece.
func (s *Splitter) advance() (p Piece, ok bool) {
	if s.done {
		return Piece{}, false
	}
	s.w.keep = -1
	c, more := s.skipBlanks()
	switch {
	case !more:
		return s.finish()
	case s.w.offset() == 0 && s.foreign(c):
		s.done = true
		return Piece{}, false
	case c == 0xEF && string(s.w.ahead(3)) == "\xEF\xBB\xBF":
		s.w.pos += 3
		s.bom = true
		return Piece{}, false
	case len(s.frames) > 0:
		return s.item(&s.frames[len(s.frames)-1], c)
	case c == '{', c == '[':
		return s.value(c)
	case s.lost && strings.IndexByte(",]}", c) >= 0:
		s.w.pos++
		return Piece{}, false
	}
	s.junkLine()
	return Piece{}, false
}

// skipBlanks goes to the next byte that is no blank.
func (s *Splitter) skipBlanks() (c byte, ok bool) {
	for {
		c, ok = s.w.peek()
		if !ok {
			return 0, false
		}
		switch c {
		case '\n':
			s.line++
			s.fresh, s.indent = true, 0
		case ' ', '\t':
			if s.fresh {
				s.indent++
			}
		case '\r':
		default:
			s.fresh = false
			return c, true
		}
		s.w.pos++
	}
}

// finish tells what the end of the stream left open.
func (s *Splitter) finish() (Piece, bool) {
	s.done = true
	if s.w.failed() != nil {
		return Piece{}, false
	}
	where, offset := s.where(), s.w.offset()
	switch {
	case s.bom:
		s.bom = false
		return Piece{Where: where, Offset: offset, Err: bomRefusal()}, true
	case len(s.frames) > 0 && !s.cut:
		line := strconv.Itoa(s.frames[0].line)
		return Piece{Where: "line " + strconv.Itoa(s.line), Offset: offset,
			Err: fault.Refuse(fault.StepParse, "", "the input ends before the array or response that begins on line "+line+" does")}, true
	}
	return Piece{}, false
}

// item takes one step within an array.
func (s *Splitter) item(f *frame, c byte) (Piece, bool) {
	switch c {
	case ',':
		if f.want != wantComma && !f.lost {
			s.addJunk("a comma stands where an object is expected")
		}
		f.want = wantValue
		s.w.pos++
		return Piece{}, false
	case ']':
		if f.want == wantValue && !f.lost {
			s.addJunk("an array ends after a comma")
		}
		s.w.pos++
		return s.endArray()
	case '{', '[':
		if f.want == wantComma && !f.lost {
			s.addJunk("a comma is missing between two objects")
		}
		f.want = wantComma
		f.items++
		return s.value(c)
	}
	f.items++
	f.want = wantComma
	s.junkItem(c)
	return Piece{}, false
}

// endArray leaves an array and reads the rest of the response around it.
func (s *Splitter) endArray() (Piece, bool) {
	f := s.frames[len(s.frames)-1]
	s.frames = s.frames[:len(s.frames)-1]
	if f.tail == nil {
		return Piece{}, false
	}
	o := f.tail
	o.at.start = s.w.offset()
	o.limit = s.max
	o.want = wantComma
	return s.settle(o, s.scan(o))
}

// value takes one object, or goes into an array.
func (s *Splitter) value(c byte) (Piece, bool) {
	if len(s.frames) == 0 {
		if s.last.line != s.line {
			s.last.line, s.last.count = s.line, 0
		}
		s.last.count++
	}
	deep := len(s.frames) >= maxFrames
	if c == '[' && !deep {
		s.frames = append(s.frames, frame{want: wantFirstItem, line: s.line, indent: s.indent})
		s.w.pos++
		return Piece{}, false
	}
	o := &object{limit: s.max, plain: deep,
		at: spot{start: s.w.offset(), line: s.line, indent: s.indent, where: s.where()}}
	return s.settle(o, s.scan(o))
}

// where says where the value that begins here stands.
func (s *Splitter) where() string {
	var b strings.Builder
	b.WriteString("line ")
	b.WriteString(strconv.Itoa(s.line))
	for i, f := range s.frames {
		if f.lost {
			return "line " + strconv.Itoa(s.line)
		}
		if i == 0 {
			b.WriteString(", item ")
		} else {
			b.WriteString(".")
		}
		b.WriteString(strconv.Itoa(f.items))
	}
	if len(s.frames) == 0 && s.last.line == s.line && s.last.count > 1 {
		b.WriteString(", object ")
		b.WriteString(strconv.Itoa(s.last.count))
	}
	return b.String()
}

// settle makes of a scan's end what the reader of pieces sees.
func (s *Splitter) settle(o *object, end ending) (Piece, bool) {
	p := Piece{Where: o.at.where, Offset: o.at.start, MaxBytes: int(s.max)}
	switch end {
	case streamed:
		o.tail, o.refusal, o.dropped = true, nil, false
		o.member.name, o.mark = "", place{}
		s.frames = append(s.frames, frame{want: wantFirstItem, line: s.line, indent: s.indent, tail: o})
		return Piece{}, false
	case cutOff:
		if s.w.failed() != nil {
			s.done = true
			return Piece{}, false
		}
		s.cut = true
		if o.refusal == nil {
			o.refusal = fault.Refuse(fault.StepParse, "", "the input ends inside the object")
		}
	case torn:
		if o.refusal == nil {
			o.refusal = fault.Refuse(fault.StepParse, "", "another object begins before this one ends")
		}
	}
	if o.refusal == nil && o.tail {
		return Piece{}, false
	}
	if o.refusal != nil && !o.member.named && o.refusal.Step == fault.StepParse {
		s.addJunkAt(o.at.where, o.at.line, o.at.start, "text in brackets that is no JSON object: "+o.refusal.Detail)
		return Piece{}, false
	}
	switch {
	case o.refusal != nil:
		p.Err = o.refusal
		s.bom = false
	case s.bom:
		p.Err = bomRefusal()
		s.bom = false
	default:
		from := int(o.at.start - s.w.base)
		p.Text = s.w.buf[from:s.w.pos:s.w.pos]
	}
	return p, true
}

func bomRefusal() *fault.Refusal {
	return fault.Refuse(fault.StepParse, "", "a byte order mark stands before the object, which strict JSON refuses: save the file without it")
}
