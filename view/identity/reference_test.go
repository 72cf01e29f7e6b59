package identity

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/gowebpki/jcs"
)

// TestNumbersAgainstTheReference compares the printed form of many doubles.
func TestNumbersAgainstTheReference(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		f := math.Float64frombits(random.Uint64())
		if random.IntN(2) == 0 { // near the range where the form changes
			f = (random.Float64() - 0.5) * math.Pow(10, float64(random.IntN(40)-22))
		}
		if math.IsNaN(f) || math.Abs(f) > MaxSafeInteger {
			continue
		}
		text := strconv.FormatFloat(f, 'g', 17, 64)
		want, err := jcs.NumberToJSON(f)
		if err != nil {
			t.Fatal(err)
		}
		v, err := Parse([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got := string(AppendCanonical(nil, v)); got != want {
			t.Fatalf("%s: %s, the reference prints %s", text, got, want)
		}
	}
}

// TestValuesAgainstTheReference compares canonical forms of random documents in
// random spellings.
func TestValuesAgainstTheReference(t *testing.T) {
	w := writer{rand.New(rand.NewPCG(3, 4))}
	for range 5000 {
		text := w.compound(nil, 5)
		want, err := jcs.Transform(text)
		if err != nil {
			t.Fatalf("%s: the reference refuses: %v", text, err)
		}
		v, err := Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got := AppendCanonical(nil, v); string(got) != string(want) {
			t.Fatalf("%s\n     ours %s\nreference %s", text, got, want)
		}
	}
}

// writer writes random valid documents.
type writer struct{ *rand.Rand }

func (w writer) space(b []byte) []byte {
	return append(b, []string{"", "", "", " ", "\n\t", "\r\n "}[w.IntN(6)]...)
}

func (w writer) compound(b []byte, depth int) []byte {
	n := w.IntN(6)
	if w.IntN(30) == 0 {
		n = 15 + w.IntN(10) // around smallObject
	}
	object := w.IntN(2) == 0
	b = append(b, map[bool]byte{true: '{', false: '['}[object])
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = w.space(b)
		if object {
			b = w.string(b, strconv.Itoa(i)) // the number keeps names apart
			b = append(w.space(b), ':')
		}
		b = w.space(w.value(w.space(b), depth-1))
	}
	return append(b, map[bool]byte{true: '}', false: ']'}[object])
}

func (w writer) value(b []byte, depth int) []byte {
	switch k := w.IntN(8); {
	case k < 3 && depth > 0:
		return w.compound(b, depth)
	case k < 5:
		return w.string(b, "")
	case k == 5:
		return append(b, []string{"true", "false", "null"}[w.IntN(3)]...)
	case k == 6:
		return strconv.AppendInt(b, w.Int64N(2*MaxSafeInteger)-MaxSafeInteger, 10)
	}
	return append(b, []string{"0", "-0", "1.0", "1e3", "-2.50", "1E-9", "0.00001", "12.5e+2"}[w.IntN(8)]...)
}

// string writes characters of all UTF-8 lengths, some as escapes, then end.
func (w writer) string(b []byte, end string) []byte {
	b = append(b, '"')
	for range w.IntN(12) {
		switch r := []rune{'a', 'Z', '"', '\\', '/', '\b', '\n', 0, 0x1f, 0x7f, 0x80, 'é', '€', 0x2028, 0xd7ff, 0xe000, 0xffff, '😀', 0x10ffff}[w.IntN(19)]; {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < ' ' || w.IntN(4) == 0 && r <= 0xffff:
			b = fmt.Appendf(b, `\u%04X`, r)
		case r > 0xffff && w.IntN(2) == 0:
			b = fmt.Appendf(b, `\u%04x\u%04x`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		default:
			b = append(b, string(r)...)
		}
	}
	return append(append(b, end...), '"')
}
