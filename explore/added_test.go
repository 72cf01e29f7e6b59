package explore_test

import (
	"slices"
	"strings"
	"testing"

	"akx/cache/storetest"
	"akx/explore"
	"akx/view/capsule"
	"akx/view/identity"
)

// withheldRoot is a service whose records wait for a first one that it withholds.
func withheldRoot(t *testing.T) (n *net, r *remote, root capsule.Event) {
	t.Helper()
	root = storetest.Publish(t, stamp(1, 1))
	events := []capsule.Event{root}
	for nonce := range int64(5) {
		events = append(events, storetest.Assess(t, stamp(2, nonce+1), root.ID(), capsule.VerdictSupports))
	}
	r = newRemote(hub, numbered(1, 1, events...)...)
	r.hidden[root.ID()] = true
	return connect(t, r), r, root
}

// What waited in an earlier sync and is added by a later one counts as added there, with
// what it waited for (8.2).
func TestASyncCountsWhatItReleases_8_2(t *testing.T) {
	for name, show := range map[string]func(*remote, capsule.Event){
		"shown again under its old seq": func(r *remote, root capsule.Event) { delete(r.hidden, root.ID()) },
		"accepted again": func(r *remote, root capsule.Event) {
			delete(r.hidden, root.ID())
			r.records = slices.Delete(r.records, 0, 1)
			r.add(storetest.Record(root, 9))
		},
	} {
		n, r, root := withheldRoot(t)
		if s := n.mustSync(t, "hub"); s.Progress.Pending != 5 || s.Progress.Added != 0 || s.After.Exceptions != 5 {
			t.Fatalf("%s: withheld: %+v", name, s.Progress)
		}
		show(r, root)
		s := n.mustSync(t, "hub")
		if s.Progress.Added != 6 || s.Progress.Pending != 0 || s.Retried.Tried != 5 || s.Retried.Resolved != 5 || s.After.Exceptions != 0 {
			t.Errorf("%s: %+v, retried %+v, %d exceptions", name, s.Progress, s.Retried, s.After.Exceptions)
		}
	}
}

// A live query fetches what its records wait for, and is not complete while one waits.
func TestAQueryIsNotCompleteWhileItsRecordsWait_8_2(t *testing.T) {
	n, r, root := withheldRoot(t)
	var f capsule.Filter
	if _, err := f.ParseFilter("type", capsule.Assess.String()); err != nil {
		t.Fatal(err)
	}
	q, err := n.Query(t.Context(), "hub", f, 0, nil)
	if err != nil || q.Scope.Complete || q.Progress.Pending != 5 || len(q.Scope.Reasons) != 1 || !strings.Contains(q.Scope.Reasons[0], "5 of its records wait for 1 event that is not here: "+root.ID().String()) {
		t.Errorf("withheld: %+v, %+v, %v", q.Scope, q.Progress, err)
	}
	delete(r.hidden, root.ID())
	q, err = n.Query(t.Context(), "hub", f, 0, nil)
	want := explore.SyncProgress{Pages: 1, Records: 5, Added: 6, Bytes: q.Progress.Bytes, Reached: 6, Checkpoint: 6}
	if err != nil || !q.Scope.Complete || q.Progress != want {
		t.Errorf("shown: %+v, %+v, %v", q.Scope, q.Progress, err)
	}
}

// What fetching adds is counted with what waited for it.
func TestFetchPendingCountsWhatItAdds_8_2(t *testing.T) {
	n, r, root := withheldRoot(t)
	n.mustSync(t, "hub")
	f, err := n.FetchPending(t.Context(), nil)
	if err != nil || f.Added != 0 || !slices.Equal(f.Missing, []identity.ID{root.ID()}) {
		t.Errorf("withheld: %+v, %v", f, err)
	}
	delete(r.hidden, root.ID())
	if f, err = n.FetchPending(t.Context(), nil); err != nil || f.Added != 6 || f.Found != 1 {
		t.Errorf("shown: %+v, %v", f, err)
	}
}
