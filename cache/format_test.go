package cache

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	bolt "go.etcd.io/bbolt"

	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

func TestMigrations(t *testing.T) {
	good, items := goodFile(t)
	home := homeWith(t, good)
	s := cacheSchema(Reader)
	s.format = format1 + 2
	s.buckets = append(slices.Clone(s.buckets), "added")
	ran := map[uint64]int{}
	s.migrations = map[uint64]func(*bolt.Tx) error{
		format1: func(tx *bolt.Tx) error {
			ran[format1]++
			_, err := tx.CreateBucket([]byte("added"))
			return err
		},
		format1 + 1: func(tx *bolt.Tx) error {
			ran[format1+1]++
			return tx.Bucket([]byte("added")).Put([]byte("k"), []byte("v"))
		},
	}
	readOnly := newFile(filepath.Join(home, cacheName), s, Options{ReadOnly: true}.filled())
	if err := readOnly.read(t.Context(), func(*bolt.Tx) error { return nil }); codeOf(err) != fault.ReadOnly {
		t.Errorf("read-only: %v", err)
	}
	f := newFile(filepath.Join(home, cacheName), s, Options{}.filled())
	for range 2 {
		err := f.read(t.Context(), func(tx *bolt.Tx) error {
			if string(tx.Bucket([]byte("added")).Get([]byte("k"))) != "v" || tx.Bucket([]byte("id")).Stats().KeyN != len(items) {
				t.Error("the migrated file does not hold what it should")
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	f.close()
	if want := map[uint64]int{format1: 1, format1 + 1: 1}; !maps.Equal(ran, want) {
		t.Errorf("ran %v", ran)
	}
	if _, err := Open(t.Context(), home, Options{}); codeOf(err) != fault.NewerFormat {
		t.Errorf("the older akx gave %v", err)
	}
}

func TestRecordsOfAPack(t *testing.T) {
	for _, hinted := range []bool{false, true} {
		value := []byte{0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3, 'a', 'b', 'c'}
		if hinted {
			value = append(value, make([]byte, hintBytes)...)
		}
		p, ok := parsePack(number(9), value, hinted)
		if !ok || p.first != 8 || string(p.record(8)) != "a" || string(p.record(9)) != "bc" || p.record(7) != nil || p.record(10) != nil {
			t.Fatalf("%+v, %v", p, ok)
		}
	}
}

func FuzzPack(f *testing.F) {
	f.Add(appendRow(nil, few(f, 1)[0].Offer.Event(), 5), uint64(1))
	f.Fuzz(func(t *testing.T, b []byte, n uint64) {
		if p, ok := parsePack(number(n), b, false); ok {
			for i := p.first; i <= p.last; i++ {
				_ = p.record(i)
			}
		}
		if r := row(b); r.whole() {
			entry := r.entry(n)
			m := newMatcher(capsule.Filter{Tag: "go", Language: "en", Profile: identity.Digest{1}}, view.Unchecked)
			if m.row(r) && r.typ() == capsule.Publish && !slices.Contains(entry.Tags, "go") {
				t.Error("a row matches a tag that its entry does not have")
			}
		}
		parseWaiter(b)
		parseBlock(b, stateBytes)
		// What is sealed is read behind a good sum, too.
		for _, value := range [][]byte{b, seal(b)} {
			parseFollow(value)
			parseFaults(value)
			parseException(value, n)
			parseService(hub, value)
		}
		parseMeta(b)
	})
}

func TestFuzzSeedsAreThere(t *testing.T) {
	seeds, err := os.ReadDir(filepath.Join("testdata", "fuzz", "FuzzPack"))
	if err != nil || len(seeds) < 10 {
		t.Errorf("%d seeds, %v", len(seeds), err)
	}
}
