package explore_test

import (
	"slices"
	"testing"

	"akx/cache/storetest"
	"akx/view/capsule"
	"akx/view/desk"
)

// publications makes n events of one actor.
func publications(t *testing.T, signer byte, n int) []capsule.Event {
	t.Helper()
	events := make([]capsule.Event, n)
	for i := range events {
		events[i] = storetest.Publish(t, stamp(signer, int64(i+1)))
	}
	return events
}

// A service that was restored from a copy and took other events since, beyond what
// was reached here, contradicts itself: it is noticed at the next sync, by one small
// question, and its scope is complete no more (8.3).
func TestARegrownServiceIsNoticed_8_3(t *testing.T) {
	old := publications(t, 1, 20)
	r := newRemote(hub, numbered(1, 1, old...)...)
	n := connect(t, r)
	if s := n.mustSync(t, "hub"); len(s.After.Faults) != 0 || r.called("query") != 0 {
		t.Fatalf("a first sync: %+v, %d questions", s.After, r.called("query"))
	}
	if s := n.mustSync(t, "hub"); len(s.After.Faults) != 0 || r.called("query") != 1 || s.Progress.Records != 0 {
		t.Fatalf("nothing new: %+v, %d questions", s.After, r.called("query"))
	}
	r.records = r.records[:14]
	r.add(numbered(15, 1, publications(t, 2, 12)...)...)
	s := n.mustSync(t, "hub")
	if len(s.After.Faults) == 0 || r.called("query") != 2 || s.After.Checkpoint != 26 {
		t.Fatalf("regrown: %+v, %d questions", s.After, r.called("query"))
	}
	var shared []uint64
	for _, f := range s.After.Faults {
		if f.Kind == desk.SeqShared {
			shared = append(shared, f.Now)
		}
	}
	if !slices.Equal(shared, []uint64{16, 17, 18, 19, 20}) {
		t.Errorf("shared %v", shared)
	}
	for _, e := range old {
		if found, err := n.Page(t.Context(), e.ID()); err != nil || found.Event == nil {
			t.Errorf("%v is gone: %v", e.ID(), err)
		}
	}
}

// What is legal is no contradiction: withheld and pruned records, records accepted
// again, and a restored service that keeps its high-water mark.
func TestAProbeBlamesNobodyForWhatIsLegal_8_3(t *testing.T) {
	events := publications(t, 1, 10)
	change := map[string]func(r *remote){
		"withheld": func(r *remote) { r.hidden[events[9].ID()], r.hidden[events[8].ID()] = true, true },
		"all of the last are pruned": func(r *remote) {
			r.records = r.records[:5]
			r.checkpoint = 10
		},
		"accepted again": func(r *remote) {
			r.records = append(slices.Delete(r.records, 9, 10), storetest.Record(events[9], 40))
			r.checkpoint = 40
		},
		"restored behind its numbers": func(r *remote) {
			r.records = r.records[:4]
			r.add(numbered(100, 1, publications(t, 2, 8)...)...)
		},
		"a bad copy": func(r *remote) { r.records[7] = unproven(8) },
	}
	for name, f := range change {
		r := newRemote(hub, numbered(1, 1, events...)...)
		n := connect(t, r)
		n.mustSync(t, "hub")
		f(r)
		if s := n.mustSync(t, "hub"); len(s.After.Faults) != 0 || !s.After.Complete || s.Err != nil {
			t.Errorf("%s: %+v, %v", name, s.After, s.Err)
		}
	}
}

// Records that were never proven are no ground for a comparison.
func TestAProbeNeedsAProvenRecord(t *testing.T) {
	r := newRemote(hub, unproven(3), unproven(4))
	n := connect(t, r)
	n.mustSync(t, "hub")
	before := r.called("query")
	n.mustSync(t, "hub")
	if asked := r.called("query") - before; asked != 1 { // the retry of the two by their place
		t.Errorf("%d questions", asked)
	}
}
