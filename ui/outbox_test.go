package ui_test

import (
	"context"
	"strings"
	"testing"

	"akx/cache/storetest"
	"akx/explore"
	"akx/ui/kit"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// taking is a service that takes events, or answers as a test wants.
type taking struct {
	*remote
	answer func(text string) error
	got    []string
	tokens []string
	limits []wire.Limit
}

// Discover says which limits it has.
func (r *taking) Discover(ctx context.Context) (wire.Discovery, error) {
	d, err := r.remote.Discover(ctx)
	d.Limits = r.limits
	return d, err
}

// Submit keeps what it got.
func (r *taking) Submit(_ context.Context, text, token string) (wire.Record, error) {
	r.got, r.tokens = append(r.got, text), append(r.tokens, token)
	if r.answer != nil {
		if err := r.answer(text); err != nil {
			return wire.Record{}, err
		}
	}
	offer, err := capsule.Open([]byte(text))
	if err != nil {
		return wire.Record{}, err
	}
	return wire.Record{Event: offer.Event(), Seq: uint64(len(r.got)), AcceptedAt: clock().UnixMilli()}, nil
}

// newSending is a writing with one service, hub, to which things are sent.
func newSending(t testing.TB, answer func(string) error, changes ...func(*setup)) (*writing, *taking) {
	t.Helper()
	hub := &taking{remote: &remote{origin: "https://hub.example"}, answer: answer}
	w := newWriting(t, append(changes, func(s *setup) {
		s.network.Reach = func(desk.Service) (explore.Remote, error) { return hub, nil }
	})...)
	session := explore.New(w.lib, explore.Options{Clock: clock, Network: explore.Network{Book: w.lib, Store: w.lib}})
	defer session.Close()
	if _, err := session.AddService(t.Context(), desk.Service{Origin: hub.origin, Name: "hub", Enabled: true}); err != nil {
		t.Fatal(err)
	}
	return w, hub
}

// queue signs a capsule of ann's and queues it for hub.
func (w *writing) queue(title string) {
	w.t.Helper()
	w.do("B c enter").fill("title", title, "statement", "It is so.", "scope", "s", "basis", "b").do("ctrl+x")
	w.shows("[ ] hub", "No service is chosen", "[ Sign and queue ]")
	w.do("tab tab tab enter")
	w.shows("no service is chosen: space on its row chooses it")
	w.do("shift+tab shift+tab space")
	w.shows("[x] hub")
	w.do("tab tab enter")
	w.Type(passphrase)
	w.do("enter")
	w.shows("queued for 1 service", "nothing is sent yet")
}

// What was signed and queued is sent by the user's key alone, and once.
func TestOutboxSends(t *testing.T) {
	w, hub := newSending(t, nil)
	w.queue("Mine")
	w.shows("1 left to send")
	if len(hub.got) != 0 {
		t.Fatal("signing sent something")
	}
	w.do("d")
	w.shows("hub: not sent", "Nothing was sent yet.")
	w.do(">")
	w.shows("accepted #1", "The service has accepted the event.")
	w.hides("1 left to send")
	w.do("down >")
	w.shows("this service has accepted it")
	if entries := w.entries(); len(hub.got) != 1 || hub.got[0] != entries[0].Envelope {
		t.Errorf("sent %d times", len(hub.got))
	}
}

// A lost answer is unknown, and the same bytes go again.
func TestUnknownIsResent(t *testing.T) {
	lost := error(&fault.Unavailable{Code: fault.UnavailableCode, What: "hub", Detail: "connection lost", Fate: fault.Lost})
	w, hub := newSending(t, func(string) error { return lost })
	w.queue("Mine")
	w.do("d >")
	w.shows("unknown, resend is safe", "the service may hold the event")
	lost = nil
	w.do(">")
	w.shows("accepted #2")
	if len(hub.got) != 2 || hub.got[0] != hub.got[1] {
		t.Errorf("sent %d times, not the same bytes", len(hub.got))
	}
}

// A refusal is told with its code, in words, and with the next step; the service's own
// words stand behind the mark of foreign text.
func TestRefusalsSayWhatComesNext(t *testing.T) {
	w, _ := newSending(t, func(string) error {
		return &fault.Refusal{Step: fault.StepPolicy, Code: fault.PermissionDenied, Detail: "members only"}
	})
	w.queue("Mine")
	w.do("d >")
	w.shows("refused: permission_denied", "under its own policy", "members only", "▌")
}

// What a service misses is listed, and sent first only once the user says so.
func TestMissingIsSentFirst(t *testing.T) {
	missing := true
	var need identity.ID
	w, hub := newSending(t, func(text string) error {
		offer, err := capsule.Open([]byte(text))
		if err != nil {
			return err
		}
		if missing && offer.Event().Title() == "Mine" {
			return &fault.Refusal{Step: fault.StepDependencies, Code: fault.MissingDependency, Detail: "missing", Missing: []string{need.String()}}
		}
		missing = false
		return nil
	})
	need = w.publish("The ground", "It was so.").ID()
	w.open(need).do("c enter").fill("title", "Mine", "statement", "It is so.", "scope", "s", "basis", "b").do("ctrl+x tab space tab tab enter")
	w.Type(passphrase)
	w.do("enter d")
	w.shows("queued for no service", "hub: not sent")
	for !strings.Contains(w.Screen(), "Send it when you want.") {
		w.Press("down")
	}
	w.do(">")
	w.shows("refused: missing_dependency", need.String())
	w.do(">")
	w.shows("Send what is missing first?", need.String(), "The ground")
	w.do("enter")
	if len(hub.got) != 1 {
		t.Fatalf("%d were sent before the user said so", len(hub.got))
	}
	w.do("> tab enter")
	w.shows("accepted #3")
}

// What a service misses and a public test key signed is told, and never offered.
func TestMissingThatCannotBeSentIsTold(t *testing.T) {
	public := storetest.Publish(t, storetest.Stamp{Signer: 0x21, Nonce: 1}, storetest.Titled("A sample"))
	w, hub := newSending(t, func(string) error {
		return &fault.Refusal{Step: fault.StepDependencies, Code: fault.MissingDependency, Detail: "missing", Missing: []string{public.ID().String()}}
	})
	accept(t, w.lib, wire.Added, public)
	w.queue("Mine")
	w.do("d >")
	w.shows("refused: missing_dependency")
	w.do(">")
	w.shows("What is missing there cannot be sent", public.ID().String(), "A sample", "0x21", "[ Close ]")
	w.hides("Send these")
	w.do("tab enter")
	w.hides("cannot be sent")
	if len(hub.got) != 1 {
		t.Errorf("%d were sent", len(hub.got))
	}
}

// A draft goes into the trash and comes out of it; it is forgotten only after a
// second step.
func TestTrash(t *testing.T) {
	w := newWriting(t)
	w.do("c enter 'Mine esc : 'drafts enter")
	w.shows("Drafts 1", "Mine", "3 errors")
	w.do("x")
	w.shows("Drafts 0", "in the trash")
	w.do("t")
	w.shows("Trash 1", "Mine")
	w.do("u t")
	w.shows("Drafts 1", "Mine")
	w.do("x t x enter")
	w.shows("Trash 1")
	w.do("x tab enter")
	w.shows("Trash 0")
	if n := len(w.drafts()); n != 0 {
		t.Errorf("%d drafts are left", n)
	}
}

// In the sample drafts live in memory, its keys are public test keys, and nothing
// leaves.
func TestSampleSaysWhatItIs(t *testing.T) {
	x := newExplorer(t, from(kit.Route{Screen: kit.Browse})).do("c enter")
	x.shows("gone at exit", "public test keys")
	x.do("esc d")
	x.shows("in memory, gone at exit")
}

// What a service says of its size stands in the form, in the last step and before a
// sending; the drafts of a list are told apart by what they are about (9.7).
func TestLimitOfAService_9_7(t *testing.T) {
	w, hub := newSending(t, nil)
	hub.limits = []wire.Limit{{Name: "max_envelope_bytes", Value: 700}}
	w.do("s L B c enter").fill("title", "t", "statement", "s", "scope", "s", "basis", "b")
	w.shows("of 700 bytes (hub limit)")
	w.field("statement").do("'" + strings.Repeat("long_", 40))
	w.do("ctrl+x")
	w.shows("bytes, and hub takes 700 at most", "takes at most 700 bytes")
	w.answerStops()
	w.do("tab space tab tab enter")
	w.Type(passphrase)
	w.do("enter d")
	w.shows("too large for it", "it takes 700 at most")
}

// What akx itself says of a try is no word of the service, and a try that is near says
// in how many seconds it comes.
func TestUnreachedInTheOutbox(t *testing.T) {
	w, _ := newSending(t, func(string) error {
		return &fault.Unavailable{Code: fault.UnavailableCode, What: "hub", Detail: "nothing listens there", Fate: fault.Unsent}
	})
	w.queue("Mine")
	w.do("d >")
	w.shows("hub: not sent", "at https://hub.example", "why: nothing listens there", "next try in 5 s")
	w.hides("the service's words")
}

// The title counts what is left to send as the top row does, and the rest beside it.
func TestOutboxCountsAsTheTopRow(t *testing.T) {
	w, _ := newSending(t, nil)
	w.queue("Mine")
	w.publish("Kept here", "It is so.")
	w.do("d")
	w.shows("1 left to send  this cache", "Outbox 2, 1 left to send")
}

// Drafts of a list are told apart: what, of which target, and what is still missing.
func TestDraftsAreToldApart(t *testing.T) {
	w := newWriting(t)
	own := w.publish("Mine", "It is so.")
	w.open(w.target.ID()).do("A").field("verdict").do("right esc")
	w.open(own.ID()).do("X esc")
	w.open(w.target.ID()).do("c enter esc d")
	w.shows("assess supports", w.target.ID().String()[:8]+"…", "no summary yet", "retract", own.ID().String()[:8]+"…", "no reason yet", "extends", "no title yet")
}
