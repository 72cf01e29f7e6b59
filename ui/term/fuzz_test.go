package term

import (
	"strings"
	"testing"
	"unicode/utf8"
)

var inputSeeds = []string{
	"abc\r\x03",
	"\x1b[A\x1b[1;5C\x1bOP\x1b[Z",
	"\x1b",
	"\x1b\x1b\x1b[D\x1b\x1b",
	"中文😀\xe4\xb8",
	"\x1b]11;rgb:ffff/ffff/ffff\x1b\\q",
	"\x1b]11;rgb:0/0/0\a\x1bP1$r0m\x1b\\",
	"\x1b[<0;12;7M\x1b[<0;12;7m\x1b[M !\xff",
	"\x1b[200~two\r\nlines\x1b[31m\x9b\xc2\x9b\x1b[201~after",
	"\x1b[200~\x1b[201\x1b[201~\x1b[200~\x1b[201~",
	"\x1b[200~never ends",
	"\x1b[" + "1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1" + "mx",
	"\x1b[[A\x1b[7$\x1b[?1;2c\x1b[48;24;80t",
	"\x1b]\x1b[\x1bO\x1bP\x1b_\x1b^\x1bX",
	"\xff\xfe\x00\x9b31m\xc2\x9d11\a",
	"\x1b[I\x1b[O\x1b[ 1A\x1b[\r",
}

func TestInputSeeds(t *testing.T) {
	if len(inputSeeds) < 16 {
		t.Errorf("only %d seeds are left", len(inputSeeds))
	}
}

// However the terminal's bytes are cut into reads, and whatever the size of the
// buffer, the same comes out; and what comes out is fit for Bubble Tea.
func FuzzInput(f *testing.F) {
	for i, seed := range inputSeeds {
		f.Add([]byte(seed), []byte{1, byte(i), 3})
	}
	f.Fuzz(func(t *testing.T, data, cuts []byte) {
		if len(data) > 1<<16 {
			t.Skip("longer than any finding")
		}
		whole := strings.Join(readAll(t, scripted(0, nonEmpty(string(data))...)), "")
		split := strings.Join(readAll(t, scripted(0, cut(string(data), cuts)...)), "")
		single := strings.Join(readAll(t, scripted(0, cut(string(data), nil)...)), "")
		if split != whole || single != whole {
			t.Errorf("whole  %q\nsplit  %q\nsingle %q", whole, split, single)
		}
		checkFit(t, whole)
	})
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// cut cuts s into reads whose lengths are those of cuts, over and over.
func cut(s string, cuts []byte) (reads []string) {
	for i := 0; s != ""; i++ {
		n := 1
		if len(cuts) > 0 {
			n += int(cuts[i%len(cuts)]) % 7
		}
		n = min(n, len(s))
		reads = append(reads, s[:n])
		s = s[n:]
	}
	return reads
}

// checkFit looks for broken characters, which Bubble Tea would lose keys over;
// the coordinates of an X10 mouse are raw bytes.
func checkFit(t *testing.T, out string) {
	t.Helper()
	if !strings.Contains(out, "\x1b[M") && !utf8.ValidString(out) {
		t.Errorf("broken UTF-8 in %q", out)
	}
}
