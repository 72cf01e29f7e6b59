package main

import (
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"akx/client/clienttest"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/wire"
)

// outbox goes to the list of drafts and of what was signed.
func (s *seat) outbox() *seat {
	s.t.Helper()
	s.shows(" akx ▸ ", " left to send")
	s.do("d")
	s.shows("Outbox ", "What comes next")
	return s
}

// Two explorers have one draft open: the second is told, and reads only, until the
// first is gone, even if that was killed.
func TestTwoExplorersOnOneDraft(t *testing.T) {
	t.Parallel()
	d := newDesktop(t, nil)
	d.run([]byte(readyDraft), "draft", "new", "question", "-")
	open := func(s *seat) {
		s.shows(" akx ▸ ", "1 draft")
		s.do("d")
		s.shows("Drafts 1")
		s.do("enter")
	}
	one, two := d.sit(), d.sit()
	one.shows("akx ▸ Browse")
	two.shows("akx ▸ Browse") // before the other saves its place
	open(one)
	one.shows("Compose: question", " saved ")
	one.fill("title", " One")
	open(two)
	two.shows("Compose: question", "READ-ONLY", "What follows? One")
	two.letters("x")
	two.shows("another akx has this draft open")
	two.do("ctrl+x")
	two.do("esc")
	two.shows("Drafts 1")
	one.fill("title", " and more")
	one.kill()
	two.do("enter")
	two.shows("Compose: question", "What follows? One and more", " saved ")
	two.fill("title", ", Two")
	drafts, entries := d.stored()
	if len(entries) != 0 || len(drafts) != 1 || drafts[0].Payload.Title != "What follows? One and more, Two" {
		t.Errorf("%d signed; %+v", len(entries), drafts)
	}
}

// Two explorers have the outbox open and send the same event: one of them sends, and
// both see what became of it.
func TestTwoExplorersSendOneOutbox(t *testing.T) {
	t.Parallel()
	h := newHub(t, time.Now)
	d := newDesktop(t, nil)
	d.add(h)
	d.queue(h, "Mine")
	one, two := d.sit().outbox(), d.sit().outbox()
	two.shows("Send it when you want.")
	arrived, tried := make(chan struct{}), make(chan struct{})
	h.sees(func(string) {
		close(arrived)
		<-tried
	})
	one.do(">")
	<-arrived
	two.do(">")
	two.shows("is being sent")
	close(tried)
	one.shows("The service has accepted the event.")
	two.do("R")
	two.shows("The service has accepted the event.")
	two.do(">")
	two.shows("this service has accepted it")
	if e := d.entry(); len(h.sent()) != 1 || h.sent()[0] != e.Envelope || e.Deliveries[0].State != desk.Accepted || e.Deliveries[0].Seq != 1 {
		t.Errorf("%d were sent; it stands at %+v", len(h.sent()), e.Deliveries)
	}
	one.leave()
	two.leave()
}

// What a service did with the outbox survives a restart, whatever that was: it asked
// to wait, its clock was wrong, it took the event and dropped the connection. The same
// bytes are sent each time, and all of it ends accepted.
func TestFullOutboxSurvives_8_1(t *testing.T) {
	t.Parallel()
	var behind atomic.Int64
	h := newHub(t, func() time.Time { return time.Now().Add(-time.Duration(behind.Load())) })
	d := newDesktop(t, nil)
	d.add(h)
	titles := []string{"One", "Two", "Three", "Four", "Five", "Six"}
	d.queue(h, titles...)

	busy := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = w.Write([]byte(`{"error":{"code":"rate_limited","message":"later"}}`))
	}
	h.lies(clienttest.At(wire.EventsPath, func(http.Handler) http.Handler { return http.HandlerFunc(busy) }))
	if text, code := d.command(nil, "submit", "--to", "hub"); code != exitFailed {
		t.Fatalf("exit code %d\n%s", code, text)
	}
	_, before := d.stored()
	asked := len(h.sent())
	s := d.sit().outbox()
	s.shows("Outbox 6", "The service takes no more for the moment.", "next try")
	s.kill()
	s = d.sit()
	s.shows("Outbox 6", "next try") // the place is kept
	if _, after := d.stored(); !slices.EqualFunc(before, after, func(a, b desk.Entry) bool { return slices.EqualFunc(a.Deliveries, b.Deliveries, sameDelivery) }) {
		t.Errorf("it stood at %+v, and after a restart at %+v", before, after)
	}
	if n := len(h.sent()); n != asked {
		t.Errorf("%d were sent before their time", n-asked)
	}

	// The clock of the service stands five hours before the signature.
	h.lies(nil)
	behind.Store(int64(time.Since(time.UnixMilli(now)) + 5*time.Hour))
	s.do(">")
	s.shows("refused: "+string(fault.TimestampOutside), "For the service this event is signed in the future.", "Check the clock of this machine")
	behind.Store(0)

	// It takes the event, and the connection ends before its answer.
	h.lies(clienttest.At(wire.EventsPath, clienttest.Truncate(7)))
	s.do(">")
	s.shows("The connection was lost before an answer: the service may hold the event.")
	s.kill()
	s = d.sit()
	s.shows("Outbox 6", "the service may hold the event")
	h.lies(nil)
	s.do(">")
	s.shows("accepted #1", "The service has accepted the event.")
	s.leave()

	d.run(nil, "submit", "--to", "hub")
	_, entries := d.stored()
	kept := map[string]bool{}
	for _, e := range entries {
		kept[e.Envelope] = true
		if e.Deliveries[0].State != desk.Accepted {
			t.Errorf("%s stands at %+v", e.ID, e.Deliveries)
		}
	}
	sent := map[string]bool{}
	for _, envelope := range h.sent() {
		sent[envelope] = true
		if !kept[envelope] {
			t.Errorf("sent what is not in the outbox: %s", envelope)
		}
	}
	if len(sent) != len(titles) {
		t.Errorf("%d events were sent", len(sent))
	}
}

func sameDelivery(a, b desk.Delivery) bool {
	return a.Service == b.Service && a.State == b.State && a.Tries == b.Tries && a.NextTry == b.NextTry && a.Code == b.Code
}
