// Package sample is the built-in library of akx: a research thread of some hundred
// signed events that a newcomer opens before there is anything else to open, and two
// invented services that have it. One of them lags behind and lacks a retraction, so
// that the same capsule has another state in each scope.
//
// The thread is invented, and all of it is signed with published test seeds (32
// equal bytes: 0x21, 0x22 and 0x31 to 0x36). The signatures are valid and prove
// nothing about anybody. cmd/gen/sample writes the embedded file.
package sample

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"

	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/memory"
	"akx/view/wire"
)

//go:embed sample.jsonl
var lines string

// Now is the clock of the library in ms, 2026-11-30 00:00 UTC: it never moves, so
// that the sample looks the same on every machine and day.
const Now = 1_795_996_800_000

// Text gives the library as JSON Lines of envelopes, in the order of arrival.
func Text() []byte { return []byte(lines) }

// Sample is the library and what its two services hold.
type Sample struct {
	// Library is a store in memory whose scope is view.SampleSet. The services are
	// among its services, followed as far as they came.
	Library *memory.Store

	items []wire.Item
}

// Open proves the embedded events and opens them. Every call gives a sample of its
// own. The error is a *fault.Damaged: this program was built with a file that is not
// the sample.
func Open() (*Sample, error) { return load(Text()) }

// Library is the library of Open alone.
func Library() (*memory.Store, error) {
	s, err := Open()
	if err != nil {
		return nil, err
	}
	return s.Library, nil
}

func load(text []byte) (*Sample, error) {
	items, err := open(text)
	if err != nil {
		return nil, err
	}
	s := &Sample{Library: memory.New(view.SampleSet, func() int64 { return Now }), items: items}
	source := wire.Source{Kind: wire.FromSample, Name: view.SampleSet}
	outcomes, err := s.Library.Accept(context.Background(), source, items)
	if err != nil {
		return nil, err
	}
	for i, o := range outcomes {
		if o.Status == wire.Added {
			continue
		}
		var refused error
		if o.Refusal != nil {
			refused = o.Refusal
		}
		return nil, damaged(items[i].Where, refused)
	}
	for _, m := range mirrors {
		if err := s.follow(m); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func open(text []byte) ([]wire.Item, error) {
	var items []wire.Item
	for line := range bytes.Lines(text) {
		where := fmt.Sprintf("line %d", len(items)+1)
		offer, err := capsule.Open(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil {
			return nil, damaged(where, err)
		}
		items = append(items, wire.Item{Offer: offer, Where: where})
	}
	return items, nil
}

func damaged(where string, err error) error {
	return &fault.Damaged{
		What:   "the built-in sample",
		Detail: where,
		Hint:   "build akx again from an untouched source",
		Err:    err,
	}
}
