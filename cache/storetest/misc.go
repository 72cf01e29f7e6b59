package storetest

import (
	"context"
	"errors"
	"sync"

	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
	"akx/view/wire"
)

func testLookup(s *suite) {
	o := s.world(10, short(60, 300))
	absent := Publish(s, Stamp{Signer: 9, Nonce: 1})
	waiting := Assess(s, Stamp{Signer: 9, Nonce: 2}, absent.ID(), capsule.VerdictSupports)
	s.accept(items([]capsule.Event{waiting})...)
	all := newOracle(append(append([]capsule.Event{}, o.events...), waiting))
	for _, e := range all.events {
		for _, n := range []int{1, 2, 3, 6, 42, 43} {
			prefix := e.ID().String()[:n]
			known, err := s.store.Lookup(s.ctx, prefix, 1000)
			s.must(err)
			var ids []identity.ID
			for _, k := range known {
				ids = append(ids, k.ID)
				s.equal("pending", k.Pending, k.ID == waiting.ID())
				found := all.event(all.number[k.ID])
				s.equal("type", k.Type, found.Type())
				if p, ok := found.(*capsule.Publication); ok {
					s.equal("kind", k.Kind, p.Payload().Kind)
				}
				if k.Title == "" {
					s.Error("no title")
				}
			}
			s.equal("prefix "+prefix, ids, all.prefixed(prefix))
		}
	}
	known, err := s.store.Lookup(s.ctx, "", 20)
	s.must(err)
	s.equal("at most the limit", len(known), 20)
	for _, prefix := range []string{"*", "日本", o.events[0].ID().String() + "A"} {
		known, err = s.store.Lookup(s.ctx, prefix, 20)
		s.must(err)
		s.equal("found for "+prefix, len(known), 0)
	}
}

// said leaves out sources that said nothing: a store may list them or not.
func said(claims []wire.Claim) []wire.Claim {
	var out []wire.Claim
	for _, c := range claims {
		if c.Seq != 0 || c.AcceptedAt != 0 {
			out = append(out, c)
		}
	}
	return out
}

func testClaims(s *suite) {
	root := Publish(s, Stamp{Signer: 1, Nonce: 1})
	child := Publish(s, Stamp{Signer: 1, Nonce: 2}, Relate(capsule.Extends, root.ID()))
	hub := wire.Source{Kind: wire.FromService, Name: "https://hub.example"}
	accept := func(source wire.Source, e capsule.Event, seq uint64, at int64) {
		s.Helper()
		_, err := s.store.Accept(s.ctx, source, []wire.Item{{Offer: capsule.OfferOf(e), Seq: seq, AcceptedAt: at}})
		s.must(err)
	}
	claims := func(e capsule.Event) []wire.Claim {
		s.Helper()
		list, err := s.store.Claims(s.ctx, e.ID())
		s.must(err)
		return said(list)
	}
	accept(fileSource, root, 4, 400)
	accept(hub, root, 9, 900)
	accept(fileSource, root, 0, 0)
	s.equal("claims by source", claims(root), []wire.Claim{
		{Source: fileSource, Seq: 4, AcceptedAt: 400}, {Source: hub, Seq: 9, AcceptedAt: 900},
	})
	accept(hub, root, 12, 1200)
	s.equal("the last claim of a source", claims(root)[1], wire.Claim{Source: hub, Seq: 12, AcceptedAt: 1200})
	s.equal("claims of an unknown event", len(claims(child)), 0)

	late := Publish(s, Stamp{Signer: 2, Nonce: 1}, Relate(capsule.Extends, child.ID()))
	accept(hub, late, 13, 1300)
	accept(hub, child, 14, 1400)
	s.equal("claims of a released event", claims(late), []wire.Claim{{Source: hub, Seq: 13, AcceptedAt: 1300}})
}

func testStats(s *suite) {
	o := s.world(11, 100)
	stats, err := s.store.Stats(s.ctx)
	s.must(err)
	var want view.Stats
	for _, e := range o.events {
		want.Events++
		want.TextBytes += int64(len(e.Envelope().Text()))
		switch e.Type() {
		case capsule.Publish:
			want.Publications++
		case capsule.Assess:
			want.Assessments++
		case capsule.Retract:
			want.Retractions++
		}
	}
	want.LastNumber = want.Events
	want.FileBytes = stats.FileBytes
	s.equal("counts", stats, want)
}

func testContext(s *suite) {
	o := s.world(12, 20)
	id := o.events[0].ID()
	ended, cancel := context.WithCancel(s.ctx)
	cancel()
	calls := map[string]func() error{
		"Read": func() error { return s.store.Read(ended, func(view.Snapshot) error { return nil }) },
		"Accept": func() error {
			_, err := s.store.Accept(ended, fileSource, items([]capsule.Event{Publish(s, Stamp{Signer: 9, Nonce: 1})}))
			return err
		},
		"Lookup":      func() error { _, err := s.store.Lookup(ended, id.String()[:8], 5); return err },
		"Claims":      func() error { _, err := s.store.Claims(ended, id); return err },
		"Pending":     func() error { _, err := s.store.Pending(ended, identity.ID{}, 5); return err },
		"DropPending": func() error { _, err := s.store.DropPending(ended, nil); return err },
		"Stats":       func() error { _, err := s.store.Stats(ended); return err },
		"LargestNonce": func() error {
			_, err := s.store.LargestNonce(ended, o.events[0].Actor())
			return err
		},
		"Submit": func() error {
			_, _, err := s.store.Submit(ended, capsule.OfferOf(o.events[0]), s.terms())
			return err
		},
		"Record":     func() error { _, err := s.store.Record(ended, id); return err },
		"Records":    func() error { _, _, err := s.store.Records(ended, wire.Range{Through: 20, Limit: 5}); return err },
		"Checkpoint": func() error { _, err := s.store.Checkpoint(ended); return err },
		"Withhold":   func() error { return s.store.Withhold(ended, id, true) },
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, context.Canceled) {
			s.Errorf("%s: %v", name, err)
		}
	}
	s.read(func(snap view.Snapshot) {
		yield := func([]uint64) bool { return true }
		if err := snap.Scan(ended, view.Query{}, yield); !errors.Is(err, context.Canceled) {
			s.Errorf("Scan: %v", err)
		}
		if _, err := view.LoadFacets(ended, snap, view.Query{}); !errors.Is(err, context.Canceled) {
			s.Errorf("Facets: %v", err)
		}
	})
	record, err := s.store.Record(s.ctx, id)
	s.must(err)
	s.equal("seq", record.Seq, uint64(1))
}

// testConcurrent reads while batches of ten arrive: every snapshot holds a whole
// number of batches, and its parts agree.
func testConcurrent(s *suite) {
	events := World(s, 13, 200)
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for {
				err := s.store.Read(s.ctx, func(snap view.Snapshot) error {
					rows := 0
					err := snap.Scan(s.ctx, view.Query{}, func(n []uint64) bool { rows += len(n); return true })
					if err != nil {
						return err
					}
					facets, err := view.LoadFacets(s.ctx, snap, view.Query{})
					if rows%10 != 0 || facets.Total != rows || snap.Scope().Checkpoint != uint64(rows) {
						s.Errorf("a snapshot of %d rows, %d counted, checkpoint %d", rows, facets.Total, snap.Scope().Checkpoint)
					}
					return err
				})
				if err != nil {
					s.Error(err)
					return
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for i := 0; i < len(events); i += 10 {
		s.accept(items(events[i : i+10])...)
	}
	close(done)
	readers.Wait()
}
