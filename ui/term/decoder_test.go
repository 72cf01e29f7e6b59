package term

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"
)

// script is a source made of reads. A read of "" is silence that outlasts any
// wait; pause moves the clock. No real time passes.
type script struct {
	reads []string
	clock time.Time
	pause time.Duration // silence that "" stands for
}

func (s *script) now() time.Time { return s.clock }

func (s *script) wait(d time.Duration) bool {
	if len(s.reads) > 0 && s.reads[0] != "" {
		s.clock = s.clock.Add(time.Millisecond)
		return true
	}
	s.clock = s.clock.Add(d)
	return false
}

func (s *script) read(p []byte) (int, error) {
	if len(s.reads) > 0 && s.reads[0] == "" {
		s.reads, s.clock = s.reads[1:], s.clock.Add(s.pause)
	}
	if len(s.reads) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.reads[0])
	if s.reads[0] = s.reads[0][n:]; s.reads[0] == "" {
		s.reads = s.reads[1:]
	}
	return n, nil
}

// readAll reads as Bubble Tea does and gives each read that was not empty.
// Tickets are replaced by what they stand for.
func readAll(t testing.TB, in *Input) (reads []string) {
	t.Helper()
	buf := make([]byte, 256)
	for {
		n, err := in.Read(buf)
		if n == len(buf) {
			t.Fatalf("a read filled the buffer: Bubble Tea would wait for more")
		}
		if n > 0 {
			reads = append(reads, redeem(t, in, string(buf[:n])))
		}
		if err != nil {
			return reads
		}
	}
}

func redeem(t testing.TB, in *Input, read string) string {
	t.Helper()
	var b strings.Builder
	for {
		before, after, found := strings.Cut(read, pasteStart)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		ticket, rest, found := strings.Cut(after, pasteEnd)
		if !found {
			t.Fatalf("a ticket is split over two reads: %q", read)
		}
		item, ok := in.Take(ticket)
		if !ok {
			t.Fatalf("nothing behind ticket %q", ticket)
		}
		fmt.Fprintf(&b, "{%+v}", item)
		read = rest
	}
}

func scripted(pause time.Duration, reads ...string) *Input {
	return &Input{src: &script{reads: reads, clock: time.Unix(0, 0), pause: pause}}
}

func TestInput(t *testing.T) {
	const short, long = 100 * time.Millisecond, 2 * time.Second
	tests := []struct {
		name  string
		pause time.Duration
		in    []string
		want  string // reads joined by |
	}{
		{"plain keys", short, []string{"abc", "\r"}, "abc|\r"},
		{"arrow cut after ESC", short, []string{"\x1b", "[A"}, "\x1b[A"},
		{"arrow cut after bracket", short, []string{"\x1b[", "A"}, "\x1b[A"},
		{"ctrl-arrow in single bytes", short, strings.Split("\x1b[1;5C", ""), "\x1b[1;5C"},
		{"parameters outlast the wait", short, []string{"\x1b[1;", "", "5C"}, "\x1b[1;5C"},
		{"parameters that never go on", long, []string{"\x1b[1;", "", "x"}, "x"},
		{"lone ESC", short, []string{"\x1b"}, "\x1b"},
		{"lone ESC, then a key", short, []string{"\x1b", "", "j"}, "\x1b|j"},
		{"keys, then a lone ESC", short, []string{"ab\x1b", "", "[A"}, "ab\x1b|[A"},
		{"alt-bracket", short, []string{"\x1b[", "", "a"}, "\x1b[|a"},
		{"alt-closing-bracket", short, []string{"\x1b]", "", "a"}, "\x1b]|a"},
		{"alt-O and alt-P", short, []string{"\x1bO", "", "\x1bP", "", "x"}, "\x1bO|\x1bP|x"},
		{"alt and a Han character", short, []string{"\x1b\xe4", "\xb8", "\xad"}, "\x1b中"},
		{"alt-arrow as two ESC", short, []string{"\x1b", "\x1b[D"}, "\x1b\x1b[D"},
		{"second ESC before any other sequence", short, []string{"\x1b\x1b[5;3~"}, "\x1b[5;3~"},
		{"split Han character", short, []string{"\xe4", "", "\xb8", "\xad"}, "中"},
		{"split emoji", short, []string{"\xf0\x9f", "\x98\x80x"}, "😀x"},
		{"half a character, then a key", short, []string{"\xe4\xb8", "x"}, "x"},
		{"half a character, much later its rest", long, []string{"\xe4\xb8", "", "\xad", "x"}, "x"},
		{"broken UTF-8 and C1", short, []string{"a\xff\x9b\xc2\x9bb\xed\xa0\x80c\xc0\x80"}, "abc"},
		{"replacement character", short, []string{"\xef\xbf\xbd"}, "\xef\xbf\xbd"},
		{"OSC 11 answer", short, []string{"a\x1b]11;rgb:ffff/ffff/ffff\x1b\\b"}, "a{{Dark:false}}b"},
		{"OSC 11 answer, split and late", short, []string{"\x1b]11;rgb:00", "", "00/0000/0000", "", "\a", "x"}, "{{Dark:true}}|x"},
		{"OSC answer cut for good", long, []string{"\x1b]11;rgb", "", "jk"}, "jk"},
		{"another OSC answer", short, []string{"\x1b]52;c;eHg=\x1b", "\\q"}, "q"},
		{"DCS, APC, PM and SOS", short, []string{"\x1bP>|xterm(1)\x1b\\1\x1b_Gi=1;OK\x1b\\2\x1b^p\a3\x1bXs\x1b\\4"}, "1234"},
		{"ctrl-c within an answer", short, []string{"\x1b]11;r", "\x03"}, "\x03"},
		{"arrow within an answer", short, []string{"\x1b]11;r", "\x1b[A"}, "\x1b[A"},
		{"answers in CSI", short, []string{"\x1b[?62;c\x1b[>0;1c\x1b[?2026;2$yx"}, "x"},
		{"SGR mouse", short, []string{"\x1b[<0;12", ";7M\x1b[<0;12;7m"}, "\x1b[<0;12;7M\x1b[<0;12;7m"},
		{"SGR mouse without numbers", short, []string{"\x1b[<M\x1b[<1;2Mx\x1b[<1;2;999999M"}, "x"},
		{"X10 mouse", short, []string{"\x1b[M", "", " !", "\xc3"}, "\x1b[M !\xc3"},
		{"X10 mouse broken", short, []string{"\x1b[M \x03"}, "\x03"},
		{"application cursor keys", short, []string{"\x1bO", "A\x1bOH\x1bOF\x1bOP"}, "\x1bOA|\x1b[H\x1b[F\x1bOP"},
		{"Linux console", short, []string{"\x1b[[", "", "A"}, "\x1b[[A"},
		{"rxvt", short, []string{"\x1b[7$j\x1b[5^"}, "\x1b[7$j\x1b[5^"},
		{"parameters after intermediates", short, []string{"\x1b[ 1Aq"}, "q"},
		{"endless parameters", short, []string{"\x1b[" + strings.Repeat("1;", 300) + "Aq"}, "q"},
		{"control within parameters", short, []string{"\x1b[1;\rq"}, "\rq"},
		{"paste", short, []string{"a\x1b[200~x\ry\r\nz\x1b[20", "1~b"}, "a|{{Text:x\ny\nz Removed:0 Cut:false}}b"},
		{"paste with ESC, 0x9b and C1", short, []string{"\x1b[200~a\x1b[31mb\x9bc\xc2\x9bd\x00\x7f\te\x1b[201~"}, "{{Text:a[31mbcd\te Removed:5 Cut:false}}"},
		{"paste with a split character", short, []string{"\x1b[200~\xe4", "", "\xb8", "\xad\x1b[201~"}, "{{Text:中 Removed:0 Cut:false}}"},
		{"paste that ends in half a character", short, []string{"\x1b[200~\xe4\x1b[201~"}, "{{Text: Removed:1 Cut:false}}"},
		{"paste over a slow link", long, []string{"\x1b[200~a", "", "b\r", "", "\x1b[201~q"}, "{{Text:ab\n Removed:0 Cut:false}}q"},
		{"paste whose end was lost, then ctrl-c", long, []string{"\x1b[200~a", "", "\x03", "q"}, "\x03|q"},
		{"empty paste and stray end", short, []string{"\x1b[200~\x1b[201~\x1b[201~q"}, "q"},
		{"almost the end of a paste", short, []string{"\x1b[200~\x1b[201\x1b[201~"}, "{{Text:[201 Removed:1 Cut:false}}"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := strings.Join(readAll(t, scripted(test.pause, test.in...)), "|")
			if got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestInputHugePaste(t *testing.T) {
	text := strings.Repeat("0123456789abcdé\n", MaxPaste/17)
	in := scripted(0, pasteStart+text+"\x1b[201~", pasteStart+text+text+"x\x1b[201~q")
	var pastes []Paste
	keys := ""
	buf := make([]byte, 256)
	for {
		n, err := in.Read(buf)
		got := string(buf[:n])
		for found := true; found; {
			var before, ticket string
			if before, got, found = strings.Cut(got, pasteStart); found {
				ticket, got, _ = strings.Cut(got, pasteEnd)
				item, _ := in.Take(ticket)
				pastes = append(pastes, item.(Paste))
			}
			keys += before
		}
		if err != nil {
			break
		}
	}
	if len(pastes) != 2 || keys != "q" {
		t.Fatalf("got %d pastes and keys %q", len(pastes), keys)
	}
	if pastes[0].Text != text || pastes[0].Cut || pastes[0].Note() != "" {
		t.Errorf("the whole paste: %d bytes, %q", len(pastes[0].Text), pastes[0].Note())
	}
	second := pastes[1]
	if !second.Cut || len(second.Text) > MaxPaste || len(second.Text) < MaxPaste-1 || !strings.HasPrefix(text+text, second.Text) {
		t.Errorf("the cut paste: %d bytes, cut=%t", len(second.Text), second.Cut)
	}
	if second.Note() != "pasted only the first 1024 KiB; the rest was cut" {
		t.Errorf("note: %q", second.Note())
	}
}

func TestPasteNote(t *testing.T) {
	if got := (Paste{Removed: 1}).Note(); got != "1 control character removed" {
		t.Errorf("got %q", got)
	}
	if got := (Paste{Removed: 2, Cut: true}).Note(); got != "pasted only the first 1024 KiB; the rest was cut; 2 control characters removed" {
		t.Errorf("got %q", got)
	}
}

// The work for a paste grows with its length and no faster, measured in the
// bytes that it allocates.
func TestInputPasteIsLinear(t *testing.T) {
	cost := func(size int) uint64 {
		text := pasteStart + strings.Repeat("a\x9b", size/2) + pasteEnd
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var d decoder
		feedInReads(&d, text)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if small, large := cost(32<<10), cost(512<<10); large > 40*small {
		t.Errorf("16 times the paste allocates %d bytes instead of %d", large, small)
	}
}

// feedInReads feeds text in reads of the size that Bubble Tea asks for.
func feedInReads(d *decoder, text string) {
	for rest := []byte(text); len(rest) > 0; {
		n := min(len(rest), 128)
		d.feed(nil, rest[:n])
		rest = rest[n:]
	}
}

func BenchmarkPaste1MiB(b *testing.B) {
	text := pasteStart + strings.Repeat("0123456789abcd\n", MaxPaste/15) + pasteEnd
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		var d decoder
		feedInReads(&d, text)
	}
}

func TestInputTinyBuffer(t *testing.T) {
	in := scripted(0, "ab\x1b[1;5Cc")
	var got []byte
	buf := make([]byte, 1)
	for {
		n, err := in.Read(buf)
		got = append(got, buf[:n]...)
		if err != nil {
			if err != ErrGone {
				t.Errorf("error: %v", err)
			}
			break
		}
	}
	if string(got) != "ab\x1b[1;5Cc" {
		t.Errorf("got %q", got)
	}
}

func TestItemsAreBounded(t *testing.T) {
	var s items
	for range 3 * maxItems {
		s.put(nil, Paste{})
	}
	if len(s.kept) != maxItems {
		t.Errorf("kept %d items", len(s.kept))
	}
	if _, ok := s.take("0"); ok {
		t.Error("the oldest item is still there")
	}
	last := fmt.Sprint(3*maxItems - 1)
	if _, ok := s.take(last); !ok {
		t.Error("the newest item is gone")
	}
	if _, ok := s.take(last); ok {
		t.Error("an item was given twice")
	}
}
