package wire

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// TestSplitLive: a piece comes out as soon as it is complete, whatever a slow
// writer does next.
func TestSplitLive(t *testing.T) {
	r, w := io.Pipe()
	s := NewSplitter(r, 0)
	for _, text := range []string{`{"a":1}`, "\n" + `[{"b":2}`, `,{"c":3}`, `]{"result":[{"d":4}`} {
		go w.Write([]byte(text))
		p, err := s.Next()
		if err != nil || p.Err != nil || !strings.HasSuffix(text, string(p.Text)) {
			t.Fatal(string(p.Text), p.Err, err)
		}
	}
	go w.CloseWithError(io.EOF)
	if p, err := s.Next(); err != nil || p.Err == nil {
		t.Errorf("an unfinished response is not told: %v, %v", p, err)
	}
}

// TestSplitForeign: another format is told once, by its name, and ends the stream.
func TestSplitForeign(t *testing.T) {
	for _, m := range magics {
		text := strings.Repeat("a", m.at) + m.prefix + "\n{\"a\":1}\n"
		pieces := cutPieces(t, text)
		if len(pieces) != 1 || pieces[0].Err == nil || refusalOf(pieces[0].Err, 0).Detail != m.why {
			t.Errorf("%q: %+v", text, pieces)
		}
	}
}

// TestSplitUnknownText: what is no known format is told by its looks, and what
// follows is read.
func TestSplitUnknownText(t *testing.T) {
	seen := make(map[string]string)
	for _, text := range []string{"<html>", "--- \na: 1", "\x00\x01\x02", "hello", "\"a\"", "12", "}"} {
		pieces := cutPieces(t, text+"\n{\"a\":1}\n")
		last := pieces[len(pieces)-1]
		if last.Err != nil || pieces[0].Err == nil {
			t.Errorf("%q: %+v", text, pieces)
			continue
		}
		detail := refusalOf(pieces[0].Err, 0).Detail
		if other, ok := seen[detail]; ok {
			t.Errorf("%q and %q look the same", text, other)
		}
		seen[detail] = text
	}
}

func cutPieces(t *testing.T, text string) (pieces []Piece) {
	t.Helper()
	s := NewSplitter(strings.NewReader(text), 0)
	for {
		p, err := s.Next()
		if err == io.EOF {
			return pieces
		}
		if err != nil {
			t.Fatal(err)
		}
		pieces = append(pieces, p)
	}
}

// endless repeats a text up to a number of bytes without holding them.
type endless struct {
	text string
	left int64
	at   int
}

func (e *endless) Read(b []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := 0
	for n < len(b) && e.left > 0 {
		c := copy(b[n:], e.text[e.at:])
		c = int(min(int64(c), e.left))
		e.at = (e.at + c) % len(e.text)
		e.left -= int64(c)
		n += c
	}
	return n, nil
}

// TestSplitMemory feeds 8 MiB of each hostile shape and bounds both the memory
// that is taken and the number of refusals.
func TestSplitMemory(t *testing.T) {
	const size = 8 << 20
	long := strings.Repeat("x", 4096)
	record := `{"envelope":{"a":"` + long + `"},"seq":1},`
	for _, test := range []struct {
		name, head, body string
		pieces           int
	}{
		{"an endless string", `{"a":"`, long, 1},
		{"an endless array of one object", `{"a":[`, "1,", 1},
		{"an endless name", `{"`, long, 1},
		{"a response on one line", `{"service":"s","result":[`, record, size/len(record) + 2},
		{"random text", "", long, 1},
		{"short lines", "", "ab\n", 1},
		{"an endless array of numbers", "[", "1,", 2},
		{"blanks", "", "   \n", 0},
		{"opening brackets", "", "[", 3},
		{"endless member after result", `{"result":[],"x":"`, long, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			n := 0
			s := NewSplitter(io.MultiReader(strings.NewReader(test.head), &endless{text: test.body, left: size}), 0)
			for {
				if _, err := s.Next(); err == io.EOF {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				n++
			}
			runtime.ReadMemStats(&after)
			if n > test.pieces {
				t.Errorf("%d pieces, want at most %d", n, test.pieces)
			}
			if taken := cap(s.w.buf); taken > 2<<20 {
				t.Errorf("window of %d bytes", taken)
			}
			if taken := after.TotalAlloc - before.TotalAlloc; taken > 8<<20 {
				t.Errorf("%d bytes allocated", taken)
			}
		})
	}
}

// TestSplitWork bounds the bytes that torn objects cause to be read again.
func TestSplitWork(t *testing.T) {
	line := `{"a":"` + strings.Repeat("x", 1000) + `","b":` + "\n"
	s := NewSplitter(strings.NewReader(strings.Repeat(line, 5000)), 0)
	for {
		if _, err := s.Next(); err == io.EOF {
			break
		}
	}
	if total := int64(len(line) * 5000); s.rescanned > 9*total {
		t.Errorf("%d bytes read again for %d bytes", s.rescanned, total)
	}
}

func BenchmarkSplit(b *testing.B) {
	line := `{"hash":"` + strings.Repeat("A", 43) + `","event":{"payload":{"statement":"` + strings.Repeat("some words, ", 150) +
		`","tags":["a","b"],"n":[1,2,3]}},"signature":"` + strings.Repeat("A", 86) + `"}`
	for name, text := range map[string]string{
		"lines":    strings.Repeat(line+"\n", 1000),
		"response": `{"result":[` + strings.Repeat(line+",", 999) + line + `]}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if got := countWhole(NewSplitter(strings.NewReader(text), 0)); got != 1000 {
					b.Fatal(got)
				}
			}
		})
	}
}

// countWhole counts the whole objects of a stream.
func countWhole(s *Splitter) (n int) {
	for {
		p, err := s.Next()
		if err != nil {
			return n
		}
		if p.Err == nil {
			n++
		}
	}
}

// splitSeeds are streams on both sides of what a splitter takes.
var splitSeeds = []string{
	"", "{}", "[]", `{"hash":1}` + "\n" + `{"hash":2}`, `{"result":[{"record":{}}],"x":1}`, `[{"a":`, "\ufeff{}",
	"{\n\"a\":\n{\n", "}{", `{"a":"\`, "[[[[[[[[[[{}", "\x1f\x8b", `{"a":1 "b"}` + "\n[", `[{"a":]},{}]`,
	"{\"a\":\"\n{\"a\":\n{}", `{"result":[{}],"result":[{}]}`, "{\"a\":\"\n\x00\x00{\"b\":1}\n", `[1,"x",{},,]`,
	`{"envelope":{"a":1},"seq":1}{"\u0072esult":[{}]}`, "[\n  {\"a\":\"b\n  {\"c\":1},\n]\n", "a\nb\n{\"c\":1} d\n",
	`{"x":[[[[[{"y":"z"}]]]]],"result":[]}` + "\r\n\r\n" + `{"service":"s","result":[{"a":`,
}

func TestSplitSeeds(t *testing.T) {
	if len(splitSeeds) < 20 {
		t.Errorf("only %d seeds", len(splitSeeds))
	}
}

func FuzzSplit(f *testing.F) {
	for _, seed := range splitSeeds {
		f.Add([]byte(seed), 64)
	}
	f.Fuzz(func(t *testing.T, data []byte, maxBytes int) {
		if maxBytes < 0 || maxBytes > 1<<16 {
			maxBytes = 1 << 10
		}
		whole := cut(t, bytes.NewReader(data), maxBytes)
		bytewise := cut(t, iotest.OneByteReader(bytes.NewReader(data)), maxBytes)
		if fmt.Sprintf("%q", whole) != fmt.Sprintf("%q", bytewise) {
			t.Fatalf("read sizes matter:\n%q\n%q", whole, bytewise)
		}
		if len(whole) > len(data)+1 {
			t.Fatalf("%d pieces of %d bytes", len(whole), len(data))
		}
	})
}

// FuzzSplitLines makes JSON Lines of any text and expects exactly its lines back.
func FuzzSplitLines(f *testing.F) {
	f.Add("a", "b{\"", 3)
	f.Add("\\", "]}", 1)
	f.Add("\x00\n", "result", 7)
	f.Fuzz(func(t *testing.T, name, value string, n int) {
		if n < 0 || n > 50 {
			n = 50
		}
		var b strings.Builder
		var want []string
		for i := range n {
			line := fmt.Sprintf(`{%s:%s,"n":[%d,{"x":null}]}`, quoteJSON(name+"k"), quoteJSON(value), i)
			want = append(want, fmt.Sprintf("line %d|%s", i+1, line))
			b.WriteString(line + "\n")
		}
		if got := cut(t, strings.NewReader(b.String()), 1<<20); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

// quoteJSON writes any text as a JSON string.
func quoteJSON(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(s) {
		if c < 0x20 || c == '"' || c == '\\' || c >= 0x7f {
			fmt.Fprintf(&b, `\u%04x`, c)
			continue
		}
		b.WriteByte(c)
	}
	b.WriteByte('"')
	return b.String()
}
