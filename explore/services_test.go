package explore_test

import (
	"context"
	"slices"
	"testing"

	"akx/cache/storetest"
	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

func TestServicesAreTheUsers(t *testing.T) {
	n := connect(t)
	n.remotes[hub] = newRemote(hub)
	ctx := t.Context()
	for _, test := range []struct {
		origin identity.Origin
		name   string
		want   string
		code   fault.Code
	}{
		{"https://hub.example.org", "", "hub.example.org", ""},
		{"https://hub.example.org", "again", "", fault.UsageCode},
		{"https://other.example.org", "hub.example.org", "", fault.UsageCode},
		{"https://lab.example.org:8443", "", "lab.example.org-8443", ""},
		{"https://[2001:db8::1]", "", "2001-db8--1", ""},
		{"https://a-very-long-name-of-a-host.research.example.org", "", "a-very-long-name-of-a-host.resea", ""},
		{"https://named.example.org", "n_1", "n_1", ""},
		{"https://named2.example.org", "N", "", fault.UsageCode},
		{"http://plain.example.org", "", "", fault.UsageCode},
		{"https://hub.example.org/", "", "", fault.UsageCode},
		{"https://HUB.example.org", "", "", fault.UsageCode},
	} {
		s, err := n.AddService(ctx, desk.Service{Origin: test.origin, Name: test.name})
		if code(err) != test.code || s.Name != test.want || err == nil && (!s.Enabled || s.Added != n.now) {
			t.Errorf("%s: %+v, %v", test.origin, s, err)
		}
	}
	if n.remotes[hub].questions() != 0 {
		t.Error("adding a service asked it")
	}
	states, err := n.ListServices(ctx)
	if err != nil || len(states) != 5 || states[0].Service.Name != "2001-db8--1" || states[0].Discovery != nil {
		t.Errorf("%+v, %v", states, err)
	}
	if s, err := n.Service(ctx, "https://named.example.org"); err != nil || s.Name != "n_1" {
		t.Errorf("by origin: %+v, %v", s, err)
	}
	s, err := n.ChangeService(ctx, "n_1", func(s *desk.Service) { s.Ask, s.Origin = desk.AskOnOpen, hub })
	if err != nil || s.Origin != "https://named.example.org" || s.Ask != desk.AskOnOpen {
		t.Errorf("changed: %+v, %v", s, err)
	}
	if _, err := n.RemoveService(ctx, "n_1"); err != nil {
		t.Error(err)
	}
	if _, err := n.Service(ctx, "n_1"); code(err) != fault.UsageCode {
		t.Errorf("removed: %v", err)
	}
}

func TestASessionWithoutANetwork(t *testing.T) {
	s := explore.New(newStore(), explore.Options{})
	defer s.Close()
	states, err := s.ListServices(t.Context())
	if err != nil || len(states) != 0 {
		t.Errorf("%+v, %v", states, err)
	}
	if out, err := s.Check(t.Context(), identity.ID{1}); err != nil || len(out) != 0 {
		t.Errorf("%+v, %v", out, err)
	}
	if _, err := s.AddService(t.Context(), desk.Service{Origin: hub}); code(err) != fault.UsageCode {
		t.Errorf("%v", err)
	}
	if _, err := s.Sync(t.Context(), "hub", nil); code(err) != fault.UsageCode {
		t.Errorf("%v", err)
	}
}

func TestCheckServiceReadsDiscoveryAlone_9_2(t *testing.T) {
	r := newRemote(hub, records(t, 5)...)
	n := connect(t, r)
	state, err := n.CheckService(t.Context(), "hub")
	if err != nil || state.Discovery == nil || len(state.Discovery.Peers) != 1 || state.Busy {
		t.Fatalf("%+v, %v", state, err)
	}
	if r.questions() != 1 || len(n.remotes) != 1 {
		t.Errorf("asked %v", r.calls)
	}
	// The document is not read again for other questions, but when it is checked.
	n.mustSync(t, "hub")
	if r.called("discover") != 1 {
		t.Error("a sync read it again")
	}
	r.before = func(context.Context, string, int) error { return &fault.Unavailable{Code: fault.UnavailableCode} }
	if _, err := n.CheckService(t.Context(), "hub"); code(err) != fault.UnavailableCode {
		t.Errorf("%v", err)
	}
	delete(n.remotes, hub)
	if _, err := n.ChangeService(t.Context(), "hub", func(s *desk.Service) { s.AllowPrivate = true }); err != nil {
		t.Fatal(err)
	}
	if _, err := n.CheckService(t.Context(), "hub"); code(err) != fault.UnavailableCode {
		t.Errorf("a changed service is reached anew: %v", err)
	}
}

func TestAPageSaysWhatEachServiceShows_9_6(t *testing.T) {
	x := newThread(t)
	h := newRemote(hub, numbered(1, 1, x.base, x.next, x.report, x.gone)...)
	l := newRemote(lab, numbered(40, 10, x.base, x.report)...)
	n := connect(t, h, l)
	n.mustSync(t, "hub")
	page, err := n.Page(t.Context(), x.base.ID())
	if err != nil || len(page.Shown.At) != 1 || page.Shown.Differences != nil {
		t.Fatalf("one service differs from none: %+v, %v", page.Shown, err)
	}
	n.mustSync(t, "lab")
	page, err = n.Page(t.Context(), x.base.ID())
	if err != nil || len(page.Shown.At) != 2 || len(page.Claims) != 2 {
		t.Fatalf("%+v, %v", page.Shown, err)
	}
	if page.Shown.At[0].Facts.Lifecycle != view.Retracted || page.Shown.At[1].Facts.Lifecycle != view.Active {
		t.Errorf("%+v", page.Shown.At)
	}
	d := page.Shown.Differences
	if len(d) != 2 || d[0].Event != x.gone.ID() || d[0].Type != capsule.Retract || d[1].Event != x.next.ID() || d[1].Relation != capsule.Supersedes {
		t.Fatalf("differences %+v", d)
	}
	if !slices.Equal(d[0].Shown, []identity.Origin{hub}) || len(d[0].Not) != 1 || d[0].Not[0].Origin != string(lab) ||
		d[0].Not[0].Checkpoint != 50 || d[0].Not[0].AsOf != l.asOf {
		t.Errorf("%+v", d[0])
	}
	// With an exception the lab's set is not complete: what it lacks may be that.
	l.add(unproven(60))
	n.mustSync(t, "lab")
	if page, err = n.Page(t.Context(), x.base.ID()); err != nil || page.Shown.Differences != nil {
		t.Errorf("%+v, %v", page.Shown.Differences, err)
	}
}

func TestALiveQueryIsComplete_9_3(t *testing.T) {
	items := records(t, 30)
	r := newRemote(hub, items...)
	n := connect(t, r)
	var seqs []uint64
	q, err := n.Query(t.Context(), "hub", capsule.Filter{}, 0, func(a explore.Answer) error {
		for i, item := range a.Items {
			seqs = append(seqs, item.Seq)
			if a.Outcomes[i].Status == 0 || a.Checkpoint != items[32].Seq {
				t.Errorf("answer %+v", a.Stamp)
			}
		}
		return nil
	})
	if err != nil || q.Err != nil || len(seqs) != 33 || q.Progress.Added != 30 || q.Progress.Refused != 3 || len(q.Refusals) != 3 {
		t.Fatalf("%+v, %v", q, err)
	}
	if q.Scope.Complete || len(q.Scope.Reasons) != 1 || q.Scope.Checkpoint != items[32].Seq || q.Scope.AsOf != r.asOf {
		t.Errorf("scope %+v", q.Scope)
	}
	if follow, _ := n.store.Follow(t.Context(), hub); follow.Complete || follow.Reached != 0 || follow.Exceptions != 0 {
		t.Errorf("a query followed the service: %+v", follow)
	}
	q, err = n.Query(t.Context(), "hub", capsule.Filter{Type: capsule.Retract, Actor: storetest.Key(77).Actor()}, 0, nil)
	if err != nil || q.Err != nil || q.Scope.Complete || q.Progress.Records != 2 || q.Progress.Refused != 2 {
		t.Errorf("records that cannot be proven may match: %+v, %v", q, err)
	}
	bound := capsule.Filter{}
	bound.CreatedFrom.Set, bound.CreatedBefore.Set = true, true
	asked := r.questions()
	if _, err := n.Query(t.Context(), "hub", bound, 0, nil); err == nil || r.questions() != asked {
		t.Errorf("an impossible filter was asked: %v", err)
	}
	r.before = func(_ context.Context, call string, k int) error {
		if call == "query" && k%2 == 0 {
			return &fault.Unavailable{Code: fault.UnavailableCode}
		}
		return nil
	}
	if q, err = n.Query(t.Context(), "hub", capsule.Filter{}, 0, nil); err != nil || code(q.Err) != fault.UnavailableCode || q.Scope.Complete {
		t.Errorf("cut: %+v, %v", q, err)
	}
	r.before = nil
	stop := &fault.Unavailable{Code: fault.Locked}
	if _, err = n.Query(t.Context(), "hub", capsule.Filter{}, 0, func(explore.Answer) error { return stop }); code(err) != fault.Locked {
		t.Errorf("take's error: %v", err)
	}
}

func TestALiveAnswerShowsFaults_8_3(t *testing.T) {
	events := storetest.World(t, 5, 10)
	r := newRemote(hub, numbered(10, 10, events...)...)
	n := connect(t, r)
	n.mustSync(t, "hub")
	r.records[9] = storetest.Record(events[9], 95)
	r.records = r.records[:10]
	r.checkpoint = 95
	if _, err := n.Query(t.Context(), "hub", capsule.Filter{}, 0, nil); err != nil {
		t.Fatal(err)
	}
	follow, err := n.store.Follow(t.Context(), hub)
	want := []desk.ServiceFault{
		{Kind: desk.SeqBack, At: n.now, ID: events[9].ID(), Before: 100, Now: 95},
		{Kind: desk.CheckpointBack, At: n.now, Before: 100, Now: 95},
	}
	if err != nil || len(follow.Faults) != 2 || !slices.Contains(follow.Faults, want[0]) || !slices.Contains(follow.Faults, want[1]) {
		t.Errorf("%+v, %v", follow.Faults, err)
	}
	if !follow.Complete || follow.Checkpoint != 100 {
		t.Errorf("state %+v", follow)
	}
}

// An error of a service names it as the user does, whatever was asked (9.7).
func TestAnErrorOfAServiceNamesIt_9_7(t *testing.T) {
	r := newRemote(hub, numbered(1, 1, publications(t, 1, 3)...)...)
	n := connect(t, r)
	id := r.records[0].Offer.Envelope().ID()
	r.before = func(_ context.Context, call string, _ int) error {
		if call == "discover" {
			return nil
		}
		return &fault.Refusal{Step: fault.StepShape, Code: fault.InvalidResponse, Detail: "is no answer", Service: string(hub)}
	}
	asked, err := n.Query(t.Context(), "hub", capsule.Filter{}, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, searched := n.Search(t.Context(), "hub", "a", wire.Lexical, capsule.Filter{}, 0)
	_, shown := n.Show(t.Context(), "hub", id)
	for what, err := range map[string]error{"query": asked.Err, "search": searched, "show": shown, "sync": n.sync(t, "hub").Err} {
		if fault.ServiceOf(err) != "hub" {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestSearchAndShowStoreWhatTheyGet(t *testing.T) {
	x := newThread(t)
	r := newRemote(hub, append(numbered(1, 1, x.base, x.report), unproven(7))...)
	n := connect(t, r)
	f, err := n.Search(t.Context(), "hub", "thing", wire.Lexical, capsule.Filter{}, 10)
	if err != nil || len(f.Page.Hits) != 3 || f.Outcomes[0].Status != wire.Added || f.Outcomes[2].Status != wire.Refused {
		t.Fatalf("%+v, %v", f, err)
	}
	if _, err := n.Event(t.Context(), x.report.ID()); err != nil {
		t.Error(err)
	}
	r.add(storetest.Record(x.gone, 9))
	s, err := n.Show(t.Context(), "hub", x.gone.ID())
	if err != nil || s.Outcome.Status != wire.Added || s.Item.Seq != 9 {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := n.Show(t.Context(), "hub", x.other.ID()); code(err) != fault.NotHeldCode {
		t.Errorf("%v", err)
	}
	if follow, _ := n.store.Follow(t.Context(), hub); follow.Reached != 0 || follow.Complete || follow.Exceptions != 0 {
		t.Errorf("%+v", follow)
	}
}

func TestListsOfWhatAServiceGave_9_6(t *testing.T) {
	x := newThread(t)
	l := newRemote(lab, numbered(10, 10, x.base, x.next, x.report)...)
	n := connect(t, l)
	ctx := t.Context()
	if _, err := n.SeenBy(lab).List(ctx, view.Query{}, 0, 10); code(err) != fault.NotFollowed {
		t.Errorf("of a service that is not followed: %v", err)
	}
	put(t, n.store, x.base, x.other)
	n.mustSync(t, "lab")
	put(t, n.store, x.gone, x.unsaid)
	await := func(q view.Query) explore.Window {
		t.Helper()
		w, err := n.SeenBy(lab).Await(ctx, q, 0, 10)
		if err != nil || !w.Complete {
			t.Fatal(err)
		}
		return w
	}
	w := await(view.Query{})
	if w.Total != 3 || w.Scope.Origin != string(lab) || w.Scope.Checkpoint != 30 || !w.Scope.Complete {
		t.Fatalf("%+v", w)
	}
	for _, row := range w.Rows {
		// The retractions came from a file: the lab's set has none of them.
		if row.Lifecycle != view.Active || row.Successors != 0 != (row.ID == x.base.ID()) {
			t.Errorf("row %v: %v, %d successors", row.Title, row.Lifecycle, row.Successors)
		}
	}
	if w, err := n.Await(ctx, view.Query{}, 0, 10); err != nil || w.Total != 6 || w.Scope.Origin != view.ThisCache {
		t.Errorf("of all: %+v, %v", w, err)
	}
	if w := await(view.Query{Lifecycle: view.Active}); w.Total != 3 {
		t.Errorf("active there: %d", w.Total)
	}
	// Nothing new arrives here, and the list grows all the same.
	l.add(numbered(40, 10, x.other, x.gone)...)
	n.mustSync(t, "lab")
	if w := await(view.Query{}); w.Total != 5 || w.Scope.Checkpoint != 50 {
		t.Errorf("after a sync: %+v", w)
	}
	if w := await(view.Query{Lifecycle: view.Retracted}); w.Total != 1 || w.Rows[0].ID != x.base.ID() || w.Rows[0].Lifecycle != view.Retracted {
		t.Errorf("retracted there: %+v", w)
	}
	if w, err := n.SeenBy(lab).List(ctx, view.Query{Filter: capsule.Filter{Type: capsule.Assess}}, 0, 10); err != nil || w.Total != 1 {
		t.Errorf("with a filter: %+v, %v", w, err)
	}
}

// One set answers lists, places, counts, links, versions, assessments and pages alike,
// and asks nobody; a session by itself is the set of everything.
func TestOneSetAnswersAll_9_6(t *testing.T) {
	x := newThread(t)
	l := newRemote(lab, numbered(10, 10, x.base, x.next, x.report)...)
	n := connect(t, l)
	ctx := t.Context()
	put(t, n.store, x.base, x.other)
	n.mustSync(t, "lab")
	put(t, n.store, x.gone, x.unsaid)
	asked := l.questions()
	set := n.SeenBy(lab)
	followed, err := set.Followed(ctx)
	if err != nil || followed.Origin != lab || followed.Checkpoint != 30 || set.Service() != lab {
		t.Fatalf("%+v, %v", followed, err)
	}
	if f, err := set.Facets(ctx, view.Query{}); err != nil || f.Total != 3 {
		t.Errorf("facets: %+v, %v", f, err)
	}
	if f, err := n.Facets(ctx, view.Query{}); err != nil || f.Total != 6 {
		t.Errorf("facets of everything: %+v, %v", f, err)
	}
	if row, ok, err := set.Position(ctx, view.Query{Sort: view.Created}, x.report.ID()); err != nil || !ok || row > 2 {
		t.Errorf("position %d, %v, %v", row, ok, err)
	}
	if _, ok, err := set.Position(ctx, view.Query{}, x.other.ID()); ok || err != nil {
		t.Errorf("position of what lab did not show: %v, %v", ok, err)
	}
	links, err := set.Links(ctx, x.base.ID())
	if err != nil || links.Facts.Lifecycle != view.Active || links.Subject.Lifecycle != view.Active || links.Facts.Retractions != nil || links.Facts.Scope.Origin != string(lab) {
		t.Errorf("links: %+v, %v", links.Facts, err)
	}
	if all, err := n.Links(ctx, x.base.ID()); err != nil || all.Facts.Lifecycle != view.Retracted {
		t.Errorf("links of everything: %+v, %v", all.Facts, err)
	}
	review, err := set.Review(ctx, x.base.ID())
	if err != nil || len(review.Reports) != 1 || review.Reports[0].Entry.Lifecycle != view.Active || len(review.Facts.ActiveAssessments) != 1 {
		t.Errorf("review: %+v, %v", review, err)
	}
	tree, err := set.Versions(ctx, x.base.ID())
	if err != nil || len(tree.Nodes) != 2 || tree.Nodes[1].Entry.Lifecycle != view.Active || tree.Scope.Checkpoint != 30 {
		t.Errorf("versions: %+v, %v", tree, err)
	}
	page, err := set.Page(ctx, x.base.ID())
	if err != nil || page.Facts.Lifecycle != view.Active || len(page.Shown.At) != 1 {
		t.Errorf("page: %+v, %v", page.Facts, err)
	}
	if _, err := set.Event(ctx, x.other.ID()); code(err) != fault.NotHeldCode {
		t.Errorf("an event that lab did not show: %v", err)
	}
	if l.questions() != asked {
		t.Errorf("%d questions", l.questions()-asked)
	}
	if _, err := n.RemoveService(ctx, "lab"); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"links": second(set.Links(ctx, x.base.ID())), "facets": second(set.Facets(ctx, view.Query{})),
		"list": second(set.List(ctx, view.Query{}, 0, 5)), "page": second(set.Page(ctx, x.base.ID())), "followed": second(set.Followed(ctx)),
	} {
		if code(err) != fault.NotFollowed {
			t.Errorf("%s of a service that was removed: %v", what, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }
