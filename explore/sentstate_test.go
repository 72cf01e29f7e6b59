package explore_test

import (
	"testing"

	"akx/cache/storetest"
	"akx/explore"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/wire"
)

// What was signed says how it stands at each service; what is not in the outbox, nothing.
func TestSentState(t *testing.T) {
	both(t, func(t *testing.T, w *writing) {
		state := func(s explore.Signed) []desk.Delivery {
			t.Helper()
			list, err := w.w.SentState(t.Context(), s.Event.ID())
			if err != nil {
				t.Fatal(err)
			}
			return list
		}
		signed := w.publish("hub", "lab")
		if list := state(signed); len(list) != 2 || list[0].State != desk.NotSent || list[1].State != desk.NotSent {
			t.Errorf("before: %+v", list)
		}
		w.takers[lab].answer(refuse(fault.PermissionDenied))
		w.submit(signed.Event.ID())
		list := state(signed)
		if list[0].State != desk.Accepted || list[0].Seq != 1 || list[0].AcceptedAt != storetest.Now || list[1].State != desk.Refused {
			t.Errorf("after: %+v", list)
		}
		foreign := storetest.Publish(t, stamp(2, 1))
		if list, err := w.w.SentState(t.Context(), foreign.ID()); err != nil || len(list) != 0 {
			t.Errorf("not of the outbox: %+v, %v", list, err)
		}
	})
}

// An answer that was lost is known once the service itself gives the event (8.1).
func TestLostAnswerIsFoundAtTheService_8_1(t *testing.T) {
	both(t, func(t *testing.T, w *writing) {
		signed := w.publish("hub")
		w.takers[hub].answer(unavailable(fault.Lost, fault.UnavailableCode, 0))
		w.submit(signed.Event.ID())
		if d := w.delivery(signed.Event.ID(), hub); d.State != desk.Unknown {
			t.Fatalf("%+v", d)
		}
		item := wire.Item{Offer: capsule.OfferOf(signed.Event), Seq: 41, AcceptedAt: storetest.Now + 7}
		if _, err := w.lib.AcceptAnswer(t.Context(), lab, []wire.Item{item}, nil); err != nil {
			t.Fatal(err)
		}
		if d := w.delivery(signed.Event.ID(), hub); d.State != desk.Unknown {
			t.Errorf("another service's word counted: %+v", d)
		}
		if _, err := w.lib.AcceptAnswer(t.Context(), hub, []wire.Item{item}, nil); err != nil {
			t.Fatal(err)
		}
		if d := w.delivery(signed.Event.ID(), hub); d.State != desk.Accepted || d.Seq != 41 || d.AcceptedAt != storetest.Now+7 {
			t.Errorf("%+v", d)
		}
	})
}
