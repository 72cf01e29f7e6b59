package storetest

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/wire"
)

// Store is what the suite tests: a library to read and import into, and the
// record store of a service.
type Store interface {
	explore.Library
	wire.RecordStore
}

// Open makes an empty store with a clock in ms. scope is the origin of its scope.
// It is closed, where that means something, by a cleanup of t.
type Open func(t *testing.T, clock func() int64, scope string) Store

// Run puts stores through the whole suite.
func Run(t *testing.T, open func(t *testing.T, clock func() int64, scope string) Store) {
	tests := []struct {
		name string
		run  func(*suite)
	}{
		{"lists match the oracle for random filters, terms and sorts (9.3, 9.5.1)", testLists},
		{"a scan stops when it is told to", testScanStops},
		{"incoming facts match the oracle", testIncoming},
		{"views give the facts of 7.2", testFacts},
		{"arrival order changes no fact (7.2)", testArrivalOrder},
		{"pending events have no effect and are released by cascade (8.2)", testPending},
		{"a released event that breaks a rule is dropped and told (8.2)", testDropped},
		{"pending events are listed in pages and dropped", testPendingList},
		{"a resubmission changes nothing (8.1 step 2)", testResubmission},
		{"a refused item stops no other (8.1)", testRefusals},
		{"a submission that does not resolve changes nothing (8.1)", testSubmit},
		{"a withheld event resolves dependencies and is not served (7.1, 8.2)", testWithhold},
		{"records are enumerated by seq (9.3.1)", testRecords},
		{"events are found by a prefix of their ID", testLookup},
		{"claims are kept by source (8.3)", testClaims},
		{"the largest nonce of an actor counts what waits and is withheld (Identity 6.2)", testLargestNonce},
		{"counts", testStats},
		{"an ended context ends every call", testContext},
		{"what is not held is said to be so", testNotHeld},
		{"readers see whole batches beside a writer", testConcurrent},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := &suite{T: t, ctx: t.Context(), now: Now}
			s.store = open(t, func() int64 { return s.now }, view.ThisCache)
			s.open = open
			test.run(s)
		})
	}
}

// suite is one test with its own empty store.
type suite struct {
	*testing.T
	ctx   context.Context
	store Store
	open  Open
	now   int64
}

var fileSource = wire.Source{Kind: wire.FromFile, Name: "events.jsonl"}

// items offers events without claims.
func items(events []capsule.Event) []wire.Item {
	out := make([]wire.Item, len(events))
	for i, e := range events {
		out[i] = wire.Item{Offer: capsule.OfferOf(e)}
	}
	return out
}

func (s *suite) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// accept puts items in and checks that each has its outcome.
func (s *suite) accept(items ...wire.Item) []wire.Outcome {
	s.Helper()
	outcomes, err := s.store.Accept(s.ctx, fileSource, items)
	s.must(err)
	if len(outcomes) != len(items) {
		s.Fatalf("%d outcomes for %d items", len(outcomes), len(items))
	}
	return outcomes
}

// fill puts events in and expects every one to be added.
func (s *suite) fill(events []capsule.Event) {
	s.Helper()
	for i, o := range s.accept(items(events)...) {
		if o.Status != wire.Added || o.Number != uint64(i+1) || o.ID != events[i].ID() {
			s.Fatalf("event %d: status %d, number %d, refusal %v", i, o.Status, o.Number, o.Refusal)
		}
	}
}

// world fills the store with random events and gives the oracle of them.
func (s *suite) world(seed uint64, n int) *oracle {
	s.Helper()
	events := World(s, seed, n)
	s.fill(events)
	return newOracle(events)
}

func (s *suite) read(f func(view.Snapshot)) {
	s.Helper()
	s.must(s.store.Read(s.ctx, func(snap view.Snapshot) error {
		f(snap)
		return nil
	}))
}

func (s *suite) scan(snap view.Snapshot, q view.Query) []uint64 {
	s.Helper()
	var rows []uint64
	s.must(snap.Scan(s.ctx, q, func(numbers []uint64) bool {
		rows = append(rows, numbers...)
		return true
	}))
	return rows
}

func (s *suite) gather(snap view.Snapshot, e capsule.Event) []view.Incoming {
	s.Helper()
	var facts []view.Incoming
	s.must(snap.Incoming(s.ctx, e.ID(), func(batch []view.Incoming) bool {
		facts = append(facts, batch...)
		return true
	}))
	return facts
}

// equal compares values; an empty slice equals a nil one.
func (s *suite) equal(what string, got, want any) {
	s.Helper()
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	if g.Kind() == reflect.Slice && w.Kind() == reflect.Slice && g.Len() == 0 && w.Len() == 0 {
		return
	}
	if !reflect.DeepEqual(got, want) {
		s.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

func (s *suite) rand() *rand.Rand { return rand.New(rand.NewPCG(7, 7)) }

// short is how much a test does: less with go test -short, as under the race detector.
func short(little, much int) int {
	if testing.Short() {
		return little
	}
	return much
}

// code gives the code of an error of akx; empty for nil and for others.
func code(err error) fault.Code {
	var coded fault.Coded
	if errors.As(err, &coded) {
		return coded.FaultCode()
	}
	return ""
}
