package wire

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"akx/view/fault"
)

// junk is a run of text that holds no object; it is refused once.
type junk struct {
	where       string
	offset      int64
	first, last int // lines
	count       int
	why         string
}

// addJunk adds what stands at the next byte to the run; an empty why is found
// out from the text.
func (s *Splitter) addJunk(why string) {
	if s.run != nil {
		s.run.last = s.line
		s.run.count++
		return
	}
	if why == "" {
		why = describe(s.w.ahead(512))
	}
	s.addJunkAt(s.where(), s.line, s.w.offset(), why)
}

func (s *Splitter) addJunkAt(where string, line int, offset int64, why string) {
	if s.run == nil {
		if s.bom {
			why = "a byte order mark and " + why
			s.bom = false
		}
		s.run = &junk{where: where, offset: offset, first: line, why: why}
	}
	s.run.last = s.line
	s.run.count++
}

// endRun makes the piece that refuses the whole run.
func (s *Splitter) endRun() Piece {
	r := s.run
	s.run = nil
	p := Piece{Where: r.where, Offset: r.offset}
	why := r.why
	if r.last > r.first {
		p.Where = "lines " + strconv.Itoa(r.first) + " to " + strconv.Itoa(r.last)
	}
	if r.count > 1 {
		why += " (the first of " + strconv.Itoa(r.count) + " places in a row)"
	}
	p.Err = fault.Refuse(fault.StepParse, "", why)
	return p
}

// junkLine passes over the rest of a line, or over a run of NUL bytes, which a
// crash may leave where a line was torn.
func (s *Splitter) junkLine() {
	s.addJunk("")
	if s.w.buf[s.w.pos] == 0 {
		for c, ok := s.w.peek(); ok && c == 0; c, ok = s.w.peek() {
			s.w.pos++
		}
		return
	}
	for {
		rest := s.w.buf[s.w.pos:]
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			s.w.pos += i
			return
		}
		s.w.pos = len(s.w.buf)
		if !s.w.more() {
			return
		}
	}
}

// junkItem passes over what is no object within an array: a string, a scalar or
// one stray mark.
func (s *Splitter) junkItem(c byte) {
	s.addJunk("")
	s.w.pos++
	if c == '}' || c == ':' {
		s.frames[len(s.frames)-1].lost = true
		return
	}
	escaped := false
	for {
		b, ok := s.w.peek()
		switch {
		case !ok, b == '\n':
			return
		case c != '"' && strings.IndexByte(" \t\r,[]{}\"", b) >= 0:
			return
		}
		s.w.pos++
		if c == '"' && b == '"' && !escaped {
			return
		}
		escaped = b == '\\' && !escaped
	}
}

// describe says what a text that is no object looks like.
func describe(head []byte) string {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	for len(line) > 0 && len(line) == len(head) && !utf8.Valid(line) && len(head)-len(line) < utf8.UTFMax {
		line = line[:len(line)-1]
	}
	switch {
	case bytes.IndexByte(line, 0) >= 0 || !utf8.Valid(line):
		return "binary data, not JSON"
	case len(line) == 0:
		return "text that is no JSON object"
	}
	switch c := line[0]; {
	case c == '<':
		return "text that looks like HTML or XML, not JSON"
	case c == '"':
		return "a JSON string where an object is expected"
	case c == '-' && bytes.HasPrefix(line, []byte("---")):
		return "text that looks like YAML, not JSON"
	case c == '-' || c >= '0' && c <= '9':
		return "a number or other text where an object is expected"
	case c == '}' || c == ']' || c == ',' || c == ':':
		return "a stray '" + string(rune(c)) + "' where an object is expected"
	}
	return "text that is no JSON object"
}

// longestMagic is how far into a stream magics look.
const longestMagic = 262

// magics are formats that a file of capsules is often mistaken for, or packed in.
var magics = []struct {
	at     int
	prefix string
	why    string
}{
	{0, "\x1f\x8b", "gzip data: gunzip it first"},
	{0, "PK\x03\x04", "a zip archive: unzip it first"},
	{0, "\x28\xb5\x2f\xfd", "zstandard data: decompress it first (zstd -d)"},
	{0, "BZh", "bzip2 data: decompress it first (bunzip2)"},
	{0, "\xfd7zXZ\x00", "xz data: decompress it first (unxz)"},
	{0, "\x04\x22\x4d\x18", "lz4 data: decompress it first (unlz4)"},
	{257, "ustar", "a tar archive: unpack it first"},
	{0, "\x89PNG", "a PNG image, not JSON"},
	{0, "\xff\xd8\xff", "a JPEG image, not JSON"},
	{0, "GIF8", "a GIF image, not JSON"},
	{0, "%PDF", "a PDF document, not JSON"},
	{0, "\x7fELF", "a program, not JSON"},
	{0, "SQLite format 3\x00", "an SQLite database, not JSON"},
	{16, "\xed\xda\x0c\xed", "a bbolt database, not JSON: open it with --home if it is a cache of akx"},
	{0, "\xff\xfe", "UTF-16 text: save it as UTF-8 first"},
	{0, "\xfe\xff", "UTF-16 text: save it as UTF-8 first"},
	{0, "{\x00", "UTF-16 text: save it as UTF-8 first"},
	{0, "[\x00", "UTF-16 text: save it as UTF-8 first"},
	{0, "\x00{", "UTF-16 text: save it as UTF-8 first"},
	{0, "\x00[", "UTF-16 text: save it as UTF-8 first"},
}

// foreign reports whether the stream is of another format altogether, which is
// told once and ends it. It waits for no more of a JSON stream than two bytes: a
// live one may give its first object long before the second.
func (s *Splitter) foreign(first byte) bool {
	n := longestMagic
	if first == '{' || first == '[' {
		n = 2
	}
	head := s.w.ahead(n)
	for _, m := range magics {
		if len(head) >= m.at && bytes.HasPrefix(head[m.at:], []byte(m.prefix)) {
			s.addJunk(m.why)
			return true
		}
	}
	return false
}
