package wire_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"akx/view/wire"
)

const skimService = "https://hub.example"

// skimPages are pages and texts that are none.
func skimPages() []string {
	id := strings.Repeat("A", 43)
	record := func(seq int, envelope string) string {
		return fmt.Sprintf(`{"seq":%d,"note":{"a":[1,"]\"}"]},"accepted_at":7,"envelope":%s}`, seq, envelope)
	}
	tail := `],"service":"https://hub.example","x":-1.5e3,"checkpoint":9,"as_of":9,"next_cursor":"c\"d"}`
	small := `{"hash":"` + id + `","event":{"a":[{}]},"signature":"s"}`
	large := `{"event":{"a":"` + strings.Repeat("y", 900) + `"},"hash":"` + id + `","signature":"s"}`
	return []string{
		`{"result":[` + record(3, small) + tail,
		` { "result" : [ ` + record(3, large) + tail + "\n",
		`{"more":"` + strings.Repeat("z", 100_000) + `","result":[` + record(4, small) + tail,
		`{"result":[` + tail,
		`{"result":[` + record(4, large) + `,` + record(5, strings.Replace(large, "A", "Q", 1)) + tail,
		`{"result":{},"service":7}`, `{"result":[` + record(3, `"no"`) + tail,
		`{"result":[` + record(3, small) + tail + "}", "[]", "", "{", `{"a`, `{"a":`, `{"a":"\`, `{"result":[{`, "{}\x00", "\x00", `{"a":1 2}`,
		`{"res\u0075lt":[],"result":[` + record(3, small) + tail,
	}
}

func page(text []byte) (wire.QueryPage, error) {
	return wire.NewEnumeration(skimService, wire.Query{Limit: 10}).Page(text)
}

func TestSkimPage_9_3_1(t *testing.T) {
	bounds := wire.Skim{Envelope: 500}
	for i, want := range []struct {
		seqs  []uint64
		large bool
	}{{[]uint64{3}, false}, {[]uint64{3}, true}, {[]uint64{4}, false}, {nil, false}, {[]uint64{4, 5}, true}} {
		text, large, err := bounds.Page(iotest.OneByteReader(strings.NewReader(skimPages()[i])))
		got, failed := page(text)
		var seqs []uint64
		for _, item := range got.Items {
			seqs = append(seqs, item.Seq)
			if item.Refusal == nil || item.Claimed.String()[1:] != strings.Repeat("A", 42) || item.AcceptedAt != 7 {
				t.Errorf("page %d: %+v", i, item)
			}
		}
		if err != nil || failed != nil || large != want.large || !slices.Equal(seqs, want.seqs) || got.Checkpoint != 9 || got.Next != `c"d` {
			t.Errorf("page %d: %v, large %v, %v, %v\n%s", i, seqs, large, err, failed, text)
		}
	}
	for i, text := range skimPages()[5:] {
		skimmed, _, err := bounds.Page(strings.NewReader(text))
		if _, failed := page(skimmed); err != nil || failed == nil {
			t.Errorf("%q is a page: %v, %s", skimPages()[5+i], err, skimmed)
		}
	}
	many := `{"result":[{"seq":1,"accepted_at":7,"envelope":{"event":[` + strings.Repeat("0,", 300) + `0]}}]}`
	for values, want := range map[int]bool{0: false, 200: true, 400: false} {
		if _, large, _ := (wire.Skim{Values: values}).Page(strings.NewReader(many)); large != want {
			t.Errorf("%d values: large %v", values, large)
		}
	}
	if text, _, err := bounds.Page(strings.NewReader(`{"service":"` + strings.Repeat("s", 1<<20) + `"}`)); text != nil || err != nil {
		t.Errorf("too much to keep: %d bytes, %v", len(text), err)
	}
	broken := errors.New("broken")
	if _, _, err := bounds.Page(io.MultiReader(strings.NewReader(`{"result":[`), iotest.ErrReader(broken))); err != broken {
		t.Errorf("a broken reader: %v", err)
	}
}

// A page says the same whether it was skimmed or not, and no text makes a skimmer
// keep more than it may.
func FuzzSkimPage(f *testing.F) {
	for _, text := range skimPages() {
		f.Add(text, 500, 0)
		f.Add(text, 0, 3)
	}
	f.Fuzz(func(t *testing.T, text string, envelope, values int) {
		bounds := wire.Skim{Envelope: min(envelope, 1<<20), Values: values}
		skimmed, large, err := bounds.Page(strings.NewReader(text))
		if err != nil || len(skimmed) > max(bounds.Envelope, 256<<10)+64<<10 {
			t.Fatalf("%d bytes are kept, %v", len(skimmed), err)
		}
		whole, failed := page([]byte(text))
		if failed != nil || skimmed == nil {
			return
		}
		got, err := page(skimmed)
		if err != nil || got.Stamp != whole.Stamp || got.Next != whole.Next || len(got.Items) != len(whole.Items) {
			t.Fatalf("skimmed: %+v, %v\nwhole: %+v", got, err, whole)
		}
		for i, item := range got.Items {
			is := whole.Items[i]
			if item.Seq != is.Seq || item.AcceptedAt != is.AcceptedAt || !large && (item.Refusal == nil) != (is.Refusal == nil) {
				t.Errorf("item %d: %+v, whole %+v", i, item, is)
			}
		}
	})
}
