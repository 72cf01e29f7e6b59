package desk

import (
	"strings"
	"testing"
	"unicode/utf8"

	"akx/view/capsule"
)

// textSeeds are drafts in both forms, and texts that were taken or refused once.
func textSeeds() [][]byte {
	var seeds [][]byte
	for _, typ := range capsule.Types() {
		d := full(typ)
		seeds = append(seeds, d.YAML(), d.JSON(), Draft{Type: typ}.YAML())
	}
	for _, text := range hostile {
		seeds = append(seeds, []byte(text), []byte("title: "+text), []byte("title: |-\n  "+text))
	}
	return append(seeds, []byte("title: x\n---\n"), []byte(`{"title":"x","extra":{"a":1}}`), []byte("title: x\nextra: {a: [1, 2.5, ~, yes]}"))
}

func FuzzReadText(f *testing.F) {
	for _, seed := range textSeeds() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, complaints := ReadText(text, Expect{})
		if complaints != nil {
			if d.Type != 0 || !d.Payload.Equal(Payload{}) {
				t.Fatalf("%v beside %+v", complaints, d)
			}
			return
		}
		comesBack(t, d)
		d.Check(DefaultLimits)
		d.Scan(nil)
	})
}

func fieldSeeds() [][3]string {
	var seeds [][3]string
	for i, text := range hostile {
		seeds = append(seeds, [3]string{text, hostile[(i+1)%len(hostile)], `{"a":` + quoteJSON(text) + `}`})
	}
	return seeds
}

// FuzzRoundTrip puts texts into all fields of drafts and reads what they write.
func FuzzRoundTrip(f *testing.F) {
	for i, s := range fieldSeeds() {
		f.Add(uint8(i), s[0], s[1], s[2])
	}
	f.Fuzz(func(t *testing.T, shape uint8, a, b, raw string) {
		if !utf8.ValidString(a) || !utf8.ValidString(b) || !utf8.ValidString(raw) || len(a)+len(b)+len(raw) > 1<<16 {
			t.Skip()
		}
		types := capsule.Types()
		d := full(types[int(shape)%len(types)])
		for i, field := range d.Fields(DefaultLimits) {
			text := a
			switch {
			case field.Input == JSON:
				text = raw
			case i%2 == int(shape>>2)%2:
				text = b
			}
			if _, ok := d.Text(field.Path); ok {
				if err := d.SetText(field.Path, text); err != nil {
					t.Fatal(err)
				}
			}
		}
		if steps := d.Payload.Reproduction.Steps; len(steps) > 0 {
			steps[0].Unconfirmed = shape&64 != 0
		}
		comesBack(t, d)
		stored, err := d.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if back, err := DecodeDraft(stored); err != nil || !back.Payload.Equal(d.Payload) {
			t.Fatalf("stored and read: %v, %+v", err, back)
		}
		for _, p := range d.Check(DefaultLimits) {
			if p.Words == "" || p.Severity == 0 || strings.HasPrefix(p.Path, "/event") {
				t.Fatalf("problem %+v", p)
			}
		}
	})
}

func TestSeedCounts(t *testing.T) {
	if n := len(textSeeds()); n < 150 {
		t.Errorf("%d texts", n)
	}
	if n := len(fieldSeeds()); n < 60 {
		t.Errorf("%d fields", n)
	}
}
