package storetest

import (
	"errors"

	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

func testResubmission(s *suite) {
	o := s.world(7, 60)
	before, err := s.store.Stats(s.ctx)
	s.must(err)
	s.now += 1000
	for i, out := range s.accept(items(o.events)...) {
		if out.Status != wire.Held || out.Number != uint64(i+1) || out.ID != o.events[i].ID() {
			s.Fatalf("event %d: %+v", i, out)
		}
	}
	record, held, err := s.store.Submit(s.ctx, capsule.OfferOf(o.events[9]), s.terms())
	s.must(err)
	if !held || record.Seq != 10 || record.AcceptedAt != s.now-1000 || record.Event.ID() != o.events[9].ID() {
		s.Errorf("resubmission: held %v, seq %d, accepted at %d", held, record.Seq, record.AcceptedAt)
	}
	after, err := s.store.Stats(s.ctx)
	s.must(err)
	before.FileBytes, after.FileBytes = 0, 0
	s.equal("counts", after, before)
	// An old event is a resubmission also for a clock that would refuse it now.
	s.now = Epoch - 10*capsule.DefaultSkew
	s.equal("status before the clock", s.accept(items(o.events[:1])...)[0].Status, wire.Held)
}

func (s *suite) terms() capsule.Terms { return capsule.Terms{Now: s.now, Skew: capsule.DefaultSkew} }

func testRefusals(s *suite) {
	good := Publish(s, Stamp{Signer: 1, Nonce: 1})
	later := Publish(s, Stamp{Signer: 1, Nonce: 2, CreatedAt: s.now + capsule.DefaultSkew + 1})
	edge := Publish(s, Stamp{Signer: 1, Nonce: 3, CreatedAt: s.now + capsule.DefaultSkew})
	wrong := Publish(s, Stamp{Signer: 2, Nonce: 1}, Relate(capsule.Tests, good.ID()))
	bad := PublishPayload()
	bad.Title = ""
	invalid := Offer(s, Sign(s, Stamp{Signer: 3, Nonce: 1}, capsule.Publish, bad.Value()))
	unproven := fault.Refuse(fault.StepSignature, "/signature", "does not verify")

	out := s.accept(
		wire.Item{Refusal: unproven, Where: "line 1"},
		wire.Item{Offer: capsule.OfferOf(good)},
		wire.Item{},
		wire.Item{Offer: capsule.OfferOf(later)},
		wire.Item{Offer: invalid},
		wire.Item{Offer: capsule.OfferOf(wrong)},
		wire.Item{Offer: capsule.OfferOf(edge)},
	)
	steps := map[int]fault.Step{0: fault.StepSignature, 3: fault.StepClock, 4: fault.StepPayload, 5: fault.StepTarget}
	for i, o := range out {
		if i == 1 || i == 6 {
			s.equal("status", o.Status, wire.Added)
			continue
		}
		if o.Status != wire.Refused || o.Refusal == nil {
			s.Errorf("item %d: status %d, refusal %v", i, o.Status, o.Refusal)
			continue
		}
		if step, ok := steps[i]; ok {
			s.equal("step", o.Refusal.Step, step)
		}
	}
	s.equal("ID of a refused payload", out[4].ID, invalid.Envelope().ID())
	s.read(func(snap view.Snapshot) { s.equal("rows", s.scan(snap, view.Query{}), []uint64{2, 1}) })
}

func testSubmit(s *suite) {
	root := Publish(s, Stamp{Signer: 1, Nonce: 1})
	child := Publish(s, Stamp{Signer: 1, Nonce: 2}, Relate(capsule.Extends, root.ID()))
	_, _, err := s.store.Submit(s.ctx, capsule.OfferOf(child), s.terms())
	var refusal *fault.Refusal
	if !errors.As(err, &refusal) || refusal.Code != fault.MissingDependency {
		s.Fatalf("submit without its target: %v", err)
	}
	s.equal("missing", refusal.Missing, []string{root.ID().String()})
	stats, err := s.store.Stats(s.ctx)
	s.must(err)
	s.equal("pending", stats.Pending, 0)
	if _, _, err := s.store.Submit(s.ctx, capsule.Offer{}, s.terms()); err == nil {
		s.Error("the zero offer was accepted")
	}

	policy := s.terms()
	policy.Policy = func(capsule.Event) error { return fault.Refuse(fault.StepPolicy, "", "not here") }
	_, _, err = s.store.Submit(s.ctx, capsule.OfferOf(root), policy)
	s.equal("code of a policy", code(err), fault.PermissionDenied)

	for i, e := range []capsule.Event{root, child} {
		s.now += 5
		record, held, err := s.store.Submit(s.ctx, capsule.OfferOf(e), s.terms())
		s.must(err)
		if held || record.Seq != uint64(i+1) || record.AcceptedAt != s.now || record.Event.ID() != e.ID() {
			s.Errorf("record %+v", record)
		}
	}
	checkpoint, err := s.store.Checkpoint(s.ctx)
	s.must(err)
	s.equal("checkpoint", checkpoint, uint64(2))

	target := Publish(s, Stamp{Signer: 2, Nonce: 1})
	waiting := Assess(s, Stamp{Signer: 3, Nonce: 1}, target.ID(), capsule.VerdictSupports)
	s.equal("status", s.accept(items([]capsule.Event{waiting})...)[0].Status, wire.Pending)
	_, _, err = s.store.Submit(s.ctx, capsule.OfferOf(target), s.terms())
	s.must(err)
	record, err := s.store.Record(s.ctx, waiting.ID())
	s.must(err)
	s.equal("seq of what a submission released", record.Seq, uint64(4))
}

func testWithhold(s *suite) {
	o := s.world(8, 40)
	first := o.events[0]
	s.must(s.store.Withhold(s.ctx, first.ID(), true))
	_, err := s.store.Record(s.ctx, first.ID())
	s.equal("code of a withheld record", code(err), fault.NotHeldCode)
	records, _, err := s.store.Records(s.ctx, wire.Range{Through: 40, Limit: 100})
	s.must(err)
	s.equal("records", len(records), 39)

	// It resolves dependencies, and a resubmission keeps its record and stays hidden.
	child := Assess(s, Stamp{Signer: 7, Nonce: 1}, first.ID(), capsule.VerdictChallenges)
	record, held, err := s.store.Submit(s.ctx, capsule.OfferOf(child), s.terms())
	s.must(err)
	s.equal("seq of what depends on it", record.Seq, uint64(41))
	s.equal("held", held, false)
	record, held, err = s.store.Submit(s.ctx, capsule.OfferOf(first), s.terms())
	s.must(err)
	s.equal("seq of the withheld", record.Seq, uint64(1))
	s.equal("held", held, true)
	_, err = s.store.Record(s.ctx, first.ID())
	s.equal("code after a resubmission", code(err), fault.NotHeldCode)

	// A snapshot is the owner's own view: withholding is what a service tells others.
	s.read(func(snap view.Snapshot) {
		e, err := snap.Event(first.ID())
		s.must(err)
		s.equal("text", e.Envelope().Text(), first.Envelope().Text())
	})
	s.must(s.store.Withhold(s.ctx, first.ID(), false))
	record, err = s.store.Record(s.ctx, first.ID())
	s.must(err)
	s.equal("seq shown again", record.Seq, uint64(1))
}

func testRecords(s *suite) {
	o := s.world(9, 200)
	hidden := make(map[identity.ID]bool)
	for i := 0; i < 200; i += 7 {
		hidden[o.events[i].ID()] = true
		s.must(s.store.Withhold(s.ctx, o.events[i].ID(), true))
	}
	r := s.rand()
	for range 200 {
		q := randomQuery(r, o)
		rng := wire.Range{
			Filter: q.Filter, Terms: q.Terms, After: r.Uint64N(150), Through: 50 + r.Uint64N(200), Limit: 1 + r.IntN(20),
		}
		want := o.visible(rng.Filter, rng.Terms, rng.After, rng.Through, hidden)
		records, more, err := s.store.Records(s.ctx, rng)
		s.must(err)
		var got []uint64
		for _, record := range records {
			got = append(got, record.Seq)
			if record.AcceptedAt != s.now || record.Event.ID() != o.event(record.Seq).ID() {
				s.Errorf("record %d is another event's", record.Seq)
			}
		}
		s.equal("more", more, len(want) > rng.Limit)
		s.equal("records", got, want[:min(len(want), rng.Limit)])
	}
}
