package sample

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"akx/view"
	"akx/view/fault"
)

func TestLibraryHoldsEveryLine(t *testing.T) {
	store, err := Library()
	if err != nil {
		t.Fatal(err)
	}
	stats, err := store.Stats(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if want := uint64(bytes.Count(Text(), []byte("\n"))); stats.Events != want || stats.Pending != 0 {
		t.Errorf("holds %d events and %d pending of %d lines", stats.Events, stats.Pending, want)
	}
	err = store.Read(context.Background(), func(s view.Snapshot) error {
		scope := s.Scope()
		if scope.Origin != view.SampleSet || !scope.Complete || scope.AsOf != Now {
			t.Errorf("scope %+v", scope)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Callers may keep and change what they are given.
func TestEachCallGivesItsOwn(t *testing.T) {
	a := Text()
	clear(a)
	if bytes.Equal(a, Text()) {
		t.Error("Text shares its bytes")
	}
	one, err := Library()
	if err != nil {
		t.Fatal(err)
	}
	two, err := Library()
	if err != nil {
		t.Fatal(err)
	}
	if one == two {
		t.Error("Library shares its store")
	}
}

func TestAnotherFileIsDamaged(t *testing.T) {
	text := Text()
	first := bytes.IndexByte(text, '\n') + 1
	flipped := bytes.Replace(text, []byte("wrong language"), []byte("wrong Language"), 1)
	for name, bad := range map[string][]byte{
		"torn":         text[:len(text)-100],
		"not JSON":     append([]byte("sample\n"), text...),
		"other text":   flipped,
		"no first":     text[first:],
		"a line twice": append(bytes.Clone(text[:first]), text...),
	} {
		store, err := load(bad)
		var damage *fault.Damaged
		if !errors.As(err, &damage) || store != nil {
			t.Errorf("%s: store %v, error %v", name, store != nil, err)
		}
	}
}

func BenchmarkLibrary(b *testing.B) {
	for b.Loop() {
		if _, err := Library(); err != nil {
			b.Fatal(err)
		}
	}
}
